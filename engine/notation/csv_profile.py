"""CSV profile: one row for each seat of each hand, for spreadsheets.

A spreadsheet takes a cell that begins with ``=`` for a formula. A text that could be taken so
gets an apostrophe in front; numbers stay as they are.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..record.record import HandRecord
from .document import Document, Tag, cell_text
from .names import PLAYERS
from .reader import RecordEntry
from .sections import as_tables, seats_of
from .writer import Writable, to_document

_TAGS: Final = (
    "Event",
    "Site",
    "Date",
    "Table",
    "Board",
    "Variant",
    "Rules",
    "Dealer",
    "Detail",
    "Termination",
    "Declarer",
    "PainSuit",
    "Jackpot",
)
_SCORES: Final = (
    "Pain",
    "Before",
    "Bid",
    "Paid",
    "Won",
    "After",
    "Hearts",
    "Queen",
    "Insurance",
    "Centre",
    "Adjust",
    "Moon",
    "Points",
    "Total",
)
_RESULT: Final = ("Rank", "TotalScore", "Average", "Settlement", "Cash")
HEADER: Final = ("Record", *_TAGS, "Seat", "Name", *_SCORES, *_RESULT, "Other")
"""The columns; Other holds the score columns that have none of their own, as ``name=value``."""
_DANGEROUS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_csv(items: Iterable[Writable]) -> str:
    """Hands as CSV with a header line."""
    return "".join(csv_lines(items))


def csv_lines(items: Iterable[Writable]) -> Iterator[str]:
    """The lines of the CSV file, one by one."""
    yield _line(HEADER)
    number = 0
    for item in items:
        document = _document(item)
        number += bool(document.tags)
        for row in _rows(document, str(number)):
            yield _line([guard_formula(cell) for cell in row])


def guard_formula(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> guard_formula("=1+1"), guard_formula("-4")
    ("'=1+1", '-4')
    """
    return "'" + cell if cell.startswith(_DANGEROUS) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    whole, point, part = cell.removeprefix("-").removeprefix("+").partition(".")
    digits = whole + part
    return digits.isascii() and digits.isdigit() and bool(whole) and bool(part) == bool(point)


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def _document(item: Writable) -> Document:
    if isinstance(item, RecordEntry):
        item = item.document
    return as_tables(to_document(item) if isinstance(item, HandRecord) else item)


def _rows(document: Document, number: str) -> Iterator[list[str]]:
    if not document.tags:
        return
    values = {tag.name: tag.value for tag in reversed(document.tags)}
    scores = _by_seat(document.tag("ScoreTable"))
    results = _by_seat(document.tag("TotalScoreTable"))
    bought = _rebuys(document.tag("RebuyTable"))
    head = [number, *(values.get(name, "") for name in _TAGS)]
    for seat in seats_of(document):
        score, result = scores.get(seat, {}), results.get(seat, {})
        name = result.get("Names") or values.get(PLAYERS[seat], "")
        other = {key: text for key, text in score.items() if key not in (*_SCORES, "Seat")}
        other |= bought.get(seat, {})
        yield [
            *head,
            seat,
            name,
            *(score.get(column, "") for column in _SCORES),
            *(result.get(column, "") for column in _RESULT),
            ";".join(f"{key}={text}" for key, text in other.items()),
        ]


def _rebuys(table: Tag | None) -> Mapping[str, dict[str, str]]:
    """The stacks that each seat bought again, as ``Rebuy short=1``."""
    found: dict[str, dict[str, str]] = {}
    for row in table.rows if table is not None else ():
        cells = dict(zip(table.columns, map(cell_text, row), strict=False))  # type: ignore[union-attr]
        seat = found.setdefault(cells.get("Seat", "").upper(), {})
        seat[f"Rebuy {cells.get('When', '')}"] = cells.get("Stacks", "")
    return found


def _by_seat(table: Tag | None) -> Mapping[str, Mapping[str, str]]:
    if table is None:
        return {}
    columns = table.columns
    rows = (dict(zip(columns, map(cell_text, row), strict=False)) for row in table.rows)
    return {row["Seat"].upper(): row for row in rows if "Seat" in row}
