"""PDF: a table on paper, its heading on every page, upright or across as it fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from engine.core.messages import Message
from tournaments.tables.model import Properties, Table, Workbook
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
    bands_of,
    draw_row,
    natural_width,
    table_texts,
    wrap_headings,
    wrap_row,
)
from tournaments.tables.press import ACCENT, PALE, RULE, PaperSize, Pen, Press, printing

_GAP = 10.0
_TITLE = 18.0
"""The height of a table's title, where there are several."""
_LIVE = Message("As it stands now:")


@dataclass(frozen=True, slots=True)
class _Page:
    """One page: some rows of some columns of a table, below its title."""

    title: str
    band: Band
    heading: PaperRow
    rows: Sequence[PaperRow]


def write_pdf(workbook: Workbook, paper: PaperSize = PaperSize.A4) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read."""
    about = replace(workbook.properties, title=workbook.title, subject="")
    texts = [(table, table_texts(table, about.locale)) for table in workbook.tables]
    width, height = paper.points
    if any(natural_width(table.columns, rows) > width - 2 * MARGIN for table, rows in texts):
        width, height = height, width
    result = BytesIO()
    with printing(
        result,
        (width, height),
        workbook.title,
        author=about.author,
        language=about.locale.code,
        keywords=about.keywords,
    ) as press:
        _draw(press, about, texts)
    yield result.getvalue()


def _draw(
    press: Press, about: Properties, texts: Sequence[tuple[Table[Any], list[tuple[str, ...]]]]
) -> None:
    top = draw_head(press, about) + _GAP
    bottom = press.height - MARGIN - foot_height(about)
    first, other = bottom - top, bottom - TOP_AGAIN
    pages: list[_Page] = []
    for table, rows in texts:
        title = table.title if len(texts) > 1 else ""
        for band in bands_of(table.columns, rows, press.width - 2 * MARGIN):
            rooms = (other if pages else first, other)
            pages.extend(_band_pages(title, band, rows, rooms))
    for number, page in enumerate(pages, 1):
        if number > 1:
            press.next_page()
            top = draw_title_again(press, about)
        _draw_rows(press, page, top)
        draw_foot(press, about, (number, len(pages)), _LIVE)
    press.next_page()


def _band_pages(
    title: str, band: Band, texts: list[tuple[str, ...]], rooms: tuple[float, float]
) -> Iterator[_Page]:
    """Spread rows over pages; ``rooms`` are the heights of the first page and of any other."""
    heading = wrap_headings(band)
    room, other = rooms
    rows: list[PaperRow] = []
    above = heading.height + (_TITLE if title else 0.0)
    used = above
    for cells in texts:
        row = wrap_row(band, cells)
        if rows and used + row.height > room:
            yield _Page(title, band, heading, rows)
            rows, used, room = [], above, other
        rows.append(row)
        used += row.height
    yield _Page(title, band, heading, rows)


def _draw_rows(press: Press, page: _Page, top: float) -> None:
    width, size = sum(page.band.widths), page.band.size
    if page.title:
        pen = Pen(11, bold=True)
        press.text(MARGIN, top + 10, pen.fit(page.title, press.width - 2 * MARGIN), pen)
        top += _TITLE
    press.fill((MARGIN, top), (width, page.heading.height), ACCENT)
    white = Pen(size, bold=True, colour=0xFFFFFF)
    draw_row(press, page.band, page.heading, (MARGIN, top), white)
    top += page.heading.height
    for place, row in enumerate(page.rows):
        if place % 2:
            press.fill((MARGIN, top), (width, row.height), PALE)
        draw_row(press, page.band, row, (MARGIN, top), Pen(size))
        top += row.height
    press.rule((MARGIN, top), (MARGIN + width, top), RULE)
