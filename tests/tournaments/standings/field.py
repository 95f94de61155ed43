"""Small fields for the tests of standings."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import count

from tournaments.standings import Scoring, SeatScore, TableScore

_NUMBERS = count(1)


def scoring(method: str, **settings: object) -> Scoring:
    """A scoring from data."""
    return Scoring.from_data({"method": method, **settings})


def table(
    scores: Mapping[str, int | Fraction],
    round: int = 1,  # noqa: A002
    hands: int = 10,
    fixed: Mapping[str, int] | None = None,
) -> TableScore:
    """One game at a table of its own; every seat plays all hands."""
    number = next(_NUMBERS)
    seats = tuple(
        SeatScore(entry, score, hands, fixed=(fixed or {}).get(entry))
        for entry, score in scores.items()
    )
    return TableScore(f"T{number:05}", round, number, 1, hands, seats)
