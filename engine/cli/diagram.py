"""Diagram: holdings placed by the compass, as in a newspaper."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from ..core.messages import Message
from ..core.seats import SEAT_NAMES
from .cards import COLOURS, GLYPHS, by_suit
from .language import say
from .screen import Line, Part, count_columns, fit, visible

_ROWS: Final = (("NW", "N", "NE"), ("W", "", "E"), ("SW", "S", "SE"))
_CELL: Final = 26
Cell = Sequence[Line]


def diagram(
    holdings: Mapping[str, str], players: Mapping[str, str], dealer: str | None
) -> Iterator[Line]:
    """Every seat with its name and cards; ``holdings`` as the engine shows them."""
    for row in _ROWS:
        seated = [name for name in row if name in holdings]
        if not seated and "" not in row:
            continue
        cells: list[Cell] = [
            _compass(list(holdings), dealer)
            if not name
            else _holding(name, holdings[name], players.get(name, ""))
            if name in holdings
            else ()
            for name in row
        ]
        for lines in zip_longest(*cells, fillvalue=()):
            yield _join_lines(lines)


def _holding(seat: str, shown: str, player: str) -> list[Line]:
    room = _CELL - len(seat) - 3
    title: Line = [
        (seat, "bold"),
        ("  ", ""),
        (fit(visible(player) or say(SEAT_NAMES[seat]), room), "bold"),
    ]
    if shown == "-":
        return [title, [(Message("no cards"), "dim")]]
    held = by_suit(shown)
    lines: list[Line] = [title]
    for letter, glyph in GLYPHS.items():
        ranks = held.get(letter, "")
        style = COLOURS[letter]
        lines.append([(glyph + " ", style), (ranks, "") if ranks else ("-", "dim")])
    return lines


def _compass(seats: list[str], dealer: str | None) -> list[Line]:
    """A little table that shows where the seats are; the dealer's is marked."""
    top = _edge(seats, dealer, ("NW", "N", "NE"))
    middle = _edge(seats, dealer, ("W", "", "E"))
    bottom = _edge(seats, dealer, ("SW", "S", "SE"))
    blank = " " * 4
    rule = "─" * 13
    return [
        [(f"{blank}┌{rule}┐", "dim")],
        *([(f"{blank}│ ", "dim"), *line, (" │", "dim")] for line in (top, middle, bottom)),
        [(f"{blank}└{rule}┘", "dim")],
    ]


def _edge(seats: list[str], dealer: str | None, names: tuple[str, str, str]) -> list[Part]:
    parts: list[Part] = []
    for name, width, share in zip(names, (3, 5, 3), (0, 0.5, 1), strict=True):
        shown = name if name in seats else ""
        room = width - len(shown)
        left = int(room * share)
        style = "bold reverse" if name == dealer else "bold"
        parts += [(" " * left, ""), (shown, style), (" " * (room - left), "")]
    return parts


def _join_lines(lines: Sequence[Line]) -> Line:
    parts: list[Part] = []
    for line in lines:
        size = sum(count_columns(say(text)) for text, _ in line)
        parts += [*line, (" " * (_CELL - size), "")]
    return parts
