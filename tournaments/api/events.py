"""Events: set up, listed, changed; how their settings read in plain words."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.filters import ChoiceFilter, FilterSet
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    CharField,
    DateTimeField,
    DictField,
    IntegerField,
    JSONObjectField,
    ListField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet, EventViewSetBase, RetrieveModelMixin
from tournaments.events import events, schedule
from tournaments.models import EVENT_SETTINGS, SET_ONCE, Event, Status
from tournaments.models.limits import (
    REASON_MAX,
    ROUNDS_MAX,
    TABLE_NUMBER_MAX,
)
from tournaments.prizes.settings import PRIZES_SCHEMA
from tournaments.standings.scoring import ScoringRules

ROUND_RULES: Final = (
    "By number of round, the house rules of those that are not played by the event's own."
)


@extend_schema_field(ScoringRules.json_schema(), component_name="ScoringSettings")
class ScoringField(JSONObjectField):
    """The settings of `ScoringRules`; those that are left out are as usual."""


@extend_schema_field(PRIZES_SCHEMA, component_name="PrizeSettings")
class PrizesField(JSONObjectField):
    """The settings of `Prizes`; those that are left out are as usual."""


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "top_first": {"type": "boolean", "description": "The best play at table 1."},
            "closed_tables": {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": TABLE_NUMBER_MAX},
                "description": "Tables of the room that are left out.",
            },
        },
        "additionalProperties": False,
    },
    component_name="SeatingWishes",
)
class WishesField(JSONObjectField):
    """Wishes for the seating of an event."""


@example({"why": "Two tables had played the wrong boards."})
class ReasonSerializer(StrictSerializer):
    """The reason for something that stays on record."""

    why = CharField(max_length=REASON_MAX)


@example({"starts_at": "2026-12-01T19:30:00Z", "why": "The hall is being painted."})
class MoveSerializer(ReasonSerializer):
    """Another date of an event, and the reason; everybody reads it."""

    starts_at = DateTimeField(help_text="The new start.")


class ListedEventSerializer(StrictModelSerializer):
    """An event in a list."""

    class Meta:
        model = Event
        fields = [
            "id",
            "name",
            "starts_at",
            "status",
            "movement",
            "rounds",
            "is_hidden",
            "is_results_only",
            "version",
        ]


class EventSerializer(ListedEventSerializer):
    """An event; ``scored`` says in plain words how.

    ``scoring_reason`` is why that was changed after hands were played; empty if it was not.
    """

    round_rules = DictField(child=UUIDField(), help_text=ROUND_RULES)
    sizes = ListField(child=IntegerField())
    wishes = WishesField()
    prizes = PrizesField()
    scoring = serializers.SerializerMethodField()
    scored = serializers.SerializerMethodField()
    corrections_until = serializers.SerializerMethodField()

    class Meta(ListedEventSerializer.Meta):
        fields = [
            *ListedEventSerializer.Meta.fields,
            *(name for name in EVENT_SETTINGS if name not in ListedEventSerializer.Meta.fields),
            "scored",
            "scoring_reason",
            "cancel_reason",
            "moved_from",
            "move_reason",
            "corrections_until",
            "finished_at",
            "corrections_ended_at",
            "official_at",
        ]

    @extend_schema_field(ScoringField)
    def get_scoring(self, event: Event) -> dict[str, Any]:
        """Return how it is scored, with every setting."""
        return dict(events.scoring_of(event).to_data())

    def get_corrections_until(self, event: Event) -> datetime | None:
        """Return until when results can be corrected, None before the event is over."""
        return events.corrections_until(event)

    def get_scored(self, event: Event) -> list[str]:
        """Return the same in plain words."""
        return list(events.scoring_of(event).describe())


@example({"rounds": 6, "wishes": {"closed_tables": [3]}, "correction_hours": 48})
class EventChangeSerializer(StrictModelSerializer):
    """What may be changed of an event."""

    rule_set = UUIDField(help_text="The house rules that it is played by.")
    round_rules = DictField(
        child=UUIDField(),
        required=False,
        max_length=ROUNDS_MAX,
        key_length=3,
        help_text=ROUND_RULES,
    )
    sizes = ListField(
        child=IntegerField(min_value=3, max_value=6),
        min_length=1,
        max_length=4,
        required=False,
        help_text="Tables of which size.",
    )
    wishes = WishesField(required=False, help_text="Of seating.")
    scoring = ScoringField(required=False, help_text="How it is scored; see /scoring.")
    prizes = PrizesField(required=False, help_text="Who gets how much of the pool; see /awards.")
    why = CharField(
        max_length=REASON_MAX,
        required=False,
        allow_blank=True,
        help_text="Why the scoring changes after hands were played; everybody reads it.",
    )

    class Meta:
        model = Event
        fields = [*(name for name in EVENT_SETTINGS if name not in SET_ONCE), "why"]
        extra_kwargs = {
            "sit_outs": {"help_text": "Whether somebody may sit out a round."},
            "entry_fee": {"help_text": "In minor units of the currency."},
            "added": {"help_text": "The same."},
        }


@example(
    {
        "name": "Tuesday",
        "starts_at": "2026-11-24T19:30:00Z",
        "rule_set": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "rounds": 5,
        "hands": 4,
        "movement": "planned",
        "scoring": {"method": "places"},
    }
)
class NewEventSerializer(EventChangeSerializer):
    """An event that is set up."""

    id = UUIDField(required=False, help_text="The client's own, so that sending twice is harmless.")
    why = None  # type: ignore[assignment]  # how Django REST framework drops an inherited field

    class Meta(EventChangeSerializer.Meta):
        fields = [*EVENT_SETTINGS, "id"]


class EventFilter(FilterSet):
    """Filters of the list of events."""

    status = ChoiceFilter(choices=Status.choices)


class ClubEventViewSet(ListModelMixin, ApiViewSet):
    """List the events of a club."""

    queryset = Event.objects.all()
    serializer_class = EventSerializer
    filterset_class = EventFilter
    version_field = "version"
    inputs = {"create": NewEventSerializer}
    outputs = {"list": ListedEventSerializer}
    rights = {"list": Right.CLUB_READ, "create": Right.EVENTS_EDIT}

    def get_queryset(self) -> QuerySet[Event]:
        return visible_rows(selectors.events(self.request.club), hidden=self.request.sees_hidden)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Set an event up."""
        new = self.validated_data
        event = events.create_event(club_id=club_id, new=new, by=request.by, at=request.at)
        return self.answer(event, location=f"/api/v1/events/{event.pk}")


class EventViewSet(RetrieveModelMixin, EventViewSetBase):
    """An event."""

    queryset = Event.objects.all()
    serializer_class = EventSerializer
    lookup_url_kwarg = "event_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {
        "partial_update": EventChangeSerializer,
        "cancel": ReasonSerializer,
        "move": MoveSerializer,
    }
    outputs = {"destroy": None}
    rights = {
        "retrieve": Right.CLUB_READ,
        "partial_update": Right.EVENTS_EDIT,
        "destroy": Right.EVENTS_EDIT,
        "cancel": Right.EVENTS_EDIT,
        "reinstate": Right.EVENTS_EDIT,
        "move": Right.EVENTS_EDIT,
    }

    def get_object(self) -> Event:
        return self.event

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Show an event with all its settings."""
        return super().retrieve(request, **ids)

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, event_id: UUID) -> Response:
        """Change an event; standings follow by themselves."""
        changes = dict(self.validated_data)
        event = events.change_event(
            event_id=event_id,
            why=changes.pop("why", ""),
            changes=changes,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(event)

    @idempotent(if_match=True)
    def destroy(self, request: ApiRequest, event_id: UUID) -> Response:
        """Remove an event that was set up by mistake, with its entries.

        Where something was played, decided or paid it can only be called off. Whoever removes it
        again is answered 404.
        """
        schedule.remove_event(
            event_id=event_id, version=request.if_match, by=request.by, at=request.at
        )
        return Response(status=204)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def cancel(self, request: ApiRequest, event_id: UUID) -> Response:
        """Call off an event that has not begun, for a reason that everybody reads."""
        event = schedule.cancel_event(
            event_id=event_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(event)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def reinstate(self, request: ApiRequest, event_id: UUID) -> Response:
        """Reinstate an event that was called off, until the end of its day."""
        event = schedule.reinstate_event(
            event_id=event_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(event)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def move(self, request: ApiRequest, event_id: UUID) -> Response:
        """Move an event that has not begun to another date, for a reason that everybody reads."""
        event = schedule.move_event(
            event_id=event_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(event)
