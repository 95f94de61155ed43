"""Rows of a table on paper: their cells as texts, wrapped to the columns, and drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.tables.bands import Band
from tournaments.tables.cells import format_cell, readable
from tournaments.tables.lettering import wrap_text
from tournaments.tables.locale import ENGLISH, TableLocale
from tournaments.tables.model import Column, DroppedCell, Table, Value
from tournaments.tables.press import GREY, Pen, Press

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
    return PaperRow(cells, most * band.size * LEADING + band.size * 0.7, struck)


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
                middle = base - band.size * 0.3
                press.rule((end - own.width(words), middle), (end, middle), GREY)
        left += width
