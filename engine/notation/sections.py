"""Sections: the Auction and Play of PBN, as the tables of a Hearts record (notation.md 3.1).

Annotations that stand free in a section are glued to the cell that they belong to, suffixes
become NAGs, and the notes of both sections become rows of the NoteTable.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Final

from engine.notation.diagnostics import Report, Rule
from engine.notation.document import Comment, Document, Escape, Row, Tag, quote, said_of
from engine.notation.names import PLAYERS, SECTIONS
from engine.seats import COMPASS, DEFAULT_SEATS, is_clockwise

_TABLE_OF: Final = {"Auction": "AuctionTable", "Play": "PlayTable"}
_TABLES: Final = tuple(_TABLE_OF.values())
_END_MARKS: Final = frozenset(("*", "+", "AP", "ap", "Ap"))
_SUFFIXES: Final = ("!", "?", "!!", "??", "!?", "?!")
_FIRST_NAG: Final = {"Auction": 1, "Play": 7}
_AS_WRITTEN: Final[Mapping[str, str]] = {}
_MARKS: Final = ("^R", "^L", "^X", "^S", "^I")


def seats_of(document: Document) -> tuple[str, ...]:
    """The seats that the Seats tag names; those of a table of four when it does not."""
    seats = tuple((document.value("Seats") or "").upper().split())
    return seats if is_clockwise(seats) and 3 <= len(seats) <= 6 else DEFAULT_SEATS[4]


def _section_seats(document: Document) -> tuple[str, ...]:
    """The seats of a section: those of the Seats tag, or of whom tables and names speak."""
    if (document.value("Seats") or "").strip():
        return seats_of(document)
    found = listed_seats({tag.name: tag for tag in reversed(document.tags)})
    return found if len(found) in DEFAULT_SEATS else DEFAULT_SEATS[4]


def listed_seats(tags: Mapping[str, Tag]) -> tuple[str, ...]:
    """The seats that tables name, or else those that have a player's name, clockwise."""
    found: set[str] = set()
    for name in ("PlayTable", "AuctionTable", "InsuranceTable"):
        if name in tags:
            found.update(column.upper() for column in tags[name].columns)
    for name in ("DealTable", "ScoreTable", "CaptureTable"):
        tag = tags.get(name)
        if tag and "Seat" in tag.columns:
            at = tag.columns.index("Seat")
            found.update(row[at].upper() for row in tag.rows if len(row) > at)
    found &= set(COMPASS)
    if not found:
        named = ((seat, tags.get(name)) for seat, name in PLAYERS.items())
        found = {seat for seat, tag in named if tag and tag.value not in ("", "?", "-")}
    return tuple(name for name in COMPASS if name in found)


def as_tables(document: Document, report: Report | None = None) -> Document:
    """The document with its Auction and Play sections written as tables."""
    document = _without_end_marks(document)
    names = {tag.name for tag in document.tags}
    wanted = [name for name in SECTIONS if name in names and _TABLE_OF[name] not in names]
    if not wanted:
        return document
    seats = _section_seats(document)
    notes, whole = _Notes(document), is_whole(document)
    tags: list[Tag] = []
    section = ""
    for tag in document.tags:
        section = tag.name if tag.name in SECTIONS else section
        if tag.name in wanted:
            rows = rows_of(tag, len(seats), whole=whole, numbers=notes.renumbered(tag.name))
            tags.append(_table(tag, seats, report, rows))
        elif tag.name != "Note" or section not in wanted or not notes.take(section, tag):
            tags.append(tag)
        elif tag.remarks:
            tags[-1] = replace(tags[-1], remarks=tags[-1].remarks + tag.remarks)
    return replace(document, tags=notes.add_to(tags))


def _without_end_marks(document: Document) -> Document:
    """The document with ``*``, ``+`` and AP in its auction and play tables written out."""
    marked = [tag for tag in document.tags if tag.name in _TABLES and _has_end_mark(tag)]
    if not marked:
        return document
    tags = (_ended(tag) if tag in marked else tag for tag in document.tags)
    return replace(document, tags=tuple(tags))


def _has_end_mark(tag: Tag) -> bool:
    return not all(map(_END_MARKS.isdisjoint, tag.rows))


def _ended(tag: Tag) -> Tag:
    wide = len(tag.columns)
    rows: list[Row] = []
    for row in tag.rows:
        at = next((place for place, cell in enumerate(row) if cell in _END_MARKS), None)
        if at is None:
            rows.append(row)
            continue
        filler = "Pass" if row[at].upper() == "AP" else "-"
        if at or filler == "Pass":
            rows.append(row[:at] + (filler,) * (wide - at))
        break
    return replace(tag, rows=tuple(rows), row_lines=tag.row_lines[: len(rows)])


class _Notes:
    """The notes of the sections, on their way into one table."""

    def __init__(self, document: Document) -> None:
        table = document.tag("NoteTable")
        self.rows: list[Row] = list(table.rows) if table else []
        self.used = {row[0] for row in self.rows if row}
        self._next = 1
        self.new: dict[str, dict[str, str]] = {}
        section = ""
        for tag in document.tags:
            section = tag.name if tag.name in SECTIONS else section
            number, colon, _ = tag.value.partition(":")
            if tag.name == "Note" and colon and section:
                self._number(section, number.strip())

    def _number(self, section: str, number: str) -> None:
        if number in self.used or not (number.isascii() and number.isdigit()):
            while str(self._next) in self.used:
                self._next += 1
            free = str(self._next)
        else:
            free = number
        self.used.add(free)
        self.new.setdefault(section, {})[number] = free

    def renumbered(self, section: str) -> dict[str, str]:
        return self.new.get(section, {})

    def take(self, section: str, tag: Tag) -> bool:
        number, colon, text = tag.value.partition(":")
        if not colon:
            return False
        self.rows.append((self.new[section][number.strip()], quote(text)))
        return True

    def add_to(self, tags: list[Tag]) -> tuple[Tag, ...]:
        table = next((tag for tag in tags if tag.name == "NoteTable"), None)
        if table is None:
            return (
                (*tags, Tag("NoteTable", "Id;Text", rows=tuple(self.rows)))
                if self.rows
                else tuple(tags)
            )
        return tuple(replace(tag, rows=tuple(self.rows)) if tag is table else tag for tag in tags)


Cell = tuple[str, int]
"""A call or card with its annotations, and its line."""


def _table(
    tag: Tag, seats: tuple[str, ...], report: Report | None, rows: Sequence[Sequence[Cell]]
) -> Tag:
    first = tag.value.strip().upper()
    if first not in seats:
        if report is not None:
            message = f"{tag.name}: {tag.value!r} is not a seat of this table"
            report.add(Rule.SEAT, tag.value_spot, message)
        first = seats[0]
    at = seats.index(first)
    columns = seats[at:] + seats[:at]
    return replace(
        tag,
        name=_TABLE_OF[tag.name],
        value=";".join(columns),
        rows=tuple(tuple(text for text, _ in row) for row in rows),
        row_lines=tuple(row[0][1] for row in rows),
        remarks=tag.remarks + tuple(_moved(tag)),
        insets=(),
    )


def is_whole(document: Document) -> bool:
    """Whether a document says that its hand was played to the end."""
    return (document.value("Termination") or "").strip().lower() == "normal"


def rows_of(
    tag: Tag,
    wide: int,
    *,
    whole: bool,
    numbers: Mapping[str, str] = _AS_WRITTEN,
) -> list[list[Cell]]:
    """The rows of a section, one cell for each seat.

    Where the lines of a play are its rows, one that is too short or too long stays so: a slip
    must not push the cards of all later tricks to other seats. The last row may be short unless
    the hand is ``whole``.
    """
    cells = list(_cells(tag, numbers))
    if tag.name == "Auction":
        cells = _all_pass(cells, wide)
    else:
        rows = _by_line(cells, wide)
        ended = not whole or not _END_MARKS.isdisjoint(word for word, _ in _words(tag))
        odd = [len(row) != wide for row in rows]
        if ended and rows:
            odd[-1] = len(rows[-1]) > wide
        if 0 < sum(odd) < len(rows) / 2:
            missing = 0 if odd[-1] else wide - len(rows[-1])
            return [*rows[:-1], rows[-1] + [("-", rows[-1][-1][1])] * missing]
    cells += [("-", cells[-1][1] if cells else 0)] * (-len(cells) % wide)
    return [cells[at : at + wide] for at in range(0, len(cells), wide)]


def _by_line(cells: list[Cell], wide: int) -> list[list[Cell]]:
    """The cells line by line; a row may be broken between lines."""
    rows: list[list[Cell]] = []
    for _, line in groupby(cells, itemgetter(1)):
        row = list(line)
        if rows and len(rows[-1]) + len(row) <= wide:
            rows[-1] += row
        else:
            rows.append(row)
    return rows


def _moved(tag: Tag) -> Iterator[Comment | Escape]:
    """The remarks of a section on their way to its tag, each with the word it was said of."""
    what = "call" if tag.name == "Auction" else "card"
    said, number, at = "", 0, 0
    words = [word for row in tag.rows for word in row]
    before = list(accumulate(map(len, tag.rows), initial=0))
    for inset in tag.insets:
        while at < min(before[inset.row] + inset.cell, len(words)):
            word, at = words[at], at + 1
            if not (is_annotation(word) or word.upper() in _MARKS):
                said, number = word, number + 1
        remark = inset.remark
        if isinstance(remark, Comment) and number:
            remark = replace(remark, text=said_of(f"{what} {number}, {said}", remark.text))
        yield remark


def _cells(tag: Tag, numbers: Mapping[str, str]) -> Iterator[Cell]:
    """The calls or cards of a section with their annotations, and their lines."""
    cell, mark, at = "", "", 0
    for word, line in _words(tag):
        if word in ("*", "+"):
            break
        if word.upper() in _MARKS:
            mark = word.upper()
        elif is_annotation(word):
            cell += _annotation(word, tag.name, numbers)
        else:
            if cell:
                yield cell, at
            cell, mark, at = mark + _renumber(word, numbers), "", line
    if cell:
        yield cell, at


def _words(tag: Tag) -> Iterator[tuple[str, int]]:
    lines = tag.row_lines or (0,) * len(tag.rows)
    for row, line in zip(tag.rows, lines, strict=True):
        for word in row:
            yield word, line


def is_annotation(word: str) -> bool:
    """Whether a word of a section hangs on the call or card before it."""
    return word[:1] in ("=", "$", "!") or word in _SUFFIXES[1:]


def _annotation(word: str, section: str, numbers: Mapping[str, str]) -> str:
    if word in _SUFFIXES:
        return f"${_FIRST_NAG[section] + _SUFFIXES.index(word)}"
    return _renumber(word, numbers)


def _renumber(word: str, numbers: Mapping[str, str]) -> str:
    cell, equals, rest = word.partition("=")
    number, closing, more = rest.partition("=")
    if not (equals and closing):
        return word
    return f"{cell}={numbers.get(number, number)}={more}"


def _all_pass(cells: list[Cell], players: int) -> list[Cell]:
    """The calls with AP written out: everybody still to call passes."""
    for at, (text, line) in enumerate(cells):
        if text.upper() == "AP":
            return cells[:at] + [("Pass", line)] * max(players - at, 1)
    return cells
