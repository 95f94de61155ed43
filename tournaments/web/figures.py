"""Figures of a player as a page shows them, each with its definition and how sure it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.reports.statistics import group_words, interval, is_part, shown_value
from tournaments.statistics import Figure
from tournaments.web.number_format import format_number


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


def describe_figures(figures: Iterable[Figure]) -> list[Definition]:
    """Figures in the order of the catalogue, those of one kind together."""
    kinds = groupby(figures, key=lambda one: one.statistic.key)
    return [_definition(list(rows)) for _key, rows in kinds]


def _definition(rows: Sequence[Figure]) -> Definition:
    statistic = rows[0].statistic
    return Definition(
        key=statistic.key,
        title=translate(statistic.title),
        words=translate(statistic.definition),
        is_single=len(rows) == 1 and not rows[0].group,
        rows=[
            FigureRow(
                of=group_words(row.group),
                n=row.n,
                mean="" if row.hidden else _number(shown_value(row), row),
                interval="" if row.hidden else _interval(row),
            )
            for row in rows
        ],
    )


def _interval(figure: Figure) -> str:
    low, high = (None if end is None else _number(end, figure) for end in interval(figure))
    if low is None or high is None:
        return ""
    return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}


def _number(value: Fraction, figure: Figure) -> str:
    return (
        f"{format_number(round(value))} %"
        if is_part(figure)
        else format_number(str(round(value, 2)))
    )
