"""Deals of boards: as text, and dealt from the key of a board (docs/rules/deals.md, DEC-5).

A deal is written as the cards from the eldest hand round to the dealer.
"""

import hmac
import secrets
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Final

from engine.core.cards import CARDS, Card, CardSet, parse_cards, show
from engine.core.seats import Seat, clockwise, left_of
from engine.replay.deals import deal
from engine.rules.rules import Rules

SECRET_BYTES: Final = 32
KEY_BYTES: Final = 32
_BETWEEN: Final = "; "
_BYTE_VALUES: Final = 256


def write_deal(held: Sequence[CardSet], dealer: Seat) -> str:
    """A deal as a board keeps it.

    >>> write_deal([parse_cards("S2"), parse_cards("H3"), parse_cards("D4")], Seat(0))
    'H3; D4; S2'
    """
    turn = clockwise(left_of(dealer, len(held)), len(held))
    return _BETWEEN.join(show(held[seat]) for seat in turn)


def read_deal(text: str, dealer: Seat) -> tuple[CardSet, ...]:
    """The holdings of a board by seat, at a table where ``dealer`` deals.

    >>> [show(held) for held in read_deal("H3; D4; S2", Seat(0))]
    ['S2', 'H3', 'D4']
    """
    held = split_deal(text)
    turn = clockwise(left_of(dealer, len(held)), len(held))
    by_seat = dict(zip(turn, held, strict=True))
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def split_deal(text: str) -> list[CardSet]:
    """The holdings of a board from the eldest hand round to the dealer."""
    return [parse_cards(part) for part in text.split(_BETWEEN)]


def find_dealt_board(deals: Mapping[int, str], dealt: str) -> tuple[int, int | None] | None:
    """The board with these holdings, and by how many seats they are turned; None for no board.

    Holding ``i`` of ``dealt`` is number ``i + turn`` of the board, counted round the table; the
    turn is None where the holdings are exchanged in another way.

    >>> find_dealt_board({1: "H3; D4; S2", 2: "C5; C6; C7"}, "S2; H3; D4")
    (1, 2)
    """
    held = dealt.split(_BETWEEN)
    for number, text in sorted(deals.items()):
        other = text.split(_BETWEEN)
        if sorted(held) == sorted(other):
            turns = range(len(held))
            turned = (turn for turn in turns if [*other[turn:], *other[:turn]] == held)
            return number, next(turned, None)
    return None


def draw_secret() -> bytes:
    """Return the secret of an event: 32 bytes from the operating system's generator."""
    return secrets.token_bytes(SECRET_BYTES)


def board_key(secret: bytes, number: int) -> bytes:
    """Return the key of board ``number``: HMAC-SHA-256 of ``board/<number>`` under the secret.

    The key of one board tells nothing about the secret or about the key of another board.
    """
    return hmac.digest(secret, f"board/{number}".encode(), "sha256")


def commitment_of(key: bytes) -> str:
    """Return the SHA-256 of a key as 64 hexadecimal digits.

    It is published before the first round, so that nobody can exchange the key afterwards.
    """
    return sha256(key).hexdigest()


def shuffle_pack(key: bytes) -> list[Card]:
    """Return all 52 cards in the order in which the key of a board shuffles them.

    Fisher-Yates from the last card to the second. Each step picks one of the ``size`` cards that
    are left by the next byte of the stream; a byte that would favour some of them is skipped.
    """
    pack = list(CARDS)
    stream = _stream(key)
    for last in range(len(pack) - 1, 0, -1):
        chosen = _draw_below(last + 1, stream)
        pack[last], pack[chosen] = pack[chosen], pack[last]
    return pack


def _stream(key: bytes) -> Iterator[int]:
    """The bytes of HMAC-SHA-256 of ``shuffle/0``, ``shuffle/1``, ... under the key."""
    for block in count():
        yield from hmac.digest(key, f"shuffle/{block}".encode(), "sha256")


def _draw_below(size: int, stream: Iterator[int]) -> int:
    fair = _BYTE_VALUES - _BYTE_VALUES % size
    return next(byte for byte in stream if byte < fair) % size


def deal_board(rules: Rules, players: int, key: bytes) -> str:
    """Return the deal that the key of a board makes; the same on every machine."""
    found = deal(rules, players, shuffle_pack(key), Seat(0))
    return write_deal(found.holdings, Seat(players - 1))
