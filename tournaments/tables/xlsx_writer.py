"""XLSX: formatted, in constant memory, and texts are texts whatever they begin with."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from tournaments.tables.cells import decimal_text, format_cell, number_of, readable
from tournaments.tables.sheet_names import sheet_name
from tournaments.tables.sheets import (
    ROWS_MAX,
    CellKind,
    Column,
    RankCell,
    TableSheet,
    Value,
    Workbook,
    flowing,
)

_TEXT = 32_767
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
_Styles = tuple[Format, Format]
"""How a cell of a column looks, and how one with a shared rank does."""


def write_xlsx(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read, then it comes in pieces."""
    with TemporaryDirectory(prefix="painsuit-") as folder:
        path = Path(folder, "book.xlsx")
        with _book(path, workbook) as book:
            taken: set[str] = set()
            for sheet in workbook.sheets:
                _write_sheet(book, sheet, taken)
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                yield piece


@contextmanager
def _book(path: Path, workbook: Workbook) -> Iterator[xlsxwriter.Workbook]:
    book = xlsxwriter.Workbook(str(path), {**_OPTIONS, "tmpdir": str(path.parent)})
    told = workbook.properties
    book.set_properties(
        {
            "title": readable(workbook.title),
            "subject": readable(told.subject),
            "author": readable(told.author),
            "created": told.stamp,
            "comments": "\n".join(readable(note) for note in told.notes),
        }
    )
    try:
        yield book
        book.close()
    finally:
        for sheet in book.worksheets():
            sheet.row_data_fh.close()


def _write_sheet(book: xlsxwriter.Workbook, sheet: TableSheet, taken: set[str]) -> None:
    formats = [_format(book, column) for column in sheet.columns]
    header = book.add_format(_HEADER), book.add_format({**_HEADER, "align": "right"})
    with flowing(sheet) as rows:
        page, line = _new_page(book, sheet, header, taken), 1
        for row in rows:
            if line == ROWS_MAX:
                page, line = _new_page(book, sheet, header, taken), 1
            cells = zip(sheet.columns, row, formats, strict=True)
            for place, (column, value, styles) in enumerate(cells):
                _write_cell(page, (line, place), column, value, styles)
            line += 1


def _new_page(
    book: xlsxwriter.Workbook, sheet: TableSheet, header: tuple[Format, Format], taken: set[str]
) -> Worksheet:
    name = sheet_name(sheet.title, taken)
    taken.add(name.lower())
    page = book.add_worksheet(name)
    for place, column in enumerate(sheet.columns):
        page.set_column(place, place, column.characters)
        page.write_string(0, place, _text(column.heading), header[column.is_number])
    page.freeze_panes(1, 0)
    page.repeat_rows(0)
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.set_footer("&L&A&RPage &P of &N")
    if sum(column.characters for column in sheet.columns) > 90:
        page.set_landscape()
    return page


def _format(book: xlsxwriter.Workbook, column: Column) -> _Styles:
    style = book.add_format({"num_format": _shape(column), "valign": "top"})
    if column.kind is CellKind.RANK:
        return style, book.add_format({"num_format": '0"="', "valign": "top"})
    if column.kind in (CellKind.TEXT, CellKind.FLAG):
        style.set_text_wrap()
    return style, style


def _shape(column: Column) -> str:
    match column.kind:
        case CellKind.TEXT | CellKind.FLAG:
            return "@"
        case CellKind.WHOLE | CellKind.RANK:
            return "0"
        case CellKind.EXACT:
            return f"0.{'0' * column.places}".rstrip(".")
        case CellKind.MONEY:
            return f"#,##0.{'0' * column.minor}".rstrip(".")
        case CellKind.MOMENT:
            return "yyyy-mm-dd hh:mm"
        case CellKind.DAY:
            return "yyyy-mm-dd"


def _write_cell(
    page: Worksheet, at: tuple[int, int], column: Column, value: Value, styles: _Styles
) -> None:
    style = styles[isinstance(value, RankCell) and value.shared]
    number = number_of(column, value)
    if value is None:
        page.write_blank(*at, None, style)
    elif number is not None and abs(number) < _EXACT:
        page.write_number(*at, float(number), style)
    elif number is not None:
        page.write_string(*at, decimal_text(number), style)
    elif isinstance(value, date) and value.timetuple() >= _FIRST_DAY:
        # A spreadsheet knows the time on the wall only.
        moment = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        page.write_datetime(*at, moment, style)
    else:
        page.write_string(*at, _text(format_cell(column, value)), style)


def _text(text: str) -> str:
    """Cut what no cell of Excel holds; it refuses the whole file otherwise."""
    text = readable(text)
    if len(text.encode("utf-16-le")) <= 2 * _TEXT:
        return text
    return text.encode("utf-16-le")[: 2 * (_TEXT - 1)].decode("utf-16-le", "ignore") + "…"
