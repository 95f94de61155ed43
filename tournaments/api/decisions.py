"""Decisions on seats: forfeits, and scores given by the director."""

from uuid import UUID

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.events import ReasonSerializer
from tournaments.api.filters import ChoiceFilter, FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.players import PlayerNameField
from tournaments.api.serializers import (
    IntegerField,
    MembersField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import decisions
from tournaments.events.decisions import NewDecision
from tournaments.models import DecisionKind, SeatDecision
from tournaments.models.limits import HANDS_MAX, ROUNDS_MAX, TABLE_NUMBER_MAX


class DecisionSerializer(StrictModelSerializer):
    """A forfeit or a given score; ``reason`` is told to members of the club."""

    round = IntegerField(source="game.table.round.number")
    table = IntegerField(source="game.table.number")
    name = PlayerNameField(source="entry.player")
    reason = MembersField(allow_null=True)

    class Meta:
        model = SeatDecision
        fields = [
            "id",
            "kind",
            "round",
            "table",
            "game",
            "entry",
            "name",
            "hands",
            "amount",
            "reason",
            "at",
            "cancelled_at",
        ]


class DecisionListSerializer(StrictSerializer):
    """Decisions that were made together."""

    items = DecisionSerializer(many=True)


@example(
    {
        "kind": "forfeit",
        "round": 2,
        "entry": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "reason": "Left after the first hand.",
    }
)
class NewDecisionSerializer(StrictModelSerializer):
    """What is decided on one seat in a round, or on all those of a table."""

    round = IntegerField(min_value=1, max_value=ROUNDS_MAX)
    entry = UUIDField(required=False, help_text="Whom it is about; or a table.")
    table = IntegerField(
        required=False,
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        help_text="Everybody at this table.",
    )
    game = UUIDField(required=False, help_text="Where a table played several games of the round.")

    class Meta:
        model = SeatDecision
        fields = ["kind", "round", "entry", "table", "game", "hands", "amount", "reason"]
        extra_kwargs = {
            "hands": {
                "max_value": HANDS_MAX,
                "help_text": "A forfeit: so many first hands are theirs; without it, those that "
                "they sat in themselves.",
            },
            "amount": {"help_text": "A score: in the unit of the total."},
        }


class DecisionFilter(FilterSet):
    """Filters of the list of decisions."""

    kind = ChoiceFilter(choices=DecisionKind.choices)
    cancelled = MomentFilter("cancelled_at", help_text="Only cancelled ones, or only the others.")


class DecisionViewSet(ListModelMixin, EventViewSetBase):
    """List forfeits and given scores, cancelled ones too."""

    queryset = SeatDecision.objects.all()
    serializer_class = DecisionSerializer
    filterset_class = DecisionFilter
    lookup_url_kwarg = "decision_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewDecisionSerializer, "destroy": ReasonSerializer}
    outputs = {"create": DecisionListSerializer}
    rights = {
        "list": Right.CLUB_READ,
        "create": Right.EVENTS_EDIT,
        "destroy": Right.EVENTS_EDIT,
    }

    def get_queryset(self) -> QuerySet[SeatDecision]:
        return selectors.decisions(self.event)

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Decide on one seat in a round, or on all those of a table."""
        new = NewDecision(**self.validated_data)
        made = decisions.decide_seats(event_id=event_id, new=new, by=request.by, at=request.at)
        rows = self.get_queryset().filter(pk__in=[row.pk for row in made])
        return self.answer({"items": rows.order_by("pk")})

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID, decision_id: UUID) -> Response:
        """Take a decision back; it stays on record."""
        decisions.cancel_decision(
            event_id=event_id,
            decision_id=decision_id,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(self.get_queryset().get(pk=decision_id))
