"""Travellers as a page shows them: what every table made of a board, and each seat compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from engine.core.cards import SUIT_OF_LETTER, CardSet, suit_ranks
from engine.core.seats import DEFAULT_SEATS
from engine.games.board_states import dealer_of
from scoring.models import Hand
from scoring.presentation.board_hands import BoardHand, find_board_hands
from scoring.presentation.cards import SHOWN_SUITS, CardFace, one
from tournaments.core.deals import split_deal
from tournaments.events.boards import BoardLine, Traveller, traveller, with_deals
from tournaments.models import Board, Entry, Event, Result
from tournaments.people.display_names import distinct_names
from tournaments.reports.travellers import compared_columns
from tournaments.tables.model import Column
from tournaments.web.number_format import format_cell, format_number, format_worth
from tournaments.web.viewer import Viewer


def page_columns() -> tuple[Column[BoardLine], ...]:
    """The columns of a line that compare it with the other tables."""
    return compared_columns(lambda line: line)


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """A seat of a board: ``place`` counts from the eldest hand (0) to the dealer."""

    point: str
    role: str
    place: int


@dataclass(frozen=True, slots=True)
class SuitHolding:
    """The cards of one suit in a hand; ``ranks`` is empty for a void."""

    suit: str
    ranks: str


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A table's result of a board in one seat; ``is_best``: nobody had more matchpoints.

    ``worth`` of the cards is empty where not all of them are on record, or may be shown.
    """

    round: int
    table: int
    hand: UUID | None
    name: str
    score: str
    taken: int | None
    worth: str
    points: int | None
    compared: list[str]
    fits: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table's results of a board; ``seats`` clockwise, None where nobody sat there.

    ``can_replay``: the cards were those of the board, and are on record as they were played.
    ``bid``, ``suit``, ``lead`` and the names beside them are empty where they are not on record or
    not shown yet.
    """

    round: int
    table: int
    hand: UUID | None
    is_corrected: bool
    namer: str
    bid: int | None
    suit: str
    leader: str
    lead: CardFace | None
    can_replay: bool
    seats: list[tuple[BoardSeat, SeatRow | None]]


def seats_of_board(number: int, players: int) -> list[BoardSeat]:
    """Return the seats clockwise as the compass names them, for the dealer of this board."""
    points, dealer = DEFAULT_SEATS[players], dealer_of(number, players)
    found = []
    for seat, point in enumerate(points):
        place = (seat - dealer - 1) % players
        role = _("dealer") if seat == dealer else "" if place else _("eldest hand")
        found.append(BoardSeat(point, role, place))
    return found


def hands_dealt(board: Board, seats: list[BoardSeat]) -> list[tuple[BoardSeat, list[SuitHolding]]]:
    """Return the cards of a board seat by seat; none before they are known."""
    if not board.deal:
        return []
    held = split_deal(board.deal)
    return [(seat, _by_suit(held[seat.place])) for seat in seats]


def _by_suit(held: CardSet) -> list[SuitHolding]:
    return [
        SuitHolding(
            letter,
            " ".join(suit_ranks(held, SUIT_OF_LETTER[letter])).replace("T", "10"),
        )
        for letter in SHOWN_SUITS
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class TravellerPage:
    """The two ways in which a page shows a traveller: table by table, and seat by seat.

    ``mean`` is the mean score of all seats, "" before there is any.
    """

    board: Board
    mean: str
    has_rounds: bool
    seats: list[BoardSeat]
    tables: list[TableRow]
    sheets: list[tuple[BoardSeat, list[SeatRow], list[tuple[str, int]]]]

    def row_of(self, hand: UUID) -> TableRow | None:
        """Return what the table made of the board that played this hand with it."""
        return next((row for row in self.tables if row.hand == hand), None)


def find_board(event: Event, hand: Hand) -> Board | None:
    """Return the board of an event that a hand in the books was played with, with its deal.

    At most three queries; none where everybody plays cards of their own.
    """
    if not event.duplicate:
        return None
    numbers = Result.objects.filter(game=hand.game_id, number=hand.number).values("board")
    rows = Board.objects.filter(event=event, number__in=numbers)
    board = next(iter(with_deals(rows)), None)
    if board is not None:
        board.event = event
    return board


def read_traveller(board: Board, viewer: Viewer, *, shows_play: bool) -> TravellerPage:
    """Read what every table made of a board, with the names that the viewer may know.

    Without ``shows_play`` bids, suits, leads and captures stay out: others have still to play.
    Six queries, two more where a table tells the deal.
    """
    made = traveller(board)
    seats = seats_of_board(board.number, _count_players(board, made))
    hands = find_board_hands(made.hands, board.number)
    names = _names(board, viewer)
    lines = {
        (line.game, line.number, place): line
        for place, found in made.seats.items()
        for line in found
    }
    rows = {
        key: _seat_row(line, made.seats[key[2]], hands, names, shows_play=shows_play)
        for key, line in lines.items()
    }
    played = {(game, number): line for (game, number, _place), line in lines.items()}
    tables = [
        _table_row(
            line,
            hands.get(key),
            [(seat, rows.get((*key, seat.place))) for seat in seats],
            names,
            shows_play=shows_play,
        )
        for key, line in played.items()
    ]
    return TravellerPage(
        board=board,
        mean=format_number(str(made.mean)) if made.hands else "",
        has_rounds=len({line.round for line in played.values()}) > 1,
        seats=seats,
        tables=sorted(tables, key=lambda row: (row.round, row.table)),
        sheets=[
            (
                seat,
                [rows[line.game, line.number, seat.place] for line in made.seats[seat.place]],
                [
                    (format_number(score, signed=True), tables)
                    for score, tables in made.frequencies(seat.place)
                ],
            )
            for seat in seats
            if seat.place in made.seats
        ],
    )


def _count_players(board: Board, made: Traveller) -> int:
    if board.deal:
        return len(split_deal(board.deal))
    size: int = board.event.sizes[0]
    return max([size, *(place + 1 for place in made.seats)])


def _names(board: Board, viewer: Viewer) -> dict[UUID, str]:
    """The names of all entries of the board's event. Three queries."""
    players = dict(Entry.objects.filter(event=board.event_id).values_list("pk", "player_id"))
    names = distinct_names(viewer.club, list(players.values()), in_full=viewer.in_full)
    return {entry: names.get(str(player), "") for entry, player in players.items()}


def _seat_row(
    line: BoardLine,
    compared: list[BoardLine],
    hands: Mapping[tuple[UUID, int], BoardHand],
    names: Mapping[UUID, str],
    *,
    shows_play: bool,
) -> SeatRow:
    hand = hands.get((line.game, line.number))
    best = compared[0].points
    return SeatRow(
        round=line.round,
        table=line.table,
        hand=None if hand is None else hand.id,
        name=names.get(line.entry, ""),
        score=format_number(line.score, signed=True),
        taken=line.taken if shows_play else None,
        worth=format_worth(line.worth) if shows_play and line.worth is not None else "",
        points=line.points,
        compared=[format_cell(column, column.value(line)) for column in page_columns()[1:]],
        fits=line.fits is not False,
        is_best=bool(line.points) and line.points == best,
    )


def _table_row(
    line: BoardLine,
    hand: BoardHand | None,
    seats: list[tuple[BoardSeat, SeatRow | None]],
    names: Mapping[UUID, str],
    *,
    shows_play: bool,
) -> TableRow:
    """``line`` is that of any seat: all of a table tell the same bid and suit."""
    pain = line.pain if shows_play else ""
    played = hand if shows_play else None
    leader = None if played is None or played.leader is None else seats[played.leader][1]
    return TableRow(
        round=line.round,
        table=line.table,
        hand=None if hand is None else hand.id,
        is_corrected=hand is not None and hand.is_corrected,
        namer=names.get(line.namer, "") if shows_play and line.namer is not None else "",
        bid=line.bid if shows_play else None,
        suit=pain,
        leader="" if leader is None else leader.name,
        lead=None if played is None else one(played.lead),
        can_replay=played is not None and played.lead is not None and line.fits is not False,
        seats=seats,
    )
