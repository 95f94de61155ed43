"""Tie-breaks: the value of each for every entry of an event and every member of a season.

Rules: tournaments.md 4 and 5. Labels and scopes are in `tournaments.standings.choices`.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Final

from tournaments.standings.choices import TieBreak, TieBreakScope, Total, keys_of_columns
from tournaments.standings.exact import Countback, Exact, Value, common, total_of
from tournaments.standings.meetings import Meeting
from tournaments.standings.order import SCORE, Criterion, by_value
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.rows import RowKind
from tournaments.standings.scales import SharedPlace
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import SeasonEventLine
from tournaments.standings.season_results import SeasonMember
from tournaments.standings.tallies import EntryTally, EventTallies, moves_places

_NOTHING: Final = Fraction(0)
_CUTS: Final = {TieBreak.OPP: 0, TieBreak.OPP_CUT1: 1}
"""The mean of the opponents, and how many of the weakest are left out of it."""
Totals = Mapping[str, Fraction | None]
Values = Mapping[str, Value]


def criteria(
    keys: Iterable[TieBreak],
    totals: Totals,
    columns: Mapping[str, Values],
    head_to_head: Criterion | None = None,
    *,
    low_total: bool,
    low_chips: bool = False,
) -> list[Criterion]:
    """Return the criteria of a chain, the total first; less of the two may be better."""
    steps = [by_value(SCORE, totals, low=low_total)]
    for key in keys:
        if key is TieBreak.H2H and head_to_head:
            steps.append(head_to_head)
        elif key is not TieBreak.SHARED:
            low = key.spec.is_low or (key.spec.is_low_with_total and low_total)
            low = low_chips if key is TieBreak.CHIPS else low
            steps.append(by_value(key.value, columns[key.value], low=low))
    return steps


def own_columns(tally: EntryTally, field: EventTallies) -> dict[TieBreak, Value]:
    """The keys that an entry has by itself, of those that are shown or in the chain."""
    shown = keys_of_columns(TieBreakScope.EVENT, field.scoring.tie_breaks)
    return {key: _PER_ENTRY[key](tally, field) for key in shown if key in _PER_ENTRY}


def columns_of(
    field: EventTallies, totals: Totals, own: Mapping[str, Mapping[TieBreak, Value]]
) -> dict[str, Values]:
    """The keys that every table of standings shows, and those of the chain.

    ``own`` are those that entries have by themselves, with the total without handicap.
    """
    wanted = keys_of_columns(TieBreakScope.EVENT, field.scoring.tie_breaks)
    found: dict[str, Values] = {}
    opponents = _Opponents(field, totals) if _CUTS.keys() & {*wanted} else None
    for key in wanted:
        if key is TieBreak.SB:
            found[key.value] = _beaten(field, totals)
        elif opponents is not None and key in _CUTS:
            found[key.value] = opponents.mean(cut=_CUTS[key])
        else:
            found[key.value] = {name: values[key] for name, values in own.items()}
    return found


def lot(seed: str, entry: str) -> str:
    """The lot of an entry: SHA-256 of the seed, a colon and its name; the lowest is first."""
    return hashlib.sha256(f"{seed}:{entry}".encode()).hexdigest()


def places_vector(places: Mapping[SharedPlace, Exact]) -> Countback:
    """Return the places with how often each was reached; the last of them is not 0.

    >>> [str(part) for part in places_vector({SharedPlace(1, 2): Fraction(1)})]
    ['1/2', '1/2']
    """
    length = max((at.place + at.tied - 1 for at in places), default=0)
    shares, measure = common(
        Fraction(weight, at.tied) if at.tied > 1 else weight for at, weight in places.items()
    )
    counts = [0] * length
    for at, each in zip(places, shares, strict=True):
        for covered in range(at.place - 1, at.place - 1 + at.tied):
            counts[covered] += each
    return Countback(counts, measure)


def firsts(places: Mapping[SharedPlace, Exact]) -> Fraction:
    """First places, shared ones in equal parts."""
    return total_of(Fraction(weight, at.tied) for at, weight in places.items() if at.place == 1)


def _exact(value: Exact | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _penalties(tally: EntryTally, scoring: ScoringRules) -> int:
    """Count the adjustments that made it worse."""
    return sum(
        a.amount > 0 if (scoring.low if moves_places(a) else scoring.low_total) else a.amount < 0
        for a in tally.adjustments
    )


_PER_ENTRY: Final[Mapping[TieBreak, Callable[[EntryTally, EventTallies], Value]]] = {
    TieBreak.WINS: lambda one, _: firsts(one.places),
    TieBreak.SOLE_WINS: lambda one, _: Fraction(one.places.get(SharedPlace(1, 1), 0)),
    TieBreak.PLACES: lambda one, _: places_vector(one.places),
    TieBreak.CHIPS: lambda one, field: None if field.is_mixed else Fraction(one.margin),
    TieBreak.LAST: lambda one, field: _exact(one.rounds.get(field.last_round)),
    # A round without a score repeats the total before it.
    TieBreak.PROGRESSIVE: lambda one, field: Fraction(
        sum(value * (field.last_round - number + 1) for number, value in one.rounds.items())
    ),
    TieBreak.BEST: lambda one, field: _exact(one.worst if field.scoring.low_total else one.best),
    TieBreak.WORST: lambda one, field: _exact(one.best if field.scoring.low_total else one.worst),
    TieBreak.AVERAGE: lambda one, _: Fraction(one.value, one.units) if one.units else None,
    TieBreak.CLEAN: lambda one, _: one.clean,
    TieBreak.PENALTIES: lambda one, field: _penalties(one, field.scoring),
    TieBreak.HANDS: lambda one, _: (one.games, one.hands),
    TieBreak.PLAYOFF: lambda one, _: one.entry.playoff,
    TieBreak.LOT: lambda one, field: lot(field.scoring.lot_seed, one.entry.lot or one.entry.id),
}


def _strengths(field: EventTallies, totals: Totals) -> tuple[dict[str, int], int]:
    """The totals that count as opponents' scores, in whole parts of one common measure."""
    average = field.scoring.total is not Total.SUM
    least = field.scoring.opp_least_games if average else 0
    counting = {
        name: total
        for name, total in totals.items()
        if total is not None
        and not field.tallies[name].entry.is_house
        and field.tallies[name].games >= least
    }
    measure = lcm(*(total.denominator for total in counting.values()))
    return {
        name: total.numerator * (measure // total.denominator) for name, total in counting.items()
    }, measure


class _Opponents:
    """The opponents met by every entry: the sum of their totals, how many, and the weakest."""

    def __init__(self, field: EventTallies, totals: Totals) -> None:
        strengths, self._measure = _strengths(field, totals)
        self._sums: dict[str, int] = {}
        self._meetings: dict[str, int] = {}
        self._worst: dict[str, int] = {}
        self._low = field.scoring.low_total
        self._weakest = max if self._low else min
        for game in field.games.values():
            self._meet({name: strengths.get(name) for name in game.entries})
        self._names = field.tallies.keys()

    def _meet(self, seated: Mapping[str, int | None]) -> None:
        scores = [score for score in seated.values() if score is not None]
        scores.sort(reverse=self._low)
        whole, count = sum(scores), len(scores)
        for name, own in seated.items():
            others = count - (own is not None)
            if others:
                self._sums[name] = self._sums.get(name, 0) + whole - (own or 0)
                self._meetings[name] = self._meetings.get(name, 0) + others
                weakest = scores[1] if own == scores[0] else scores[0]
                self._worst[name] = self._weakest(weakest, self._worst.get(name, weakest))

    def mean(self, *, cut: int) -> Values:
        """The mean total of the opponents, each meeting counted, without so many of the weakest."""
        return {
            name: _mean(
                self._sums.get(name, 0),
                self._worst.get(name, 0),
                self._meetings.get(name, 0),
                cut,
                self._measure,
            )
            for name in self._names
        }


def _mean(total: int, worst: int, meetings: int, cut: int, measure: int) -> Fraction | None:
    if not meetings:
        return None
    if cut and meetings > 1:
        return Fraction(total - worst, (meetings - 1) * measure)
    return Fraction(total, meetings * measure)


def _beaten(field: EventTallies, totals: Totals) -> Values:
    """The totals of the opponents beaten, half of those tied with."""
    strengths, measure = _strengths(field, totals)
    halves = dict.fromkeys(field.tallies, 0)
    for game in field.games.values():
        seats = [
            (name, at.place, strengths.get(name, 0))
            for name, at in zip(game.entries, game.placing, strict=True)
            if at.place
        ]
        for name, place, _ in seats:
            for other, theirs, strength in seats:
                if place <= theirs and name != other:
                    halves[name] += strength if place == theirs else 2 * strength
    return {name: Fraction(halves[name], 2 * measure) for name in field.tallies}


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberRecord:
    """A member's own values, whatever the others have, after some events.

    ``total`` is with handicap where handicaps count, ``scratch`` without. ``needs`` are the events
    and the games that are missing for a rank. ``played_last``: they came to the last of the events.
    """

    member: SeasonMember
    lines: Sequence[SeasonEventLine]
    counted: frozenset[int]
    total: Fraction | None
    scratch: Fraction | None
    adjustments: Sequence[ScoreAdjustment]
    needs: tuple[int, int]
    kind: RowKind
    played_last: bool
    _tie_breaks: dict[TieBreak, Value] = field(default_factory=dict)

    def tie_break(self, key: TieBreak, season: SeasonRules) -> Value:
        """The value of a tie-break, worked out when it is asked for: few are tied."""
        if key not in self._tie_breaks:
            self._tie_breaks[key] = _PER_MEMBER[key](self, season)
        return self._tie_breaks[key]

    def values(self, season: SeasonRules) -> list[Exact]:
        """The worth of each event, as it counts."""
        return [line.net if season.net else line.points for line in self.lines]

    @property
    def places(self) -> Mapping[SharedPlace, Exact]:
        """The number of times that each place was reached."""
        counts: dict[SharedPlace, Exact] = defaultdict(int)
        for line in self.lines:
            if line.place:
                counts[line.place] += 1
        return counts


def season_columns(
    accounts: Mapping[str, MemberRecord], season: SeasonRules
) -> dict[str, Mapping[str, Value]]:
    """The keys that every season shows, and those of its chain."""
    wanted = keys_of_columns(TieBreakScope.SEASON, season.tie_breaks)
    return {key.value: _Column(key, accounts, season) for key in wanted}


class _Column(dict[str, Value]):
    """One key of all members."""

    def __init__(
        self, key: TieBreak, accounts: Mapping[str, MemberRecord], season: SeasonRules
    ) -> None:
        super().__init__()
        self._key = key
        self._accounts = accounts
        self._season = season

    def __missing__(self, name: str) -> Value:
        """The value of one member."""
        value = self[name] = self._accounts[name].tie_break(self._key, self._season)
        return value


def common_events(
    accounts: Mapping[str, MemberRecord], tied: frozenset[str], season: SeasonRules
) -> Iterator[Meeting]:
    """Yield who was better of two tied members in each event that both played."""
    events: dict[str, list[tuple[str, Exact]]] = defaultdict(list)
    for name in sorted(tied):
        one = accounts[name]
        for line, value in zip(one.lines, one.values(season), strict=True):
            events[line.event].append((name, -value if season.low else value))
    for scores in events.values():
        for (one_name, mine), (other, theirs) in combinations(scores, 2):
            yield one_name, other, (mine > theirs) - (mine < theirs)


def _chips(member_record: MemberRecord) -> Fraction | None:
    """Return what was won at the tables; None where that is in no common unit."""
    chips = [line.chips for line in member_record.lines if line.chips is not None]
    return total_of(chips) if len(chips) == len(member_record.lines) else None


def _extreme(
    member_record: MemberRecord, season: SeasonRules, pick: Callable[[Sequence[Exact]], Exact]
) -> Fraction | None:
    values = member_record.values(season)
    return Fraction(pick(values)) if values else None


_PER_MEMBER: Final[Mapping[TieBreak, Callable[[MemberRecord, SeasonRules], Value]]] = {
    TieBreak.WINS: lambda one, _: firsts(one.places),
    TieBreak.PLACES: lambda one, _: places_vector(one.places),
    TieBreak.CHIPS: lambda one, _: _chips(one),
    TieBreak.LAST: lambda one, season: (
        Fraction(one.values(season)[-1]) if one.played_last else None
    ),
    TieBreak.BEST: lambda one, season: _extreme(one, season, min if season.low else max),
    TieBreak.WORST: lambda one, season: _extreme(one, season, max if season.low else min),
    TieBreak.AVERAGE: lambda one, season: (
        total_of(one.values(season)) / len(one.lines) if one.lines else None
    ),
    TieBreak.CLEAN: lambda one, _: sum(line.clean for line in one.lines),
    TieBreak.PENALTIES: lambda one, season: sum(
        a.amount > 0 if season.low else a.amount < 0 for a in one.adjustments
    ),
    TieBreak.SCRATCH: lambda one, _: one.scratch,
    TieBreak.EVENTS: lambda one, _: len(one.lines),
    TieBreak.PLAYOFF: lambda one, _: one.member.playoff,
    TieBreak.LOT: lambda one, season: lot(season.lot_seed, one.member.lot or one.member.id),
}
