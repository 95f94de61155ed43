"""CSV: UTF-8, RFC 4180, one line at a time, and no cell that a spreadsheet would compute."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from tournaments.tables.cells import guard_formula, plain, readable
from tournaments.tables.model import Column, LinkCell, TableLocale, Value, Workbook

BOM = "\ufeff"
_CHUNK = 1 << 15


def write_csv(workbook: Workbook, *, bom: bool = True) -> Iterator[bytes]:
    """Write tables as one text; more than one have their titles above and an empty line between.

    Tables of details are left out.
    ``bom``: begin with the mark by which Excel knows UTF-8.
    """
    words = workbook.properties.locale
    return _write(workbook, ",", replace(words, decimal_sign="."), BOM if bom else "")


def write_semicolon_csv(workbook: Workbook) -> Iterator[bytes]:
    """Write the same as spreadsheets read it that are set to German: 1,5; and a semicolon."""
    return _write(workbook, ";", replace(workbook.properties.locale, decimal_sign=","), BOM)


def _write(
    workbook: Workbook, delimiter: str, locale: TableLocale, beginning: str
) -> Iterator[bytes]:
    waiting, length = [beginning], 0
    for cells in _lines(workbook, locale):
        line = delimiter.join(cells) + "\r\n"
        waiting.append(line)
        length += len(line)
        if length >= _CHUNK:
            yield "".join(waiting).encode()
            waiting, length = [], 0
    if length:
        yield "".join(waiting).encode()


def _lines(workbook: Workbook, locale: TableLocale) -> Iterator[Iterable[str]]:
    tables = [table for table in workbook.tables if not table.is_detail]
    several = len(tables) > 1
    for place, table in enumerate(tables):
        if several:
            yield from [[]] if place else ()
            yield [_text(table.title)]
        yield (_text(column.heading) for column in table.columns)
        with table.open_rows() as rows:
            for row in rows:
                yield (_cell(*pair, locale) for pair in zip(table.columns, row, strict=True))


def _cell(column: Column[Any], value: Value, locale: TableLocale) -> str:
    text = isinstance(value, str | LinkCell)
    return _text(str(value)) if text else plain(column, value, locale)


def _text(text: str) -> str:
    """Write a text so that it is no formula and stays one cell, whatever separates the cells."""
    # What begins a text counts before it is made readable: a NUL there hides a formula.
    cell = readable(guard_formula(text))
    if not cell.isalnum() and any(sign in cell for sign in ',;"\r\n\t '):
        return '"' + cell.replace('"', '""') + '"'
    return cell
