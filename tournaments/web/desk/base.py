"""Pages of the desk: let in who may come, show a template, carry out what a form asks for."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views import View

from engine.messages import message_of
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotAllowedError, NotThereError, RefusedError, StaleError
from tournaments.core.language import translate
from tournaments.core.time_zones import zone
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.idempotent_forms import carried_out, question_of
from tournaments.web.desk.sessions import Visit, account_of, club_place, entered, visit_of

_SAID = "said"
REFUSED = 422


class DeskPage(View):
    """A page for somebody who signed in; ``needs``: the right to come here, if it is in a club."""

    http_method_names = ["get", "head", "post"]
    needs: ClassVar[Right | None] = None
    template: ClassVar[str]
    visit: Visit

    def find(self, ids: Mapping[str, Any]) -> Place:
        """The place that the address names."""
        return club_place(ids)

    def dispatch(self, request: HttpRequest, *args: Any, **ids: Any) -> HttpResponseBase:
        account = account_of(request)
        if account is None:
            # Whatever stands in the address: a stranger learns nothing of what there is.
            return to_sign_in(request)
        self.visit = visit_of(account, timezone.now())
        try:
            if self.needs is not None:
                self.visit = entered(self.visit, self.find(ids), self.needs)
                timezone.activate(zone(self.visit.club.time_zone))
            return private(super().dispatch(request, *args, **ids))
        except NotThereError as error:
            raise Http404 from error
        except NotAllowedError as error:
            raise PermissionDenied from error

    def shown(self, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
        """The page, with what was said of the last thing that was done."""
        visit = self.visit
        club = visit.place.club if visit.place is not None else None
        frame = {
            "visit": visit,
            "can": visit.can,
            "club": club,
            "key": visit.key,
            "said": self.request.session.pop(_SAID, "") if status == 200 else "",
        }
        return render(self.request, self.template, {**frame, **context}, status=status)

    def carried_out(self, work: Callable[[], str], *, said: str = "") -> HttpResponse:
        """Do something once, and go where it says. Raises RefusedError."""
        question = question_of(self.request, self.visit.by)
        where = carried_out(question, work, self.visit.at)
        if said:
            self.request.session[_SAID] = said
        return HttpResponseRedirect(where)

    def tried(
        self, work: Callable[[], str], *, otherwise: Callable[[str], HttpResponse], said: str = ""
    ) -> HttpResponse:
        """Do something once, and go where it says; where it is refused, show what tells why."""
        try:
            return self.carried_out(work, said=said)
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            return otherwise(translate(message_of(error)))

    def say(self, words: str) -> None:
        """What the next page tells about the thing that was just done."""
        self.request.session[_SAID] = words

    def saved(
        self,
        form: DeskForm,
        work: Callable[[], str],
        current: Callable[[], Mapping[str, Any]] = dict,
    ) -> HttpResponse | None:
        """Carry out what a form asks for; None where it is refused, with the reason at its field.

        ``current`` gives the fields as they stand, for whoever was overtaken by somebody else.
        """
        if not form.is_valid():
            return None
        try:
            return self.carried_out(work)
        except RefusedError as error:
            if isinstance(error, NotThereError | NotAllowedError):
                raise
            form.refuse(error)
            if isinstance(error, StaleError):
                form.compare(current())
            return None

    def version_seen(self) -> int:
        """The version that stood in the form. Raises BadRequest."""
        text = self.request.POST.get("version", "")
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise BadRequest("The form says which version it changes.")
        return int(text)


def private(response: HttpResponseBase) -> HttpResponseBase:
    """For this person alone; and its forms say where they come from."""
    patch_cache_control(response, private=True, no_store=True)
    # With no-referrer, browsers send the form with "Origin: null", which looks like a forgery.
    response["Referrer-Policy"] = "same-origin"
    return response


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The way in, and from there to where somebody wanted to go."""
    wanted = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("desk")
    return HttpResponseRedirect(f"{reverse('sign-in')}?{urlencode({'next': wanted})}")
