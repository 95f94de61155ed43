"""The page behind a member's secret link, on which they say whether they come to a night."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.core.messages import message_of
from scoring.web.door import PrivateDoorPage
from tournaments.access.visibility import event_place
from tournaments.api.feeds import CALENDAR_TYPE, write_night_calendar
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.public_address import public_url
from tournaments.core.time_zones import zone
from tournaments.events import replies
from tournaments.models import EventReply, Person, Quorum, Reply, Shown
from tournaments.people.display_names import distinct_names
from tournaments.selectors import first_name
from tournaments.web.desk.base import REFUSED
from tournaments.web.number_format import money
from tournaments.web.responses import forbid_storing

_GONE: Final = 410
_NOT_FOUND: Final = 404
_TOO_MANY: Final = 429


class ReplyPage(PrivateDoorPage):
    """When and where the night is, the three replies, and who comes; it opens nothing else."""

    template_name = "reply.html"
    reply: EventReply | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.reply = replies.find_reply(kwargs["token"])
        except GoneError as error:
            return forbid_storing(self.show(_GONE, problem=translate(message_of(error))))
        except NotThereError:
            if self.has_to_wait():
                return forbid_storing(self._ask_to_wait())
            words = _("This link is no longer good. Ask your club for another one.")
            return forbid_storing(self.show(_NOT_FOUND, problem=words))
        timezone.activate(zone(self.reply.event.club.time_zone))
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """Take the reply, whatever it was before."""
        assert self.reply is not None
        if self.has_to_wait():
            return self._ask_to_wait()
        said = request.POST.get("reply", "")
        if said not in Reply.values:
            return self.show(REFUSED, problem=_("Press one of the three answers."))
        try:
            replies.give_reply(row=self.reply, reply=Reply(said), at=timezone.now())
        except NotThereError:
            return redirect("reply", token)
        except RefusedError as error:
            return self.show(REFUSED, problem=translate(message_of(error)))
        return redirect("reply", token)

    def _ask_to_wait(self) -> HttpResponse:
        words = _("Too many requests at once. Please try again in a few minutes.")
        return self.show(_TOO_MANY, problem=words)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if self.reply is None:
            return super().get_context_data(**kwargs)
        event, at = self.reply.event, timezone.now()
        coming = replies.list_coming(event)
        hidden = Person.objects.filter(player__in=coming, shown=Shown.HIDDEN)
        unnamed = set(hidden.values_list("player", flat=True))
        names = distinct_names(
            event.club, [who for who in coming if who not in unnamed], in_full=False
        )
        context = {
            "reply": self.reply,
            "event": event,
            "first_name": first_name(self.reply.player.person.name),
            "is_open": replies.is_open(event, at),
            "fee": f"{money(event.entry_fee, event.club.currency)} {event.club.currency}"
            if event.entry_fee
            else "",
            "count": len(coming),
            "names": sorted(names.values()),
            "unnamed": len(unnamed),
            "quorum": Quorum.objects.filter(event=event, until__gt=at).first(),
        }
        return super().get_context_data(**{**context, **kwargs})


class ReplyCalendar(ReplyPage):
    """The night behind a link as a calendar file, without the link: calendars are shared.

    It leads to the page of the night, where strangers may see that.
    """

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer the file."""
        assert self.reply is not None
        event = self.reply.event
        page = public_url(request, reverse("event-page", args=[event.pk]))
        body = write_night_calendar(event, page if event_place(event).is_open else "")
        return HttpResponse(body, content_type=CALENDAR_TYPE)
