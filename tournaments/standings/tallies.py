"""What every entry of an event came to: its games, boards and sit-outs, added up."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from engine.values import maker, quickly_made
from tournaments.standings.boards import board_values
from tournaments.standings.choices import Credit, Incomplete, SitOutCredit, Total
from tournaments.standings.exact import Exact, Json
from tournaments.standings.results import EVENT, Adjustment, BoardScore, Entry, SeatScore, SitOut
from tournaments.standings.results import TableScore as Table
from tournaments.standings.scales import Placed, Placing
from tournaments.standings.scoring import BY_BOARD, Scoring
from tournaments.standings.tables import Played, Valued, Valuer

_NOTHING: Final = Fraction(0)


class Status(StrEnum):
    """Why a contribution is worth what it is."""

    PLAYED = "played"
    FIXED = "fixed"
    """By the director."""
    SUBSTITUTE = "substitute"
    """A substitute sat there, and the entry gets fixed points."""
    CREDITED_AWAY = "credited away"
    """A substitute sat there, and the points are his."""
    INCOMPLETE = "incomplete"
    NOT_PLAYED = "not played"
    SIT_OUT = "sit-out"


@quickly_made
@dataclass(frozen=True, slots=True)
class Contribution:
    """One line of what a total is made of; ``value`` None counts nothing.

    ``table`` is the id of the game; ``board`` tells its boards apart; ``score`` is what was
    counted there.
    """

    table: str | None
    round: int
    status: Status
    value: Fraction | None
    score: Exact | None = None
    hands: int = 0
    place: int | None = None
    tied: int | None = None
    board: int | None = None

    def to_data(self) -> dict[str, Json]:
        """The line as JSON, without what it does not have."""
        data: dict[str, Json] = {
            "table": self.table,
            "round": self.round,
            "status": self.status.value,
            "value": None if self.value is None else str(self.value),
            "score": None if self.score is None else str(self.score),
            "hands": self.hands,
            "place": self.place,
            "tied": self.tied,
            "board": self.board,
        }
        return {name: value for name, value in data.items() if value is not None}


_contribution = maker(Contribution)


@dataclass(slots=True)
class Tally:
    """The sums of one entry. ``value`` is that of its games, ``credit`` that of its sit-outs."""

    entry: Entry
    lines: list[Contribution] = field(default_factory=list)
    value: Fraction = _NOTHING
    credit: Fraction = _NOTHING
    units: int = 0
    """Games, or boards where boards are scored; what an average is taken over."""
    weighed: Fraction = _NOTHING
    """What an average of a hand is taken of."""
    shares: Fraction = _NOTHING
    games: int = 0
    hands: int = 0
    clean: int = 0
    margin: Exact = 0
    best: Fraction | None = None
    worst: Fraction | None = None
    places: dict[Placed, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    rounds: dict[int, Fraction] = field(default_factory=dict)
    met: list[int] = field(default_factory=list)
    """The games that count, by their index among those of the field."""
    adjustments: list[Adjustment] = field(default_factory=list)

    def add(self, line: Contribution) -> None:
        """Count one line."""
        self.lines.append(line)
        if line.value is not None:
            known = self.rounds.get(line.round)
            self.rounds[line.round] = line.value if known is None else known + line.value

    def add_game(self, value: Fraction) -> None:
        """Count the value of a game or a board."""
        self.units += 1
        self.value += value
        if self.best is None or value > self.best:
            self.best = value
        if self.worst is None or value < self.worst:
            self.worst = value


class Game(NamedTuple):
    """Who met at a table in a game that counts, and where each ended."""

    entries: tuple[str, ...]
    placing: Placing


@dataclass(frozen=True, slots=True)
class Field:
    """All entries of an event with their sums, and the games that count."""

    scoring: Scoring
    tallies: Mapping[str, Tally]
    games: Sequence[Game]
    last_round: int


def tally(
    scoring: Scoring,
    entries: Iterable[Entry],
    tables: Sequence[Table],
    boards: Iterable[BoardScore],
    rest: tuple[Iterable[SitOut], Iterable[Adjustment]],
) -> Field:
    """Add everything up; whoever sat at a table takes part, listed or not."""
    sit_outs, adjustments = list(rest[0]), [one for one in rest[1] if not one.cancelled]
    boards = list(boards)
    known = _everybody(entries, tables, [*boards, *sit_outs])
    counter = _Counter(scoring, known, tables, adjustments)
    for table in sorted(tables, key=lambda table: (table.round, table.table, table.game, table.id)):
        counter.count_table(table)
    counter.count_boards(boards, {table.id: table.round for table in tables})
    counter.count_unplayed(sit_outs)
    for adjustment in adjustments:
        if adjustment.entry in known:
            counter.tallies[adjustment.entry].adjustments.append(adjustment)
    rounds = (line.round for one in counter.tallies.values() for line in one.lines)
    return Field(scoring, counter.tallies, counter.counted, max(rounds, default=0))


def _everybody(
    entries: Iterable[Entry], tables: Iterable[Table], others: Iterable[BoardScore | SitOut]
) -> dict[str, Entry]:
    known = {entry.id: entry for entry in entries}
    for table in tables:
        for seat in table.seats:
            if seat.entry not in known:
                known[seat.entry] = Entry(seat.entry)
            if seat.substitute is not None and seat.substitute not in known:
                known[seat.substitute] = Entry(seat.substitute, is_guest=True)
    for other in others:
        known.setdefault(other.entry, Entry(other.entry))
    return dict(sorted(known.items()))


@dataclass(slots=True)
class _Round:
    """What was scored in a round, to tell what a round is worth."""

    total: Fraction = _NOTHING
    values: int = 0
    entries: set[str] = field(default_factory=set)


class _Counter:
    """Counts tables, boards and sit-outs into tallies."""

    def __init__(
        self,
        scoring: Scoring,
        entries: Mapping[str, Entry],
        tables: Sequence[Table],
        adjustments: Sequence[Adjustment],
    ) -> None:
        self._scoring = scoring
        self.tallies = {name: Tally(entry) for name, entry in entries.items()}
        self.counted: list[Game] = []
        self._valuer = Valuer(scoring, entries, _shifts(adjustments))
        self._rounds: dict[int, _Round] = defaultdict(_Round)
        self._neutral: list[tuple[Tally, Table, SeatScore]] = []
        self._by_board = scoring.method in BY_BOARD
        self._by_hand = scoring.total is Total.HAND_AVERAGE

    def count_table(self, table: Table) -> None:
        valued = self._valuer.value(table)
        whole = valued.played is Played.WHOLE
        if whole:
            self.counted.append(Game(self._met(table), valued.placing))
        for number, seat in enumerate(table.seats):
            owner = self._owner(seat, table)
            if owner is None:
                continue
            if seat.fixed is not None:
                self._give(owner, table, seat, Fraction(seat.fixed), Status.FIXED)
            elif owner.entry.id == seat.entry and self._has_fixed_points(seat):
                points = self._scoring.substitute_points
                self._give(owner, table, seat, points, Status.SUBSTITUTE)
            elif whole:
                self._play(owner, valued, number)
            else:
                self._break_off(owner, valued, number)

    def _owner(self, seat: SeatScore, table: Table) -> Tally | None:
        """Whose the points are."""
        own = self.tallies[seat.entry]
        if seat.substitute is None or self._scoring.substitute_credit is not Credit.PERSON:
            return own
        own.add(_contribution(table.id, table.round, Status.CREDITED_AWAY, None, seat.score))
        return self.tallies[seat.substitute]

    def _met(self, table: Table) -> tuple[str, ...]:
        if self._scoring.substitute_credit is Credit.PERSON:
            return tuple([seat.substitute or seat.entry for seat in table.seats])
        return tuple([seat.entry for seat in table.seats])

    def _has_fixed_points(self, seat: SeatScore) -> bool:
        return seat.substitute is not None and self._scoring.substitute_credit is Credit.FIXED

    def _give(
        self, owner: Tally, table: Table, seat: SeatScore, value: Fraction, status: Status
    ) -> None:
        owner.add(_contribution(table.id, table.round, status, value, seat.score, seat.hands))
        owner.add_game(value)
        owner.games += 1
        owner.hands += max(0, seat.hands)
        self._weigh(owner, value, seat.hands)

    def _play(self, owner: Tally, valued: Valued, number: int) -> None:
        table, placed = valued.table, valued.placing[number]
        seat, found = table.seats[number], valued.values[number]
        value = None if found is None else Fraction(found)
        owner.add(
            _contribution(
                table.id,
                table.round,
                Status.PLAYED,
                value,
                seat.score,
                seat.hands,
                placed.place or None,
                placed.tied or None,
            )
        )
        owner.games += 1
        owner.hands += seat.hands
        owner.clean += seat.clean
        owner.margin += valued.margins[number]
        owner.met.append(len(self.counted) - 1)
        for weight, places in valued.parts:
            if places[number].place:
                owner.places[places[number]] += weight
        if value is not None:
            owner.add_game(value)
            self._weigh(owner, value, seat.hands)
            self._note(table.round, seat.entry, value)

    def _break_off(self, owner: Tally, valued: Valued, number: int) -> None:
        table, seat = valued.table, valued.table.seats[number]
        incomplete = valued.played is Played.INCOMPLETE
        status = Status.INCOMPLETE if incomplete else Status.NOT_PLAYED
        if incomplete and self._scoring.incomplete is Incomplete.NEUTRAL and not self._by_board:
            self._neutral.append((owner, table, seat))
            return
        found = valued.values[number] if incomplete and self._by_hand else None
        value = None if found is None else Fraction(found)
        owner.add(_contribution(table.id, table.round, status, value, seat.score, seat.hands))
        if value is not None:
            owner.games += 1
            owner.hands += seat.hands
            owner.add_game(value)
            self._weigh(owner, value, seat.hands)

    def _weigh(self, owner: Tally, value: Fraction, hands: int) -> None:
        if self._by_hand:
            owner.weighed += value if self._scoring.keeps_margins else value * max(0, hands)

    def _note(self, number: int, entry: str, value: Fraction) -> None:
        if self.tallies[entry].entry.is_house:
            return
        this = self._rounds[number]
        this.total += value
        this.values += 1
        this.entries.add(entry)

    def count_boards(self, boards: Iterable[BoardScore], rounds: Mapping[str, int]) -> None:
        found = sorted(
            board_values(boards, self._scoring),
            key=lambda one: (one.row.board, one.row.seat, one.row.table, one.row.entry),
        )
        for row, value, of_most in found:
            owner, number = self.tallies[row.entry], rounds.get(row.table, 0)
            owner.lines.append(
                Contribution(
                    row.table, number, Status.PLAYED, value, row.score, hands=1, board=row.board
                )
            )
            owner.rounds[number] = owner.rounds.get(number, _NOTHING) + value
            owner.add_game(value)
            owner.shares += of_most or _NOTHING
            self._note(number, row.entry, value)

    def count_unplayed(self, sit_outs: Iterable[SitOut]) -> None:
        """Broken-off games and sit-outs, once it is known what their rounds were worth."""
        for owner, table, seat in self._neutral:
            value = self._worth(table.round, each_game=True)
            owner.add(_contribution(table.id, table.round, Status.INCOMPLETE, value, seat.score))
            owner.credit += value
        owns = {name: _own(one) for name, one in self.tallies.items()}
        for sit_out in sorted(set(sit_outs), key=lambda one: (one.entry, one.round)):
            self._sit_out(sit_out, owns[sit_out.entry])

    def _sit_out(self, sit_out: SitOut, own: Fraction | None) -> None:
        owner, credit = self.tallies[sit_out.entry], self._scoring.sit_out_credit
        value = self._worth(sit_out.round, each_game=False)
        if credit is SitOutCredit.OWN and own is not None:
            value = own
        if credit in (SitOutCredit.FIXED, SitOutCredit.ZERO):
            fixed = credit is SitOutCredit.FIXED
            value = self._scoring.sit_out_points if fixed else _NOTHING
            owner.units += 1
            owner.value += value
            owner.shares += value
        else:
            owner.credit += value
        owner.add(_contribution(None, sit_out.round, Status.SIT_OUT, value))

    def _worth(self, number: int, *, each_game: bool) -> Fraction:
        """The mean of a round; of all rounds where nothing was scored in it."""
        found = [self._rounds[number]] if number in self._rounds else [*self._rounds.values()]
        total = sum((one.total for one in found), _NOTHING)
        count = sum(one.values if each_game else len(one.entries) for one in found)
        return total / count if count else _NOTHING


def _shifts(adjustments: Iterable[Adjustment]) -> dict[tuple[str, str], Fraction]:
    shifts: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for one in adjustments:
        if moves_places(one):
            shifts[one.scope, one.entry] += one.amount
    return dict(shifts)


def moves_places(adjustment: Adjustment) -> bool:
    """Whether an adjustment is counted at its table rather than in the total."""
    return adjustment.affects_place and adjustment.scope != EVENT


def _own(one: Tally) -> Fraction | None:
    """The average of a round that was played."""
    rounds = len({line.round for line in one.lines if line.value is not None})
    return one.value / rounds if rounds else None


def rounds_of(one: Tally) -> Iterator[tuple[int, Fraction]]:
    """What each round brought, in order."""
    return iter(sorted(one.rounds.items()))
