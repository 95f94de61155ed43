"""Public pages on which players check themselves in to an event, with its code and no account."""

from typing import Any, Final
from uuid import UUID

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from engine.core.messages import message_of
from scoring.web.rate_limit import DoorThrottle
from tournaments import selectors
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.core.language import translate
from tournaments.core.name_folding import LETTERS
from tournaments.events import door as doors
from tournaments.events.events import fee_due
from tournaments.models import DoorCode
from tournaments.people.accounts import NAME_MAX
from tournaments.web.desk.base import REFUSED
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import money
from tournaments.web.responses import forbid_storing

_SALT: Final = "checked in at the door"
_SECONDS_TO_TAKE_BACK: Final = 15 * 60
_TOO_MANY: Final = 429
_GONE: Final = 410


class PrivateDoorPage(TemplateView):
    """A page that no cache stores and that limits how often one address may send its forms."""

    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return forbid_storing(super().dispatch(request, *args, **kwargs))

    def show(self, status: int = 200, /, **context: Any) -> HttpResponse:
        """Render the page with ``context`` added to its own, with an HTTP status."""
        return self.render_to_response(self.get_context_data(**context), status=status)

    def has_to_wait(self) -> bool:
        """Count this request; return whether its address has sent too many."""
        return DoorThrottle.wait_for(self.request) is not None


class DoorEntrance(PrivateDoorPage):
    """The page on which a code is typed that a phone could not scan."""

    template_name = "door_entrance.html"

    def post(self, request: HttpRequest) -> HttpResponse:
        """Go to the page of the code."""
        return self.enter(request.POST.get("code", ""))

    def enter(self, code: str) -> HttpResponse:
        """Go to the page of a code, or say why it opens none."""
        if self.has_to_wait():
            return self.show(
                _TOO_MANY,
                problem=_("Too many requests at once. Please try again in a few minutes."),
            )
        typed = clean_line(code, 40)
        try:
            door = doors.find_door(typed)
        except GoneError as error:
            return self.show(REFUSED, problem=translate(message_of(error)), typed=typed)
        except NotThereError:
            words = _("No night has this code. Look at the paper at the door again.")
            return self.show(REFUSED, problem=words, typed=typed)
        return redirect("door-page", door.code)


class DoorPage(PrivateDoorPage):
    """The names to choose from, a field to type one, and afterwards who was checked in."""

    template_name = "door.html"

    @cached_property
    def door(self) -> DoorCode:
        """The door that the address opens. Raises NotThereError and GoneError."""
        return doors.find_door(self.kwargs["code"])

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            door = self.door
        except GoneError:
            entrance = DoorEntrance()
            entrance.setup(request)
            answer = entrance.enter(kwargs["code"])
            answer.status_code = _GONE if answer.status_code == REFUSED else answer.status_code
            return forbid_storing(answer)
        except NotThereError as error:
            if self.has_to_wait():
                raise Http404 from error
            return redirect("door")
        if door.code != kwargs["code"]:
            return redirect("door-page", door.code)
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, **_kwargs: Any) -> HttpResponse:
        """Check somebody in, or take that back."""
        if self.has_to_wait():
            return self.show(
                _TOO_MANY,
                problem=_("Too many requests at once. Please try again in a few minutes."),
            )
        at = timezone.now()
        name = request.POST.get("name", "")[:1000].strip()
        try:
            if "take_back" in request.POST:
                entry, before = self._read_ticket(request.POST["take_back"])
                doors.undo_check_in(door=self.door, entry_id=entry, before=before, at=at)
                return redirect("door-page", self.door.code)
            if len(name) > NAME_MAX:
                return self.show(REFUSED, problem=_("A name has 1 to 200 letters."), name=name)
            chosen = request.POST.get("player")
            player = parse_id(chosen) if chosen else None
            done = doors.check_in_at_door(
                door=self.door, player=player, name=name, is_new="new" in request.POST, at=at
            )
        except NotThereError:
            return self.show(REFUSED, problem=_("That name is no longer in the list."))
        except doors.SimilarNameError as error:
            return self.show(REFUSED, similar=error.choices, name=name)
        except RefusedError as error:
            return self.show(REFUSED, problem=translate(message_of(error)), name=name)
        ticket = signing.dumps([str(done.entry.pk), done.before], salt=_SALT)
        return redirect(f"{reverse('door-page', args=[self.door.code])}?done={ticket}")

    def _read_ticket(self, ticket: str) -> tuple[UUID, str]:
        """The entry that a page was shown for, and its presence before. Raises NotThereError."""
        try:
            entry, before = signing.loads(ticket, salt=_SALT, max_age=_SECONDS_TO_TAKE_BACK)
        except signing.BadSignature as error:
            raise NotThereError from error
        return parse_id(entry), str(before)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.door.event
        context = {"door": self.door, "event": event, "club": event.club, "letters": LETTERS}
        context |= self._done(self.request.GET.get("done", ""))
        if "entry" not in context:
            context["choices"] = doors.list_choices(event)
        return super().get_context_data(**{**context, **kwargs})

    def _done(self, ticket: str) -> dict[str, Any]:
        """Return the context about an entry just checked in: its public name and what it owes.

        Empty for an invalid ticket, or one older than 15 minutes.
        """
        event = self.door.event
        try:
            entry_id, _before = self._read_ticket(ticket)
        except NotThereError:
            return {}
        entry = selectors.entries(event).filter(pk=entry_id).first()
        if entry is None:
            return {}
        due = fee_due(event, entry) - entry.fee_paid
        return {
            "entry": entry,
            "ticket": ticket,
            "name": selectors.shown_name(entry.player, in_full=False),
            "fee": f"{money(due, event.club.currency)} {event.club.currency}" if due > 0 else "",
        }
