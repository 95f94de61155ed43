"""What a file that somebody brings holds: a heading, rows of texts, and what is odd in it."""

from dataclasses import dataclass

from engine.messages import Message

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """How much is read: bytes of the file, rows under the heading, columns, letters of a cell.

    ``cells``: in the whole table; ``lines``: rows of a text, empty ones included.
    ``unpacked``: bytes that a packed file may come to; ``ratio``: how many times its own size;
    ``parts``: how many files may lie in it; ``remarks``: so many faults are told, then counted.
    """

    size: int = 5 * MIB
    rows: int = 10_000
    columns: int = 200
    cell: int = 10_000
    cells: int = 400_000
    lines: int = 200_000
    unpacked: int = 50 * MIB
    ratio: int = 100
    parts: int = 1_000
    remarks: int = 100


class TableError(Exception):
    """Nothing of the file can be used; its message says why, and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def too_many_cells(limits: ReadLimits) -> TableError:
    """Say that a table is too big as a whole."""
    return TableError(Message("The table has more than {most} cells.", most=f"{limits.cells:,}"))


@dataclass(frozen=True, slots=True, order=True)
class CellRemark:
    """Something odd at a place; row and column count from 1, 0 is none in particular."""

    row: int
    column: int
    words: str

    @property
    def sentence(self) -> str:
        """Where and what."""
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
    """One row; ``line``: its number as a spreadsheet shows it; as many cells as headings."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A whole file: rows with faults are left out, those with warnings are in.

    ``unsaid``: faults and warnings beyond those that are told.
    """

    headers: tuple[str, ...]
    rows: tuple[TableRow, ...]
    faults: tuple[CellRemark, ...] = ()
    warnings: tuple[CellRemark, ...] = ()
    unsaid: int = 0


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
