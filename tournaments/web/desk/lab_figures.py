"""The figures of bots' games in words: beside a switch, and of one rule set against another.

The figures are those of `engine.analysis.lab`: of bots, not of a club. Nothing here says which
rules are better.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.analysis.lab import PARTS_OF_HANDS, Estimate, Figure, LabLine, find_shipped
from engine.core.messages import Choice
from engine.rules.rules import Rules, RulesError, change
from engine.rules.switch_specs import SWITCHES
from tournaments.core.language import translate
from tournaments.web.number_format import localize_point

_USUAL_SIZE: Final = 4
_NUMBERS: Final = {"starting_chips": (30, 100), "limit": (50,)}
"""Values of numbers of which figures are shipped."""
_FEW: Final = 10
"""Below so much a figure is shown with one decimal place."""


def describe_effects(book: Rules, name: str) -> str:
    """Say what each other value of a switch makes of a game by the book; empty if not known."""
    players = min(_USUAL_SIZE, book.players.most)
    usual, own = find_shipped(book, players), getattr(book, name)
    values: Iterable[Any] = [*type(own)] if isinstance(own, Choice) else _NUMBERS.get(name, ())
    if usual is None:
        return ""
    lines = [(value, line) for value in values if (line := _find_line(book, name, value, players))]
    said = [
        _describe_effect(translate(SWITCHES[name].say(value)).removesuffix("."), line, usual)
        for value, line in lines
        if line is not usual
    ]
    if not said:
        return ""
    games = min(line.games for _value, line in lines)
    bots = ngettext(
        "%(n)s game of bots, not your club.", "%(n)s games of bots, not your club.", games
    )
    return " ".join([*said, bots % {"n": games}])


def _find_line(book: Rules, name: str, value: Any, players: int) -> LabLine | None:
    try:
        return find_shipped(change(book, {name: SWITCHES[name].write(value)}), players)
    except RulesError:
        return None


def _describe_effect(words: str, line: LabLine, usual: LabLine) -> str:
    hands, before = line.figures[Figure.HANDS], usual.figures[Figure.HANDS]
    said = _("With “%(value)s” a game has %(hands)s hands (%(low)s to %(high)s)") % {
        "value": words,
        "hands": format_figure(Figure.HANDS, hands),
        "low": line.low,
        "high": line.high,
    }
    if hands.differs_from(before):
        said = _("%(sentence)s instead of %(hands)s") % {
            "sentence": said,
            "hands": format_figure(Figure.HANDS, before),
        }
    for key, text in (
        (Figure.NOT_WON, _("the pot is not won in %(now)s of the hands instead of %(before)s")),
        (Figure.MOON, _("there is a moon in %(now)s of the hands instead of %(before)s")),
    ):
        now, then = line.figures.get(key), usual.figures.get(key)
        if now is not None and then is not None and now.differs_from(then):
            part = text % {"now": format_figure(key, now), "before": format_figure(key, then)}
            said = f"{said}; {part}"
    return f"{said}."


def format_figure(key: Figure, one: Estimate) -> str:
    """A figure: a part in per cent, anything else with a decimal place where it is small.

    >>> format_figure(Figure.NOT_WON, Estimate(0.456, 0.01))
    '46 %'
    >>> format_figure(Figure.HANDS, Estimate(21.6, 1)), format_figure(Figure.BID, Estimate(5.51, 1))
    ('22', '5.5')
    """
    if key in PARTS_OF_HANDS:
        return f"{100 * one.value:.0f} %" if one.value >= 0.1 else _tenths(100 * one.value, " %")
    if key is not Figure.SPREAD and abs(one.value) >= _FEW:
        return f"{one.value:.0f}"
    return _tenths(one.value, "")


def _tenths(value: float, unit: str) -> str:
    return localize_point(f"{value:.1f}{unit}").replace("-", "\N{MINUS SIGN}")


def _format_error(key: Figure, one: Estimate) -> str:
    """The standard error of a figure, in its unit."""
    return _tenths(one.error * (100 if key in PARTS_OF_HANDS else 1), "")


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A figure of two rule sets; ``differs`` by more than two standard errors."""

    title: str
    first: str
    first_error: str
    second: str
    second_error: str
    differs: bool


def compare_lines(first: LabLine, second: LabLine) -> list[ComparedFigure]:
    """The figures that two rule sets have in common."""
    return [
        ComparedFigure(
            translate(key.words),
            format_figure(key, mine),
            _format_error(key, mine),
            format_figure(key, theirs),
            _format_error(key, theirs),
            mine.differs_from(theirs),
        )
        for key in Figure
        if (mine := first.figures.get(key)) is not None
        and (theirs := second.figures.get(key)) is not None
    ]
