"""XLSX: formatted, in constant memory, and texts are texts whatever they begin with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.utility import quote_sheetname, xl_range_abs
from xlsxwriter.worksheet import Worksheet

from engine.core.messages import Message
from tournaments.tables.cells import decimal_text, format_cell, head_lines, number_of, readable
from tournaments.tables.model import (
    ROWS_MAX,
    UPRIGHT_MAX,
    Column,
    ColumnKind,
    DroppedCell,
    LinkCell,
    RankCell,
    Row,
    Table,
    TableLocale,
    Value,
    Workbook,
)
from tournaments.tables.worksheets import sheet_name

_TEXT = 32_767
_PROPERTY, _MARGIN_TEXT = 255, 100
"""Characters of a cell, of a property, and of what stands in the head of a page."""
_LINE, _LINES_MAX = 15, 8
"""The height of a line in points, and how many a row shows at most."""
_SHORT = 5
"""Texts of so few characters need one line in any column."""
_EXACT = 10**15
_CHUNK = 1 << 16
_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_FIRST_DAY = date(1900, 3, 1).timetuple()
_HEADER = {
    "bold": True,
    "font_color": "#FFFFFF",
    "bg_color": "#2F3E55",
    "border": 1,
    "border_color": "#2F3E55",
    "text_wrap": True,
    "valign": "vcenter",
}
_DETAIL = {"font_color": "#55555C"}
_TITLE = {"bold": True, "font_size": 14}


@dataclass(frozen=True, slots=True)
class _Formats:
    """The look of a column's cells: usually, with a shared rank, and where a score is dropped."""

    usual: Format
    shared: Format
    dropped: Format

    def of(self, value: Value) -> Format:
        match value:
            case RankCell(shared=True):
                return self.shared
            case DroppedCell():
                return self.dropped
            case _:
                return self.usual


def write_xlsx(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read, then it comes in pieces."""
    with TemporaryDirectory(prefix="painsuit-") as folder:
        path = Path(folder, "book.xlsx")
        with _book(path, workbook) as book:
            taken: set[str] = set()
            for table in workbook.tables:
                _SheetWriter(book, workbook, table, taken).write()
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece


@contextmanager
def _book(path: Path, workbook: Workbook) -> Iterator[xlsxwriter.Workbook]:
    book = xlsxwriter.Workbook(str(path), {**_OPTIONS, "tmpdir": str(path.parent)})
    about = workbook.properties
    book.set_properties(
        {
            "title": _text(workbook.title),
            "subject": _text(about.subject),
            "author": _text(about.author),
            "keywords": _text(", ".join(about.keywords)),
            "created": about.created,
            "comments": _text("\n".join(head_lines(about))),
        }
    )
    known = [(one.label or one.key, one.text) for one in about.details]
    for name, text in (*known, ("URL", about.address), ("Digest", about.digest)):
        if text:
            book.set_custom_property(name, _text(text, _PROPERTY), "text")
    try:
        yield book
        book.close()
    finally:
        for sheet in book.worksheets():
            sheet.row_data_fh.close()


@dataclass(frozen=True, slots=True)
class _SheetWriter:
    """Writes one table into as many worksheets as it needs; each begins with the file's head."""

    book: xlsxwriter.Workbook
    workbook: Workbook
    table: Table[Any]
    taken: set[str]

    def write(self) -> None:
        columns, locale = self.table.columns, self.workbook.properties.locale
        formats = [self._formats(column) for column in columns]
        with self.table.open_rows() as rows:
            page, first = self._new_page()
            line = first
            for row in rows:
                if line == ROWS_MAX:
                    self._end_page(page, first, line)
                    page, first = self._new_page()
                    line = first
                if (height := _row_height(columns, row)) > _LINE:
                    page.set_row(line, height)
                cells = zip(columns, row, formats, strict=True)
                for place, (column, value, styles) in enumerate(cells):
                    _write_cell(page, (line, place), column, value, styles, locale)
                line += 1
            self._end_page(page, first, line)

    def _end_page(self, page: Worksheet, first: int, line: int) -> None:
        """Let the rows of a worksheet be filtered by their headings, and found by a name.

        Headings and rows are the range ``table``, of further worksheets ``table_2`` and so on:
        programs need not count the lines above them.
        """
        last = len(self.table.columns) - 1
        page.autofilter(first - 1, 0, max(line - 1, first), last)
        number = len(self.book.worksheets())
        cells = xl_range_abs(first - 1, 0, max(line, first) - 1, last)
        name = quote_sheetname(page.get_name())
        self.book.define_name("table" if number == 1 else f"table_{number}", f"={name}!{cells}")

    def _new_page(self) -> tuple[Worksheet, int]:
        """Begin a worksheet: its head and its headings, and the line of its first row."""
        name = sheet_name(self.table.title, self.taken)
        self.taken.add(name.lower())
        page = self.book.add_worksheet(name)
        columns = self.table.columns
        line = self._write_head(page)
        for place, column in enumerate(columns):
            page.set_column(place, place, column.characters)
            header = self.book.add_format({**_HEADER, **_alignment(column)})
            page.write_string(line, place, _text(column.heading), header)
        page.freeze_panes(line + 1, 0)
        page.repeat_rows(line)
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        about = self.workbook.properties
        page.set_header(f"&L{_code(self.workbook.title)}&R{_code(about.status)}")
        number = about.locale.say(Message("Page {number} of {pages}", number="&P", pages="&N"))
        page.set_footer(f"&L{_code(about.author)}&R{number}")
        if sum(column.characters for column in columns) > UPRIGHT_MAX:
            page.set_landscape()
        return page, line + 1

    def _write_head(self, page: Worksheet) -> int:
        """Write what the file says of itself, and say how many lines that took."""
        head = head_lines(self.workbook.properties)
        if not head:
            return 0
        title, detail = self.book.add_format(_TITLE), self.book.add_format(_DETAIL)
        page.write_string(0, 0, _text(self.workbook.title), title)
        for line, text in enumerate(head, 1):
            page.write_string(line, 0, _text(text), detail)
        return len(head) + 2

    def _formats(self, column: Column[Any]) -> _Formats:
        usual: dict[str, str | bool | int] = {"num_format": _shape(column), "valign": "top"}
        if column.kind in (ColumnKind.TEXT, ColumnKind.BOOLEAN, ColumnKind.LINK):
            usual["text_wrap"] = True
        usual |= _alignment(column)
        return _Formats(
            self.book.add_format(usual),
            self.book.add_format({**usual, "num_format": '0"="'}),
            self.book.add_format({**usual, "font_strikeout": True, "font_color": "#77777C"}),
        )


def _alignment(column: Column[Any]) -> dict[str, str | int]:
    """Numbers stand on the right, dates on the left, and texts as their script is written."""
    if column.is_number:
        return {"align": "right", "indent": 1}
    is_date = column.kind in (ColumnKind.DATE, ColumnKind.DATETIME)
    return {"align": "left", "indent": 1} if is_date else {}


def _row_height(columns: Sequence[Column[Any]], row: Row) -> int:
    """Give the height in points that the texts of a row need; programs do not work it out."""
    lines = 1
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, str) and len(value) > _SHORT:
            parts = value.splitlines()
            lines = max(lines, sum(max(1, -(-len(part) // column.characters)) for part in parts))
    return min(lines, _LINES_MAX) * _LINE


def _shape(column: Column[Any]) -> str:
    match column.kind:
        case ColumnKind.TEXT | ColumnKind.BOOLEAN | ColumnKind.FRACTION | ColumnKind.LINK:
            return "@"
        case ColumnKind.INTEGER | ColumnKind.RANK:
            return "0"
        case ColumnKind.DECIMAL:
            return f"0.{'0' * column.decimal_places}".rstrip(".")
        case ColumnKind.MONEY:
            return f"#,##0.{'0' * column.minor_digits}".rstrip(".")
        case ColumnKind.DATETIME:
            return "yyyy-mm-dd hh:mm"
        case ColumnKind.DATE:
            return "yyyy-mm-dd"


def _write_cell(
    page: Worksheet,
    at: tuple[int, int],
    column: Column[Any],
    value: Value,
    styles: _Formats,
    locale: TableLocale,
) -> None:
    style = styles.of(value)
    number = None if column.kind is ColumnKind.FRACTION else number_of(column, value)
    if value is None:
        page.write_blank(*at, None, style)
    elif isinstance(value, LinkCell):
        page.write_url(*at, value.url, style, _text(value.text))
    elif number is not None and abs(number) < _EXACT:
        page.write_number(*at, float(number), style)
    elif number is not None:
        page.write_string(*at, decimal_text(number), style)
    elif isinstance(value, date) and value.timetuple() >= _FIRST_DAY:
        # A spreadsheet knows the time on the wall only.
        moment = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        page.write_datetime(*at, moment, style)
    else:
        page.write_string(*at, _text(format_cell(column, value, locale)), style)


def _text(text: str, most: int = _TEXT) -> str:
    """Cut what no cell of Excel holds; it refuses the whole file otherwise."""
    text = readable(text)
    if len(text.encode("utf-16-le")) <= 2 * most:
        return text
    return text.encode("utf-16-le")[: 2 * (most - 1)].decode("utf-16-le", "ignore") + "…"


def _code(text: str) -> str:
    """A text in the head or foot of a page, where & begins a code."""
    return _text(text, _MARGIN_TEXT).replace("&", "&&")
