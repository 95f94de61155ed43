"""Texts with delimiters (CSV) as programs everywhere write them: read once, forward, in bounds.

The encoding of a text that does not say it is guessed, and asked where it is in doubt.
"""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from io import StringIO
from itertools import count, islice
from typing import Final

from engine.core.messages import Message
from tournaments.tables.cells import unguard_formula
from tournaments.tables.input_model import CellRemark, ReadLimits, TableError, TableFile, TableRow

_WORDS_SHOWN: Final = 4
_BEYOND_ASCII: Final = re.compile(rb"[\x80-\xff]")
_WORD: Final = re.compile(rb"[^\s;,|\"]*[\x80-\xff][^\s;,|\"]*(?: [^\s;,|\"]+)?")


class TextEncoding(StrEnum):
    """Encodings that programs write which do not write Unicode."""

    WINDOWS_1252 = "windows-1252"
    WINDOWS_1250 = "windows-1250"
    MAC_ROMAN = "mac-roman"
    IBM_850 = "ibm850"


def _is_shared(byte: int) -> bool:
    """Whether a byte is the same letter in Western and Central Europe, and none on other systems.

    Lower bytes are letters on a Macintosh or under DOS.
    """
    western, central = (
        bytes([byte]).decode(encoding, "replace")
        for encoding in (TextEncoding.WINDOWS_1252, TextEncoding.WINDOWS_1250)
    )
    return byte >= 0xC0 and western == central and western.isalpha()


_SHARED: Final = frozenset(filter(_is_shared, range(0x80, 0x100)))
_SIGNS: Final = frozenset("\u20ac\u2026\u2013\u2014\u2022\u00a0\u00a7\u00b0")
"""Signs of Windows-1252 that stand in lists; beside a letter they may be one elsewhere."""


def preview_encodings(data: bytes) -> dict[str, str]:
    """Return some words with letters beyond ASCII as each encoding has them that may be right."""
    words = dict.fromkeys(islice(_WORD.findall(data), 100 * _WORDS_SHOWN))
    sample = b", ".join(islice(words, _WORDS_SHOWN))
    found: dict[str, str] = {}
    for encoding in TextEncoding:
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        found[encoding] = sample.decode(encoding)
    return found


def is_surely_western(data: bytes) -> bool:
    """Whether a text that is no Unicode can only be Windows-1252, as far as its letters tell."""
    try:
        text = data.decode(TextEncoding.WINDOWS_1252)
    except UnicodeDecodeError:
        return False
    for found in _BEYOND_ASCII.finditer(data):
        place = found.start()
        if data[place] in _SHARED:
            continue
        beside = text[place - 1 : place] + text[place + 1 : place + 2]
        if text[place] not in _SIGNS or any(map(str.isalpha, beside)):
            return False
    return all(_has_usual_case(word) for word in text.split() if not word.isascii())


def _has_usual_case(word: str) -> bool:
    """Whether no small letter stands among capitals, as that of another system would."""
    letters = "".join(filter(str.isalpha, word))
    return not letters[1:].isupper() or letters.isupper()


def choose_encoding(previews: Mapping[str, str], wanted: str) -> str:
    """Return the encoding that somebody wants if it can be right, else the likeliest."""
    return next((one for one in previews if one == wanted), next(iter(previews)))


DELIMITERS = "\t;|,"
"""The rarer in texts, the earlier: where two make equally good tables, the first is taken."""
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
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BLANKS_AFTER_QUOTE = re.compile(r'"[ \t]+(?=[,;|\t\r\n]|$)')
# A quote that is never closed makes one cell of the rest of the file.
csv.field_size_limit(1 << 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedText:
    """A text, and how its letters were read where the file does not say it.

    ``previews``: some of its words in each encoding that may be right. ``is_doubtful``: nobody said
    which it is, and the letters do not tell.
    """

    text: str
    encoding: str = ""
    previews: Mapping[str, str] = field(default_factory=dict)
    is_doubtful: bool = False


def decode_text(data: bytes, wanted: str = "") -> DecodedText:
    """Read bytes as text: UTF-8, UTF-16 with its mark, or an encoding of `TextEncoding`.

    ``wanted`` is the one that somebody chose. Raises TableError.
    """
    encoding, skipped = _encoding_by_mark(data)
    try:
        decoded = DecodedText(text=data[skipped:].decode(encoding))
    except UnicodeDecodeError as error:
        if skipped or encoding != "utf-8":
            words = Message(
                "The file says that it is {encoding}, but byte {number} is not.",
                encoding=encoding.upper(),
                number=error.start + 1,
            )
            raise TableError(words) from None
        previews = preview_encodings(data)
        if TextEncoding.WINDOWS_1252 not in previews and _CONTROLS.search(data):
            words = Message(
                "The letters of this file are neither UTF-8 nor Windows-1252 (line {line})."
                " Save it as CSV UTF-8.",
                line=data.count(b"\n", 0, error.start) + 1,
            )
            raise TableError(words) from None
        chosen = choose_encoding(previews, wanted)
        decoded = DecodedText(
            text=data.decode(chosen),
            encoding=chosen,
            previews=previews,
            is_doubtful=chosen != wanted and not is_surely_western(data),
        )
    if "\0" in decoded.text:
        line = decoded.text.count("\n", 0, decoded.text.index("\0")) + 1
        raise TableError(
            Message("Line {line} has a NUL character: this is no table in text form.", line=line)
        )
    return decoded


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


def read_csv(data: bytes, limits: ReadLimits, encoding: str = "") -> TableFile:
    """Read a text. Raises TableError, for a quote that is never closed while rows are taken."""
    decoded = decode_text(data, encoding)
    text, remarks = decoded.text, []
    if decoded.encoding == TextEncoding.WINDOWS_1252 != encoding:
        words = Message(
            "The file is not UTF-8 and was read as Windows-1252; look at the accented letters."
        )
        remarks.append(CellRemark(0, 0, words))
    start, delimiter = _delimiter_by_line(text)
    rows = _scan(text[start:], delimiter or _likely(text, limits), limits)
    return TableFile(
        rows=rows,
        remarks=remarks,
        encoding=decoded.encoding,
        previews=decoded.previews,
        has_doubtful_letters=decoded.is_doubtful,
    )


def _delimiter_by_line(text: str) -> tuple[int, str]:
    """Honour the line ``sep=;`` that Excel understands."""
    end = text.find("\n", 0, 8)
    first = text[: end if end >= 0 else 0].rstrip("\r")
    if first.lower().startswith("sep=") and len(first) == 5 and first[4] in DELIMITERS:
        return end + 1, first[4]
    return 0, ""


def _likely(text: str, limits: ReadLimits) -> str:
    scores = {delimiter: _score(text, delimiter, limits) for delimiter in DELIMITERS}
    return max(DELIMITERS, key=scores.__getitem__) if any(map(any, scores.values())) else ","


def _score(text: str, delimiter: str, limits: ReadLimits) -> tuple[int, int]:
    """Say how much a text looks like a table with this delimiter: many rows equally wide."""
    widths = Counter[int]()
    with suppress(TableError):
        for row in islice(_scan(text, delimiter, limits), _SEEN):
            if len(row.cells) > 1 and not row.faults:
                widths[len(row.cells)] += 1
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return count, width


def _scan(text: str, delimiter: str, limits: ReadLimits) -> Iterator[TableRow]:
    """Read row by row; a row that `csv` refuses is broken, and those after it are read."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in StringIO(text, newline=""):
            taken.append(line)
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    for number in count(1):
        line, faults = reader.line_num + 1, tuple[CellRemark, ...]()
        taken.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "end of data" in str(error):
                words = Message(
                    "The quote that is opened in row {row} (line {line}) is never closed.",
                    row=number,
                    line=line,
                )
                raise TableError(words) from None
            cells, is_broken = _mend_row("".join(taken), delimiter)
            if is_broken:
                words = Message("a quote is closed in the middle of the cell.")
                faults = (CellRemark(number, 0, words),)
        if number > limits.lines:
            raise TableError(
                Message("The file goes on for more than {lines} rows.", lines=f"{limits.lines:,}")
            )
        # An empty tail is common; only what says something is too much.
        if any(map(str.strip, cells[limits.columns :])):
            raise TableError(too_wide(number, limits))
        found = tuple(unguard_formula(cell.strip()).strip() for cell in cells[: limits.columns])
        yield TableRow(number, found, faults)


def _mend_row(text: str, delimiter: str) -> tuple[list[str], bool]:
    """Read a broken row without blanks after quotes, which do no harm; whether it stays broken."""
    text = _BLANKS_AFTER_QUOTE.sub('"', text)
    for strict in (True, False):
        with suppress(csv.Error, ValueError):
            (cells,) = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=strict)
            return cells, not strict
    return [text], True


def too_wide(line: int, limits: ReadLimits) -> Message:
    """Say that a row goes on too far to the right."""
    return Message("Row {line} has more than {columns} columns.", line=line, columns=limits.columns)
