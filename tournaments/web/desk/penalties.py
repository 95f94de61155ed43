"""Penalties and bonuses of an event: given with a reason, taken back, never changed."""

from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.core.ids import parse_id
from tournaments.events import adjustments
from tournaments.events.adjustments import NewAdjustment
from tournaments.events.events import ROUNDS_MOST
from tournaments.models import Adjustment, Event
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.score_entries import EnteredScores


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


class Penalties(EnteredScores[AdjustmentForm]):
    """All of them, and a form for one more."""

    template = "desk/penalties.html"
    address = "desk-penalties"

    def new_form(self, *args: Any) -> AdjustmentForm:
        return AdjustmentForm(*args)

    def rows(self, event: Event) -> QuerySet[Adjustment]:
        return selectors.adjustments(event).select_related("entry__player__person").order_by("pk")

    def put(self, event_id: UUID, form: AdjustmentForm) -> None:
        typed = form.cleaned_data | {"entry": parse_id(form.cleaned_data["entry"])}
        new = NewAdjustment(**typed)
        adjustments.adjust(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)

    def take_back(self, event_id: UUID, number: UUID, why: str) -> None:
        adjustments.cancel_adjustment(
            event_id=event_id, adjustment_id=number, why=why, by=self.visit.by, at=self.visit.at
        )
