"""API views of disputes: two records of a hand beside each other, and how the table settles it."""

from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from engine.core.messages import Message
from scoring.api.hands import ConfirmationSerializer, TakingBackSerializer
from scoring.api.places import HandViewSetBase
from scoring.hands import agreements
from scoring.hands.disputes import read_dispute
from scoring.hands.table_choices import TableChoice
from scoring.models import Word
from scoring.presentation.answers import HandAnswer
from scoring.presentation.disputes import DisputeAnswer, dispute_answer
from tournaments.access.rights import Right
from tournaments.api.idempotency import etag, idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, ChoiceField
from tournaments.api.views import ApiRequest
from tournaments.core.errors import NotAllowedError
from tournaments.models.limits import max_length


@example({"version": 1, "choice": "second", "why": "We laid the tricks open."})
class TableChoiceSerializer(ConfirmationSerializer):
    """What a seat says of two records of a hand."""

    choice = ChoiceField(
        choices=[str(choice) for choice in TableChoice],
        help_text="Which record is right: the first, the second, neither; or the director is"
        " called.",
    )
    why = CharField(
        required=False,
        allow_blank=True,
        max_length=max_length(Word, "why"),
        multiline=True,
        help_text="In somebody's own words.",
    )


class DisputeViewSet(HandViewSetBase):
    """What is told of a hand, by whom, and where it differs; and how the table settles it."""

    inputs = {"agreement": TableChoiceSerializer, "take_back": TakingBackSerializer}
    outputs = {"dispute": DisputeAnswer, "agreement": HandAnswer, "take_back": HandAnswer}
    rights = {
        "dispute": Right.CLUB_READ,
        "agreement": Right.HANDS_CONFIRM,
        "take_back": Right.HANDS_ENTER,
    }

    @action(detail=True, url_name="detail")
    def dispute(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Show the records of a hand beside each other: what differs, and what each settles to.

        A second record leads to the hand that it contradicts. Every difference comes as data, with
        the question that the table may ask first, and what speaks against a record: a card
        twice, cards that are missing.
        """
        if not self.sees_cards(self.hand):
            raise NotAllowedError(Message("Other tables have still to play these cards."))
        dispute = read_dispute(self.game, self.hand)
        return Response(
            dispute_answer(dispute, in_full=self.sees_names),
            headers={"ETag": etag(dispute.hand.revision)},
        )

    @action(detail=True, methods=["post"])
    @idempotent
    def agreement(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Say which of two records is right; the hand is settled when both sides say the same.

        The address names the second record, or the hand if it has only one; ``version`` is that of
        the record that stands. Whoever told a record stands by it until they say otherwise. When
        nobody stands by either, both are taken back; when two sides insist, the director is called.
        """
        values = dict(self.validated_data)
        recorded = agreements.settle_at_table(
            hand_id=hand_id,
            choice=TableChoice(values.pop("choice")),
            by=request.by,
            at=request.at,
            **values,
        )
        return self.answer_hand(recorded)

    @action(detail=True, methods=["post"], url_path="take-back", url_name="take-back")
    @idempotent
    def take_back(self, request: ApiRequest, hand_id: UUID) -> Response:
        """Take back a hand that this seat told, for good or for what is told instead.

        Free until a second seat has agreed or another hand is begun. Then what is told instead
        becomes a second record, which holds once somebody else says that it is right.
        """
        recorded = agreements.take_back_hand(
            hand_id=hand_id, by=request.by, at=request.at, **self.validated_data
        )
        return self.answer_hand(recorded)
