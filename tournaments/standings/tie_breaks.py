"""Tie-breaks: what each key of the chain counts for every entry (tournaments.md 4)."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Final

from tournaments.standings.choices import Key, Total
from tournaments.standings.exact import Exact, Value, plain
from tournaments.standings.meetings import head_to_head
from tournaments.standings.order import SCORE, Criterion, by_value
from tournaments.standings.scales import Placed
from tournaments.standings.scoring import Scoring
from tournaments.standings.tallies import Field, Game, Tally, moves_places

_NOTHING: Final = Fraction(0)
Totals = Mapping[str, Fraction | None]
Values = Mapping[str, Value]

LESS_IS_BETTER: Final = frozenset([Key.PENALTIES, Key.PLAYOFF, Key.LOT])
_LIKE_TOTAL: Final = frozenset(
    [
        Key.OPP,
        Key.OPP_CUT1,
        Key.LAST,
        Key.PROGRESSIVE,
        Key.BEST,
        Key.WORST,
        Key.AVERAGE,
        Key.SCRATCH,
    ]
)


def is_low(key: Key, scoring: Scoring) -> bool:
    """Whether less of a key is better."""
    if key is Key.CHIPS:
        return scoring.low
    return key in LESS_IS_BETTER or (key in _LIKE_TOTAL and scoring.low_total)


def criteria(field: Field, totals: Totals, columns: Mapping[str, Values]) -> list[Criterion]:
    """The chain of an event, the total first."""
    scoring = field.scoring
    steps = [by_value(SCORE, totals, low=scoring.low_total)]
    for key in scoring.tie_breaks:
        if key is Key.H2H:
            steps.append(head_to_head(field))
        elif key is not Key.SHARED:
            steps.append(by_value(key.value, columns[key.value], low=is_low(key, scoring)))
    return steps


def columns_of(field: Field, totals: Totals, scratch: Totals) -> dict[str, Values]:
    """The keys that every table of standings shows, and those of the chain."""
    wanted = {*ALWAYS, *field.scoring.tie_breaks} - {Key.H2H, Key.SHARED}
    found: dict[str, Values] = {}
    for key in sorted(wanted):
        if key is Key.SCRATCH:
            found[key.value] = scratch
        elif key in _OF_OPPONENTS:
            found[key.value] = _OF_OPPONENTS[key](field, totals)
        else:
            tell = _OF_ITSELF[key]
            found[key.value] = {name: tell(one, field) for name, one in field.tallies.items()}
    return found


def lot(seed: str, entry: str) -> str:
    """The lot of an entry: SHA-256 of the seed, a colon and its name; the lowest is first."""
    return hashlib.sha256(f"{seed}:{entry}".encode()).hexdigest()


def countback(one: Tally) -> tuple[Exact, ...]:
    """How many first places, second places and so on; shared ones in equal parts."""
    return places_vector(one.places)


def places_vector(places: Mapping[Placed, Exact]) -> tuple[Exact, ...]:
    """The same of places with how often each was reached; the last of them is not 0.

    >>> [str(part) for part in places_vector({Placed(1, 2): Fraction(1)})]
    ['1/2', '1/2']
    """
    length = max((at.place + at.tied - 1 for at in places), default=0)
    counts: list[Exact] = [0] * length
    for at, weight in places.items():
        each = plain(Fraction(weight, at.tied)) if at.tied > 1 else weight
        for covered in range(at.place - 1, at.place - 1 + at.tied):
            counts[covered] += each
    return tuple(counts)


def firsts(places: Mapping[Placed, Exact]) -> Fraction:
    """First places, shared ones in equal parts."""
    shares = (Fraction(weight, at.tied) for at, weight in places.items() if at.place == 1)
    return sum(shares, _NOTHING)


def _sole_wins(one: Tally, _: Field) -> Fraction:
    parts = (w for (place, tied), w in one.places.items() if place == 1 and tied == 1)
    return Fraction(sum(parts))


def _last(one: Tally, field: Field) -> Fraction | None:
    return _exact(one.rounds.get(field.last_round))


def _progressive(one: Tally, field: Field) -> Fraction:
    """A round without a score repeats the total before it."""
    last = field.last_round
    return Fraction(sum(value * (last - number + 1) for number, value in one.rounds.items()))


def _best(one: Tally, field: Field) -> Fraction | None:
    return _exact(one.worst if field.scoring.low_total else one.best)


def _worst(one: Tally, field: Field) -> Fraction | None:
    return _exact(one.best if field.scoring.low_total else one.worst)


def _exact(value: Exact | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _average(one: Tally, _: Field) -> Fraction | None:
    return Fraction(one.value, one.units) if one.units else None


def penalties(one: Tally, field: Field) -> int:
    """How many adjustments made it worse."""
    return sum(
        _is_worse(adjustment.amount, field, at_table=moves_places(adjustment))
        for adjustment in one.adjustments
    )


def _is_worse(amount: Fraction, field: Field, *, at_table: bool) -> bool:
    low = field.scoring.low if at_table else field.scoring.low_total
    return amount > 0 if low else amount < 0


def _lot(one: Tally, field: Field) -> str:
    return lot(field.scoring.lot_seed, one.entry.lot or one.entry.id)


ALWAYS: Final = frozenset(
    [Key.WINS, Key.PLACES, Key.CHIPS, Key.BEST, Key.WORST, Key.AVERAGE, Key.CLEAN, Key.SCRATCH]
)
_OF_ITSELF: Final[Mapping[Key, Callable[[Tally, Field], Value]]] = {
    Key.WINS: lambda one, _: firsts(one.places),
    Key.SOLE_WINS: _sole_wins,
    Key.PLACES: lambda one, _: countback(one),
    Key.CHIPS: lambda one, _: Fraction(one.margin),
    Key.LAST: _last,
    Key.PROGRESSIVE: _progressive,
    Key.BEST: _best,
    Key.WORST: _worst,
    Key.AVERAGE: _average,
    Key.CLEAN: lambda one, _: one.clean,
    Key.PENALTIES: penalties,
    Key.HANDS: lambda one, _: (Fraction(one.games), Fraction(one.hands)),
    Key.PLAYOFF: lambda one, _: one.entry.playoff,
    Key.LOT: _lot,
}


def _strengths(field: Field, totals: Totals) -> tuple[dict[str, int], int]:
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


def _opponents(field: Field, totals: Totals, *, cut: int) -> Values:
    """The mean total of the opponents met, each meeting counted, without the weakest."""
    strengths, measure = _strengths(field, totals)
    weakest = max if field.scoring.low_total else min
    sums: Counter[str] = Counter()
    meetings: Counter[str] = Counter()
    worst: dict[str, int] = {}
    for game in field.games:
        seated = set(game.entries)
        scores = {name: strengths[name] for name in seated if name in strengths}
        whole, count = sum(scores.values()), len(scores)
        for name in seated:
            others = [score for other, score in scores.items() if other != name]
            if others:
                sums[name] += whole - scores.get(name, 0)
                meetings[name] += count - (name in scores)
                lowest = weakest(others)
                worst[name] = weakest(lowest, worst.get(name, lowest))
    return {
        name: _mean(sums[name], worst.get(name, 0), meetings[name], cut, measure)
        for name in field.tallies
    }


def _mean(total: int, worst: int, meetings: int, cut: int, measure: int) -> Fraction | None:
    if not meetings:
        return None
    if cut and meetings > 1:
        return Fraction(total - worst, (meetings - 1) * measure)
    return Fraction(total, meetings * measure)


def _beaten(field: Field, totals: Totals) -> Values:
    """The totals of the opponents beaten, half of those tied with."""
    strengths, measure = _strengths(field, totals)
    halves: Counter[str] = Counter()
    for game in field.games:
        for name, place, other, others in _pairs(game):
            if place and others and place <= others:
                halves[name] += strengths.get(other, 0) * (2 if place < others else 1)
    return {name: Fraction(halves[name], 2 * measure) for name in field.tallies}


def _pairs(game: Game) -> Iterator[tuple[str, int, str, int]]:
    for name, mine in zip(game.entries, game.placing, strict=True):
        for other, theirs in zip(game.entries, game.placing, strict=True):
            if other != name:
                yield name, mine.place, other, theirs.place


_OF_OPPONENTS: Final[Mapping[Key, Callable[[Field, Totals], Values]]] = {
    Key.OPP: lambda field, totals: _opponents(field, totals, cut=0),
    Key.OPP_CUT1: lambda field, totals: _opponents(field, totals, cut=1),
    Key.SB: _beaten,
}
