"""Quick tables: the tables of a canonical record, cell by look-up."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from engine.cards import CARD_OF_NAME, RANKS, Card, CardSet, show
from engine.notation.document import is_table_name
from engine.notation.memo import Memo
from engine.notation.names import PLAYERS, TABLES
from engine.notation.values import Misread, read_cards
from engine.record import Captured, CentreBid, Paper, Passed, PotRow, ScoreRow
from engine.rules import Rules
from engine.seats import Seat, clockwise

_MOST_COLUMNS: Final = 16
_LONG: Final = 200


class Odd(Exception):  # noqa: N818 - no error: the record only asks for the complete way
    """Not a record for the quick way."""


def _ranks(text: str) -> int:
    places = [RANKS.index(rank) for rank in text if rank in RANKS]
    if len(places) != len(text) or any(high <= low for high, low in pairwise(places)):
        raise Odd
    return sum(1 << place for place in places)


def _card_set(text: str) -> CardSet:
    try:
        cards, twice = read_cards(text)
    except Misread:
        raise Odd from None
    if twice or show(cards) != text:
        raise Odd
    return cards


RANKS_HELD: Final = Memo(_ranks, 8192)
"""Thirteen bits for the ranks of a suit, written from the highest to the lowest."""
_CARD_SETS: Final = Memo(_card_set)
_INTS: Final = {str(number): number for number in range(-999, 10000)}
_CALLS: Final[dict[str, int | None]] = {
    **{str(chips): chips for chips in range(1, 1000)},
    "Pass": 0,
    "-": None,
}
_PAPERS: Final = {
    **{str(number): Paper(number) for number in range(7)},
    "F": Paper(None, foot=True),
    "-": Paper(None),
}
_CARD: Final = CARD_OF_NAME.__getitem__
_INT: Final = _INTS.__getitem__
_CARD_OR_NONE: Final[dict[str, Card | None]] = {**CARD_OF_NAME, "-": None}


class Found:
    """What the tables of a record say."""

    __slots__ = (
        "auction",
        "bids",
        "captures",
        "columns",
        "deal",
        "dealer",
        "exchange",
        "first_caller",
        "papers",
        "play",
        "pot",
        "scores",
        "setting",
    )

    def __init__(self, setting: "Setting", dealer: Seat) -> None:
        self.setting = setting
        self.dealer = dealer
        self.auction: tuple[int | None, ...] | None = None
        self.first_caller: Seat | None = None
        self.bids: tuple[CentreBid, ...] | None = None
        self.captures: tuple[Captured, ...] | None = None
        self.columns: tuple[Seat, ...] | None = None
        self.deal: tuple[CardSet, ...] | None = None
        self.exchange: tuple[Passed, ...] | None = None
        self.papers: tuple[Paper, ...] | None = None
        self.play: tuple[Card | None, ...] | None = None
        self.pot: PotRow | None = None
        self.scores: tuple[ScoreRow, ...] | None = None


class Setting:
    """A table of players with its rules, as many records in a row have them."""

    def __init__(self, seats: tuple[str, ...], rules: Rules, *, named: bool) -> None:
        self.seats = seats
        self.rules = rules
        self.named = named
        self.seat_of: Mapping[str, Seat] = {name: Seat(at) for at, name in enumerate(seats)}
        self.name_tags = tuple(PLAYERS[seat] for seat in seats)
        self._headers: Memo[str, Header] = Memo(self._header, 256)

    def read_tables(self, text: str, dealer: Seat) -> Found:
        """What the tables say. Raises Odd or KeyError for anything that is not canonical."""
        first, *pieces = text.split('"]\n')
        last = pieces.pop()
        if text[0] != "[" or last[-1] != "\n" or text.count('"') != 2 * len(pieces) + 2:
            raise Odd
        found = Found(self, dealer)
        headers, name, order = self._headers, first[1:], -1
        for piece in pieces:
            body, _, following = piece.rpartition("\n[")
            order = headers[name].read(found, body, order)
            name = following
        headers[name].read(found, last[:-1], order)
        return found

    def _header(self, text: str) -> "Header":
        name, _, value = text.partition(' "')
        columns = tuple(value.split(";"))
        odd = not is_table_name(name) or len(columns) > _MOST_COLUMNS or len(text) > _LONG
        if odd or name not in _READERS or len(set(columns)) != len(columns):
            raise Odd
        needed, _ = _READERS[name]
        if needed and columns != needed:
            raise Odd
        if name == "ScoreTable" and not _plain_scores(columns):
            raise Odd
        turn: tuple[Seat, ...] = ()
        if not needed and name != "ScoreTable":
            turn = tuple(self.seat_of[column] for column in columns)
            if len(turn) != len(self.seats):
                raise Odd
            if name == "AuctionTable" and list(turn) != clockwise(turn[0], len(turn)):
                raise Odd
        return Header(name, columns, turn)


def _plain_scores(columns: tuple[str, ...]) -> bool:
    others = columns[1:]
    return columns[0] == "Seat" and all(
        name.isascii() and name.isalpha() and not name.startswith("Seat") for name in others
    )


class Header:
    """The header of a table that has been looked at: how its rows are read."""

    __slots__ = ("_order", "_reader", "columns", "turn")

    def __init__(self, name: str, columns: tuple[str, ...], turn: tuple[Seat, ...]) -> None:
        self.columns = columns
        self.turn = turn
        self._order = TABLES.index(name)
        self._reader = _READERS[name][1]

    def read(self, found: Found, body: str, after: int) -> int:
        """Read the rows; the place of the table in the canonical order comes back."""
        if self._order <= after:
            raise Odd
        self._reader(found, self, body)
        return self._order


def _rows(body: str, columns: int) -> list[list[str]]:
    rows = [row.split(" ") for row in body.split("\n")]
    for row in rows:
        if len(row) != columns:
            raise Odd
    return rows


def _rows_by_seat(body: str, columns: int) -> list[list[str]]:
    rows = _rows(body, columns)
    if len({row[0] for row in rows}) != len(rows):
        raise Odd
    return rows


def _read_play(found: Found, header: Header, body: str) -> None:
    cells = body.split()
    wide = len(header.turn)
    rows, rest = divmod(len(cells), wide)
    # Every third character separates, and a line feed ends each row: nothing else can hide.
    if rest or (body + "\n")[2::3] != (" " * (wide - 1) + "\n") * rows:
        raise Odd
    found.play = tuple(map(_CARD, cells))
    if 3 * len(cells) != len(body) + 1:
        raise Odd
    found.columns = header.turn


def _read_auction(found: Found, header: Header, body: str) -> None:
    (row,) = _rows(body, len(header.turn))
    found.auction = tuple([_CALLS[cell] for cell in row])
    found.first_caller = header.turn[0]


def _read_scores(found: Found, header: Header, body: str) -> None:
    seat_of, columns = found.setting.seat_of, header.columns
    names = columns[1:]
    found.scores = tuple(
        [
            ScoreRow(seat_of[row[0]], dict(zip(names, map(_INT, row[1:]), strict=True)))
            for row in _rows_by_seat(body, len(columns))
        ]
    )


def _read_pot(found: Found, header: Header, body: str) -> None:
    (row,) = _rows(body, len(header.columns))
    found.pot = PotRow(*map(_INT, row))


def _read_deal(found: Found, header: Header, body: str) -> None:
    rows = _rows(body, len(header.columns))
    seats = found.setting.seats
    if [row[0] for row in rows] != [seats[seat] for seat in clockwise(found.dealer, len(seats))]:
        raise Odd
    held = {row[0]: _held(row) for row in rows}
    found.deal = tuple(held[seat] for seat in seats)


def _held(row: list[str]) -> CardSet:
    total = 0
    for ranks in row[1:]:
        if not ranks:
            raise Odd
        total = total << 13 | (0 if ranks == "-" else RANKS_HELD[ranks])
    return CardSet(total)


def _read_papers(found: Found, header: Header, body: str) -> None:
    (row,) = _rows(body, len(header.turn))
    papers = dict(zip(header.turn, row, strict=True))
    found.papers = tuple([_PAPERS[papers[seat]] for seat in sorted(papers)])


def _read_exchange(found: Found, header: Header, body: str) -> None:
    seat_of = found.setting.seat_of
    found.exchange = tuple(
        [
            Passed(seat_of[giver], seat_of[taker], _CARD_SETS[cards])
            for giver, taker, cards in _rows(body, len(header.columns))
        ]
    )


def _read_bids(found: Found, header: Header, body: str) -> None:
    seat_of, cards = found.setting.seat_of, _CARD_OR_NONE
    found.bids = tuple(
        [
            CentreBid(seat_of[seat], cards[card], _INTS[bid], cards[shown], cards[got], _INTS[pays])
            for seat, card, bid, shown, got, pays in _rows_by_seat(body, len(header.columns))
        ]
    )


def _read_captures(found: Found, header: Header, body: str) -> None:
    seat_of = found.setting.seat_of
    found.captures = tuple(
        [
            Captured(seat_of[seat], _CARD_SETS[cards])
            for seat, cards in _rows_by_seat(body, len(header.columns))
        ]
    )


_Reader = Callable[[Found, Header, str], None]
_READERS: Final[Mapping[str, tuple[tuple[str, ...], _Reader]]] = {
    "DealTable": (("Seat", "S", "H", "D", "C"), _read_deal),
    "InsuranceTable": ((), _read_papers),
    "PassTable": (("From", "To", "Cards"), _read_exchange),
    "CentreTable": (("Seat", "Card", "Bid", "Shown", "Got", "Pays"), _read_bids),
    "AuctionTable": ((), _read_auction),
    "PlayTable": ((), _read_play),
    "CaptureTable": (("Seat", "Cards"), _read_captures),
    "PotTable": (("Before", "Bid", "Paid", "Won", "After"), _read_pot),
    "ScoreTable": ((), _read_scores),
}
"""The tables read this way: their columns, where these do not depend on the table, and how."""
