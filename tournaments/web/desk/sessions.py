"""Sessions at the desk: who is signed in, in which club, and what they may do there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import get_user
from django.http import HttpRequest

from tournaments import selectors
from tournaments.access import visibility
from tournaments.access.rights import Asker, Place, Right, admit
from tournaments.access.visibility import EventPlace
from tournaments.api.authentication import person
from tournaments.core.actors import Actor, Source
from tournaments.core.errors import NotThereError
from tournaments.models import Account, Club, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Somebody who signed in, at a page of the desk.

    ``key`` goes into every form of the page, so that a form sent twice is known to be the same.
    """

    account: Account
    asker: Asker
    at: datetime
    place: Place | None = None
    rights: frozenset[Right] = frozenset()
    key: UUID = field(default_factory=uuid4)

    @property
    def by(self) -> Actor:
        """Whom use cases are told of."""
        return self.asker.actor

    @property
    def club(self) -> Club:
        """The club that the address names."""
        assert self.place is not None
        assert self.place.club is not None
        return self.place.club

    @property
    def can(self) -> dict[str, bool]:
        """What they may do here, by names that a template can read: ``can.events_edit``."""
        return {right.name.lower(): True for right in self.rights}


def account_of(request: HttpRequest) -> Account | None:
    """Who signed in with this browser."""
    account = get_user(request)
    return account if isinstance(account, Account) and account.is_active else None


def visit_of(account: Account, at: datetime) -> Visit:
    """A visit that has not come to any place yet. One query."""
    asker = person(account)
    by_page = replace(asker, actor=replace(asker.actor, source=Source.PAGE))
    return Visit(account=account, asker=by_page, at=at)


def entered(visit: Visit, place: Place, needs: Right) -> Visit:
    """The visit at a place. Raises NotThereError or NotAllowedError."""
    rights = admit(visit.asker, place, needs)
    return replace(visit, place=place, rights=rights)


def club_place(ids: Mapping[str, Any]) -> Place:
    """The club that an address names."""
    return Place(Club.objects.filter(pk=ids["club_id"]).first())


def event_place(ids: Mapping[str, Any]) -> Place:
    """The event that an address names, in its club."""
    return visibility.event_place(selectors.event(ids["event_id"]))


def event_of(visit: Visit) -> Event:
    """The event that the address names. Raises NotThereError."""
    if not isinstance(visit.place, EventPlace) or visit.place.event is None:
        raise NotThereError
    return visit.place.event
