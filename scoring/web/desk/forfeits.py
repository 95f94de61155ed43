"""Forfeits of an event, and scores given instead of what was played: decided, and taken back."""

from collections.abc import Mapping
from typing import Any, Final
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
from scoring.web.sheet import NOT_KNOWN
from tournaments import decisions, queries
from tournaments.access import Place, Right
from tournaments.decisions import NewDecision
from tournaments.events import HANDS_MOST, ROUNDS_MOST
from tournaments.interpreter import interpreted
from tournaments.models import DecisionKind, Stage
from tournaments.queries import shown_name
from tournaments.refusals import NotAllowedError, NotThereError, RefusedError

_KINDS: Final = (
    (DecisionKind.FORFEIT, gettext_lazy("He left early, or never came")),
    (DecisionKind.SCORE, gettext_lazy("He gets a score instead of what was played")),
)


class DecisionForm(DeskForm):
    """Whom it is about, and what is decided."""

    kind = forms.ChoiceField(label=gettext_lazy("What happened"), choices=_KINDS)
    round = forms.IntegerField(
        label=gettext_lazy("In which round"),
        min_value=1,
        max_value=ROUNDS_MOST,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    entry = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    table = forms.IntegerField(
        label=gettext_lazy("Or everybody at table"),
        min_value=1,
        max_value=1000,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    hands = forms.IntegerField(
        label=gettext_lazy("How many hands he played"),
        min_value=0,
        max_value=HANDS_MOST,
        required=False,
        widget=forms.NumberInput(attrs={"class": "short"}),
        help_text=gettext_lazy(
            "Of somebody who left early. If empty: those that he sat in himself, without a"
            " substitute."
        ),
    )
    amount = forms.CharField(
        label=gettext_lazy("The score that he gets"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("In the unit of the standings, such as 3/2 or -1."),
        widget=forms.TextInput(attrs={"class": "short"}),
    )
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=300)

    def decision(self) -> NewDecision:
        """What is to be decided. Raises RefusedError."""
        typed = self.cleaned_data
        return NewDecision(**typed | {"entry": id_in(typed["entry"]) if typed["entry"] else None})


class Forfeits(DeskPage):
    """All that was decided of seats, and a form for one more."""

    needs = Right.EVENTS_EDIT
    template = "desk/forfeits.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Those that hold, and those that were taken back."""
        return self._shown(self._form(initial={"round": self._last_round()}))

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Decide on a seat or a table, or take a decision back."""
        if "cancel" in request.POST:
            return self._cancelled(event_id)
        form = self._form(request.POST)

        def work() -> str:
            new = form.decision()
            decisions.decide_seats(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)
            self.say(_("It is on record; standings follow."))
            return reverse("desk-forfeits", args=[event_id])

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _cancelled(self, event_id: UUID) -> HttpResponse:
        number, why = id_in(self.request.POST["cancel"]), plain(self.request.POST.get("why"), 300)

        def work() -> str:
            decisions.cancel_decision(
                event_id=event_id,
                decision_id=number,
                why=why,
                by=self.visit.by,
                at=self.visit.at,
            )
            return reverse("desk-forfeits", args=[event_id])

        try:
            return self.carried_out(work, said=_("It is taken back, and stays on record."))
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            return self._shown(self._form(), REFUSED, problem=interpreted(str(error)))

    def _last_round(self) -> int | None:
        begun = event_of(self.visit).round_rows.exclude(stage=Stage.DRAWN).order_by("-number")
        return begun.values_list("number", flat=True).first()

    def _form(self, *args: Any, **more: Any) -> DecisionForm:
        form = DecisionForm(*args, **more)
        entries = queries.entries(event_of(self.visit)).order_by("number")
        who = form.fields["entry"]
        assert isinstance(who, forms.ChoiceField)
        named = [(str(one.pk), shown_name(one.player, in_full=True)) for one in entries]
        who.choices = [("", NOT_KNOWN), *named]
        return form

    def _shown(self, form: DecisionForm, status: int = 200, **more: Any) -> HttpResponse:
        event = event_of(self.visit)
        rows = queries.decisions(event).order_by("pk")
        named = [(row, shown_name(row.entry.player, in_full=True)) for row in rows]
        return self.shown({"event": event, "form": form, "rows": named, **more}, status)
