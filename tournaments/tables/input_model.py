"""The model of tables that are read: what a file is, rows of cells, remarks on them, and limits.

Tables that are written are declared with `tournaments.tables.model`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum, auto

from engine.core.messages import Message

MIB = 1 << 20

Cell = str | Decimal | date
"""A cell keeps the type that the file gives it (a datetime is a date); all else is text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """Limits of reading: bytes of the file, rows with content, columns, letters of a cell.

    ``cells``: in the whole table; ``lines``: rows of a text, empty ones included.
    ``unpacked``: bytes that a packed file may come to; ``ratio``: how many times its own size;
    ``parts``: how many files may lie in it.
    """

    size: int = 5 * MIB
    rows: int = 100_000
    columns: int = 200
    cell: int = 10_000
    cells: int = 1_000_000
    lines: int = 200_000
    unpacked: int = 150 * MIB
    ratio: int = 100
    parts: int = 1_000


class TableError(Exception):
    """Nothing of the file can be used; its message says why, and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True, order=True)
class CellRemark:
    """Something odd at a place; row and column count from 1, 0 is none in particular."""

    row: int
    column: int
    words: str

    @property
    def sentence(self) -> str:
        """The place and the fault."""
        column = column_letters(self.column) if self.column else ""
        match self.row, column:
            case 0, "":
                return self.words
            case 0, _:
                return Message("Column {column}: {fault}", column=column, fault=self.words)
            case row, "":
                return Message("Row {row}: {fault}", row=row, fault=self.words)
            case row, _:
                return Message(
                    "Row {row}, column {column}: {fault}", row=row, column=column, fault=self.words
                )


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row that says something; ``line``: its number as a spreadsheet shows it.

    ``faults``: why it cannot be used as it stands. ``merged``: cells that are merged with those of
    other rows, of which only the first one has the value. ``origin``: the column of all cells but
    the first, where the table was turned; else 0.
    """

    line: int
    cells: tuple[Cell, ...]
    faults: tuple[CellRemark, ...] = ()
    merged: tuple[CellRemark, ...] = ()
    origin: int = 0


@dataclass(slots=True, kw_only=True)
class TableFile:
    """A file on its way in: ``rows`` are read while they are taken, once.

    ``sheets``: the worksheets that are shown, and ``sheet`` the one that is read; a text has none.
    ``remarks`` are about the file as a whole; some are known only after the last row.
    ``encoding``: how a text is read that is no Unicode, ``previews``: words of it in each encoding
    that may be right; ``has_doubtful_letters``: nobody said which one is.
    """

    rows: Iterator[TableRow]
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    remarks: list[CellRemark] = field(default_factory=list)
    encoding: str = ""
    previews: Mapping[str, str] = field(default_factory=dict)
    has_doubtful_letters: bool = False


class CellFaultError(Exception):
    """A cell that cannot be read, and why."""


def column_letters(number: int) -> str:
    """Name a column as spreadsheets do.

    >>> column_letters(2), column_letters(28)
    ('B', 'AB')
    """
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """The number of a column that is named as spreadsheets do; 0 for anything else.

    >>> column_number("B"), column_number("ab"), column_number("Name")
    (2, 28, 0)
    """
    number = 0
    if not (letters.isascii() and letters.isalpha() and len(letters) < 4):
        return 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def cell_text(cell: Cell) -> str:
    """Write a cell as people saw it.

    >>> cell_text(Decimal("1.5")), cell_text(date(2026, 11, 21)), cell_text("Zoë")
    ('1.5', '2026-11-21', 'Zoë')
    """
    if isinstance(cell, Decimal):
        text = f"{cell:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return cell if isinstance(cell, str) else str(cell)


_SAVE = Message("Open it in your spreadsheet program and save it as .xlsx, .ods or .csv.")
_STARTS = (
    (b"%PDF", Message("This is a PDF, from which no table can be read. {save}", save=_SAVE)),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        Message("This is an old Excel file (.xls), or one with a password. {save}", save=_SAVE),
    ),
    (b"\x1f\x8b", Message("This file is packed (gzip). Unpack it first.")),
    (b"Rar!", Message("This file is packed (RAR). Unpack it first.")),
    (b"7z\xbc\xaf\x27\x1c", Message("This file is packed (7-Zip). Unpack it first.")),
    (b"BZh", Message("This file is packed (bzip2). Unpack it first.")),
    (b"\xfd7zXZ", Message("This file is packed (xz). Unpack it first.")),
    (b"\x28\xb5\x2f\xfd", Message("This file is packed (Zstandard). Unpack it first.")),
    (b"{\\rtf", Message("This is a text document (RTF), not a table. {save}", save=_SAVE)),
    (b"\x89PNG", Message("This is a picture, not a table.")),
    (b"\xff\xd8\xff", Message("This is a picture, not a table.")),
    (b"GIF8", Message("This is a picture, not a table.")),
    (b"SQLite format 3", Message("This is a database, not a table.")),
)
_WEB = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<workbook", b"<svg")


class FileFormat(Enum):
    """Formats that can be read."""

    DELIMITED = auto()
    PACKED = auto()


def sniff(data: bytes) -> FileFormat:
    """Tell what to read a file as. Raises TableError with what to do instead."""
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(Message("The file is empty."))
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return FileFormat.PACKED
    for start, words in _STARTS:
        if data.startswith(start):
            raise TableError(words)
    if data[:512].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_WEB):
        raise TableError(Message("This is a web page or XML, not a table. {save}", save=_SAVE))
    return FileFormat.DELIMITED


def is_opendocument(names: frozenset[str], mimetype: bytes) -> bool:
    """Tell whether a packed file is an ODS; if not, it is an XLSX. Raises TableError for others."""
    if "xl/workbook.xml" in {name.lower() for name in names}:
        return False
    if mimetype.startswith(b"application/vnd.oasis.opendocument.spreadsheet"):
        return True
    if mimetype.startswith(b"application/vnd.oasis.opendocument"):
        raise TableError(Message("This is an OpenDocument file, but not a spreadsheet."))
    if "xl/workbook.bin" in names:
        raise TableError(Message("This is a binary Excel file (.xlsb). {save}", save=_SAVE))
    if any(name.startswith("Index/") or name == "Index.zip" for name in names):
        raise TableError(Message("This is a Numbers file. Export it as Excel or CSV."))
    if any(name.startswith("word/") for name in names):
        raise TableError(Message("This is a Word document, not a table."))
    raise TableError(Message("This is a packed file (.zip). Unpack it, and send the table in it."))
