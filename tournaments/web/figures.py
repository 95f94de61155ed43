"""Figures of a player as a page shows them, each with its definition and how sure it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.core.language import translate
from tournaments.statistics import Figure, Unit
from tournaments.statistics.catalogue import Group
from tournaments.web.number_format import format_number

_PARTS: Final = (Unit.RATE, Unit.SPREAD)
_SUITS: Final[Mapping[object, object]] = {
    "spades": gettext_lazy("spades"),
    "hearts": gettext_lazy("hearts"),
    "diamonds": gettext_lazy("diamonds"),
    "clubs": gettext_lazy("clubs"),
}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One number; ``mean`` is empty where too little is known to say it."""

    of: str
    n: int
    mean: str
    interval: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A figure with its sentence, as one number or one for each group."""

    key: str
    title: str
    words: str
    is_single: bool
    rows: list[FigureRow]


def describe_figures(found: Iterable[Figure]) -> list[Definition]:
    """Figures in the order of the catalogue, those of one kind together."""
    kinds = groupby(found, key=lambda one: one.statistic.key)
    return [_definition(list(rows)) for _key, rows in kinds]


def _definition(rows: Sequence[Figure]) -> Definition:
    one = rows[0].statistic
    return Definition(
        key=one.key,
        title=translate(one.title),
        words=translate(one.definition),
        is_single=len(rows) == 1 and not rows[0].group,
        rows=[_figure_row(row) for row in rows],
    )


def _figure_row(one: Figure) -> FigureRow:
    is_part = one.statistic.unit in _PARTS
    known = not one.hidden and one.low is not None and one.high is not None
    return FigureRow(
        of=_of(one.group),
        n=one.n,
        mean="" if one.hidden else _number(one.mean if is_part else one.shrunk, is_part=is_part),
        interval=_interval(one, is_part=is_part) if known else "",
    )


def _of(group: Group) -> str:
    """What a number is of: a suit, a count, or a seat at a table of so many."""
    parts = [str(_SUITS.get(part, part)) for part in group]
    if len(parts) == 2:
        return _("%(players)s at the table: %(place)s") % {"players": parts[0], "place": parts[1]}
    return ", ".join(parts)


def _interval(one: Figure, *, is_part: bool) -> str:
    assert one.low is not None
    assert one.high is not None
    ends = (
        Fraction(one.low).limit_denominator(10_000),
        Fraction(one.high).limit_denominator(10_000),
    )
    low, high = (_number(end, is_part=is_part) for end in ends)
    return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}


def _number(value: Fraction, *, is_part: bool) -> str:
    return (
        f"{format_number(str(round(100 * value)))} %"
        if is_part
        else format_number(str(round(value, 2)))
    )
