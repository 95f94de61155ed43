"""Sheets to hang up: results, tables of seasons and lists, in the largest letters that fit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate, pairwise, product
from typing import Any

from engine.core.messages import Message
from tournaments.tables.model import Column, Properties
from tournaments.tables.page_frame import (
    MARGIN,
    TOP_AGAIN,
    Note,
    Notes,
    draw_foot,
    draw_head,
    draw_title_again,
    foot_height,
    shrink_to_fit,
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

_SIZES = (17.0, 15.5, 14.0, 13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)
_SMALL = 2
"""How many of the smallest sizes are tried only when nothing else fits."""
_SIZES_OF_MANY = (9.5, 8.5)
"""The letters of a table that needs several pages; smaller ones only if they save a page."""
LIVE = Message("The live standings, with every hand:")
_GUTTER = 22.0
_TOGETHER = 4
"""So many lines of a group, its title included, are not torn apart."""
_FEW = 12
"""So many rows stand below each other, also where two columns would have larger letters."""
_SIGNATURES = 46.0
"""The height of the lines to sign on, with the room above them."""
_SIGNATURE = 190.0
"""The length of such a line."""
_TITLE = 24.0
"""The height of the title of a sheet."""
_AIR = (-0.42, 0.9)
"""By so much of their letters rows stand closer or further apart, at most."""
_AIR_OF_MANY = (-0.21, -0.42)
"""The same where a table needs several pages: closer only if that saves a page."""
_PODIUM = (72.0, 62.0)
"""The height of the winner's box, and of the two beside it."""


@dataclass(frozen=True, slots=True)
class Winner:
    """One of the first three: the place as text, the name, and lines below it."""

    place: str
    name: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that belong together, such as a division; ``lines``: after so many a line is drawn."""

    title: str
    rows: Sequence[tuple[str, ...]]
    lines: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A sheet; the cells of a row are texts, in the order of the columns.

    Columns named in ``strong`` are bold, those in ``spare`` left out where everything else fits on
    one page without them alone; the first ``kept`` are repeated beside those that go on elsewhere.
    Each of the ``signers`` has a line to sign on at the end.
    """

    columns: tuple[Column[Any], ...]
    groups: Sequence[RowGroup]
    title: str = ""
    winners: Sequence[Winner] = ()
    notes: Sequence[Note] = ()
    signers: Sequence[str] = ()
    strong: frozenset[str] = frozenset({"name", "total"})
    spare: frozenset[str] = frozenset()
    kept: int = 2
    is_across: bool = False

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """All rows of all groups."""
        return [row for group in self.groups for row in group.rows]

    def leave_out_spare(self) -> "PaperSheet":
        """The sheet with only the columns that it needs."""
        places = [n for n, column in enumerate(self.columns) if column.key not in self.spare]
        groups = [
            replace(group, rows=[tuple(row[place] for place in places) for row in group.rows])
            for group in self.groups
        ]
        return replace(self, columns=tuple(self.columns[n] for n in places), groups=groups)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row with its group's title instead of cells, or a line beneath it, where it has them."""

    row: PaperRow | None
    title: str = ""
    is_last: bool = False

    def height(self, size: float) -> float:
        return size * 2.2 if self.row is None else self.row.height


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines below a heading, in one column of a page; ``air`` is added to each, in points."""

    band: Band
    heading: PaperRow
    lines: Sequence[_Line]
    air: float = 0.0

    @property
    def height(self) -> float:
        heights = (line.height(self.band.size) + self.air for line in self.lines)
        return self.heading.height + sum(heights)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of a sheet, from ``top`` down; a page may have notes alone."""

    top: float
    title: str = ""
    winners: Sequence[Winner] = ()
    blocks: Sequence[_Block] = ()
    notes: Notes | None = None
    signers: Sequence[str] = ()
    bottom: float = 0.0

    @property
    def table_top(self) -> float:
        """The top of the table."""
        podium = _PODIUM[0] + 10 if self.winners else 0.0
        return self.top + podium + (_TITLE if self.title else 0.0)

    @property
    def end(self) -> float:
        """The end of the table."""
        return self.table_top + max((block.height for block in self.blocks), default=0.0)

    def draw(self, press: Press) -> None:
        """Draw all of it."""
        if self.winners:
            _draw_podium(press, self.winners, self.top)
        if self.title:
            pen = Pen(13, bold=True)
            press.text(MARGIN, self.table_top - _TITLE + 14, self.title, pen)
        _draw_blocks(press, self.blocks, self.table_top)
        if self.notes is not None:
            self.notes.draw(press, self.end)
        for place, who in enumerate(self.signers):
            left = MARGIN + place * (_SIGNATURE + _GUTTER)
            press.rule((left, self.bottom - 14), (left + _SIGNATURE, self.bottom - 14), INK)
            press.text(left, self.bottom - 3, who, Pen(9, colour=GREY))


def print_sheets(
    about: Properties,
    sheets: Sequence[PaperSheet],
    paper: PaperSize,
    caption: Message = LIVE,
) -> bytes:
    """Print sheets one after the other, each on one page in letters as large as that allows.

    A sheet that does not fit goes on. All of them lie as the first; ``caption`` stands above the
    address at the foot.
    """
    width, height = reversed(paper.points) if sheets[0].is_across else paper.points
    result = BytesIO()
    title = f"{about.title}, {about.author}" if about.author else about.title
    with printing(
        result,
        (width, height),
        title,
        author=about.author,
        language=about.locale.code,
        keywords=about.keywords,
    ) as press:
        top = draw_head(press, about) + 12
        pages: list[_Page] = []
        for sheet in sheets:
            room = (width - 2 * MARGIN, height - MARGIN - foot_height(about))
            pages.extend(_set_sheet(sheet, TOP_AGAIN if pages else top, room))
        for number, page in enumerate(pages, 1):
            if number > 1:
                draw_title_again(press, about)
            page.draw(press)
            draw_foot(press, about, (number, len(pages)), caption)
            press.next_page()
    return result.getvalue()


def _set_sheet(sheet: PaperSheet, top: float, room: tuple[float, float]) -> list[_Page]:
    """Set a sheet on pages; ``room`` is the width, and where the foot begins."""
    width, foot = room
    bottom = foot - (_SIGNATURES if sheet.signers else 0.0)
    first = _Page(top, sheet.title, sheet.winners)
    notes = Notes(sheet.notes, width)
    space = bottom - first.table_top - notes.height
    needed = sheet.leave_out_spare()
    blocks = (
        _on_one_page(sheet, width, space, _SIZES[:-_SMALL], may_wrap=False)
        or _on_one_page(needed, width, space, _SIZES[:-1], may_wrap=False)
        or _on_one_page(sheet, width, space, _SIZES[:-_SMALL], may_wrap=True)
        or _on_one_page(needed, width, space, _SIZES, may_wrap=True)
    )
    if blocks is not None:
        return [replace(first, blocks=blocks, notes=notes, signers=sheet.signers, bottom=foot)]
    rest = bottom - TOP_AGAIN - (_TITLE if sheet.title else 0.0)
    settings: list[list[_Page]] = []
    for largest, air in product(_SIZES_OF_MANY, _AIR_OF_MANY):
        many = list(_on_pages(sheet, width, (bottom - first.table_top, rest), (largest, air)))
        pages = [replace(first, blocks=many[0])]
        pages += [_Page(TOP_AGAIN, sheet.title, blocks=blocks) for blocks in many[1:]]
        if pages[-1].end + notes.height <= bottom + 1:
            pages[-1] = replace(pages[-1], notes=notes)
        else:
            pages.append(_Page(TOP_AGAIN, notes=notes))
        pages[-1] = replace(pages[-1], signers=sheet.signers, bottom=foot)
        settings.append(pages)
    return min(settings, key=len)


def _style(sheet: PaperSheet, *sizes: float) -> TableStyle:
    return TableStyle(sizes=sizes, strong=sheet.strong, kept=sheet.kept, stretch=9.0, lines=0)


def _on_one_page(
    sheet: PaperSheet, room: float, height: float, sizes: Sequence[float], *, may_wrap: bool
) -> list[_Block] | None:
    """Set the table in the largest letters that fit, in one column or two; None: none do."""
    for size in sizes:
        for count in (1,) if sheet.is_across or len(sheet.rows) <= _FEW else (1, 2):
            blocks = _blocks(sheet, room, size, count)
            if blocks is None or (not may_wrap and any(map(_wraps, blocks))):
                continue
            least, most = (each * size for each in _AIR)
            spare = min((height - block.height) / max(len(block.lines), 1) for block in blocks)
            if spare >= least:
                return [replace(block, air=min(spare, most)) for block in blocks]
    return None


def _blocks(sheet: PaperSheet, room: float, size: float, count: int) -> list[_Block] | None:
    """Set all rows in ``count`` columns of a page; None if the columns of the table do not fit."""
    width = (room - _GUTTER * (count - 1)) / count
    bands = bands_of(sheet.columns, sheet.rows, width, _style(sheet, size))
    if len(bands) > 1 or sum(bands[0].widths) > width + 1:
        return None
    lines = list(_lines(bands[0], sheet.groups))
    heading = wrap_headings(bands[0])
    return [_Block(bands[0], heading, part) for part in _balance(lines, size, count)]


def _wraps(block: _Block) -> bool:
    return any(
        len(cell) > 1 for line in block.lines if line.row is not None for cell in line.row.cells
    )


def _lines(band: Band, groups: Sequence[RowGroup]) -> Iterator[_Line]:
    for group in groups:
        if group.title:
            yield _Line(None, group.title)
        for number, row in enumerate(group.rows, 1):
            yield _Line(wrap_row(band, row), is_last=number in group.lines)


def _balance(lines: Sequence[_Line], size: float, count: int) -> list[Sequence[_Line]]:
    """Cut lines into parts of about the same height, the first the highest."""
    ends = list(accumulate(line.height(size) for line in lines))
    whole = ends[-1] if ends else 0.0
    goals = [whole * part / count for part in range(1, count)]
    cuts = [next((at + 1 for at, end in enumerate(ends) if end >= goal - 1), 0) for goal in goals]
    return [lines[start:end] for start, end in pairwise([0, *cuts, len(lines)])]


def _on_pages(
    sheet: PaperSheet, room: float, heights: tuple[float, float], letters: tuple[float, float]
) -> Iterator[list[_Block]]:
    """Set a long table on pages, and a wide one on pages beside each other.

    ``letters`` are the largest size that they may have, and the air of rows by their size.
    """
    height, later = heights
    for band in _bands_of_many(sheet, room, letters[0]):
        heading = wrap_headings(band)
        air = letters[1] * band.size
        lines: list[_Line] = []
        used = heading.height
        title = ""
        for line in _lines(band, sheet.groups):
            # The title of a group does not stand at the foot of a page, alone or above few rows.
            needed = (line.height(band.size) + air) * (_TOGETHER if line.row is None else 1)
            if lines and used + needed > height:
                yield [_Block(band, heading, lines, air)]
                again = [_Line(None, title)] if title and line.row is not None else []
                lines, height = again, later
                used = heading.height + sum(one.height(band.size) + air for one in again)
            lines.append(line)
            used += line.height(band.size) + air
            title = title if line.row is not None else line.title
        yield [_Block(band, heading, lines, air)]
        height = later


def _bands_of_many(sheet: PaperSheet, room: float, largest: float) -> list[Band]:
    """Spread columns over pages: in letters in which no row wraps, if there are some."""
    sizes = [size for size in _SIZES if size <= largest]
    for size in sizes:
        bands = bands_of(sheet.columns, sheet.rows, room, _style(sheet, size))
        blocks = [
            _Block(band, wrap_headings(band), list(_lines(band, sheet.groups))) for band in bands
        ]
        if len(bands) == 1 and not any(map(_wraps, blocks)):
            return bands
    return bands_of(sheet.columns, sheet.rows, room, _style(sheet, *sizes))


def _draw_blocks(press: Press, blocks: Sequence[_Block], top: float) -> None:
    left = MARGIN
    for block in blocks:
        width = sum(block.band.widths)
        _draw_block(press, block, (left, top), width)
        left += width + _GUTTER


def _draw_block(press: Press, block: _Block, at: tuple[float, float], width: float) -> None:
    left, top = at
    size = block.band.size
    draw_row(press, block.band, block.heading, at, Pen(size, bold=True))
    top += block.heading.height
    press.rule((left, top), (left + width, top), INK, 0.9)
    for line in block.lines:
        natural = line.height(size)
        height = natural + block.air
        if line.row is None:
            pen = Pen(size * 1.05, bold=True)
            press.text(left + block.band.gap, top + height - size * 0.7, line.title, pen)
        else:
            draw_row(press, block.band, line.row, (left, top + (height - natural) / 2), Pen(size))
        top += height
        is_strong = line.row is None or line.is_last
        rule = (INK, 0.9) if is_strong else (RULE, 0.5)
        press.rule((left, top), (left + width, top), *rule)


def _draw_podium(press: Press, winners: Sequence[Winner], top: float) -> None:
    """Draw the first three, the winner in the middle and highest."""
    room = press.width - 2 * MARGIN
    gap = 12.0
    width = (room - gap * (len(winners) - 1)) / len(winners)
    order = (1, 0, 2) if len(winners) == 3 else range(len(winners))
    end = top + _PODIUM[0]
    for spot, place in enumerate(order):
        winner = winners[place]
        height = _PODIUM[0] if place == 0 else _PODIUM[1]
        left = MARGIN + spot * (width + gap)
        press.box((left, end - height), (width, height), INK if place == 0 else GREY)
        press.rule((left, end), (left + width, end), INK, 3.0 if place == 0 else 1.5)
        _draw_winner(
            press, winner, (left + width / 2, end - height), width - 14, is_first=place == 0
        )


def _draw_winner(
    press: Press, winner: Winner, at: tuple[float, float], room: float, *, is_first: bool
) -> None:
    middle, top = at
    press.text(middle, top + 18, winner.place, Pen(18 if is_first else 15, bold=True, align=0.5))
    sizes = (16.0, 14.0, 12.5) if is_first else (13.5, 12.0)
    size, lines = shrink_to_fit(winner.name, sizes, room, most=1)
    if len(lines) > 1:
        size, lines = shrink_to_fit(winner.name, (10.0, 9.0, 8.0, 7.0), room)
    base = top + (37 if is_first else 33)
    for line in lines:
        press.text(middle, base, line, Pen(size, bold=True, align=0.5))
        base += size * 1.2
    words = " · ".join(part for part in winner.facts if part)
    size, lines = shrink_to_fit(words, (11.0, 9.5, 8.0), room, most=1, bold=False)
    base = top + (_PODIUM[0] if is_first else _PODIUM[1]) - 10 - (len(lines) - 1) * size * 1.2
    for line in lines:
        press.text(middle, base, line, Pen(size, align=0.5))
        base += size * 1.2
