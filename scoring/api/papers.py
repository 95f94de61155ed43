"""Secret papers: sealed by each seat, opened when all have sealed, shown when all are open."""

from typing import Final, TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.api.hands import HAND_NUMBER_MAX
from scoring.api.places import GameViewSetBase, LongReasonSerializer, SeatField, find_seat
from scoring.hands import papers
from scoring.hands.papers import SALT_MAX, VALUE_MAX, PaperId, PaperOut
from scoring.models import PaperKind, SealedPaper
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, ChoiceField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest
from tournaments.models.limits import max_length

SEAL_LENGTH: Final = max_length(SealedPaper, "seal")


class HandNumberSerializer(StrictSerializer):
    """Which hand papers belong to."""

    hand = IntegerField(min_value=1, max_value=HAND_NUMBER_MAX)


class PaperSerializer(HandNumberSerializer):
    """Which paper of which seat."""

    seat = SeatField()
    kind = ChoiceField(choices=PaperKind.choices)


@example(
    {
        "hand": 1,
        "seat": "N",
        "kind": "insurance",
        "seal": "f1b4d49f742b61dbf1b4d49f742b61dbf1b4d49f742b61dbf1b4d49f742b61db",
    }
)
class SealSerializer(PaperSerializer):
    """A paper that is sealed."""

    seal = CharField(
        min_length=SEAL_LENGTH,
        max_length=SEAL_LENGTH,
        help_text="SHA-256 of the salt, a colon and the value, in hex.",
    )


@example({"hand": 1, "seat": "N", "kind": "insurance", "value": "F3", "salt": "c2b7e14a9d0f4c68"})
class OpeningSerializer(PaperSerializer):
    """A paper that is opened."""

    value = CharField(max_length=VALUE_MAX)
    salt = CharField(max_length=SALT_MAX, raw=True)


@example({"hand": 1, "kind": "insurance", "why": "Gus has gone home."})
class RevealingSerializer(HandNumberSerializer, LongReasonSerializer):
    """Papers that nobody waits for any longer."""

    kind = ChoiceField(choices=PaperKind.choices)


class PaperList(TypedDict):
    """The papers of a hand."""

    papers: list[PaperOut]


class OpenedPaperList(TypedDict):
    """What came of opening a paper: whether it fits its seal, and what may be seen now."""

    fits: bool
    papers: list[PaperOut]


class PaperViewSet(GameViewSetBase):
    """The secret papers of a game."""

    pagination_class = None
    parameters = {"list": HandNumberSerializer}
    inputs = {
        "create": SealSerializer,
        "opening": OpeningSerializer,
        "revealing": RevealingSerializer,
    }
    outputs = {
        "list": PaperList,
        "create": PaperList,
        "opening": OpenedPaperList,
        "revealing": PaperList,
    }
    rights = {
        "list": Right.CLUB_READ,
        "create": Right.HANDS_ENTER,
        "opening": Right.HANDS_ENTER,
        "revealing": Right.HANDS_RULE,
    }

    def list(self, request: ApiRequest, game_id: UUID) -> Response:
        """List who has sealed a paper for a hand; values only once all are open."""
        found = papers.papers_of(self.game, **self.read_parameters())
        return Response({"papers": found})

    @idempotent
    def create(self, request: ApiRequest, game_id: UUID) -> Response:
        """Seal a paper for the next hand; a seal cannot be replaced."""
        found = papers.seal_paper(
            game_id=game_id,
            paper=self.read_paper(),
            seal=self.validated_data["seal"],
            by=request.by,
            at=request.at,
        )
        return Response({"papers": found}, 201)

    @action(detail=False, methods=["post"])
    @idempotent
    def opening(self, request: ApiRequest, game_id: UUID) -> Response:
        """Open a sealed paper, once every seat has sealed its own.

        What does not fit the seal opens nothing: ``fits`` is false then, and the trail notes it.
        """
        sent = self.validated_data
        opened = papers.open_paper(
            game_id=game_id,
            paper=self.read_paper(),
            written=(sent["value"], sent["salt"]),
            by=request.by,
            at=request.at,
        )
        return Response({"fits": opened.fits, "papers": opened.shown})

    @action(detail=False, methods=["post"])
    @idempotent
    def revealing(self, request: ApiRequest, game_id: UUID) -> Response:
        """Reveal what is open; papers that are not count as missing, for good."""
        sent = self.validated_data
        found = papers.reveal_papers(
            game_id=game_id,
            paper=PaperId(hand=sent["hand"], seat=0, kind=PaperKind(sent["kind"])),
            why=sent["why"],
            by=request.by,
            at=request.at,
        )
        return Response({"papers": found})

    def read_paper(self) -> PaperId:
        """Return which paper the body names. Raises RefusedError."""
        sent = self.validated_data
        seat = find_seat(sent["seat"], self.game, "seat")
        return PaperId(hand=sent["hand"], seat=seat, kind=PaperKind(sent["kind"]))
