"""Games: opened, looked at, changed, ended; who sits in them; what the books say."""

from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from scoring.api.places import GameViewSetBase, LongReasonSerializer, SeatField, find_seat
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.games.opening import NewGame, SeatChange, change_game, open_game, seat_player
from scoring.ledger.payouts import GamePayout
from scoring.ledger.transfers import CHIPS
from scoring.models import Game, Phase
from scoring.presentation.answers import (
    GameAnswer,
    TransferAnswer,
    game_answer,
    seats_of,
    transfer_answer,
)
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.filters import ChoiceFilter, FilterSet
from tournaments.api.idempotency import etag, idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    IntegerField,
    ListField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import AuditEntry
from tournaments.models.limits import max_length


class ListedGameSerializer(StrictModelSerializer):
    """A game in a list."""

    class Meta:
        model = Game
        fields = ["id", "name", "phase", "hands", "booked", "version"]


@example({"name": "Table 1"})
class GameSerializer(StrictSerializer):
    """What may be changed of a game."""

    name = CharField(max_length=max_length(Game, "name"))
    rule_set = UUIDField()


@example(
    {
        "name": "Table 1",
        "rule_set": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "players": [
            "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
            "0193f0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
            "0193f0a5-2b3c-7d4e-9f50-617283940a1b",
            "0193f0a5-3c4d-7e5f-8061-728394a5b6c7",
        ],
    }
)
class NewGameSerializer(GameSerializer):
    """A game that is opened."""

    players = ListField(
        child=UUIDField(), min_length=3, max_length=6, help_text="By seat, clockwise."
    )
    dealer = IntegerField(
        required=False, min_value=0, max_value=5, help_text="The place of the first dealer, from 0."
    )
    id = UUIDField(required=False)


@example(
    {
        "seat": "E",
        "player": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "first": 3,
        "why": "Ben had to leave.",
    }
)
class SeatChangeSerializer(StrictSerializer):
    """A substitute, and where they sit down."""

    seat = SeatField()
    player = UUIDField()
    first = IntegerField(min_value=1, max_value=100_000, help_text="The hand from which they play.")
    why = CharField(
        required=False,
        max_length=max_length(AuditEntry, "why"),
        multiline=True,
        help_text="Needed where hands were played.",
    )


class GameFilter(FilterSet):
    """Filters of the list of games."""

    phase = ChoiceFilter(choices=Phase.choices)


class ClubGameViewSet(ListModelMixin, ApiViewSet):
    """List the games of a club, in order of opening."""

    queryset = Game.objects.all()
    serializer_class = ListedGameSerializer
    filterset_class = GameFilter
    inputs = {"create": NewGameSerializer}
    outputs = {"create": GameAnswer}
    rights = {"list": Right.CLUB_READ, "create": Right.GAMES_OPEN}

    def get_queryset(self) -> QuerySet[Game]:
        rows = queries.games(self.request.club.pk)
        return visible_rows(rows, hidden=self.request.sees_hidden, way="table__round__event")

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Open a game at a table."""
        opening = NewGame(**self.validated_data)
        game = open_game(club_id=club_id, opening=opening, by=request.by, at=request.at)
        headers = {"ETag": etag(game.version), "Location": f"/api/v1/games/{game.pk}"}
        return Response(game_answer(game, queries.sittings(game)), 201, headers=headers)


class GameViewSet(GameViewSetBase):
    """A game."""

    inputs = {"partial_update": GameSerializer, "seats": SeatChangeSerializer}
    outputs = {"retrieve": GameAnswer, "partial_update": GameAnswer, "seats": GameAnswer}
    rights = {
        "retrieve": Right.CLUB_READ,
        "partial_update": Right.GAMES_OPEN,
        "seats": Right.GAMES_OPEN,
    }

    def retrieve(self, request: ApiRequest, game_id: UUID) -> Response:
        """Show a game: its rules, who sits where, and what the next hand inherits."""
        return self.answer_game(self.game)

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, game_id: UUID) -> Response:
        """Change a game's name or, before its first hand, its house rules."""
        game = change_game(
            game_id=game_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer_game(game)

    @action(detail=True, methods=["post"])
    @idempotent
    def seats(self, request: ApiRequest, game_id: UUID) -> Response:
        """Let a substitute take a seat from some hand on; the seat keeps what it has.

        From the hand of the seat's last change, or an earlier one, it puts that change right.
        """
        sent = self.validated_data
        change = SeatChange(**{**sent, "seat": find_seat(sent["seat"], self.game, "seat")})
        seat_player(game_id=game_id, change=change, by=request.by, at=request.at)
        return self.answer_game(Game.objects.get(pk=game_id))


class GameTransferViewSet(GameViewSetBase):
    """What the books say of a game."""

    outputs = {"list": list[TransferAnswer]}
    rights = {"list": Right.CLUB_READ}

    def list(self, request: ApiRequest, game_id: UUID) -> Response:
        """List every transfer of a game in order of posting, reversals included.

        Money is shown to those who may see the club's money; chips to everybody.
        """
        seats, in_full = seats_of(self.game), self.sees_names
        rows = queries.transfers(self.game)
        if Right.MONEY_READ not in request.rights:
            rows = rows.filter(payer__unit=CHIPS)
        return self.answer_page(rows, lambda row: transfer_answer(row, seats, in_full=in_full))


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
        return self.answer_document(data, etag(closed.game.version))

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
