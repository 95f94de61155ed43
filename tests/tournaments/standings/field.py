"""Small fields for the tests of standings."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count, zip_longest

from tournaments.standings import (
    EventResult,
    ScoringRules,
    SeasonEvent,
    SeasonMember,
    SeatScore,
    TableScore,
)

_NUMBERS = count(1)


def scoring(method: str, **settings: object) -> ScoringRules:
    """A scoring from data."""
    return ScoringRules.from_data({"method": method, **settings})


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


def league(*names: str) -> list[SeasonMember]:
    """Members of a league."""
    return [SeasonMember(name) for name in names]


def nights(points: Mapping[str, Sequence[str | int | None]]) -> list[SeasonEvent]:
    """Events of a season, by what each member scored at each; None for an absence."""
    return [
        SeasonEvent(
            f"n{number}",
            number,
            tuple(
                EventResult(name, Fraction(score))
                for name, score in zip(points, scores, strict=True)
                if score is not None
            ),
        )
        for number, scores in enumerate(zip_longest(*points.values()), start=1)
    ]
