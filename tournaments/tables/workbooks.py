"""A spreadsheet file (XLSX): the worksheet that is read, and what was odd in it."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from engine.messages import Message
from tournaments.tables.archive import ZipArchive
from tournaments.tables.delimited import Record
from tournaments.tables.parts import (
    Known,
    RelationsReader,
    SharedTextReader,
    SheetPart,
    StyleReader,
    WorkbookReader,
)
from tournaments.tables.tables import CellRemark, ReadLimits, TableError
from tournaments.tables.worksheet import WorksheetReader, column_number

_TOLD = 8


@dataclass(frozen=True, slots=True)
class WorksheetRows:
    """The rows of a worksheet, and remarks on them."""

    records: list[Record]
    faults: list[CellRemark]
    warnings: list[CellRemark]


def read_workbook(data: bytes, limits: ReadLimits, sheet: str | None = None) -> WorksheetRows:
    """Read one worksheet, by its name or the first that is not hidden. Raises TableError."""
    archive = ZipArchive(data, limits)
    book = WorkbookReader()
    archive.listen("xl/workbook.xml", book)
    relations = RelationsReader()
    if archive.has("xl/_rels/workbook.xml.rels"):
        archive.listen("xl/_rels/workbook.xml.rels", relations)
    chosen = _choose(book.sheets, sheet)
    path = relations.targets.get(chosen.relation, "")
    if not archive.has(path):
        raise TableError(
            Message("The worksheet {name} is missing in the file.", name=repr(chosen.name))
        )
    known = _known_parts(archive, relations, limits)
    known.from_1904 = book.from_1904
    reader = WorksheetReader(known, limits)
    archive.listen(path, reader)
    faults = sorted([*reader.faults, *_remark_merged(reader)])
    return WorksheetRows(reader.records, faults, _warnings(book.sheets, chosen, reader))


def _choose(sheets: list[SheetPart], name: str | None) -> SheetPart:
    for sheet in sheets:
        if sheet.name == name if name is not None else not sheet.hidden:
            return sheet
    if name is None:
        raise TableError(Message("The file has no worksheet that is shown."))
    names = ", ".join(repr(each.name) for each in sheets[:_TOLD])
    raise TableError(
        Message("There is no worksheet {name}; the file has {names}.", name=repr(name), names=names)
    )


def _known_parts(archive: ZipArchive, relations: RelationsReader, limits: ReadLimits) -> Known:
    shared, styles = SharedTextReader(limits), StyleReader()
    for kind, usual, reader in (
        ("sharedStrings", "xl/sharedStrings.xml", shared),
        ("styles", "xl/styles.xml", styles),
    ):
        path = relations.kinds.get(kind, usual)
        if archive.has(path):
            archive.listen(path, reader)
    return Known(shared.texts, styles.dates)


def _remark_merged(reader: WorksheetReader) -> list[CellRemark]:
    """Blame every row that a merged cell touches: nobody knows which of them its value is of."""
    lines = [record.line for record in reader.records]
    remarks: list[CellRemark] = []
    for place in reader.merged:
        first, _, last = place.partition(":")
        start = bisect_left(lines, _line(first))
        end = bisect_right(lines, _line(last or first))
        words = Message(
            "the cells {place} are merged. Take them apart and fill each one.", place=place[:20]
        )
        remarks.extend(CellRemark(line, column_number(first), words) for line in lines[start:end])
        del lines[start:end]
    return remarks


def _line(place: str) -> int:
    digits = place.lstrip("$ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise TableError(
            Message("The file names a cell {place}, which is no place.", place=repr(place[:20]))
        )
    return int(digits)


def _warnings(
    sheets: list[SheetPart], chosen: SheetPart, reader: WorksheetReader
) -> list[CellRemark]:
    warnings = []
    if len(sheets) > 1:
        words = Message(
            "The file has {count} worksheets; only {name} was read.",
            count=len(sheets),
            name=repr(chosen.name),
        )
        warnings.append(CellRemark(0, 0, words))
    if reader.hidden:
        rows = ", ".join(str(line) for line in reader.hidden[:_TOLD])
        words = Message("Hidden rows were read too: {rows}.", rows=rows)
        if len(reader.hidden) > _TOLD:
            words = Message("Hidden rows were read too: {rows} and more.", rows=rows)
        warnings.append(CellRemark(0, 0, words))
    if reader.computed:
        words = Message(
            "{count} cells hold formulas; what they last came to was read.",
            count=reader.computed,
        )
        if reader.computed == 1:
            words = Message("One cell holds a formula; what it last came to was read.")
        warnings.append(CellRemark(0, 0, words))
    return warnings
