"""Numbers as people read them: exact where two decimals are enough, rounded otherwise."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.formats import get_format

from engine.notation.values import show_money

NOTHING: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
_PLACES: Final = 2
_NUMBER: Final = re.compile(r"-?[0-9]+(/[0-9]+)?")
_LOT: Final = 8
"""So many digits of a lot tell it apart."""


def format_number(value: Any, *, signed: bool = False) -> str:
    """A number of standings, such as ``"7/4"``; a countback place by place; a dash for none.

    >>> format_number("7/4"), format_number("7/3"), format_number(12)
    ('1.75', '2.33', '12')
    >>> format_number("5", signed=True), format_number(["2", "0", "1/2"])
    ('+5', '2-0-0.5')
    """
    if value is None:
        return NOTHING
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "-".join(format_number(part) for part in value) or NOTHING
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return value[:_LOT]
    return _decimal(Fraction(value), signed=signed)


def _decimal(number: Fraction, *, signed: bool) -> str:
    rounded = round(abs(number) * 10**_PLACES)
    whole, rest = divmod(rounded, 10**_PLACES)
    text = localize_point(f"{whole}.{rest:0{_PLACES}}".rstrip("0")) if rest else str(whole)
    if number < 0 and rounded:
        return f"{MINUS}{text}"
    return f"+{text}" if signed and number > 0 else text


def localize_point(text: str) -> str:
    """A number such as 12.50 with the decimal sign of the reader's language."""
    return text.replace(".", str(get_format("DECIMAL_SEPARATOR")))


def money(minor: int, currency: str | None) -> str:
    """An amount of minor units, to the last of them."""
    return localize_point(show_money(minor, currency))


def format_exact(value: Any) -> str:
    """Return the exact value of a number that is shown rounded; empty if it is not rounded.

    >>> format_exact("7/4"), format_exact("7/3"), format_exact("5"), format_exact(None)
    ('', '7/3', '', '')
    """
    if not isinstance(value, str) or "/" not in value or not _NUMBER.fullmatch(value):
        return ""
    number = Fraction(value)
    return "" if (number * 10**_PLACES).denominator == 1 else value.replace("-", MINUS)


def parse_number(text: str | None) -> int:
    """A whole number from an address or a form, at most 9,999,999; 0 for anything else.

    >>> parse_number("7"), parse_number("-7"), parse_number("7" * 5000), parse_number(None)
    (7, 0, 0, 0)
    """
    if not text or len(text) > 7 or not (text.isascii() and text.isdigit()):
        return 0
    return int(text)
