"""Quick: canonical records straight to hand records (performance.md 5, item 3).

Nearly all records are written by a program, in the canonical form. This path accepts a record
only when every byte of it is where the canonical form puts it and nothing in it asks for a
diagnostic; anything else is `Odd` and goes the complete way, which gives the same answer for
the records accepted here.
"""

import unicodedata
from typing import Final

from engine.cards import EMPTY, CardSet, Suit, show
from engine.notation.canonical import is_canonical_tag
from engine.notation.diagnostics import Report, Spot
from engine.notation.document import Document, Tag, is_table_name
from engine.notation.levels import is_pain_named
from engine.notation.memo import Memo
from engine.notation.names import KNOWN_TAGS, ROSTER, SECTIONS
from engine.notation.quick_tables import RANKS_HELD, Odd, Setting
from engine.notation.sheet import Sheet
from engine.notation.tags import check_name, check_other_tags, read_rules, read_seats
from engine.notation.values import Misread, read_cards, read_money
from engine.record import Detail, Ending, HandRecord

_LONG: Final = 200
_LONG_UNICODE: Final = 60
_PLACE: Final = Spot(1, 1, 2)
_DETAILS: Final = {detail.value: detail for detail in (Detail.FULL, Detail.PLAY, Detail.SCORE)}
_SUITS: Final = {suit.letter: suit for suit in Suit}
_PASS_WORDS: Final = frozenset(("left", "right", "hold", "across"))
_NEVER_UNKNOWN: Final = (
    "Board",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)


def _template(names: tuple[str, ...]) -> str:
    """The text of the tags with %s for each value. Raises Odd for tags that need a look."""
    others = names[len(ROSTER) :]
    plain = KNOWN_TAGS - {*ROSTER, *SECTIONS, "Note"}
    fine = names[: len(ROSTER)] == ROSTER and list(others) == sorted(set(others))
    if not fine or any(name not in plain or is_table_name(name) for name in others):
        raise Odd
    return "".join(f'[{name} "%s"]\n' for name in names)


def _setting(key: tuple[str, str, str]) -> Setting:
    """The table and the rules of Seats, Variant and Rules. Raises Odd if anything is wrong."""
    names = ("Seats", "Variant", "Rules")
    tags = tuple(
        Tag(name, value, value_spot=_PLACE) for name, value in zip(names, key, strict=True) if value
    )
    report = Report()
    sheet = Sheet(Document((), tags), [], 1, report)
    sheet.sit(read_seats(sheet))
    rules = read_rules(sheet)
    if report.found or rules is None or not key[0] or not all(map(is_canonical_tag, tags)):
        raise Odd
    return Setting(sheet.seats, rules, named=is_pain_named(rules))


def _clean_name(name: str) -> str:
    """A player's name as the record holds it. Raises Odd if it is no "Last, First"."""
    report = Report()
    sheet = Sheet(Document((), (Tag("North", name),)), [], 1, report)
    check_name(sheet, "North")
    if report.found:
        raise Odd
    return "" if name == "?" else name


def _clean_tag(pair: tuple[str, str]) -> bool:
    """Whether a tag that a hand record has no field for is in order. Raises Odd if not."""
    report = Report()
    tag = Tag(*pair, value_spot=_PLACE)
    check_other_tags(Sheet(Document((), (tag,)), [], 1, report))
    if report.found or not is_canonical_tag(tag):
        raise Odd
    return True


def _clean_cards(text: str) -> CardSet:
    try:
        cards, twice = read_cards(text)
    except Misread:
        raise Odd from None
    if twice or not cards or show(cards) != text:
        raise Odd
    return cards


def _money(key: tuple[str, str]) -> int:
    try:
        return read_money(key[1])(key[0])
    except Misread:
        raise Odd from None


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or text[0] == "0" or len(text) > 9:
        raise Odd
    return int(text)


_templates: Final = Memo(_template, 256)
_settings: Final = Memo(_setting, 256)
_names: Final = Memo(_clean_name)
_tags: Final = Memo(_clean_tag)
_cards: Final = Memo(_clean_cards)
_amounts: Final = Memo(_money)
_counts: Final = Memo(_count)


class Quick:
    """A record read the quick way: its values by tag, and the hand record."""

    __slots__ = ("record", "values")

    def __init__(self, text: str) -> None:
        begin = _first_table(text)
        self.values = _values(text[:begin], plain=text.isascii())
        setting = _settings[
            self.values.get("Seats", ""),
            self.values.get("Variant", ""),
            self.values.get("Rules", ""),
        ]
        self.record = _record(setting, self.values, text[begin:])


def quick(text: str) -> Quick | None:
    """A record in the canonical form, or None when it has to be read the complete way."""
    if text[:8] != '[Event "' or "{" in text or "\\" in text or "\n%" in text:
        return None
    if not text.isascii() and not _plain_unicode(text):
        return None
    try:
        return Quick(text)
    except (Odd, KeyError, IndexError, ValueError):
        return None


def _plain_unicode(text: str) -> bool:
    return "\ufffd" not in text and unicodedata.is_normalized("NFC", text)


def _first_table(text: str) -> int:
    at = text.find('Table "')
    if at > 0 and text[at - 1] == "[":
        # The tag Table is the number of a table in a room.
        at = text.find('Table "', at + 1)
    if at < 0:
        raise Odd
    return text.rfind("\n", 0, at) + 1


def _values(head: str, *, plain: bool) -> dict[str, str]:
    """The values of the tags. Raises Odd unless they are written exactly as they should be."""
    parts = head[1:-3].replace('"]\n[', ' "').split(' "')
    names, values = tuple(parts[::2]), tuple(parts[1::2])
    if len(names) != len(values) or _templates[names] % values != head:
        raise Odd
    together = "".join(values)
    if '"' in together or not together.isprintable():
        raise Odd
    if max(map(len, values)) > (_LONG if plain else _LONG_UNICODE) or '"#' in head:
        raise Odd
    return dict(zip(names, values, strict=True))


def _record(setting: Setting, values: dict[str, str], tables: str) -> HandRecord:
    get = values.get
    seat_of = setting.seat_of
    dealer = seat_of[values["Dealer"]]
    found = setting.read_tables(tables, dealer)
    deal = _deal(values["Deal"], setting, dealer)
    namer, pain = get("Declarer"), get("PainSuit")
    _check_others(values)
    detail = _DETAILS[values["Detail"]]
    if detail is not _level(values["Deal"] != "" or found.deal is not None, found.play is not None):
        raise Odd
    if values["Termination"] != "normal" or (setting.named and not (namer and pain)):
        raise Odd
    if deal is not None and found.deal is not None:
        raise Odd
    board, currency = values["Board"], get("Currency")
    return HandRecord(
        seats=setting.seats,
        rules=setting.rules,
        number=_counts[board] if board else None,
        dealer=dealer,
        names=_player_names(setting, values),
        detail=detail,
        ending=Ending.NORMAL,
        stripped=_cards[values["Stripped"]] if "Stripped" in values else None,
        deal=found.deal if deal is None else deal,
        centre=_cards[values["Centre"]] if "Centre" in values else EMPTY,
        papers=found.papers,
        direction=_direction(get("Pass"), setting),
        exchange=found.exchange,
        bids=found.bids,
        auction=found.auction,
        first_caller=found.first_caller,
        namer=seat_of[namer] if namer else None,
        pain=_SUITS[pain] if pain is not None else None,
        jackpot=_counts[values["Jackpot"]] if "Jackpot" in values else None,
        columns=found.columns,
        play=found.play,
        captures=found.captures,
        pot=found.pot,
        scores=found.scores,
        hands=_counts[values["Hands"]] if "Hands" in values else None,
        ante=_amounts[values["Ante"], currency or ""] if "Ante" in values else None,
        stake=_amounts[values["Stake"], currency or ""] if "Stake" in values else None,
        currency=currency,
    )


def _deal(text: str, setting: Setting, dealer: int) -> tuple[CardSet, ...] | None:
    """The holdings by seat; the deal has to begin at the dealer."""
    if not text:
        return None
    hands = text.split(" ")
    first, _, hands[0] = hands[0].partition(":")
    if len(hands) != 4 or len(setting.seats) != 4 or setting.seat_of[first] != dealer:
        raise Odd
    held = [_hand(hand) for hand in hands]
    return (held[-dealer], held[1 - dealer], held[2 - dealer], held[3 - dealer])


def _hand(text: str) -> CardSet:
    suits = text.split(".")
    if len(suits) != 4:
        raise Odd
    ranks = RANKS_HELD
    return CardSet(
        ranks[suits[0]] << 39 | ranks[suits[1]] << 26 | ranks[suits[2]] << 13 | ranks[suits[3]]
    )


def _level(dealt: bool, played: bool) -> Detail:  # noqa: FBT001 - both are named at the call
    if played:
        return Detail.FULL if dealt else Detail.PLAY
    return Detail.SCORE


def _player_names(setting: Setting, values: dict[str, str]) -> tuple[str, ...]:
    get = values.get
    names = tuple([_names[get(tag, "")] for tag in setting.name_tags])
    return names if any(names) else ()


def _direction(text: str | None, setting: Setting) -> str | None:
    if text is None:
        return None
    if text not in _PASS_WORDS or (text == "across" and len(setting.seats) % 2):
        raise Odd
    return text


def _check_others(values: dict[str, str]) -> None:
    """The tags that a hand record has no field for, and those of PBN that have to be empty."""
    if "Date" in values:
        _tags["Date", values["Date"]]
    for name in ("HandId", "UTCDate", "Currency"):
        if name in values:
            _tags[name, values[name]]
    if "Claim" in values:
        raise Odd
    if "?" in values.values():
        for name in _NEVER_UNKNOWN:
            if values[name] == "?":
                raise Odd
