"""Worksheets of XLSX and ODS: which one is read, what is odd in it, and names of written ones."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Final

from engine.core.messages import Message
from tournaments.tables.cells import readable
from tournaments.tables.input_model import CellRemark, TableError, TableFile, TableRow

_LISTED_MAX: Final = 8


def choose_sheet(shown: Sequence[str], names: Sequence[str], wanted: str | None) -> str:
    """The worksheet that is wanted, else the first that is shown. Raises TableError."""
    if wanted is None and shown:
        return shown[0]
    if wanted is None:
        raise TableError(Message("The file has no worksheet that is shown."))
    if wanted in names:
        return wanted
    known = ", ".join(repr(name) for name in names[:_LISTED_MAX])
    raise TableError(
        Message(
            "There is no worksheet {name}; the file has {names}.", name=repr(wanted), names=known
        )
    )


def merged_words(place: str) -> Message:
    """Why a row with a merged cell is not used: nobody knows whose its value is."""
    return Message(
        "the cells {place} are merged. Take them apart and fill each one.", place=place[:20]
    )


def day_or_moment(moment: datetime) -> date:
    """A moment at midnight is a day."""
    return moment if moment.time() != time() else moment.date()


@dataclass(slots=True)
class SheetRemarks:
    """Odd things in a worksheet that were read all the same: hidden rows, formulas."""

    hidden: list[int] = field(default_factory=list)
    computed: int = 0

    def watch(self, rows: Iterator[TableRow], file: TableFile) -> Iterator[TableRow]:
        """Pass the rows on, and after the last one add the remarks to the file."""
        yield from rows
        if self.hidden:
            lines = ", ".join(str(line) for line in self.hidden[:_LISTED_MAX])
            words = Message("Hidden rows were read too: {rows}.", rows=lines)
            if len(self.hidden) > _LISTED_MAX:
                words = Message("Hidden rows were read too: {rows} and more.", rows=lines)
            file.remarks.append(CellRemark(0, 0, words))
        if self.computed:
            words = Message(
                "{count} cells hold formulas; what they last came to was read.",
                count=self.computed,
            )
            if self.computed == 1:
                words = Message("One cell holds a formula; what it last came to was read.")
            file.remarks.append(CellRemark(0, 0, words))


SHEET_NAME_MAX = 31
"""Characters in the name of a worksheet, counted as Excel does, in halves of UTF-16."""
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", " "))


def sheet_name(title: str, taken: Container[str]) -> str:
    """Make a name of a title; ``taken``: names that the file has already, in small letters."""
    words = " ".join(readable(title).translate(_FORBIDDEN).split()).strip("' ") or "Sheet"
    number, name = 1, _cut(words, SHEET_NAME_MAX)
    while name.lower() in taken or name.lower() == "history":
        number += 1
        ending = f" ({number})"
        name = _cut(words, SHEET_NAME_MAX - len(ending)) + ending
    return name


def _cut(words: str, most: int) -> str:
    while len(words.encode("utf-16-le")) > 2 * most:
        words = words[:-1]
    return words.rstrip("' ")
