"""Events: set up, listed, changed; how their settings read in plain words."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.filters import ChoiceFilter, FilterSet
from tournaments.api.idempotency import idempotent
from tournaments.api.serializers import (
    CharField,
    IntegerField,
    ListField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet, EventViewSetBase, RetrieveModelMixin
from tournaments.events import events
from tournaments.events.events import (
    CORRECTION_HOURS_MOST,
    HANDS_MOST,
    MONEY_MOST,
    ROUNDS_MOST,
    NewEvent,
)
from tournaments.models import Event, Status
from tournaments.models.limits import REASON_MAX


class ReasonSerializer(StrictSerializer):
    """The reason for something that stays on record."""

    why = CharField(max_length=REASON_MAX)


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
    """An event; ``scored`` says in plain words how."""

    sizes = ListField(child=IntegerField())
    scoring = serializers.SerializerMethodField()
    scored = serializers.SerializerMethodField()

    class Meta(ListedEventSerializer.Meta):
        fields = [
            *ListedEventSerializer.Meta.fields,
            "rule_set",
            "hands",
            "sizes",
            "sit_outs",
            "wishes",
            "scoring",
            "scored",
            "prizes",
            "entry_fee",
            "added",
            "team_best",
            "duplicate",
            "rated",
            "rank_guests",
            "venue",
            "correction_hours",
            "seed",
            "finished_at",
            "corrections_ended_at",
            "official_at",
        ]

    def get_scoring(self, event: Event) -> dict[str, Any]:
        """Return how it is scored, with every setting."""
        return dict(events.scoring_of(event).to_data())

    def get_scored(self, event: Event) -> list[str]:
        """Return the same in plain words."""
        return list(events.scoring_of(event).describe())


class EventChangeSerializer(StrictModelSerializer):
    """What may be changed of an event."""

    rule_set = UUIDField(help_text="The house rules that it is played by.")
    sizes = ListField(
        child=IntegerField(min_value=3, max_value=6),
        min_length=1,
        max_length=4,
        required=False,
        help_text="Tables of which size.",
    )

    class Meta:
        model = Event
        fields = [
            "name",
            "starts_at",
            "rule_set",
            "rounds",
            "hands",
            "movement",
            "sizes",
            "sit_outs",
            "wishes",
            "scoring",
            "prizes",
            "entry_fee",
            "added",
            "team_best",
            "duplicate",
            "rated",
            "rank_guests",
            "is_hidden",
            "venue",
            "correction_hours",
        ]
        extra_kwargs = {
            "rounds": {"required": False, "min_value": 1, "max_value": ROUNDS_MOST},
            "hands": {
                "required": False,
                "min_value": 1,
                "max_value": HANDS_MOST,
                "help_text": "Hands in a round.",
            },
            "sit_outs": {"help_text": "Whether somebody may sit out a round."},
            "wishes": {"help_text": "Of seating: top_first (true), closed_tables (numbers)."},
            "scoring": {"help_text": "How it is scored; see /scoring."},
            "prizes": {"help_text": "Who gets how much of the pool; see /awards."},
            "entry_fee": {
                "max_value": MONEY_MOST,
                "help_text": "In minor units of the currency.",
            },
            "added": {"max_value": MONEY_MOST, "help_text": "What the club puts into the pool."},
            "team_best": {
                "min_value": 1,
                "max_value": 100,
                "help_text": "How many of a team count; null: all.",
            },
            "duplicate": {"help_text": "Whether all tables play the same deals."},
            "rated": {"help_text": "Whether it counts in ratings, as is usual."},
            "rank_guests": {"help_text": "Whether guests are ranked like members."},
            "is_hidden": {"help_text": "Whether strangers may not know of it."},
            "correction_hours": {
                "required": False,
                "max_value": CORRECTION_HOURS_MOST,
                "help_text": "How long results can be corrected after the end; as the house rules"
                " say, if it is not told.",
            },
            "venue": {"help_text": "Where it is played, if not where the club usually plays."},
        }


class NewEventSerializer(EventChangeSerializer):
    """An event that is set up."""

    id = UUIDField(required=False, help_text="The client's own, so that sending twice is harmless.")

    class Meta(EventChangeSerializer.Meta):
        fields = [*EventChangeSerializer.Meta.fields, "is_results_only", "seed", "id"]
        extra_kwargs = {
            **EventChangeSerializer.Meta.extra_kwargs,
            "is_results_only": {
                "help_text": "Whether nothing is played in it: see /results. It has no rounds.",
            },
            "seed": {"required": False, "help_text": "Makes every draw and lot; published."},
        }


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
        new = NewEvent(**self.validated_data)
        event = events.create_event(club_id=club_id, new=new, by=request.by, at=request.at)
        return self.answer(event, location=f"/api/v1/events/{event.pk}")


class EventViewSet(RetrieveModelMixin, EventViewSetBase):
    """An event."""

    queryset = Event.objects.all()
    serializer_class = EventSerializer
    lookup_url_kwarg = "event_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"partial_update": EventChangeSerializer}
    rights = {"retrieve": Right.CLUB_READ, "partial_update": Right.EVENTS_EDIT}

    def get_object(self) -> Event:
        return self.event

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Show an event with all its settings."""
        return super().retrieve(request, **ids)

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, event_id: UUID) -> Response:
        """Change an event; standings follow by themselves."""
        event = events.change_event(
            event_id=event_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(event)
