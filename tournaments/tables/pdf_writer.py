"""PDF: a table on paper, its heading on every page, upright or across as it fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from tournaments.tables.columns import Band, bands_of, natural_width
from tournaments.tables.model import Table, Workbook
from tournaments.tables.paper_rows import (
    PaperRow,
    draw_row,
    table_texts,
    wrap_headings,
    wrap_row,
)
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
_FOOT = 24.0


@dataclass(frozen=True, slots=True)
class _Page:
    """What one page shows: some rows of some columns of a sheet."""

    title: str
    band: Band
    heading: PaperRow
    lines: Sequence[PaperRow]
    notes: tuple[str, ...] = ()


def write_pdf(workbook: Workbook, paper: PaperSize = PaperSize.A4) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read."""
    texts = [table_texts(table) for table in workbook.tables]
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
    heading = wrap_headings(band)
    above = _title_height(notes) + heading.height
    lines: list[PaperRow] = []
    used = above
    for row in rows:
        line = wrap_row(band, row)
        if lines and used + line.height > height:
            yield _Page(title, band, heading, lines, notes)
            lines, notes = [], ()
            used = _title_height(()) + heading.height
        lines.append(line)
        used += line.height
    yield _Page(title, band, heading, lines, notes)


def _title_height(notes: tuple[str, ...]) -> float:
    return 30.0 + 13.0 * len(notes) + (6.0 if notes else 0.0)


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
    draw_row(
        press,
        page.band,
        page.heading,
        (MARGIN, top),
        Pen(page.band.size, bold=True, colour=0xFFFFFF),
    )
    top += page.heading.height
    for place, line in enumerate(page.lines):
        if place % 2:
            press.fill((MARGIN, top), (sum(page.band.widths), line.height), PALE)
        draw_row(press, page.band, line, (MARGIN, top), Pen(page.band.size))
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
