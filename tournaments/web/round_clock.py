"""The clock of a round on pages."""

from datetime import datetime
from typing import Any

from tournaments.events.round_clocks import clock_data
from tournaments.models import RoundClock
from tournaments.web.number_format import format_clock


def clock_context(clock: RoundClock | None, at: datetime) -> dict[str, Any]:
    """Return the clock's context: its data, and the rest as text and in hundredths of the time."""
    left = 0 if clock is None else clock.seconds_left(at)
    return {
        "clock": clock_data(clock, at),
        "clock_time": format_clock(left),
        "clock_minutes": 0 if clock is None else round(clock.seconds / 60),
        "clock_share": 100 * left // clock.seconds if clock is not None and clock.seconds else 0,
        "is_time_up": clock is not None and not left,
        "at": at,
    }
