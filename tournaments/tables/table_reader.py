"""Reading a table that somebody brings: what the file is, and its rows, one after the other."""

from collections.abc import Iterator

from engine.core.messages import Message
from tournaments.tables.cells import readable
from tournaments.tables.csv_reader import read_csv
from tournaments.tables.input_model import (
    MIB,
    CellRemark,
    FileFormat,
    ReadLimits,
    TableError,
    TableFile,
    TableRow,
    sniff,
)


def open_table(
    data: bytes,
    name: str = "",
    limits: ReadLimits | None = None,
    *,
    sheet: str | None = None,
    encoding: str = "",
) -> TableFile:
    """Open a table from CSV, XLSX or ODS, whatever the file is called; ``sheet``: a worksheet.

    ``encoding``: how somebody says that a text is to be read which is no Unicode.

    Texts come as they stand in the file, but for blanks around them and the apostrophe that keeps
    a spreadsheet from computing; rows that say nothing are left out.

    Raises TableError, here or while rows are taken: nothing of the file can be used.
    """
    limits = limits or ReadLimits()
    if len(data) > limits.size:
        words = Message(
            "The file has {size} MiB; at most {most} MiB are read.",
            size=-(-len(data) // MIB),
            most=limits.size // MIB,
        )
        raise TableError(words)
    is_packed = sniff(data) is FileFormat.PACKED
    if is_packed:
        # The parsers of XML take 1 MB, which a process that reads no such file does not need.
        from tournaments.tables.ods_reader import read_ods  # noqa: PLC0415
        from tournaments.tables.packed_file import PackedFile  # noqa: PLC0415
        from tournaments.tables.xlsx_reader import read_xlsx  # noqa: PLC0415

        packed = PackedFile(data, limits)
        read = read_ods if packed.is_ods else read_xlsx
        found = read(packed, limits, sheet)
    else:
        found = read_csv(data, limits, encoding)
    if "." in name and name.lower().endswith((".xlsx", ".xlsm", ".ods")) != is_packed:
        words = Message(
            "The name {name} does not say what the file is; it was read all the same.",
            name=repr(name[-60:]),
        )
        found.remarks.append(CellRemark(0, 0, words))
    found.rows = _check_rows(found.rows, limits)
    return found


def _check_rows(rows: Iterator[TableRow], limits: ReadLimits) -> Iterator[TableRow]:
    """The rows that say something, within the limits, with what is wrong in them."""
    count = cells = 0
    for row in rows:
        width = len(row.cells)
        while width and row.cells[width - 1] == "":
            width -= 1
        if not width and not row.faults:
            continue
        count += 1
        cells += width
        if count > limits.rows + 1:
            raise TableError(
                Message("The table has more than {most} rows.", most=f"{limits.rows:,}")
            )
        if cells > limits.cells:
            raise TableError(
                Message("The table has more than {most} cells.", most=f"{limits.cells:,}")
            )
        odd = tuple(
            CellRemark(row.line, place, words)
            for place, cell in enumerate(row.cells[:width], 1)
            if isinstance(cell, str) and (words := _odd(cell, limits))
        )
        if odd or width < len(row.cells):
            # No half of a character goes on from here: no database takes it.
            shown = (
                readable(cell) if isinstance(cell, str) else cell for cell in row.cells[:width]
            )
            yield TableRow(row.line, tuple(shown), (*row.faults, *odd), row.merged)
        else:
            yield row


def _is_odd(sign: str) -> bool:
    return (sign < " " and sign not in "\t\r\n") or "\ud800" <= sign <= "\udfff"


def _odd(text: str, limits: ReadLimits) -> str:
    if len(text) > limits.cell:
        return Message("the cell has more than {most} characters.", most=f"{limits.cell:,}")
    if not text.isprintable() and any(map(_is_odd, text)):
        return Message("the cell has a character that nobody can see.")
    return ""
