"""Deterministic identifiers: importing the same data twice gives the same rows.

They are UUIDs of version 8 (RFC 9562): SHA-256 of the club and of the game's identifier; where it
has none, of what its first record says of the game, and of that record. The hands of a game lie
side by side in every index.
"""

import hashlib
from collections.abc import Hashable
from typing import Final
from uuid import UUID

from engine.notation.reader import RecordEntry

_SAME_GAME: Final = ("Event", "Site", "Date", "Round", "Table", "Variant")
_IMPORTED: Final = 8
_NUMBERS: Final = 24
_DIGITS: Final = _NUMBERS // 4
_VERSION: Final = 8 << 76 | 2 << 62
_CLEAR: Final = ~(0xF << 76 | 3 << 62)


def key_of(club: UUID, game: Hashable) -> bytes:
    """Return a key for all that the hands of a game have in common in a club."""
    return hashlib.sha256(club.bytes + repr(game).encode("utf-8", "surrogatepass")).digest()


def ids_of_named_game(club: UUID, name: str) -> list[UUID]:
    """The identifiers that a game with a GameId tag may have: its own, or one made of the tag."""
    made = game_id(key_of(club, ("GameId", name)), b"")
    try:
        return [UUID(name), made]
    except ValueError:
        return [made]


def unnamed_game_id(club: UUID, entry: RecordEntry, text: bytes) -> UUID:
    """The identifier of a game without a GameId tag, by its first record."""
    record = entry.required_record
    tags = tuple([entry.value(name) for name in _SAME_GAME])
    return game_id(key_of(club, (tags, record.seats, record.names)), text)


def is_imported(game: UUID) -> bool:
    """Whether a game has an identifier that an import gave it."""
    return game.version == _IMPORTED


def game_id(key: bytes, first: bytes) -> UUID:
    """The identifier of a game, by its key and the text of its first record.

    >>> game_id(b"key", b"record").version, game_id(b"key", b"record") == game_id(b"key", b"other")
    (8, False)
    """
    made = hashlib.sha256(key + first).digest()[:16]
    number = int.from_bytes(made) >> _NUMBERS << _NUMBERS
    return UUID(int=number & _CLEAR | _VERSION)


def next_game_id(removed: UUID) -> UUID:
    """The identifier of a game that is imported again after the import before was undone.

    >>> first = game_id(b"key", b"record")
    >>> next_game_id(first).version, next_game_id(first) == first
    (8, False)
    """
    return game_id(removed.bytes, b"again")


def hand_id(game: str, number: int) -> str:
    """The identifier of a hand of an imported game, written as the game's is: with dashes or not.

    >>> game = game_id(b"key", b"record")
    >>> UUID(hand_id(game.hex, 12)).int - game.int, UUID(hand_id(str(game), 12)).int - game.int
    (12, 12)
    """
    return f"{game[:-_DIGITS]}{number:0{_DIGITS}x}"
