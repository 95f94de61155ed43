"""Cards, suits and sets of cards (rules.md K1).

A card is a small whole number, suit times 13 plus rank, so that within a suit, and over the
whole pack in the order clubs, diamonds, hearts, spades, the stronger card is the larger number.
A set of cards is a bit mask: ``&``, ``|`` and ``~`` mean what they mean for sets.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, NewType

from .messages import Message, MessageError

CardSet = NewType("CardSet", int)

RANKS: Final = "23456789TJQKA"
"""Ranks from the lowest to the highest."""


class Card(int):
    """A card: a number that is shown as its name.

    >>> card("SQ"), str(card("SQ")), card("SQ") == 49
    (SQ, 'SQ', True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return NAMES[self]

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(NAMES[self], spec)


class Suit(IntEnum):
    """The four suits, weakest first: the order that breaks ties in the centre auction (D23)."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    # An enumeration hashes its name anew each time; these are numbers, and keys of many tables.
    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        """The letter of the suit in a record: C, D, H or S."""
        return self.name[0]

    @property
    def glyph(self) -> str:
        """The sign of the suit: ♣, ♦, ♥ or ♠."""
        return "♣♦♥♠"[self]


SUIT_OF_LETTER: Final = {suit.letter: suit for suit in Suit}
SUIT_NAMES: Final = (
    Message("clubs"),
    Message("diamonds"),
    Message("hearts"),
    Message("spades"),
)
"""What suits are called in a sentence, by suit."""
SUITS: Final = tuple(Suit)
CARDS: Final = tuple(Card(number) for number in range(52))
NAMES: Final = tuple(suit.letter + rank for suit in Suit for rank in RANKS)
"""Names by card: ``NAMES[card]`` is ``"SQ"`` for the queen of spades."""
CARD_OF_NAME: Final = dict(zip(NAMES, CARDS, strict=True))
SUIT_OF: Final = tuple(suit for suit in Suit for _ in RANKS)
"""Suits by card."""
BIT: Final = tuple(CardSet(1 << number) for number in range(52))
"""One-card sets by card."""

EMPTY: Final = CardSet(0)
PACK: Final = CardSet((1 << 52) - 1)
SUIT_CARDS: Final = tuple(CardSet(0x1FFF << 13 * suit) for suit in Suit)
"""All thirteen cards of a suit, by suit."""
FOLLOWING: Final = tuple(SUIT_CARDS[suit] for suit in SUIT_OF)
"""All cards of the suit of a card, by card."""

HEARTS: Final = SUIT_CARDS[Suit.HEARTS]
CLUBS: Final = SUIT_CARDS[Suit.CLUBS]
QUEEN: Final = CARD_OF_NAME["SQ"]
"""The queen of spades."""
QUEEN_SET: Final = BIT[QUEEN]


_GLYPHS: Final = str.maketrans(
    {
        "\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C",
        "\u2664": "S", "\u2661": "H", "\u2662": "D", "\u2667": "C",
        "\ufe0e": None, "\ufe0f": None,
    }
)  # fmt: skip


def capitalise(text: str) -> str:
    """Suits and ranks as records spell them: capital letters, T for 10, no suit glyphs."""
    if not text.isascii():
        text = text.translate(_GLYPHS)
    return text.upper().replace("10", "T")


def put_suit_first(text: str) -> str:
    """Cards as records spell them, also where a word has the ranks before their suit.

    >>> put_suit_first("10s"), put_suit_first("H2 AK7S"), put_suit_first("SA K7")
    ('ST', 'H2 S7KA', 'SA K7')
    """
    words = capitalise(text).split(" ")
    return " ".join(word[::-1] if _has_suit_last(word) else word for word in words)


def _has_suit_last(word: str) -> bool:
    return word[:1] in RANKS and word[-1:] in SUIT_OF_LETTER


def card(name: str) -> Card:
    """The card of a name: suit and rank, in either order.

    >>> card("SQ") == card("qs") == QUEEN
    True

    Raises MessageError for anything else.
    """
    found = CARD_OF_NAME.get(name)
    if found is None:
        found = CARD_OF_NAME.get(put_suit_first(name))
    if found is None:
        raise _not_a_card(name)
    return found


def _not_a_card(name: str) -> MessageError:
    return MessageError(
        Message("{name} is not a card; write suit and rank, such as SQ", name=repr(name))
    )


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of some cards."""
    total = 0
    for member in cards:
        total |= 1 << member
    return CardSet(total)


def parse_cards(text: str) -> CardSet:
    """The set written as ``SAK7H2``, ``SASKS7H2`` or ``AS KS``; ``-`` and nothing are empty.

    >>> show(parse_cards("H2 SKA7")), show(parse_cards("2h s10"))
    ('SAK7H2', 'STH2')

    Raises MessageError at a letter that is neither suit nor rank, for a suit without a rank and
    for a card written twice.
    """
    total, suit, bare = 0, "", False
    for letter in put_suit_first(text):
        if letter in SUIT_OF_LETTER and not bare:
            suit, bare = letter, True
        elif letter == "-":
            bare = False
        elif letter != " ":
            bit, bare = BIT[card(suit + letter)], False
            if total & bit:
                raise MessageError(Message("{card} is written twice", card=suit + letter))
            total |= bit
    if bare:
        raise _not_a_card(suit)
    return CardSet(total)


def members(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, from the weakest to the strongest."""
    rest = int(cards)
    while rest:
        low = rest & -rest
        yield CARDS[low.bit_length() - 1]
        rest ^= low


def count(cards: CardSet) -> int:
    """Return the number of cards of a set."""
    return cards.bit_count()


def lowest(cards: CardSet) -> Card:
    """The weakest card of a set that has one."""
    assert cards, "an empty set has no lowest card"
    return CARDS[(cards & -cards).bit_length() - 1]


def suit_ranks(cards: CardSet, suit: Suit) -> str:
    """The ranks held in one suit, highest first: ``"AK7"``."""
    held = cards >> 13 * suit & 0x1FFF
    return "".join(rank for place, rank in reversed(list(enumerate(RANKS))) if held >> place & 1)


def show(cards: CardSet) -> str:
    """A set as it is written in a record: spades first, ranks falling; ``-`` when empty.

    >>> show(EMPTY)
    '-'
    """
    shown = ((suit.letter, suit_ranks(cards, suit)) for suit in reversed(Suit))
    return "".join(letter + ranks for letter, ranks in shown if ranks) or "-"
