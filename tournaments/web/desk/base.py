"""Bases of the desk's pages: Django's generic views for signed-in people.

A page is a `DeskPage`, a page with a form a `DeskFormView`, a page that changes a row a
`DeskUpdateView`; `ButtonsMixin` adds buttons beside a form, `ActionMixin` is an action with an
address of its own, `EventMixin` and `LeagueMixin` say which address the page has. Writes go to
service functions, once however often a form is sent.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, Generic, TypeVar
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.views.generic import FormView, TemplateView, UpdateView
from django.views.generic.base import ContextMixin, TemplateResponseMixin, View

from engine.core.messages import message_of
from tournaments import selectors
from tournaments.access.rights import Asker, Place, Right, admit
from tournaments.access.visibility import EventPlace, LeaguePlace, event_place, league_place
from tournaments.core.actors import Actor, Source
from tournaments.core.errors import (
    NotAllowedError,
    NotThereError,
    RefusedError,
    SecondFactorNeededError,
    StaleError,
)
from tournaments.core.language import translate
from tournaments.core.storage import disk_space
from tournaments.core.time_zones import zone
from tournaments.models import Account, Club, Event, League
from tournaments.people import sessions
from tournaments.web.desk.forms import DeskFormMixin
from tournaments.web.desk.idempotent_forms import apply_form_once
from tournaments.web.responses import forbid_storing
from tournaments.web.viewer import account_of

REFUSED = 422
SECTIONS: Final[Mapping[str, str]] = {
    "": "club",
    "people": "members member roles invitations",
    "league": "leagues league",
    "club": (
        "rule-sets rules rules-new rules-change money settings club-picture jobs backup keys trail"
        " status import-file import-columns import-archive import-check import-result"
        " import-history import-undo"
    ),
}
"""Names of addresses, after ``desk-``, by the word of the header they belong to; others: nights.

The desk of the club belongs to none."""

FormT = TypeVar("FormT", bound=DeskFormMixin)


class DeskMixin(TemplateResponseMixin, ContextMixin, View):
    """Requires sign-in, and the right ``needs`` at the place that the URL names.

    A page without ``needs`` belongs to no club. Responses are never stored by caches.
    """

    http_method_names = ["get", "head", "post"]
    needs: ClassVar[Right | None] = None
    needs_to_write: ClassVar[Right | None] = None
    """A further right that a POST needs."""
    account: Account
    asker: Asker
    at: datetime
    """When this request came, for service functions."""
    place: Place = Place(None)
    rights: frozenset[Right] = frozenset()
    """What the account may do at the place."""

    def get_place(self) -> Place:
        """The club, event or league that the address names."""
        return Place(Club.objects.filter(pk=self.kwargs["club_id"]).first())

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        account = account_of(request)
        if account is None:
            # Even for an unknown URL: visitors must not learn which objects exist.
            return redirect_to_sign_in(request)
        self.account, self.at = account, timezone.now()
        sessions.note_use(request.session, at=self.at)
        self.asker = Asker.of_account(account, Source.PAGE)
        try:
            if self.needs is not None:
                self.place = self.get_place()
                self.rights = admit(self.asker, self.place, self.needs)
                timezone.activate(zone(self.club.time_zone))
            if self.needs_to_write is not None and request.method == "POST":
                self.require(self.needs_to_write)
            return forbid_storing(super().dispatch(request, *args, **kwargs))
        except NotThereError as error:
            raise Http404 from error
        except SecondFactorNeededError as error:
            messages.error(request, translate(message_of(error)))
            return HttpResponseRedirect(reverse("desk-account"))
        except NotAllowedError as error:
            raise PermissionDenied from error

    @property
    def club(self) -> Club:
        """The club of the page, which must have ``needs``."""
        assert self.place.club is not None
        return self.place.club

    @property
    def by(self) -> Actor:
        """The actor for service functions."""
        return self.asker.actor

    def require(self, right: Right) -> None:
        """Check a further right. Raises NotAllowedError."""
        admit(self.asker, self.place, right)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        match = self.request.resolver_match
        page = match.url_name.removeprefix("desk-") if match and match.url_name else ""
        frame = {
            "account": self.account,
            "at": self.at,
            "club": self.place.club,
            "section": next(
                (key for key, names in SECTIONS.items() if page in names.split()), "nights"
            ),
            # By names that a template can read: ``can.events_edit``.
            "can": {right.name.lower(): True for right in self.rights},
            "disk": disk_space(),
            # In every form of the page, so that a form sent twice is known to be the same.
            "key": uuid4(),
        }
        return super().get_context_data(**{**frame, **kwargs})

    def render(self, status: int = 200, /, **context: Any) -> HttpResponse:
        """Render the page with more in its context."""
        return self.render_to_response(self.get_context_data(**context), status=status)

    def get_success_url(self) -> str:
        """Return the next page after a write: this one."""
        return self.request.path

    def write_once(self, write: Callable[[], str]) -> HttpResponse:
        """Call a service function once for this form, say what ``write`` returns, and go on.

        A form that was sent before leads where it led then and changes nothing. Raises
        RefusedError.
        """
        said = ""

        def work() -> str:
            nonlocal said
            said = write()
            return self.get_success_url()

        where = apply_form_once(self.request, work, by=self.by, at=self.at)
        if said:
            # Not in ``work``, as the transaction may have been tried more than once.
            messages.success(self.request, said)
        return HttpResponseRedirect(where)

    def version_seen(self) -> int:
        """The version that stood in the form. Raises BadRequest."""
        text = self.request.POST.get("version", "")
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise BadRequest("The form says which version it changes.")
        return int(text)


class EventMixin(DeskMixin):
    """A page of an event."""

    def get_place(self) -> Place:
        return event_place(selectors.event(self.kwargs["event_id"]))

    @property
    def event(self) -> Event:
        """The event that the address names."""
        assert isinstance(self.place, EventPlace)
        assert self.place.event is not None
        return self.place.event

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"event": self.event, **kwargs})


class LeagueMixin(DeskMixin):
    """A page of a league."""

    def get_place(self) -> Place:
        return league_place(self.kwargs["league_id"])

    @property
    def league(self) -> League:
        """The league that the address names."""
        assert isinstance(self.place, LeaguePlace)
        assert self.place.league is not None
        return self.place.league


class ButtonsMixin(DeskMixin):
    """Buttons beside the form of a page: each calls the method of its name.

    A button of ``buttons`` gives the method its value, one of ``button_forms`` the form that it
    sends, once that is valid; the page has it as ``NAME_form``. The method calls a service function
    and returns what to say when it is done; where that refuses, the page is shown again with why.
    """

    buttons: ClassVar[tuple[str, ...]] = ()
    button_forms: ClassVar[Mapping[str, type[DeskFormMixin]]] = {}
    pressed: str | None = None

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        names = (*self.buttons, *self.button_forms)
        name = next((name for name in names if name in request.POST), None)
        if name is None:
            if not hasattr(super(), "post"):
                raise BadRequest("The page has no such button.")
            inherited: HttpResponse = super().post(request, *args, **kwargs)  # type: ignore[misc]
            return inherited
        self.pressed = name
        act = getattr(self, name)
        if name not in self.button_forms:
            return self._press(lambda: act(request.POST[name]), None)
        form = self.get_button_form(name, data=request.POST, files=request.FILES)
        if not form.is_valid():
            return self._refuse(form)
        return self._press(lambda: act(form), form)

    def _press(self, act: Callable[[], str], form: DeskFormMixin | None) -> HttpResponse:
        try:
            return self.write_once(act)
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            if form is None:
                messages.error(self.request, self.explain(error))
            else:
                form.refuse(error)
            return self._refuse(form)

    def explain(self, error: RefusedError) -> str:
        """Return the translated reason of a refusal."""
        return translate(message_of(error))

    def _refuse(self, form: DeskFormMixin | None) -> HttpResponse:
        forms = {} if form is None else {f"{self.pressed}_form": form}
        return self.render(REFUSED, is_refused=True, **forms)

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        """The form that a button sends; without data it is as the page shows it at first."""
        return self.button_forms[name](**kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Leave the form of the page unbound if a button beside it was pressed."""
        kwargs: dict[str, Any] = super().get_form_kwargs()  # type: ignore[misc]
        if self.pressed is not None:
            return {name: kwargs[name] for name in kwargs.keys() - {"data", "files"}}
        return kwargs

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        missing = [name for name in self.button_forms if f"{name}_form" not in kwargs]
        forms = {f"{name}_form": self.get_button_form(name) for name in missing}
        return super().get_context_data(**{**forms, **kwargs})


class ActionMixin(ButtonsMixin):
    """A view of a single action, with its own URL; ``act`` does it."""

    def act(self) -> str:
        """Call a service function; return what to say when it is done. Raises RefusedError."""
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._press(self.act, None)


class ServiceFormMixin(DeskMixin, Generic[FormT]):
    """A form whose data goes to a service function; refusals become errors of their fields."""

    success_message: str | Promise = ""
    """What to say when it is done; ``%(name)s`` is a field of the form."""

    def save(self, form: FormT) -> object:
        """Call the service function with the form's data. Raises RefusedError."""
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        def write() -> str:
            self.save(form)
            return str(self.success_message % form.cleaned_data)

        try:
            return self.write_once(write)
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            form.refuse(error)
            if isinstance(error, StaleError):
                form.compare(self.get_current())
            return self.form_invalid(form)

    def get_current(self) -> Mapping[str, Any]:
        """The fields as they stand now, beside which the differences are shown."""
        return {}

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render(REFUSED, form=form)


class DeskPage(DeskMixin, TemplateView):
    """A page without a form, or with several; ``get_context_data`` gives what it shows."""


class DeskFormView(ServiceFormMixin[FormT], FormView):  # type: ignore[type-arg]  # only in stubs
    """A page with one form: ``save`` calls the service function with what was typed."""


class DeskUpdateView(ServiceFormMixin[FormT], UpdateView):  # type: ignore[type-arg]  # as above
    """A page that changes a row of which the form carries the version that was seen.

    After a concurrent change the page shows the differences, and the form has the new version.
    """

    version: int
    object: Any = None

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.version = self.version_seen()
        return super().post(request, *args, **kwargs)

    def get_current(self) -> Mapping[str, Any]:
        self.object = self.get_object()
        unbound = {**self.get_form_kwargs(), "data": None, "files": None}
        return self.get_form_class()(**unbound).initial

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if self.object is None or "form" in kwargs:
            # The instance may hold typed or outdated values; show the row as it is stored now.
            self.object = self.get_object()
        return super().get_context_data(**{"version": self.get_version(), **kwargs})

    def get_version(self) -> int:
        """The version of the row."""
        version: int = self.object.version
        return version


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page, with the wanted page as ``next``."""
    wanted = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("desk")
    return HttpResponseRedirect(f"{reverse('sign-in')}?{urlencode({'next': wanted})}")
