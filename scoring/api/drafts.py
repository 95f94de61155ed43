"""Drafts of hands that phones of a table have begun to enter."""

import json
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework.decorators import action
from rest_framework.response import Response

from engine.core.cards import NAMES, members
from scoring.api.hands import HAND_NUMBER_MAX
from scoring.api.places import GameViewSetBase
from scoring.hands import drafts
from scoring.hands.drafts import DraftState
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Game, HandDraft
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    IntegerField,
    JSONObjectField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest

PhoneAnswers = dict[str, str | int | bool | list[str] | None]


@extend_schema_field(PhoneAnswers)
class AnswersField(JSONObjectField):
    """What a phone was told, by its own names of the questions."""


@example({"number": 1, "change": 2, "answers": {"bidder": "W", "bid": "5"}})
class DraftSerializer(StrictSerializer):
    """What a phone has told of a hand so far."""

    number = IntegerField(min_value=1, max_value=HAND_NUMBER_MAX)
    change = IntegerField(
        min_value=1,
        max_value=1_000_000,
        help_text="Goes up with all that is told or taken back.",
    )
    answers = AnswersField(
        max_length=TEXT_BYTES_MAX,
        help_text="Question by question; without papers and passed cards.",
    )
    continues = UUIDField(
        required=False, help_text="The draft of another phone that this goes on from."
    )
    seen = IntegerField(
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text="The change of that draft that was seen.",
    )


class DraftOut(TypedDict):
    """A hand as far as a phone has told it; ``seat`` is the one that tells.

    ``sees_deal``: it was told the cards of the board.
    """

    id: UUID
    number: int
    seat: str | None
    change: int
    answers: PhoneAnswers
    sees_deal: bool
    continues: UUID | None
    seen: int
    kept_at: datetime


class DraftList(TypedDict):
    """The drafts of hands that nobody has put on record yet."""

    drafts: list[DraftOut]


class DealOut(TypedDict):
    """The cards of every seat, as they lay in the board."""

    deal: dict[str, list[str]]


class DraftViewSet(GameViewSetBase):
    """The drafts of a game, one for each phone that tells a hand."""

    pagination_class = None
    lookup_url_kwarg = "draft_id"
    inputs = {"update": DraftSerializer}
    outputs = {"list": DraftList, "update": DraftOut, "deal": DealOut}
    rights = {
        "list": Right.HANDS_ENTER,
        "update": Right.HANDS_ENTER,
        "deal": Right.HANDS_ENTER,
    }

    def list(self, request: ApiRequest, game_id: UUID) -> Response:
        """List hands that phones have begun to tell, so that another phone can go on."""
        return Response(
            {"drafts": [draft_out(draft, self.game) for draft in drafts.list_drafts(self.game)]}
        )

    @idempotent
    def update(self, request: ApiRequest, game_id: UUID, draft_id: UUID) -> Response:
        """Keep what a phone has told so far; a late copy of an older state changes nothing."""
        draft = drafts.save_draft(
            game_id=game_id,
            state=DraftState(id=draft_id, **self.validated_data),
            by=request.by,
            at=request.at,
        )
        return Response(draft_out(draft, self.game))

    @action(detail=True, methods=["post"])
    @idempotent
    def deal(self, request: ApiRequest, game_id: UUID, draft_id: UUID) -> Response:
        """Show the cards of the next hand's board once it was played; everybody sees who looked."""
        held = drafts.show_deal(game_id=game_id, draft_id=draft_id, by=request.by, at=request.at)
        cards = ([NAMES[card] for card in members(one)] for one in held)
        return Response({"deal": dict(zip(seats_of(self.game), cards, strict=True))})


def draft_out(draft: HandDraft, game: Game) -> DraftOut:
    """Return a draft as data."""
    return {
        "id": draft.pk,
        "number": draft.number,
        "seat": None if draft.seat is None else seats_of(game)[draft.seat],
        "change": draft.change,
        "answers": json.loads(draft.answers),
        "sees_deal": draft.sees_deal,
        "continues": draft.continues,
        "seen": draft.seen,
        "kept_at": draft.kept_at,
    }
