"""The code at the door of an event, by which players check themselves in: on, off, printed."""

from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.handouts.seating import reaches_phones
from tournaments.access.rights import Right
from tournaments.core.public_address import public_url
from tournaments.events import door
from tournaments.models import DoorCode
from tournaments.tables.press import squares
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin


class Door(ButtonsMixin, EventMixin, DeskPage):
    """The code of an event to be hung up, and the buttons that make it and withdraw it."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/door.html"
    buttons: ClassVar[tuple[str, ...]] = ("open", "close")

    def open(self, _value: str) -> str:
        """Make a code, or another one."""
        door.open_door(event_id=self.event.pk, by=self.by, at=self.at)
        return _("Players can check themselves in with this code.")

    def close(self, _value: str) -> str:
        """Let nobody check themselves in any more."""
        door.close_door(event_id=self.event.pk, by=self.by, at=self.at)
        return _("Nobody can check themselves in any more.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = DoorCode.objects.filter(event=self.event).first()
        context: dict[str, Any] = {"door": found}
        if found is not None:
            url = public_url(self.request, reverse("door-page", args=[found.code]))
            side, path = squares(url)
            context |= {
                "url": url,
                "entrance": public_url(self.request, reverse("door")).partition("//")[2],
                "side": side,
                "path": path,
                "is_reached": reaches_phones(url),
            }
        return super().get_context_data(**{**context, **kwargs})
