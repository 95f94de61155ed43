"""Order: criteria applied one after the other until all ties that they can break are broken.

Nothing is drawn at random. Who is tied to the end shares the place, and is listed by id.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise, zip_longest
from math import lcm
from typing import Any, Final, NamedTuple, TypedDict

from engine.core.messages import Message
from tournaments.standings.choices import SPECS
from tournaments.standings.exact import Countback, Value, ValueData, common, data_of, show

SCORE: Final = "score"
"""The key of the total itself."""
PLACE: Final = "place"
"""The key of a place that was written down."""
_REASONS: Final = {SCORE: Message("score"), PLACE: Message("the place on record")}
_MANY: Final = 8
"""So many fractions are put in order sooner as whole numbers."""
_TH: Final = Message("{number}th")
_ORDINALS: Final = {1: Message("{number}st"), 2: Message("{number}nd"), 3: Message("{number}rd")}

_Cut = tuple[str, Mapping[str, Value], Mapping[str, Value]]
"""The cut between a group and the next below: its key, the values above it and those below."""
TieSplit = tuple[list[list[str]], list[_Cut]]
"""Groups in their order, and the cuts between them."""
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


class DecidedData(TypedDict):
    """By which key an entry is ahead of the next one, ``over``, and the values of both."""

    over: str
    key: str
    mine: ValueData
    theirs: ValueData


class TieBreakReason(NamedTuple):
    """Why an entry stands ahead of the next one below: the first key that told them apart."""

    over: str
    key: str
    mine: Value
    theirs: Value

    def sentence(self, names: Mapping[str, str]) -> str:
        """The reason in words.

        >>> TieBreakReason("b", "sole_wins", 3, 2).sentence({"b": "Bo"})
        'ahead of Bo by sole wins 3 v 2'
        """
        key, mine, theirs = self._compared_values()
        return Message(
            "ahead of {other} by {key} {mine} v {theirs}",
            other=names.get(self.over, self.over),
            key=key,
            mine=show(mine),
            theirs=show(theirs),
        )

    def _compared_values(self) -> tuple[str, Value, Value]:
        """A countback is told by the first place in which two differ."""
        words = reason_for(self.key)
        if isinstance(self.mine, tuple) and isinstance(self.theirs, tuple) and self.key == "places":
            for number, pair in enumerate(zip_longest(self.mine, self.theirs, fillvalue=0), 1):
                if pair[0] != pair[1]:
                    return Message("{ordinal} places", ordinal=ordinal(number)), *pair
        return words, self.mine, self.theirs

    def to_data(self) -> DecidedData:
        """The reason as JSON."""
        return {
            "over": self.over,
            "key": self.key,
            "mine": data_of(self.mine),
            "theirs": data_of(self.theirs),
        }


def ordinal(number: int) -> Message:
    """Say a number as a place: 1st, 2nd, 11th."""
    tens = number % 100 // 10
    template = _TH if tens == 1 else _ORDINALS.get(number % 10, _TH)
    return Message(template.template, number=number)


def reason_for(key: str) -> str:
    """Say what somebody is ahead by; a key that standings have no longer as it is."""
    spec = SPECS.get(key)
    return spec.reason if spec else _REASONS.get(key, key)


class SharedRank(NamedTuple):
    """A place: shared ones reach from the first to the last place that they cover."""

    first: int
    last: int

    @property
    def tied(self) -> int:
        """The number of those who share it."""
        return self.last - self.first + 1

    @property
    def label(self) -> str:
        """The place as it is shown: ``=2`` for every one who shares it."""
        return f"={self.first}" if self.tied > 1 else str(self.first)


class RankData(TypedDict):
    """A place; ``label`` is how it is shown."""

    rank_from: int | None
    rank_to: int | None
    tied: int
    label: str


def rank_data(rank: SharedRank | None) -> RankData:
    """A place as JSON."""
    return {
        "rank_from": rank.first if rank else None,
        "rank_to": rank.last if rank else None,
        "tied": rank.tied if rank else 0,
        "label": rank.label if rank else "",
    }


class RankedEntry(NamedTuple):
    """An entry in its place, and what put it ahead of the next."""

    entry: str
    rank: SharedRank
    decided: TieBreakReason | None


def by_value(key: str, values: Mapping[str, Any], *, low: bool = False) -> Criterion:
    """A criterion that compares one value of each entry; who has none comes last."""

    def split(tied: Sequence[str]) -> Split:
        having = [entry for entry in tied if values[entry] is not None]
        lacking = [entry for entry in tied if values[entry] is None]
        compared = values if len(having) < _MANY else _comparable(having, values)
        having.sort(key=compared.__getitem__, reverse=not low)
        groups = [list(group) for _, group in groupby(having, key=compared.__getitem__)]
        return [(group, values) for group in [*groups, *([lacking] if lacking else [])]]

    return Criterion(key, split)


def _comparable(entries: Sequence[str], values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Numbers, and those of countbacks, as whole parts of one measure; other values as they are."""
    given = [values[entry] for entry in entries]
    if all(isinstance(value, (int, Fraction)) for value in given):
        return dict(zip(entries, common(given)[0], strict=True))
    if all(isinstance(value, Countback) for value in given):
        measure = lcm(*{value.measure for value in given})
        return {
            entry: value.in_parts_of(measure) for entry, value in zip(entries, given, strict=True)
        }
    return values


def _split(criterion: Criterion, tied: Sequence[str]) -> TieSplit:
    parts = criterion.split(tied)
    cuts = [(criterion.key, above, below) for (_, above), (_, below) in pairwise(parts)]
    return [part for part, _ in parts], cuts


class Ordering:
    """Entries put in order step by step: each criterion parts what those before left tied."""

    def __init__(self, entries: Collection[str]) -> None:
        self._count = len(entries)
        self._groups = [sorted(entries)] if entries else []
        self._cuts: list[_Cut] = []

    def refine(self, criterion: Criterion) -> None:
        """Part what is tied by one more criterion."""
        before = 0
        while before < len(self._groups) < self._count:
            before = len(self._groups) if criterion.again else self._count
            self.refine_each(partial(_split, criterion))

    def refine_each(self, split: Callable[[list[str]], TieSplit]) -> None:
        """Part each group that is tied as ``split`` does, which gets its members."""
        finer: list[list[str]] = []
        between: list[_Cut] = []
        for number, group in enumerate(self._groups):
            if number:
                between.append(self._cuts[number - 1])
            groups, cuts = ([group], []) if len(group) == 1 else split(group)
            finer += groups
            between += cuts
        self._groups, self._cuts = finer, between

    def to_split(self) -> TieSplit:
        """Return the groups and the cuts between them, with the values of nobody else."""
        names = self.entries()

        def keep(values: Mapping[str, Value]) -> Mapping[str, Value]:
            return {name: values.get(name) for name in names}

        return self._groups, [(key, keep(above), keep(below)) for key, above, below in self._cuts]

    def entries(self) -> list[str]:
        """The entries, those who share a place by id."""
        return [entry for group in self._groups for entry in sorted(group)]

    def ranks(self) -> dict[str, SharedRank]:
        """The place of each entry."""
        found: dict[str, SharedRank] = {}
        first = 1
        for group in self._groups:
            rank = SharedRank(first, first + len(group) - 1)
            for entry in group:
                found[entry] = rank
            first += len(group)
        return found

    def standings(self) -> list[RankedEntry]:
        """The entries in their places, each with what put it ahead of the next."""
        ranks = self.ranks()
        found: list[RankedEntry] = []
        for number, group in enumerate(self._groups):
            below = min(self._groups[number + 1]) if number + 1 < len(self._groups) else None
            for entry in sorted(group):
                decided = None
                if below is not None:
                    key, above, under = self._cuts[number]
                    decided = TieBreakReason(below, key, above.get(entry), under.get(below))
                found.append(RankedEntry(entry, ranks[entry], decided))
        return found


def order(entries: Collection[str], criteria: Iterable[Criterion]) -> list[RankedEntry]:
    """Entries in their places.

    >>> points = {"a": 10, "b": 12, "c": 10, "d": 4}
    >>> [standing.rank.label for standing in order(points, [by_value("score", points)])]
    ['1', '=2', '=2', '4']
    """
    ordering = Ordering(entries)
    for criterion in criteria:
        ordering.refine(criterion)
    return ordering.standings()
