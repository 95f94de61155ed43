"""Sums of every entry of an event: its games, boards and sit-outs, added up."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from tournaments.standings.boards import board_values
from tournaments.standings.choices import Credit, Incomplete, Method, SitOutCredit, Total
from tournaments.standings.contributions import Contribution, ContributionStatus, contribution
from tournaments.standings.exact import Exact, plain
from tournaments.standings.memo import Memo
from tournaments.standings.results import (
    EVENT,
    BoardScore,
    Entrant,
    RecordedScore,
    RoundSitOut,
    ScoreAdjustment,
    SeatScore,
)
from tournaments.standings.results import TableScore as Table
from tournaments.standings.scales import Placing, SharedPlace, linear, placing, share
from tournaments.standings.scoring import BY_BOARD, ScoringRules
from tournaments.standings.tables import GameExtent, Valued, Valuer, left_early

_NOTHING: Final = Fraction(0)


@dataclass(slots=True)
class EntryTally:
    """The sums of one entry. ``value`` is that of its games, ``credit`` that of its sit-outs."""

    entry: Entrant
    lines: list[Contribution] = field(default_factory=list)
    value: Exact = 0
    credit: Exact = 0
    units: int = 0
    """Games, or boards where boards are scored; what an average is taken over."""
    weighed: Exact = 0
    """What an average of a hand is taken of."""
    shares: Fraction = _NOTHING
    games: int = 0
    hands: int = 0
    missed: int = 0
    """Hands that were not played, and count all the same: a forfeit covers them."""
    clean: int = 0
    margin: Exact = 0
    best: Exact | None = None
    worst: Exact | None = None
    places: dict[SharedPlace, Exact] = field(default_factory=lambda: defaultdict(int))
    rounds: dict[int, Exact] = field(default_factory=dict)
    met: list[int] = field(default_factory=list)
    """The games that count, by the places of their tables among those of the field."""
    broken_off: list[tuple[Table, SeatScore]] = field(default_factory=list)
    """Games that are worth what their rounds are, which is known when all are counted."""
    adjustments: Sequence[ScoreAdjustment] = ()
    place: int | None = None
    """The place that was written down, where no games are on record."""

    def add(self, line: Contribution) -> None:
        """Count one line."""
        self.lines.append(line)
        if line.value is not None:
            known = self.rounds.get(line.round)
            self.rounds[line.round] = line.value if known is None else known + line.value

    def add_game(self, value: Exact) -> None:
        """Count the value of a game or a board."""
        self.units += 1
        self.value += value
        if self.best is None or value > self.best:
            self.best = value
        if self.worst is None or value < self.worst:
            self.worst = value


class CountedGame(NamedTuple):
    """A game that counts: who met at the table, and where each ended."""

    entries: tuple[str, ...]
    placing: Placing


class Seated(NamedTuple):
    """A seat that somebody had; ``at`` is the place of its table among all in their order."""

    at: int
    valued: Valued
    seat: int


@dataclass(frozen=True, slots=True)
class EventTallies:
    """All entries of an event with their sums, and the games that count by their tables' places.

    ``is_mixed``: its games are of several systems, whose chips and points have no common unit.
    """

    scoring: ScoringRules
    tallies: Mapping[str, EntryTally]
    games: Mapping[int, CountedGame]
    last_round: int
    is_mixed: bool


class Unseated(NamedTuple):
    """The parts of an event beside its tables."""

    boards: Iterable[BoardScore] = ()
    sit_outs: Iterable[RoundSitOut] = ()
    adjustments: Iterable[ScoreAdjustment] = ()
    recorded: Iterable[RecordedScore] = ()


def tally(
    scoring: ScoringRules,
    entries: Iterable[Entrant],
    tables: Sequence[Table],
    rest: Unseated,
    memo: Memo,
) -> EventTallies:
    """Add everything up; whoever sat at a table takes part, listed or not.

    A substitute who is nowhere an entry is a guest.
    """
    boards, sit_outs, recorded = list(rest.boards), list(rest.sit_outs), list(rest.recorded)
    adjustments = [adjustment for adjustment in rest.adjustments if not adjustment.cancelled]
    known = _everybody(entries, tables, [*boards, *sit_outs, *recorded])
    memo.begin((scoring, known, adjustments))
    counter = _Counter(scoring, known, adjustments, memo)
    counter.count_tables(
        sorted(tables, key=lambda table: (table.round, table.table, table.game, table.id))
    )
    counter.count_boards(boards, {table.id: table.round for table in tables})
    counter.count_unplayed(sit_outs)
    counter.count_recorded(recorded)
    rounds = (line.round for tally in counter.tallies.values() for line in tally.lines)
    last, is_mixed = max(rounds, default=0), any(table.is_mixed for table in tables)
    return EventTallies(scoring, counter.tallies, counter.counted, last, is_mixed)


def _everybody(
    entries: Iterable[Entrant],
    tables: Iterable[Table],
    others: Iterable[BoardScore | RoundSitOut | RecordedScore],
) -> dict[str, Entrant]:
    known = {entry.id: entry for entry in entries}
    seats = [seat for table in tables for seat in table.seats]
    for name in {one.entry for one in (*seats, *others)} - set(known):
        known[name] = Entrant(name)
    for name in {seat.substitute for seat in seats if seat.substitute} - set(known):
        known[name] = Entrant(name, is_guest=True)
    return dict(sorted(known.items()))


@dataclass(slots=True)
class _Round:
    """Scores in a round, to tell what a round is worth."""

    total: Exact = 0
    values: int = 0
    entries: set[str] = field(default_factory=set)


def _rounds(tallies: Iterable[EntryTally]) -> dict[int, _Round]:
    rounds: dict[int, _Round] = defaultdict(_Round)
    for tally in tallies:
        for line in tally.lines:
            if line.status is ContributionStatus.PLAYED and line.value is not None:
                this = rounds[line.round]
                this.total += line.value
                this.values += 1
                this.entries.add(tally.entry.id)
    return rounds


class _Counter:
    """Counts tables, boards and sit-outs into tallies, each entry by itself."""

    def __init__(
        self,
        scoring: ScoringRules,
        entries: Mapping[str, Entrant],
        adjustments: Sequence[ScoreAdjustment],
        memo: Memo,
    ) -> None:
        self._scoring = scoring
        self._entries = entries
        self._memo = memo
        self._adjustments: dict[str, list[ScoreAdjustment]] = defaultdict(list)
        for adjustment in adjustments:
            self._adjustments[adjustment.entry].append(adjustment)
        self._seats: dict[str, list[Seated]] = {name: [] for name in entries}
        self.tallies: dict[str, EntryTally] = {}
        self.counted: dict[int, CountedGame] = {}
        self._anew: set[str] = set()
        self._valuer = Valuer(scoring, entries, _shifts(adjustments))
        self._by_board = scoring.method in BY_BOARD
        self._by_hand = scoring.total is Total.HAND_AVERAGE
        self._by_person = scoring.substitute_credit is Credit.PERSON

    def count_tables(self, tables: Iterable[Table]) -> None:
        """Value the tables, and count for every entry those that it sat at."""
        part = self._memo.part
        for at, table in enumerate(tables):
            seats, game = part(("table", at), (table,), partial(self._value, at, table))
            if game is not None:
                self.counted[at] = game
            for name, seated in seats:
                self._seats[name].append(seated)
        for name, own in self._seats.items():
            self.tallies[name] = part(("tally", name), own, partial(self._tally_of, name))

    def _value(self, at: int, table: Table) -> tuple[list[tuple[str, Seated]], CountedGame | None]:
        """A table: each of its seats for those whom it concerns, and who met if the game counts."""
        valued = self._valuer.value(table)
        seats = []
        for number, seat in enumerate(table.seats):
            seated = Seated(at, valued, number)
            seats.append((seat.entry, seated))
            if self._by_person and seat.substitute is not None and seat.substitute != seat.entry:
                seats.append((seat.substitute, seated))
        whole = valued.played is GameExtent.WHOLE
        return seats, CountedGame(self._entries_at(table), valued.placing) if whole else None

    def _tally_of(self, name: str) -> EntryTally:
        """Return an entry's tally at its tables."""
        own = EntryTally(self._entries[name], adjustments=self._adjustments.get(name, ()))
        for seated in self._seats[name]:
            self._count(own, seated)
        return own

    def _count(self, own: EntryTally, seated: Seated) -> None:
        table = seated.valued.table
        seat = table.seats[seated.seat]
        if self._by_person and seat.substitute is not None:
            if own.entry.id == seat.entry:
                away = ContributionStatus.CREDITED_AWAY
                own.add(contribution(table.id, table.round, away, None, seat.score))
            if own.entry.id != seat.substitute:
                return
        if seat.fixed is not None:
            self._give(own, table, seat, plain(seat.fixed), ContributionStatus.FIXED)
            return
        if seat.substitute is not None and self._scoring.substitute_credit is Credit.FIXED:
            self._give(
                own, table, seat, self._scoring.substitute_points, ContributionStatus.SUBSTITUTE
            )
        elif seated.valued.played is GameExtent.WHOLE:
            self._play(own, seated)
        else:
            self._break_off(own, seated.valued, seated.seat)
        if seat.forfeit and self._scoring.method is Method.MATCHPOINTS:
            # Last on every board that was missed.
            for _ in range(table.hands - seat.hands):
                own.add_game(0)

    def _entries_at(self, table: Table) -> tuple[str, ...]:
        if self._by_person:
            return tuple([seat.substitute or seat.entry for seat in table.seats])
        return tuple([seat.entry for seat in table.seats])

    def _give(
        self,
        owner: EntryTally,
        table: Table,
        seat: SeatScore,
        value: Exact,
        status: ContributionStatus,
    ) -> None:
        owner.add(contribution(table.id, table.round, status, value, seat.score, seat.hands))
        owner.add_game(value)
        owner.games += 1
        owner.hands += max(0, seat.hands)
        self._weigh(owner, value, seat.hands)

    def _play(self, owner: EntryTally, seated: Seated) -> None:
        valued, number = seated.valued, seated.seat
        table, placed = valued.table, valued.placing[number]
        seat, value = table.seats[number], valued.values[number]
        has_left = seat.forfeit and left_early(seat, table)
        owner.add(
            contribution(
                table.id,
                table.round,
                ContributionStatus.FORFEIT if has_left else ContributionStatus.PLAYED,
                value,
                seat.score,
                seat.hands,
                placed.place or None,
                placed.tied or None,
            )
        )
        owner.games += 1
        owner.hands += max(0, seat.hands)
        owner.clean += seat.clean
        owner.margin += valued.margins[number]
        owner.met.append(seated.at)
        for weight, places in valued.parts:
            if places[number].place:
                owner.places[places[number]] += weight
        if value is not None:
            owner.add_game(value)
            self._weigh(owner, value, self._hands_covered(owner, table, seat))

    def _hands_covered(self, owner: EntryTally, table: Table, seat: SeatScore) -> int:
        """Count the hands of a value: with a forfeit also those that were missed."""
        if not self._valuer.outlasts(seat, table):
            return seat.hands
        owner.missed += table.hands - seat.hands
        return table.hands

    def _break_off(self, owner: EntryTally, valued: Valued, number: int) -> None:
        table, seat = valued.table, valued.table.seats[number]
        if self._valuer.outlasts(seat, table):
            self._forfeit(owner, valued, number)
            return
        incomplete = valued.played is GameExtent.INCOMPLETE
        status = ContributionStatus.INCOMPLETE if incomplete else ContributionStatus.NOT_PLAYED
        if incomplete and self._scoring.incomplete is Incomplete.NEUTRAL and not self._by_board:
            owner.broken_off.append((table, seat))
            return
        value = valued.values[number] if incomplete and self._by_hand else None
        owner.add(contribution(table.id, table.round, status, value, seat.score, seat.hands))
        if value is not None:
            owner.games += 1
            owner.hands += max(0, seat.hands)
            owner.add_game(value)
            self._weigh(owner, value, seat.hands)

    def _forfeit(self, owner: EntryTally, valued: Valued, number: int) -> None:
        """Count what leaving costs in a game that does not count for those who stayed."""
        table, seat = valued.table, valued.table.seats[number]
        value = valued.values[number]
        owner.add(
            contribution(
                table.id, table.round, ContributionStatus.FORFEIT, value, seat.score, seat.hands
            )
        )
        if value is not None:
            owner.games += 1
            owner.hands += max(0, seat.hands)
            owner.add_game(value)
            self._weigh(owner, value, self._hands_covered(owner, table, seat))

    def _weigh(self, owner: EntryTally, value: Exact, hands: int) -> None:
        if self._by_hand:
            owner.weighed += value if self._scoring.keeps_margins else value * max(0, hands)

    def count_boards(self, boards: Iterable[BoardScore], rounds: Mapping[str, int]) -> None:
        """Count boards, which compare the tables: whatever one of them scored may change all."""
        found = sorted(
            board_values(boards, self._scoring),
            key=lambda one: (one.row.board, one.row.seat, one.row.table, one.row.entry, one.value),
        )
        if found:
            self._count_anew(self.tallies)
        for row, value, of_most in found:
            owner, number = self.tallies[row.entry], rounds.get(row.table, 0)
            is_played = row.score is not None
            owner.lines.append(
                Contribution(
                    row.table,
                    number,
                    ContributionStatus.PLAYED if is_played else ContributionStatus.NOT_PLAYED,
                    value,
                    row.score or 0,
                    hands=1 if is_played else 0,
                    board=row.board,
                )
            )
            owner.rounds[number] = owner.rounds.get(number, 0) + value
            owner.add_game(value)
            owner.shares += of_most or _NOTHING

    def count_unplayed(self, sit_outs: Collection[RoundSitOut]) -> None:
        """Broken-off games and sit-outs, once it is known what their rounds were worth."""
        waiting = {name for name, one in self.tallies.items() if one.broken_off}
        waiting |= {sit_out.entry for sit_out in sit_outs}
        if not waiting:
            return
        self._count_anew(waiting)
        rounds = _rounds(tally for tally in self.tallies.values() if not tally.entry.is_house)
        for owner in self.tallies.values():
            for table, seat in owner.broken_off:
                value = _worth(rounds, table.round, each_game=True)
                owner.add(
                    contribution(
                        table.id, table.round, ContributionStatus.INCOMPLETE, value, seat.score
                    )
                )
                owner.credit += value
        owns = {name: _own(one) for name, one in self.tallies.items()}
        for sit_out in sorted(set(sit_outs), key=lambda one: (one.entry, one.round)):
            own = owns[sit_out.entry]
            mean = _worth(rounds, sit_out.round, each_game=False)
            self._sit_out(sit_out, mean, own)

    def count_recorded(self, recorded: Collection[RecordedScore]) -> None:
        """Count what was written down: points, or those of the linear scale for places alone."""
        self._count_anew(one.entry for one in recorded)
        places = _places_of(recorded)
        for one in recorded:
            owner, placed = self.tallies[one.entry], places.get(one.entry)
            value = one.points
            if value is None:
                value = _NOTHING if placed is None else share(linear(len(recorded)), placed)
            owner.lines.append(
                Contribution(
                    None,
                    0,
                    ContributionStatus.RECORDED,
                    plain(value),
                    place=placed and placed.place,
                    tied=placed and placed.tied,
                )
            )
            owner.value += value
            owner.units += one.games or 1
            owner.games += one.games or 1
            owner.place = one.place

    def _count_anew(self, names: Iterable[str]) -> None:
        """Before more is added to entries: what the memo has of them is their tables alone."""
        for name in names:
            if name not in self._anew:
                self.tallies[name] = self._tally_of(name)
                self._anew.add(name)

    def _sit_out(self, sit_out: RoundSitOut, mean: Fraction, own: Fraction | None) -> None:
        owner, credit = self.tallies[sit_out.entry], self._scoring.sit_out_credit
        value = mean
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
        owner.add(contribution(None, sit_out.round, ContributionStatus.SIT_OUT, value))


def _places_of(recorded: Iterable[RecordedScore]) -> dict[str, SharedPlace]:
    """The places that were written down, as far as they are shared; those missing close up."""
    known = {one.entry: one.place for one in recorded if one.place is not None}
    return dict(zip(known, placing([-place for place in known.values()]), strict=True))


def _worth(rounds: Mapping[int, _Round], number: int, *, each_game: bool) -> Fraction:
    """The mean of a round; of all rounds where nothing was scored in it."""
    found = [rounds[number]] if number in rounds else [*rounds.values()]
    total = Fraction(sum(one.total for one in found))
    count = sum(one.values if each_game else len(one.entries) for one in found)
    return total / count if count else _NOTHING


def _shifts(adjustments: Iterable[ScoreAdjustment]) -> dict[tuple[str, str], Fraction]:
    shifts: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for adjustment in adjustments:
        if moves_places(adjustment):
            shifts[adjustment.scope, adjustment.entry] += adjustment.amount
    return dict(shifts)


def moves_places(adjustment: ScoreAdjustment) -> bool:
    """Whether an adjustment is counted at its table rather than in the total."""
    return adjustment.affects_place and adjustment.scope != EVENT


def _own(tally: EntryTally) -> Fraction | None:
    """The average of a round that was played."""
    rounds = len({line.round for line in tally.lines if line.value is not None})
    return Fraction(tally.value, rounds) if rounds else None
