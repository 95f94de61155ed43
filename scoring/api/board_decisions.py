"""What counts of a hand that was not played with the cards of its board (DEC-15)."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.api.places import HandViewSetBase
from scoring.hands.board_verdicts import HandVerdict, decide_hand_board
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, ChoiceField, StrictSerializer
from tournaments.api.views import ApiRequest
from tournaments.models import BoardDecision, BoardVerdict
from tournaments.models.limits import max_length


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
