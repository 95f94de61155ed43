"""The values of single words of a record; `WordError` is raised for a word that has none.

Import is lenient (notation.md 3.2): lower case, ``10`` for ``T`` and suit glyphs are understood.
Digits are the ASCII digits only.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

from ..core.cards import (
    BIT,
    CARD_OF_NAME,
    EMPTY,
    RANKS,
    SUIT_OF_LETTER,
    Card,
    CardSet,
    Suit,
    capitalise,
    put_suit_first,
)
from ..core.messages import NO_MESSAGE, Message, MessageError, join_with_or
from ..record.record import PASS_CALL
from .diagnostics import NotationRule
from .lexer import HIDDEN, code_point

DIGITS_MAX: Final = 18
"""Longer numbers are no counts of anything."""

MINOR_DIGITS: Final = {
    **dict.fromkeys(("BIF", "CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
"""Decimal places of the currencies that have not two (ISO 4217)."""

_LOOKALIKES: Final = {
    "\u0410": "A", "\u0412": "B", "\u0415": "E", "\u041a": "K", "\u041d": "H", "\u041e": "0",
    "\u0421": "C", "\u0422": "T", "\u0405": "S", "\u0408": "J", "\u051a": "Q", "\u0430": "a",
    "\u0441": "c", "\u0435": "e", "\u0455": "s", "\u0458": "j", "\u051b": "q", "\u0391": "A",
    "\u0395": "E", "\u0397": "H", "\u039a": "K", "\u03a4": "T", "\u039f": "0", "\u039d": "N",
}  # fmt: skip


class WordError(MessageError):
    """A word that is not what its place asks for, with the rule it breaks and a hint."""

    def __init__(self, rule: NotationRule, message: Message, hint: Message = NO_MESSAGE) -> None:
        super().__init__(message)
        self.rule = rule
        self.hint = hint


class PlayCell(NamedTuple):
    """A cell of the play: the card, the irregularity mark, and the notes that hang on it."""

    card: Card | None
    mark: str = ""
    rest: str = ""


def unusual(text: str) -> tuple[Message, Message]:
    """Return the unusual thing about the letters of a word, and the letter that was meant."""
    for letter in text:
        code = code_point(letter)
        if letter in HIDDEN:
            odd = Message("{code} is {what}", code=code, what=HIDDEN[letter])
            return odd, Message("delete the hidden character")
        if not letter.isascii():
            meant = _LOOKALIKES.get(letter) or unicodedata.normalize("NFKC", letter)
            name = unicodedata.name(letter, "").lower() or Message("a character without a name")
            odd = Message("{letter} is {code}, {name}", letter=letter, code=code, name=name)
            if meant.isascii() and meant.strip():
                return odd, Message("did you mean {near}?", near=meant)
            return odd, NO_MESSAGE
    return NO_MESSAGE, NO_MESSAGE


def make_word_error(
    rule: NotationRule, text: str, what: Message, hint: Message = NO_MESSAGE
) -> WordError:
    """The exception for a word, naming odd letters in it."""
    shown = repr(text if len(text) <= 40 else text[:37] + "...")
    odd, meant = unusual(text)
    message = Message("{text} is not {what}", text=shown, what=what)
    if odd:
        message = Message("{text} is not {what}: {odd}", text=shown, what=what, odd=odd)
    return WordError(rule, message, meant or hint)


def read_int(text: str) -> int:
    """A whole number."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        zeros = text.upper().replace("O", "0")
        hint = (
            Message("write {text}, with the digit 0", text=zeros) if _NUMBER(zeros) else NO_MESSAGE
        )
        raise make_word_error(NotationRule.NUMBER, text, Message("a whole number"), hint)
    if len(digits) > DIGITS_MAX:
        message = Message("a number of {count} digits is too large", count=len(digits))
        raise WordError(NotationRule.NUMBER, message)
    return int(text)


_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,18}").fullmatch
_PLUS_OR_ZEROS: Final = re.compile(r"(?<![0-9.])(?:\+|(-?)0+)(?=[0-9])")
_MINUS_ZERO: Final = re.compile(r"-0(?![0-9./])")


def plain_numbers(text: str) -> str:
    """A word with its numbers as the canonical form writes them: no plus sign, no zero in front.

    >>> plain_numbers("+5"), plain_numbers("S 05"), plain_numbers("-007"), plain_numbers("10.05")
    ('5', 'S 5', '-7', '10.05')
    """
    return _MINUS_ZERO.sub("0", _PLUS_OR_ZEROS.sub(r"\1", text))


def read_amount(text: str) -> str:
    """An exact amount: a whole number, a fraction such as ``-7/4``, or a decimal number."""
    whole, slash, part = text.partition("/")
    if not slash:
        whole, slash, part = text.partition(".")
    read_int(whole)
    if slash and not (part.isascii() and part.isdigit() and int(part[:DIGITS_MAX] or "0") >= 0):
        raise make_word_error(NotationRule.NUMBER, text, Message("an amount"))
    if "/" in text and not part.strip("0"):
        raise make_word_error(NotationRule.NUMBER, text, Message("an amount"))
    return text


def read_card(text: str) -> Card:
    """A card."""
    known = CARD_OF_NAME.get(text)
    if known is not None:
        return known
    name = put_suit_first(text)
    known = CARD_OF_NAME.get(name)
    if known is not None:
        return known
    hint = NO_MESSAGE
    if name in SUIT_OF_LETTER:
        hint = Message("write the rank as well, such as {suit}Q", suit=name)
    raise make_word_error(NotationRule.CARD, text, Message("a card"), hint)


def read_cards(text: str) -> tuple[CardSet, list[str]]:
    """Cards grouped by suit, and the names of those that are written twice."""
    total, suit, twice = 0, "", list[str]()
    if text == "-":
        return EMPTY, twice
    letters = put_suit_first(text)
    for letter, after in zip(letters, letters[1:] + " ", strict=True):
        if letter in SUIT_OF_LETTER and after in RANKS:
            suit = letter
            continue
        name = suit + letter
        if name not in CARD_OF_NAME:
            raise make_word_error(
                NotationRule.CARD,
                text,
                Message("a list of cards (at {letter})", letter=repr(letter)),
                Message("write SAK7H2"),
            )
        bit = BIT[CARD_OF_NAME[name]]
        if total & bit:
            twice.append(name)
        total |= bit
    return CardSet(total), twice


def read_suit(text: str) -> Suit:
    """A suit."""
    letter = capitalise(text)
    if letter not in SUIT_OF_LETTER:
        word = letter.removesuffix("S").rstrip()
        near = next((suit for suit in Suit if suit.name.removesuffix("S") == word), None)
        hint = Message("write C, D, H or S")
        if near is not None:
            hint = Message("write {text}", text=near.letter)
        raise make_word_error(NotationRule.VALUE, text, Message("a suit"), hint)
    return SUIT_OF_LETTER[letter]


def read_call(text: str) -> int | None:
    """A call of the chip auction: chips, a pass, or None where no call came to be."""
    word, _ = split_annotations(text)
    if word in ("-", "?", "*", "+"):
        return None
    if word.casefold() in ("pass", "p"):
        return PASS_CALL
    call = read_int(word)
    if call < 0:
        raise make_word_error(
            NotationRule.NUMBER, word, Message("a call"), Message("write chips, or Pass")
        )
    return call


def read_playcell(text: str) -> PlayCell:
    """A cell of the play table, with its mark, note and NAGs."""
    known = CARD_OF_NAME.get(text)
    if known is not None:
        return PlayCell(known)
    word, rest = split_annotations(text)
    mark = ""
    if word[:1] == "^":
        mark, word = word[1:2].upper(), word[2:]
        if mark not in ("R", "L", "X", "S"):
            raise make_word_error(
                NotationRule.CARD,
                text,
                Message("a card with a mark"),
                Message("the marks are ^R, ^L and ^X"),
            )
    if word in ("-", "?", "*", "+") or (mark and not word):
        return PlayCell(None, mark, rest)
    return PlayCell(read_card(word), mark, rest)


def split_annotations(text: str) -> tuple[str, str]:
    """A cell without its note, NAGs and suffix, and these: ``("S4", "=1=")``."""
    ends = [at for at in (text.find("="), text.find("$"), text.find("!")) if at > 0]
    question = text.find("?", 1)
    ends += [question] if question > 0 else []
    end = min(ends, default=len(text))
    return text[:end], text[end:]


def read_money(currency: str) -> Callable[[str], int]:
    """A reader of amounts of money, in minor units of a currency."""
    places = MINOR_DIGITS.get(currency, 2)

    def read(text: str) -> int:
        whole, point, part = text.partition(".")
        fine = whole.isascii() and whole.isdigit() and len(whole) <= DIGITS_MAX
        if (
            not fine
            or (len(whole) > 1 and whole[0] == "0")
            or (point and not (part.isascii() and part.isdigit()))
        ):
            hint = NO_MESSAGE
            if "," in text:
                hint = Message("write {text}", text=text.replace(",", "."))
            raise make_word_error(NotationRule.MONEY, text, Message("an amount of money"), hint)
        if len(part) > places and part[places:].strip("0"):
            what = Message("an amount with {places} decimal places", places=places)
            raise make_word_error(NotationRule.MONEY, text, what)
        return int(whole + part[:places].ljust(places, "0"))

    return read


def show_money(minor: int, currency: str | None) -> str:
    """An amount of minor units as it is written.

    >>> show_money(-505, "EUR"), show_money(7, "JPY")
    ('-5.05', '7')
    """
    places = MINOR_DIGITS.get(currency or "", 2)
    digits = str(abs(minor)).rjust(places + 1, "0")
    whole, part = (digits[:-places], digits[-places:]) if places else (digits, "")
    return ("-" if minor < 0 else "") + whole + (f".{part}" if part else "")


_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def read_date(text: str) -> str:
    """A date, ``YYYY.MM.DD``; digits may be unknown."""
    pieces = text.split(".")
    if text in ("", "?"):
        return text
    sizes = [len(piece) for piece in pieces]
    if sizes != [4, 2, 2] or not set(text) <= set("0123456789?."):
        raise make_word_error(NotationRule.DATE, text, Message("a date"), _date_hint(text))
    wrong = _impossible(*(int(piece) if "?" not in piece else None for piece in pieces))
    if wrong:
        raise make_word_error(NotationRule.DATE, text, Message("a date"), wrong)
    return text


def _impossible(year: int | None, month: int | None, day: int | None) -> Message:
    """Why there is no such date, or nothing."""
    if year == 0 or (month is not None and not 1 <= month <= 12):
        return Message("the order is year, month, day")
    most = _DAYS[month - 1] if month else 31
    if month == 2 and year is not None and not _is_leap(year):
        most = 28
    if day is not None and not 1 <= day <= most:
        return Message("this month has {count} days", count=most)
    return NO_MESSAGE


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _date_hint(text: str) -> Message:
    """Return the possible meaning of a date in another order, or with other signs."""
    numbers = text.replace("-", ".").replace("/", ".").split(".")
    if len(numbers) != 3 or not all(re.fullmatch("[0-9]{1,4}", n) for n in numbers):
        return NO_MESSAGE
    first, second, third = numbers
    if len(first) == 4:
        orders = [(first, second, third)]
    elif len(first) <= 2 and len(third) in (2, 4):
        year = third if len(third) == 4 else f"20{third}"
        orders = [(year, second, first), (year, first, second)]
    else:
        return NO_MESSAGE
    wrong = {order: _impossible(*map(int, order)) for order in orders}
    dates = [f"{y}.{m:0>2}.{d:0>2}" for (y, m, d), reason in wrong.items() if not reason]
    if not dates:
        return next(iter(wrong.values()))
    if len(dates) > 1:
        return Message("write {dates}, whichever it was", dates=join_with_or(dates))
    return Message("write {text}", text=dates[0])
