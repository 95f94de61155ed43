"""Entries of a director about an event's scores: penalties, bonuses, decisions on seats.

Each is given with a reason, taken back, and never changed.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.events import adjustments, decisions
from tournaments.events.decisions import NewDecision
from tournaments.models import Adjustment, DecisionKind, Event, SeatDecision, Stage
from tournaments.models.limits import HANDS_MAX, REASON_MAX, ROUNDS_MAX, TABLE_NUMBER_MAX
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, EventMixin
from tournaments.web.desk.forms import SHORT_NUMBER, SHORT_TEXT, DeskModelForm, clean_line
from tournaments.web.number_format import NOTHING


class ScoreEntryForm(DeskModelForm):
    """The people of an event whom it is about; ``initial`` may need the event too."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shared = shared_names(event.club)
        entries = selectors.entries(event).order_by("number")
        who = self.fields["entry"]
        assert isinstance(who, forms.ChoiceField)
        nobody = [] if who.required else [("", NOTHING)]
        who.choices = nobody + [
            (str(entry.pk), distinct_name(entry.player, shared)) for entry in entries
        ]

    def clean_entry(self) -> UUID | None:
        """The id of the entry."""
        chosen = self.cleaned_data["entry"]
        return parse_id(chosen) if chosen else None


class AdjustmentForm(ScoreEntryForm):
    """An adjustment: who gets how much, and why."""

    entry = forms.ChoiceField(label=gettext_lazy("Who"))
    round = forms.IntegerField(
        label=gettext_lazy("In which round"), min_value=1, max_value=ROUNDS_MAX, required=False
    )
    field_order = ["entry", "amount", "reason", "round"]

    class Meta:
        model = Adjustment
        fields = ["amount", "reason", "affects_place"]
        labels = {
            "amount": gettext_lazy("How much"),
            "reason": gettext_lazy("Why"),
            "affects_place": gettext_lazy("It changes places at the table too"),
        }
        help_texts = {
            "amount": gettext_lazy(
                "In the unit of the score: a penalty begins with a minus, such as -3 or -1/2."
            ),
        }
        widgets = {"amount": SHORT_TEXT}


class DecisionForm(ScoreEntryForm):
    """A decision, and whom it is about."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What happened"),
        choices=(
            (DecisionKind.FORFEIT, gettext_lazy("They left early, or never came")),
            (DecisionKind.SCORE, gettext_lazy("They get a score instead of what was played")),
        ),
    )
    round = forms.IntegerField(
        label=gettext_lazy("In which round"),
        min_value=1,
        max_value=ROUNDS_MAX,
        widget=SHORT_NUMBER,
    )
    entry = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    table = forms.IntegerField(
        label=gettext_lazy("Or everybody at table"),
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        required=False,
        widget=SHORT_NUMBER,
    )
    hands = forms.IntegerField(
        label=gettext_lazy("How many hands they played"),
        min_value=0,
        max_value=HANDS_MAX,
        required=False,
        widget=SHORT_NUMBER,
        help_text=gettext_lazy(
            "Of somebody who left early. If empty: those that they sat in themselves, without a"
            " substitute."
        ),
    )
    field_order = ["kind", "round", "entry", "table", "hands", "amount", "reason"]

    class Meta:
        model = SeatDecision
        fields = ["amount", "reason"]
        labels = {
            "amount": gettext_lazy("The score that they get"),
            "reason": gettext_lazy("Why"),
        }
        help_texts = {
            "amount": gettext_lazy("In the unit of the standings, such as 3/2 or -1."),
        }
        widgets = {"amount": SHORT_TEXT}


FormT = TypeVar("FormT", bound=ScoreEntryForm)


class ScoreEntries(ButtonsMixin, EventMixin, DeskFormView[FormT]):
    """All of a kind, those that hold and those that were taken back, and a form for one more."""

    needs = Right.EVENTS_EDIT
    buttons = ("cancel",)
    success_message = gettext_lazy("Saved. The standings will update.")
    title: ClassVar[Promise]

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"event": self.event}

    def get_rows(self) -> Iterable[Adjustment | SeatDecision]:
        """All that is on record, in the order in which it was put there."""
        raise NotImplementedError

    def take_back(self, row: UUID, why: str) -> None:
        """Take one back. Raises RefusedError."""
        raise NotImplementedError

    def cancel(self, row: str) -> str:
        """Take one back."""
        self.take_back(parse_id(row), clean_line(self.request.POST.get("why"), REASON_MAX))
        return _("It no longer counts, and stays on record.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shared = shared_names(self.event.club)
        rows = [(row, distinct_name(row.entry.player, shared)) for row in self.get_rows()]
        return super().get_context_data(**{"rows": rows, "title": self.title, **kwargs})


class Penalties(ScoreEntries[AdjustmentForm]):
    """Penalties and bonuses."""

    template_name = "desk/penalties.html"
    form_class = AdjustmentForm
    title = gettext_lazy("Penalties and bonuses")

    def get_rows(self) -> Iterable[Adjustment]:
        rows = selectors.adjustments(self.event).order_by("pk")
        return rows.select_related("entry__player__person")

    def save(self, form: AdjustmentForm) -> None:
        adjustments.adjust_score(
            event_id=self.event.pk, **form.cleaned_data, by=self.by, at=self.at
        )

    def take_back(self, row: UUID, why: str) -> None:
        adjustments.cancel_adjustment(
            event_id=self.event.pk, adjustment_id=row, why=why, by=self.by, at=self.at
        )


class Forfeits(ScoreEntries[DecisionForm]):
    """Forfeits and given scores."""

    template_name = "desk/forfeits.html"
    form_class = DecisionForm
    title = gettext_lazy("Forfeits and given scores")

    def get_initial(self) -> dict[str, Any]:
        begun = self.event.round_rows.exclude(stage=Stage.DRAWN).order_by("-number")
        return {"round": begun.values_list("number", flat=True).first()}

    def get_rows(self) -> Iterable[SeatDecision]:
        return selectors.decisions(self.event).order_by("pk")

    def save(self, form: DecisionForm) -> None:
        new = NewDecision(**form.cleaned_data)
        decisions.decide_seats(event_id=self.event.pk, new=new, by=self.by, at=self.at)

    def take_back(self, row: UUID, why: str) -> None:
        decisions.cancel_decision(
            event_id=self.event.pk, decision_id=row, why=why, by=self.by, at=self.at
        )
