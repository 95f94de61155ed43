"""Game identity: what a record says about which game it belongs to (DEC-1).

Nothing here decides; `engine.game_grouping` compares the identity of a record with the open games.
"""

import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Final

_COMPARED: Final = ("Event", "Site", "Round", "Table")
_UNKNOWN: Final = ("", "?", "-")


def fold_text(text: str | None) -> str:
    """Return a value as it is compared: NFC, trimmed, single blanks, no case; unknown is empty.

    >>> fold_text("  Club   NIGHT ") == fold_text("club night"), fold_text("?")
    (True, '')
    """
    if not text:
        return ""
    folded = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    # Case folding can take a text out of NFC.
    folded = unicodedata.normalize("NFC", folded)
    return "" if folded in _UNKNOWN else folded


class GameIdentity:
    """What one record says of its game; every text is folded, and empty where it says nothing.

    ``tags`` are Event, Site, Round, Table and Variant; ``day`` is the ordinal of the date, or None
    where it is not known whole; ``names`` and ``spelled`` are the players by seat, folded and as
    they are written.
    """

    __slots__ = ("_hash", "day", "game_id", "names", "players", "spelled", "tags")

    def __init__(
        self, get: Callable[[str], str | None], players: int, names: tuple[str, ...]
    ) -> None:
        self.game_id = fold_text(get("GameId"))
        self.tags = (*(fold_text(get(name)) for name in _COMPARED), _variant(get))
        self.day = _day(get("Date") or "")
        self.players = players
        self.spelled = names or ("",) * players
        self.names = tuple(map(fold_text, self.spelled))
        self._hash = hash(self.key)

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that is compared."""
        return (self.game_id, self.tags, self.day, self.players, self.names)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameIdentity) and self.key == other.key


def _variant(get: Callable[[str], str | None]) -> str:
    """The variant, from its own tag or from the profile that the house rules begin with."""
    profile = (get("Rules") or "").partition(";")[0].partition("/")[0]
    return fold_text(get("Variant")) or fold_text(profile)


def _day(text: str) -> int | None:
    try:
        year, month, day = map(int, text.strip().split("."))
        return date(year, month, day).toordinal()
    except ValueError:
        return None
