"""The line and columns at which a fault of the engine lies in the text (notation.md 3.5).

The engine knows which call, card or row is wrong; only the text knows its line and columns. They
are looked up when somebody asks, so that a record without faults pays nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Final

from ..core.cards import show
from ..core.faults import Fault, Part
from ..core.messages import Message
from ..core.seats import Seat
from .diagnostics import Diagnostic, DiagnosticCollector, Spot
from .document import Tag, cell_text
from .lexer import Lexer, TokenKind, cell_spans
from .names import PLAYERS
from .reader import RecordEntry
from .sections import is_annotation, is_whole, rows_of, seats_of
from .syntax import split_lines


def place(entry: RecordEntry, fault: Fault) -> Diagnostic:
    """The fault as a diagnostic with its line and columns in the file.

    A fault about something that is not written is placed where it should stand, at the latest
    at the first tag of the record.
    """
    places = entry.places
    if not isinstance(places, Places):
        entry.places = places = Places(entry)
    line, col, end, tag = places.spot(fault)
    where = (line, col, max(end, col + 1), entry.number, tag)
    hint = fault.hint or fault.code.details
    if fault.legal and not fault.hint:
        hint = Message("legal: {cards}", cards=show(fault.legal))
    return Diagnostic(fault.code.value, fault.severity, *where, fault.message, hint)


class Places:
    """The places of the parts of one entry; each line and section is looked through once."""

    def __init__(self, entry: RecordEntry) -> None:
        document = entry.document
        self.lines = split_lines(entry.text)
        self.first = entry.line
        self.tags = {tag.name: tag for tag in reversed(document.tags)}
        self.seats = entry.record.seats if entry.record else seats_of(document)
        self._columns: dict[str, dict[str, int]] = {}
        self._named: dict[tuple[str, str], dict[str, int]] = {}
        self._sections: dict[str, list[Spot]] = {}
        self._starts: list[int] | None = None
        self._whole = is_whole(document)
        self._cells: dict[int, list[tuple[int, int]]] = {}

    def spot(self, fault: Fault) -> Spot:
        """Return the place of a fault."""
        finder, names = _FINDERS[fault.part]
        found = finder(self, fault)
        return found or self.tag_spot(*names, "Variant", "Rules", "Board") or self._start()

    def _start(self) -> Spot:
        first = next(iter(self.tags.values()), None)
        return first.spot if first else Spot(self.first, 1, 2)

    def tag_spot(self, *names: str) -> Spot | None:
        """The value of the first of these tags that is written."""
        tag = next((self.tags[name] for name in names if name in self.tags), None)
        if tag is None or not tag.spot.line:
            return None
        spot = tag.value_spot
        return spot if spot.end > spot.col else tag.spot

    def cell(self, tag: Tag, row: int, at: int) -> Spot | None:
        """A cell of a table; the row when it is too short, None when there is no such row."""
        if not 0 <= row < len(tag.row_lines):
            return None
        spans = self._spans(tag.row_lines[row])
        if 0 <= at < len(spans):
            return Spot(tag.row_lines[row], *spans[at], tag.name)
        return self.row(tag, row)

    def row(self, tag: Tag, row: int) -> Spot | None:
        """A whole row of a table."""
        if not 0 <= row < len(tag.row_lines):
            return None
        spans = self._spans(tag.row_lines[row]) or [(1, 2)]
        return Spot(tag.row_lines[row], spans[0][0], spans[-1][1], tag.name)

    def column(self, tag: Tag, name: str) -> int:
        """The place of a column in a table, or -1."""
        if tag.name not in self._columns:
            self._columns[tag.name] = _firsts(tag.columns)
        return self._columns[tag.name].get(name, -1)

    def row_of(self, tag: Tag, column: str, seat: Seat | None) -> int:
        """The row that names a seat in a column, or -1."""
        at = self.column(tag, column)
        if seat is None or at < 0:
            return -1
        key = (tag.name, column)
        if key not in self._named:
            cells = (row[at] if len(row) > at else "" for row in tag.rows)
            self._named[key] = _firsts(cell_text(cell).upper() for cell in cells)
        return self._named[key].get(self.seats[seat], -1)

    def nth_word(self, tag: Tag, index: int) -> Spot | None:
        """The call or card of a section at a place, annotations not counted."""
        if tag.name not in self._sections:
            self._sections[tag.name] = [
                spot
                for word, spot in self._words(tag)
                if not is_annotation(word) and word[:1] != "^"
            ]
        words = self._sections[tag.name]
        return words[index] if 0 <= index < len(words) else None

    def nth_card(self, tag: Tag, index: int) -> Spot | None:
        """The card of a Play section at a place of its rows; the last of a row that is short."""
        wide = len(self.seats)
        if self._starts is None:
            rows = rows_of(tag, wide, whole=self._whole)
            self._starts = list(accumulate(map(len, rows), initial=0))
        row, at = divmod(index, wide)
        if not 0 <= row < len(self._starts) - 1:
            return None
        first, after = self._starts[row : row + 2]
        return self.nth_word(tag, min(first + at, after - 1))

    def _words(self, tag: Tag) -> Iterator[tuple[str, Spot]]:
        """The words of a section with their places; comments may stand between them."""
        if not tag.row_lines:
            return
        first = tag.row_lines[0]
        # A tag and its first row may stand on one line.
        skipped = tag.value_spot.end if tag.value_spot.line == first else 0
        lines = self.lines[first - self.first :]
        for token in Lexer(lines, first, DiagnosticCollector()).tokens():
            if token.line == first and token.col <= skipped:
                continue
            if token.kind in (TokenKind.OPEN, TokenKind.PAIR):
                return
            if token.kind is TokenKind.WORD:
                yield token.text, Spot(token.line, token.col, token.end, tag.name)
            elif token.kind is TokenKind.ROW:
                for col, end in cell_spans(token.text):
                    yield token.text[col - 1 : end - 1], Spot(token.line, col, end, tag.name)

    def _line(self, number: int) -> str:
        at = number - self.first
        return self.lines[at] if 0 <= at < len(self.lines) else ""

    def _spans(self, number: int) -> list[tuple[int, int]]:
        if number not in self._cells:
            self._cells[number] = cell_spans(self._line(number))
        return self._cells[number]


def _firsts(names: Iterable[str]) -> dict[str, int]:
    """Return the first place of each name."""
    places: dict[str, int] = {}
    for at, name in enumerate(names):
        places.setdefault(name, at)
    return places


def _nothing(_places: Places, _fault: Fault) -> Spot | None:
    return None


def _play(places: Places, fault: Fault) -> Spot | None:
    wide = len(places.seats)
    index = fault.index
    if index is None:
        index = (fault.trick - 1) * wide if fault.trick else None
    if index is None:
        return None
    if "PlayTable" in places.tags:
        table = places.tags["PlayTable"]
        if fault.index is None:
            return places.row(table, index // wide)
        return places.cell(table, index // wide, index % wide)
    section = places.tags.get("Play")
    return places.nth_card(section, index) if section else None


def _auction(places: Places, fault: Fault) -> Spot | None:
    wide = len(places.seats)
    if fault.index is None:
        return None
    table = places.tags.get("AuctionTable")
    if table is None:
        section = places.tags.get("Auction")
        return places.nth_word(section, fault.index) if section else None
    row, turn = divmod(fault.index, wide)
    columns = [column.upper() for column in table.columns]
    if columns and columns[0] in places.seats:
        first = places.seats.index(columns[0])
        name = places.seats[(first + turn) % wide]
        turn = columns.index(name) if name in columns else turn
    return places.cell(table, row, turn)


def _deal(places: Places, fault: Fault) -> Spot | None:
    table = places.tags.get("DealTable")
    if table is not None:
        row = places.row_of(table, "Seat", fault.seat)
        return places.row(table, row)
    tag = places.tags.get("Deal")
    if tag is None or fault.seat is None or ":" not in tag.value:
        return None
    first, _, rest = tag.value.partition(":")
    hands = rest.split()
    if first.strip().upper() not in places.seats or len(hands) != len(places.seats):
        return None
    turn = (fault.seat - places.seats.index(first.strip().upper())) % len(hands)
    at = len(first) + 1
    for hand in hands[: turn + 1]:
        at = tag.value.index(hand, at) + len(hand)
    spot = tag.value_spot
    return Spot(spot.line, spot.col + at - len(hands[turn]), spot.col + at, tag.name)


def _tag(places: Places, fault: Fault) -> Spot | None:
    return None if fault.column is None else places.tag_spot(fault.column)


def _name(places: Places, fault: Fault) -> Spot | None:
    if fault.seat is None or fault.seat >= len(places.seats):
        return None
    return places.tag_spot(PLAYERS[places.seats[fault.seat]])


def _papers(places: Places, fault: Fault) -> Spot | None:
    table = places.tags.get("InsuranceTable")
    seat = fault.seat if fault.seat is not None else fault.index
    if table is None or seat is None or seat >= len(places.seats):
        return None
    columns = [column.upper() for column in table.columns]
    name = places.seats[seat]
    return places.cell(table, 0, columns.index(name)) if name in columns else None


def _row_finder(name: str, seat_column: str) -> Callable[[Places, Fault], Spot | None]:
    """A finder for tables that are addressed by row, or by seat, and perhaps by column."""

    def find(places: Places, fault: Fault) -> Spot | None:
        table = places.tags.get(name)
        if table is None:
            return None
        row = fault.index
        if row is None:
            row = places.row_of(table, seat_column, fault.seat)
        if row < 0 and len(table.rows) == 1:
            row = 0
        at = -1 if fault.column is None else places.column(table, fault.column)
        return places.row(table, row) if at < 0 else places.cell(table, row, at)

    return find


_Finder = Callable[[Places, Fault], Spot | None]
_FINDERS: Final[Mapping[Part, tuple[_Finder, tuple[str, ...]]]] = {
    Part.HEADER: (_nothing, ("Variant", "Rules")),
    Part.NUMBER: (_nothing, ("Board",)),
    Part.NAMES: (_name, ()),
    Part.TAG: (_tag, ()),
    Part.DEALER: (_nothing, ("Dealer",)),
    Part.DEAL: (_deal, ("Deal", "DealTable", "PlayTable", "Play")),
    Part.STRIPPED: (_nothing, ("Stripped", "DealTable", "Deal")),
    Part.CENTRE: (_nothing, ("Centre",)),
    Part.PAPERS: (_papers, ("InsuranceTable",)),
    Part.EXCHANGE: (_row_finder("PassTable", "From"), ("PassTable", "Pass")),
    Part.BIDS: (_row_finder("CentreTable", "Seat"), ("CentreTable", "Centre")),
    Part.AUCTION: (_auction, ("AuctionTable", "Auction", "Declarer")),
    Part.NAMER: (_nothing, ("Declarer",)),
    Part.PAIN: (_nothing, ("PainSuit",)),
    Part.JACKPOT: (_nothing, ("Jackpot", "AuctionTable", "Auction")),
    Part.PLAY: (_play, ("PlayTable", "Play", "Termination")),
    Part.CLAIM: (_nothing, ("Claim", "Termination")),
    Part.CAPTURES: (_row_finder("CaptureTable", "Seat"), ("CaptureTable",)),
    Part.ENDING: (_nothing, ("Termination", "PlayTable", "Play")),
    Part.RULINGS: (_row_finder("RulingTable", "Seat"), ("RulingTable",)),
    Part.REBUYS: (_row_finder("RebuyTable", "Seat"), ("RebuyTable", "ScoreTable", "Termination")),
    Part.POT: (_row_finder("PotTable", ""), ("PotTable",)),
    Part.SCORES: (_row_finder("ScoreTable", "Seat"), ("ScoreTable",)),
    Part.TOTALS: (_row_finder("TotalScoreTable", "Seat"), ("TotalScoreTable",)),
}
