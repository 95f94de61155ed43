"""Pictures: deals and tricks as SVG, tables as HTML, for notebooks and web pages.

Every picture stands for itself: it needs no style sheet, no font and no script.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from .cards import EMPTY, SUIT_OF, Card, CardSet, Suit, suit_ranks
from .seats import DEFAULT_SEATS

_COLOURS: Final = {
    Suit.SPADES: "#111",
    Suit.HEARTS: "#c62828",
    Suit.DIAMONDS: "#1565c0",
    Suit.CLUBS: "#2e7d32",
}
_CELL: Final = {
    "NW": (0, 0),
    "N": (1, 0),
    "NE": (2, 0),
    "W": (0, 1),
    "E": (2, 1),
    "SW": (0, 2),
    "S": (1, 2),
    "SE": (2, 2),
}
"""Column and row of each point of the compass."""
_WIDE, _HIGH = 150, 104
_LINE: Final = 18
_CARD_WIDE, _CARD_HIGH = 42, 58


def draw_deal(holdings: Sequence[CardSet], centre: CardSet) -> str:
    """The hands of a deal round the table, as SVG; the centre cards in the middle."""
    seats = DEFAULT_SEATS[len(holdings)]
    parts: list[str] = []
    for seat, held in zip(seats, holdings, strict=True):
        column, row = _CELL[seat]
        parts += _holding(seat, held, 10 + column * _WIDE, 20 + row * _HIGH)
    if centre:
        parts += _holding("centre", centre, _WIDE + 10, _HIGH + 20)
    return _svg(3 * _WIDE, 3 * _HIGH, parts)


def draw_hand(
    holdings: Sequence[CardSet], centre: CardSet, leader: int, trick: Sequence[Card]
) -> str:
    """The cards that the seats hold now, with the cards of the trick on the table, as SVG."""
    players = len(holdings)
    deal = draw_deal(holdings, EMPTY if trick else centre).removesuffix("</svg>")
    cards = "".join(_trick_cards(leader, trick, None, DEFAULT_SEATS[players]))
    place = f"translate({1.5 * _WIDE - 60:g} {1.5 * _HIGH - 52:g}) scale(0.45)"
    return "".join((deal, f'<g transform="{place}">', cards, "</g></svg>"))


def draw_trick(leader: int, cards: Sequence[Card], winner: int | None, players: int) -> str:
    """The cards of a trick before the seats that played them, as SVG.

    The seat that led has a dot, the card that won a thick edge.
    """
    return _svg(230, 234, list(_trick_cards(leader, cards, winner, DEFAULT_SEATS[players])))


def _trick_cards(
    leader: int, cards: Sequence[Card], winner: int | None, seats: Sequence[str]
) -> Iterator[str]:
    for place, card in enumerate(cards):
        seat = (leader + place) % len(seats)
        column, row = _CELL[seats[seat]]
        left, top = 20 + column * 74, 10 + row * 74
        yield from _card(card, left, top, won=seat == winner)
        yield _text(left + _CARD_WIDE / 2, top + _CARD_HIGH + 13, seats[seat], size=12)
        if place == 0:
            yield f'<circle cx="{left - 8}" cy="{top + 8}" r="4" fill="#555"/>'


def draw_table(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows with the same columns as an HTML table; numbers stand on the right."""
    heads = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td style="text-align:right">{value}</td>'
    return f"<td>{'' if value is None else escape(str(value))}</td>"


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def _holding(title: str, held: CardSet, left: int, top: int) -> Iterator[str]:
    yield f'<text x="{left}" y="{top}" font-weight="bold">{title}</text>'
    for line, suit in enumerate(reversed(Suit), 1):
        ranks = suit_ranks(held, suit).replace("T", "10") or "-"
        yield (
            f'<text x="{left}" y="{top + line * _LINE}"><tspan fill="{_COLOURS[suit]}">'
            f"{suit.glyph}</tspan> {ranks}</text>"
        )


def _card(card: Card, left: float, top: float, *, won: bool) -> Iterator[str]:
    suit = SUIT_OF[card]
    edge = 3 if won else 1
    yield (
        f'<rect x="{left}" y="{top}" width="{_CARD_WIDE}" height="{_CARD_HIGH}" rx="5"'
        f' fill="#fff" stroke="#333" stroke-width="{edge}"/>'
    )
    name = suit.glyph + str(card)[1].replace("T", "10")
    yield _text(left + _CARD_WIDE / 2, top + _CARD_HIGH / 2 + 6, name, colour=_COLOURS[suit])


def _text(x: float, y: float, words: str, *, colour: str = "#333", size: int = 17) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" text-anchor="middle">'
        f"{words}</text>"
    )
