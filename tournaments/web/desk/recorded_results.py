"""Nights with results only at the desk: set up, and their results put down and corrected."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django import forms
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import MessageError
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.events import events
from tournaments.events.entries import ENTRIES_MAX
from tournaments.events.leagues import add_session
from tournaments.events.recorded_results import NewResult, record_results
from tournaments.imports.numbers import (
    DecimalMark,
    find_decimal_mark,
    is_absent,
    parse_number,
)
from tournaments.models import Event, League, RecordedResult, Status
from tournaments.models.limits import REASON_MAX
from tournaments.people.display_names import distinct_name, players_by_name, shared_names
from tournaments.web.desk.base import DeskFormView, EventMixin
from tournaments.web.desk.fields import MomentField
from tournaments.web.desk.forms import SHORT_NUMBER, SHORT_TEXT, DeskForm, DeskModelForm
from tournaments.web.number_format import NOTHING

_CORRECTED: Final = (Status.FINISHED, Status.OFFICIAL)
_METHODS: Final = {"points": {}, "chips": {"method": "chips"}, "penalty": {"method": "points"}}


class ResultsNightForm(DeskModelForm):
    """A night of which only the results are known."""

    starts_at = MomentField(label=gettext_lazy("When it was"))
    rule_set = forms.ChoiceField()
    counts = forms.ChoiceField(
        label=gettext_lazy("What is counted"),
        choices=(
            ("points", gettext_lazy("points or places, more points are better")),
            ("chips", gettext_lazy("chips, more are better")),
            ("penalty", gettext_lazy("penalty points, less is better")),
        ),
    )
    league = forms.ChoiceField(label=gettext_lazy("It counts in the league"), required=False)
    field_order = ["name", "starts_at", "counts", "league", "rule_set", "rank_guests", "is_hidden"]

    class Meta:
        model = Event
        fields = ["name", "rank_guests", "is_hidden"]

    def to_event(self) -> dict[str, Any]:
        """Return the settings of the event for `create_event`."""
        typed = self.cleaned_data
        return {
            "name": typed["name"],
            "starts_at": typed["starts_at"],
            "rule_set": UUID(typed["rule_set"]),
            "scoring": _METHODS[typed["counts"]],
            "rank_guests": typed["rank_guests"],
            "is_hidden": typed["is_hidden"],
            "is_results_only": True,
        }


class SetUpResults(DeskFormView[ResultsNightForm]):
    """A night whose hands were not recorded: its results are put down next."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/results_new.html"
    form_class = ResultsNightForm
    object: Event

    def get_form(self, form_class: Any = None) -> ResultsNightForm:
        form: ResultsNightForm = super().get_form(form_class)
        rules = selectors.rule_sets(self.club, retired=False).order_by("-created_at", "pk")
        form.set_choices("rule_set", [(row.pk, row.name) for row in rules])
        if not rules:
            words = _("The club has none yet: write them down first.")
            form.fields["rule_set"].help_text = words
        rows = League.objects.filter(club=self.club, closed_at=None).order_by("-created_at", "pk")
        is_editor = Right.LEAGUES_EDIT in self.rights
        known = [(row.pk, row.name) for row in rows] if is_editor else []
        form.set_choices("league", [("", NOTHING), *known])
        return form

    def save(self, form: ResultsNightForm) -> None:
        self.object = events.create_event(
            club_id=self.club.pk, new=form.to_event(), by=self.by, at=self.at
        )
        if league := form.cleaned_data["league"]:
            self.require(Right.LEAGUES_EDIT)
            add_session(league_id=UUID(league), event=self.object.pk, by=self.by, at=self.at)

    def get_success_url(self) -> str:
        return reverse("desk-results", args=[self.object.pk])


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A player with the fields of their result."""

    name: str
    fields: tuple[forms.BoundField, forms.BoundField]
    """Points and place."""


class ResultsForm(DeskForm):
    """The results of a night: a row for each player of the club; who has none was not there."""

    is_quiet = True
    why = forms.CharField(
        label=gettext_lazy("Why they are corrected"), max_length=REASON_MAX, required=False
    )

    def __init__(
        self,
        *args: Any,
        people: Iterable[tuple[UUID, str]],
        results: Mapping[UUID, RecordedResult],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names = dict(people)
        self.results = results
        self.sent: list[UUID] = []
        for player, name in self.names.items():
            known = results.get(player)
            self.fields[f"points_{player}"] = forms.CharField(
                label=_("Points of %(name)s") % {"name": name},
                max_length=40,
                required=False,
                initial=known.points if known else "",
                widget=SHORT_TEXT,
            )
            self.fields[f"place_{player}"] = forms.IntegerField(
                label=_("Place of %(name)s") % {"name": name},
                min_value=1,
                max_value=ENTRIES_MAX,
                required=False,
                initial=known.place if known else None,
                widget=SHORT_NUMBER,
            )

    def rows(self) -> Iterator[ResultRow]:
        """The rows as the page shows them."""
        for player, name in self.names.items():
            yield ResultRow(name, (self[f"points_{player}"], self[f"place_{player}"]))

    def clean(self) -> dict[str, Any]:
        """Read the points as people write them; the whole column says what 1.234 means."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        names = [f"points_{player}" for player in self.names]
        usual = DecimalMark.COMMA if get_format("DECIMAL_SEPARATOR") == "," else DecimalMark.POINT
        mark = find_decimal_mark(typed.get(name, "") for name in names) or usual
        for name in names:
            text = typed.get(name, "")
            try:
                typed[name] = "" if is_absent(text) else str(parse_number(text, mark))
            except MessageError as error:
                self.add_error(name, translate(error.message))
        return typed

    def to_results(self) -> list[NewResult]:
        """The results of all who have one; how many games they are from stays as it was."""
        typed = self.cleaned_data
        self.sent = [
            player for player in self.names if typed[f"points_{player}"] or typed[f"place_{player}"]
        ]
        return [
            NewResult(
                player=player,
                points=typed[f"points_{player}"],
                place=typed[f"place_{player}"],
                games=self.results[player].games if player in self.results else 0,
            )
            for player in self.sent
        ]

    def refuse(self, error: RefusedError) -> None:
        """Show a refusal of one result at the row of its player."""
        whole, _dot, rest = error.field.partition(".")
        number, _dot, key = rest.partition(".")
        if whole == "results" and number.isdigit() and int(number) < len(self.sent):
            field = f"{'place' if key == 'place' else 'points'}_{self.sent[int(number)]}"
            error = type(error)(error.message, field)
        super().refuse(error)


class Results(EventMixin, DeskFormView[ResultsForm]):
    """The results of a night with results only, put down or corrected with a reason."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/results.html"
    form_class = ResultsForm
    success_message = gettext_lazy("The results are saved.")

    def get_form_kwargs(self) -> dict[str, Any]:
        shared = shared_names(self.club)
        rows = {
            row.entry.player.merged_into_id or row.entry.player_id: row
            for row in selectors.recorded_results(self.event)
        }
        people = {player: distinct_name(row.entry.player, shared) for player, row in rows.items()}
        for player, name in players_by_name(self.club):
            people.setdefault(player.pk, name)
        return super().get_form_kwargs() | {"people": people.items(), "results": rows}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        is_correction = self.event.status in _CORRECTED
        about = {"version": self.event.version, "is_correction": is_correction}
        return super().get_context_data(**{**about, **kwargs})

    def save(self, form: ResultsForm) -> None:
        record_results(
            event_id=self.event.pk,
            results=form.to_results(),
            why=form.cleaned_data["why"],
            version=self.version_seen(),
            by=self.by,
            at=self.at,
        )

    def get_success_url(self) -> str:
        return reverse("desk-event", args=[self.event.pk])
