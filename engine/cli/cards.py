"""Cards as they look in a terminal: glyphs, four colours."""

from collections.abc import Iterator
from typing import Final

from ..core.cards import RANKS
from .screen import Part

GLYPHS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
COLOURS: Final = {"S": "", "H": "red", "D": "bright_blue", "C": "green"}


def card(name: str, style: str = "") -> Part:
    """One card, from its name in a record.

    >>> card("HQ")
    ('♥Q', 'red')
    """
    return GLYPHS[name[0]] + name[1:], f"{COLOURS[name[0]]} {style}".strip()


def suit(letter: str) -> Part:
    """The glyph of a suit."""
    return GLYPHS[letter], COLOURS[letter]


def by_suit(cards: str) -> dict[str, str]:
    """The ranks of a set of cards, by suit; ``cards`` as the engine shows them.

    >>> by_suit("SAK7H2")
    {'S': 'AK7', 'H': '2'}
    """
    held: dict[str, str] = {}
    letter = ""
    for sign in cards.replace("-", ""):
        if sign in RANKS:
            held[letter] += sign
        else:
            letter = sign
            held.setdefault(letter, "")
    return held


def cards(shown: str) -> list[Part]:
    """A set of cards, suit by suit."""
    parts: list[Part] = []
    for letter, ranks in by_suit(shown).items():
        parts += [(" ", "")] if parts else []
        parts.append((GLYPHS[letter] + ranks, COLOURS[letter]))
    return parts or [("-", "dim")]


def names(shown: str) -> Iterator[str]:
    """The names of the cards of a set, as a record writes them.

    >>> list(names("SAK7H2"))
    ['SA', 'SK', 'S7', 'H2']
    """
    for letter, ranks in by_suit(shown).items():
        for rank in ranks:
            yield letter + rank
