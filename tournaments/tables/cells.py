"""Cells and heads in words and numbers: the same in every format, and never a formula."""

from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any
from unicodedata import bidirectional

from engine.core.messages import Message
from tournaments.tables.model import (
    ENGLISH,
    Column,
    ColumnKind,
    DroppedCell,
    LinkCell,
    Properties,
    RankCell,
    TableLocale,
    Value,
)

PLACES = 6
"""Behind the point where an exact number has no end: in files that know decimal numbers only."""
EXACT_PLACES = 15
"""Behind the point of a number without an end, where a program has to tell the number from it."""
_ROWS_OF_HEADING = 3
"""So many rows have a heading in common on average, or none has."""
_STARTERS = frozenset("=+-@\t\r\n\0|%＝＋－＠")  # noqa: RUF001 (as full-width letters too)
_REMARK = "% "
"""What a record begins with; unlike "%0A" nothing takes it for the beginning of a formula."""
_BLANKS = frozenset(
    " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u200b\u200c\u200d\u202f\u205f\u2060\u3000\ufeff\u0085\u2028\u2029\v\f"
)
_SHOWN = "\ufffd"
_EMBEDDINGS = range(0x202A, 0x202F)  # they turn the text around that comes after a name as well
_BAD = {
    number: _SHOWN
    for number in (*range(32), 127, *_EMBEDDINGS, 0xFFFE, 0xFFFF)
    if number not in (9, 10, 13)
}
_FROM_THE_RIGHT = frozenset({"R", "AL"})
_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def heading_places(columns: Sequence[Column[Any]], rows: Sequence[Sequence[object]]) -> list[int]:
    """Return the places of columns that are told once above the rows that share their cells.

    None where a heading would have too few rows on average, or nothing would be left below it.
    """
    above = [place for place, column in enumerate(columns) if column.is_heading]
    runs = sum(1 for _run in groupby(rows, lambda row: [row[place] for place in above]))
    is_worth_it = 0 < len(above) < len(columns) and len(rows) >= _ROWS_OF_HEADING * runs
    return above if rows and is_worth_it else []


def say_heading(columns: Sequence[Column[Any]], cells: Sequence[str]) -> str:
    """Say what rows share: a number with what it is, such as Round 2.

    >>> columns = [Column(key=title, title=title, value=str) for title in ("Event", "Round")]
    >>> say_heading(columns, ["Cup", "2"]), say_heading(columns, ["Cup", ""])
    ('Cup · Round 2', 'Cup')
    """
    words = [
        f"{column.heading} {cell}" if cell.isdecimal() else cell
        for column, cell in zip(columns, cells, strict=True)
        if cell
    ]
    nothing = f"{columns[0].heading}: \N{EN DASH}"
    return " \N{MIDDLE DOT} ".join(words) or nothing


def readable(text: str) -> str:
    """Replace what no file may hold by the sign for it.

    That are control characters, those that turn the direction of writing, and half characters.
    """
    if text.isprintable():
        return text
    text = text.translate(_BAD)
    return "".join(_SHOWN if "\ud800" <= sign <= "\udfff" else sign for sign in text)


def isolate_name(name: str) -> str:
    """Return a name for a line of plain text, whose other words stay in order around it.

    >>> isolate_name("Bo L.")
    'Bo L.'
    """
    if not any(bidirectional(sign) in _FROM_THE_RIGHT for sign in name):
        return name
    inside = name.translate(_ISOLATES)
    return f"\N{FIRST STRONG ISOLATE}{inside}\N{POP DIRECTIONAL ISOLATE}"


def guard_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    So it does before one that has such an apostrophe already: `unguard_formula` gives every text
    back.
    """
    return f"'{text}" if _is_dangerous(text.lstrip("'")) else text


def unguard_formula(text: str) -> str:
    """Take the apostrophe away again that `guard_formula` put there."""
    return text[1:] if text.startswith("'") and _is_dangerous(text.lstrip("'")) else text


def _is_dangerous(text: str) -> bool:
    if text.startswith(_REMARK):
        return False
    for sign in text:
        if sign in _STARTERS:
            return True
        if sign not in _BLANKS:
            return False
    return False


def number_of(column: Column[Any], value: Value) -> Fraction | None:
    """Give the number that a cell holds, money in its whole units; None if it holds none."""
    match value:
        case DroppedCell(score):
            return number_of(column, score)
        case RankCell(place):
            return Fraction(place)
        case bool():
            return None
        case int() | Fraction():
            number = Fraction(value)
            is_money = column.kind is ColumnKind.MONEY
            return number / 10**column.minor_digits if is_money else number
        case _:
            return None


def decimal_text(number: Fraction, places: int = PLACES) -> str:
    """Write a number with a point: exact where it ends, else rounded to so many places.

    >>> decimal_text(Fraction(7, 4)), decimal_text(Fraction(-1, 3), 2), decimal_text(Fraction(5))
    ('1.75', '-0.33', '5')
    """
    ending = _ending(number.denominator)
    return fixed_text(number, places if ending is None else ending)


@lru_cache(maxsize=1 << 10)
def _ending(denominator: int) -> int | None:
    """The decimal places that a fraction needs; None if it needs more than thirty."""
    for places in range(31):
        if 10**places % denominator == 0:
            return places
    return None


def fixed_text(number: Fraction, places: int) -> str:
    """Write a number with exactly so many places, rounded half to even."""
    return format_units(round(number * 10**places), places)


def format_units(units: int, places: int) -> str:
    """Write whole small units with a point before so many of their digits.

    >>> format_units(-1205, 2), format_units(5, 3), format_units(7, 0)
    ('-12.05', '0.005', '7')
    """
    if not places:
        return str(units)
    digits = str(abs(units)).rjust(places + 1, "0")
    return f"{'-' if units < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def mixed_text(number: Fraction) -> str:
    """Write an exact number as a mixed number, which spreadsheets read as a number too.

    >>> mixed_text(Fraction(53, 11)), mixed_text(Fraction(-3, 4)), mixed_text(Fraction(5))
    ('4 9/11', '-0 3/4', '5')
    """
    whole, rest = divmod(abs(number.numerator), number.denominator)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole} {rest}/{number.denominator}" if rest else f"{sign}{whole}"


def format_cell(column: Column[Any], value: Value, locale: TableLocale = ENGLISH) -> str:
    """Format a cell as people read it, on paper and in HTML."""
    match value:
        case None:
            return ""
        case bool():
            return locale.say(Message("yes") if value else Message("no"))
        case str() | LinkCell():
            return readable(str(value))
        case RankCell():
            return str(value)
        case DroppedCell(score):
            return format_cell(column, score, locale)
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case int() | Fraction():
            return _number_text(column, value).replace(".", locale.decimal_sign)


def _number_text(column: Column[Any], number: int | Fraction) -> str:
    match column.kind:
        case ColumnKind.DECIMAL:
            return fixed_text(Fraction(number), column.decimal_places)
        case ColumnKind.FRACTION:
            return mixed_text(Fraction(number))
        case ColumnKind.MONEY:
            return fixed_text(Fraction(number, 10**column.minor_digits), column.minor_digits)
        case _:
            return decimal_text(Fraction(number))


def plain(column: Column[Any], value: Value, locale: TableLocale = ENGLISH) -> str:
    """Format a cell as a program reads it: a rank is its number, a moment has seconds.

    Formulas are not guarded against; callers do so for texts (`guard_formula`).
    """
    match value:
        case RankCell(place):
            return str(place)
        case datetime():
            return f"{value:%Y-%m-%d %H:%M:%S}"
        case DroppedCell(score):
            return plain(column, score, locale)
        case Fraction() if column.is_exact and column.kind is ColumnKind.DECIMAL:
            shown = fixed_text(value, column.decimal_places)
            exact = shown if Fraction(shown) == value else decimal_text(value, EXACT_PLACES)
            return exact.replace(".", locale.decimal_sign)
        case _:
            return format_cell(column, value, locale)


_LONG = frozenset({"scoring"})
"""Details that need a line of their own."""


def head_lines(properties: Properties) -> list[str]:
    """Give the lines of a file's head below its title; none where nothing is said.

    They are few, as a spreadsheet keeps them in view together with the headings.
    """
    about = properties
    author = "" if about.author == about.title else about.author
    said = {
        one.key: f"{one.label}: {one.text}" if one.label else one.text
        for one in about.details
        if one.text
    }
    short = [text for key, text in said.items() if key not in _LONG]
    lines = [[author, about.status], short, *([said[key]] for key in said if key in _LONG)]
    texts = [" \u00b7 ".join(filter(None, parts)) for parts in lines]
    return [readable(text) for text in texts if text]
