"""The meaning of the rows of each table (notation.md 3.3)."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..core.cards import CARD_OF_NAME, EMPTY, Card, CardSet
from ..core.chips import Rebuy, RebuyTime
from ..core.messages import Message
from ..core.seats import Seat, clockwise
from ..record.record import (
    CapturedCards,
    CentreBid,
    Paper,
    PassedCards,
    PotRow,
    RulingRow,
    ScoreRow,
    TotalRow,
)
from .diagnostics import NotationRule
from .document import Row
from .names import is_name
from .sheet import NOTHING, DocumentReader, NotedRow, NotedTable
from .values import (
    WordError,
    read_amount,
    read_call,
    read_card,
    read_int,
    read_playcell,
)


class WrittenPlay(NamedTuple):
    """The written play."""

    columns: tuple[Seat, ...] | None = None
    cards: tuple[Card | None, ...] | None = None
    marks: Mapping[int, str] = {}


_SUITS: Final = ("S", "H", "D", "C")
_TEXT_COLUMNS: Final = ("Seat", "X_")


def _by_seat(table: NotedTable) -> Iterator[tuple[Seat, NotedRow]]:
    """The rows that name a seat; a seat that has a row already is reported."""
    seen: set[Seat] = set()
    for line in table.lines():
        seat = line.seat()
        if seat in seen:
            message = Message(
                "{table}: {seat} has a row already", table=table.tag.name, seat=line.text("Seat")
            )
            hint = Message("write one row for each seat")
            table.sheet.report.add(NotationRule.SEAT, line.spot("Seat"), message, hint=hint)
        elif seat is not None:
            seen.add(seat)
            yield seat, line


def read_deal_table(sheet: DocumentReader) -> tuple[CardSet, ...] | None:
    """The holdings by seat."""
    table = sheet.table("DealTable", "Seat", *_SUITS)
    if table is None:
        return None
    holdings = [EMPTY] * len(sheet.seats)
    for seat, line in _by_seat(table):
        held = [_suit_cards(line, letter) for letter in _SUITS]
        holdings[seat] = CardSet(held[0] | held[1] | held[2] | held[3])
    return tuple(holdings)


def _suit_cards(line: NotedRow, letter: str) -> CardSet:
    sheet = line.table.sheet

    def read(text: str) -> CardSet:
        return sheet.cards(letter + text, line.spot(letter))

    return line.read(letter, read) or EMPTY


def seat_columns(sheet: DocumentReader, table: NotedTable) -> tuple[Seat, ...] | None:
    """The seats that a table's columns name, each once; None when they do not."""
    try:
        seats = tuple(sheet.seat(column) for column in table.columns)
    except WordError as error:
        sheet.report_word_error(table.tag.value_spot, error, table.tag.value)
        return None
    if len(set(seats)) != len(sheet.seats) or len(seats) != len(sheet.seats):
        message = Message(
            "the columns of {table} are not the {count} seats",
            table=table.tag.name,
            count=len(sheet.seats),
        )
        hint = Message("write {columns}, in turn", columns=";".join(sheet.seats))
        sheet.report.add(NotationRule.SEAT, table.tag.value_spot, message, hint=hint)
        return None
    return seats


def read_papers(sheet: DocumentReader) -> tuple[Paper, ...] | None:
    """The insurance papers by seat."""
    table = sheet.table("InsuranceTable")
    columns = seat_columns(sheet, table) if table else None
    if table is None or columns is None:
        return None
    papers = [Paper(None)] * len(sheet.seats)
    line = table.only_line()
    if line is None:
        return None
    for seat, column in zip(columns, table.columns, strict=True):
        papers[seat] = line.read(column, read_paper) or Paper(None)
    return tuple(papers)


def read_paper(text: str) -> Paper:
    """A paper: a number, F for a foot, or both."""
    foot = text[:1] in ("F", "f")
    number = text[1:] if foot else text
    return Paper(read_int(number) if number else None, foot)


def read_exchange(sheet: DocumentReader) -> tuple[PassedCards, ...] | None:
    """The cards passed."""
    table = sheet.table("PassTable", "From", "To", "Cards")
    if table is None:
        return None
    rows = ((line.seat("From"), line.seat("To"), line.cards("Cards")) for line in table.lines())
    return tuple(
        PassedCards(giver, taker, cards)
        for giver, taker, cards in rows
        if giver is not None and taker is not None
    )


def read_bids(sheet: DocumentReader) -> tuple[CentreBid, ...] | None:
    """The papers of the centre auction."""
    table = sheet.table("CentreTable", "Seat", "Card", "Bid", "Shown")
    if table is None:
        return None
    return tuple(_bid(seat, line) for seat, line in _by_seat(table))


def _bid(seat: Seat, line: NotedRow) -> CentreBid:
    bid = line.read("Bid", read_int) or 0
    card, shown = line.read("Card", read_card), line.read("Shown", read_card)
    got, pays = line.read("Got", read_card), line.read("Pays", read_int)
    return CentreBid(seat, card, bid, shown, got, pays)


class Calls(NamedTuple):
    """The written auction: its calls in turn from the first caller."""

    calls: tuple[int | None, ...] | None = None
    first: Seat | None = None


def read_auction(sheet: DocumentReader) -> Calls:
    """The calls in turn order; columns 1 to n do not say who called first."""
    table = sheet.table("AuctionTable")
    if table is None:
        return Calls()
    if table.columns == _numbered(sheet):
        rows = [[line.read(name, read_call) for name in table.columns] for line in table.lines()]
        return Calls(tuple(call for row in rows for call in row))
    columns = seat_columns(sheet, table)
    if columns is None:
        return Calls()
    first = columns[0]
    turn = clockwise(first, len(columns))
    if list(columns) != turn:
        names = ";".join(sheet.seats[seat] for seat in turn)
        message = Message("the columns of AuctionTable are not in turn order")
        hint = Message("write {text}", text=names)
        sheet.report.add(NotationRule.SEAT, table.tag.value_spot, message, hint=hint)
    calls: list[int | None] = []
    for line in table.lines():
        said = {
            seat: line.read(column, read_call)
            for seat, column in zip(columns, table.columns, strict=True)
        }
        calls.extend(said[seat] for seat in turn)
    return Calls(tuple(calls), first)


def _numbered(sheet: DocumentReader) -> tuple[str, ...]:
    """Columns that name no seats: each row is in order of play, or of the calls."""
    return tuple(str(place + 1) for place in range(len(sheet.seats)))


def read_play(sheet: DocumentReader, dealt: tuple[CardSet, ...] | None = None) -> WrittenPlay:
    """The cards as written, with the seats of the columns and the marks.

    In a row that does not fit its columns a card stands where it was ``dealt``, unless the text
    breaks off there.
    """
    table = sheet.table("PlayTable")
    if table is None:
        return WrittenPlay()
    columns = None
    if table.columns != _numbered(sheet):
        columns = seat_columns(sheet, table)
        if columns is None:
            return WrittenPlay()
        turn = clockwise(columns[0], len(columns))
        if list(columns) != turn:
            hint = Message("write {text}", text=";".join(sheet.seats[seat] for seat in turn))
            message = Message("PlayTable: the columns are not clockwise from the leader")
            sheet.report.add(NotationRule.SEAT, table.tag.value_spot, message, hint=hint)
    cards: list[Card | None] = []
    marks: dict[int, str] = {}
    broken_off = len(table.tag.rows) - 1 if table.tag is sheet.document.tags[-1] else -1
    for line in table.lines():
        row = table.tag.rows[line.index]
        if len(row) != len(table.columns) and line.index != broken_off:
            row = _fit_row(row, len(table.columns), columns, dealt)
        _play_row(sheet, table, line.index, row, (cards, marks))
    return WrittenPlay(columns, tuple(cards), marks)


def _fit_row(
    row: Row, wide: int, columns: tuple[Seat, ...] | None, dealt: tuple[CardSet, ...] | None
) -> Row:
    """A row that does not fit its columns, as it was probably meant.

    Of a cell that is written twice in a row one counts; what is missing is where no card of the
    row was dealt. Where nobody knows the deal, nobody knows who played these cards.
    """
    if len(row) > wide:
        once = tuple(cell for cell, before in zip(row, ("", *row), strict=False) if cell != before)
        return once if len(once) == wide else row
    if columns is None:
        return row
    if dealt is None:
        return ()
    cards = [CARD_OF_NAME.get(cell) for cell in row]
    places = [
        place
        for card in cards
        for place, seat in enumerate(columns)
        if card is not None and dealt[seat] >> card & 1
    ]
    if len(places) != len(row) or sorted(set(places)) != places:
        return row
    found = dict(zip(places, row, strict=True))
    return tuple(found.get(place, "-") for place in range(wide))


def _play_row(
    sheet: DocumentReader,
    table: NotedTable,
    index: int,
    row: Row,
    into: tuple[list[Card | None], dict[int, str]],
) -> None:
    cards, marks = into
    wide = len(table.columns)
    for place in range(wide):
        text = row[place] if place < len(row) else "-"
        card = CARD_OF_NAME.get(text)
        if card is not None:
            cards.append(card)
            continue
        try:
            cell = read_playcell(text)
        except WordError as error:
            sheet.report_word_error(sheet.cell_spot(table.tag, index, place), error, text)
            cards.append(None)
            continue
        if cell.mark:
            marks[len(cards)] = cell.mark
        cards.append(cell.card)


def read_captures(sheet: DocumentReader) -> tuple[CapturedCards, ...] | None:
    """Read each seat's captures."""
    table = sheet.table("CaptureTable", "Seat", "Cards")
    if table is None:
        return None
    return tuple(
        CapturedCards(seat, line.cards("Cards"), line.read("Tricks", read_int))
        for seat, line in _by_seat(table)
    )


def read_rulings(sheet: DocumentReader) -> tuple[RulingRow, ...]:
    """The irregularities and what they cost."""
    table = sheet.table("RulingTable", "Code", "Points")
    if table is None:
        return ()
    return tuple(
        RulingRow(
            line.read("Trick", read_int),
            line.read("Seat", sheet.seat),
            line.text("Code"),
            line.read("Points", read_int) or 0,
            line.text("Text"),
        )
        for line in table.lines()
    )


def read_rebuys(sheet: DocumentReader) -> tuple[Rebuy, ...]:
    """The decisions who buys chips again."""
    table = sheet.table("RebuyTable", "Seat", "When", "Stacks")
    if table is None:
        return ()
    read = (
        (line.seat("Seat"), line.read("When", _rebuy_time), line.read("Stacks", _stacks))
        for line in table.lines()
    )
    return tuple(
        Rebuy(seat, when, stacks)
        for seat, when, stacks in read
        if seat is not None and when is not None and stacks is not None
    )


def _rebuy_time(text: str) -> RebuyTime:
    try:
        return RebuyTime(text.lower())
    except ValueError:
        words = Message(
            "{text} is not a time at which chips are bought again", text=repr(text[:20])
        )
        raise WordError(NotationRule.TERMINATION, words, Message("write short or empty")) from None


def _stacks(text: str) -> int:
    stacks = read_int(text)
    if stacks < 0:
        words = Message("{text} is not a number of stacks", text=repr(text[:20]))
        raise WordError(NotationRule.NUMBER, words, Message("write 0 or more"))
    return stacks


def read_pot(sheet: DocumentReader) -> PotRow | None:
    """The written pot."""
    columns = ("Before", "Bid", "Paid", "Won", "After")
    table = sheet.table("PotTable", *columns)
    line = table.only_line() if table else None
    if line is None:
        return None
    amounts = [line.read(column, read_int) for column in columns]
    before, bid, paid, won, after = (amount or 0 for amount in amounts)
    return PotRow(before, bid, paid, won, after)


def read_scores(sheet: DocumentReader) -> tuple[ScoreRow, ...] | None:
    """The written scores: every column of whole numbers that has a name."""
    table = sheet.table("ScoreTable", "Seat")
    if table is None:
        return None
    columns = [
        name for name in table.columns if is_name(name) and not name.startswith(_TEXT_COLUMNS)
    ]
    rows: list[ScoreRow] = []
    for seat, line in _by_seat(table):
        read = ((name, line.read(name, read_int)) for name in columns)
        rows.append(ScoreRow(seat, {name: amount for name, amount in read if amount is not None}))
    return tuple(rows)


def read_totals(sheet: DocumentReader) -> tuple[TotalRow, ...] | None:
    """The result of a whole game."""
    table = sheet.table("TotalScoreTable", "Seat")
    if table is None:
        return None
    return tuple(_total(seat, line) for seat, line in _by_seat(table))


def _total(seat: Seat, line: NotedRow) -> TotalRow:
    rank, name = line.text("Rank"), line.text("Names")
    return TotalRow(
        seat,
        "" if rank in NOTHING else rank,
        "" if name in NOTHING else name,
        line.read("TotalScore", read_int),
        line.read("Average", read_amount),
        line.read("Settlement", read_amount),
        line.read("Cash", read_amount),
    )
