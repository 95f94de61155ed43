"""The viewer of a page, and what they may see of its club."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.access.rights import (
    RIGHTS,
    VISITOR,
    Asker,
    Place,
    Right,
    RoleInClub,
    admit,
    sees_hidden,
)
from tournaments.access.visibility import sheet_token
from tournaments.core import time_zones
from tournaments.core.actors import Source
from tournaments.core.errors import RefusedError
from tournaments.models import Account, Club

_SHEETS: Final = "sheets"
"""Of which events and leagues a browser has shown the code of a printed sheet."""
_SHEETS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody at a page of a club, with all that they may do there.

    ``sees_hidden``: they may know of what the club hides from strangers. ``by_sheet``: they came by
    the code of a printed sheet, and other pages of the club are closed to them.
    """

    club: Club
    rights: frozenset[Right]
    sees_hidden: bool
    place: Place
    by_sheet: bool = False

    @property
    def in_full(self) -> bool:
        """Whether they may read names, and what people wrote."""
        return Right.NAMES_READ in self.rights


def account_of(request: HttpRequest) -> Account | None:
    """Return the signed-in account, or None. No query for visitors."""
    user = request.user
    return user if isinstance(user, Account) and user.is_active else None


def asker_of(request: HttpRequest) -> Asker:
    """Return who is at the browser; the visitor where nobody signed in."""
    account = account_of(request)
    return VISITOR if account is None else Asker.of_account(account, Source.PAGE)


def viewer_of(request: HttpRequest, place: Place) -> Viewer:
    """Return the viewer of a page of this place; the code of a printed sheet of it is enough.

    Raises Http404, the same for a place that is not there and for one that they may not know of.
    """
    try:
        return _viewer_at(asker_of(request), place)
    except Http404:
        if place.club is None or not _holds_sheet(request, place):
            raise
        timezone.activate(time_zones.zone(place.club.time_zone))
        rights = RIGHTS[RoleInClub.VISITOR]
        return Viewer(place.club, rights, sees_hidden=False, place=place, by_sheet=True)


def _holds_sheet(request: HttpRequest, place: Place) -> bool:
    """Whether the address has the token of a printed sheet of a place, or one before had it."""
    sheets, seen = place.sheets, request.session.get(_SHEETS, [])
    if not sheets.isdisjoint(map(UUID, seen)):
        return True
    token = request.GET.get("sheet", "")
    shown = [str(sheet) for sheet in sheets if constant_time_compare(token, sheet_token(sheet))]
    if shown:
        request.session[_SHEETS] = [*seen[-_SHEETS_MAX:], *shown]
    return bool(shown)


def anonymous_viewer(place: Place) -> Viewer:
    """Anybody at all, for pages that are the same whoever signed in. Raises Http404 alike."""
    return _viewer_at(VISITOR, place)


def _viewer_at(asker: Asker, place: Place) -> Viewer:
    try:
        rights = admit(asker, place, Right.CLUB_READ)
    except RefusedError as error:
        raise Http404 from error
    assert place.club is not None
    # Whoever looks, and from wherever: a club's pages tell the time by the clock on its wall.
    timezone.activate(time_zones.zone(place.club.time_zone))
    return Viewer(place.club, rights, sees_hidden(asker, place), place)
