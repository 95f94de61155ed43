"""Draw `static/cards.svg`: 52 faces and a back, one symbol each. Run: python docs/art/cards.py.

Everything is our own geometry. Ink is `currentColor`; face, edge, gold and tint are custom
properties, so that one file serves light and dark pages, two colours and four.
"""

from pathlib import Path
from typing import Final

WIDTH, HEIGHT = 60, 84
INK, FACE = "currentColor", "var(--card-face,#fff)"
EDGE, GOLD, TINT = (
    "var(--card-edge,#c8c2b4)",
    "var(--card-gold,#e0a93b)",
    "var(--card-tint,#f7efdd)",
)

SUITS: Final = {
    "S": "M0-10C3-5.5 9-2 9 3c0 3-2 4.8-4.4 4.8C3 7.8 1.6 7 .9 5.6c.1 2 .9 3.4 2.5 4.4h-6.8"
    "C-1.8 9-1 7.6-.9 5.6-1.6 7-3 7.8-4.6 7.8-7 7.8-9 6-9 3-9-2-3-5.5 0-10Z",
    "H": "M0 9.5C-3 5.2-9.3 1.2-9.3-4c0-3.6 2.5-5.5 5-5.5 2.1 0 3.6 1.2 4.3 3 .7-1.8 2.2-3 4.3-3"
    " 2.5 0 5 1.9 5 5.5 0 5.2-6.3 9.2-9.3 13.5Z",
    "D": "M0-10C2-6 5-2.6 8 0 5 2.6 2 6 0 10-2 6-5 2.6-8 0-5-2.6-2-6 0-10Z",
    "C": "M0-9.6a4.5 4.5 0 0 1 3.5 7.3A4.6 4.6 0 1 1 .9 5.4c.1 2 .9 3.5 2.5 4.6h-6.8"
    "C-1.8 8.9-1 7.4-.9 5.4a4.6 4.6 0 1 1-2.6-7.7A4.5 4.5 0 0 1 0-9.6Z",
}

# One line each, in a box of 10 by 14.
RANKS: Final = {
    "A": "M1 13 5 1l4 12M2.5 9h5",
    "K": "M2 1v12M9 1 2 8.4M4.4 6 9 13",
    "Q": "M5 1C2.2 1 1.2 3.6 1.2 7s1 6 3.8 6 3.8-2.6 3.8-6S7.8 1 5 1ZM5.8 9.6l3.4 3.8",
    "J": "M8 1v8.4C8 11.8 6.8 13 4.8 13c-2 0-3.2-1.2-3.4-3.2",
    "T": "M.4 3 2 1v12M6.9 1C4.8 1 4.3 3.6 4.3 7s.5 6 2.6 6 2.6-2.6 2.6-6-.5-6-2.6-6Z",
    "9": "M8.7 5A3.7 3.9 0 1 1 1.3 5a3.7 3.9 0 1 1 7.4 0c0 4-1.9 7.2-5.6 8",
    "8": "M5 6.6A2.8 2.8 0 1 1 5 1a2.8 2.8 0 1 1 0 5.6Z"
    "M5 6.6a3.4 3.2 0 1 1 0 6.4 3.4 3.2 0 1 1 0-6.4Z",
    "7": "M1.2 1h7.6C6 4.6 4.4 8.4 4 13",
    "6": "M1.3 9a3.7 3.9 0 1 1 7.4 0 3.7 3.9 0 1 1-7.4 0c0-4 1.9-7.2 5.6-8",
    "5": "M8.2 1H2.6L2 6.4C3 5.5 4 5.1 5.1 5.1c2.3 0 3.7 1.6 3.7 3.9"
    "S7.3 13 5 13c-1.9 0-3.2-.8-3.9-2.4",
    "4": "M6.8 13V1L1 9.6h8.2",
    "3": "M1.4 3C2 1.7 3.3 1 4.9 1c2 0 3.4 1.1 3.4 2.9S7 6.7 4.6 6.7c2.6 0 4.2 1.1 4.2 3.1"
    "S7.2 13 4.9 13c-1.9 0-3.2-.8-3.8-2.3",
    "2": "M1.4 4C1.6 2.2 3 1 5 1s3.5 1.2 3.5 3.1c0 3.2-5.6 4.8-7.1 8.9h7.4",
}

LEFT, MIDDLE, RIGHT = 21.5, 30, 38.5
_SIX = [(x, y) for x in (LEFT, RIGHT) for y in (19, 42, 65)]
_EIGHT = [(x, y) for x in (LEFT, RIGHT) for y in (18, 34, 50, 66)]
PIPS: Final = {
    "2": [(MIDDLE, 19), (MIDDLE, 65)],
    "3": [(MIDDLE, 19), (MIDDLE, 42), (MIDDLE, 65)],
    "4": [(x, y) for x in (LEFT, RIGHT) for y in (19, 65)],
    "5": [(x, y) for x in (LEFT, RIGHT) for y in (19, 65)] + [(MIDDLE, 42)],
    "6": _SIX,
    "7": [*_SIX, (MIDDLE, 30.5)],
    "8": [*_SIX, (MIDDLE, 30.5), (MIDDLE, 53.5)],
    "9": [*_EIGHT, (MIDDLE, 42)],
    "T": [*_EIGHT, (MIDDLE, 26), (MIDDLE, 58)],
}

HATS: Final = {
    "K": '<path d="m23.4 21-1.2-7.2 4.4 3.4L30 12l3.4 5.2 4.4-3.4L36.6 21Z"/>',
    "Q": '<path d="M23.6 21c-.6-3.4.6-4.8 2.6-3.2.3-2.6 1.8-4.2 3.8-4.2s3.5 1.6 3.8 4.2'
    'c2-1.6 3.2-.2 2.6 3.2Z"/><circle cx="30" cy="12.4" r="1.3"/>',
    "J": '<path d="M23.2 21.4c-.4-4.6 2.4-6.6 7-6.6 4.4 0 6.6 2 6.6 6.6Z"/>'
    '<path d="M33.5 15.4c1.2-2.8 4.6-4.2 7.6-2.4-.6 3-3.4 4.8-6.2 4.4"/>',
}
HAIR: Final = {
    "K": '<path d="M24.8 25.5c.2 6 2.4 9 5.2 9s5-3 5.2-9l-2 1.8c-2-1-4.4-1-6.4 0Z"/>',
    "Q": '<path d="M24.4 20.5c-3 3-2.6 9-4 12h5c1-2 .4-8 .4-11ZM35.6 20.5c3 3 2.6 9 4 12h-5'
    'c-1-2-.4-8-.4-11Z"/>',
    "J": '<path d="M24.4 20.5c-1.8 2.6-1.8 5.5-1.4 8.3h2.8l-.2-7ZM35.6 20.5c1.8 2.6 1.8'
    ' 5.5 1.4 8.3h-2.8l.2-7Z"/>',
}


def suit(letter: str, x: float, y: float, scale: float) -> str:
    """A pip; in the lower half it stands on its head."""
    turn = "" if y <= HEIGHT / 2 else "rotate(180)"
    return f'<use href="#{letter}" transform="translate({x:g} {y:g}){turn}scale({scale:g})"/>'


def half(rank: str, letter: str) -> str:
    """The upper half of a court card."""
    return (
        f'<path d="M17 42.3V42c0-6.5 4.5-9.8 13-9.8S43 35.5 43 42v.3Z" fill="{INK}"/>'
        f'<path d="m25.5 32.5 4.5 9.5 4.5-9.5Z" fill="{GOLD}"/>'
        f'<circle cx="30" cy="25.4" r="5.4" fill="{FACE}" stroke="{INK}" stroke-width="1"/>'
        f'<g fill="{INK}">{HAIR[rank]}</g>'
        f'<g fill="{GOLD}" stroke="{INK}" stroke-width=".9" stroke-linejoin="round">'
        f"{HATS[rank]}</g>" + suit(letter, 20.4, 17.4, 0.27)
    )


def middle(rank: str, letter: str) -> str:
    """What stands between the corners."""
    if rank == "A":
        return suit(letter, 30, 42, 1.25)
    if rank in PIPS:
        return "".join(suit(letter, x, y, 0.47) for x, y in PIPS[rank])
    frame = f'<rect x="16.5" y="10.5" width="27" height="63" rx="2.5" fill="{TINT}"/>'
    border = (
        f'<rect x="16.5" y="10.5" width="27" height="63" rx="2.5" fill="none" stroke="{INK}"'
        ' stroke-width=".9"/>'
    )
    name = f"{rank}{letter}h"
    return (
        f'{frame}<g id="{name}">{half(rank, letter)}</g>'
        f'<use href="#{name}" transform="rotate(180 30 42)"/>{border}'
    )


def corner(rank: str, letter: str) -> str:
    """Rank over suit, at the upper left."""
    return f'<use href="#r{rank}" transform="translate(4.3 5.5)scale(.92)"/>' + suit(
        letter, 8.9, 26.3, 0.46
    )


def face(rank: str, letter: str) -> str:
    """One whole card."""
    name = f"{letter}{rank}"
    return (
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}"><use href="#face"/>'
        f'<g fill="{INK}"><g id="{name}c">{corner(rank, letter)}</g>'
        f'<use href="#{name}c" transform="rotate(180 30 42)"/>{middle(rank, letter)}</g></symbol>'
    )


def back() -> str:
    """A card that nobody has seen: a lattice."""
    lattice = "".join(
        f'<path d="M{x} {y}l3.6 4-3.6 4-3.6-4Z"/>'
        for x in (12, 21, 30, 39, 48)
        for y in range(10, 74, 9)
    )
    return (
        f'<symbol id="back" viewBox="0 0 {WIDTH} {HEIGHT}"><use href="#face"/>'
        '<rect x="5" y="5" width="50" height="74" rx="3" fill="var(--card-back,#1f5b49)"/>'
        f'<g fill="{GOLD}" opacity=".55">{lattice}</g></symbol>'
    )


def sprite() -> str:
    """The whole file."""
    parts = [f'<path id="{letter}" d="{path}"/>' for letter, path in SUITS.items()] + [
        f'<path id="r{rank}" d="{path}" fill="none" stroke="{INK}" stroke-width="2.3"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
        for rank, path in RANKS.items()
    ]
    plain = (
        f'<rect id="face" x=".75" y=".75" width="58.5" height="82.5" rx="5" fill="{FACE}"'
        f' stroke="{EDGE}" stroke-width="1.5"/>'
    )
    icons = "".join(
        f'<symbol id="suit-{letter}" viewBox="-10.5 -10.5 21 21"><use href="#{letter}"'
        f' fill="{INK}"/></symbol>'
        for letter in SUITS
    )
    faces = "".join(face(rank, letter) for letter in SUITS for rank in RANKS)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg"><defs>'
        f"{''.join(parts)}{plain}</defs>{icons}{faces}{back()}</svg>\n"
    )


if __name__ == "__main__":
    target = Path(__file__).resolve().parents[2] / "static" / "cards.svg"
    target.write_text(sprite(), encoding="utf-8")
