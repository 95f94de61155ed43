"""Numbers as people write them, read exactly: `1.234,5`, `1,234.5`, `1 234,5`, `3½`, `(5)`.

A point or a comma before exactly three digits (`1.234`) may part thousands or begin decimals. The
other cells of its column decide (`find_decimal_mark`); where they do not, whoever brings the table
has to say which.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Final
from unicodedata import decimal, normalize

from engine.core.messages import Message, MessageError

NUMBER_MAX: Final = 999_999_999
"""Neither part of a fraction is greater: so long are the numbers that scores are stored with."""
_MINUS: Final = "\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d"
_SPACES: Final = "\u00a0\u2000-\u200a\u202f\u205f\u3000 "
_APOSTROPHES: Final = "'\u2019\u02bc"
_UNITS: Final = re.compile(
    r"\s*(?:pts?|points?|p|punkte?n?|pkte?|chips?|jetons?|€|eur|euro|\$|usd|£|gbp|chf|fr)\.?$",
    re.IGNORECASE,
)
_CURRENCY: Final = re.compile(r"(?:€|eur|\$|usd|£|gbp|chf)\s*(?=[-+(.,]?\s?[0-9])", re.IGNORECASE)
_VULGAR: Final = "\u00bc-\u00be\u2150-\u215e\u2189"
_FRACTION: Final = re.compile(
    rf"(?:(?P<whole>[0-9]{{1,9}})\s*(?=[{_VULGAR}])|(?P<apart>[0-9]{{1,9}})\s+)?"
    rf"(?:(?P<vulgar>[{_VULGAR}])|(?P<over>[0-9]{{1,9}})\s?[/\u2044\u2215]\s?(?P<under>[0-9]{{1,9}}))"
)
_GROUP: Final = rf"[{_SPACES}{_APOSTROPHES}]"
_PLAIN: Final = re.compile(
    rf"(?P<digits>[0-9]{{1,3}}(?:{_GROUP}[0-9]{{3}})+|[0-9]*)(?:(?P<mark>[.,])(?P<rest>[0-9]+))?"
)
_BOTH: Final = re.compile(
    r"(?P<digits>[0-9]{1,3}(?:(?P<group>[.,])[0-9]{3})(?:(?P=group)[0-9]{3})*)"
    r"(?:(?P<mark>(?!(?P=group))[.,])(?P<rest>[0-9]+))?"
)
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}[./][0-9]{1,2}[./](?:[0-9]{2}){1,2}"
)
_LONG: Final = re.compile(r"(-?[0-9]+)[.,]([0-9]{6,})")
_LONGEST: Final = 60
_DENOMINATOR_MAX: Final = 10_000
_PLACES: Final = 6
_LONG_LEAST: Final = 9
_ABSENT: Final = frozenset(
    [
        *("", "x", "n/a", "na", "#n/a", "dns", "abs", "absent", "away", "none", "/", "a", "ns"),
        *("no show", "noshow", "did not play", "dnp", "did not start", "not there", "excused"),
        *("ill", "sick", "holiday", "not present", "off", "out", "did not attend", "dna"),
        *("fehlt", "abw", "abwesend", "entsch", "entschuldigt", "n.a", "k.a", "e", "nicht da"),
        *("n.d", "nd", "krank", "urlaub", "unentschuldigt", "unentsch", "nicht gespielt", "n.g"),
        *("nicht anwesend", "war nicht da", "verhindert", "gefehlt"),
    ]
)
_UNFINISHED: Final = frozenset(
    [
        *("dnf", "did not finish", "wd", "w/d", "withdrew", "withdrawn", "ret", "retired", "left"),
        *("bye", "sub", "substitute", "dq", "dsq", "disq", "disqualified", "nr", "no result"),
        *("freilos", "spielfrei", "ersatz", "vertretung", "aufgegeben", "aufgabe", "abgebrochen"),
        *("ausgeschieden", "disqualifiziert", "ohne wertung", "o.w", "ow"),
    ]
)
_DASHES: Final = re.compile(rf"[-{_MINUS}.\s]*")


class DecimalMark(StrEnum):
    """The sign before the decimals of a number; the other of the two parts thousands."""

    COMMA = "comma"
    POINT = "point"


class ReadAs(StrEnum):
    """The meaning of a word such as DNF, or of a percentage."""

    ABSENT = "absent"
    ZERO = "zero"
    NUMBER = "number"
    SHARE = "share"


_MARKS: Final = {",": DecimalMark.COMMA, ".": DecimalMark.POINT}


class AmbiguousNumberError(MessageError):
    """A number such as `1.234`, where nothing says whether the mark begins decimals."""


def is_absent(text: str) -> bool:
    """Whether a cell says that somebody was not there.

    >>> is_absent(""), is_absent("-"), is_absent("DNS"), is_absent("0")
    (True, True, True, False)
    """
    plain = " ".join(text.strip(" ().").casefold().split())
    return plain in _ABSENT or _DASHES.fullmatch(plain) is not None


def is_unfinished(text: str) -> bool:
    """Whether a cell says that somebody came but has no result of their own.

    >>> is_unfinished("DNF"), is_unfinished("Freilos"), is_unfinished("x")
    (True, True, False)
    """
    return " ".join(text.strip(" ().").casefold().split()) in _UNFINISHED


def shorten(value: Fraction) -> Fraction:
    """The number that a computed one with long decimals was: 5.66666666666667 was 17/3.

    That is the nearest fraction with a small denominator, if its decimals are the same; else the
    number is rounded to six decimals, or as many as can be stored. Others stay as they are.

    >>> str(shorten(Fraction("5.66666666666667"))), str(shorten(Fraction("1.41421356237310")))
    ('17/3', '707107/500000')
    """
    if max(value.numerator, value.denominator) <= NUMBER_MAX or value > NUMBER_MAX:
        return value
    places = len(str(value.denominator)) - 1
    while 10**places % value.denominator and places < _LONGEST:
        places += 1
    if places >= _LONG_LEAST:
        close = value.limit_denominator(min(_DENOMINATOR_MAX, 10 ** ((places - 3) // 2)))
        if abs(close - value) <= Fraction(1, 10 ** (places - 1)):
            return close
    for digits in range(_PLACES, -1, -1):
        rounded = Fraction(round(value * 10**digits), 10**digits)
        if rounded.numerator <= NUMBER_MAX:
            return rounded
    return value


def is_close(first: Fraction, second: Fraction) -> bool:
    """Whether two numbers are the same but for what `shorten` takes away.

    >>> is_close(Fraction("0.333333"), Fraction(1, 3)), is_close(Fraction("0.33"), Fraction(1, 3))
    (True, False)
    """
    most = max(Fraction(1, 10**_PLACES), abs(first) * Fraction(1, NUMBER_MAX // 10))
    return abs(first - second) <= most


def is_rounded(text: str, number: Fraction) -> bool:
    """Whether a number with long decimals is not that of the text, but a rounded one.

    >>> is_rounded("5.66666666666667", Fraction(17, 3)), is_rounded("1.4142135623", Fraction(1))
    (False, True)
    """
    match = _LONG.fullmatch(text.strip())
    if match is None:
        return False
    exact = Fraction(f"{match[1]}.{match[2]}")
    return abs(exact - number) > Fraction(1, 10 ** (len(match[2]) - 1))


def parse_number(text: str, mark: DecimalMark | None = None) -> Fraction:
    """Read a number; ``mark`` begins the decimals of one that can be read in two ways.

    Brackets and a minus behind it make it negative; computed decimals are shortened (`shorten`).
    Raises AmbiguousNumberError, and MessageError for what is no number or too long to be stored.

    >>> [str(parse_number(text)) for text in ("1.234,5", "1,234.5", "1 234,5", "1'234")]
    ['2469/2', '2469/2', '2469/2', '1234']
    >>> [str(parse_number(text)) for text in ("3½", "7/4", "-2", "5-", "(5)", "+3", "12 pts")]
    ['7/2', '7/4', '-2', '-5', '-5', '3', '12']
    >>> parse_number("1.234", DecimalMark.COMMA), parse_number("1.234", DecimalMark.POINT)
    (Fraction(1234, 1), Fraction(617, 500))
    """
    sign, plain = _split_sign(text[:_LONGEST])
    value = _read_fraction(plain)
    if value is None:
        value = _read_decimal(plain, mark, text)
    if value is None or len(text) > _LONGEST:
        raise _refuse(text)
    value = shorten(value)
    if value.numerator > NUMBER_MAX or value.denominator > NUMBER_MAX:
        raise MessageError(Message("{text} is too long a number", text=repr(text[:40])))
    return sign * value


def find_decimal_mark(texts: Iterable[str]) -> DecimalMark | None:
    """Return the decimal sign of a column; None: its cells do not say, or contradict each other.

    >>> find_decimal_mark(["1.234", "0,5"]), find_decimal_mark(["1.234", "12"])
    (<DecimalMark.COMMA: 'comma'>, None)
    """
    found = {mark for mark in map(_mark_of, texts) if mark is not None}
    return found.pop() if len(found) == 1 else None


def _split_sign(text: str) -> tuple[int, str]:
    """A number without its sign, its brackets and what it counts."""
    plain = text.strip()
    if plain.isascii() and plain.isdigit():
        return 1, plain
    plain = _UNITS.sub("", "".join(_to_ascii(sign) for sign in plain), count=1)
    plain = _CURRENCY.sub("", plain, count=1)
    sign = 1
    if plain.startswith("(") and plain.endswith(")"):
        sign, plain = -1, plain[1:-1].strip()
    plain = _UNITS.sub("", plain, count=1)
    if plain[:1] in ("-", "+"):
        sign, plain = -sign if plain[0] == "-" else sign, plain[1:].lstrip()
    elif plain[-1:] == "-":
        sign, plain = -sign, plain[:-1].rstrip()
    return sign, plain


def _to_ascii(sign: str) -> str:
    """A digit of any script as 0 to 9, and any dash as a minus."""
    value = decimal(sign, None)
    if value is not None:
        return str(value)
    return "-" if sign in _MINUS else sign


def _read_fraction(plain: str) -> Fraction | None:
    match = _FRACTION.fullmatch(plain)
    if match is None:
        return None
    whole = int(match["whole"] or match["apart"] or 0)
    if match["vulgar"]:
        over, under = normalize("NFKC", match["vulgar"]).split("\u2044")
    else:
        over, under = match["over"], match["under"]
    return whole + Fraction(int(over), int(under)) if int(under) else None


def _read_decimal(plain: str, mark: DecimalMark | None, text: str) -> Fraction | None:
    found = _PLAIN.fullmatch(plain)
    if found is not None and _is_ambiguous(found):
        if mark is None:
            raise AmbiguousNumberError(
                Message(
                    "{text} can be read in two ways; say whether a comma or a point begins the "
                    "decimals",
                    text=repr(text[:40]),
                )
            )
        found = found if _MARKS[found["mark"]] is mark else _BOTH.fullmatch(plain)
    found = found or _BOTH.fullmatch(plain)
    if found is None or not (found["digits"] or found["rest"]):
        return None
    digits = re.sub(r"[^0-9]", "", found["digits"])
    return Fraction(f"{digits or 0}.{found['rest'] or 0}")


def _is_ambiguous(found: re.Match[str]) -> bool:
    """Whether `1.234` was found: one mark that three digits follow, and that may part thousands."""
    digits, rest = found["digits"], found["rest"] or ""
    return len(rest) == 3 and digits.isdigit() and len(digits) <= 3 and not digits.startswith("0")


def _mark_of(text: str) -> DecimalMark | None:
    """Return the decimal sign of a number that can be read in one way only."""
    plain = _split_sign(text)[1]
    match = _PLAIN.fullmatch(plain)
    if match is not None:
        return None if _is_ambiguous(match) else _MARKS.get(match["mark"])
    both = _BOTH.fullmatch(plain)
    if both is None:
        return None
    return DecimalMark.COMMA if both["group"] == "." else DecimalMark.POINT


def _refuse(text: str) -> MessageError:
    shown = repr(text[:40])
    if _DATE.fullmatch(text.strip()):
        return MessageError(Message("{text} is a date, no number", text=shown))
    return MessageError(Message("{text} is no number", text=shown))
