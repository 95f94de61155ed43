"""Order: criteria applied one after the other until all ties that they can break are broken.

Nothing is drawn at random. Who is tied to the end shares the place, and is listed by id.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, zip_longest
from typing import Any, Final, NamedTuple

from tournaments.standings.exact import Json, Value, data_of, show

SCORE: Final = "score"
"""The key of the total itself."""
_WORDS: Final = {
    SCORE: "score",
    "wins": "wins",
    "sole_wins": "sole wins",
    "places": "places",
    "chips": "chips",
    "h2h": "games against each other",
    "opp": "opponents' mean score",
    "opp_cut1": "opponents' mean score without the lowest",
    "sb": "scores of the opponents beaten",
    "last": "the last round",
    "progressive": "the sum of running totals",
    "best": "the best game",
    "worst": "the worst game",
    "average": "average",
    "clean": "clean hands",
    "penalties": "fewer penalties",
    "scratch": "score without handicap",
    "hands": "games and hands played",
    "events": "events played",
    "playoff": "the play-off",
    "lot": "lot",
}
_ORDINALS: Final = {1: "st", 2: "nd", 3: "rd"}

Split = list[tuple[list[str], Mapping[str, Value]]]
"""Groups in their order, each with the values by which it was told apart."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One step of the chain: parts entries that were equal so far into groups, the best first.

    ``again`` says that it may tell more apart in the smaller groups that it made.
    """

    key: str
    split: Callable[[Sequence[str]], Split]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """Why an entry stands ahead of the next one below: the first key that told them apart."""

    over: str
    key: str
    mine: Value
    theirs: Value

    def sentence(self, names: Mapping[str, str]) -> str:
        """The reason in words.

        >>> Decided("b", "sole_wins", 3, 2).sentence({"b": "Bo"})
        'ahead of Bo by sole wins 3 v 2'
        """
        key, mine, theirs = self._compared()
        return f"ahead of {names.get(self.over, self.over)} by {key} {show(mine)} v {show(theirs)}"

    def _compared(self) -> tuple[str, Value, Value]:
        """A countback is told by the first place in which two differ."""
        words = _WORDS.get(self.key, self.key)
        if isinstance(self.mine, tuple) and isinstance(self.theirs, tuple) and self.key == "places":
            for number, pair in enumerate(zip_longest(self.mine, self.theirs, fillvalue=0), 1):
                if pair[0] != pair[1]:
                    return f"{_ordinal(number)} places", *pair
        return words, self.mine, self.theirs

    def to_data(self) -> dict[str, Json]:
        """The reason as JSON."""
        return {
            "over": self.over,
            "key": self.key,
            "mine": data_of(self.mine),
            "theirs": data_of(self.theirs),
        }


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINALS.get(number % 10, "th")
    return f"{number}{ending}"


class Rank(NamedTuple):
    """A place: shared ones reach from the first to the last place that they cover."""

    first: int
    last: int

    @property
    def tied(self) -> int:
        """How many share it."""
        return self.last - self.first + 1

    @property
    def label(self) -> str:
        """The place as it is shown: ``=2`` for every one who shares it."""
        return f"={self.first}" if self.tied > 1 else str(self.first)


class Standing(NamedTuple):
    """An entry in its place, and what put it ahead of the next."""

    entry: str
    rank: Rank
    decided: Decided | None


def by_value(key: str, values: Mapping[str, Any], *, low: bool = False) -> Criterion:
    """A criterion that compares one value of each entry; who has none comes last."""

    def split(tied: Sequence[str]) -> Split:
        having = [entry for entry in tied if values[entry] is not None]
        lacking = [entry for entry in tied if values[entry] is None]
        having.sort(key=values.__getitem__, reverse=not low)
        groups = [list(group) for _, group in groupby(having, key=values.__getitem__)]
        return [(group, values) for group in [*groups, *([lacking] if lacking else [])]]

    return Criterion(key, split)


class _Cut(NamedTuple):
    """What parts a group from the next below."""

    key: str
    above: Mapping[str, Value]
    below: Mapping[str, Value]


def order(entries: Collection[str], criteria: Iterable[Criterion]) -> list[Standing]:
    """Entries in their places.

    >>> points = {"a": 10, "b": 12, "c": 10, "d": 4}
    >>> [standing.rank.label for standing in order(points, [by_value("score", points)])]
    ['1', '=2', '=2', '4']
    """
    groups = [sorted(entries)]
    cuts: list[_Cut] = []
    for criterion in criteria:
        before = 0
        while before < len(groups):
            before = len(groups) if criterion.again else len(entries) + 1
            groups, cuts = _refined(groups, cuts, criterion)
    return list(_standings([group for group in groups if group], cuts))


def _refined(
    groups: list[list[str]], cuts: list[_Cut], criterion: Criterion
) -> tuple[list[list[str]], list[_Cut]]:
    finer: list[list[str]] = []
    between: list[_Cut] = []
    for number, group in enumerate(groups):
        if number:
            between.append(cuts[number - 1])
        parts: Split = criterion.split(group) if len(group) > 1 else [(group, {})]
        finer += [part for part, _ in parts]
        between += [_Cut(criterion.key, above, below) for (_, above), (_, below) in pairwise(parts)]
    return finer, between


def _standings(groups: Sequence[Sequence[str]], cuts: Sequence[_Cut]) -> Iterable[Standing]:
    first = 1
    for number, group in enumerate(groups):
        rank = Rank(first, first + len(group) - 1)
        for entry in sorted(group):
            yield Standing(entry, rank, _decided(entry, number, groups, cuts))
        first += len(group)


def _decided(
    entry: str, number: int, groups: Sequence[Sequence[str]], cuts: Sequence[_Cut]
) -> Decided | None:
    if number + 1 >= len(groups):
        return None
    cut, over = cuts[number], min(groups[number + 1])
    return Decided(over, cut.key, cut.above.get(entry), cut.below.get(over))
