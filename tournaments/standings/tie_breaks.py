"""Tie-breaks: what each key of the chain counts for every entry (tournaments.md 4)."""

import hashlib
from collections.abc import Callable, Mapping, Set
from fractions import Fraction
from math import lcm
from typing import Final

from tournaments.standings.choices import TieBreak, Total
from tournaments.standings.exact import Countback, Exact, Value, common
from tournaments.standings.meetings import head_to_head
from tournaments.standings.order import SCORE, Criterion, by_value
from tournaments.standings.scales import SharedPlace
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.tallies import EntryTally, EventTallies, moves_places

_NOTHING: Final = Fraction(0)
_CUTS: Final = {TieBreak.OPP: 0, TieBreak.OPP_CUT1: 1}
"""The mean of the opponents, and how many of the weakest are left out of it."""
Totals = Mapping[str, Fraction | None]
Values = Mapping[str, Value]

LESS_IS_BETTER: Final = frozenset([TieBreak.PENALTIES, TieBreak.PLAYOFF, TieBreak.LOT])
_LIKE_TOTAL: Final = frozenset(
    [
        TieBreak.OPP,
        TieBreak.OPP_CUT1,
        TieBreak.LAST,
        TieBreak.PROGRESSIVE,
        TieBreak.BEST,
        TieBreak.WORST,
        TieBreak.AVERAGE,
        TieBreak.SCRATCH,
    ]
)


def is_low(key: TieBreak, scoring: ScoringRules) -> bool:
    """Whether less of a key is better."""
    if key is TieBreak.CHIPS:
        return scoring.low
    return key in LESS_IS_BETTER or (key in _LIKE_TOTAL and scoring.low_total)


def criteria(field: EventTallies, totals: Totals, columns: Mapping[str, Values]) -> list[Criterion]:
    """The chain of an event, the total first."""
    scoring = field.scoring
    steps = [by_value(SCORE, totals, low=scoring.low_total)]
    for key in scoring.tie_breaks:
        if key is TieBreak.H2H:
            steps.append(head_to_head(field))
        elif key is not TieBreak.SHARED:
            steps.append(by_value(key.value, columns[key.value], low=is_low(key, scoring)))
    return steps


def own_columns(one: EntryTally, field: EventTallies) -> dict[TieBreak, Value]:
    """The keys that an entry has by itself, of those that are shown or in the chain."""
    return {
        key: tell(one, field)
        for key, tell in _PER_ENTRY.items()
        if key in _needed_tie_breaks(field)
    }


def columns_of(
    field: EventTallies, totals: Totals, own: Mapping[str, Mapping[TieBreak, Value]]
) -> dict[str, Values]:
    """The keys that every table of standings shows, and those of the chain.

    ``own`` are those that entries have by themselves, with the total without handicap.
    """
    wanted = _needed_tie_breaks(field)
    found: dict[str, Values] = {}
    opponents = _Opponents(field, totals) if _CUTS.keys() & wanted else None
    for key in sorted(wanted):
        if key is TieBreak.SB:
            found[key.value] = _beaten(field, totals)
        elif opponents is not None and key in _CUTS:
            found[key.value] = opponents.mean(cut=_CUTS[key])
        else:
            found[key.value] = {name: values[key] for name, values in own.items()}
    return found


def _needed_tie_breaks(field: EventTallies) -> Set[TieBreak]:
    return {*ALWAYS, *field.scoring.tie_breaks} - {TieBreak.H2H, TieBreak.SHARED}


def lot(seed: str, entry: str) -> str:
    """The lot of an entry: SHA-256 of the seed, a colon and its name; the lowest is first."""
    return hashlib.sha256(f"{seed}:{entry}".encode()).hexdigest()


def countback(one: EntryTally) -> Countback:
    """Count first places, second places and so on; shared ones in equal parts."""
    return places_vector(one.places)


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
    shares = (Fraction(weight, at.tied) for at, weight in places.items() if at.place == 1)
    return sum(shares, _NOTHING)


def _sole_wins(one: EntryTally, _: EventTallies) -> Fraction:
    parts = (w for (place, tied), w in one.places.items() if place == 1 and tied == 1)
    return Fraction(sum(parts))


def _last(one: EntryTally, field: EventTallies) -> Fraction | None:
    return _exact(one.rounds.get(field.last_round))


def _progressive(one: EntryTally, field: EventTallies) -> Fraction:
    """A round without a score repeats the total before it."""
    last = field.last_round
    return Fraction(sum(value * (last - number + 1) for number, value in one.rounds.items()))


def _best(one: EntryTally, field: EventTallies) -> Fraction | None:
    return _exact(one.worst if field.scoring.low_total else one.best)


def _worst(one: EntryTally, field: EventTallies) -> Fraction | None:
    return _exact(one.best if field.scoring.low_total else one.worst)


def _exact(value: Exact | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _average(one: EntryTally, _: EventTallies) -> Fraction | None:
    return Fraction(one.value, one.units) if one.units else None


def penalties(one: EntryTally, field: EventTallies) -> int:
    """Count the adjustments that made it worse."""
    return sum(
        _is_worse(adjustment.amount, field, at_table=moves_places(adjustment))
        for adjustment in one.adjustments
    )


def _is_worse(amount: Fraction, field: EventTallies, *, at_table: bool) -> bool:
    low = field.scoring.low if at_table else field.scoring.low_total
    return amount > 0 if low else amount < 0


def _lot(one: EntryTally, field: EventTallies) -> str:
    return lot(field.scoring.lot_seed, one.entry.lot or one.entry.id)


ALWAYS: Final = frozenset(
    [
        TieBreak.WINS,
        TieBreak.PLACES,
        TieBreak.CHIPS,
        TieBreak.BEST,
        TieBreak.WORST,
        TieBreak.AVERAGE,
        TieBreak.CLEAN,
        TieBreak.SCRATCH,
    ]
)
_PER_ENTRY: Final[Mapping[TieBreak, Callable[[EntryTally, EventTallies], Value]]] = {
    TieBreak.WINS: lambda one, _: firsts(one.places),
    TieBreak.SOLE_WINS: _sole_wins,
    TieBreak.PLACES: lambda one, _: countback(one),
    TieBreak.CHIPS: lambda one, field: None if field.is_mixed else Fraction(one.margin),
    TieBreak.LAST: _last,
    TieBreak.PROGRESSIVE: _progressive,
    TieBreak.BEST: _best,
    TieBreak.WORST: _worst,
    TieBreak.AVERAGE: _average,
    TieBreak.CLEAN: lambda one, _: one.clean,
    TieBreak.PENALTIES: penalties,
    TieBreak.HANDS: lambda one, _: (one.games, one.hands),
    TieBreak.PLAYOFF: lambda one, _: one.entry.playoff,
    TieBreak.LOT: _lot,
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
