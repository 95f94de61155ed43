from typing import Final

from django.db import models

from tournaments.models.event import Event

DOOR_CODE_LENGTH: Final = 6


class DoorCode(models.Model):
    """The code at the door of an event, by which players check themselves in; there while it is on.

    Whoever knows ``code`` sees the names of the club as strangers see them, and may enter people
    (`tournaments.events.door`).
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="door_code"
    )
    code = models.CharField(max_length=DOOR_CODE_LENGTH, unique=True)
    made_by = models.CharField(max_length=60)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"door code of {self.event_id}"
