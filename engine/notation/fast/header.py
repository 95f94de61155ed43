"""Read the tags of a canonical record, caching what consecutive records share.

The sequence of tag names is the shape of a record. Values shared by all hands of a game are
checked once per game (`GameHeader`); those that change per hand are looked up in tables.
"""

from operator import itemgetter
from typing import Final

from ...core.cards import CardSet
from ...core.game_identity import GameIdentity
from ...record.record import Detail, Ending
from ...rules.switches import Prize
from ..canonical import is_canonical_tag
from ..detail_level import is_pain_named
from ..diagnostics import DiagnosticCollector, Spot
from ..document import Document, Tag, is_table_name
from ..memo import Memo
from ..names import (
    CLUB_TABLES,
    CLUB_TAGS,
    KNOWN_TAGS,
    PLAYERS,
    ROSTER,
    SECTIONS,
)
from ..sheet import DocumentReader
from ..tags import (
    check_name,
    check_other_tags,
    read_rules,
    read_seats,
    scoring_of,
    seated_twice,
)
from ..values import WordError, read_money
from .cells import CARD_SETS, NotFastError
from .tables import FastTable

LONG: Final = 200
"""The longest value, and the longest line of a comment; in ASCII, else a third of it."""
_PLACE: Final = Spot(1, 1, 2)
_DETAILS: Final = {detail.value: detail for detail in Detail}
_ENDINGS: Final = {ending.value: ending for ending in Ending}
_FROM_HAND_TO_HAND: Final = ("Board", "Dealer", "Deal", "Declarer")
_OTHERS: Final = (
    "PainSuit", "Jackpot", "Pass", "Centre", "Claim",
    "HandId", "DealId", "Time", "UTCDate", "UTCTime", "BoardStart", "Outside",
)  # fmt: skip
NOT_CONTENT: Final = frozenset(
    (
        *("GameId", "Event", "EventDate", "Site", "Date", "UTCDate", "UTCTime", "Round", "Table"),
        *PLAYERS.values(),
        *CLUB_TAGS,
        *CLUB_TABLES,
    )
)
"""What tells one game from another, and what was added by a club; all else is content."""
_EMPTY: Final = ("Vulnerable", "Contract", "Result")
_PLAIN: Final = KNOWN_TAGS - {*ROSTER, *SECTIONS, "Note"}


class GameHeader:
    """The tag values shared by all hands of a game, parsed."""

    __slots__ = (
        "ante",
        "currency",
        "detail",
        "ending",
        "hands",
        "identity",
        "names",
        "setting",
        "stake",
        "stripped",
        "whole",
    )

    def __init__(self, values: dict[str, str]) -> None:
        get = values.get
        _check_values(values)
        self.setting = _settings[get("Seats", ""), get("Variant", ""), get("Rules", "")]
        self.names = _player_names(self.setting, values)
        self.identity = GameIdentity(get, len(self.setting.seats), self.names)
        self.detail = _DETAILS[values["Detail"]]
        self.ending = _ENDINGS[values["Termination"]]
        self.stripped = CARDS[values["Stripped"]] if "Stripped" in values else None
        played = self.detail is Detail.FULL and self.ending is Ending.NORMAL
        self.hands = COUNTS[values["Hands"]] if "Hands" in values else None
        self.currency = get("Currency")
        money = self.currency or ""
        self.ante = _amounts[values["Ante"], money] if "Ante" in values else None
        self.stake = _amounts[values["Stake"], money] if "Stake" in values else None
        rules = self.setting.rules
        used = self.ante is None or rules.prize is Prize.WINNER_TAKES_ALL
        self.whole = played and used and self.stripped is self.stake is self.hands is None
        if values["Scoring"] not in ("", scoring_of(rules)):
            raise NotFastError


class Shape:
    """The tag names of a record, in order.

    ``between`` is the text between the tag values, joined by quotes. Raises NotFastError for an
    unknown, repeated or misplaced tag.
    """

    def __init__(self, between: str) -> None:
        gaps = between.split('"')
        names = tuple([gap[gap.find("[") + 1 : -1] for gap in gaps[:-1]])
        if gaps[1:] != [*(f"]\n[{name} " for name in names[1:]), "]\n"]:
            raise NotFastError
        rest = names[len(ROSTER) :]
        fine = names[: len(ROSTER)] == ROSTER and list(rest) == sorted(set(rest))
        if not fine or any(name not in _PLAIN or is_table_name(name) for name in rest):
            raise NotFastError
        self.names = names
        self.at = {name: at for at, name in enumerate(names)}
        self.others = tuple((name, self.at[name]) for name in _OTHERS if name in self.at)
        self._content = itemgetter(*(at for name, at in self.at.items() if name not in NOT_CONTENT))
        self._content_names = ";".join(name for name in names if name not in NOT_CONTENT)
        changing = {*_FROM_HAND_TO_HAND, *_OTHERS}
        self._standing_names = [name for name in names if name not in changing]
        self._key = itemgetter(*(self.at[name] for name in self._standing_names))
        self._kept: Memo[str, GameHeader] = Memo(self._standing, 256)

    def standing(self, values: list[str]) -> GameHeader:
        """Return the parsed values that do not change from hand to hand (cached)."""
        return self._kept['"'.join(self._key(values))]

    def content(self, values: list[str]) -> str:
        """Return names and values of the tags, without those that only identify the game."""
        return '"'.join((self._content_names, *self._content(values)))

    def _standing(self, values: str) -> GameHeader:
        return GameHeader(dict(zip(self._standing_names, values.split('"'), strict=True)))


def check_tag(name: str, value: str) -> None:
    """Check the value of a tag that a hand record has no field for. Raises NotFastError."""
    _check_values({name: value})


def _check_values(values: dict[str, str]) -> None:
    together = "".join(values.values())
    long = LONG if together.isascii() else LONG // 3
    if not together.isprintable() or max(map(len, values.values())) > long:
        raise NotFastError
    if any(value[:1] == "#" for value in values.values()):
        raise NotFastError
    for name in ("Date", "HandId", "UTCDate", "Currency"):
        if name in values:
            _tags[name, values[name]]
    if any(values.get(name) for name in _EMPTY) or values.get("Scoring") == "?":
        raise NotFastError


def _setting(key: tuple[str, str, str]) -> FastTable:
    """Return the table for the tags Seats, Variant and Rules. Raises NotFastError."""
    names = ("Seats", "Variant", "Rules")
    tags = tuple(
        Tag(name, value, value_spot=_PLACE) for name, value in zip(names, key, strict=True) if value
    )
    report = DiagnosticCollector()
    sheet = DocumentReader(Document((), tags), [], 1, report)
    sheet.sit(read_seats(sheet))
    rules = read_rules(sheet)
    if report.found or rules is None or not key[0] or not all(map(is_canonical_tag, tags)):
        raise NotFastError
    return FastTable(sheet.seats, rules, named=is_pain_named(rules))


def _player_names(setting: FastTable, values: dict[str, str]) -> tuple[str, ...]:
    names = tuple([_names[values.get(tag, "")] for tag in setting.name_tags])
    if seated_twice(setting.seats, names):
        raise NotFastError
    return names if any(names) else ()


def _clean_name(name: str) -> str:
    """A player's name as the record holds it. Raises NotFastError if it is no "Last, First"."""
    report = DiagnosticCollector()
    sheet = DocumentReader(Document((), (Tag("North", name),)), [], 1, report)
    check_name(sheet, "North")
    if report.found:
        raise NotFastError
    return "" if name == "?" else name


def _clean_tag(pair: tuple[str, str]) -> bool:
    report = DiagnosticCollector()
    tag = Tag(*pair, value_spot=_PLACE)
    check_other_tags(DocumentReader(Document((), (tag,)), [], 1, report))
    if report.found or not is_canonical_tag(tag):
        raise NotFastError
    return True


def _clean_cards(text: str) -> CardSet:
    cards = CARD_SETS[text]
    if not cards:
        raise NotFastError
    return cards


def _money(key: tuple[str, str]) -> int:
    try:
        return read_money(key[1])(key[0])
    except WordError:
        raise NotFastError from None


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or text[0] == "0" or len(text) > 9:
        raise NotFastError
    return int(text)


_settings: Final = Memo(_setting, 256)
_names: Final = Memo(_clean_name)
_tags: Final = Memo(_clean_tag)
_amounts: Final = Memo(_money)
CARDS: Final = Memo(_clean_cards)
"""Sets of cards by their canonical writing."""
COUNTS: Final = Memo(_count)
"""Whole numbers from 1 by their canonical writing."""
