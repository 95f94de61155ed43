"""CSV: UTF-8, RFC 4180, one line at a time, and no cell that a spreadsheet would compute."""

from collections.abc import Iterable, Iterator
from typing import Any

from tournaments.tables.cells import guard_formula, plain, readable
from tournaments.tables.model import Column, LinkCell, Table, Value, Workbook

BOM = "\ufeff"
_CHUNK = 1 << 15


def write_csv(workbook: Workbook, *, bom: bool = True) -> Iterator[bytes]:
    """Write tables as one text; more than one have their titles above and an empty line between.

    ``bom``: begin with the mark by which Excel knows UTF-8.
    """
    waiting, length = [BOM] if bom else [], 0
    for line in _lines(workbook):
        waiting.append(line)
        length += len(line)
        if length >= _CHUNK:
            yield "".join(waiting).encode()
            waiting, length = [], 0
    if waiting:
        yield "".join(waiting).encode()


def _lines(workbook: Workbook) -> Iterator[str]:
    several = len(workbook.tables) > 1
    for place, table in enumerate(workbook.tables):
        if several:
            yield ("\r\n" if place else "") + _line([guard_formula(readable(table.title))])
        yield from _table_lines(table)


def _table_lines(table: Table[Any]) -> Iterator[str]:
    yield _line(guard_formula(readable(column.heading)) for column in table.columns)
    with table.open_rows() as rows:
        for row in rows:
            yield _line(_cell(*pair) for pair in zip(table.columns, row, strict=True))


def _cell(column: Column[Any], value: Value) -> str:
    # What begins a text counts before it is made readable: a NUL there hides a formula.
    if isinstance(value, str | LinkCell):
        return readable(guard_formula(str(value)))
    return plain(column, value)


def _line(cells: Iterable[str]) -> str:
    return ",".join(_quote_cell(cell) for cell in cells) + "\r\n"


def _quote_cell(cell: str) -> str:
    if not cell.isalnum() and any(sign in cell for sign in ',;"\r\n\t '):
        return '"' + cell.replace('"', '""') + '"'
    return cell
