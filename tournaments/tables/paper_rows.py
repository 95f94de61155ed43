"""A table on paper: its columns in bands side by side, its rows wrapped to them, and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tournaments.tables.cells import format_cell, heading_places, readable, say_heading
from tournaments.tables.lettering import width_of, wrap_text
from tournaments.tables.model import ENGLISH, Column, DroppedCell, Table, TableLocale, Value
from tournaments.tables.press import GREY, Pen, Press

_GAP = 0.5
_SEEN = 400
"""How many rows are measured; a wider cell below them wraps."""
_WIDEST = 34.0
"""No column asks for more than this, times the size of its letters."""
_WORD = 9.0
"""A word longer than this, times the size, may be broken."""
Rows = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStyle:
    """The style of a table.

    ``sizes`` are the sizes of its letters that may be tried, the largest first; ``strong`` the keys
    of columns in bold; so many columns from the first are ``kept`` where others go on elsewhere; a
    table that is narrower than its room is stretched by at most ``stretch``. A cell shows so many
    ``lines`` at most, 0 for all that it has; ``padding`` is the air of a row, by the size.
    """

    sizes: tuple[float, ...] = (9.0, 8.0, 7.0, 6.0)
    strong: frozenset[str] = frozenset()
    kept: int = 1
    stretch: float = 1.35
    lines: int = 8
    padding: float = 0.7


PLAIN = TableStyle()


@dataclass(frozen=True, slots=True)
class Band:
    """Columns that stand side by side on a page, and where they come from; widths in points."""

    columns: tuple[Column[Any], ...]
    places: tuple[int, ...]
    widths: tuple[float, ...]
    size: float
    style: TableStyle = PLAIN

    @property
    def gap(self) -> float:
        """Give the room left and right of a cell's text."""
        return self.size * _GAP


def bands_of(
    columns: Sequence[Column[Any]], rows: Rows, room: float, style: TableStyle = PLAIN
) -> list[Band]:
    """Spread columns over pages: on one if small letters allow it.

    Else they come one after the other, with the first columns again before each part.
    """
    wishes = _wishes(columns, rows, style)
    needed = sum(least for least, _ in wishes)
    size = next((size for size in style.sizes if needed * size <= room), style.sizes[-1])
    groups: list[list[int]] = [[]]
    used = 0.0
    for place, (least, _) in enumerate(wishes):
        is_full = used + least * size > room and needed * size > room
        if is_full and len(groups[-1]) > (style.kept if len(groups) > 1 else 0):
            groups.append(list(range(min(style.kept, place))))
            used = sum(wishes[kept][0] for kept in groups[-1]) * size
        groups[-1].append(place)
        used += least * size
    return [_band(columns, wishes, places, (size, room), style) for places in groups]


def _wishes(
    columns: Sequence[Column[Any]], rows: Rows, style: TableStyle
) -> list[tuple[float, float]]:
    """Give the least and the best width of each column, at one point of size."""
    return [
        _wish(column, [row[place] for row in rows[:_SEEN]], bold=column.key in style.strong)
        for place, column in enumerate(columns)
    ]


def _wish(column: Column[Any], cells: Sequence[str], *, bold: bool) -> tuple[float, float]:
    best = max((width_of(cell, 1, bold=bold) for cell in cells), default=0.0)
    title = width_of(column.heading, 1, bold=True)
    word = max((width_of(word, 1, bold=True) for word in column.heading.split()), default=0.0)
    if column.is_number:
        least = min(best, _WIDEST)
    else:
        words = (width_of(word, 1, bold=bold) for cell in cells for word in cell.split())
        least = min(max(words, default=0.0), _WORD)
    spare = 2 * _GAP + 0.1
    least = max(least, min(word, _WORD)) + spare
    return least, max(least, min(max(best, min(title, _WORD)), _WIDEST) + spare)


def _band(
    columns: Sequence[Column[Any]],
    wishes: Sequence[tuple[float, float]],
    places: Sequence[int],
    letters: tuple[float, float],
    style: TableStyle,
) -> Band:
    """Share the room: small wishes are granted in full, great ones get what is left alike.

    Columns in bold letters are served first.
    """
    size, room = letters
    widths = {place: wishes[place][0] * size for place in places}
    spare = max(0.0, room - sum(widths.values()))
    more = {place: (wishes[place][1] - wishes[place][0]) * size for place in places}
    favoured = {place for place in places if columns[place].key in style.strong}
    order = sorted(more, key=lambda place: (place not in favoured, more[place]))
    for number, place in enumerate(order):
        granted = min(more[place], spare if place in favoured else spare / (len(more) - number))
        widths[place] += granted
        spare -= granted
    # A table that nearly fills the page fills it; a small one stays together.
    stretched = min(style.stretch, room / sum(widths.values()))
    return Band(
        tuple(columns[place] for place in places),
        tuple(places),
        tuple(widths[place] * stretched for place in places),
        size,
        style,
    )


LEADING = 1.3


class StruckText(str):
    """The text of a score that does not count: it is struck through."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One row, wrapped: the lines of each cell, how high it is, and which cells are struck."""

    cells: tuple[list[str], ...]
    height: float
    struck: tuple[bool, ...]


def table_texts(table: Table[Any], locale: TableLocale = ENGLISH) -> list[tuple[str, ...]]:
    """Read a table, and write its cells as people read them."""
    with table.open_rows() as rows:
        return [
            tuple(
                paper_text(column, value, locale)
                for column, value in zip(table.columns, row, strict=True)
            )
            for row in rows
        ]


Group = tuple[str, list[tuple[str, ...]]]
"""Rows that share a heading, without the cells that are in it."""


def group_rows(columns: Sequence[Column[Any]], rows: Rows) -> tuple[list[Column[Any]], list[Group]]:
    """Put what many rows share above them, once: the other columns, and the rows in groups."""
    above = heading_places(columns, rows)
    if not above:
        return list(columns), [("", list(rows))]
    rest = [place for place in range(len(columns)) if place not in above]
    heads = [columns[place] for place in above]
    groups = [
        (say_heading(heads, cells), [tuple(row[place] for place in rest) for row in run])
        for cells, run in groupby(rows, lambda row: [row[place] for place in above])
    ]
    return [columns[place] for place in rest], groups


def paper_text(column: Column[Any], value: Value, locale: TableLocale) -> str:
    """Format a cell for paper: a number has a minus sign, which is wider than a hyphen."""
    text = format_cell(column, value, locale)
    if column.is_number and text.startswith("-"):
        text = f"\N{MINUS SIGN}{text[1:]}"
    return StruckText(text) if isinstance(value, DroppedCell) else text


def wrap_headings(band: Band) -> PaperRow:
    """Wrap the headings of a band's columns, in bold letters."""
    return _wrap(band, [column.heading for column in band.columns], bold=True)


def wrap_row(band: Band, row: Sequence[str]) -> PaperRow:
    """Wrap those cells of a table's row that a band shows."""
    return _wrap(band, [row[place] for place in band.places], bold=False)


def _wrap(band: Band, texts: Sequence[str], *, bold: bool) -> PaperRow:
    gap = 2 * band.gap
    cells = tuple(
        wrap_text(
            readable(text),
            band.size,
            width - gap,
            bold=bold or column.key in band.style.strong,
            most=band.style.lines,
        )
        for column, text, width in zip(band.columns, texts, band.widths, strict=True)
    )
    most = max(len(cell) for cell in cells)
    struck = tuple(isinstance(text, StruckText) for text in texts)
    return PaperRow(cells, band.size * (most * LEADING + band.style.padding), struck)


def draw_row(press: Press, band: Band, row: PaperRow, at: tuple[float, float], pen: Pen) -> None:
    """Draw a row from its upper left corner; the size of its letters is that of the band."""
    left, top = at
    cells = zip(band.columns, band.widths, row.cells, row.struck, strict=True)
    for column, width, lines, is_struck in cells:
        end = left + width - band.gap if column.is_number else left + band.gap
        own = replace(
            pen,
            size=band.size,
            bold=pen.bold or column.key in band.style.strong,
            align=1 if column.is_number else 0,
        )
        for number, words in enumerate(lines):
            base = top + band.size * (1.25 + LEADING * number)
            press.text(end, base, words, own)
            if is_struck:
                # Slanting: a level line would hide a minus.
                top_of_digits = base - band.size * 0.7
                press.rule((end - own.width(words), base), (end, top_of_digits), GREY)
        left += width
