"""Results of events whose games are not on record."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.players import PlayerNameField
from tournaments.api.serializers import (
    CharField,
    ChoiceField,
    IntegerField,
    ListField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events.entries import ENTRIES_MAX
from tournaments.events.recorded_results import GAMES_MAX, NewResult, record_results
from tournaments.models import EntryStanding, Event, RecordedResult
from tournaments.models.limits import REASON_MAX


@dataclass(frozen=True, slots=True)
class EventResults:
    """The results on record of an event, with its version."""

    version: int
    results: Sequence[RecordedResult]


class RecordedResultSerializer(StrictModelSerializer):
    """What an entry came to; ``games`` 0: nobody wrote down how many it played."""

    player = UUIDField(source="entry.player_id")
    name = PlayerNameField(source="entry.player")
    standing = ChoiceField(source="entry.standing", choices=EntryStanding.choices)

    class Meta:
        model = RecordedResult
        fields = ["entry", "player", "name", "standing", "points", "place", "games"]


class RecordedResultsSerializer(StrictSerializer):
    """All results of an event with results only; ``version`` is that of the event."""

    version = IntegerField()
    results = RecordedResultSerializer(many=True)


class NewResultSerializer(StrictModelSerializer):
    """What a player came to: points, a place, or both."""

    player = UUIDField()
    standing = ChoiceField(
        choices=EntryStanding.choices,
        required=False,
        help_text="Left out: a guest if the club knows them as one.",
    )

    class Meta:
        model = RecordedResult
        fields = ["player", "points", "place", "games", "standing"]
        extra_kwargs = {
            "points": {"help_text": "An exact number, such as 12, -7/2 or 3.5."},
            "place": {
                "min_value": 1,
                "max_value": ENTRIES_MAX,
                "help_text": "It goes before the points; entries that share it have the same.",
            },
            "games": {"max_value": GAMES_MAX, "help_text": "How many were played, if known."},
        }


@example(
    {
        "results": [
            {"player": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "points": "7/2"},
            {"player": "0193f0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b", "points": "-1"},
        ]
    }
)
class NewResultsSerializer(StrictSerializer):
    """All results of an event; whoever is not among them did not take part."""

    results = ListField(child=NewResultSerializer(), min_length=1, max_length=ENTRIES_MAX)
    why = CharField(required=False, max_length=REASON_MAX, help_text="A correction needs a reason.")


class RecordedResultViewSet(EventViewSetBase):
    """What everybody came to in an event with results only."""

    version_field = "version"
    queryset = RecordedResult.objects.all()
    serializer_class = RecordedResultsSerializer
    inputs = {"update": NewResultsSerializer}
    rights = {"retrieve": Right.CLUB_READ, "update": Right.EVENTS_EDIT}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show what was written down of an event with results only."""
        return self.answer(_results_of(self.event))

    @idempotent(if_match=True)
    def update(self, request: ApiRequest, event_id: UUID) -> Response:
        """Write all results down, or correct them with a reason; the event is over with that."""
        wanted = self.validated_data
        event = record_results(
            event_id=event_id,
            results=[NewResult(**result) for result in wanted["results"]],
            why=wanted.get("why", ""),
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(_results_of(event))


def _results_of(event: Event) -> EventResults:
    return EventResults(event.version, list(selectors.recorded_results(event)))
