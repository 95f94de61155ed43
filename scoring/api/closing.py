"""The end of a game: closed, opened again, official."""

from typing import TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.api.places import GameViewSetBase, LongReasonSerializer
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.ledger.payouts import GamePayout
from scoring.models import Game
from scoring.presentation.answers import GameAnswer, game_answer, seats_of
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import BooleanField, CharField, StrictSerializer
from tournaments.api.views import ApiRequest
from tournaments.models import AuditEntry
from tournaments.models.limits import max_length


@example({"reason": "The bar closes."})
class GameClosingSerializer(StrictSerializer):
    """How a game is closed."""

    reason = CharField(
        required=False,
        max_length=max_length(AuditEntry, "why"),
        multiline=True,
        help_text="Needed where the rules do not end it.",
    )
    leave_out = BooleanField(required=False, help_text="Hands that are still open are void.")


class OutcomeOut(TypedDict):
    """The money of a game in minor units, by seat and to the club; together the whole pool."""

    pool: int
    amounts: dict[str, int]
    fund: int
    jackpot: int


class ClosedGame(TypedDict):
    """A closed game, its money, and the hands that were left out."""

    game: GameAnswer
    outcome: OutcomeOut
    left_out: list[int]


class GameEndViewSet(GameViewSetBase):
    """The end of a game."""

    inputs = {"closing": GameClosingSerializer, "reopening": LongReasonSerializer}
    outputs = {"closing": ClosedGame, "reopening": GameAnswer, "official": GameAnswer}
    rights = {
        "closing": Right.GAMES_OPEN,
        "reopening": Right.GAMES_OPEN,
        "official": Right.GAMES_OPEN,
    }

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def closing(self, request: ApiRequest, game_id: UUID) -> Response:
        """Close a game: the chips go back, the pool to whom it belongs."""
        closed = closing.close_game(
            game_id=game_id,
            closing=Closing(version=request.if_match, **self.validated_data),
            by=request.by,
            at=request.at,
        )
        data: ClosedGame = {
            "game": game_answer(closed.game, queries.sittings(closed.game)),
            "outcome": outcome_out(closed.outcome, closed.game),
            "left_out": list(closed.left_out),
        }
        return self.answer_document(data, closed.game.version)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def reopening(self, request: ApiRequest, game_id: UUID) -> Response:
        """Open a game again; everything that its closing moved goes back."""
        game = closing.reopen_game(
            game_id=game_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer_game(game)

    @action(detail=True, methods=["post"])
    @idempotent
    def official(self, request: ApiRequest, game_id: UUID) -> Response:
        """Make the results of a game official, once its correction period is over."""
        game = closing.make_official(game_id=game_id, by=request.by, at=request.at)
        return self.answer_game(game)


def outcome_out(outcome: GamePayout, game: Game) -> OutcomeOut:
    """Return the money of a game as data."""
    return {
        "pool": outcome.pool,
        "amounts": dict(zip(seats_of(game), outcome.amounts, strict=True)),
        "fund": outcome.fund,
        "jackpot": outcome.jackpot,
    }
