"""A spreadsheet file (XLSX): the cells of one worksheet, each of its type, and what is odd."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
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
    cell_text,
    column_number,
)
from tournaments.tables.packed_file import PackedFile
from tournaments.tables.worksheets import (
    SheetRemarks,
    choose_sheet,
    day_or_moment,
    merged_words,
)

_DIGITS: Final = 15
"""More digits than these a spreadsheet does not hold; what follows is noise."""
_LAST_DAY: Final = 2_958_466
_MERGED: Final = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]{0,200}?ref=[\"']([A-Za-z0-9:$]{1,40})[\"']"
)
_MERGED_LENGTH: Final = 300
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats that every Excel knows as dates or times (ECMA-376, 18.8.30)."""
_PERCENTS: Final = frozenset([9, 10])
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_QUOTED: Final = re.compile(r'"[^"]*"?|\[[^\]]*\]?|[\\_*].?')
"""Of a number format: texts, conditions and signs that stand for themselves."""
_CELL: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,9})")
_TRUE: Final = ("1", "true")


def read_xlsx(archive: PackedFile, limits: ReadLimits, sheet: str | None = None) -> TableFile:
    """Read one worksheet, by its name or the first that is not hidden. Raises TableError."""
    sheets, from_1904 = list[Element](), False
    for element in archive.elements("xl/workbook.xml", "sheet", "workbookPr"):
        if element.tag == "sheet":
            sheets.append(element)
        else:
            from_1904 = element.get("date1904") in _TRUE
    shown = {
        sheet.get("name", ""): sheet
        for sheet in sheets
        if sheet.get("state", "visible") == "visible"
    }
    name = choose_sheet(list(shown), [sheet.get("name", "") for sheet in sheets], sheet)
    chosen = next(sheet for sheet in sheets if sheet.get("name", "") == name)
    targets = _targets(archive)
    path = targets.get(chosen.get("id", ""), "")
    if not archive.has(path):
        raise TableError(Message("The worksheet {name} is missing in the file.", name=repr(name)))
    worksheet = _XlsxSheet(
        limits=limits,
        texts=_shared_texts(archive, targets.get("sharedStrings", "xl/sharedStrings.xml"), limits),
        styles=_number_styles(archive, targets.get("styles", "xl/styles.xml")),
        from_1904=from_1904,
        merged=list(_merged_cells(archive, path)),
        remarks=SheetRemarks(),
    )
    table_file = TableFile(rows=iter(()), sheets=tuple(shown), sheet=name)
    table_file.rows = worksheet.remarks.watch(
        map(worksheet.read_row, archive.elements(path, "row")), table_file
    )
    return table_file


def _merged_cells(archive: PackedFile, path: str) -> Iterator[tuple[int, int, int, str]]:
    """First row, last row, column and name of merged cells; they stand after all the rows."""
    tail = b""
    for piece in archive.pieces(path):
        tail += piece
        for place in _MERGED.findall(tail):
            first, _, last = place.decode().partition(":")
            column, row = column_and_row(first)
            yield row, column_and_row(last or first)[1], column, place.decode()
        tail = tail[-_MERGED_LENGTH:] if b"<" in tail[-_MERGED_LENGTH:] else b""


def _targets(archive: PackedFile) -> dict[str, str]:
    """Return the paths of parts that the workbook names, by their numbers and by their kinds."""
    found: dict[str, str] = {}
    for element in archive.elements("xl/_rels/workbook.xml.rels", "Relationship"):
        if element.get("TargetMode") != "External":
            target = element.get("Target", "")
            path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            found[element.get("Id", "")] = path
            found.setdefault(element.get("Type", "").rpartition("/")[2], path)
    return found


def _shared_texts(archive: PackedFile, path: str, limits: ReadLimits) -> list[str]:
    texts: list[str] = []
    for element in archive.elements(path, "si"):
        if len(texts) == limits.cells:
            raise TableError(
                Message("The table has more than {most} cells.", most=f"{limits.cells:,}")
            )
        texts.append(_unescape_text(_text(element)))
    return texts


def _number_styles(archive: PackedFile, path: str) -> list[str]:
    """The kind of number that each style of cells shows: "date" (or time), "percent" or ""."""
    formats: dict[str, str] = {}
    styles: list[str] = []
    for element in archive.elements(path, "numFmt", "cellXfs"):
        if element.tag == "numFmt":
            formats[element.get("numFmtId", "")] = element.get("formatCode", "")
        for style in element.iter("xf"):
            number = style.get("numFmtId", "0")
            code = formats.get(number)
            number_id = int(number[:4]) if number.isdecimal() else 0
            if number_id in _DATES if code is None else shows_date(code):
                styles.append("date")
            else:
                is_percent = number_id in _PERCENTS if code is None else "%" in _plain_format(code)
                styles.append("percent" if is_percent else "")
    return styles


def shows_date(code: str) -> bool:
    """Tell whether a number format shows dates or times.

    >>> shows_date("yyyy-mm-dd"), shows_date('0.00 "days"'), shows_date("[Red]0")
    (True, False, False)
    """
    return any(sign in _plain_format(code) for sign in "ymdhs")


def _plain_format(code: str) -> str:
    """A number format for numbers that are not negative, without its texts."""
    return _QUOTED.sub("", code.lower()).partition(";")[0]


def _text(element: Element) -> str:
    """The text of an element; how to pronounce it (rPh) is left out."""
    if element.tag == "rPh":
        return ""
    return (element.text or "" if element.tag == "t" else "") + "".join(map(_text, element))


def _unescape_text(text: str) -> str:
    """Read the way in which Excel writes characters that XML has not."""
    if "_x" not in text:
        return text
    text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    # Two escapes may be the halves of one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@dataclass(slots=True, kw_only=True)
class _XlsxSheet:
    """The state of reading the rows of a worksheet; only cells that say something count."""

    limits: ReadLimits
    texts: Sequence[str]
    styles: Sequence[str]
    from_1904: bool
    merged: Sequence[tuple[int, int, int, str]]
    remarks: SheetRemarks
    row: int = 0
    filled: int = 0
    """The last row with something in it."""

    def read_row(self, element: Element) -> TableRow:
        """Read one row. Raises TableError."""
        written = element.get("r", "")
        try:
            self.row = _number(written) if written else self.row + 1
        except CellFaultError:
            raise TableError(
                Message(
                    "The file names a row {number}, which is no number.", number=repr(written[:20])
                )
            ) from None
        cells: dict[int, Cell] = {}
        faults: list[CellRemark] = []
        column = 0
        for cell in element.iterfind("c"):
            place = cell.get("r", "")
            column = column_and_row(place)[0] if place else column + 1
            try:
                value = self._cell_value(cell)
            except CellFaultError as fault:
                faults.append(CellRemark(self.row, column, message_of(fault)))
                continue
            if isinstance(value, str):
                value = value.strip()
            if value != "":
                cells[column] = value
                self.remarks.computed += cell.find("f") is not None
        if not cells and not faults:
            return TableRow(self.row, ())
        width = max(cells, default=0)
        if width > self.limits.columns:
            raise TableError(too_wide(self.row, self.limits))
        if self.row <= self.filled:
            raise TableError(Message("Row {row} is there twice, or out of order.", row=self.row))
        self.filled = self.row
        merged = tuple(
            CellRemark(self.row, column, merged_words(place))
            for first, last, column, place in self.merged
            if first <= self.row <= last and first < last
        )
        if element.get("hidden") in _TRUE:
            self.remarks.hidden.append(self.row)
        found = tuple(cells.get(place, "") for place in range(1, width + 1))
        return TableRow(self.row, found, tuple(faults), merged)

    def _cell_value(self, cell: Element) -> Cell:
        kind, raw = cell.get("t", "n"), cell.findtext("v", "") or _text(cell)
        if not raw:
            if kind == "n" and cell.find("f") is not None:
                raise CellFaultError(
                    Message(
                        "this formula has no result in the file. Open and save it once in a"
                        " spreadsheet program, or put the value in its place."
                    )
                )
            return ""
        match kind:
            case "s":
                place = _number(raw)
                if place >= len(self.texts):
                    raise CellFaultError(Message("the text of this cell is missing in the file."))
                return self.texts[place]
            case "b":
                return "yes" if raw.strip() in _TRUE else "no"
            case "e":
                raise CellFaultError(Message("the cell shows an error ({raw}).", raw=raw[:20]))
            case "n":
                style = _number(cell.get("s", "0"))
                shown_as = self.styles[style] if style < len(self.styles) else ""
                if shown_as == "date":
                    return read_moment(raw, from_1904=self.from_1904)
                return read_percentage(raw) if shown_as == "percent" else read_decimal(raw)
            case _:
                return _unescape_text(raw)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise CellFaultError(Message("this cell is numbered in a way that cannot be read."))
    return int(text)


def column_and_row(place: str) -> tuple[int, int]:
    """Read a place such as B7. Raises TableError.

    >>> column_and_row("B7"), column_and_row("AB12")
    ((2, 7), (28, 12))
    """
    match = _CELL.fullmatch(place)
    if match is None:
        raise TableError(
            Message("The file names a cell {place}, which is no place.", place=repr(place[:20]))
        )
    return column_number(match[1]), int(match[2])


def read_decimal(raw: str) -> Decimal:
    """Read a number as people saw it: 0.30000000000000004 was 0.3. Raises CellFaultError."""
    number = _decimal(raw)
    shift = _DIGITS - 1 - number.adjusted() if number else 0
    rounded = round(number, shift) if number and shift >= 0 else number
    whole = rounded.to_integral_value()
    return whole.quantize(Decimal(1)) if rounded == whole else rounded.normalize()


def read_percentage(raw: str) -> str:
    """A share as people saw it: 0.545 was 54.5%. Raises CellFaultError."""
    text = cell_text(read_decimal(str(_decimal(raw) * 100)))
    # Three decimals could be taken for thousands.
    return f"{text}0%" if len(text.partition(".")[2]) == 3 else f"{text}%"


def _decimal(raw: str) -> Decimal:
    try:
        number = Decimal(raw.strip())
    except InvalidOperation:
        raise CellFaultError(Message("{raw} is no number.", raw=repr(raw[:20]))) from None
    if not number.is_finite() or abs(number.adjusted()) > 100:
        raise CellFaultError(Message("{raw} is no number that can be read.", raw=repr(raw[:20])))
    return number


def read_moment(raw: str, *, from_1904: bool) -> Cell:
    """Read a date that is stored in days; a time alone is text. Raises CellFaultError."""
    days = _decimal(raw)
    if not 0 <= days < _LAST_DAY:
        raise CellFaultError(Message("{raw} is no date.", raw=raw[:20]))
    if days < 1:
        return f"{_moment(days, datetime(2000, 1, 1)):%H:%M}"
    if from_1904:
        moment = _moment(days, datetime(1904, 1, 1))
    else:
        # Excel believes in the 29th of February 1900; before it, days count from one later.
        first = datetime(1899, 12, 30 if days >= 60 else 31)
        moment = _moment(days, first)
    return day_or_moment(moment)


def _moment(days: Decimal, first: datetime) -> datetime:
    try:
        return first + timedelta(seconds=round(days * 86_400))
    except OverflowError:
        raise CellFaultError(Message("{days} is no date.", days=str(days))) from None
