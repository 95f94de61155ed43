"""Corrections of hands: another record, taking it back, a choice between two records."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.api.hands import RecordSerializer
from scoring.api.places import HandViewSetBase, LongReasonSerializer
from scoring.hands import corrections
from scoring.hands.corrections import CorrectedHand, Correction, RivalChoice
from scoring.models import Game
from scoring.presentation.answers import (
    ConsequenceAnswer,
    HandAnswer,
    VersionAnswer,
    consequence_answer,
    in_words,
    seats_of,
    version_answer,
)
from scoring.selectors import queries
from scoring.settlement.consequences import Consequence, Policy
from tournaments.access.rights import Right
from tournaments.api.idempotency import etag, idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import BooleanField, ChoiceField
from tournaments.api.views import ApiRequest


class PolicyField(ChoiceField):
    """What happens to the hands after."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=[str(policy) for policy in Policy],
            required=False,
            help_text="What happens to the hands after: judged anew, or let stand as they were"
            " played.",
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> Policy:
        return Policy(super().to_internal_value(data))


@example(
    {
        "result": {"bidder": "W", "bid": 5, "pain": "S", "taken": {"N": 5, "E": 4, "S": 4}},
        "why": "West took the last trick.",
        "policy": "resettle",
    }
)
class CorrectionSerializer(RecordSerializer, LongReasonSerializer):
    """What a hand should have said."""

    policy = PolicyField()


@example({"keep": True, "why": "The tricks lie open: the first one is right."})
class ChoiceSerializer(LongReasonSerializer):
    """Which of two records of a hand holds."""

    keep = BooleanField(help_text="Keep the first record, or take this one.")
    policy = PolicyField()


class CorrectedAnswer(TypedDict):
    """A corrected hand, and what that did to it and to the hands after.

    ``phase`` is that of the game: a closed one is open again where a hand of it is open now.
    """

    phase: str
    hand: HandAnswer
    consequences: list[ConsequenceAnswer]


class Consequences(TypedDict):
    """What a change would do; nothing has been written."""

    consequences: list[ConsequenceAnswer]


class WordOut(TypedDict):
    """What a seat said of one version."""

    version: int
    agrees: bool
    why: str | None
    by: str
    seat: str | None
    same_device: bool
    at: datetime


class VersionPage(TypedDict):
    """Versions of a hand's record, a page of them, and what seats said of these."""

    versions: list[VersionAnswer]
    words: list[WordOut]
    next: str | None


class CorrectionViewSetBase(HandViewSetBase):
    """The base of viewsets that correct a hand."""

    def answer_corrected(self, corrected: CorrectedHand) -> Response:
        """Return the response with a corrected hand, and its ETag."""
        recorded = corrected.recorded
        data: CorrectedAnswer = {
            "phase": recorded.game.phase,
            "hand": self.represent_hand(recorded),
            "consequences": consequences_out(corrected.consequences, recorded.game),
        }
        return Response(data, headers={"ETag": etag(recorded.hand.revision)})


class HandVersionViewSet(CorrectionViewSetBase):
    """Every version of a hand's record."""

    ordering = "number"
    inputs = {"create": CorrectionSerializer}
    outputs = {"list": VersionPage, "create": CorrectedAnswer}
    statuses = {"create": (200,)}
    rights = {"list": Right.CLUB_READ, "create": Right.HANDS_CORRECT}

    def list(self, request: ApiRequest, hand_id: UUID) -> Response:
        """List the versions of a record, and what seats said of them, a page at a time."""
        hand, seats = self.hand, seats_of(self.game)
        in_full = self.sees_names and self.sees_cards(hand)
        page, following = self.read_page(queries.version_rows(hand))
        words: list[WordOut] = [
            {
                "version": word.version.number,
                "agrees": word.agrees,
                "why": in_words(word.why, in_full=in_full),
                "by": word.by,
                "seat": None if word.seat is None else seats[word.seat],
                "same_device": word.by == word.version.by,
                "at": word.at,
            }
            for word in queries.words(hand)
            if word.version in page
        ]
        data: VersionPage = {
            "versions": [version_answer(one, seats, in_full=in_full) for one in page],
            "words": words,
            "next": following,
        }
        return Response(data, headers={"ETag": etag(hand.revision)})

    @idempotent(if_match=True)
    def create(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Correct a hand: a new version, after which the game is settled again."""
        correction = Correction(revision=request.if_match, **self.validated_data)
        corrected = corrections.correct_hand(
            hand_id=hand_id, correction=correction, by=request.by, at=request.at
        )
        return self.answer_corrected(corrected)


class CorrectionViewSet(CorrectionViewSetBase):
    """Corrections of a hand, tried, taken back, and chosen."""

    inputs = {
        "preview": CorrectionSerializer,
        "undo": LongReasonSerializer,
        "choice": ChoiceSerializer,
    }
    outputs = {
        "preview": Consequences,
        "undo": CorrectedAnswer,
        "choice": CorrectedAnswer,
    }
    rights = {
        "preview": Right.HANDS_CORRECT,
        "undo": Right.HANDS_CORRECT,
        "choice": Right.HANDS_CORRECT,
    }

    @action(detail=True, methods=["post"], url_path="correction-preview")
    @idempotent(if_match=True)
    def preview(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show what a correction would do to the hand and to those after; nothing is written."""
        correction = Correction(revision=request.if_match, **self.validated_data)
        found = corrections.preview_correction(hand_id=hand_id, correction=correction)
        return Response({"consequences": consequences_out(found, self.game)})

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def undo(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Undo the last correction, by one correction more."""
        corrected = corrections.undo_correction(
            hand_id=hand_id,
            correction=Correction(revision=request.if_match, **self.validated_data),
            by=request.by,
            at=request.at,
        )
        return self.answer_corrected(corrected)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def choice(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Choose between the record that came first and this second one.

        If-Match names the revision of the hand that came first.
        """
        choice = RivalChoice(revision=request.if_match, **self.validated_data)
        corrected = corrections.choose_record(
            rival_id=hand_id, choice=choice, by=request.by, at=request.at
        )
        return self.answer_corrected(corrected)


def consequences_out(consequences: Sequence[Consequence], game: Game) -> list[ConsequenceAnswer]:
    """Return consequences with the names of the seats."""
    return [consequence_answer(one, seats_of(game)) for one in consequences]
