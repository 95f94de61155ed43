"""Boards: the same deal and seat compared between tables (tournaments.md 3)."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from tournaments.standings.choices import Method, UnequalBoards, UnplayedBoards
from tournaments.standings.exact import Exact
from tournaments.standings.results import BoardScore
from tournaments.standings.scoring import ScoringRules


class BoardValue(NamedTuple):
    """The value of a board for an entry; ``share`` is that of the most matchpoints, or None."""

    row: BoardScore
    value: Fraction
    share: Fraction | None


def matchpoints(scores: Sequence[Exact]) -> list[int]:
    """2 for each lower score, 1 for each equal one.

    >>> matchpoints([7, -2, 7, 0, -5])
    [7, 2, 7, 4, 0]
    """
    rising = sorted(scores)
    return [bisect_left(rising, score) + bisect_right(rising, score) - 1 for score in scores]


def neuberg(points: int, played: int, most: int) -> Fraction:
    """Matchpoints of a board that was played fewer times than others.

    >>> str(neuberg(4, 6, 7)), str(neuberg(9, 6, 7))
    ('29/6', '32/3')
    """
    return Fraction((points + 1) * most, played) - 1


def datum_differences(scores: Sequence[Exact]) -> list[Fraction]:
    """Each score less the mean of the others; nothing where there is no other.

    >>> [str(value) for value in datum_differences([7, -2, 7, 0, -5])]
    ['7', '-17/4', '7', '-7/4', '-8']
    """
    others = len(scores) - 1
    if others < 1:
        return [Fraction(0)] * len(scores)
    total = sum(scores)
    return [score - Fraction(total - score) / others for score in scores]


def board_values(boards: Iterable[BoardScore], scoring: ScoringRules) -> Iterator[BoardValue]:
    """Yield every board's value by the method of an event; none under other methods."""
    seats: dict[tuple[int, int], list[BoardScore]] = defaultdict(list)
    for row in boards:
        seats[row.board, row.seat].append(row)
    played = {at: [row for row in rows if row.score is not None] for at, rows in seats.items()}
    most = max(map(len, played.values()), default=0)
    for at, every in sorted(seats.items()):
        rows = played[at]
        if scoring.unplayed_boards is UnplayedBoards.AVERAGE:
            missed = [row for row in every if row.score is None]
            yield from _assigned_averages(missed, len(rows), most, scoring)
        scores = [_falling(row, scoring) for row in rows]
        if scoring.method is Method.MATCHPOINTS:
            yield from _matchpoint_values(rows, scores, most, scoring.unequal_boards)
        elif scoring.method is Method.DATUM:
            differences = datum_differences(scores)
            yield from (
                BoardValue(row, value, None) for row, value in zip(rows, differences, strict=True)
            )


def _falling(row: BoardScore, scoring: ScoringRules) -> Exact:
    """A score of which more is better."""
    assert row.score is not None
    low = scoring.low if row.low is None else row.low
    return -row.score if low else row.score


def _assigned_averages(
    rows: Sequence[BoardScore], played: int, most: int, scoring: ScoringRules
) -> Iterator[BoardValue]:
    """The average for those whose table did not play a board that ``played`` others did."""
    if scoring.method is Method.MATCHPOINTS:
        raised = scoring.unequal_boards is UnequalBoards.NEUBERG
        times = most if raised else played
        half = Fraction(max(times - 1, 0))
        yield from (BoardValue(row, half, Fraction(1, 2)) for row in rows)
    elif scoring.method is Method.DATUM:
        yield from (BoardValue(row, Fraction(0), None) for row in rows)


def _matchpoint_values(
    rows: Sequence[BoardScore], scores: Sequence[Exact], most: int, unequal: UnequalBoards
) -> Iterator[BoardValue]:
    raised = unequal is UnequalBoards.NEUBERG and len(rows) < most
    times = most if raised else len(rows)
    for row, points in zip(rows, matchpoints(scores), strict=True):
        value = neuberg(points, len(rows), most) if raised else Fraction(points)
        top = 2 * (times - 1)
        yield BoardValue(row, value, value / top if top else Fraction(1, 2))
