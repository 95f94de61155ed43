"""Clubs, as the API shows them."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Anyone, Ask, Door, read, write
from tournaments.api.fields import Flag, OneOf, Text, changes, form
from tournaments.core import time_zones
from tournaments.models import Club, Confirming
from tournaments.people import clubs
from tournaments.people.clubs import NewClub

_SETTINGS = {
    "name": Text(most=200),
    "is_public": Flag(required=False, words="Whether strangers may look."),
    "confirming": OneOf(
        required=False,
        of=tuple(map(str, Confirming.values)),
        words="Whether a second seat must confirm a hand.",
    ),
    "time_zone": Text(
        required=False,
        most=time_zones.LONGEST,
        words="Of the clock on the club's wall, as Europe/Amsterdam (IANA).",
    ),
}
NEW = form(
    **_SETTINGS,
    currency=Text(required=False, least=3, most=3, words="Of the books, as EUR; it stays."),
)
CHANGE = changes(form(**_SETTINGS))
FILTERS = form(
    mine=Flag(required=False, words="Only clubs where the asker is somebody, or only others."),
    search=Text(required=False, most=100, words="A part of the name."),
)


class ClubOut(TypedDict):
    """A club. ``version`` is its ETag."""

    id: UUID
    name: str
    is_public: bool
    currency: str
    confirming: Confirming
    time_zone: str
    version: int
    created_at: datetime


class Clubs(Door):
    """All clubs that one may know of."""

    @read(Anyone.ANYBODY, gives=ClubOut, query=FILTERS, pages=True)
    def get(self, ask: Ask) -> Answer:
        """List clubs: the asker's own and the public ones."""
        return ask.page(selectors.clubs(ask.asker, **ask.filters), club_out)

    @write(Anyone.SIGNED_IN, takes=NEW, gives=ClubOut, status=201)
    def post(self, ask: Ask) -> Answer:
        """Found a club; whoever does is its admin."""
        club = clubs.found_club(new=NewClub(**ask.values), by=ask.by, at=ask.at)
        return Answer(club_out(club), version=club.version, location=f"{ask.path}/{club.pk}")


class OneClub(Door):
    """One club."""

    @read(Right.CLUB_READ, gives=ClubOut)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Read a club."""
        return Answer(club_out(ask.club), version=ask.club.version)

    @write(Right.CLUB_EDIT, takes=CHANGE, gives=ClubOut, edits=True)
    def patch(self, ask: Ask, club_id: UUID) -> Answer:
        """Change a club."""
        club = clubs.change_club(
            club_id=club_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return Answer(club_out(club), version=club.version)


def club_out(club: Club) -> ClubOut:
    """A club as data."""
    return {
        "id": club.pk,
        "name": club.name,
        "is_public": club.is_public,
        "currency": club.currency,
        "confirming": Confirming(club.confirming),
        "time_zone": club.time_zone,
        "version": club.version,
        "created_at": club.created_at,
    }
