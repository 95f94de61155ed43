"""The figures of a player, each with its uncertainty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from tournaments.statistics.catalogue import LEAST, OF_TABLES, Group, Statistic, Unit
from tournaments.statistics.hand_catalogue import OF_HANDS
from tournaments.statistics.sums import Key, Sum

USUAL: Final = 20
"""A mean counts as if so many more lines had been as usual."""
NINETY: Final = 1.6448536269514722
"""So many standard deviations each way hold 90 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a player: the exact mean of ``n`` lines, and all of them together.

    ``shrunk`` is the mean drawn towards what is usual; ``low`` to ``high`` the 90 % interval,
    about the mean of a rate (Wilson), about the shrunk mean of anything else; ``error`` is the
    standard error of the mean. All three are None where one line says nothing of the spread.
    ``hidden``: too few lines.
    """

    statistic: Statistic[Any]
    group: Group
    n: int
    total: Fraction
    mean: Fraction
    shrunk: Fraction
    low: float | None
    high: float | None
    error: float | None
    hidden: bool


_PARTS: Final = (Unit.RATE, Unit.SPREAD)
_CATALOGUE: Final[tuple[Statistic[Any], ...]] = (*OF_HANDS, *OF_TABLES)


def figures(sums: Mapping[Key, Sum], everybody: Mapping[Key, Sum]) -> list[Figure]:
    """The figures of a player, in the order of the catalogue; groups in theirs.

    ``everybody`` are the sums of the club: what is usual where a mean is drawn to.
    """
    return [
        _figure(statistic, group, one, usual.get(key, one))
        for statistic in _CATALOGUE
        for usual in [{key: one for key, _, one in _groups(statistic, everybody)}]
        for key, group, one in _groups(statistic, sums)
    ]


def _groups(statistic: Statistic[Any], sums: Mapping[Key, Sum]) -> Iterator[tuple[Key, Group, Sum]]:
    if statistic.by is None:
        if statistic.key in sums:
            yield statistic.key, (), sums[statistic.key]
        return
    found = sorted(key for key in sums if isinstance(key, tuple) and key[0] == statistic.key)
    whole = sum(sums[key].n for key in found)
    for key in found:
        n = sums[key].n
        yield key, key[1], Sum(whole, n, n) if statistic.unit is Unit.SPREAD else sums[key]


def _figure(statistic: Statistic[Any], group: Group, one: Sum, usual: Sum) -> Figure:
    drawn = (one.total + USUAL * usual.mean) / (one.n + USUAL)
    low, high = wilson(one) if statistic.unit in _PARTS else about(drawn, one)
    return Figure(
        statistic=statistic,
        group=group,
        n=one.n,
        total=Fraction(one.total),
        mean=one.mean,
        shrunk=drawn,
        low=low,
        high=high,
        error=one.error,
        hidden=one.n < statistic.least,
    )


def wilson(one: Sum) -> tuple[float, float]:
    """The 90 % interval of a rate, by Wilson."""
    rate, part = float(one.mean), NINETY**2 / one.n
    middle = (rate + part / 2) / (1 + part)
    width = sqrt(rate * (1 - rate) * part + part * part / 4) / (1 + part)
    return max(0.0, middle - width), min(1.0, middle + width)


def interval_of_mean(one: Sum) -> tuple[float, float] | None:
    """The 90 % interval about the mean of ten or more; None of fewer.

    By Student's t, approximated to the first order (Abramowitz and Stegun, 26.7.5): a standard
    deviation of ten values is itself uncertain.
    """
    deviation = one.deviation
    if deviation is None or one.n < LEAST:
        return None
    student = NINETY + (NINETY**3 + NINETY) / (4 * (one.n - 1))
    width = student * deviation / sqrt(one.n)
    return float(one.mean) - width, float(one.mean) + width


def about(drawn: Fraction, one: Sum) -> tuple[float | None, float | None]:
    """The 90 % interval about a shrunk mean; (None, None) of a single line."""
    deviation = one.deviation
    if deviation is None:
        return None, None
    width = NINETY * deviation / sqrt(one.n + USUAL)
    return float(drawn) - width, float(drawn) + width


@dataclass(frozen=True, slots=True)
class CapturedShare:
    """The part of the hands in which so many pain cards were taken, with its 90 % interval.

    ``usual`` is that part for everybody at the same tables.
    """

    captured: int
    hands: int
    share: Fraction
    low: float
    high: float
    usual: Fraction


def captured_shares(sums: Mapping[Key, Sum], usual: Mapping[Key, Sum]) -> list[CapturedShare]:
    """The part of each number from none to the most that they took; nothing of too few hands."""
    own, others = _counts(sums), _counts(usual)
    hands, met = sum(own.values()), sum(others.values())
    if hands < LEAST:
        return []
    shares = []
    for captured in range(max(own) + 1):
        n = own.get(captured, 0)
        low, high = wilson(Sum(hands, n, n))
        part = Fraction(others.get(captured, 0), met) if met else Fraction()
        shares.append(CapturedShare(captured, n, Fraction(n, hands), low, high, part))
    return shares


def _counts(sums: Mapping[Key, Sum]) -> dict[int, int]:
    """Hands by the number of pain cards taken."""
    return {
        key[1][0]: one.n
        for key, one in sums.items()
        if isinstance(key, tuple) and key[0] == "pain_spread"
    }
