"""Cards as a page shows and says them; templates load these filters as the library ``cards``."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.template import Library
from django.utils.functional import lazystr
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from engine.core.cards import SUIT_NAMES, SUIT_OF_LETTER
from engine.core.seats import SEAT_NAMES
from tournaments.core.language import translate, translated_lazily
from tournaments.models import Result

register = Library()
"""Its filters are those that templates load as ``cards``."""

SHOWN_SUITS = "SHCD"
"""The order in a hand: black and red take turns."""
RANK_ORDER = "AKQJT98765432"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUITS = {letter: translated_lazily(SUIT_NAMES[SUIT_OF_LETTER[letter]]) for letter in SYMBOLS}
RANKS = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
    **{rank: lazystr(rank) for rank in "98765432"},
    "T": lazystr("10"),
}


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card: its symbol in cards.svg, and its name for those who listen."""

    code: str

    @property
    def suit(self) -> str:
        return self.code[0]

    @property
    def rank(self) -> str:
        """Return the rank in print: 10, not T."""
        return "10" if self.code[1] == "T" else self.code[1]

    @property
    def symbol(self) -> str:
        return SYMBOLS[self.suit]

    @property
    def name(self) -> str:
        return pgettext("card", "%(rank)s of %(suit)s") % {
            "rank": RANKS[self.code[1]],
            "suit": SUITS[self.suit],
        }


@register.filter
def faces(cards: str | None) -> list[CardFace]:
    """The cards of ``SAK7H2`` as they are held: suits apart, high cards first.

    >>> [card.code for card in faces("SAK7D2H2")]
    ['SA', 'SK', 'S7', 'H2', 'D2']
    """
    found, suit = [], ""
    for letter in cards or "":
        if letter in SYMBOLS:
            suit = letter
        elif suit and letter in RANKS:
            found.append(suit + letter)
    found.sort(key=lambda code: (SHOWN_SUITS.index(code[0]), RANK_ORDER.index(code[1])))
    return [CardFace(code) for code in found]


@register.filter("face")
def one(code: str | None) -> CardFace | None:
    """A card, or nothing."""
    return next(iter(faces(code)), None)


@register.filter
def suit_name(letter: str | None) -> str:
    """A suit as it is said; empty for none."""
    return str(SUITS[letter]) if letter in SUITS else ""


@register.filter
def suit_symbol(letter: str | None) -> str:
    """The symbol of a suit; empty for none."""
    return SYMBOLS.get(letter or "", "")


@register.filter
def seat_name(seat: str, called: Mapping[str, str] | None = None) -> str:
    """Return a compass point as it is said, or what the person there is called, if that is known.

    >>> seat_name("N", {"N": "Ann"})
    'Ann'
    """
    return (called or {}).get(seat) or str(translate(SEAT_NAMES.get(seat, seat)))


def sitter_name(seat: str, names: Mapping[str, str]) -> str:
    """Return the name of a seat's sitter, as far as it is known: ``North, Anna Berg``."""
    name = names.get(seat, "")
    return f"{seat_name(seat)}, {name}" if name else seat_name(seat)


def describe_taken(row: Result) -> str:
    """Say how many of the pain cards a seat took; empty where the record does not tell."""
    if row.taken is None:
        return ""
    if not row.taken:
        return _("Took none at all")
    return _("Took %(n)s of %(of)s") % {"n": row.taken, "of": row.whole}
