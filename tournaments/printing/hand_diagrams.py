"""Hands as diagrams: the cards around a compass, the tricks as a table, and what was settled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from operator import itemgetter

from engine.core.messages import Message
from tournaments.tables.lettering import wrap_text
from tournaments.tables.model import Column, ColumnKind, Properties
from tournaments.tables.page_frame import (
    MARGIN,
    TOP_AGAIN,
    draw_foot,
    draw_head,
    draw_title_again,
    foot_height,
)
from tournaments.tables.paper_rows import (
    Band,
    PaperRow,
    TableStyle,
    bands_of,
    draw_row,
    wrap_headings,
    wrap_row,
)
from tournaments.tables.press import GREY, INK, RULE, PaperSize, Pen, Press, printing

_SPOTS: Mapping[str, tuple[int, int]] = {
    "NW": (0, 0), "N": (1, 0), "NE": (2, 0),
    "W": (0, 1), "E": (2, 1),
    "SW": (0, 2), "S": (1, 2), "SE": (2, 2),
}  # fmt: skip
"""Column and row of each seat, as seen from above."""
_LIVE = Message("More of it on the page:")
_GAP = 12.0
_BELOW = 20.0
_TITLE = 19.0
_SHARES = {True: (0.32, 0.40), False: (0.35, 0.30)}
"""What compass and tricks have of the width, with more than four seats or not; facts: the rest."""
_MANY = 4
_CARDS = (8.5, 8.0, 7.5, 7.0, 6.5)
_SMALL = 7.5
_LEADING = 1.3
_STYLE = TableStyle(
    strong=frozenset({"0"}), sizes=(7.5, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5), stretch=9.0, lines=0
)


@dataclass(frozen=True, slots=True)
class HeldCards:
    """The cards of a seat, suit by suit, high cards first, such as "♠ A 7"."""

    seat: str
    name: str
    suits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SmallTable:
    """A table within a diagram; the first ``texts`` columns stand on the left."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDiagram:
    """A hand, with what is known of it.

    ``held`` is by compass point; ``facts`` are lines such as the dealer and the suit to avoid,
    ``result`` is one sentence, ``payments`` says who paid what.
    """

    title: str
    place: str
    held: Mapping[str, HeldCards]
    facts: tuple[str, ...]
    tricks: SmallTable | None
    result: str
    settlement: SmallTable | None
    payments: str = ""


def print_hands(about: Properties, hands: Sequence[HandDiagram], paper: PaperSize) -> bytes:
    """Print hands one below the other, as many on a page as there is room for."""
    result = BytesIO()
    width, height = paper.points
    with printing(
        result, (width, height), about.title, author=about.author, language=about.locale.code
    ) as press:
        parts = [_Diagram(hand, width - 2 * MARGIN) for hand in hands]
        first = draw_head(press, about) + 14
        bottom = height - MARGIN - foot_height(about)
        pages = list(_paginate(parts, (bottom - first, bottom - TOP_AGAIN)))
        for number, page in enumerate(pages, 1):
            top = first if number == 1 else draw_title_again(press, about)
            for part in page:
                part.draw(press, top)
                top += part.height + _BELOW
            draw_foot(press, about, (number, len(pages)), _LIVE)
            press.next_page()
    return result.getvalue()


def _paginate(
    parts: Sequence["_Diagram"], rooms: tuple[float, float]
) -> Iterator[list["_Diagram"]]:
    room, other = rooms
    page: list[_Diagram] = []
    used = 0.0
    for part in parts:
        if page and used + part.height > room:
            yield page
            page, used, room = [], 0.0, other
        page.append(part)
        used += part.height + _BELOW
    yield page


class _Diagram:
    """The layout of one hand in a given width."""

    def __init__(self, hand: HandDiagram, width: float) -> None:
        self._hand = hand
        self._width = width
        room = width - 2 * _GAP
        shares = _SHARES[len(hand.held) > _MANY]
        compass = room * shares[0] if hand.held else 0.0
        tricks = room * shares[1] if hand.tricks else 0.0
        if not hand.held and not hand.tricks:
            compass = room * 0.5
        self._edges = (0.0, compass + _GAP, compass + tricks + (2 if tricks else 1) * _GAP)
        rest = width - self._edges[2]
        self._compass = _Compass(hand.held, compass) if hand.held else None
        self._tricks = _SetTable(hand.tricks, tricks) if hand.tricks else None
        self._settlement = _SetTable(hand.settlement, rest) if hand.settlement else None
        facts = [*hand.facts, hand.result, hand.payments if self._is_brief else ""]
        self._facts = _wrap(facts, compass if self._is_brief else rest)
        self._payments = [] if self._is_brief else _wrap([hand.payments], rest)

    @property
    def _is_brief(self) -> bool:
        """Whether only the result is known; its facts then stand beside the settlement."""
        return self._compass is None and self._tricks is None

    @property
    def height(self) -> float:
        """The room that it needs."""
        line = _SMALL * _LEADING
        told = len(self._facts) * line + 4
        settled = (self._settlement.height if self._settlement else 0.0) + (
            len(self._payments) * line + 4
        )
        heights = [
            max(told, settled) if self._is_brief else told + settled,
            self._compass.height if self._compass else 0.0,
            self._tricks.height if self._tricks else 0.0,
        ]
        return _TITLE + max(heights)

    def draw(self, press: Press, top: float) -> None:
        """Draw it below a point."""
        hand = self._hand
        pen = Pen(11.5, bold=True)
        press.text(MARGIN, top + 10, hand.title, pen)
        aside = Pen(8.5, colour=GREY)
        left = MARGIN + pen.width(hand.title) + 10
        press.text(left, top + 10, aside.fit(hand.place, self._width - left + MARGIN), aside)
        press.rule((MARGIN, top + 14.5), (MARGIN + self._width, top + 14.5), INK, 0.8)
        top += _TITLE
        if self._compass:
            self._compass.draw(press, (MARGIN, top))
        if self._tricks:
            self._tricks.draw(press, (MARGIN + self._edges[1], top))
        right = MARGIN + self._edges[2]
        below = _draw_lines(press, self._facts, (MARGIN if self._is_brief else right, top))
        if not self._is_brief:
            top = below + 4
        if self._settlement:
            self._settlement.draw(press, (right, top))
            top += self._settlement.height
        _draw_lines(press, self._payments, (right, top + 2))


def _wrap(texts: Sequence[str], room: float) -> list[str]:
    return [line for text in texts if text for line in wrap_text(text, _SMALL, room)]


def _draw_lines(press: Press, lines: Sequence[str], at: tuple[float, float]) -> float:
    left, top = at
    for line in lines:
        press.text(left, top + _SMALL, line, Pen(_SMALL))
        top += _SMALL * _LEADING
    return top


class _Compass:
    """The cards of all seats where they sit, in three columns and three rows."""

    def __init__(self, held: Mapping[str, HeldCards], width: float) -> None:
        self._column = width / 3
        room = self._column - 6
        lines = [suit for one in held.values() for suit in one.suits]
        self._size = next(
            (s for s in _CARDS if all(len(wrap_text(line, s, room)) == 1 for line in lines)),
            _CARDS[-1],
        )
        self._seats = {
            seat: (
                _wrap([f"{one.seat} {one.name}".strip()], room - 4),
                [line for suit in one.suits for line in wrap_text(suit, self._size, room)],
            )
            for seat, one in held.items()
        }
        rows: dict[int, float] = {}
        for seat, (names, cards) in self._seats.items():
            height = (len(names) * _SMALL + len(cards) * self._size) * _LEADING + 7
            row = _SPOTS[seat][1]
            rows[row] = max(rows.get(row, 0.0), height)
        self._tops = {row: sum(rows[other] for other in rows if other < row) for row in rows}
        self.height = sum(rows.values())

    def draw(self, press: Press, at: tuple[float, float]) -> None:
        for seat, (names, cards) in self._seats.items():
            column, row = _SPOTS[seat]
            left, top = at[0] + column * self._column, at[1] + self._tops[row]
            for name in names:
                press.text(left, top + _SMALL, name, Pen(_SMALL, bold=True))
                top += _SMALL * _LEADING
            for line in cards:
                press.text(left, top + self._size, line, Pen(self._size))
                top += self._size * _LEADING


class _SetTable:
    """A small table, set in a width."""

    def __init__(self, table: SmallTable, width: float) -> None:
        columns = tuple(
            Column(
                key=str(place),
                title=title,
                kind=ColumnKind.TEXT if place < table.texts else ColumnKind.INTEGER,
                value=itemgetter(place),
            )
            for place, title in enumerate(table.headings)
        )
        self._band: Band = bands_of(columns, table.rows, width, _STYLE)[0]
        self._heading = wrap_headings(self._band)
        self._rows: list[PaperRow] = [wrap_row(self._band, row) for row in table.rows]

    @property
    def height(self) -> float:
        return self._heading.height + sum(map(self._row_height, self._rows)) + 2

    def _row_height(self, row: PaperRow) -> float:
        return row.height - self._band.size * 0.35

    def draw(self, press: Press, at: tuple[float, float]) -> None:
        left, top = at
        width = sum(self._band.widths)
        draw_row(press, self._band, self._heading, at, Pen(self._band.size, bold=True))
        top += self._heading.height
        press.rule((left, top), (left + width, top), INK, 0.6)
        for row in self._rows:
            draw_row(press, self._band, row, (left, top - 0.5), Pen(self._band.size))
            top += self._row_height(row)
            press.rule((left, top), (left + width, top), RULE, 0.4)
