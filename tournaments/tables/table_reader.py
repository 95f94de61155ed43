"""Reading a table that somebody brings: what the file is, its heading, its rows, what is odd."""

from collections.abc import Iterator, Sequence

from engine.messages import Message, join_with_and
from tournaments.tables.cells import unguard_formula
from tournaments.tables.csv_reader import Record, decode_text, records
from tournaments.tables.file_formats import FileFormat, sniff
from tournaments.tables.read_tables import (
    MIB,
    CellRemark,
    ReadLimits,
    ReadTable,
    TableError,
    TableRow,
    column_letters,
    too_many_cells,
)
from tournaments.tables.xlsx_reader import WorksheetRows, read_workbook


def read_table(
    data: bytes, name: str = "", limits: ReadLimits | None = None, *, sheet: str | None = None
) -> ReadTable:
    """Read a table from CSV or XLSX, whatever the file is called; ``sheet``: a worksheet's name.

    The first row that says something is the heading. Texts come as they stand in the file, but
    for blanks around them and the apostrophe that keeps a spreadsheet from computing.

    Raises TableError: nothing of the file can be used.
    """
    limits = limits or ReadLimits()
    if len(data) > limits.size:
        words = Message(
            "The file has {size} MiB; at most {most} MiB are read.",
            size=-(-len(data) // MIB),
            most=limits.size // MIB,
        )
        raise TableError(words)
    found = _find_rows(data, limits, sheet)
    if not found.records:
        raise TableError(Message("There is no table in the file."))
    if (
        name.lower().endswith((".xlsx", ".xlsm")) != (sniff(data) is FileFormat.PACKED)
        and "." in name
    ):
        words = Message(
            "The name {name} does not say what the file is; it was read all the same.",
            name=repr(name[-60:]),
        )
        found.warnings.append(CellRemark(0, 0, words))
    return _table(found, limits)


def _find_rows(data: bytes, limits: ReadLimits, sheet: str | None) -> WorksheetRows:
    if sniff(data) is FileFormat.PACKED:
        return read_workbook(data, limits, sheet)
    text, remark = decode_text(data)
    rows: list[Record] = []
    count = 0
    for record in records(text, limits):
        if any(cell.strip() for cell in record.cells):
            if len(rows) > limits.rows:
                raise TableError(
                    Message("The table has more than {most} rows.", most=f"{limits.rows:,}")
                )
            count += len(record.cells)
            if count > limits.cells:
                raise too_many_cells(limits)
            cells = [unguard_formula(cell.strip()) for cell in record.cells]
            rows.append(Record(record.line, cells, record.is_broken))
    return WorksheetRows(rows, [], [*([remark] if remark else []), *_short(rows)])


def _short(rows: Sequence[Record]) -> Iterator[CellRemark]:
    wanted = len(rows[0].cells) if rows else 0
    for record in rows:
        if len(record.cells) < wanted:
            words = Message(
                "the row has {count} cells of {wanted}; the others count as empty.",
                count=len(record.cells),
                wanted=wanted,
            )
            yield CellRemark(record.line, 0, words)


def _table(found: WorksheetRows, limits: ReadLimits) -> ReadTable:
    head, *body = found.records
    for fault in found.faults:
        if fault.row == head.line:
            raise TableError(Message("The heading cannot be used. {fault}", fault=fault.sentence))
    headers = _headers(head, limits)
    _refuse_title(head, headers, body)
    rows, faults = [], list(found.faults)
    blamed = {fault.row for fault in faults}
    for record in body:
        odd = list(_odd(record, headers, limits))
        faults.extend(odd)
        if not odd and record.line not in blamed:
            rows.append(_row(record, len(headers)))
    faults.sort()
    told = (tuple(faults[: limits.remarks]), tuple(found.warnings[: limits.remarks]))
    unsaid = len(faults) + len(found.warnings) - len(told[0]) - len(told[1])
    return ReadTable(headers, tuple(rows), *told, unsaid)


def _refuse_title(head: Record, headers: Sequence[str], body: Sequence[Record]) -> None:
    if len(headers) == 1 and body and all(any(row.cells[1:]) for row in body):
        words = Message(
            "Row {line} has only {heading}, but the first row names the columns."
            " Delete what stands above the heading.",
            line=head.line,
            heading=repr(headers[0][:60]),
        )
        raise TableError(words)


def _headers(head: Record, limits: ReadLimits) -> tuple[str, ...]:
    if head.is_broken:
        words = Message("a quote is closed in the middle of the cell.")
        raise TableError(CellRemark(head.line, 0, words).sentence)
    if any(len(cell) > limits.cell for cell in head.cells):
        raise TableError(
            Message(
                "The first row has a cell of more than {most} characters.", most=f"{limits.cell:,}"
            )
        )
    if any(_has_hidden(cell) for cell in head.cells):
        raise TableError(
            Message("The heading has characters that nobody can see: this is no table.")
        )
    names = [" ".join(cell.strip().split()) for cell in head.cells]
    while names and not names[-1]:
        names.pop()
    seen: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if not name:
            continue
        if name.casefold() in seen:
            both = [column_letters(seen[name.casefold()]), column_letters(place)]
            words = Message(
                "Two columns are called {name}: {both}.",
                name=repr(name[:60]),
                both=join_with_and(both),
            )
            raise TableError(words)
        seen[name.casefold()] = place
    return tuple(names)


def _odd(record: Record, headers: Sequence[str], limits: ReadLimits) -> Iterator[CellRemark]:
    if record.is_broken:
        words = Message("a quote is closed in the middle of the cell.")
        yield CellRemark(record.line, 0, words)
    for place, cell in enumerate(record.cells, 1):
        if len(cell) > limits.cell:
            yield CellRemark(
                record.line,
                place,
                Message("the cell has more than {most} characters.", most=f"{limits.cell:,}"),
            )
        elif _has_hidden(cell):
            yield CellRemark(
                record.line, place, Message("the cell has a character that nobody can see.")
            )
        elif cell.strip() and (place > len(headers) or not headers[place - 1]):
            yield CellRemark(record.line, place, Message("this column has no heading."))


def _has_hidden(cell: str) -> bool:
    return not cell.isprintable() and any(ord(sign) < 32 and sign not in "\t\r\n" for sign in cell)


def _row(record: Record, width: int) -> TableRow:
    cells = [cell.strip() for cell in record.cells[:width]]
    return TableRow(record.line, (*cells, *[""] * (width - len(cells))))
