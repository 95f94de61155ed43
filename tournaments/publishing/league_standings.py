"""The standings of a league: what its events brought to whom, from what they came to themselves.

Of an official event the official version counts, whatever was corrected since (DEC-7). Of the
others, one that was published and is not behind is taken as it was published; one that is behind
is computed anew. Both are the same by what publishing promises, so the league is right either way.
After a hand only the event of its game is taken again (`reread_league_inputs`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Final, Literal, NamedTuple, TypedDict
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q

from tournaments.core.time_zones import USUAL, day
from tournaments.models import (
    League,
    LeagueEvent,
    LeagueMember,
    Scope,
    Snapshot,
    Stale,
    Status,
    TableGame,
)
from tournaments.publishing.adjourned import AdjournedData
from tournaments.publishing.documents import ChangedGames, StandingsDocument, digest_of
from tournaments.publishing.event_standings import compute_event, fragment_of
from tournaments.publishing.event_summaries import (
    EventSummary,
    find_summaries,
    summarize_event,
)
from tournaments.publishing.official_versions import (
    OfficialVersion,
    find_official_version,
    write_standings,
)
from tournaments.publishing.recent_subjects import RecentSubjects, RememberedSubject
from tournaments.standings.exact import Fragment
from tournaments.standings.memo import Memo
from tournaments.standings.program import PROGRAM
from tournaments.standings.rows import SeasonRowData
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_ranking import SeasonRanking, rank_season
from tournaments.standings.season_results import (
    EventAhead,
    SeasonEvent,
    SeasonMember,
)
from tournaments.standings.settings import exact

HISTORY_MAX: Final = 100
"""With more events a table does not tell where everybody stood after each."""


class CountedSession(TypedDict, total=False):
    """An event of a season, the digest of what counts of it, and its adjourned tables, if any."""

    event: str
    number: int
    weight: str
    division: int | None
    digest: str
    adjourned: list[AdjournedData]


class LeagueTable(TypedDict, total=False):
    """The table of a season as it was published; empty as long as none was."""

    scope: Literal["league"]
    program: str
    subject: str
    status: str
    low: bool
    sessions: list[CountedSession]
    open: list[str]
    keys: list[str]
    events: list[str]
    season: str
    rows: list[SeasonRowData]


class LeagueSession(NamedTuple):
    """An event of a league."""

    event: UUID
    number: int
    weight: Fraction
    division: int | None
    day: str
    status: str


@dataclass(frozen=True, kw_only=True)
class LeagueInputs:
    """All that the standings of a league come from; ``sessions`` have begun, others are planned."""

    league: League
    season: SeasonRules
    roll: Sequence[LeagueMember]
    sessions: Sequence[LeagueSession]
    planned: Sequence[LeagueSession]
    nights: Mapping[UUID, EventSummary]
    survivors: Mapping[UUID, UUID]
    official: OfficialVersion | None = None

    def setting(self) -> tuple[object, ...]:
        """All of it but the sessions."""
        league = self.league
        roll = [
            (one.player_id, one.division, one.opening, one.opening_events, one.handicap,
             str(one.joined_at), one.withdrawn_at is not None)
            for one in self.roll
        ]  # fmt: skip
        survivors = sorted(self.survivors.items())
        about = (league.pk, league.is_open, league.planned, league.closed_at is not None)
        clock = () if self._clock == USUAL else (self._clock,)
        official = () if self.official is None else (self.official.version,)
        return (about, self.season.digest, roll, survivors, self.ahead(), *clock, *official)

    def facts(self) -> tuple[object, ...]:
        """All of it as one value."""
        about, season, roll, *rest = self.setting()
        nights = [(session, self.nights[session.event].digest) for session in self.sessions]
        return (about, season, roll, nights, *rest)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether chips were won on some nights and penalty points taken on others (DEC-16)."""
        return len({night.is_low for night in self.nights.values() if night.lines}) > 1

    @property
    def _clock(self) -> str:
        return self.league.club.time_zone

    @cached_property
    def _places(self) -> Mapping[str, LeagueMember]:
        """Return places on the roll, once duplicates are seen through."""
        places: dict[str, LeagueMember] = {}
        for one in self.roll:
            places.setdefault(str(self.survivors.get(one.player_id, one.player_id)), one)
        return places

    def members(self) -> list[SeasonMember]:
        """Return ranked people: those on the roll, and in an open league all who played."""
        played = frozenset[str]().union(*(night.members for night in self.nights.values()))
        others = played - self._places.keys() if self.league.is_open else set()
        known = [self._member(player, row) for player, row in sorted(self._places.items())]
        return [*known, *(SeasonMember(id=player) for player in sorted(others))]

    def _member(self, player: str, row: LeagueMember) -> SeasonMember:
        names = self.season.divisions
        return SeasonMember(
            id=player,
            division=names[row.division - 1] if 0 < row.division <= len(names) else None,
            joined=self._joined(player, row),
            opening=exact(row.opening) if row.opening else 0,
            opening_games=row.opening_events,
            opening_events=row.opening_events,
            handicap=exact(row.handicap) if row.handicap else 0,
            withdrawn=row.withdrawn_at is not None,
        )

    def _joined(self, player: str, row: LeagueMember) -> int:
        """The first session that they could play: after they joined, or one that they did play."""
        joined = str(day(row.joined_at, self._clock))
        there = [
            session.number
            for session in self.sessions
            if session.day >= joined or player in self.nights[session.event].players
        ]
        return min(there, default=max((session.number for session in self.sessions), default=0) + 1)

    def ahead(self) -> list[EventAhead]:
        """The sessions that are not over."""
        return [
            EventAhead(str(one.event), one.weight, is_of_division=one.division is not None)
            for one in (*self.sessions, *self.planned)
            if one.status in (Status.PLANNED, Status.RUNNING)
        ]

    def event(self, session: LeagueSession) -> SeasonEvent:
        """A session that was held, with what it brought."""
        places, division = self._places, session.division
        lines = [
            line
            for line in self.nights[session.event].lines
            if (not line.is_guest or line.member in places)
            and (
                division is None
                or (line.member in places and places[line.member].division == division)
            )
        ]
        return SeasonEvent(
            id=str(session.event),
            number=session.number,
            results=tuple(replace(line, chips=None) if self.is_mixed else line for line in lines),
            weight=session.weight,
        )


def read_league_inputs(league_id: UUID, *, fresh: bool = False) -> LeagueInputs:
    """Everything of one league; ``fresh``: from results and official versions alone.

    Raises League.DoesNotExist.
    """
    league = League.objects.select_related("club").get(pk=league_id)
    season = SeasonRules.from_data({"planned": league.planned or None, **league.season})
    roll = LeagueMember.objects.filter(league=league).order_by("joined_at", "id")
    who = LeagueMember.objects.filter(league=league).values_list(
        "player_id", "player__merged_into_id"
    )
    calendar = _sessions(league)
    not_held = (Status.PLANNED, Status.CANCELLED)
    sessions = [session for session in calendar if session.status not in not_held]
    events = [session.event for session in sessions]
    return LeagueInputs(
        league=league,
        season=season,
        roll=list(roll),
        sessions=sessions,
        planned=[session for session in calendar if session.status == Status.PLANNED],
        nights=_nights(events, fresh=fresh),
        survivors={player: survivor for player, survivor in who if survivor is not None},
        official=find_official_version(Scope.LEAGUE, league_id) if league.closed_at else None,
    )


def reread_league_inputs(before: LeagueInputs, games: Collection[UUID]) -> LeagueInputs | None:
    """Return the league with the events of some games taken again. Two queries.

    None where that is not enough to know: an event is not among those before.
    """
    events = set(TableGame.objects.filter(pk__in=games).values_list("event_id", flat=True))
    held = [event for event in before.nights if event in events]
    if len(held) < len(events):
        return None
    return replace(before, nights={**before.nights, **_nights(held)})


def _nights(events: Sequence[UUID], *, fresh: bool = False) -> dict[UUID, EventSummary]:
    known = _published_summaries(events, only_official=fresh)
    return {event: known.get(event) or _compute_summary(event) for event in events}


def _sessions(league: League) -> list[LeagueSession]:
    """The events of a league in their order. One query."""
    rows = LeagueEvent.objects.filter(league=league).order_by("number")
    clock = league.club.time_zone
    return [
        LeagueSession(event, number, exact(weight), division, str(day(starts_at, clock)), status)
        for event, number, weight, division, starts_at, status in rows.values_list(
            "event_id", "number", "weight", "division", "event__starts_at", "event__status"
        )
    ]


def _compute_summary(event: UUID) -> EventSummary:
    computed = compute_event(event)
    return summarize_event(computed.digest, computed.data)


def _published_summaries(
    events: Sequence[UUID], *, only_official: bool
) -> dict[UUID, EventSummary]:
    """Return summaries of events that are official, or published and not behind. Two queries."""
    counting = Q(version=F("published__official"))
    if not only_official:
        behind = Stale.objects.filter(scope=Scope.EVENT, subject=OuterRef("published__subject"))
        counting |= Q(
            ~Exists(behind),
            published__official=None,
            version=F("published__version"),
            program=PROGRAM,
        )
    rows = list(
        Snapshot.objects.filter(
            counting, published__scope=Scope.EVENT, published__subject__in=events
        ).values_list("published__subject", "digest", "id")
    )
    nights = find_summaries({digest: pk for _, digest, pk in rows})
    return {event: nights[digest] for event, digest, _ in rows}


recent: Final = RecentSubjects[LeagueInputs](most=4)
"""The leagues that this process computed last; a large one takes some 25 MB."""


def compute_league(
    league_id: UUID,
    *,
    fresh: bool = False,
    changed: ChangedGames | None = None,
    official: int | None = None,
) -> StandingsDocument:
    """The standings of a league. Raises League.DoesNotExist.

    ``fresh``: without anything that is remembered, or that was published and is not official.
    ``changed``: nothing but this is other than it was when the league was published.
    ``official``: the number of the official version that they are to be.
    """
    known = RememberedSubject[LeagueInputs]() if fresh else recent.recall(league_id)
    found = known.reread(changed, reread_league_inputs) or read_league_inputs(
        league_id, fresh=fresh
    )
    if official is not None:
        found = replace(found, official=OfficialVersion(official, None))
    known.found, known.inputs = found, digest_of(found.facts())
    made = partial(_document_of, found, known.parts, known.ranking)
    return StandingsDocument(known.inputs, made, known.blocks)


def rank_league(
    inputs: LeagueInputs,
    parts: Memo | None = None,
    ranked: Memo | None = None,
    *,
    history: bool = True,
) -> SeasonRanking:
    """The members in their order; the memos remember the last ranking of the same league.

    Without ``history`` it does not tell where everybody stood after each event.
    """
    parts = parts or Memo()
    parts.begin(inputs.setting())
    held = [(session, inputs.nights[session.event]) for session in inputs.sessions]
    events = [
        parts.part(
            ("event", session.event),
            (session, night.digest, inputs.is_mixed),
            partial(inputs.event, session),
        )
        for session, night in held
    ]
    played = [(session, night.players, night.members) for session, night in held]
    members = parts.part("members", played, inputs.members)
    return rank_season(
        events,
        members,
        inputs.season,
        ahead=inputs.ahead(),
        is_open=inputs.league.is_open,
        history=history and len(held) <= HISTORY_MAX,
        memo=ranked,
    )


def _document_of(inputs: LeagueInputs, parts: Memo, ranked: Memo) -> Fragment:
    """Rank a league, and write it down."""
    ranking = rank_league(inputs, parts, ranked)
    nights = [inputs.nights[session.event] for session in inputs.sessions]
    waiting = frozenset[str]().union(*(night.waiting for night in nights))
    plain: LeagueTable = {
        "scope": "league",
        "program": PROGRAM,
        "subject": str(inputs.league.pk),
        "low": inputs.season.low,
        "sessions": [
            {
                "event": str(session.event),
                "number": session.number,
                "weight": str(session.weight),
                "division": session.division,
                "digest": night.digest,
                **({"adjourned": list(night.adjourned)} if night.adjourned else {}),
            }
            for session, night in zip(inputs.sessions, nights, strict=True)
        ],
        "open": sorted(waiting),
    }
    rows = [
        parts.part(("row text", row.entry), (row,), partial(fragment_of, row.to_data))
        for row in ranking.rows
    ]
    return write_standings(
        {**plain, **ranking.about()},
        {"rows": Fragment.array(rows)},
        inputs.official,
        is_over=inputs.league.closed_at is not None,
    )
