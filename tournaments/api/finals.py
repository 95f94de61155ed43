"""The cut of an event, and the final for those who made it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.entries import EntrySerializer
from tournaments.api.events import EventSerializer, NewEventSerializer
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import ChoiceField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import finals
from tournaments.events.finals import CutLine
from tournaments.models import Event
from tournaments.movements import CarryOver, CutPolicy


class CutLineSerializer(StrictSerializer):
    """Where the line is drawn."""

    places = IntegerField(
        required=False, min_value=1, max_value=1000, help_text="4 unless said otherwise."
    )
    policy = ChoiceField(
        required=False,
        choices=[str(policy) for policy in CutPolicy],
        help_text="Where more are tied for the last places than there are places.",
    )


@example(
    {
        "event": {
            "name": "Tuesday",
            "starts_at": "2026-11-24T19:30:00Z",
            "rule_set": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
            "rounds": 5,
            "hands": 4,
            "movement": "planned",
            "scoring": {"method": "places"},
        },
        "places": 4,
    }
)
class FinalSerializer(CutLineSerializer):
    """A final that is set up."""

    event = NewEventSerializer()
    places = IntegerField(min_value=1, max_value=1000)
    carry = ChoiceField(
        required=False,
        choices=[str(carry) for carry in CarryOver],
        help_text="What finalists keep.",
    )


class CutSerializer(StrictSerializer):
    """A cut: ``sure`` are above the line, ``tied`` on it, ``chosen`` go on."""

    places = IntegerField()
    sure = EntrySerializer(many=True)
    tied = EntrySerializer(many=True)
    chosen = EntrySerializer(many=True)
    reserves = EntrySerializer(many=True)
    still_open = IntegerField()


class CutViewSet(EventViewSetBase):
    """Who would go on."""

    parameters = {"retrieve": CutLineSerializer}
    serializer_class = CutSerializer
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show who would be over the line as the event stands; nothing is written."""
        found = finals.cut_of(event_id=event_id, line=cut_line(self.read_parameters()))
        groups = {
            name: found.entries_at(getattr(found.cut, name))
            for name in ("sure", "tied", "chosen", "reserves")
        }
        cut = found.cut
        return self.answer({"places": cut.places, "still_open": cut.still_open, **groups})


class FinalViewSet(EventViewSetBase):
    """The final of an event."""

    queryset = Event.objects.all()
    serializer_class = EventSerializer
    version_field = "version"
    inputs = {"create": FinalSerializer}
    rights = {"create": Right.EVENTS_EDIT}

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Set a final up with those who are over the line, an event of its own."""
        sent = self.validated_data
        made = finals.make_final(
            event_id=event_id,
            new=sent["event"],
            line=cut_line(sent),
            carry=CarryOver(sent.get("carry", CarryOver.NONE)),
            by=request.by,
            at=request.at,
        )
        return self.answer(made, location=f"/api/v1/events/{made.pk}")


def cut_line(sent: Mapping[str, Any]) -> CutLine:
    """Return where the line is drawn, as it was sent."""
    policy = CutPolicy(sent.get("policy", CutPolicy.TIEBREAK))
    return CutLine(places=sent.get("places", 4), policy=policy)
