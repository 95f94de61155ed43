"""The tables of a canonical record, read by look-up."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from ...core.chips import Rebuy, RebuyTime
from ...core.seats import Seat, clockwise
from ...core.values import maker
from ...record.raw_hand import RawHand
from ...record.record import CapturedCards, CentreBid, PassedCards, RulingRow
from ...rules.rules import Rules
from ..document import is_table_name
from ..memo import Memo
from ..names import PLAYERS, SCORE_COLUMNS, TABLES
from .cells import (
    CALLS,
    CARD_OR_NONE,
    CARD_SETS,
    CELLS,
    INTS,
    PAPERS,
    RANKS_SHOWN,
    TOKEN,
    NotFastError,
    read_together,
)

_COLUMNS_MAX: Final = 16
_LONG: Final = 200
_LONG_ROW: Final = 80
_ROWS_MAX: Final = 64
_CARDS_MAX: Final = 64


_INT: Final = INTS.__getitem__
_passed: Final = maker(PassedCards)
_centre_bid: Final = maker(CentreBid)


class FastHand(RawHand):
    """A raw hand under construction, with the table and rules it is read for."""

    def __init__(self, setting: "FastTable", dealer: Seat | None) -> None:
        self.setting = setting
        self.seats = setting.seats
        self.dealer = dealer


class FastTable:
    """The seats and rules shared by consecutive records, with their parsed table headers."""

    def __init__(self, seats: tuple[str, ...], rules: Rules, *, named: bool) -> None:
        self.seats = seats
        self.rules = rules
        self.named = named
        self.seat_of: Mapping[str, Seat] = {name: Seat(at) for at, name in enumerate(seats)}
        self.turn = tuple(self.seat_of.values())
        self.row_starts = list(seats[:1]) + [f"\n{name}" for name in seats[1:]]
        """The first cells of a table with a row for each seat in turn, with what is before them."""
        self.name_tags = tuple(PLAYERS[seat] for seat in seats)
        self._headers: Memo[str, Header] = Memo(self._header, 256)

    def read_tables(self, text: str, hand: FastHand) -> None:
        """Read the tables into ``hand``. Raises NotFastError or KeyError if not canonical."""
        if not text:
            return
        if text[0] != "[" or text[-1] != "\n":
            raise NotFastError
        headers, before = self._headers, -1
        for table in text[1:-1].split("\n["):
            line, _, body = table.partition("\n")
            header = headers[line]
            if header.order <= before:
                raise NotFastError
            before = header.order
            header.reader(hand, header, body)

    def _header(self, text: str) -> "Header":
        name, _, value = text.partition(' "')
        value = value.removesuffix('"]')
        columns = tuple(value.split(";"))
        odd = not is_table_name(name) or len(columns) > _COLUMNS_MAX or len(text) > _LONG
        if odd or f'{name} "{value}"]' != text or len(set(columns)) != len(columns):
            raise NotFastError
        allowed, reader = _READERS[name]
        if name == "ScoreTable":
            _check_scores(columns)
        elif allowed and columns not in allowed:
            raise NotFastError
        return Header(name, columns, reader, () if allowed else self._turn(name, columns))

    def _turn(self, name: str, columns: tuple[str, ...]) -> tuple[Seat, ...]:
        """Return the seats of the columns; empty if the play is written in playing order."""
        if name == "PlayTable" and columns == tuple(map(str, range(1, len(self.seats) + 1))):
            return ()
        turn = tuple(self.seat_of[column] for column in columns)
        if len(turn) != len(self.seats):
            raise NotFastError
        if name in ("AuctionTable", "PlayTable") and list(turn) != clockwise(turn[0], len(turn)):
            raise NotFastError
        return turn


def _check_scores(columns: tuple[str, ...]) -> None:
    if columns[0] != "Seat" or not SCORE_COLUMNS.issuperset(columns):
        raise NotFastError


class Header:
    """A checked table header: its columns and the function that reads its rows."""

    __slots__ = ("columns", "names", "order", "reader", "turn", "wide")

    def __init__(
        self, name: str, columns: tuple[str, ...], reader: "_Reader", turn: tuple[Seat, ...]
    ) -> None:
        self.columns = columns
        self.names = columns[1:]
        self.wide = len(columns)
        self.turn = turn
        self.order = TABLES.index(name)
        self.reader = reader


# Rows


def _rows(body: str, columns: int) -> list[list[str]]:
    rows = [row.split(" ") for row in body.split("\n")]
    for row in rows:
        if len(row) != columns:
            raise NotFastError
    if len(rows) > _ROWS_MAX:
        raise NotFastError
    return rows


def _only_row(body: str, columns: int) -> list[str]:
    row = body.split(" ")
    if len(row) != columns or "\n" in body:
        raise NotFastError
    return row


def _rows_by_seat(body: str, columns: int) -> list[list[str]]:
    rows = _rows(body, columns)
    if len({row[0] for row in rows}) != len(rows):
        raise NotFastError
    return rows


_CELL: Final = re.compile(r'"[^"]*"|[^" ]+')


def _rows_with_texts(body: str, columns: int) -> list[list[str]]:
    """Split the rows of a table whose cells may be quoted strings."""
    rows: list[list[str]] = []
    for line in body.split("\n"):
        cells = _CELL.findall(line)
        long = len(line) > (_LONG if line.isascii() else _LONG_ROW)
        if len(cells) != columns or " ".join(cells) != line or long or not line.isprintable():
            raise NotFastError
        rows.append(cells)
    if len(rows) > _ROWS_MAX:
        raise NotFastError
    return rows


def table_in(text: str, name: str) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The columns and rows of a table in a record that was read fast; nothing if it is missing."""
    _before, found, rest = text.partition(f'\n[{name} "')
    if not found:
        return (), ()
    head, _, body = rest.partition("\n")
    body = body.partition("\n[")[0].removesuffix("\n")
    return head.removesuffix('"]').split(";"), [_CELL.findall(line) for line in body.split("\n")]


def _text(cell: str) -> str:
    """Return the text of a cell, a string or a token."""
    if cell[0] == '"':
        return cell[1:-1]
    if not TOKEN.issuperset(cell):
        raise NotFastError
    return cell


# Tables


def _read_play(hand: FastHand, header: Header, body: str) -> None:
    hand.columns = header.turn or None
    # Every third character separates, and a line feed ends each row: nothing else can hide.
    number, last = divmod(len(body) + 1, 3)
    rows, rest = divmod(number, header.wide)
    even = not last and not rest and number <= _CARDS_MAX
    if even and body[2::3] == _separators(rows, header.wide):
        hand.cards = read_together(body.encode("ascii"), number)
    if hand.cards is None:
        _read_marked_play(hand, header, body)


@lru_cache(maxsize=256)
def _separators(rows: int, wide: int) -> str:
    return ((" " * (wide - 1) + "\n") * rows)[:-1]


def _read_marked_play(hand: FastHand, header: Header, body: str) -> None:
    """The play with marks and notes at single cards."""
    cells = [CELLS[cell] for row in _rows(body, header.wide) for cell in row]
    hand.cells = tuple([card for card, _ in cells])
    hand.marks = {at: mark for at, (_, mark) in enumerate(cells) if mark}


def _read_auction(hand: FastHand, header: Header, body: str) -> None:
    hand.auction = tuple([CALLS[cell] for cell in _only_row(body, header.wide)])
    hand.first_caller = header.turn[0]


def _read_scores(hand: FastHand, header: Header, body: str) -> None:
    setting, wide, names = hand.setting, header.wide, header.names
    cells = body.replace("\n", " \n").split(" ")
    # A line feed before a cell makes it another one, so that rows can only end where they should.
    if not names or cells[::wide] != setting.row_starts:
        raise NotFastError
    del cells[::wide]
    if len(cells) != len(names) * len(setting.seats):
        raise NotFastError
    hand.score_columns, hand.score_seats = names, setting.turn
    hand.score_cells = itemgetter(*cells)(INTS)


def _read_pot(hand: FastHand, header: Header, body: str) -> None:
    hand.pot_cells = tuple(map(_INT, _only_row(body, header.wide)))


def _read_deal(hand: FastHand, header: Header, body: str) -> None:
    seats, dealer, ranks = hand.setting.seats, hand.dealer, RANKS_SHOWN
    rows = body.split("\n")
    if dealer is None or len(rows) != len(seats):
        raise NotFastError
    held: list[int] = []
    for name, row in zip(seats[dealer:] + seats[:dealer], rows, strict=True):
        seat, spades, hearts, diamonds, clubs = row.split(" ")
        if seat != name:
            raise NotFastError
        cards = ranks[spades] << 39 | ranks[hearts] << 26 | ranks[diamonds] << 13 | ranks[clubs]
        held.append(cards)
    first = len(seats) - dealer
    # As many as there are seats; a tuple of a list has no length in its type.
    hand.deal = tuple(held[first:] + held[:first])  # type: ignore[arg-type]


def _read_papers(hand: FastHand, header: Header, body: str) -> None:
    papers = [PAPERS[cell] for cell in _only_row(body, header.wide)]
    if header.turn != hand.setting.turn:
        papers = [papers[header.turn.index(seat)] for seat in hand.setting.turn]
    hand.papers = tuple(papers)


def _read_exchange(hand: FastHand, header: Header, body: str) -> None:
    seat_of, sets = hand.setting.seat_of, CARD_SETS
    passes: list[PassedCards] = []
    for row in body.split("\n"):
        giver, taker, cards = row.split(" ")
        passes.append(_passed(seat_of[giver], seat_of[taker], sets[cards]))
    if len(passes) > _ROWS_MAX:
        raise NotFastError
    hand.exchange = tuple(passes)


def _read_bids(hand: FastHand, header: Header, body: str) -> None:
    seat_of, cards, ints = hand.setting.seat_of, CARD_OR_NONE, INTS
    bids: list[CentreBid] = []
    for row in body.split("\n"):
        seat, card, bid, shown, got, pays = row.split(" ")
        number, paid = 0 if bid == "-" else ints[bid], None if pays == "-" else ints[pays]
        bids.append(_centre_bid(seat_of[seat], cards[card], number, cards[shown], cards[got], paid))
    if len({bid.seat for bid in bids}) != len(bids):
        raise NotFastError
    hand.bids = tuple(bids)


def _read_captures(hand: FastHand, header: Header, body: str) -> None:
    seat_of = hand.setting.seat_of
    counted = header.wide == 3
    hand.captures = tuple(
        [
            CapturedCards(seat_of[row[0]], CARD_SETS[row[-1]], INTS[row[1]] if counted else None)
            for row in _rows_by_seat(body, header.wide)
        ]
    )


def _read_rulings(hand: FastHand, header: Header, body: str) -> None:
    seat_of = hand.setting.seat_of
    hand.rulings = tuple(
        [
            RulingRow(
                None if trick == "-" else INTS[trick],
                None if seat == "-" else seat_of[seat],
                _text(code),
                INTS[points],
                _text(text),
            )
            for trick, seat, code, points, text in _rows_with_texts(body, header.wide)
        ]
    )


def _read_rebuys(hand: FastHand, header: Header, body: str) -> None:
    seat_of = hand.setting.seat_of
    rows = _rows(body, header.wide)
    hand.rebuys = tuple([Rebuy(seat_of[row[0]], RebuyTime(row[1]), INTS[row[2]]) for row in rows])
    if any(rebuy.stacks < 0 for rebuy in hand.rebuys):
        raise NotFastError


def _keep_rows(found: FastHand, header: Header, body: str) -> None:
    """Keep a club's facts beside the hand in the text; a hand record has no place for them."""
    for row in _rows_with_texts(body, header.wide):
        for cell in row:
            _text(cell)
    del found


def _check_notes(found: FastHand, header: Header, body: str) -> None:
    """Notes are kept in the text; a hand record has no place for them."""
    for number, text in _rows_with_texts(body, header.wide):
        if text[0] != '"' or INTS[number] < 1:
            raise NotFastError
    del found


_RULING: Final = (
    "Ruling", "Trick", "Card", "Law", "Facts", "At", "Number", "Supersedes", "Restores", "Record",
    "LetsStand", "Version",
)  # fmt: skip
_Reader = Callable[[FastHand, Header, str], None]
_READERS: Final[Mapping[str, tuple[tuple[tuple[str, ...], ...], _Reader]]] = {
    "DealTable": ((("Seat", "S", "H", "D", "C"),), _read_deal),
    "InsuranceTable": ((), _read_papers),
    "PassTable": ((("From", "To", "Cards"),), _read_exchange),
    "CentreTable": ((("Seat", "Card", "Bid", "Shown", "Got", "Pays"),), _read_bids),
    "AuctionTable": ((), _read_auction),
    "PlayTable": ((), _read_play),
    "CaptureTable": ((("Seat", "Cards"), ("Seat", "Tricks", "Cards")), _read_captures),
    "RulingTable": ((("Trick", "Seat", "Code", "Points", "Text"),), _read_rulings),
    "RebuyTable": ((("Seat", "When", "Stacks"),), _read_rebuys),
    "PotTable": ((("Before", "Bid", "Paid", "Won", "After"),), _read_pot),
    "ScoreTable": ((("Seat",),), _read_scores),
    "NoteTable": ((("Id", "Text"),), _check_notes),
    "SeatTable": ((("Seat", "Id", "Kind"),), _keep_rows),
    "DecisionTable": ((_RULING[:5], _RULING), _keep_rows),
    "SupersededTable": ((_RULING,), _keep_rows),
    "ConfirmationTable": ((("Seat", "Says", "Text"),), _keep_rows),
    "CarriedTable": ((("Seat", "Amount"),), _keep_rows),
}
"""The tables of a hand that are read fast: their columns, none for seats, and how."""
