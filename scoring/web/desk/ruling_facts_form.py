"""The form by which a director tells what happened at a table, where no record shows it."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy

from engine.record.irregularities import IRREGULARITIES, Named, find_by_name
from engine.seats import Seat
from scoring.hands.rulings import Incident
from scoring.models import Finding, Game
from scoring.presentation.answers import seats_of
from scoring.web.cards import sitter_name
from tournaments.core.language import translated_lazily
from tournaments.web.desk.forms import DeskForm

_NAMES: Final = ("what", "by", "when")


class IncidentForm(DeskForm):
    """What happened, by whom, and whether it was found in time; it stands in the address."""

    is_quiet = True
    what = forms.ChoiceField(
        label=gettext_lazy("Irregularity"),
        choices=[
            ("", gettext_lazy("what the record shows")),
            *((event.name, translated_lazily(row.title)) for event, row in IRREGULARITIES.items()),
        ],
        required=False,
    )
    when = forms.ChoiceField(
        label=gettext_lazy("When it was found, it was"),
        choices=[
            (Finding.ESTABLISHED, gettext_lazy("established")),
            (Finding.BEFORE_ESTABLISHED, gettext_lazy("not established yet")),
        ],
        required=False,
    )

    def __init__(self, *args: Any, game: Game, names: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.seats = seats_of(game)
        self.fields["by"] = forms.MultipleChoiceField(
            label=gettext_lazy("Who did it"),
            choices=[(name, sitter_name(name, names)) for name in self.seats],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        self.order_fields(["what", "by", "when"])

    @property
    def incident(self) -> Incident | None:
        """What was told; None where nothing was, or nothing that can be."""
        if not self.is_bound or not self.is_valid():
            return None
        what: Named | None = find_by_name(self.cleaned_data["what"])
        if what is None:
            return None
        offenders = tuple(Seat(self.seats.index(name)) for name in self.cleaned_data["by"])
        return Incident(what, offenders, self.cleaned_data["when"] == Finding.BEFORE_ESTABLISHED)

    @property
    def query(self) -> str:
        """What was told, for an address that says more; nothing where nothing was."""
        if self.incident is None:
            return ""
        told = {name: self.cleaned_data[name] for name in _NAMES if self.cleaned_data[name]}
        return urlencode(told, doseq=True) + "&"
