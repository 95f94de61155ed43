"""The standings of an event, down to its games.

A worker remembers the events that it computed. After a hand it reads the rows of that game alone
(`event_inputs.reread_event_inputs`), and works out again only what these change (`standings.memo`).
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal, TypedDict
from uuid import UUID

from tournaments.core.time_zones import day
from tournaments.models import EntryStanding, Status
from tournaments.publishing.adjourned import AdjournedData
from tournaments.publishing.documents import (
    ChangedGames,
    StandingsDocument,
    append_rated_digest,
    digest_of,
)
from tournaments.publishing.event_inputs import (
    CLOSED,
    EventInputs,
    PlayedTable,
    adjustments,
    boards,
    entrants,
    read_event_inputs,
    reread_event_inputs,
    round_sit_outs,
    tables,
)
from tournaments.publishing.event_summaries import RANKED_GUEST
from tournaments.publishing.official_versions import OfficialVersion, write_standings
from tournaments.publishing.recent_subjects import RecentSubjects, RememberedSubject
from tournaments.publishing.seat_decisions import HeldDecision, HeldDecisions
from tournaments.standings import rank_event, rank_teams
from tournaments.standings.exact import Fragment
from tournaments.standings.memo import Memo
from tournaments.standings.program import PROGRAM
from tournaments.standings.results import SeatScore, TableScore
from tournaments.standings.rows import EventRowData
from tournaments.standings.teams import TeamData


class UpTo(TypedDict, total=False):
    """The part of an event that is in its standings."""

    round: int
    games: int
    hands: int


class RoundStage(TypedDict, total=False):
    """A round and its stage."""

    round: int
    stage: str


class RankedEntryData(TypedDict, total=False):
    """The identity of an entry; ``open``: something that touches it has still to be decided."""

    player: str
    number: int
    guest: bool
    house: bool
    open: bool
    ranked_guest: bool


class ScoredSeat(TypedDict, total=False):
    """A seat of a game; ``decision`` is the id of one on it."""

    entry: str
    score: str
    substitute: str | None
    decision: str


class ScoredGame(TypedDict, total=False):
    """A game that is in the standings."""

    game: str
    round: int
    table: int
    number: int
    phase: str
    open: bool
    hands: int
    seats: list[ScoredSeat]


class EventTable(TypedDict, total=False):
    """The standings of an event as they were published; empty as long as none were."""

    scope: Literal["event"]
    program: str
    subject: str
    status: str
    low: bool
    up_to: UpTo
    rounds: list[RoundStage]
    teams: list[TeamData]
    unit: str
    keys: list[str]
    cut_order: list[str]
    scoring: str
    results_only: bool
    rows: list[EventRowData]
    house: list[EventRowData]
    entries: dict[str, RankedEntryData]
    games: list[ScoredGame]
    adjourned: list[AdjournedData]


recent: Final = RecentSubjects[EventInputs](most=32)
"""The events that this process computed last."""


def compute_event(
    event_id: UUID,
    *,
    fresh: bool = False,
    changed: ChangedGames | None = None,
    official: int | None = None,
) -> StandingsDocument:
    """Compute the standings of an event from its rows. Raises Event.DoesNotExist.

    ``fresh``: ignore the cache of this process. ``changed``: the only games that changed since the
    event was published, if the caller knows them. ``official``: the number of the official
    version that they are to be.
    """
    known = RememberedSubject[EventInputs]() if fresh else recent.recall(event_id)
    found = known.reread(changed, reread_event_inputs)
    if found is None:
        found = read_event_inputs(event_id)
        if official is not None:
            found = replace(found, official=OfficialVersion(official, None))
        known.setting = digest_of(found.setting())
    scored = tables(found, known.parts)
    known.found, known.inputs = found, _inputs_of(found, known)
    made = partial(_document_of, found, scored, known.ranking)
    return StandingsDocument(known.inputs, made, known.blocks)


def rank_event_inputs(inputs: EventInputs) -> EventTable:
    """Rank an event from its inputs, without any cache."""
    table: EventTable = _document_of(inputs, tables(inputs, Memo()), Memo()).data
    return table


def _inputs_of(found: EventInputs, known: RememberedSubject[EventInputs]) -> str:
    """The digest of everything that the standings come from."""
    part = known.parts.part
    games = [
        part(("facts", at), (game,), partial(repr, game)) for at, game in enumerate(found.games)
    ]
    is_rated = found.event.rated
    rated = [
        text
        for game, text in zip(found.games, games, strict=True)
        if is_rated and game.phase in CLOSED
    ]
    who = [(entry.player, entry.is_guest) for entry in found.entries]
    event = found.event
    night = str(day(event.starts_at, event.club.time_zone))
    left = sorted(found.decisions.forfeits())
    inputs = digest_of((known.setting, *games))
    return append_rated_digest(inputs, digest_of((night, who, rated, left)) if rated else "")


def _document_of(inputs: EventInputs, scored: Sequence[TableScore], memo: Memo) -> Fragment:
    """Rank an event, and write it down."""
    ranking = rank_event(
        scored,
        entrants(inputs),
        inputs.scoring,
        adjustments=adjustments(inputs),
        boards=boards(inputs),
        sit_outs=round_sit_outs(inputs),
        recorded=inputs.recorded,
        memo=memo,
    )
    touched, ranked = _undecided_entries(inputs), inputs.ranks_guests
    teams = rank_teams(ranking, inputs.scoring, inputs.event.team_best)
    rows, house = (
        [
            memo.part(("row text", row.entry), (row,), partial(fragment_of, row.to_data))
            for row in rows
        ]
        for rows in (ranking.rows, ranking.house)
    )
    plain: EventTable = {
        "scope": "event",
        "program": PROGRAM,
        "subject": str(inputs.event.pk),
        "low": inputs.scoring.low,
        "up_to": _up_to(inputs),
        "rounds": [{"round": number, "stage": stage} for number, stage in inputs.rounds],
        "teams": [team.to_data() for team in teams],
    }
    if inputs.event.is_results_only:
        plain["results_only"] = True
    if adjourned := inputs.adjourned_tables():
        plain["adjourned"] = [table.to_data() for table in adjourned]
    parts = {
        "rows": Fragment.array(rows),
        "house": Fragment.array(house),
        "entries": memo.part(
            "entries", (inputs.entries, touched, ranked), partial(_entries, inputs, touched)
        ),
        "games": _games(inputs, scored, memo),
    }
    is_over = inputs.event.status == Status.OFFICIAL
    return write_standings({**plain, **ranking.about()}, parts, inputs.official, is_over=is_over)


def fragment_of(make: Callable[[], object]) -> Fragment:
    """Make a part of standings, and its text."""
    return Fragment.of(make())


def _up_to(inputs: EventInputs) -> UpTo:
    """Return the part of the event that is in it."""
    return {
        "round": max((game.round for game in inputs.games if game.hands), default=0),
        "games": len(inputs.games),
        "hands": sum(game.hands for game in inputs.games),
    }


def _entries(inputs: EventInputs, touched: Container[UUID]) -> Fragment:
    """Return each entry's identity, and whether something that touches it is undecided."""
    ranked = inputs.ranks_guests
    return Fragment.of(
        {
            str(entry.id): {
                "player": str(entry.player),
                "number": entry.number,
                "guest": entry.is_guest,
                "house": entry.standing == EntryStanding.HOUSE,
                "open": entry.id in touched,
                # Leagues ask it of guests who are ranked; of others the kind of their row tells.
                **(
                    {RANKED_GUEST: True} if ranked and entry.standing == EntryStanding.GUEST else {}
                ),
            }
            for entry in inputs.entries
        }
    )


def _undecided_entries(inputs: EventInputs) -> set[UUID]:
    undecided = (game for game in inputs.games if game.is_open)
    return {entry for game in undecided for entry in inputs.seats[game.round, game.table].values()}


def _games(inputs: EventInputs, scored: Sequence[TableScore], memo: Memo) -> Fragment:
    held = inputs.decisions.held
    return Fragment.array(
        [
            memo.part(
                ("game", at),
                (game, table.seats, held),
                partial(fragment_of, partial(_game, game, table.seats, inputs.decisions)),
            )
            for at, (game, table) in enumerate(zip(inputs.games, scored, strict=True))
        ]
    )


def _game(game: PlayedTable, seats: tuple[SeatScore, ...], decisions: HeldDecisions) -> ScoredGame:
    return {
        "game": str(game.id),
        "round": game.round,
        "table": game.table,
        "number": game.number,
        "phase": game.phase,
        "open": game.is_open,
        "hands": game.hands,
        "seats": [_seat(seat, decisions.of(game.id, UUID(seat.entry))) for seat in seats],
    }


def _seat(seat: SeatScore, decision: HeldDecision | None) -> ScoredSeat:
    """A seat of a game; the id of a decision on it stands for its reason."""
    found: ScoredSeat = {
        "entry": seat.entry,
        "score": str(seat.score),
        "substitute": seat.substitute,
    }
    return found if decision is None else {**found, "decision": str(decision.id)}
