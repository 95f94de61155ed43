"""A spreadsheet file (ODS): the cells of one worksheet, each of its type, and what is odd."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.etree.ElementTree import Element

from engine.core.messages import Message, message_of
from tournaments.tables.csv_reader import too_wide
from tournaments.tables.input_model import (
    Cell,
    CellFaultError,
    CellRemark,
    ReadLimits,
    TableError,
    TableFile,
    TableRow,
    column_letters,
)
from tournaments.tables.packed_file import PackedFile
from tournaments.tables.worksheets import (
    SheetRemarks,
    choose_sheet,
    day_or_moment,
    merged_words,
)
from tournaments.tables.xlsx_reader import read_decimal, read_percentage

_CONTENT: Final = "content.xml"
_TIME: Final = re.compile(r"PT(\d+)H(\d+)M(?:\d+(?:[.,]\d+)?S)?")
_ERROR: Final = re.compile(r"#\S+|Err:\d+")
_REPEATED_MAX: Final = 1 << 21
"""Rows or columns of the largest worksheets that programs make, twice."""


def read_ods(archive: PackedFile, limits: ReadLimits, sheet: str | None = None) -> TableFile:
    """Read one worksheet, by its name or the first that is not hidden. Raises TableError."""
    locks = archive.elements("META-INF/manifest.xml", "encryption-data")
    if next(locks, None) is not None:
        raise TableError(Message("The file is locked with a password. Save it without one."))
    hidden = set[str | None]()
    shown, names = list[str](), list[str]()
    for element in archive.elements(_CONTENT, "style", starts=("table",)):
        if element.tag == "style":
            if any(one.get("display") == "false" for one in element.iter("table-properties")):
                hidden.add(element.get("name"))
        elif name := element.get("name"):
            names.append(name)
            if element.get("style-name") not in hidden:
                shown.append(name)
    chosen = choose_sheet(shown, names, sheet)
    table_file = TableFile(rows=iter(()), sheets=tuple(shown), sheet=chosen)
    worksheet = _OdsSheet(limits, SheetRemarks())
    table_file.rows = worksheet.remarks.watch(worksheet.read(archive, chosen), table_file)
    return table_file


@dataclass(slots=True)
class _OdsSheet:
    """The state of reading the rows of a worksheet."""

    limits: ReadLimits
    remarks: SheetRemarks
    row: int = 0

    def read(self, archive: PackedFile, name: str) -> Iterator[TableRow]:
        """The rows of the worksheet. Raises TableError."""
        is_chosen = False
        for element in archive.elements(_CONTENT, "table-row", starts=("table",)):
            if element.tag == "table":
                if is_chosen:
                    return
                is_chosen = element.get("name") == name
            elif is_chosen:
                yield from self._read_row(element)

    def _read_row(self, element: Element) -> Iterator[TableRow]:
        """A row as often as it is repeated; one that says nothing only counts."""
        times = _repeated(element, "number-rows-repeated")
        cells: list[Cell] = []
        faults: list[CellRemark] = []
        merged: list[CellRemark] = []
        empty = covered = 0
        for cell in element:
            if cell.tag not in ("table-cell", "covered-table-cell"):
                continue
            count = _repeated(cell, "number-columns-repeated")
            column = len(cells) + empty + 1
            # A cell that one in its own row covers is no doubt.
            is_covered = cell.tag == "covered-table-cell" and column > covered
            if is_covered or cell.get("number-rows-spanned", "1") != "1":
                place = f"{column_letters(column)}{self.row + 1}"
                merged.append(CellRemark(self.row + 1, column, merged_words(place)))
            if cell.tag == "table-cell":
                covered = column + _repeated(cell, "number-columns-spanned") - 1
            try:
                value = _cell_value(cell)
            except CellFaultError as fault:
                faults.append(CellRemark(self.row + 1, column, message_of(fault)))
                value = ""
            if value == "":
                empty += count
                continue
            if column + count - 1 > self.limits.columns:
                raise TableError(too_wide(self.row + 1, self.limits))
            cells += [""] * empty + [value] * count
            empty = 0
            self.remarks.computed += cell.get("formula") is not None
        if not cells and not faults:
            self.row += times
            return
        for _ in range(times):
            self.row += 1
            if element.get("visibility", "visible") != "visible":
                self.remarks.hidden.append(self.row)
            moved, spanned = (
                tuple(CellRemark(self.row, remark.column, remark.words) for remark in remarks)
                for remarks in (faults, merged)
            )
            yield TableRow(self.row, tuple(cells), moved, spanned)


def _repeated(element: Element, name: str) -> int:
    """Return how often a row or a cell is repeated. Raises TableError."""
    text = element.get(name, "1")
    if text.isascii() and text.isdecimal() and len(text) < 8 and 0 < int(text) <= _REPEATED_MAX:
        return int(text)
    raise TableError(Message("The file repeats a cell {times} times.", times=repr(text[:20])))


def _cell_value(cell: Element) -> Cell:
    """Return the value of a cell. Raises CellFaultError."""
    kind = cell.get("value-type", "")
    match kind:
        case "float" | "currency":
            return read_decimal(cell.get("value", ""))
        case "percentage":
            return read_percentage(cell.get("value", ""))
        case "date":
            return _read_date(cell.get("date-value", ""))
        case "time":
            match = _TIME.fullmatch(cell.get("time-value", ""))
            return f"{match[1]:0>2}:{match[2]:0>2}" if match else _shown_text(cell)
        case "boolean":
            return "yes" if cell.get("boolean-value") == "true" else "no"
        case _:
            pass
    text = (cell.get("string-value") or _shown_text(cell)).strip()
    if kind == "error" or (cell.get("formula") is not None and _ERROR.fullmatch(text)):
        raise CellFaultError(Message("the cell shows an error ({raw}).", raw=text[:20]))
    return text


def _read_date(raw: str) -> Cell:
    try:
        return day_or_moment(datetime.fromisoformat(raw).replace(tzinfo=None, microsecond=0))
    except ValueError:
        raise CellFaultError(Message("{raw} is no date.", raw=raw[:20])) from None


def _shown_text(cell: Element) -> str:
    """The paragraphs of a cell; what is noted at its edge is left out."""
    return "\n".join(_text(part) for part in cell if part.tag in ("p", "h"))


def _text(element: Element) -> str:
    match element.tag:
        case "s":
            count = element.get("c", "1")
            return " " * (int(count) if count.isdecimal() and len(count) < 5 else 1)
        case "tab":
            return "\t"
        case "line-break":
            return "\n"
        case "annotation" | "note" | "frame":
            return ""
        case _:
            pass
    parts = [element.text or ""]
    for child in element:
        parts += (_text(child), child.tail or "")
    return "".join(parts)
