"""Columns of scores: exact numbers, shown with as many decimal places as they need, at most two."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.reports.labels import COUNTS, heading_for
from tournaments.standings.choices import SPECS
from tournaments.standings.order import ordinal
from tournaments.standings.rows import RowData, total_of
from tournaments.tables.model import Column, ColumnKind, DroppedCell, Value

PLACES_MAX: Final = 2
COUNTBACK: Final = "places"
"""The key of how often each place was reached."""
AT_TABLES: Final = "chips"
"""The key of the chips won or the penalty points taken at the tables."""
_COUNTED_PLACES: Final = 6
"""So many places have a column each; of more the first three have, and all stand in one text."""
Score = int | Fraction | None
_COUNTS: Final = frozenset({"games", "hands_played", "events", "clean", "penalties", "playoff"})
_NOT_COLUMNS: Final = frozenset({"adjustments", "handicap", "hands"})
"""Parts of a total, and what other columns say."""
_ORDER: Final = [key for spec in SPECS for key in ([*COUNTS, spec] if spec == "events" else [spec])]
"""The order of `TieBreak`, with the counts of games and hands before those that are asked last."""
_LOT: Final = 8
"""So many digits of a lot tell it apart."""


@dataclass(frozen=True, slots=True)
class StandingsColumns:
    """The columns of numbers in standings.

    ``scores`` are the rounds of an event or the nights of a league, ``parts`` what else is in the
    total, ``about`` says which scores count. ``total`` is the total, and its exact fraction where
    it is rounded; ``others`` are tie-breaks and what else is counted.
    """

    scores: tuple[Column[RowData], ...]
    about: tuple[Column[RowData], ...]
    parts: tuple[Column[RowData], ...]
    total: tuple[Column[RowData], ...]
    others: tuple[Column[RowData], ...]

    @property
    def optional(self) -> tuple[Column[RowData], ...]:
        """Return the columns that a page shows to readers who choose them.

        Not what was dropped, which is struck through there, nor a countback of many places.
        """
        about = tuple(column for column in self.about if column.is_number)
        return (*about, *(one for one in self.others if one.key not in (COUNTBACK, AT_TABLES)))

    def __iter__(self) -> Iterator[Column[RowData]]:
        """All of them in the order in which files have them."""
        return chain(self.scores, self.about, self.parts, self.total, self.others)


def to_score(value: Any) -> Score:
    """A number of published standings, such as ``"7/4"``; None stays None."""
    return None if value is None else Fraction(value)


def decimal_places(scores: Iterable[Score]) -> int:
    """Return the decimal places that show all of some numbers exactly; at most two.

    >>> decimal_places([Fraction(3), Fraction(1, 2)]), decimal_places([Fraction(1, 3), None])
    (1, 2)
    """
    needed = 0
    for score in scores:
        while score is not None and needed < PLACES_MAX and (score * 10**needed) % 1:
            needed += 1
    return needed


def is_rounded(score: Score) -> bool:
    """Whether a number is not exactly what is shown of it."""
    return score is not None and (score * 10**PLACES_MAX) % 1 != 0


def score_column(
    key: str,
    title: str,
    value: Callable[[RowData], Value],
    rows: Sequence[RowData],
    *,
    places: int | None = None,
    description: str = "",
    day: date | None = None,
    is_exact: bool = True,
) -> Column[RowData]:
    """A column of numbers; ``places`` is worked out from the rows where it is not given."""
    if places is None:
        places = decimal_places(score_of(value(row)) for row in rows)
    return Column(
        key=key,
        title=title,
        kind=ColumnKind.DECIMAL if places else ColumnKind.INTEGER,
        decimal_places=places,
        value=value,
        description=description,
        day=day,
        is_exact=is_exact,
    )


def score_of(value: Value) -> Score:
    """The number in a cell."""
    match value:
        case DroppedCell(score):
            return score
        case int() | Fraction():
            return value
        case _:
            return None


def total_columns(title: str, rows: Sequence[RowData]) -> Iterator[Column[RowData]]:
    """The total; where one is rounded, the exact fractions beside it."""
    yield score_column("total", title, total_of, rows)
    if any(is_rounded(total_of(row)) for row in rows):
        yield Column(
            key="total_exact",
            title=_("%(total)s, exact") % {"total": title},
            kind=ColumnKind.FRACTION,
            value=total_of,
        )


def tie_break_columns(rows: Sequence[RowData]) -> Iterator[Column[RowData]]:
    """The columns beside the total that say something of somebody, always in the same order.

    Of how often each place was reached there is a column for each place.
    """
    keys = dict.fromkeys(key for row in rows for key in row["columns"] if key not in _NOT_COLUMNS)
    if all(row["columns"].get("scratch", row["total"]) == row["total"] for row in rows):
        keys.pop("scratch", None)
    for key in sorted(keys, key=lambda key: _ORDER.index(key) if key in _ORDER else len(_ORDER)):
        values = [row["columns"].get(key) for row in rows]
        if any(value not in (None, 0, "0", []) for value in values):
            yield from _tie_break_columns(key, rows, values)


def _tie_break_columns(
    key: str, rows: Sequence[RowData], values: list[Any]
) -> Iterator[Column[RowData]]:
    title, meaning = heading_for(key)
    if key == COUNTBACK:
        many = max(len(value or ()) for value in values)
        counts = {count for value in values for count in value or ()}
        places = decimal_places(map(to_score, counts))
        for place in range(many if many <= _COUNTED_PLACES else 3):
            words = translate(ordinal(place + 1))
            yield score_column(
                f"place_{place + 1}",
                words,
                _place_count(place),
                rows,
                places=places,
                description=_("how often in this place"),
                is_exact=False,
            )
        if many > _COUNTED_PLACES:
            yield Column(
                key=key,
                title=title,
                value=lambda row: ", ".join(_countback(row) or ()),
                description=meaning,
            )
    elif key == "lot":
        yield Column(
            key=key,
            title=title,
            value=lambda row: str(row["columns"].get(key) or "")[:_LOT],
            description=meaning,
        )
    else:
        yield score_column(
            key,
            title,
            lambda row: to_score(row["columns"].get(key)),
            rows,
            places=0 if key in _COUNTS else None,
            description=meaning,
            is_exact=False,
        )


def _place_count(place: int) -> Callable[[RowData], Score]:
    def count(row: RowData) -> Score:
        counts = _countback(row)
        if counts is None:
            return None
        return to_score(counts[place]) if place < len(counts) else Fraction(0)

    return count


def _countback(row: RowData) -> list[str] | None:
    counts = row["columns"].get(COUNTBACK)
    return counts if isinstance(counts, list) else None
