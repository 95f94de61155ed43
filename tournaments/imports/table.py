"""A table that somebody brings: its columns by the names that people give them, row by row."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.tables.read_tables import TableError
from tournaments.tables.table_reader import read_table

_JOINTS: Final = str.maketrans("-_.:", "    ")


@dataclass(frozen=True, slots=True)
class ColumnHeading:
    """A column that is understood: its key, and what people may write above it."""

    key: str
    names: tuple[str, ...]
    required: bool = False


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A row by the keys of its columns; ``number`` as a spreadsheet shows it."""

    number: int
    cells: Mapping[str, str]


@dataclass(slots=True)
class ImportSummary:
    """What came of a table: how many rows were new, known or changed, and what was wrong where."""

    rows: int = 0
    new: int = 0
    known: int = 0
    changed: int = 0
    problems: list[Mapping[str, Any]] = field(default_factory=list)

    def complain(self, line: int, message: str) -> None:
        """Note what is wrong with a row, which is left out."""
        self.problems.append({"line": line, "column": 0, "message": message})

    def as_data(self) -> dict[str, int]:
        """The counts as plain data."""
        return {"rows": self.rows, "new": self.new, "known": self.known, "changed": self.changed}


def read_rows(
    data: bytes,
    headings: Sequence[ColumnHeading],
    brought: ImportSummary,
    check: Callable[[Sequence[str]], None] | None = None,
) -> Iterator[ImportRow]:
    """The rows of CSV or XLSX. Raises RefusedError: nothing of the file can be used.

    ``check`` gets the keys of the columns, and may raise it as well.
    """
    try:
        table = read_table(data)
    except TableError as error:
        raise RefusedError(error.message, "file") from error
    places = _places(table.headers, headings, brought)
    if check is not None:
        check(tuple(places))
    for fault in (*table.faults, *table.warnings):
        brought.problems.append({"line": fault.row, "column": fault.column, "message": fault.words})
    for row in table.rows:
        brought.rows += 1
        yield ImportRow(row.line, {key: row.cells[place] for key, place in places.items()})


def _places(
    headers: Sequence[str], headings: Sequence[ColumnHeading], brought: ImportSummary
) -> dict[str, int]:
    known = {name: heading.key for heading in headings for name in heading.names}
    places: dict[str, int] = {}
    for place, header in enumerate(headers):
        key = known.get(" ".join(header.casefold().translate(_JOINTS).split()))
        if key in places:
            raise RefusedError(
                Message(
                    "Two columns say the same: {first}, {second}.",
                    first=headers[places[key]],
                    second=header,
                ),
                "file",
            )
        if key is not None:
            places[key] = place
        elif header:
            message = Message(
                "the column {header} is not understood, and was left out", header=repr(header[:60])
            )
            brought.problems.append({"line": 1, "column": place + 1, "message": message})
    for heading in headings:
        if heading.required and heading.key not in places:
            message = Message(
                "There is no column for the {heading}; it may be called {names}.",
                heading=heading.names[0],
                names=", ".join(heading.names),
            )
            raise RefusedError(message, "file")
    return places
