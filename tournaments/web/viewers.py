"""Viewers: who looks at a page, and what he may know of the club that it is of."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth import get_user
from django.http import Http404, HttpRequest
from django.utils import timezone

from tournaments import access, accounts, zones
from tournaments.access import VISITOR, Asker, Place, Right
from tournaments.actors import Source
from tournaments.models import Account, Club
from tournaments.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody at a page of a club, with all that he may do there."""

    club: Club
    rights: frozenset[Right]

    @property
    def in_full(self) -> bool:
        """Whether he may read names, and what people wrote."""
        return Right.NAMES_READ in self.rights


def asker_of(request: HttpRequest) -> Asker:
    """Who is at the browser; the visitor where nobody signed in. A visitor costs no query."""
    account = get_user(request)
    if not isinstance(account, Account) or not account.is_active:
        return VISITOR
    return accounts.asker_of(account, Source.PAGE)


def viewer_of(request: HttpRequest, club: Club | None, game: UUID | None = None) -> Viewer:
    """Who looks at a page of this club.

    Raises Http404, the same for a club that is not there and for one that he may not know of.
    """
    return _admitted(asker_of(request), club, game)


def stranger_at(club: Club | None, game: UUID | None = None) -> Viewer:
    """Anybody at all, for pages that are the same whoever signed in. Raises Http404 alike."""
    return _admitted(VISITOR, club, game)


def _admitted(asker: Asker, club: Club | None, game: UUID | None) -> Viewer:
    try:
        rights = access.admit(asker, Place(club, game), Right.CLUB_READ)
    except RefusedError as error:
        raise Http404 from error
    assert club is not None
    # Whoever looks, and from wherever: a club's pages tell the time by the clock on its wall.
    timezone.activate(zones.zone(club.time_zone))
    return Viewer(club, rights)
