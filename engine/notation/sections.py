"""The Auction and Play sections of PBN as tables of a Hearts record (notation.md 3.1).

Annotations that stand free in a section are glued to the cell that they belong to, suffixes
become NAGs, and the notes of both sections become rows of the NoteTable.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from operator import attrgetter
from typing import Final, NamedTuple

from ..core.cards import put_suit_first
from ..core.messages import Message
from ..core.seats import COMPASS, DEFAULT_SEATS, is_clockwise
from .diagnostics import DiagnosticCollector, NotationRule
from .document import Comment, Document, Escape, Row, Tag, quote, said_of
from .names import PLAYERS, SECTIONS
from .values import split_annotations

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


def as_tables(document: Document, report: DiagnosticCollector | None = None) -> Document:
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
            rows = rows_of(tag, len(seats), whole=whole, numbers=notes.new_numbers(tag.name))
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
    tags = (_without_end_mark(tag) if tag in marked else tag for tag in document.tags)
    return replace(document, tags=tuple(tags))


def _has_end_mark(tag: Tag) -> bool:
    return not all(map(_END_MARKS.isdisjoint, tag.rows))


def _without_end_mark(tag: Tag) -> Tag:
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

    def new_numbers(self, section: str) -> dict[str, str]:
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


class AnnotatedWord(NamedTuple):
    """A call or card with its annotations; in which row, and which word of it, it was written."""

    text: str
    row: int
    word: int = 0


def _table(
    tag: Tag,
    seats: tuple[str, ...],
    report: DiagnosticCollector | None,
    rows: Sequence[Sequence[AnnotatedWord]],
) -> Tag:
    first = tag.value.strip().upper()
    if first not in seats:
        if report is not None:
            message = Message(
                "{tag}: {value} is not a seat of this table", tag=tag.name, value=repr(tag.value)
            )
            report.add(NotationRule.SEAT, tag.value_spot, message)
        first = seats[0]
    at = seats.index(first)
    columns = seats[at:] + seats[:at]
    lines = tag.row_lines
    return replace(
        tag,
        name=_TABLE_OF[tag.name],
        value=";".join(columns),
        rows=tuple(tuple(cell.text for cell in row) for row in rows),
        row_lines=tuple(lines[row[0].row] for row in rows) if lines else (),
        cell_words=tuple(tuple((lines[cell.row], cell.word) for cell in row) for row in rows)
        if lines
        else (),
        remarks=tag.remarks + tuple(_move_remarks(tag)),
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
) -> list[list[AnnotatedWord]]:
    """The rows of a section, one cell for each seat, wherever its lines are broken.

    Where the lines of a play are its rows, and a card is missing in one or too many stand in it,
    that one stays so: a slip must not push the cards of all later tricks to other seats. The last
    row may be short unless the hand is ``whole``.
    """
    cells = list(_cells(tag, numbers))
    if tag.name == "Auction":
        return _chunks(_all_pass(cells, wide), wide)
    lines = _by_line(cells, wide)
    ended = not whole or not _END_MARKS.isdisjoint(word.text for word in _words(tag))
    odd = [line for line in lines if len(line) != wide]
    if ended and odd and odd[-1] is lines[-1] and len(odd[-1]) < wide:
        odd.pop()
    if 2 * len(odd) >= len(lines) or _make_whole_rows(odd, cells, wide):
        return _chunks(cells, wide)
    missing = max(wide - len(lines[-1]), 0) if lines[-1] not in odd else 0
    return [*lines[:-1], lines[-1] + [_fill(lines[-1])] * missing]


def _chunks(cells: list[AnnotatedWord], wide: int) -> list[list[AnnotatedWord]]:
    """The cells in rows, the last one filled up."""
    cells = cells + [_fill(cells)] * (-len(cells) % wide)
    return [cells[at : at + wide] for at in range(0, len(cells), wide)]


def _fill(cells: Sequence[AnnotatedWord]) -> AnnotatedWord:
    """A cell that says nothing, where these end."""
    return cells[-1]._replace(text="-") if cells else AnnotatedWord("-", 0)


def _by_line(cells: list[AnnotatedWord], wide: int) -> list[list[AnnotatedWord]]:
    """The cells line by line; a row may be broken between lines, and a line hold several rows."""
    rows: list[list[AnnotatedWord]] = []
    for _, line in groupby(cells, attrgetter("row")):
        row = list(line)
        if rows and len(rows[-1]) + len(row) <= wide:
            rows[-1] += row
        elif len(row) % wide == 0:
            rows += _chunks(row, wide)
        else:
            rows.append(row)
    return rows


def _make_whole_rows(
    odd: Sequence[list[AnnotatedWord]], cells: Sequence[AnnotatedWord], wide: int
) -> bool:
    """Whether lines that are no rows are only broken: no card is missing, and none is double."""
    cards = [card for cell in cells if (card := _card_of(cell.text)) not in ("-", "?")]
    fits = len(cells) % wide == 0 or sum(map(len, odd)) % wide == 0
    return fits and len(set(cards)) == len(cards)


def _card_of(text: str) -> str:
    return put_suit_first(split_annotations(text)[0])


def _move_remarks(tag: Tag) -> Iterator[Comment | Escape]:
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


def _cells(tag: Tag, numbers: Mapping[str, str]) -> Iterator[AnnotatedWord]:
    """The calls or cards of a section with their annotations.

    Annotations that stand before all of them hang on the first.
    """
    cell, mark, early = AnnotatedWord("", 0), "", ""
    word = cell
    for word in _words(tag):
        text = word.text
        if text in ("*", "+"):
            break
        if text.upper() in _MARKS:
            mark = text.upper()
        elif not is_annotation(text):
            if cell.text:
                yield cell
            cell = word._replace(text=mark + _renumber(text, numbers) + early)
            mark = early = ""
        elif cell.text:
            cell = cell._replace(text=cell.text + _annotation(text, tag.name, numbers))
        else:
            early += _annotation(text, tag.name, numbers)
    if cell.text or early:
        yield cell if cell.text else word._replace(text=early)


def _words(tag: Tag) -> Iterator[AnnotatedWord]:
    for at, row in enumerate(tag.rows):
        yield from (AnnotatedWord(text, at, place) for place, text in enumerate(row))


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


def _all_pass(cells: list[AnnotatedWord], players: int) -> list[AnnotatedWord]:
    """The calls with AP written out: everybody still to call passes."""
    for at, cell in enumerate(cells):
        if cell.text.upper() == "AP":
            return cells[:at] + [cell._replace(text="Pass")] * max(players - at, 1)
    return cells
