"""Setting an event up, and changing what was set up."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy

from engine.rules.presets import preset
from engine.rules.rule_sheet import title_of
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.events import events
from tournaments.models import Event, Stage
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules
from tournaments.standings import ScoringRules
from tournaments.web.desk.base import DeskFormView, DeskMixin, DeskUpdateView, EventMixin
from tournaments.web.desk.event_form import EventForm, initial_for_new_event
from tournaments.web.desk.round_rules_fields import PRESET_PREFIX, last_by_rules


class EventFormMixin(DeskMixin):
    """The form of an event; with the button ``read`` it only says what the answers come to."""

    template_name = "desk/event_form.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "read" not in request.POST:
            answered: HttpResponse = super().post(request, *args, **kwargs)  # type: ignore[misc]
            return answered
        form: EventForm = self.get_form()  # type: ignore[attr-defined]
        form.is_valid()
        return self.render(form=form)

    def get_form_kwargs(self) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_form_kwargs()  # type: ignore[misc]
        return kwargs | {"club": self.club, "presets": Right.RULES_EDIT in self.rights}

    def read_values(self, form: EventForm) -> dict[str, Any]:
        """Return the typed settings; standard rules that were chosen become the club's."""
        wanted = form.to_values()
        chosen = sorted({wanted["rule_set"], *wanted["round_rules"].values()})
        if any(value.startswith(PRESET_PREFIX) for value in chosen):
            self.require(Right.RULES_EDIT)
        made = {
            value: find_rules(value, club_id=self.club.pk, by=self.by, at=self.at)
            for value in chosen
        }
        wanted["rule_set"] = made[wanted["rule_set"]]
        wanted["round_rules"] = {
            number: str(made[value]) for number, value in wanted["round_rules"].items()
        }
        return wanted


class SetUp(EventFormMixin, DeskFormView[EventForm]):
    """A new event: the form has what is usual in the club, as at its last night."""

    needs = Right.EVENTS_EDIT
    form_class = EventForm
    object: Event

    @cached_property
    def last(self) -> Event | None:
        """The last night of the club, or the last by the house rules that the address names."""
        wanted = self.request.GET.get("rules", "")
        if wanted:
            return last_by_rules(self.club).get(wanted)
        return selectors.events(self.club).order_by("-starts_at", "-pk").first()

    def get_initial(self) -> dict[str, Any]:
        if self.request.POST:
            return {}
        wanted = {"rule_set": self.request.GET["rules"]} if self.request.GET.get("rules") else {}
        return initial_for_new_event(self.at, self.club, self.last) | wanted

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        last = None if self.request.POST else self.last
        return super().get_context_data(**{"last": last, **kwargs})

    def save(self, form: EventForm) -> None:
        self.object = events.create_event(
            club_id=self.club.pk, new=self.read_values(form), by=self.by, at=self.at
        )

    def get_success_url(self) -> str:
        return reverse("desk-event", args=[self.object.pk])


def find_rules(chosen: str, *, club_id: UUID, by: Actor, at: datetime) -> UUID:
    """Return the rule set that was chosen; standard rules become the club's with that."""
    if not chosen.startswith(PRESET_PREFIX):
        return UUID(chosen)
    name = chosen.removeprefix(PRESET_PREFIX)
    new = HouseRules(name=translate(title_of(preset(name))), preset=name)
    return rule_sets.make_rule_set(club_id=club_id, new=new, by=by, at=at).pk


class EventSettings(EventMixin, EventFormMixin, DeskUpdateView[EventForm]):
    """An event, changed; standings follow by themselves."""

    needs = Right.EVENTS_EDIT
    form_class = EventForm
    success_message = gettext_lazy("Saved.")

    def get_object(self, queryset: QuerySet[Event] | None = None) -> Event:
        event = selectors.event(self.event.pk)
        if event is None:
            raise NotThereError
        return event

    def get_success_url(self) -> str:
        return reverse("desk-event", args=[self.event.pk])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        has_begun = self.event.round_rows.exclude(stage=Stage.DRAWN).exists()
        return super().get_context_data(**{"has_begun": has_begun, **kwargs})

    def save(self, form: EventForm) -> None:
        changes = _changes(self.read_values(form), self.get_object())
        events.change_event(
            event_id=self.event.pk,
            changes=changes,
            version=self.version,
            why=form.cleaned_data.get("why", ""),
            by=self.by,
            at=self.at,
        )


def _changes(wanted: dict[str, Any], event: Event) -> dict[str, Any]:
    """Return changes to the event as it stands: what has been fixed may be sent as it is."""
    wanted["sizes"] = wanted["sizes"] or event.sizes
    if wanted["sit_outs"] is None:
        wanted["sit_outs"] = len(set(wanted["sizes"])) == 1
    wanted["scoring"] = {**ScoringRules().to_data(), **wanted["scoring"]}
    wishes = {
        "top_first": events.wishes_of(event).top_first,
        "closed_tables": events.closed_tables_of(event),
    }
    stands = {name: getattr(event, name) for name in wanted} | {
        "rule_set": event.rule_set_id,
        "scoring": events.scoring_of(event).to_data(),
        "prizes": json.loads(events.prizes_of(event).to_json()),
        "wishes": {name: value for name, value in wishes.items() if value},
    }
    return {name: value for name, value in wanted.items() if value != stands[name]}
