"""Certainty of a table: how far its places could be luck, from the scores of its nights or rounds.

Sums, means and variances are exact. What is drawn from a normal distribution is floating point, as
in ratings: statistics, never money and never a result. Nothing here enters standings, ratings,
prizes or seeding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import ceil, erfc, sqrt
from random import Random
from typing import Final

from engine.core.messages import NO_MESSAGE, Message
from tournaments.statistics.lines import Exact
from tournaments.statistics.sums import Sum

DRAWS: Final = 300
"""So many tables are drawn; a tenth of them is left out at each end of an interval of places."""
NEEDED_MAX: Final = 60
"""Of more nights than this nobody is told the number."""
_MEMBERS_LEAST: Final = 3
_REPEATS_LEAST: Final = 6
"""Members' nights beyond their first one: of fewer the luck of a night cannot be estimated."""
_FOUR_OF_FIVE: Final = 0.8
_NINETY: Final = 1.28
"""So many standard deviations of a normal distribution are not exceeded in nine cases of ten."""


@dataclass(frozen=True, slots=True)
class LikelyPlace:
    """A member's mean of ``n`` nights, the shrunken one, and the places that they could have.

    ``shrunk`` is the mean drawn towards that of the table, the more the fewer nights there are, and
    ``error`` its standard error. ``low`` to ``high`` is the 80 % interval of their true place,
    ``first`` the part of the drawn tables that they lead.
    """

    n: int
    mean: Fraction
    shrunk: float
    error: float
    low: int
    high: int
    first: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Certainty:
    """The likely places of the members of a table; none where ``why`` says what is missing.

    ``within`` is the variance of the nights of one member (luck), ``between`` that of the members
    beyond it. ``is_low``: the lowest score is best.
    """

    places: Mapping[str, LikelyPlace] = field(default_factory=dict)
    within: Fraction = Fraction(0)
    between: Fraction = Fraction(0)
    is_low: bool = False
    why: str = NO_MESSAGE

    def contenders(self) -> set[str]:
        """Return the fewest members among whom the best is in four of five drawn tables."""
        found: set[str] = set()
        for member, place in sorted(self.places.items(), key=lambda one: (-one[1].first, one[0])):
            if sum(self.places[one].first for one in found) >= _FOUR_OF_FIVE or not place.first:
                break
            found.add(member)
        return found

    def chance_above(self, one: str, other: str) -> float:
        """The probability that one member is really better than the other."""
        error = sqrt(self.places[one].error ** 2 + self.places[other].error ** 2)
        lead = self._lead(one, other)
        if not error:
            return 0.5 if not lead else float(lead > 0)
        return erfc(-lead / error / sqrt(2)) / 2

    def nights_needed(self, one: str, other: str) -> int | None:
        """About how many nights of each tell two members apart; None for more than `NEEDED_MAX`."""
        lead = self._lead(one, other)
        needed = (_NINETY / lead) ** 2 * 2 * self.within if lead else NEEDED_MAX + 1
        return max(1, ceil(needed)) if needed <= NEEDED_MAX else None

    def _lead(self, one: str, other: str) -> float:
        lead = self.places[one].shrunk - self.places[other].shrunk
        return -lead if self.is_low else lead


def measure_certainty(scores: Mapping[str, Sequence[Exact]], *, is_low: bool = False) -> Certainty:
    """Measure how sure the places of a table are; who has no score has no place.

    The same scores give the same answer, in whatever order members and nights are given: the draws
    start from their digest.

    >>> season = {"A": [3, 1, 2, 2], "B": [1, 0, 2, 1], "C": [0, -1, 1, 0], "D": [-3, -3, -2, -4]}
    >>> found = measure_certainty(season)
    >>> found.within, found.between, round(found.places["A"].shrunk, 3)
    (Fraction(2, 3), Fraction(9, 2), 1.929)
    >>> round(found.chance_above("A", "B"), 4), found.nights_needed("A", "B")
    (0.9555, 3)
    """
    sums = {member: Sum() for member in sorted(scores) if scores[member]}
    for member, one in sums.items():
        for score in scores[member]:
            one.add(score)
    repeats = sum(one.n - 1 for one in sums.values())
    if len(sums) < _MEMBERS_LEAST or repeats < _REPEATS_LEAST:
        return Certainty(is_low=is_low, why=_say_lack(len(sums)))
    squares = sum((one.squares - one.mean * one.total for one in sums.values()), Fraction(0))
    within = squares / repeats
    table = Sum()
    for one in sums.values():
        table.add(one.mean)
    luck = within * sum((Fraction(1, one.n) for one in sums.values()), Fraction(0)) / len(sums)
    spread = Fraction(table.squares - table.mean * table.total) / (len(sums) - 1)
    between = max(Fraction(0), spread - luck)
    kept = {
        member: between / (between + within / one.n) if between else Fraction(0)
        for member, one in sums.items()
    }
    shrunk = {
        member: float(table.mean + kept[member] * (one.mean - table.mean))
        for member, one in sums.items()
    }
    errors = {member: sqrt(kept[member] * within / one.n) for member, one in sums.items()}
    seed = repr([(member, sorted(map(str, scores[member]))) for member in sums])
    ranks = _draw_ranks(shrunk, errors, is_low=is_low, seed=sha256(seed.encode()).digest())
    cut = DRAWS // 10
    return Certainty(
        places={
            member: LikelyPlace(
                n=one.n,
                mean=one.mean,
                shrunk=shrunk[member],
                error=errors[member],
                low=ranks[member][cut],
                high=ranks[member][-1 - cut],
                first=ranks[member].count(1) / DRAWS,
            )
            for member, one in sums.items()
        },
        within=within,
        between=between,
        is_low=is_low,
    )


def _say_lack(members: int) -> str:
    if members < _MEMBERS_LEAST:
        return Message("Too few have played: this needs {n} players.", n=_MEMBERS_LEAST)
    return Message("Too little has been played to tell how much results go up and down.")


def _draw_ranks(
    means: Mapping[str, float], errors: Mapping[str, float], *, is_low: bool, seed: bytes
) -> dict[str, list[int]]:
    """The places of everybody in the drawn tables, in ascending order."""
    random = Random(seed)  # noqa: S311 (the same results are to give the same draws)
    sign = 1 if is_low else -1
    members = [(member, sign * mean, errors[member]) for member, mean in means.items()]
    ranks: dict[str, list[int]] = {member: [] for member in means}
    for _ in range(DRAWS):
        # Equal ones, as where nothing but luck is found, stand in a drawn order too.
        drawn = [
            (mean + error * luck, luck, member)
            for member, mean, error in members
            for luck in [random.gauss(0, 1)]
        ]
        drawn.sort()
        for rank, (_score, _luck, member) in enumerate(drawn, 1):
            ranks[member].append(rank)
    for places in ranks.values():
        places.sort()
    return ranks
