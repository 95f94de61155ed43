"""Leagues: seasons with their rolls and sessions, and who moves up and down."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.access.visibility import LeaguePlace, league_place, leagues_seen
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Flag, Identifier, Text, Whole, changes, form
from tournaments.api.settings import Settings
from tournaments.core.errors import NotThereError
from tournaments.events import leagues
from tournaments.events.leagues import SESSIONS_MOST, NewLeague, NewMember, NewSession
from tournaments.models import League, LeagueEvent, LeagueMember
from tournaments.standings.season import describe_season

_FIELDS = {
    "name": Text(most=200),
    "season": Settings(required=False, words="How it is counted: best_n, drop_worst and so on."),
    "planned": Whole(required=False, most=SESSIONS_MOST, words="How many events it is to have."),
    "is_open": Flag(required=False, words="Whether those count who are not on the roll."),
    "rated": Flag(required=False, words="Whether its events count in ratings, as is usual."),
    "is_hidden": Flag(required=False, words="Whether strangers may not know of it."),
}
NEW = form(**_FIELDS, id=Identifier(required=False, words="The client's own."))
CHANGE = changes(form(**_FIELDS))
_MEMBER = {
    "division": Whole(required=False, least=1, most=100),
    "opening": Text(required=False, least=0, most=40, words="Points brought along, such as 21/2."),
    "opening_events": Whole(required=False, most=SESSIONS_MOST, words="From how many events."),
    "handicap": Text(required=False, least=0, most=40),
}
MEMBER = form(player=Identifier(), **_MEMBER)
MEMBER_CHANGE = form(**_MEMBER, withdrawn=Flag(required=False))
_SESSION = {
    "number": Whole(required=False, least=1, most=SESSIONS_MOST),
    "weight": Text(required=False, most=40, words="A number above 0, such as 3/2."),
    "division": Whole(required=False, nullable=True, least=1, most=100, words="Null: for all."),
}
SESSION = form(event=Identifier(), **_SESSION)
SESSION_CHANGE = form(**_SESSION)
WHY = form(why=Text(most=300))


class ListedLeague(TypedDict):
    """A league in a list."""

    id: UUID
    name: str
    planned: int
    is_open: bool
    rated: bool
    is_hidden: bool
    version: int
    created_at: datetime
    closed_at: datetime | None


class LeagueOut(ListedLeague):
    """A league; ``counted`` says in plain words how."""

    season: dict[str, Any]
    counted: list[str]


class MemberOut(TypedDict):
    """Somebody on the roll."""

    player: UUID
    name: str
    division: int
    opening: str
    opening_events: int
    handicap: str
    joined_at: datetime
    withdrawn_at: datetime | None


class SessionOut(TypedDict):
    """An event of the season; ``division`` null: for all."""

    event: UUID
    name: str
    starts_at: datetime
    status: str
    number: int
    weight: str
    division: int | None


class PlayoffOut(TypedDict):
    """Members who are tied across a boundary; so many of them cross it."""

    entries: list[UUID]
    places: int


class BoundaryOut(TypedDict):
    """What happens between two divisions."""

    upper: str
    lower: str
    up: list[UUID]
    down: list[UUID]
    playoff_up: PlayoffOut | None
    playoff_down: PlayoffOut | None


class Boundaries(TypedDict):
    """All boundaries, from the highest down."""

    items: list[BoundaryOut]


class LeagueDoor(Door):
    """Doors at a league."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        return league_place(ids["league_id"])


def league_of(ask: Ask) -> League:
    """The league that an address names."""
    assert isinstance(ask.place, LeaguePlace)
    assert ask.place.league is not None
    return ask.place.league


class Leagues(Door):
    """The leagues of a club."""

    @read(Right.CLUB_READ, gives=ListedLeague, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List the leagues of a club."""
        rows = League.objects.filter(club=ask.club)
        return ask.page(leagues_seen(rows, hidden=ask.sees_hidden), line_out)

    @write(Right.LEAGUES_EDIT, takes=NEW, gives=LeagueOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Begin a season."""
        new = NewLeague(**ask.values)
        league = leagues.create_league(club_id=club_id, new=new, by=ask.by, at=ask.at)
        return _answer(league, f"/api/v1/leagues/{league.pk}")


class OneLeague(LeagueDoor):
    """A league."""

    @read(Right.CLUB_READ, gives=LeagueOut)
    def get(self, ask: Ask, league_id: UUID) -> Answer:
        """Show a league with its settings."""
        return _answer(league_of(ask))

    @write(Right.LEAGUES_EDIT, takes=CHANGE, gives=LeagueOut, edits=True)
    def patch(self, ask: Ask, league_id: UUID) -> Answer:
        """Change a league; its table follows by itself."""
        league = leagues.change_league(
            league_id=league_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return _answer(league)


class LeagueClosing(LeagueDoor):
    """The end of a season."""

    @write(Right.LEAGUES_EDIT, gives=LeagueOut, edits=True)
    def post(self, ask: Ask, league_id: UUID) -> Answer:
        """End a season of which every event is official."""
        version = ask.version
        return _answer(
            leagues.close_league(league_id=league_id, version=version, by=ask.by, at=ask.at)
        )


class LeagueReopening(LeagueDoor):
    """A season that goes on after all."""

    @write(Right.LEAGUES_EDIT, takes=WHY, gives=LeagueOut, edits=True)
    def post(self, ask: Ask, league_id: UUID) -> Answer:
        """Open a closed season again."""
        league = leagues.reopen_league(
            league_id=league_id,
            why=ask.values["why"],
            version=ask.version,
            by=ask.by,
            at=ask.at,
        )
        return _answer(league)


class Roll(LeagueDoor):
    """Who is on the roll of a league."""

    @read(Right.CLUB_READ, gives=MemberOut, pages=True)
    def get(self, ask: Ask, league_id: UUID) -> Answer:
        """List the roll."""
        rows = LeagueMember.objects.filter(league=league_of(ask)).select_related("player__person")
        return ask.page(rows, lambda row: member_out(row, ask.rights))

    @write(Right.LEAGUES_EDIT, takes=MEMBER, gives=MemberOut, status=201)
    def post(self, ask: Ask, league_id: UUID) -> Answer:
        """Put somebody on the roll."""
        new = NewMember(**ask.values)
        member = leagues.enrol(league_id=league_id, new=new, by=ask.by, at=ask.at)
        location = f"{ask.path}/{member.player_id}"
        return Answer(member_out(member, ask.rights), location=location)


class OneMember(LeagueDoor):
    """Somebody on the roll."""

    @write(Right.LEAGUES_EDIT, takes=MEMBER_CHANGE, gives=MemberOut)
    def patch(self, ask: Ask, league_id: UUID, player_id: UUID) -> Answer:
        """Change his division or what he brings, or let him withdraw."""
        member = leagues.change_member(
            league_id=league_id,
            player_id=player_id,
            changes=ask.values,
            by=ask.by,
            at=ask.at,
        )
        return Answer(member_out(member, ask.rights))


class Sessions(LeagueDoor):
    """The events of a season."""

    @read(Right.CLUB_READ, gives=SessionOut, pages=True)
    def get(self, ask: Ask, league_id: UUID) -> Answer:
        """List the events of a season."""
        rows = LeagueEvent.objects.filter(league=league_of(ask)).select_related("event")
        return ask.page(rows, session_out, key="number")

    @write(Right.LEAGUES_EDIT, takes=SESSION, gives=SessionOut, status=201)
    def post(self, ask: Ask, league_id: UUID) -> Answer:
        """Let an event count for the season."""
        new = NewSession(**ask.values)
        session = leagues.add_session(league_id=league_id, new=new, by=ask.by, at=ask.at)
        return Answer(session_out(session), location=f"{ask.path}/{session.event_id}")


class OneSession(LeagueDoor):
    """An event of a season."""

    @write(Right.LEAGUES_EDIT, takes=SESSION_CHANGE, gives=SessionOut)
    def patch(self, ask: Ask, league_id: UUID, event_id: UUID) -> Answer:
        """Change its number, its weight, or for whom it counts."""
        session = leagues.change_session(
            league_id=league_id,
            event_id=event_id,
            changes=ask.values,
            by=ask.by,
            at=ask.at,
        )
        return Answer(session_out(session))

    @write(Right.LEAGUES_EDIT, gives=SessionOut)
    def delete(self, ask: Ask, league_id: UUID, event_id: UUID) -> Answer:
        """Let an event count no more."""
        rows = LeagueEvent.objects.filter(league=league_id, event=event_id)
        session = rows.select_related("event").first()
        if session is None:
            raise NotThereError
        leagues.remove_session(league_id=league_id, event_id=event_id, by=ask.by, at=ask.at)
        return Answer(session_out(session))


class Promotions(LeagueDoor):
    """Who moves up and down."""

    @read(Right.CLUB_READ, gives=Boundaries)
    def get(self, ask: Ask, league_id: UUID) -> Answer:
        """Propose who moves up and down, as the table stands now."""
        found = leagues.promotions(league_id=league_id)
        return Answer({"items": [boundary.to_data() for boundary in found]})


def _answer(league: League, location: str | None = None) -> Answer:
    return Answer(league_out(league), version=league.version, location=location)


def line_out(league: League) -> ListedLeague:
    """A league in a list."""
    return {
        "id": league.pk,
        "name": league.name,
        "planned": league.planned,
        "is_open": league.is_open,
        "rated": league.rated,
        "is_hidden": league.is_hidden,
        "version": league.version,
        "created_at": league.created_at,
        "closed_at": league.closed_at,
    }


def league_out(league: League) -> LeagueOut:
    """A league as data."""
    return {
        **line_out(league),
        "season": league.season,
        "counted": describe_season(leagues.season_of(league)),
    }


def member_out(row: LeagueMember, rights: AbstractSet[Right]) -> MemberOut:
    """Somebody on the roll as data, for somebody with these rights."""
    return {
        "player": row.player_id,
        "name": selectors.shown_name(row.player, in_full=Right.NAMES_READ in rights),
        "division": row.division,
        "opening": row.opening,
        "opening_events": row.opening_events,
        "handicap": row.handicap,
        "joined_at": row.joined_at,
        "withdrawn_at": row.withdrawn_at,
    }


def session_out(row: LeagueEvent) -> SessionOut:
    """A session as data."""
    return {
        "event": row.event_id,
        "name": row.event.name,
        "starts_at": row.event.starts_at,
        "status": row.event.status,
        "number": row.number,
        "weight": row.weight,
        "division": row.division,
    }
