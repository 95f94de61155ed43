"""Entry point of the fast path: read a canonical record and compute the state after its hand.

Text that is not canonical, or that needs a diagnostic, raises `NotFastError` inside this package;
`read_fast` turns it into None.
"""

import unicodedata
from typing import Final

from ...core.cards import CardSet, Suit
from ...core.seats import Seat
from ...core.values import maker
from ...record.game_state import GameState
from ...record.record import Claim, Detail, Ending, HandRecord
from ...rules.rules import Rules
from ..memo import Memo
from ..names import CLUB_TABLES
from ..source import split_comments
from .cells import RANKS_HELD, NotFastError
from .header import CARDS, COUNTS, LONG, GameHeader, Shape, check_tag
from .state import find_state
from .tables import FastHand, FastTable

_SUITS: Final = {suit.letter: suit for suit in Suit}
_PASS_WORDS: Final = frozenset(("left", "right", "hold", "across"))
_CLAIM: Final = Ending.CLAIM
_UNPLAYED: Final = frozenset(Ending) - {Ending.NORMAL, Ending.CLAIM}

_CLUB_TABLES: Final = tuple(f"{name} " for name in CLUB_TABLES)

_shapes: Final = Memo(Shape, 256)
_hand_record: Final = maker(HandRecord, is_checked=True)


class FastRecord:
    """A record read by the fast path: its tag values and its hand.

    ``hand`` holds the raw numbers of a fully played hand, and is None for any other hand.
    """

    __slots__ = ("_found", "_record", "_tables", "hand", "shape", "standing", "values")

    def __init__(self, text: str) -> None:
        begin = _first_table(text)
        # Split at quotes: tag values and the text between them alternate.
        parts = text[:begin].split('"')
        self.shape: Shape = _shapes['"'.join(parts[::2])]
        self.values = parts[1::2]
        self.standing: GameHeader = self.shape.standing(self.values)
        tables = text[begin:]
        self._found = _build_hand(self.shape, self.values, self.standing, tables)
        self._tables = _tables_of_hand(tables)
        self.hand = self._found if self.standing.whole else None
        self._record: HandRecord | None = None

    @property
    def content(self) -> str:
        """The record's text without comments and without tags that only identify its game."""
        return f"{self.shape.content(self.values)}\n{self._tables}"

    @property
    def record(self) -> HandRecord:
        """The hand record, built on first access."""
        if self._record is None:
            self._record = _record(self.standing, self._found)
        return self._record

    def state_after(self, rules: Rules, before: GameState) -> GameState | None:
        """Return the game state after the hand, or None unless the record is certainly correct.

        Also None for a hand that was not played to its end.
        """
        return None if self.hand is None else find_state(rules, before, self.hand)


def read_fast(text: str) -> FastRecord | None:
    """Read a canonical record; return None if it needs the complete reader.

    >>> read_fast('[Event "?"]') is None
    True
    """
    if not text.isascii() and not _plain_unicode(text):
        return None
    try:
        if "{" in text:
            text = _without_comments(text)
        if text[:8] != '[Event "' or "\\" in text or "\n%" in text:
            return None
        return FastRecord(text)
    except (NotFastError, KeyError, IndexError, ValueError):
        return None


def _plain_unicode(text: str) -> bool:
    return "\ufffd" not in text and unicodedata.is_normalized("NFC", text)


def _without_comments(text: str) -> str:
    """Remove comments. Raises NotFastError for a comment that the complete reader must check."""
    parts = split_comments(text)
    if parts is None or "\n\n" in text or "\n " in text:
        raise NotFastError
    between, comments = parts
    for piece in between[:-1]:
        if piece and not piece.endswith('"]\n'):
            raise NotFastError
    for line in "\n".join(comments).split("\n"):
        if len(line) > (LONG if line.isascii() else LONG // 3) or not line.isprintable():
            raise NotFastError
    return "".join(between)


def _tables_of_hand(tables: str) -> str:
    """The tables without those of a club."""
    if not any(f"[{name}" in tables for name in _CLUB_TABLES):
        return tables
    kept = [one for one in tables[1:-1].split("\n[") if not one.startswith(_CLUB_TABLES)]
    return "[" + "\n[".join(kept) + "\n" if kept else ""


def _first_table(text: str) -> int:
    at = text.find('Table "')
    if at > 0 and text[at - 1] == "[":
        # This is the tag Table (the number of a table in the room), not a table section.
        at = text.find('Table "', at + 1)
    if at < 0:
        return len(text)
    return text.rfind("\n", 0, at) + 1


def _build_hand(shape: Shape, values: list[str], standing: GameHeader, tables: str) -> FastHand:
    """Build a hand from tag values and tables. Raises NotFastError if anything is missing."""
    setting = standing.setting
    seat_of = setting.seat_of
    board, dealer, deal, namer = values[3], values[8], values[10], values[12]
    first = seat_of[dealer] if dealer else None
    hand = FastHand(setting, first)
    for name, at in shape.others:
        _read_other(hand, name, values[at])
    setting.read_tables(tables, hand)
    if deal:
        if hand.deal is not None or first is None:
            raise NotFastError
        hand.deal = _deal(deal, setting, first)
    if board:
        hand.number = COUNTS[board]
    if namer:
        hand.namer = seat_of[namer]
    _check_level(standing, hand)
    if not _is_whole(standing, hand):
        raise NotFastError
    return hand


def _read_other(hand: FastHand, name: str, value: str) -> None:
    """Read an optional tag whose value changes from hand to hand."""
    match name:
        case "PainSuit":
            hand.pain = _SUITS[value]
        case "Jackpot":
            hand.jackpot = COUNTS[value]
        case "Pass":
            hand.direction = _direction(value, hand.setting)
        case "Centre":
            hand.centre = CARDS[value]
        case "Claim":
            hand.claim = _claim(value, hand.setting)
        case _:
            check_tag(name, value)


def _record(standing: GameHeader, hand: FastHand) -> HandRecord:
    return _hand_record(
        seats=hand.setting.seats,
        rules=hand.setting.rules,
        number=hand.number,
        dealer=hand.dealer,
        names=standing.names,
        ending=standing.ending,
        stripped=standing.stripped,
        deal=hand.deal,
        centre=hand.centre,
        papers=hand.papers,
        direction=hand.direction,
        exchange=hand.exchange,
        bids=hand.bids,
        auction=hand.auction,
        first_caller=hand.first_caller,
        namer=hand.namer,
        pain=hand.pain,
        jackpot=hand.jackpot,
        columns=hand.columns,
        play=hand.play,
        marks=hand.marks,
        claim=hand.claim,
        captures=hand.captures,
        rulings=hand.rulings,
        rebuys=hand.rebuys,
        pot=hand.pot,
        scores=hand.scores,
        hands=standing.hands,
        ante=standing.ante,
        stake=standing.stake,
        currency=standing.currency,
    )


def _claim(text: str, setting: FastTable) -> Claim:
    seat, tricks = text.split(" ")
    return Claim(setting.seat_of[seat], 0 if tricks == "0" else COUNTS[tricks])


def _direction(text: str, setting: FastTable) -> str:
    if text not in _PASS_WORDS or (text == "across" and len(setting.seats) % 2):
        raise NotFastError
    return text


def _deal(text: str, setting: FastTable, dealer: Seat) -> tuple[CardSet, ...]:
    """Parse a four-player deal into holdings by seat. Raises NotFastError if not dealer first."""
    first, _, hands = text.partition(":")
    held: list[CardSet] = []
    ranks = RANKS_HELD
    for hand in hands.split(" "):
        spades, hearts, diamonds, clubs = hand.split(".")
        cards = ranks[spades] << 39 | ranks[hearts] << 26 | ranks[diamonds] << 13 | ranks[clubs]
        held.append(cards)  # type: ignore[arg-type]
    if len(held) != 4 or len(setting.seats) != 4 or setting.seat_of[first] != dealer:
        raise NotFastError
    return (held[-dealer], held[1 - dealer], held[2 - dealer], held[3 - dealer])


def _check_level(standing: GameHeader, hand: FastHand) -> None:
    """Raise NotFastError unless the Detail tag matches what the record contains."""
    at_once = standing.ending is _CLAIM and hand.claim is not None and not hand.claim.tricks
    level = Detail.from_parts(
        dealt=hand.deal is not None,
        played=hand.cards is not None or hand.cells is not None,
        needs_no_play=at_once or standing.ending in _UNPLAYED,
        is_total=False,
    )
    if level is not standing.detail:
        raise NotFastError


def _is_whole(standing: GameHeader, hand: FastHand) -> bool:
    """Whether all tags required at this level of detail are present."""
    if hand.dealer is None or (standing.ending is _CLAIM and hand.claim is None):
        return False
    named = standing.setting.named and standing.ending not in _UNPLAYED
    return not named or (hand.namer is not None and hand.pain is not None)
