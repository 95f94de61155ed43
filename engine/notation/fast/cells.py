"""Lookup tables for the cells of canonical tables: cards, numbers, calls and papers."""

import re
from functools import lru_cache
from typing import Final

from ...core.cards import CARD_OF_NAME, EMPTY, RANKS, SUIT_OF_LETTER, Card, CardSet
from ...record.record import Paper
from ..columns import spell_call, spell_play
from ..memo import Memo
from ..values import WordError, read_call, read_playcell

TOKEN: Final = frozenset(chr(code) for code in range(33, 127)) - frozenset('[]{};"%')
"""The letters of a cell without quotes."""


class NotFastError(Exception):
    """The text needs the complete reader; caught by `read_fast`."""


def _ranks_held() -> dict[str, int]:
    """Return the bits of every holding in one suit, keyed by its ranks from high to low."""
    held = {"": 0}
    for place, rank in enumerate(RANKS):
        held |= {rank + lower: 1 << place | bits for lower, bits in held.items()}
    return held


_SUITS_IN_TURN: Final = re.compile("".join(f"(?:{suit}([{RANKS}]+))?" for suit in "SHDC"))


def _card_set(text: str) -> CardSet:
    if text == "-":
        return EMPTY
    suits = _SUITS_IN_TURN.fullmatch(text)
    if suits is None or not text:
        raise NotFastError
    total = 0
    for ranks in suits.groups(""):
        total = total << 13 | RANKS_HELD[ranks]
    return CardSet(total)


_WHOLE_NUMBER: Final = re.compile("0|[1-9][0-9]{0,3}|-[1-9][0-9]{0,2}")


def _whole_number(text: str) -> int:
    if not _WHOLE_NUMBER.fullmatch(text):
        raise NotFastError
    return int(text)


def _call(text: str) -> int | None:
    try:
        if text in ("?", "*", "+") or spell_call(text) != text or not TOKEN.issuperset(text):
            raise NotFastError
        return read_call(text)
    except WordError:
        raise NotFastError from None


def _cell(text: str) -> tuple[Card | None, str]:
    try:
        if text in ("?", "*", "+") or spell_play(text) != text or not TOKEN.issuperset(text):
            raise NotFastError
        cell = read_playcell(text)
    except WordError:
        raise NotFastError from None
    return cell.card, cell.mark


RANKS_HELD: Final = _ranks_held()
"""Thirteen bits for the ranks of a suit, written from the highest to the lowest."""
RANKS_SHOWN: Final = {text or "-": bits for text, bits in RANKS_HELD.items()}
"""The same in a table, where a dash stands for none."""
CARD_SETS: Final = Memo(_card_set)
INTS: Final = Memo(_whole_number)
"""Whole numbers from -999 to 9999 by their canonical writing."""
CALLS: Final = Memo(_call)
CELLS: Final = Memo(_cell)
PAPERS: Final = {
    **{str(number): Paper(number) for number in range(7)},
    "F": Paper(None, foot=True),
    **{f"F{number}": Paper(number, foot=True) for number in range(7)},
    "-": Paper(None),
}
CARD_OR_NONE: Final[dict[str, Card | None]] = {**CARD_OF_NAME, "-": None}

_LETTERS: Final = tuple(map(chr, range(256)))
_NONE: Final = 0x40
"""A bit that no card uses: it marks an unknown suit letter; twice its value, an unknown rank."""
_SUIT_BYTES: Final = bytes(
    [13 * SUIT_OF_LETTER[letter] if letter in SUIT_OF_LETTER else _NONE for letter in _LETTERS]
)
_RANK_BYTES: Final = bytes(
    [RANKS.index(letter) if letter in RANKS else 2 * _NONE for letter in _LETTERS]
)
"""By letter, for `bytes.translate`: the suit's first card, and the rank's number."""


@lru_cache(maxsize=256)
def _no_cards(number: int) -> int:
    """Return the mask of invalid bits for ``number`` cards."""
    return int.from_bytes(bytes([3 * _NONE]) * number, "big")


def read_together(letters: bytes, number: int) -> bytes | None:
    """Parse ``number`` two-letter cards, each separated by one byte; None if any is invalid.

    One big-integer addition parses them all: a card is the byte of its suit plus that of its rank.
    """
    suits = int.from_bytes(letters[::3].translate(_SUIT_BYTES), "big")
    ranks = int.from_bytes(letters[1::3].translate(_RANK_BYTES), "big")
    cards = suits + ranks
    return None if cards & _no_cards(number) else cards.to_bytes(number, "big")
