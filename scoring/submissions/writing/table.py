"""The game's knowledge before a hand is submitted, and typed access to submitted values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

from engine.core.cards import EMPTY, SUIT_OF_LETTER, Card, CardSet, Suit, card, parse_cards
from engine.core.chips import Rebuy, RebuyTime
from engine.core.messages import Message, message_of
from engine.core.seats import Seat
from engine.record.game_state import GameState
from engine.record.record import CentreBid, Ending, HandRecord, Paper
from engine.replay.insurance import callers
from engine.rules.rules import Rules
from engine.rules.switches import PainBy
from scoring.submissions.reading import SubmittedRecord, write_hand
from tournaments.core.errors import RefusedError

NUMBER_MAX: Final = 10_000
"""No bid, no count of cards and no points of one hand are larger."""
ENDINGS: Final = {
    "played": Ending.NORMAL,
    "claim": Ending.CLAIM,
    "foot": Ending.FOOT,
    "passed out": Ending.PASSED_OUT,
    "redeal": Ending.REDEAL,
    "abandoned": Ending.ABANDONED,
    "not played": Ending.ABANDONED,
    "unfinished": Ending.UNTERMINATED,
}
"""How a hand can end, in the words of a table; one that is abandoned was dealt (DEC-2)."""

EndingWord = Literal[
    "played", "claim", "foot", "passed out", "redeal", "abandoned", "not played", "unfinished"
]
SuitLetter = Literal["S", "H", "D", "C"]
MoonWord = Literal["others", "self"]
BySeat: TypeAlias = dict[str, int | str | None] | str
"""What each seat has: ``{"N": 2, "E": 0}``, or in one text ``N:2 E:0``."""

REBUYS: Final = {"rebuys": RebuyTime.SHORT, "rebuys_after": RebuyTime.EMPTY}
"""The fields in which a table says who bought chips again, and when."""

T = TypeVar("T")


class UnclearError(RefusedError):
    """Something that cannot be written down; ``field`` is what is to blame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameContext:
    """A game before a hand: its rules, its seats clockwise, the number of the hand.

    ``before`` is what the hand inherits; None where an earlier hand is still missing.
    """

    rules: Rules
    seats: tuple[str, ...]
    number: int
    before: GameState | None = None

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self.seats)

    @property
    def has_auction(self) -> bool:
        """Whether chips are bid for naming the pain suit, as far as is known."""
        return self.rules.pain is PainBy.AUCTION and not self.jackpot

    @property
    def jackpot(self) -> int | None:
        """Return the number of this jackpot hand; None for an ordinary one."""
        return self.before.jackpot or None if self.before is not None else None

    def calls_foot(self, papers: tuple[Paper, ...] | None) -> bool:
        """Whether a paper calls a foot that counts."""
        if not papers:
            return False
        used = self.before.feet if self.before is not None else frozenset[Seat]()
        return bool(callers(self.rules, papers, used))

    def record(self, **facts: Any) -> HandRecord:
        """The record of the facts of a hand, with what the game knows of it."""
        known = {
            "dealer": self.before.dealer if self.before is not None else None,
            "namer": self.before.namer if self.before is not None and self.jackpot else None,
            "jackpot": self.jackpot,
        }
        said = {name: value for name, value in facts.items() if value is not None}
        return HandRecord(
            seats=self.seats,
            rules=self.rules,
            number=self.number,
            **(known | said),
        )

    def write_record(self, **facts: Any) -> SubmittedRecord:
        """The record of the facts of a hand, with its text."""
        return write_hand(self.record(**facts))

    @property
    def unknown_deal(self) -> tuple[CardSet, ...]:
        """A deal of which nobody wrote down a card."""
        return (EMPTY,) * self.players


@dataclass(frozen=True, slots=True)
class SubmittedFields:
    """Submitted values, field by field; every reader raises UnclearError."""

    table: GameContext
    fields: Mapping[str, object]

    def check(self, known: tuple[str, ...], what: str) -> None:
        """Refuse fields that mean nothing."""
        for name in self.fields:
            if name not in known:
                raise UnclearError(
                    Message(
                        "{what} has no {name}; it has {known}.",
                        what=what,
                        name=repr(name),
                        known=", ".join(known),
                    ),
                    name,
                )

    def has(self, name: str) -> bool:
        """Whether a field says something."""
        return self.fields.get(name) not in (None, "", {}, [])

    def text(self, name: str) -> str:
        """A text; empty where nothing is said."""
        value = self.fields.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise UnclearError(
                Message("A text is needed, not {value}.", value=_abbreviate(value)), name
            )
        return value.strip()

    def words(self, name: str) -> list[str]:
        """The words of a text."""
        return self.text(name).replace(",", " ").replace(";", " ").split()

    def seat_named(self, written: str, name: str) -> Seat:
        """The seat of a name."""
        seats = self.table.seats
        if written.strip().upper() not in seats:
            words = Message(
                "{written} is no seat of this table; the seats are {seats}.",
                written=repr(written[:20]),
                seats=" ".join(seats),
            )
            raise UnclearError(words, name)
        return Seat(seats.index(written.strip().upper()))

    def seat(self, name: str) -> Seat | None:
        """A seat, by its name."""
        return self.seat_named(self.text(name), name) if self.has(name) else None

    def number(self, name: str) -> int | None:
        """A whole number from 0."""
        value = self.fields.get(name)
        return None if value is None else whole(value, name)

    def suit(self, name: str) -> Suit | None:
        """A suit, by its letter."""
        written = self.text(name).upper()
        if not written:
            return None
        if written not in SUIT_OF_LETTER:
            raise UnclearError(
                Message("{written} is no suit; write S, H, D or C.", written=repr(written[:20])),
                name,
            )
        return SUIT_OF_LETTER[written]

    def choice(self, name: str, choices: Mapping[str, T]) -> T | None:
        """One of some words."""
        written = self.text(name).lower()
        if not written:
            return None
        if written not in choices:
            words = Message(
                "{written} is not one of {choices}.",
                written=repr(written[:20]),
                choices=", ".join(choices),
            )
            raise UnclearError(words, name)
        return choices[written]

    def by_seat(self, name: str) -> dict[Seat, object]:
        """Return the value of each seat: ``{"N": 2, "E": 0}``, or in one text ``N:2 E:0``."""
        value = self.fields.get(name)
        pairs = value.items() if isinstance(value, Mapping) else self._pairs(name)
        found: dict[Seat, object] = {}
        for written, mine in pairs:
            seat = self.seat_named(str(written), name)
            if seat in found:
                raise UnclearError(
                    Message("{seat} is written twice.", seat=self.table.seats[seat]), name
                )
            found[seat] = mine
        return found

    def _pairs(self, name: str) -> Iterator[tuple[str, str]]:
        for word in self.words(name):
            seat, colon, mine = word.partition(":")
            if not colon:
                raise UnclearError(
                    Message(
                        "{word} needs its seat, such as N:{example}.",
                        word=repr(word[:20]),
                        example=word[:10],
                    ),
                    name,
                )
            yield seat, mine

    def papers(self) -> tuple[Paper, ...] | None:
        """The insurance papers by seat; a seat that is left out has no paper."""
        if not self.has("papers"):
            return None
        found = self.by_seat("papers")
        return tuple(read_paper(found.get(Seat(seat))) for seat in range(self.table.players))

    def rebuys(self) -> tuple[Rebuy, ...] | None:
        """Return the stacks that each seat bought again, to pay or with nothing left (DEC-9)."""
        found = [
            Rebuy(seat, when, whole(stacks, name))
            for name, when in REBUYS.items()
            for seat, stacks in self.by_seat(name).items()
        ]
        return tuple(found) or None

    def bids(self) -> tuple[CentreBid, ...]:
        """The papers in the centre auction, and who ``took`` which card that was left over."""
        took = {seat: card_named(str(card), "took") for seat, card in self.by_seat("took").items()}
        papers = self.by_seat("bids").items()
        return tuple(read_bid(seat, str(mine), took.get(seat)) for seat, mine in papers)

    def bought(self) -> dict[Seat, tuple[Card | None, int]] | None:
        """The centre card that each seat got, as far as it is told, and the points it pays."""
        if self.fields.get("bought") is None:
            return None
        return {seat: _purchase(mine) for seat, mine in self.by_seat("bought").items()}


def whole(value: object, name: str) -> int:
    """A whole number from 0, as a number or in digits. Raises UnclearError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 5:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= NUMBER_MAX:
        words = Message(
            "{value} is no whole number from 0 to {most}.",
            value=_abbreviate(value),
            most=NUMBER_MAX,
        )
        raise UnclearError(words, name)
    return value


def card_named(written: str, name: str) -> Card:
    """The card of a name. Raises UnclearError."""
    try:
        return card(written)
    except ValueError:
        words = Message(
            "{written} is no card; write suit and rank, such as SQ.", written=repr(written[:20])
        )
        raise UnclearError(words, name) from None


def cards_named(written: str, name: str) -> CardSet:
    """A set of cards, such as ``HAK7SQ``; a dash is none. Raises UnclearError."""
    try:
        return parse_cards(written)
    except ValueError as error:
        raise UnclearError(Message("{fault}.", fault=message_of(error)), name) from None


def read_paper(value: object, name: str = "papers") -> Paper:
    """A number, F for a foot, both (``F3``); a dash or nothing for a missing paper."""
    if value is None:
        return Paper(None)
    written = str(value).strip().upper()
    foot, digits = written.startswith("F"), written.removeprefix("F")
    if digits in ("", "-"):
        return Paper(None, foot)
    return Paper(whole(digits if isinstance(value, str) else value, name), foot)


def read_bid(seat: Seat, written: str, got: Card | None, name: str = "bids") -> CentreBid:
    """A paper in the centre auction: card, number and the card shown, ``S3/3/HA``; ``-/HA``."""
    wanted, *rest = written.replace("/", " ").split() or ["-"]
    card = None if wanted == "-" else card_named(wanted, name)
    bid = whole(rest.pop(0), name) if rest and rest[0].isdigit() else 0
    if len(rest) > 1:
        words = Message(
            "{written} is no paper; write card, number, card shown: S3/3/HA.",
            written=repr(written[:20]),
        )
        raise UnclearError(words, name)
    shown = card_named(rest[0], name) if rest and rest[0] != "-" else None
    return CentreBid(seat, card, bid, shown, got)


def _purchase(value: object) -> tuple[Card | None, int]:
    """Points (``3``), or a card and its points (``S3 3`` or ``S3/3``); a card alone was free."""
    words = value.replace("/", " ").split() if isinstance(value, str) else [value]
    first, *rest = words or [0]
    if isinstance(first, str) and not first.isdigit():
        points = whole(rest[0], "bought") if rest else 0
        return card_named(first, "bought"), points
    return None, whole(first, "bought")


def _abbreviate(value: object) -> str:
    """A value in a message: never more than a few letters of it."""
    text = f"{value!r}" if isinstance(value, str | bool) else type(value).__name__
    if isinstance(value, int) and not isinstance(value, bool):
        text = str(value) if abs(value) < 10**9 else Message("a number of so many digits")
    return text if len(text) <= 30 else text[:27] + "..."
