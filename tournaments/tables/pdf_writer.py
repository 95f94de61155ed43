"""PDF: a table on paper, its heading on every page, upright or across as it fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from tournaments.tables.cells import format_cell, readable
from tournaments.tables.columns import Band, bands_of, natural_width
from tournaments.tables.lettering import wrap_text
from tournaments.tables.model import DroppedCell, Table, Workbook
from tournaments.tables.press import (
    ACCENT,
    GREY,
    PALE,
    RULE,
    PaperSize,
    Pen,
    Press,
    printing,
)

MARGIN = 40.0
LEADING = 1.3
_LINES = 8
"""A cell shows so many lines at most."""
_FOOT = 24.0


class _Struck(str):
    """The text of a score that does not count: it is struck through."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """One row, wrapped: the lines of each cell, how high it is, and which cells are struck."""

    cells: tuple[list[str], ...]
    height: float
    dropped: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class _Page:
    """What one page shows: some rows of some columns of a sheet."""

    title: str
    band: Band
    heading: _Line
    lines: Sequence[_Line]
    notes: tuple[str, ...] = ()


def write_pdf(workbook: Workbook, paper: PaperSize = PaperSize.A4) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read."""
    texts = [_texts(table) for table in workbook.tables]
    plans = list(zip(workbook.tables, texts, strict=True))
    width, height = paper.points
    room = width - 2 * MARGIN
    if any(natural_width(table.columns, rows) > room for table, rows in plans):
        width, height = height, width
    pages = _pages(workbook, plans, (width - 2 * MARGIN, height - 2 * MARGIN - _FOOT))
    result = BytesIO()
    with printing(result, (width, height), workbook.title) as press:
        for number, page in enumerate(pages, 1):
            _draw(press, page, workbook.properties.status)
            _foot(press, workbook, f"Page {number} of {len(pages)}")
            press.next_page()
    yield result.getvalue()


def _texts(table: Table[Any]) -> list[tuple[str, ...]]:
    with table.open_rows() as rows:
        return [
            tuple(
                _Struck(text) if isinstance(value, DroppedCell) else text
                for text, value in (
                    (format_cell(column, value), value)
                    for column, value in zip(table.columns, row, strict=True)
                )
            )
            for row in rows
        ]


def _pages(
    workbook: Workbook,
    plans: Sequence[tuple[Table[Any], list[tuple[str, ...]]]],
    room: tuple[float, float],
) -> list[_Page]:
    pages: list[_Page] = []
    about = workbook.properties.details
    notes = tuple(f"{each.label}: {each.text}" for each in about if each.text)
    for table, rows in plans:
        title = table.title if len(plans) > 1 else workbook.title
        for band in bands_of(table.columns, rows, room[0]):
            pages.extend(_band_pages(title, band, rows, room[1], () if pages else notes))
    return pages


def _band_pages(
    title: str, band: Band, rows: list[tuple[str, ...]], height: float, notes: tuple[str, ...]
) -> Iterator[_Page]:
    heading = _line(band, [column.heading for column in band.columns], bold=True)
    above = _title_height(notes) + heading.height
    lines: list[_Line] = []
    used = above
    for row in rows:
        line = _line(band, [row[place] for place in band.places], bold=False)
        if lines and used + line.height > height:
            yield _Page(title, band, heading, lines, notes)
            lines, notes = [], ()
            used = _title_height(()) + heading.height
        lines.append(line)
        used += line.height
    yield _Page(title, band, heading, lines, notes)


def _title_height(notes: tuple[str, ...]) -> float:
    return 30.0 + 13.0 * len(notes) + (6.0 if notes else 0.0)


def _line(band: Band, texts: Sequence[str], *, bold: bool) -> _Line:
    gap = 2 * band.gap
    cells = tuple(
        wrap_text(readable(text), band.size, width - gap, bold=bold, most=_LINES)
        for text, width in zip(texts, band.widths, strict=True)
    )
    most = max(len(cell) for cell in cells)
    dropped = tuple(isinstance(text, _Struck) for text in texts)
    return _Line(cells, most * band.size * LEADING + band.size * 0.7, dropped)


def _draw(press: Press, page: _Page, mark: str) -> None:
    room = press.width - 2 * MARGIN
    pen = Pen(15, bold=True)
    taken = _draw_mark(press, mark)
    press.text(MARGIN, MARGIN + 14, pen.fit(page.title, room - taken), pen)
    small = Pen(9, colour=GREY)
    for place, note in enumerate(page.notes):
        press.text(MARGIN, MARGIN + 30 + 13 * place, small.fit(note, room), small)
    top = MARGIN + _title_height(page.notes)
    press.fill((MARGIN, top), (sum(page.band.widths), page.heading.height), ACCENT)
    _draw_line(press, page.band, page.heading, top, Pen(page.band.size, bold=True, colour=0xFFFFFF))
    top += page.heading.height
    for place, line in enumerate(page.lines):
        if place % 2:
            press.fill((MARGIN, top), (sum(page.band.widths), line.height), PALE)
        _draw_line(press, page.band, line, top, Pen(page.band.size))
        top += line.height
    press.rule((MARGIN, top), (MARGIN + sum(page.band.widths), top), RULE)


def _draw_mark(press: Press, mark: str) -> float:
    """Draw the word that every page bears in the upper right corner; say how much room it took."""
    if not mark:
        return 0
    pen = Pen(10, bold=True, colour=ACCENT, align=0.5)
    words = pen.fit(mark, 200)
    width = pen.width(words) + 20
    left = press.width - MARGIN - width
    press.box((left, MARGIN), (width, 19), ACCENT)
    press.text(left + width / 2, MARGIN + 13, words, pen)
    return width + 12


def _draw_line(press: Press, band: Band, line: _Line, top: float, pen: Pen) -> None:
    left = MARGIN
    cells = zip(band.columns, band.widths, line.cells, line.dropped, strict=True)
    for column, width, words, is_dropped in cells:
        at = left + width - band.gap if column.is_number else left + band.gap
        aligned = replace(pen, align=1 if column.is_number else 0)
        for number, word in enumerate(words):
            base = top + pen.size * (1.25 + LEADING * number)
            press.text(at, base, word, aligned)
            if is_dropped:
                middle = base - pen.size * 0.3
                press.rule((at - aligned.width(word), middle), (at, middle), GREY)
        left += width


def _foot(press: Press, workbook: Workbook, number: str) -> None:
    base = press.height - MARGIN + 6
    made_at = workbook.properties.made_at
    moment = f"{made_at:%Y-%m-%d %H:%M %Z}".rstrip() if made_at else ""
    parts = (workbook.title, moment, workbook.properties.digest)
    words = " · ".join(part for part in parts if part)
    pen = Pen(8, colour=GREY)
    press.rule((MARGIN, base - 13), (press.width - MARGIN, base - 13))
    press.text(MARGIN, base, pen.fit(words, press.width - 2 * MARGIN - 80), pen)
    press.text(press.width - MARGIN, base, number, replace(pen, align=1))
