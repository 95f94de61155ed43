"""What a director adds to an event's scores: listed, one more put on record, one taken back."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.core.ids import parse_id
from tournaments.models import Adjustment, Event, SeatDecision
from tournaments.people.display_names import name_apart, shared_names
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm, plain
from tournaments.web.desk.sessions import event_of, event_place
from tournaments.web.number_format import NOTHING

Form = TypeVar("Form", bound=DeskForm)


class EnteredScores(DeskPage, Generic[Form]):
    """All of a kind, those that hold and those that were taken back, and a form for one more."""

    needs = Right.EVENTS_EDIT
    address: ClassVar[str]
    """The name of the page's address."""

    @abstractmethod
    def new_form(self, *args: Any) -> Form:
        """The form for one more; without data it is filled in as far as can be."""

    @abstractmethod
    def rows(self, event: Event) -> Iterable[Adjustment | SeatDecision]:
        """All that is on record, in the order in which it was."""

    @abstractmethod
    def put(self, event_id: UUID, form: Form) -> None:
        """Put what was typed on record. Raises RefusedError."""

    @abstractmethod
    def take_back(self, event_id: UUID, number: UUID, why: str) -> None:
        """Take one back. Raises RefusedError."""

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Those that hold, and those that were taken back."""
        return self._shown(self._form())

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Put one on record, or take one back."""
        if "cancel" in request.POST:
            return self._cancelled(event_id)
        form = self._form(request.POST)

        def work() -> str:
            self.put(event_id, form)
            self.say(_("It is on record; standings follow."))
            return reverse(self.address, args=[event_id])

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _cancelled(self, event_id: UUID) -> HttpResponse:
        number, why = (
            parse_id(self.request.POST["cancel"]),
            plain(self.request.POST.get("why"), 300),
        )

        def work() -> str:
            self.take_back(event_id, number, why)
            return reverse(self.address, args=[event_id])

        return self.tried(
            work,
            said=_("It is taken back, and stays on record."),
            otherwise=lambda why: self._shown(self._form(), REFUSED, problem=why),
        )

    def _form(self, *args: Any) -> Form:
        form = self.new_form(*args)
        event = event_of(self.visit)
        shared = shared_names(event.club)
        entries = selectors.entries(event).order_by("number")
        who = form.fields["entry"]
        assert isinstance(who, forms.ChoiceField)
        nobody = [] if who.required else [("", NOTHING)]
        named = [(str(one.pk), name_apart(one.player, shared)) for one in entries]
        who.choices = nobody + named
        return form

    def _shown(self, form: Form, status: int = 200, **more: Any) -> HttpResponse:
        event = event_of(self.visit)
        shared = shared_names(event.club)
        named = [(row, name_apart(row.entry.player, shared)) for row in self.rows(event)]
        return self.shown({"event": event, "form": form, "rows": named, **more}, status)
