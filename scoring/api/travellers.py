"""Travellers: what every table of an event made of a board, seat by seat."""

from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from scoring.presentation.board_hands import BoardHand, find_board_hands
from tournaments.access.rights import Right
from tournaments.api.boards import BoardOut, boards_out
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.errors import NotThereError
from tournaments.events import boards
from tournaments.events.boards import BoardLine
from tournaments.models import Board
from tournaments.selectors import boards_over
from tournaments.standings.exact import data_of


class TravellerLine(TypedDict):
    """What one table made of a board; ``fits`` false: it played other cards.

    ``hand`` is the number of the hand in its game, ``hand_id`` what it is found by. ``namer`` is
    the entry who named ``suit``, for a ``bid`` where there is an auction; ``lead`` the card that
    was led first. They and ``taken`` are null where the record does not tell them, and for
    everybody but the director until the board is over at all tables.
    """

    table: int
    round: int
    game: UUID
    hand: int
    hand_id: UUID | None
    entry: UUID
    namer: UUID | None
    bid: int | None
    suit: str | None
    lead: str | None
    taken: int | None
    score: int
    fits: bool | None
    matchpoints: int | None
    top: int
    datum: str | None


class FrequencyOut(TypedDict):
    """How many tables had a score."""

    score: int
    tables: int


class TravellerSeat(TypedDict):
    """One seat, counted from the eldest hand, at all tables."""

    seat: int
    lines: list[TravellerLine]
    frequencies: list[FrequencyOut]


class TravellerOut(TypedDict):
    """Everything that was made of a board."""

    board: BoardOut
    mean: str
    seats: list[TravellerSeat]


class TravellerViewSet(EventViewSetBase):
    """What the tables made of a prepared deal."""

    queryset = Board.objects.all()
    lookup_url_kwarg = "number"
    lookup_value_converter = "int"
    outputs = {"retrieve": TravellerOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Show a board's traveller: what every table made of it, seat by seat."""
        board = Board.objects.filter(event=self.event, number=number).first()
        if board is None:
            raise NotThereError
        shown = boards_out(self.event, [board], request.rights)[0]
        found = boards.traveller(board)
        hands = find_board_hands(found.hands, number)
        is_told = Right.EVENTS_EDIT in request.rights or number in boards_over(self.event)
        seats: list[TravellerSeat] = [
            {
                "seat": seat,
                "lines": [
                    _line(line, hands.get((line.game, line.number)), is_told=is_told)
                    for line in lines
                ],
                "frequencies": [
                    {"score": score, "tables": tables} for score, tables in found.frequencies(seat)
                ],
            }
            for seat, lines in found.seats.items()
        ]
        traveller: TravellerOut = {"board": shown, "mean": str(found.mean), "seats": seats}
        return Response(traveller)


def _line(line: BoardLine, hand: BoardHand | None, *, is_told: bool) -> TravellerLine:
    return {
        "table": line.table,
        "round": line.round,
        "game": line.game,
        "hand": line.number,
        "hand_id": None if hand is None else hand.id,
        "entry": line.entry,
        "namer": line.namer if is_told else None,
        "bid": line.bid if is_told else None,
        "suit": line.pain or None if is_told else None,
        "lead": hand.lead if is_told and hand is not None else None,
        "taken": line.taken if is_told else None,
        "score": line.score,
        "fits": line.fits,
        "matchpoints": line.points,
        "top": line.top,
        "datum": None if line.datum is None else str(data_of(line.datum)),
    }
