"""Boards of an event: what every table made of one, and what counts where the cards were others."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.api.places import HandViewSetBase
from scoring.hands.board_verdicts import HandVerdict, decide_hand_board
from scoring.presentation.board_hands import BoardHand, find_board_hands
from tournaments.access.rights import Right
from tournaments.api.boards import BoardOut, boards_out
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, ChoiceField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.errors import NotThereError
from tournaments.events import boards
from tournaments.events.boards import BoardLine
from tournaments.models import Board, BoardDecision, BoardVerdict
from tournaments.models.limits import max_length
from tournaments.selectors import boards_over
from tournaments.standings.exact import data_of


class TravellerLine(TypedDict):
    """What one table made of a board; ``fits`` false: it played other cards.

    ``hand`` is the number of the hand in its game, ``hand_id`` what it is found by. ``namer`` is
    the entry who named ``suit``, for a ``bid`` where there is an auction; ``lead`` the card that
    was led first; ``worth`` is what the cards of the seat were worth against the average of the
    table, in thousandths of a chip or point, where all of them are on record. They and ``taken``
    are null where the record does not tell them, and for everybody but the director until the
    board is over at all tables.
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
    worth: int | None
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
        "worth": line.worth if is_told else None,
        "score": line.score,
        "fits": line.fits,
        "matchpoints": line.points,
        "top": line.top,
        "datum": None if line.datum is None else str(data_of(line.datum)),
    }


@example({"verdict": "other", "reason": "The boxes were mixed up."})
class BoardDecisionSerializer(StrictSerializer):
    """What a hand with other cards than its board counts for."""

    verdict = ChoiceField(
        choices=BoardVerdict.choices,
        help_text="Counts as the board whose cards they are (`other`), brings its players the"
        " assigned score (`fouled`), or the cards were entered wrongly (`written`).",
    )
    reason = CharField(
        required=False, allow_blank=True, max_length=max_length(BoardDecision, "reason")
    )


class BoardDecisionOut(TypedDict):
    """What was decided; ``other_board`` was turned by so many seats (``turn``)."""

    hand: UUID
    verdict: str
    other_board: int | None
    turn: int
    reason: str
    at: datetime


class BoardDecisionViewSet(HandViewSetBase):
    """The decision on a hand with other cards than its board."""

    inputs = {"decide": BoardDecisionSerializer}
    outputs = {"decide": BoardDecisionOut}
    rights = {"decide": Right.HANDS_RULE}

    @action(detail=True, methods=["post"], url_path="board-decision")
    @idempotent(if_match=True)
    def decide(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Decide what a hand with other cards than its board counts for.

        It takes the place of an earlier decision. A correction of the hand ends it.
        """
        sent = self.validated_data
        asked = HandVerdict(
            verdict=BoardVerdict(sent["verdict"]),
            reason=sent.get("reason", ""),
            revision=request.if_match,
        )
        row = decide_hand_board(hand_id=hand_id, asked=asked, by=request.by, at=request.at)
        data: BoardDecisionOut = {
            "hand": hand_id,
            "verdict": row.verdict,
            "other_board": row.other_board,
            "turn": row.turn,
            "reason": row.reason,
            "at": row.at,
        }
        return Response(data)
