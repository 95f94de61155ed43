"""Read the rows of an event as the plain values that standings are computed from.

A constant number of queries; hands are added up by the database, seat by seat. After a hand only
the rows of its game are read again (`reread_event_inputs`).
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property, partial
from typing import Final, NamedTuple
from uuid import UUID

from tournaments.core.time_zones import day
from tournaments.models import (
    UNFINISHED,
    Adjustment,
    Entry,
    EntryStanding,
    Event,
    PlayerKind,
    Presence,
    RecordedResult,
    Result,
    Round,
    RuleSet,
    Scope,
    SitOut,
    Stage,
    Status,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.publishing.adjourned import AdjournedTable
from tournaments.publishing.deals import find_table_deals, find_verdicts, fits
from tournaments.publishing.event_summaries import RANKED_GUEST
from tournaments.publishing.official_versions import OfficialVersion, find_official_version
from tournaments.publishing.seat_decisions import (
    HeldDecisions,
    apply_decisions,
    decisions_of,
)
from tournaments.publishing.seat_sums import SeatSum, find_seat_sums, find_seat_sums_of_games
from tournaments.standings import (
    BoardScore,
    Direction,
    Entrant,
    RecordedScore,
    ScoringRules,
    SeatScore,
    TableScore,
)
from tournaments.standings import RoundSitOut as SatOut
from tournaments.standings import ScoreAdjustment as Added
from tournaments.standings.memo import Memo
from tournaments.standings.results import EVENT
from tournaments.standings.settings import exact

CLOSED: Final = ("closed", "official")
"""The phases of a game whose hands are all in."""


@dataclass(frozen=True, kw_only=True)
class PlayedTable:
    """A game at a table of an event; ``number`` tells several at one table apart."""

    id: UUID
    round: int
    table: int
    number: int
    phase: str
    is_open: bool
    low: bool
    seats: tuple[SeatSum, ...]

    @cached_property
    def hands(self) -> int:
        """Count the hands that gave results."""
        found: dict[int, int] = defaultdict(int)
        for seat in self.seats:
            found[seat.seat] += seat.hands
        return max(found.values(), default=0)


class ListedEntry(NamedTuple):
    """An entry: who it is, once duplicates are seen through, and how it counts."""

    id: UUID
    number: int
    player: UUID
    standing: str
    is_guest: bool
    withdrawn: bool
    handicap: Fraction
    team: str
    lot: str = ""


class BoardResult(NamedTuple):
    """A seat's score with a prepared deal; None where its table did not play it."""

    game: UUID
    seat: int
    board: int
    to_dealer: int
    score: int | None


class EntryAdjustment(NamedTuple):
    """An adjustment of an entry's score."""

    id: UUID
    entry: UUID
    amount: Fraction
    round: int | None
    affects_place: bool
    cancelled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventInputs:
    """All that the standings of an event come from, in an order of its own."""

    event: Event
    scoring: ScoringRules
    entries: Sequence[ListedEntry]
    seats: Mapping[tuple[int, int], Mapping[int, UUID]]
    """Entries by seat, by round and table."""
    games: Sequence[PlayedTable]
    boards: Sequence[BoardResult]
    adjustments: Sequence[EntryAdjustment]
    sit_outs: Sequence[tuple[UUID, int]]
    rounds: Sequence[tuple[int, str]]
    decisions: HeldDecisions
    official: OfficialVersion | None = None
    recorded: Sequence[RecordedScore] = ()
    is_mixed: bool = False
    """Rounds are played by several systems, whose chips and points have no common unit."""
    finish_dates: Mapping[tuple[int, int], date | None] = field(default_factory=dict)
    """Days on which tables are to be finished, by round and table, of those that were adjourned."""

    def adjourned_tables(self) -> list[AdjournedTable]:
        """Return the tables that are adjourned now: their games are not closed."""
        unfinished = {(game.round, game.table) for game in self.games if game.phase in UNFINISHED}
        return [
            AdjournedTable(*at, day)
            for at, day in sorted(self.finish_dates.items())
            if at in unfinished
        ]

    def setting(self) -> tuple[object, ...]:
        """All of it but the games: the same of both, the same standings."""
        event = self.event
        seats = [(place, sorted(held.items())) for place, held in sorted(self.seats.items())]
        return (
            event.pk,
            event.status,
            event.hands,
            str(day(event.starts_at, event.club.time_zone)),
            self.scoring.digest,
            self.entries,
            seats,
            self.boards,
            self.adjustments,
            self.sit_outs,
            self.rounds,
            *self.decisions.facts(),
            *([RANKED_GUEST] if self.ranks_guests else []),
            *([] if self.official is None else [self.official.version]),
            *([self.recorded] if event.is_results_only else []),
            *(["mixed"] if self.is_mixed else []),
            *(["adjourned", sorted(self.finish_dates.items())] if self.finish_dates else []),
        )

    @property
    def ranks_guests(self) -> bool:
        """Whether there are guests who are ranked like members."""
        guests = (entry.standing == EntryStanding.GUEST for entry in self.entries)
        return self.event.rank_guests and any(guests)


def read_event_inputs(event_id: UUID) -> EventInputs:
    """Read the inputs of an event. Ten queries, one more for forfeits, at most three for boards.

    And one more for the version of an official event that holds, for results on record, or where
    rounds have house rules of their own.

    Raises Event.DoesNotExist.
    """
    event = Event.objects.select_related("club").get(pk=event_id)
    places, finish_dates = _seats(event_id)
    games = _games(event_id, {table: at for at, (table, _) in places.items()})
    entries = _entries(event_id)
    seats = {
        (game.id, entry): seat
        for game in games
        for seat, entry in places[game.round, game.table][1].items()
    }
    decisions = apply_decisions(
        decisions_of(event_id), seats, {entry.id: entry.player for entry in entries}
    )
    boards = _boards(event, decisions, seats) if event.duplicate else []
    is_official = event.status == Status.OFFICIAL
    return EventInputs(
        event=event,
        scoring=_scoring(event, games),
        entries=entries,
        seats={at: held for at, (_, held) in places.items()},
        games=games,
        boards=sorted(
            [*boards, *_unplayed_boards(event, boards, games, decisions, seats, finish_dates)]
        ),
        adjustments=_adjustments(event_id),
        sit_outs=sorted(
            SitOut.objects.filter(round__event=event_id)
            .exclude(round__stage=Stage.DRAWN)
            .values_list("entry_id", "round__number")
        ),
        rounds=list(
            Round.objects.filter(event=event_id)
            .exclude(stage=Stage.DRAWN)
            .order_by("number")
            .values_list("number", "stage")
        ),
        decisions=decisions,
        official=find_official_version(Scope.EVENT, event_id) if is_official else None,
        recorded=_recorded(event_id) if event.is_results_only else [],
        is_mixed=_is_mixed(event, games),
        finish_dates=finish_dates,
    )


def reread_event_inputs(before: EventInputs, games: Collection[UUID]) -> EventInputs | None:
    """Return the inputs with hands and phases of some games reread. One query.

    None where that is not enough to know: a game is not among those before, or it counts together
    with others, by prepared deals or by what the director decided of seats.
    """
    if before.event.duplicate or before.decisions.held:
        return None
    stands = find_seat_sums_of_games(before.event.pk, games)
    found = [
        replace(game, **stands.pop(game.id)._asdict()) if game.id in games else game
        for game in before.games
        if game.id not in games or game.id in stands
    ]
    if stands or len(found) < len(before.games):
        return None
    return replace(before, games=found)


def _scoring(event: Event, games: Iterable[PlayedTable]) -> ScoringRules:
    """An event's scoring; by nature it goes by what its games count, chips or penalty points.

    Where they differ in that, each table goes by its own (`ways_of_tables`).
    """
    scoring = ScoringRules.from_data(event.scoring)
    if not scoring.lot_seed:
        scoring = replace(scoring, lot_seed=event.seed)
    if scoring.par is None:
        scoring = replace(scoring, par=event.hands or None)
    ways = {game.low for game in games}
    if scoring.direction is Direction.NATURAL and len(ways) == 1:
        way = Direction.LOW if True in ways else Direction.HIGH
        scoring = replace(scoring, direction=way)
    return scoring


def _is_mixed(event: Event, games: Iterable[PlayedTable]) -> bool:
    """Whether the rounds are played by several systems (`tournaments.events.round_rules`)."""
    ids = event.round_rules.values()
    if not ids:
        return False
    presets = RuleSet.objects.filter(pk__in=[event.rule_set_id, *ids]).values_list("preset")
    return len(set(presets)) > 1 or len({game.low for game in games}) > 1


def ways_of_tables(inputs: EventInputs) -> dict[UUID, bool]:
    """By game, whether the lowest score is best there; empty where the scoring says it for all."""
    ways = {game.low for game in inputs.games}
    if inputs.scoring.direction is not Direction.NATURAL or len(ways) < 2:
        return {}
    return {game.id: game.low for game in inputs.games}


def _entries(event_id: UUID) -> list[ListedEntry]:
    rows = Entry.objects.filter(event=event_id).order_by("number", "id").values_list(
        "id", "number", "player_id", "player__merged_into_id", "standing", "presence",
        "handicap", "team", "player__kind", "player__merged_into__kind", "lot",
    )  # fmt: skip
    return [
        ListedEntry(
            id=pk,
            number=number,
            player=survivor or player,
            standing=standing,
            is_guest=standing != EntryStanding.PLAYER or (turned or kind) == PlayerKind.GUEST,
            withdrawn=presence == Presence.WITHDRAWN,
            handicap=exact(handicap) if handicap else Fraction(0),
            team=team,
            lot=lot,
        )
        for pk, number, player, survivor, standing, presence, handicap, team, kind, turned, lot in (
            rows
        )
    ]


Places = dict[tuple[int, int], tuple[UUID, dict[int, UUID]]]


def _seats(event_id: UUID) -> tuple[Places, dict[tuple[int, int], date | None]]:
    """Tables by round and number: their ids, and whose each seat is; and days of adjourned ones."""
    found: Places = {}
    finish_dates: dict[tuple[int, int], date | None] = {}
    begun = TableSeat.objects.filter(round__event=event_id).exclude(round__stage=Stage.DRAWN)
    rows = begun.values_list(
        *("round__number", "table__number", "table_id", "seat", "entry_id"),
        *("table__adjourned_at", "table__finish_on"),
    )
    for number, table, table_id, seat, entry, adjourned_at, finish_on in rows:
        found.setdefault((number, table), (table_id, {}))[1][seat] = entry
        if adjourned_at is not None:
            finish_dates[number, table] = finish_on
    return found, finish_dates


def _games(event_id: UUID, places: Mapping[UUID, tuple[int, int]]) -> list[PlayedTable]:
    seats = find_seat_sums(event_id)
    rows = TableGame.objects.filter(event=event_id).values_list(
        "id", "table_id", "phase", "is_open", "low", "opened_at"
    )
    found, numbers = [], defaultdict[UUID, int](int)
    for pk, table, phase, is_open, low, _ in sorted(rows, key=lambda row: (row[5], row[0])):
        if table not in places:
            continue
        numbers[table] += 1
        found.append(
            PlayedTable(
                id=pk,
                round=places[table][0],
                table=places[table][1],
                number=numbers[table],
                phase=phase,
                is_open=is_open,
                low=low,
                seats=seats.get(pk, ()),
            )
        )
    return sorted(found, key=lambda game: (game.round, game.table, game.number))


def _boards(
    event: Event, decisions: HeldDecisions, seats: Mapping[tuple[UUID, UUID], int]
) -> list[BoardResult]:
    """Return the scores with prepared deals; who left early has what they played themselves.

    A hand with other cards counts as the director decided; until then for no board (DEC-15).
    """
    rows = Result.objects.filter(game__event=event, board__isnull=False)
    columns = ("game_id", "seat", "board", "to_dealer", "score", "number", "dealt", "fits")
    deals, verdicts = find_table_deals(event.pk), find_verdicts(event.pk)
    entries = {(game, seat): entry for (game, entry), seat in seats.items()}
    found = []
    for game, seat, board, to_dealer, score, number, dealt, stored, size in rows.values_list(
        *columns, "game__size"
    ):
        place: tuple[int, int] | None = (board, to_dealer)
        if stored is False or fits(deals, board, dealt) is False:
            verdict = verdicts.get((game, number))
            place = None if verdict is None else verdict.place(board, to_dealer, size)
        if place is not None and (
            (game, seat) not in entries or decisions.counts(game, entries[game, seat], number)
        ):
            found.append(BoardResult(game, seat, *place, score))
    return sorted(found)


def _unplayed_boards(
    event: Event,
    played: Sequence[BoardResult],
    games: Sequence[PlayedTable],
    decisions: HeldDecisions,
    seats: Mapping[tuple[UUID, UUID], int],
    finish_dates: Container[tuple[int, int]],
) -> Iterator[BoardResult]:
    """The boards of closed rounds that a table did not play, seat by seat. One query.

    Whoever left early misses their own boards, and a board that no table played is no board. An
    adjourned table may still play its own.
    """
    if not played:
        return
    dealers = {one.board: (one.seat, one.to_dealer) for one in played}
    done = {(one.game, one.board) for one in played}
    closed = Table.objects.filter(round__event=event, round__stage=Stage.CLOSED)
    tables = closed.values_list("round__number", "number", "boards", "size")
    found = {(row, number): (boards, size) for row, number, boards, size in tables}
    games_at: dict[tuple[int, int], list[UUID]] = defaultdict(list)
    for game in games:
        if (game.round, game.table) in finish_dates and game.phase in UNFINISHED:
            found.pop((game.round, game.table), None)
        games_at[game.round, game.table].append(game.id)
    for place, here in games_at.items():
        boards, size = found.get(place, ((), 0))
        missed = [
            board
            for board in boards
            if board in dealers and not any((one, board) in done for one in here)
        ]
        if not missed:
            continue
        last = here[-1]
        for (which, entry), seat in seats.items():
            if which == last and decisions.of(last, entry) is None:
                for board in missed:
                    there, to_dealer = dealers[board]
                    yield BoardResult(last, seat, board, (seat - there + to_dealer) % size, None)


def _adjustments(event_id: UUID) -> list[EntryAdjustment]:
    rows = Adjustment.objects.filter(entry__event=event_id).values_list(
        "id", "entry_id", "amount", "round", "affects_place", "cancelled_at"
    )
    return [
        EntryAdjustment(pk, entry, exact(amount), number, affects, cancelled is not None)
        for pk, entry, amount, number, affects, cancelled in sorted(rows, key=lambda row: row[0])
    ]


def _recorded(event_id: UUID) -> list[RecordedScore]:
    rows = RecordedResult.objects.filter(entry__event=event_id).order_by("entry__number")
    return [
        RecordedScore(str(entry), exact(points) if points else None, place, games)
        for entry, points, place, games in rows.values_list("entry", "points", "place", "games")
    ]


def entrants(inputs: EventInputs) -> list[Entrant]:
    """The entries as standings know them; nobody's name among them."""
    return [
        Entrant(
            id=str(entry.id),
            is_guest=entry.standing == EntryStanding.GUEST and not inputs.event.rank_guests,
            is_house=entry.standing == EntryStanding.HOUSE,
            handicap=entry.handicap,
            team=entry.team or None,
            withdrawn=entry.withdrawn,
            lot=entry.lot,
        )
        for entry in inputs.entries
    ]


def tables(inputs: EventInputs, memo: Memo) -> list[TableScore]:
    """The games as standings know them; a seat that was never played in had nothing."""
    players = {entry.id: entry.player for entry in inputs.entries}
    ids = {entry.player: str(entry.id) for entry in reversed(inputs.entries)}
    ways = ways_of_tables(inputs)

    def table(game: PlayedTable) -> TableScore:
        held = inputs.seats[game.round, game.table]
        seats = tuple(
            inputs.decisions.scored(
                game.id,
                entry,
                _seat_score(entry, [one for one in game.seats if one.seat == seat], players, ids),
            )
            for seat, entry in sorted(held.items())
        )
        return TableScore(
            id=str(game.id),
            round=game.round,
            table=game.table,
            game=game.number,
            hands=inputs.decisions.hands_of(game.id, game.hands, inputs.event.hands),
            seats=seats,
            planned=inputs.event.hands or None,
            low=ways.get(game.id),
            is_mixed=inputs.is_mixed,
        )

    way = bool(ways), inputs.is_mixed
    memo.begin((inputs.event.hands, inputs.entries, inputs.seats, inputs.decisions, *way))
    return [
        memo.part(("table", at), (game,), partial(table, game))
        for at, game in enumerate(inputs.games)
    ]


def _seat_score(
    entry: UUID, seats: Sequence[SeatSum], players: Mapping[UUID, UUID], ids: Mapping[UUID, str]
) -> SeatScore:
    """Return a seat's score; whoever played more of it than its own player is their substitute."""
    own = players[entry]
    mine = sum(seat.hands for seat in seats if seat.player == own)
    others = [seat for seat in seats if seat.player != own and seat.hands > mine]
    other = max(others, key=lambda one: (one.hands, str(one.player)), default=None)
    return SeatScore(
        entry=str(entry),
        score=sum(seat.score for seat in seats),
        hands=sum(seat.hands for seat in seats),
        clean=sum(seat.clean for seat in seats),
        substitute=None if other is None else ids.get(other.player, str(other.player)),
    )


def boards(inputs: EventInputs) -> list[BoardScore]:
    """Return scores with prepared deals, by the seat counted from the dealer."""
    places = {game.id: (game.round, game.table) for game in inputs.games}
    ways = ways_of_tables(inputs)
    made = []
    for board in inputs.boards:
        if board.game in places:
            entry = inputs.seats[places[board.game]].get(board.seat)
            if entry is not None:
                made.append(
                    BoardScore(
                        board=board.board,
                        seat=board.to_dealer,
                        table=str(board.game),
                        entry=str(entry),
                        score=board.score,
                        low=ways.get(board.game),
                    )
                )
    return made


def adjustments(inputs: EventInputs) -> list[Added]:
    """Return the director's decisions. A reason is its id: words stay out of snapshots."""
    first: dict[tuple[UUID, int], str] = {}
    for game in inputs.games if inputs.adjustments else ():
        for entry in inputs.seats[game.round, game.table].values():
            first.setdefault((entry, game.round), str(game.id))
    return [
        Added(
            entry=str(adjustment.entry),
            amount=adjustment.amount,
            scope=EVENT
            if adjustment.round is None
            else first.get((adjustment.entry, adjustment.round), EVENT),
            affects_place=adjustment.affects_place,
            reason=str(adjustment.id),
            cancelled=adjustment.cancelled,
        )
        for adjustment in inputs.adjustments
    ]


def round_sit_outs(inputs: EventInputs) -> list[SatOut]:
    """Rounds that entries did not play because of the numbers."""
    return [SatOut(str(entry), number) for entry, number in inputs.sit_outs]
