"""A spreadsheet file (XLSX): the cells of one worksheet as people saw them, and what is odd."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final
from xml.etree.ElementTree import Element

from engine.messages import Message, message_of
from tournaments.tables.csv_reader import Record, too_wide
from tournaments.tables.read_tables import CellRemark, ReadLimits, TableError, too_many_cells
from tournaments.tables.xlsx_archive import XlsxArchive

_TOLD: Final = 8
_DIGITS: Final = 15
"""More digits than these a spreadsheet does not hold; what follows is noise."""
_LAST_DAY: Final = 2_958_466
_MOST_MERGED: Final = 10_000
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats that every Excel knows as dates or times (ECMA-376, 18.8.30)."""
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_QUOTED: Final = re.compile(r'"[^"]*"?|\[[^\]]*\]?|[\\_*].?')
"""Of a number format: texts, conditions and signs that stand for themselves."""
_CELL: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,9})")
_TRUE: Final = ("1", "true")


class CellFaultError(Exception):
    """A cell that cannot be read, and why."""


@dataclass(frozen=True, slots=True)
class WorksheetRows:
    """The rows of a worksheet, and remarks on them."""

    records: list[Record]
    faults: list[CellRemark]
    warnings: list[CellRemark]


def read_workbook(data: bytes, limits: ReadLimits, sheet: str | None = None) -> WorksheetRows:
    """Read one worksheet, by its name or the first that is not hidden. Raises TableError."""
    archive = XlsxArchive(data, limits)
    sheets, from_1904 = list[Element](), False
    for element in archive.elements("xl/workbook.xml", "sheet", "workbookPr"):
        if element.tag == "sheet":
            sheets.append(element)
        else:
            from_1904 = element.get("date1904") in _TRUE
    chosen = _choose(sheets, sheet)
    targets = _targets(archive)
    path = targets.get(chosen.get("id", ""), "")
    if not archive.has(path):
        raise TableError(
            Message("The worksheet {name} is missing in the file.", name=repr(chosen.get("name")))
        )
    worksheet = _Worksheet(
        limits=limits,
        texts=_shared_texts(archive, targets.get("sharedStrings", "xl/sharedStrings.xml"), limits),
        dates=_date_styles(archive, targets.get("styles", "xl/styles.xml")),
        from_1904=from_1904,
    )
    for element in archive.elements(path, "row", "mergeCell"):
        worksheet.read(element)
    worksheet.blame_merged()
    if len(sheets) > 1:
        words = Message(
            "The file has {count} worksheets; only {name} was read.",
            count=len(sheets),
            name=repr(chosen.get("name")),
        )
        worksheet.warnings.append(CellRemark(0, 0, words))
    worksheet.warnings.extend(worksheet.remarks())
    return WorksheetRows(worksheet.records, sorted(worksheet.faults), worksheet.warnings)


def _choose(sheets: Sequence[Element], name: str | None) -> Element:
    for sheet in sheets:
        is_shown = sheet.get("state", "visible") == "visible"
        if sheet.get("name") == name if name is not None else is_shown:
            return sheet
    if name is None:
        raise TableError(Message("The file has no worksheet that is shown."))
    names = ", ".join(repr(each.get("name")) for each in sheets[:_TOLD])
    raise TableError(
        Message("There is no worksheet {name}; the file has {names}.", name=repr(name), names=names)
    )


def _targets(archive: XlsxArchive) -> dict[str, str]:
    """Where the parts lie that the workbook names, by their numbers and by their kinds."""
    found: dict[str, str] = {}
    for element in archive.elements("xl/_rels/workbook.xml.rels", "Relationship"):
        if element.get("TargetMode") != "External":
            target = element.get("Target", "")
            path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            found[element.get("Id", "")] = path
            found.setdefault(element.get("Type", "").rpartition("/")[2], path)
    return found


def _shared_texts(archive: XlsxArchive, path: str, limits: ReadLimits) -> list[str]:
    texts: list[str] = []
    for element in archive.elements(path, "si"):
        if len(texts) == limits.cells:
            raise too_many_cells(limits)
        texts.append(_unescape_text(_text(element)))
    return texts


def _date_styles(archive: XlsxArchive, path: str) -> list[bool]:
    """Which styles of cells show their numbers as dates or times."""
    formats: dict[str, str] = {}
    dates: list[bool] = []
    for element in archive.elements(path, "numFmt", "cellXfs"):
        if element.tag == "numFmt":
            formats[element.get("numFmtId", "")] = element.get("formatCode", "")
        for style in element.iter("xf"):
            number = style.get("numFmtId", "0")
            if number in formats:
                dates.append(shows_date(formats[number]))
            else:
                dates.append(number.isdecimal() and int(number[:4]) in _DATES)
    return dates


def shows_date(code: str) -> bool:
    """Tell whether a number format shows dates or times.

    >>> shows_date("yyyy-mm-dd"), shows_date('0.00 "days"'), shows_date("[Red]0")
    (True, False, False)
    """
    positive = _QUOTED.sub("", code.lower()).partition(";")[0]
    return any(sign in positive for sign in "ymdhs")


def _text(element: Element) -> str:
    """The text of an element; how to pronounce it (rPh) is left out."""
    if element.tag == "rPh":
        return ""
    return (element.text or "" if element.tag == "t" else "") + "".join(map(_text, element))


def _unescape_text(text: str) -> str:
    """Read the way in which Excel writes characters that XML has not."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


@dataclass(slots=True, kw_only=True)
class _Worksheet:
    """The rows of a worksheet so far; only cells that say something count."""

    limits: ReadLimits
    texts: Sequence[str]
    dates: Sequence[bool]
    from_1904: bool
    records: list[Record] = field(default_factory=list)
    faults: list[CellRemark] = field(default_factory=list)
    warnings: list[CellRemark] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    row: int = 0
    count: int = 0
    computed: int = 0

    def read(self, element: Element) -> None:
        """Read a row, or which cells are merged."""
        if element.tag == "row":
            self._read_row(element)
        elif len(self.merged) < _MOST_MERGED:
            self.merged.append(element.get("ref", ""))

    def _read_row(self, element: Element) -> None:
        told = element.get("r", "")
        try:
            self.row = _number(told) if told else self.row + 1
        except CellFaultError:
            raise TableError(
                Message(
                    "The file names a row {number}, which is no number.", number=repr(told[:20])
                )
            ) from None
        cells: dict[int, str] = {}
        column = 0
        for cell in element.iterfind("c"):
            place = cell.get("r", "")
            column = column_and_row(place)[0] if place else column + 1
            text = self._read_cell(cell, column)
            if text.strip():
                cells[column] = text
        if not cells:
            return
        if max(cells) > self.limits.columns:
            raise TableError(too_wide(self.row, self.limits))
        self.count += len(cells)
        if self.count > self.limits.cells:
            raise too_many_cells(self.limits)
        if len(self.records) > self.limits.rows:
            raise TableError(
                Message("The table has more than {most} rows.", most=f"{self.limits.rows:,}")
            )
        if self.records and self.row <= self.records[-1].line:
            raise TableError(Message("Row {row} is there twice, or out of order.", row=self.row))
        width = max(cells)
        self.records.append(
            Record(self.row, [cells.get(place, "") for place in range(1, width + 1)])
        )
        if element.get("hidden") in _TRUE:
            self.hidden.append(self.row)

    def _read_cell(self, cell: Element, column: int) -> str:
        """The text of a cell; what is wrong with it is blamed on its place."""
        try:
            text = self._cell_text(cell)
        except CellFaultError as fault:
            if len(self.faults) <= self.limits.rows:
                self.faults.append(CellRemark(self.row, column, message_of(fault)))
            return ""
        self.computed += bool(text.strip()) and cell.find("f") is not None
        return text

    def _cell_text(self, cell: Element) -> str:
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
                if style < len(self.dates) and self.dates[style]:
                    return moment_text(raw, from_1904=self.from_1904)
                return number_text(raw)
            case _:
                return _unescape_text(raw)

    def blame_merged(self) -> None:
        """Blame every row that a merged cell touches: nobody knows whose its value is."""
        lines = [record.line for record in self.records]
        for place in self.merged:
            first, _, last = place.partition(":")
            column, row = column_and_row(first)
            start, end = (
                bisect_left(lines, row),
                bisect_right(lines, column_and_row(last or first)[1]),
            )
            words = Message(
                "the cells {place} are merged. Take them apart and fill each one.", place=place[:20]
            )
            self.faults.extend(CellRemark(line, column, words) for line in lines[start:end])
            del lines[start:end]

    def remarks(self) -> Iterator[CellRemark]:
        """What was odd, and read all the same."""
        if self.hidden:
            rows = ", ".join(str(line) for line in self.hidden[:_TOLD])
            words = Message("Hidden rows were read too: {rows}.", rows=rows)
            if len(self.hidden) > _TOLD:
                words = Message("Hidden rows were read too: {rows} and more.", rows=rows)
            yield CellRemark(0, 0, words)
        if self.computed:
            words = Message(
                "{count} cells hold formulas; what they last came to was read.",
                count=self.computed,
            )
            if self.computed == 1:
                words = Message("One cell holds a formula; what it last came to was read.")
            yield CellRemark(0, 0, words)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise CellFaultError(Message("this cell is numbered in a way that cannot be read."))
    return int(text)


def column_and_row(place: str) -> tuple[int, int]:
    """Read a place such as B7. Raises TableError.

    >>> column_and_row("B7"), column_and_row("AB12")
    ((2, 7), (28, 12))
    """
    found = _CELL.fullmatch(place)
    if found is None:
        raise TableError(
            Message("The file names a cell {place}, which is no place.", place=repr(place[:20]))
        )
    number = 0
    for letter in found[1].upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number, int(found[2])


def number_text(raw: str) -> str:
    """Write a number as people saw it: 0.30000000000000004 was 0.3. Raises CellFaultError."""
    number = _decimal(raw)
    shift = _DIGITS - 1 - number.adjusted() if number else 0
    rounded = round(number, shift) if number and shift >= 0 else number
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimal(raw: str) -> Decimal:
    try:
        number = Decimal(raw.strip())
    except InvalidOperation:
        raise CellFaultError(Message("{raw} is no number.", raw=repr(raw[:20]))) from None
    if not number.is_finite() or abs(number.adjusted()) > 100:
        raise CellFaultError(Message("{raw} is no number that can be read.", raw=repr(raw[:20])))
    return number


def moment_text(raw: str, *, from_1904: bool) -> str:
    """Write a date that is stored as a number of days. Raises CellFaultError."""
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
    clock = (moment.hour, moment.minute, moment.second)
    return f"{moment:%Y-%m-%d}" if clock == (0, 0, 0) else f"{moment:%Y-%m-%d %H:%M:%S}"


def _moment(days: Decimal, first: datetime) -> datetime:
    try:
        return first + timedelta(seconds=round(days * 86_400))
    except OverflowError:
        raise CellFaultError(Message("{days} is no date.", days=str(days))) from None
