"""PDF: a table on paper, its heading on every page, upright or across as it fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from math import inf
from typing import Any

from engine.core.messages import Message
from tournaments.tables.cells import readable
from tournaments.tables.model import Column, Properties, Workbook
from tournaments.tables.page_frame import (
    MARGIN,
    TOP_AGAIN,
    draw_foot,
    draw_head,
    draw_title_again,
    foot_height,
)
from tournaments.tables.paper_rows import (
    PLAIN,
    Band,
    Group,
    PaperRow,
    TableStyle,
    bands_of,
    draw_row,
    group_rows,
    table_texts,
    wrap_headings,
    wrap_row,
)
from tournaments.tables.press import ACCENT, PALE, RULE, PaperSize, Pen, Press, printing

_GAP = 10.0
_TITLE = 18.0
"""The height of a table's title, where there are several."""
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
"""The sizes of letters, of which the largest is taken that puts enough rows on a page."""
_STYLE = replace(PLAIN, padding=0.4)
_ROWS_ENOUGH = 25
_MANY_MORE = 1.15
_SAMPLE = 250
"""So many rows say how many fit on a page."""
_GROUP_HEIGHT = 2.1
"""The height of the heading of a group of rows, by the size of the letters."""
_LIVE = Message("As it stands now:")


@dataclass(frozen=True, slots=True)
class _SetTable:
    """A table as it is set: its title, and its rows in groups, without what the groups share."""

    title: str
    columns: Sequence[Column[Any]]
    groups: Sequence[Group]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """All rows."""
        return [row for _title, rows in self.groups for row in rows]

    def count_rows_on_page(self, room: tuple[float, float], style: TableStyle) -> float:
        """Estimate how many rows are on a page; 0 where it needs pages beside each other.

        Where it fits on one page, there are always enough.
        """
        width, height = room
        bands = bands_of(self.columns, self.rows, width, style)
        if len(bands) > 1 or sum(bands[0].widths) > width + 1:
            return 0.0
        sample = self.rows[:_SAMPLE]
        used = sum(wrap_row(bands[0], row).height for row in sample) / max(len(sample), 1)
        if self.groups[0][0]:
            used += _GROUP_HEIGHT * style.sizes[0] * len(self.groups) / len(self.rows)
        height -= wrap_headings(bands[0]).height + (_TITLE if self.title else 0.0)
        return height / used if used * len(self.rows) > height else inf


@dataclass(frozen=True, slots=True)
class _Page:
    """One page: some rows of some columns of a table, below its title; a text heads a group."""

    title: str
    band: Band
    heading: PaperRow
    rows: Sequence[PaperRow | str]


def write_pdf(workbook: Workbook, paper: PaperSize = PaperSize.A4) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read."""
    about = replace(workbook.properties, title=workbook.title, subject="")
    tables = [
        _SetTable(
            table.title if len(workbook.tables) > 1 else "",
            *group_rows(table.columns, table_texts(table, about.locale)),
        )
        for table in workbook.tables
    ]
    size, style = _choose_page(tables, about, paper)
    result = BytesIO()
    with printing(
        result,
        size,
        workbook.title,
        author=about.author,
        language=about.locale.code,
        keywords=about.keywords,
    ) as press:
        _draw(press, about, tables, style)
    yield result.getvalue()


def _choose_page(
    tables: Sequence[_SetTable], about: Properties, paper: PaperSize
) -> tuple[tuple[float, float], TableStyle]:
    """Choose a page, upright or across, and its letters: the largest with enough rows on a page.

    The next smaller ones are better where many more rows fit, as then fewer of them wrap. Where all
    letters are too large, those with the most rows are taken; and where a table is too wide for one
    page, a page across with columns that go on elsewhere.
    """
    upright = paper.points
    across = (upright[1], upright[0])
    chosen, most = (across, _STYLE), 0.0
    for letters in _SIZES:
        is_enough = most >= _ROWS_ENOUGH
        for page in (upright, across):
            style = replace(_STYLE, sizes=(letters,))
            room = (page[0] - 2 * MARGIN, page[1] - MARGIN - foot_height(about) - TOP_AGAIN)
            fits = min(table.count_rows_on_page(room, style) for table in tables)
            if fits > most * (_MANY_MORE if is_enough else 1):
                chosen, most = (page, style), fits
        if is_enough:
            break
    return chosen


def _draw(press: Press, about: Properties, tables: Sequence[_SetTable], style: TableStyle) -> None:
    top = draw_head(press, about) + _GAP
    bottom = press.height - MARGIN - foot_height(about)
    first, other = bottom - top, bottom - TOP_AGAIN
    pages: list[_Page] = []
    for table in tables:
        for band in bands_of(table.columns, table.rows, press.width - 2 * MARGIN, style):
            rooms = (other if pages else first, other)
            pages.extend(_band_pages(table, band, rooms))
    for number, page in enumerate(pages, 1):
        if number > 1:
            press.next_page()
            top = draw_title_again(press, about)
        _draw_rows(press, page, top)
        draw_foot(press, about, (number, len(pages)), _LIVE)
    press.next_page()


def _band_pages(table: _SetTable, band: Band, rooms: tuple[float, float]) -> Iterator[_Page]:
    """Spread rows over pages; ``rooms`` are the heights of the first page and of any other.

    A group that goes on has its heading again, and no heading stands alone at the foot of a page.
    """
    heading = wrap_headings(band)
    room, other = rooms
    rows: list[PaperRow | str] = []
    above = heading.height + (_TITLE if table.title else 0.0)
    used, group_height = above, _GROUP_HEIGHT * band.size
    for title, cells_of_group in table.groups:
        is_told = not title
        for cells in cells_of_group:
            row = wrap_row(band, cells)
            needed = row.height + (0.0 if is_told else group_height)
            if rows and used + needed > room:
                yield _Page(table.title, band, heading, rows)
                rows, used, room = [], above, other
                is_told = not title
            if not is_told:
                rows.append(title)
                used += group_height
                is_told = True
            rows.append(row)
            used += row.height
    yield _Page(table.title, band, heading, rows)


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
    is_pale = False
    for row in page.rows:
        if isinstance(row, str):
            pen = Pen(size, bold=True)
            words = pen.fit(readable(row), width - 2 * page.band.gap)
            press.text(MARGIN + page.band.gap, top + size * 1.55, words, pen)
            top += _GROUP_HEIGHT * size
            press.rule((MARGIN, top), (MARGIN + width, top), RULE)
            is_pale = False
            continue
        if is_pale:
            press.fill((MARGIN, top), (width, row.height), PALE)
        draw_row(press, page.band, row, (MARGIN, top), Pen(size))
        top += row.height
        is_pale = not is_pale
    press.rule((MARGIN, top), (MARGIN + width, top), RULE)
