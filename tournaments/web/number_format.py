"""Numbers as people read them: exact where two decimals are enough, rounded otherwise."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.formats import get_format

from engine.analysis.worth import THOUSANDTHS
from engine.notation.values import show_money
from tournaments.core.language import translate
from tournaments.reports.score_columns import PLACES_MAX, is_rounded, score_of
from tournaments.tables import cells
from tournaments.tables.model import Column, ColumnKind, TableLocale, Value

NOTHING: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
_NUMBER: Final = re.compile(r"-?[0-9]+(/[0-9]+)?")
_LOT: Final = 8
"""So many digits of a lot tell it apart."""


def format_number(value: Any, *, signed: bool = False, places: int | None = None) -> str:
    """A number of standings, such as ``"7/4"``; a countback place by place; a dash for none.

    It has so many decimal ``places``, or else as many as it needs, two at most.

    >>> format_number("7/4"), format_number("7/3"), format_number(12), format_number(12, places=1)
    ('1.75', '2.33', '12', '12.0')
    >>> format_number("5", signed=True), format_number(["2", "0", "1/2"])
    ('+5', '2-0-0.5')
    """
    if value is None:
        return NOTHING
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "-".join(format_number(part) for part in value) or NOTHING
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return value[:_LOT]
    return _decimal(Fraction(value), signed=signed, places=places)


def _decimal(number: Fraction, *, signed: bool, places: int | None = None) -> str:
    text = cells.fixed_text(number, PLACES_MAX if places is None else places)
    if not text.strip("-0."):
        text = text.removeprefix("-")
    if places is None:
        text = text.rstrip("0").rstrip(".")
    if not text:
        return "0"
    text = localize_point(text)
    return f"+{text}" if signed and number > 0 and text.strip("0.,") else text.replace("-", MINUS)


def format_worth(worth: int | Fraction | float, *, signed: bool = True) -> str:
    """The worth or the loss of cards from thousandths, with one decimal place and its sign.

    >>> format_worth(-6927), format_worth(1250), format_worth(20)
    ('\N{MINUS SIGN}6.9', '+1.2', '0.0')
    """
    return _decimal(Fraction(round(worth * 10 / THOUSANDTHS), 10), places=1, signed=signed)


def reader_locale() -> TableLocale:
    """Return the locale of numbers and messages for the reader."""
    return TableLocale(decimal_sign=_decimal_sign(), say=translate)


def format_cell(column: Column[Any], value: Value, locale: TableLocale | None = None) -> str:
    """A cell of a table, with as many decimal places as its column has; a dash for none.

    Whoever formats many cells passes the ``locale``, which is made for each otherwise.
    """
    text = cells.format_cell(column, value, locale or reader_locale())
    if not text and column.is_number:
        return NOTHING
    return text.replace("-", MINUS, 1) if column.is_number else text


def format_exact_cell(column: Column[Any], value: Value) -> str:
    """Return the exact value of a number that its column shows rounded; else an empty text."""
    score = score_of(value)
    is_shown_rounded = column.kind is ColumnKind.DECIMAL and is_rounded(score)
    return _mixed(Fraction(score)) if score is not None and is_shown_rounded else ""


def _mixed(number: Fraction) -> str:
    return cells.mixed_text(number).replace("-", MINUS)


def _decimal_sign() -> str:
    return str(get_format("DECIMAL_SEPARATOR"))


def localize_point(text: str) -> str:
    """A number such as 12.50 with the decimal sign of the reader's language."""
    return text.replace(".", _decimal_sign())


def money(minor: int, currency: str | None) -> str:
    """An amount of minor units, to the last of them."""
    return localize_point(show_money(minor, currency)).replace("-", MINUS)


def format_exact(value: Any) -> str:
    """Return the exact value of a number that is shown rounded; empty if it is not rounded.

    >>> format_exact("7/4"), format_exact("7/3"), format_exact("5"), format_exact(None)
    ('', '2 1/3', '', '')
    """
    if not isinstance(value, str) or "/" not in value or not _NUMBER.fullmatch(value):
        return ""
    number = Fraction(value)
    return _mixed(number) if is_rounded(number) else ""


def format_clock(seconds: int) -> str:
    """Seconds as a clock shows them, in minutes and seconds.

    >>> format_clock(1122), format_clock(5), format_clock(4500)
    ('18:42', '0:05', '75:00')
    """
    return f"{seconds // 60}:{seconds % 60:02d}"


def parse_number(text: str | None) -> int:
    """A whole number from an address or a form, at most 9,999,999; 0 for anything else.

    >>> parse_number("7"), parse_number("-7"), parse_number("7" * 5000), parse_number(None)
    (7, 0, 0, 0)
    """
    if not text or len(text) > 7 or not (text.isascii() and text.isdigit()):
        return 0
    return int(text)
