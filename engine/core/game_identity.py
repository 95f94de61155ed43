"""Game identity: what a record says about which game it belongs to (DEC-1).

Nothing here decides; `games.game_grouping` compares the identity of a record with the open
games.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Final

from .player_names import name_key

COMPARED: Final = ("Event", "Site", "Round", "Table", "Variant")
"""The tags that identify a game, in the order of `GameIdentity.tags`."""
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


def fold_name(name: str) -> str:
    """Return the key of a name (DEC-18); unknown is empty.

    >>> fold_name("Adams,  Nora") == fold_name("Nora ADAMS"), fold_name("?")
    (True, '')
    """
    key = name_key(name)
    return "" if key in _UNKNOWN else key


class GameIdentity:
    """The identity of a game in one record; every text is folded, and empty where it says nothing.

    ``tags`` are the values of `COMPARED`; ``day`` is the ordinal of the date, or None where it is
    not known whole; ``names`` are the players by seat. ``written`` and ``spelled`` are tags and
    names as they are written.
    """

    __slots__ = ("_hash", "day", "game_id", "names", "players", "spelled", "tags", "written")

    def __init__(
        self, get: Callable[[str], str | None], players: int, names: tuple[str, ...]
    ) -> None:
        self.game_id = fold_text(get("GameId"))
        self.written = (*(get(name) or "" for name in COMPARED[:-1]), _variant(get))
        self.tags = tuple(map(fold_text, self.written))
        day = parse_day(get("Date") or "")
        self.day = None if day is None else day.toordinal()
        self.players = players
        self.spelled = names or ("",) * players
        self.names = tuple(map(fold_name, self.spelled))
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
    variant = get("Variant") or ""
    return (
        variant if fold_text(variant) else (get("Rules") or "").partition(";")[0].partition("/")[0]
    )


_WHOLE_DATE: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


def parse_day(text: str) -> date | None:
    """Return the day of a Date tag, or None where it is not known whole, or there is none such.

    >>> parse_day("2026.02.28"), parse_day("2026.02.30"), parse_day("2026.02.??")
    (datetime.date(2026, 2, 28), None, None)
    """
    written = _WHOLE_DATE.fullmatch(text.strip())
    if written is None:
        return None
    year, month, day = map(int, written.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None
