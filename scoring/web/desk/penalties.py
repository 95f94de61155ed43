"""Penalties and bonuses of an event: given with a reason, taken back, never changed."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.desk.at_table import id_in
from scoring.web.desk.forms import DeskForm, plain
from scoring.web.desk.pages import REFUSED, DeskPage
from scoring.web.desk.visits import event_of, event_place
from tournaments import adjustments, queries
from tournaments.access import Place, Right
from tournaments.adjustments import NewAdjustment
from tournaments.events import ROUNDS_MOST
from tournaments.interpreter import interpreted
from tournaments.queries import shown_name
from tournaments.refusals import NotAllowedError, NotThereError, RefusedError


class AdjustmentForm(DeskForm):
    """Who gets how much, and why."""

    entry = forms.ChoiceField(label=gettext_lazy("Who"))
    amount = forms.CharField(
        label=gettext_lazy("How much"),
        max_length=40,
        help_text=gettext_lazy(
            "In the unit of the score: a penalty begins with a minus, such as -3 or -1/2."
        ),
        widget=forms.TextInput(attrs={"class": "short"}),
    )
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=300)
    round = forms.IntegerField(
        label=gettext_lazy("In which round"), min_value=1, max_value=ROUNDS_MOST, required=False
    )
    affects_place = forms.BooleanField(
        label=gettext_lazy("It changes places at the table too"), required=False
    )


class Penalties(DeskPage):
    """All of them, and a form for one more."""

    needs = Right.EVENTS_EDIT
    template = "desk/penalties.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Those that hold, and those that were taken back."""
        return self._shown(self._form())

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Give one, or take one back."""
        if "cancel" in request.POST:
            return self._cancelled(event_id)
        form = self._form(request.POST)

        def work() -> str:
            typed = form.cleaned_data | {"entry": id_in(form.cleaned_data["entry"])}
            new = NewAdjustment(**typed)
            adjustments.adjust(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)
            self.say(_("It is on record; standings follow."))
            return reverse("desk-penalties", args=[event_id])

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _cancelled(self, event_id: UUID) -> HttpResponse:
        number, why = id_in(self.request.POST["cancel"]), plain(self.request.POST.get("why"), 300)

        def work() -> str:
            adjustments.cancel_adjustment(
                event_id=event_id,
                adjustment_id=number,
                why=why,
                by=self.visit.by,
                at=self.visit.at,
            )
            return reverse("desk-penalties", args=[event_id])

        try:
            return self.carried_out(work, said=_("It is taken back, and stays on record."))
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            return self._shown(self._form(), REFUSED, problem=interpreted(str(error)))

    def _form(self, *args: Any) -> AdjustmentForm:
        form = AdjustmentForm(*args)
        entries = queries.entries(event_of(self.visit)).order_by("number")
        who = form.fields["entry"]
        assert isinstance(who, forms.ChoiceField)
        who.choices = [(str(one.pk), shown_name(one.player, in_full=True)) for one in entries]
        return form

    def _shown(self, form: AdjustmentForm, status: int = 200, **more: Any) -> HttpResponse:
        event = event_of(self.visit)
        rows = queries.adjustments(event).select_related("entry__player__person").order_by("pk")
        named = [(row, shown_name(row.entry.player, in_full=True)) for row in rows]
        return self.shown({"event": event, "form": form, "rows": named, **more}, status)
