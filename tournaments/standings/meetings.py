"""Games against each other: the head-to-head of a set of tied entries (tournaments.md 4)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tournaments.standings.choices import TieBreak
from tournaments.standings.order import Criterion, Split
from tournaments.standings.tallies import EventTallies


class PossibleScore(NamedTuple):
    """The possible score of an entry, if all missing meetings had been played."""

    least: int
    most: int


Meeting = tuple[str, str, int]
"""Two entries, and 1, 0 or -1 for the first of them."""


def head_to_head(field: EventTallies) -> Criterion:
    """Return who beat whom at common tables, each game a meeting."""
    return versus(lambda tied: _at_tables(field, tied))


def versus(meetings: Callable[[frozenset[str]], Iterable[Meeting]]) -> Criterion:
    """Return results within a set of tied entries, +1, 0 or -1 for each meeting.

    If some pairs met less often than others, a missing meeting counts as lost for the least and
    as won for the most that an entry can have; only those whose reaches do not touch are parted.
    """

    def split(tied: Sequence[str]) -> Split:
        points: Counter[str] = Counter()
        met: Counter[tuple[str, str]] = Counter()
        for one, other, result in meetings(frozenset(tied)):
            met[min(one, other), max(one, other)] += 1
            points[one] += result
            points[other] -= result
        values = {name: points[name] for name in tied}
        return [(group, values) for group in split_by_reach(tied, _reaches(tied, points, met))]

    return Criterion(TieBreak.H2H.value, split, again=True)


def _at_tables(field: EventTallies, tied: frozenset[str]) -> Iterator[Meeting]:
    """Every meeting of two of them once."""
    met = Counter(number for name in tied for number in field.tallies[name].met)
    for number in sorted(number for number, seats in met.items() if seats > 1):
        game = field.games[number]
        seats = [
            (name, placed.place)
            for name, placed in zip(game.entries, game.placing, strict=True)
            if name in tied and placed.place
        ]
        for index, (one, place) in enumerate(seats):
            for other, theirs in seats[index + 1 :]:
                if one != other:
                    yield one, other, (place < theirs) - (place > theirs)


def _reaches(
    tied: Sequence[str], points: Mapping[str, int], met: Mapping[tuple[str, str], int]
) -> dict[str, PossibleScore]:
    most = max(met.values(), default=0)
    meetings: Counter[str] = Counter()
    for (one, other), times in met.items():
        meetings[one] += times
        meetings[other] += times
    due = most * (len(tied) - 1)
    return {
        name: PossibleScore(
            points[name] - due + meetings[name], points[name] + due - meetings[name]
        )
        for name in tied
    }


def split_by_reach(tied: Sequence[str], reaches: Mapping[str, PossibleScore]) -> list[list[str]]:
    """Groups of which every one in the upper could not have come to less than in the lower.

    >>> could = {"a": (2, 2), "b": (-1, 1), "c": (0, 0)}
    >>> reaches = {name: PossibleScore(*ends) for name, ends in could.items()}
    >>> split_by_reach(["a", "b", "c"], reaches)
    [['a'], ['b', 'c']]
    """
    rising = sorted(tied, key=lambda name: (reaches[name].least, reaches[name].most))
    groups: list[list[str]] = []
    ceiling: int | None = None
    for name in rising:
        if ceiling is None or reaches[name].least > ceiling:
            groups.append([])
        groups[-1].append(name)
        ceiling = reaches[name].most if ceiling is None else max(ceiling, reaches[name].most)
    return [sorted(group) for group in reversed(groups)]
