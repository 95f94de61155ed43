"""Texts with delimiters (CSV) as programs everywhere write them: read once, forward, in bounds."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from engine.messages import Message
from tournaments.tables.tables import CellRemark, ReadLimits, TableError

DELIMITERS = ",;\t|"
_SEEN = 30
"""So many rows decide on the delimiter."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = 400
_TAIL = re.compile(r"[^\r\n]*")
_INSIDE = re.compile(r'([^"]*+(?:""[^"]*+)*+)"')
"""What stands in quotes, up to the quote that closes; it never goes back."""
_PLAIN = {delimiter: re.compile(f"[^{re.escape(delimiter)}\r\n]*") for delimiter in DELIMITERS}


@dataclass(frozen=True, slots=True)
class Record:
    """One row of cells; ``broken``: after a closing quote came something else, in this column."""

    line: int
    cells: list[str]
    broken: int = 0


def decode_text(data: bytes) -> tuple[str, CellRemark | None]:
    """Read bytes as text: UTF-8, UTF-16 with its mark, or what Windows wrote. Raises TableError."""
    encoding, skipped = _encoding_by_mark(data)
    try:
        text, remark = data[skipped:].decode(encoding), None
    except UnicodeDecodeError as error:
        if skipped or encoding != "utf-8":
            words = Message(
                "The file says that it is {encoding}, but byte {number} is not.",
                encoding=encoding.upper(),
                number=error.start + 1,
            )
            raise TableError(words) from None
        text, remark = _from_windows(data)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise TableError(
            Message("Line {line} has a NUL character: this is no table in text form.", line=line)
        )
    return text, remark


def _encoding_by_mark(data: bytes) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if encoding == "utf-32" and data.startswith(mark):
            raise TableError(Message("The file is written in UTF-32. Save it as CSV UTF-8."))
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    start = data[:_WIDE]
    if len(start) > 3 and len(data) % 2 == 0:
        # Latin letters in UTF-16 without its mark: every other byte is nothing.
        for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if start[first::2].count(0) * 10 >= len(start[first::2]) * 9:
                return encoding, 0
    return "utf-8", 0


def _from_windows(data: bytes) -> tuple[str, CellRemark]:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        words = Message(
            "The letters of this file are neither UTF-8 nor Windows-1252 (line {line})."
            " Save it as CSV UTF-8.",
            line=line,
        )
        raise TableError(words) from None
    words = Message(
        "The file is not UTF-8 and was read as Windows-1252; look at the accented letters."
    )
    return text, CellRemark(0, 0, words)


def records(text: str, limits: ReadLimits) -> Iterator[Record]:
    """Give the rows of a text, empty ones too. Raises TableError: a quote that is never closed."""
    start, delimiter = _delimiter_by_line(text)
    delimiter = delimiter or _likely(text, limits)
    return _scan(text, start, delimiter, limits)


def _delimiter_by_line(text: str) -> tuple[int, str]:
    """Honour the line ``sep=;`` that Excel understands."""
    end = text.find("\n", 0, 8)
    first = text[: end if end >= 0 else 0].rstrip("\r")
    if first.lower().startswith("sep=") and len(first) == 5 and first[4] in DELIMITERS:
        return end + 1, first[4]
    return 0, ""


def _likely(text: str, limits: ReadLimits) -> str:
    return max(DELIMITERS, key=lambda delimiter: _score(text, delimiter, limits))


def _score(text: str, delimiter: str, limits: ReadLimits) -> tuple[int, int]:
    """Say how much a text looks like a table with this delimiter: rows as wide as the first."""
    try:
        seen = [row for row in islice(_scan(text, 0, delimiter, limits), _SEEN) if any(row.cells)]
    except TableError:
        return 0, 0
    if not seen or len(seen[0].cells) < 2:
        return 0, 0
    width = len(seen[0].cells)
    like = sum(len(row.cells) == width and not row.broken for row in seen)
    return like * 100 // len(seen), width


def _scan(text: str, place: int, delimiter: str, limits: ReadLimits) -> Iterator[Record]:
    line, end = 0, len(text)
    while place < end:
        line += 1
        if line > limits.lines:
            raise TableError(
                Message("The file goes on for more than {lines} rows.", lines=f"{limits.lines:,}")
            )
        record, place = _record(text, place, delimiter, (line, limits))
        yield record
        place += 2 if text.startswith("\r\n", place) else 1


def _record(
    text: str, place: int, delimiter: str, where: tuple[int, ReadLimits]
) -> tuple[Record, int]:
    """Read one row, and say where it ends."""
    line, limits = where
    cells: list[str] = []
    broken = 0
    while len(cells) < limits.columns:
        cell, place, whole = _cell(text, place, delimiter, line)
        cells.append(cell)
        broken = broken or (0 if whole else len(cells))
        if place >= len(text) or text[place] != delimiter:
            return Record(line, cells, broken), place
        place += 1
    # An empty tail is common; only what says something is too much.
    tail = _TAIL.match(text, place)
    end = tail.end() if tail else place
    if text[place:end].strip(f"{delimiter} \t"):
        raise TableError(too_wide(line, limits))
    return Record(line, cells, broken), end


def too_wide(line: int, limits: ReadLimits) -> str:
    """Say that a row goes on too far to the right."""
    return Message("Row {line} has more than {columns} columns.", line=line, columns=limits.columns)


def _cell(text: str, place: int, delimiter: str, line: int) -> tuple[str, int, bool]:
    """Read one cell: its text, where it ends, and whether it ended as it should."""
    pattern = _PLAIN[delimiter]
    if not text.startswith('"', place):
        found = pattern.match(text, place)
        end = found.end() if found else place
        return text[place:end], end, True
    inside, place = _read_quoted(text, place + 1, line)
    found = pattern.match(text, place)
    end = found.end() if found else place
    rest = text[place:end]
    return inside + rest, end, not rest.strip()


def _read_quoted(text: str, place: int, line: int) -> tuple[str, int]:
    found = _INSIDE.match(text, place)
    if found is None:
        where = text.count("\n", 0, place) + 1
        words = Message(
            "The quote that is opened in row {row} (line {line}) is never closed.",
            row=line,
            line=where,
        )
        raise TableError(words)
    return found[1].replace('""', '"'), found.end()
