from datetime import datetime, timedelta

from django.db import models

from tournaments.models.event import Event


class RoundClock(models.Model):
    """The clock of the round that is played, or of the break before the next one.

    An event without a row has no clock at the moment. ``seconds`` is the whole time, with what was
    added and taken; ``left`` are the seconds that were left at ``running_since``, or are left while
    it is paused (None). Moments count in whole seconds, so that pausing and going on never loses
    any.

    The methods change the instance alone; `tournaments.events.round_clocks` saves it.
    """

    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, primary_key=True, related_name="clock"
    )
    is_break = models.BooleanField(default=False)
    seconds = models.PositiveIntegerField()
    left = models.PositiveIntegerField()
    running_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"clock of {self.event_id}"

    @property
    def is_paused(self) -> bool:
        """Whether it stands still."""
        return self.running_since is None

    @property
    def ends_at(self) -> datetime | None:
        """When the time is up; None while it is paused."""
        return self.running_since and self.running_since + timedelta(seconds=self.left)

    def seconds_left(self, at: datetime) -> int:
        """Return what is left at a moment, in seconds; 0 once the time is up.

        >>> from datetime import UTC
        >>> start = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
        >>> clock = RoundClock(seconds=2100, left=2100, running_since=start)
        >>> clock.seconds_left(start + timedelta(minutes=5))
        1800
        """
        if self.running_since is None:
            return self.left
        return max(0, self.left - (at - self.running_since) // timedelta(seconds=1))

    def pause(self, at: datetime) -> None:
        """Stand still with what is left; a paused clock stays as it is."""
        self.left, self.running_since = self.seconds_left(at), None

    def resume(self, at: datetime) -> None:
        """Go on with what was left; a clock that runs stays as it is."""
        self.running_since = self.running_since or whole_second(at)

    def add(self, seconds: int, at: datetime) -> None:
        """Give more time, or less if negative; never less than none.

        Once the time is up, what is added counts from now on.
        """
        before = self.seconds_left(at)
        self.left = max(0, before + seconds)
        self.seconds = max(0, self.seconds + self.left - before)
        if self.running_since is not None:
            self.running_since = whole_second(at)


def whole_second(at: datetime) -> datetime:
    """Return the beginning of the second in which a moment lies."""
    return at.replace(microsecond=0)
