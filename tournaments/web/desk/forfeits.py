"""Forfeits of an event, and scores given instead of what was played: decided, and taken back."""

from typing import Any, Final
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.core.ids import parse_id
from tournaments.events import decisions
from tournaments.events.decisions import NewDecision
from tournaments.events.events import HANDS_MOST, ROUNDS_MOST
from tournaments.models import DecisionKind, Event, SeatDecision, Stage
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.score_entries import EnteredScores
from tournaments.web.desk.sessions import event_of

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
        return NewDecision(
            **typed | {"entry": parse_id(typed["entry"]) if typed["entry"] else None}
        )


class Forfeits(EnteredScores[DecisionForm]):
    """All that was decided of seats, and a form for one more."""

    template = "desk/forfeits.html"
    address = "desk-forfeits"

    def new_form(self, *args: Any) -> DecisionForm:
        return DecisionForm(*args, initial={"round": self._last_round()})

    def rows(self, event: Event) -> QuerySet[SeatDecision]:
        return selectors.decisions(event).order_by("pk")

    def put(self, event_id: UUID, form: DecisionForm) -> None:
        new = form.decision()
        decisions.decide_seats(event_id=event_id, new=new, by=self.visit.by, at=self.visit.at)

    def take_back(self, event_id: UUID, number: UUID, why: str) -> None:
        decisions.cancel_decision(
            event_id=event_id, decision_id=number, why=why, by=self.visit.by, at=self.visit.at
        )

    def _last_round(self) -> int | None:
        begun = event_of(self.visit).round_rows.exclude(stage=Stage.DRAWN).order_by("-number")
        return begun.values_list("number", flat=True).first()
