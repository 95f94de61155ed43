"""Units of the cells of a table of nights: points, chips, penalty points or places."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from engine.core.messages import Message

POINTS, CHIPS, PENALTY, PLACES = "points", "chips", "penalty", "places"
NIGHT_UNITS: Final[Mapping[str, Mapping[str, Any]]] = {
    POINTS: {},
    CHIPS: {"method": "chips"},
    PENALTY: {"method": "points"},
    PLACES: {},
}
"""The choices of what the cells of nights hold, each with the scoring of its events."""
UNIT_TITLES: Final = {
    POINTS: Message("points, more is better"),
    CHIPS: Message("chips, more is better"),
    PENALTY: Message("penalty points, less is better"),
    PLACES: Message("places"),
}
_CHIPS: Final = re.compile(r"\b(?:chips?|jetons?|spielmarken)\b")
_FEW: Final = 3
"""The numbers of so few people, or of one night, may happen to be 1, 2, 3."""
_ROWS_LEAST: Final = 4
"""With fewer rows their order says nothing."""


@dataclass(frozen=True, slots=True)
class StatedRow:
    """The name, total and place that the file has in a row."""

    name: str
    total: Fraction | None
    place: int | None


def guess_unit(rows: Sequence[StatedRow], texts: Iterable[str]) -> str:
    """Return the unit that places or the order of the rows tell; empty if they do not.

    ``texts`` are folded: titles and headings.
    """
    ranked = sorted(
        ((row.place, row.total) for row in rows if row.place and row.total is not None),
        key=lambda one: one[0],
    )
    totals = [total for _place, total in ranked]
    if len({place for place, _total in ranked}) < 2:
        named = [row for row in rows if row.total is not None]
        names = [row.name.casefold() for row in named]
        is_by_name = names == sorted(names)
        totals = [] if is_by_name or len(named) < _ROWS_LEAST else [
            row.total for row in named if row.total is not None
        ]  # fmt: skip
    if len(set(totals)) < 2:
        return ""
    if all(one <= two for one, two in pairwise(totals)):
        return PENALTY
    if all(one >= two for one, two in pairwise(totals)):
        return CHIPS if any(_CHIPS.search(text) for text in texts) else POINTS
    return ""


def are_places(nights: Iterable[Sequence[Fraction]]) -> bool:
    """Whether the numbers of each night are the places of so many people, shared ones as usual.

    >>> are_places([[Fraction(n) for n in (2, 1, 2, 4)], [Fraction(n) for n in (1, 2, 3, 4)]])
    True
    >>> are_places([[Fraction(n) for n in (2, 1, 2, 5)]] * 2), are_places([])
    (False, False)
    """
    held = [sorted(values) for values in nights if len(values) > _FEW]
    return len(held) > 1 and all(
        value in (place, values[place - 2])
        for values in held
        for place, value in enumerate(values, 1)
        if place > 1 or value != 1
    )
