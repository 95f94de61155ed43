"""The clock of a round: read, started, paused, resumed, given more time, stopped."""

from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import round_clocks
from tournaments.events.round_clocks import ClockData, clock_data
from tournaments.models import RoundClock
from tournaments.models.limits import CLOCK_MINUTES_MAX


@example({"minutes": 25})
class ClockStartSerializer(StrictSerializer):
    """How long a clock is to run."""

    minutes = IntegerField(
        required=False,
        min_value=1,
        max_value=CLOCK_MINUTES_MAX,
        help_text="Else as the event says.",
    )


@example({"minutes": -5})
class ClockAdditionSerializer(StrictSerializer):
    """How much time is given."""

    minutes = IntegerField(
        min_value=-CLOCK_MINUTES_MAX,
        max_value=CLOCK_MINUTES_MAX,
        help_text="Negative: time is taken away.",
    )


class ClockOut(TypedDict):
    """The clock of the round that is played, or of the break; null where there is none."""

    clock: ClockData | None


class RoundClockViewSet(EventViewSetBase):
    """The clock of an event."""

    inputs = {"start": ClockStartSerializer, "add": ClockAdditionSerializer}
    outputs = dict.fromkeys(("retrieve", "start", "pause", "resume", "add", "stop"), ClockOut)
    rights = {
        "retrieve": Right.CLUB_READ,
        **dict.fromkeys(("start", "pause", "resume", "add", "stop"), Right.GAMES_OPEN),
    }

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show what is left of the round, or of the break."""
        return self.answer_clock(round_clocks.find_clock(event_id))

    @idempotent
    def start(self, request: ApiRequest, event_id: UUID) -> Response:
        """Start the clock of the round that is played, else of a break; or start it anew."""
        minutes = self.validated_data.get("minutes")
        return self.answer_clock(
            round_clocks.start_clock(
                event_id=event_id, minutes=minutes, by=request.by, at=request.at
            )
        )

    @idempotent
    def pause(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let the clock stand still."""
        return self.answer_clock(
            round_clocks.pause_clock(event_id=event_id, by=request.by, at=request.at)
        )

    @idempotent
    def resume(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let a paused clock go on with what was left."""
        return self.answer_clock(
            round_clocks.resume_clock(event_id=event_id, by=request.by, at=request.at)
        )

    @idempotent
    def add(self, request: ApiRequest, event_id: UUID) -> Response:
        """Give more time, or take some away."""
        minutes = self.validated_data["minutes"]
        return self.answer_clock(
            round_clocks.add_minutes(
                event_id=event_id, minutes=minutes, by=request.by, at=request.at
            )
        )

    @idempotent
    def stop(self, request: ApiRequest, event_id: UUID) -> Response:
        """Take the clock away."""
        round_clocks.stop_clock(event_id=event_id, by=request.by, at=request.at)
        return self.answer_clock(None)

    def answer_clock(self, clock: RoundClock | None) -> Response:
        """Return a clock as it stands now."""
        out: ClockOut = {"clock": clock_data(clock, self.request.at)}
        return Response(out)
