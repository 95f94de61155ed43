"""Entries of an event: checked in, changed, kept apart; penalties and bonuses."""

from typing import TypedDict
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
    ListField,
    MembersField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, EventViewSetBase, RetrieveModelMixin
from tournaments.core.errors import NotThereError
from tournaments.events import adjustments, entries
from tournaments.events.entries import NewEntry
from tournaments.models import ENTRY_SETTINGS, Adjustment, Apart, Entry, Event, Presence
from tournaments.models.limits import ROUNDS_MAX, TABLE_NUMBER_MAX


class EntrySerializer(StrictModelSerializer):
    """Somebody who takes part. ``last``: the last round that they play, null: to the end."""

    name = PlayerNameField(source="player")
    never_tables = ListField(child=IntegerField())

    class Meta:
        model = Entry
        fields = [
            "id",
            "number",
            "player",
            "name",
            "first",
            "last",
            *ENTRY_SETTINGS,
        ]


@example({"presence": "left"})
class EntryChangeSerializer(StrictModelSerializer):
    """What may be changed of an entry."""

    never_tables = ListField(
        child=IntegerField(min_value=1, max_value=TABLE_NUMBER_MAX),
        max_length=100,
        required=False,
        help_text="Numbers of tables to keep away from.",
    )

    class Meta:
        model = Entry
        fields = [*ENTRY_SETTINGS]
        extra_kwargs = {"stay_seat": {"help_text": "From 0, who deals first."}}


@example({"player": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "household": "Hill"})
class NewEntrySerializer(EntryChangeSerializer):
    """Somebody who is entered."""

    player = UUIDField()

    class Meta(EntryChangeSerializer.Meta):
        fields = ["player", "first", *ENTRY_SETTINGS]
        extra_kwargs = {
            **EntryChangeSerializer.Meta.extra_kwargs,
            "first": {"help_text": "The first round that they play."},
        }


class EntryFilter(FilterSet):
    """Filters of the list of entries."""

    presence = ChoiceFilter(choices=Presence.choices)


class EntryViewSet(ListModelMixin, RetrieveModelMixin, EventViewSetBase):
    """List entries."""

    queryset = Entry.objects.all()
    serializer_class = EntrySerializer
    filterset_class = EntryFilter
    lookup_url_kwarg = "entry_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewEntrySerializer, "partial_update": EntryChangeSerializer}
    rights = {
        "list": Right.CLUB_READ,
        "retrieve": Right.CLUB_READ,
        "create": Right.EVENTS_EDIT,
        "partial_update": Right.EVENTS_EDIT,
        "destroy": Right.EVENTS_EDIT,
    }

    def get_queryset(self) -> QuerySet[Entry]:
        return selectors.entries(self.event)

    def get_object(self) -> Entry:
        return get_entry(self.event, self.kwargs["entry_id"])

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Show an entry."""
        return super().retrieve(request, **ids)

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Enter somebody, or check in who was entered already."""
        new = NewEntry(**self.validated_data)
        entry = entries.enter(event_id=event_id, new=new, by=request.by, at=request.at)
        return self.answer(entry, location=f"{request.path}/{entry.pk}")

    @idempotent
    def partial_update(self, request: ApiRequest, event_id: UUID, entry_id: UUID) -> Response:
        """Check in, let leave, or change what the seating keeps to."""
        self.get_object()
        entry = entries.change_entry(
            entry_id=entry_id, changes=self.validated_data, by=request.by, at=request.at
        )
        return self.answer(entry)

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID, entry_id: UUID) -> Response:
        """Remove an entry that was made by mistake and never seated."""
        response = self.answer(self.get_object())
        entries.remove_entry(entry_id=entry_id, by=request.by, at=request.at)
        return response


def get_entry(event: Event, entry_id: UUID) -> Entry:
    """Return an entry of an event. Raises NotThereError."""
    entry = selectors.entries(event).filter(pk=entry_id).first()
    if entry is None:
        raise NotThereError
    return entry


@example(
    {"one": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "other": "0193f0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b"}
)
class PairSerializer(StrictSerializer):
    """Two entries."""

    one = UUIDField()
    other = UUIDField()


class Pair(TypedDict):
    """Two entries that are kept apart."""

    one: UUID
    other: UUID


class PairList(TypedDict):
    """All pairs that are kept apart."""

    items: list[Pair]


class ApartViewSet(EventViewSetBase):
    """Pairs that are kept apart."""

    pagination_class = None
    queryset = Apart.objects.all()
    inputs = {"create": PairSerializer}
    outputs = {"list": PairList, "create": Pair}
    rights = {"list": Right.EVENTS_EDIT, "create": Right.EVENTS_EDIT}

    def list(self, request: ApiRequest, event_id: UUID) -> Response:
        """List pairs that are kept apart; nobody's business but the director's."""
        rows = Apart.objects.filter(event=self.event).order_by("id")
        return Response({"items": [{"one": row.one_id, "other": row.other_id} for row in rows]})

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Keep two entries apart."""
        row = entries.keep_apart(
            event_id=event_id, by=request.by, at=request.at, **self.validated_data
        )
        return Response({"one": row.one_id, "other": row.other_id}, 201)


class MeetViewSet(EventViewSetBase):
    """A pair that may meet again."""

    inputs = {"create": PairSerializer}
    outputs = {"create": Pair}
    statuses = {"create": (200,)}
    rights = {"create": Right.EVENTS_EDIT}

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let two entries meet again."""
        entries.let_meet(event_id=event_id, by=request.by, at=request.at, **self.validated_data)
        return Response(self.validated_data)


class AdjustmentSerializer(StrictModelSerializer):
    """A penalty or a bonus; ``reason`` is told to members of the club."""

    reason = MembersField(allow_null=True)

    class Meta:
        model = Adjustment
        fields = [
            "id",
            "entry",
            "amount",
            "round",
            "affects_place",
            "reason",
            "at",
            "cancelled_at",
        ]


@example(
    {
        "entry": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "amount": "-1/2",
        "reason": "Late for round 2",
        "round": 2,
    }
)
class NewAdjustmentSerializer(StrictModelSerializer):
    """A penalty or a bonus that is given."""

    entry = UUIDField()

    class Meta:
        model = Adjustment
        fields = ["entry", "amount", "reason", "round", "affects_place"]
        extra_kwargs = {
            "amount": {"help_text": "A number in the unit of the score; a penalty begins with -."},
            "round": {"min_value": 1, "max_value": ROUNDS_MAX},
            "affects_place": {"help_text": "Whether it changes places at the table."},
        }


class AdjustmentFilter(FilterSet):
    """Filters of the list of adjustments."""

    cancelled = MomentFilter("cancelled_at", help_text="Only cancelled ones, or only the others.")


class AdjustmentViewSet(ListModelMixin, EventViewSetBase):
    """List penalties and bonuses, cancelled ones too."""

    queryset = Adjustment.objects.all()
    serializer_class = AdjustmentSerializer
    filterset_class = AdjustmentFilter
    lookup_url_kwarg = "adjustment_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewAdjustmentSerializer, "destroy": ReasonSerializer}
    rights = {
        "list": Right.CLUB_READ,
        "create": Right.EVENTS_EDIT,
        "destroy": Right.EVENTS_EDIT,
    }

    def get_queryset(self) -> QuerySet[Adjustment]:
        return selectors.adjustments(self.event)

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Give a penalty or a bonus."""
        row = adjustments.adjust_score(
            event_id=event_id, **self.validated_data, by=request.by, at=request.at
        )
        return self.answer(row)

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID, adjustment_id: UUID) -> Response:
        """Take a penalty or a bonus back; it stays on record."""
        row = adjustments.cancel_adjustment(
            event_id=event_id,
            adjustment_id=adjustment_id,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(row)
