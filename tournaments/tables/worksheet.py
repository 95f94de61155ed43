"""The cells of a worksheet: numbers, texts, dates and formulas become what people saw."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from engine.messages import Message, message_of
from tournaments.tables.archive import XlsxPartHandler
from tournaments.tables.delimited import Record, too_wide
from tournaments.tables.parts import Known, unescape_text
from tournaments.tables.tables import CellRemark, ReadLimits, TableError, too_many_cells

_DIGITS = 15
"""More digits than these a spreadsheet does not hold; what follows is noise."""
_LAST_DAY = 2_958_466
_MOST_MERGED = 10_000


class CellFaultError(Exception):
    """A cell that cannot be read, and why."""


class WorksheetReader(XlsxPartHandler):
    """Hears a worksheet, a row at a time; only cells that say something count."""

    def __init__(self, known: Known, limits: ReadLimits) -> None:
        super().__init__()
        self.records: list[Record] = []
        self.faults: list[CellRemark] = []
        self.merged: list[str] = []
        self.hidden: list[int] = []
        self.computed = 0
        self._known = known
        self._limits = limits
        self._row = self._column = self._said = 0
        self._cells: dict[int, str] = {}
        self._is_hidden = False
        self._type = self._style = ""
        self._inside = ""
        self._value: list[str] | None = None
        self._formula = False

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""
        if name == "row":
            self._open_row(values)
        elif name == "c":
            self._open_cell(values)
        elif name == "f":
            self._formula = True
        elif name in ("v", "t", "rPh"):
            self._inside = name
            if name == "v" and self._value is None:
                self._value = []
        elif name == "mergeCell" and len(self.merged) < _MOST_MERGED:
            self.merged.append(values.get("ref", ""))

    def said(self, text: str) -> None:
        """Hear a piece of text."""
        if self._inside in ("v", "t"):
            self._value = [] if self._value is None else self._value
            self._value.append(text)

    def closed(self, name: str) -> None:
        """Hear a tag that closes."""
        if name == "c":
            self._close_cell()
        elif name == "row":
            self._close_row()
        elif name in ("v", "t", "rPh"):
            self._inside = ""

    def _open_row(self, values: dict[str, str]) -> None:
        self._row = _row_number(values.get("r", ""), self._row + 1)
        self._is_hidden = values.get("hidden") in ("1", "true")
        self._column = 0
        self._cells = {}

    def _open_cell(self, values: dict[str, str]) -> None:
        told = values.get("r", "")
        self._column = column_number(told) if told else self._column + 1
        self._type, self._style = values.get("t", "n"), values.get("s", "0")
        self._value, self._formula = None, False

    def _close_cell(self) -> None:
        try:
            text = self._text()
        except CellFaultError as fault:
            self._add_fault(message_of(fault))
            text = ""
        if not text.strip():
            return
        if self._column > self._limits.columns:
            raise TableError(too_wide(self._row, self._limits))
        self.computed += self._formula
        self._said += 1
        if self._said > self._limits.cells:
            raise too_many_cells(self._limits)
        self._cells[self._column] = text

    def _add_fault(self, words: str) -> None:
        if len(self.faults) <= self._limits.rows:
            self.faults.append(CellRemark(self._row, self._column, words))

    def _text(self) -> str:
        raw = "".join(self._value or ())
        if self._formula and not raw and self._type == "n":
            raise CellFaultError(
                Message(
                    "this formula has no result in the file. Open and save it once in a"
                    " spreadsheet program, or put the value in its place."
                )
            )
        readers: dict[str, Callable[[str], str]] = {
            "s": self._shared_text,
            "b": _flag,
            "e": _refuse_value,
            "n": self._amount,
        }
        return readers.get(self._type, unescape_text)(raw) if raw else ""

    def _shared_text(self, raw: str) -> str:
        place = _number(raw)
        if place >= len(self._known.texts):
            raise CellFaultError(Message("the text of this cell is missing in the file."))
        return self._known.texts[place]

    def _amount(self, raw: str) -> str:
        style = _number(self._style)
        if style < len(self._known.dates) and self._known.dates[style]:
            return moment_text(raw, from_1904=self._known.from_1904)
        return number_text(raw)

    def _close_row(self) -> None:
        if not self._cells:
            return
        if len(self.records) > self._limits.rows:
            raise TableError(
                Message("The table has more than {most} rows.", most=f"{self._limits.rows:,}")
            )
        if self.records and self._row <= self.records[-1].line:
            raise TableError(Message("Row {row} is there twice, or out of order.", row=self._row))
        width = max(self._cells)
        cells = [self._cells.get(place, "") for place in range(1, width + 1)]
        self.records.append(Record(self._row, cells))
        if self._is_hidden:
            self.hidden.append(self._row)


def _row_number(told: str, following: int) -> int:
    try:
        return _number(told) if told else following
    except CellFaultError:
        raise TableError(
            Message("The file names a row {number}, which is no number.", number=repr(told[:20]))
        ) from None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise CellFaultError(Message("this cell is numbered in a way that cannot be read."))
    return int(text)


def column_number(place: str) -> int:
    """Read the column of a place such as B7. Raises TableError.

    >>> column_number("B7"), column_number("AB12")
    (2, 28)
    """
    letters = place.rstrip("0123456789").replace("$", "").upper()
    if not (letters.isascii() and letters.isalpha() and len(letters) <= 3):
        raise TableError(
            Message("The file names a cell {place}, which is no place.", place=repr(place[:20]))
        )
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _flag(raw: str) -> str:
    return "yes" if raw.strip() in ("1", "true") else "no"


def _refuse_value(raw: str) -> str:
    raise CellFaultError(Message("the cell shows an error ({raw}).", raw=raw[:20]))


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
