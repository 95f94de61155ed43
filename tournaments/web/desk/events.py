"""Setting an event up, and changing what was set up."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.rule_sheet import title_of
from engine.rules.presets import preset
from tournaments import selectors
from tournaments.access import rights
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.events import events
from tournaments.events.events import NewEvent
from tournaments.models import Event, RuleSet, Stage
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules
from tournaments.standings import ScoringRules
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.event_form import NEW, EventForm, initial_of, usual_of
from tournaments.web.desk.sessions import event_of, event_place


class SetUp(DeskPage):
    """A new event."""

    needs = Right.EVENTS_EDIT
    template = "desk/event_form.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """A form with what is usual in the club: as at its last night, where there was one."""
        last = selectors.events(self.visit.club).order_by("-starts_at", "-pk").first()
        initial = usual_of(self.visit.at, self.visit.club, last)
        return self.shown({"form": self._form(initial=initial), "last": last})

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Set it up."""
        form = self._form(request.POST)

        def work() -> str:
            wanted = form.wanted()
            wanted["rule_set"] = self._rule_set(wanted["rule_set"])
            wanted["sizes"] = wanted["sizes"] or None
            event = events.create_event(
                club_id=club_id, new=NewEvent(**wanted), by=self.visit.by, at=self.visit.at
            )
            return reverse("desk-event", args=[event.pk])

        return self.saved(form, work) or self.shown({"form": form}, REFUSED)

    def _form(self, *args: Any, **more: Any) -> EventForm:
        presets = Right.RULES_EDIT in self.visit.rights
        return EventForm(*args, club=self.visit.club, presets=presets, **more)

    def _rule_set(self, chosen: str) -> UUID:
        """The rules that were chosen; standard ones become the club's with that."""
        if not chosen.startswith(NEW):
            return UUID(chosen)
        rights.admit(self.visit.asker, Place(self.visit.club), Right.RULES_EDIT)
        name = chosen.removeprefix(NEW)
        new = HouseRules(name=translate(title_of(preset(name))), preset=name)
        made: RuleSet = rule_sets.make_rule_set(
            club_id=self.visit.club.pk, new=new, by=self.visit.by, at=self.visit.at
        )
        return made.pk


class EventSettings(DeskPage):
    """An event, changed."""

    needs = Right.EVENTS_EDIT
    template = "desk/event_form.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """The settings as they stand."""
        event = event_of(self.visit)
        return self._shown(EventForm(club=event.club, kept=event, initial=initial_of(event)))

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Change what differs; standings follow by themselves."""
        event, version = event_of(self.visit), self.version_seen()
        form = EventForm(request.POST, club=event.club, kept=event)

        def work() -> str:
            events.change_event(
                event_id=event_id,
                changes=_changes(form, event_id),
                version=version,
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("Saved."))
            return reverse("desk-event", args=[event_id])

        def current() -> Mapping[str, Any]:
            now = selectors.event(event_id)
            return {} if now is None else initial_of(now)

        return self.saved(form, work, current) or self._shown(form, REFUSED)

    def _shown(self, form: EventForm, status: int = 200) -> HttpResponse:
        event = selectors.event(event_of(self.visit).pk)
        if event is None:
            raise NotThereError
        has_begun = event.round_rows.exclude(stage=Stage.DRAWN).exists()
        context = {"form": form, "event": event, "version": event.version, "has_begun": has_begun}
        return self.shown(context, status)


def _wishes(event: Event) -> dict[str, Any]:
    """The wishes of an event as its form writes them."""
    found = {
        "top_first": events.wishes_of(event).top_first,
        "closed_tables": events.closed_tables_of(event),
    }
    return {name: value for name, value in found.items() if value}


def _changes(form: EventForm, event_id: UUID) -> dict[str, Any]:
    """What differs from how the event stands: what has been fixed may be sent as it is."""
    event = selectors.event(event_id)
    if event is None:
        raise NotThereError
    wanted = form.wanted()
    wanted["rule_set"] = UUID(wanted["rule_set"])
    wanted["sizes"] = wanted["sizes"] or event.sizes
    if wanted["sit_outs"] is None:
        wanted["sit_outs"] = len(set(wanted["sizes"])) == 1
    wanted["scoring"] = {**ScoringRules().to_data(), **wanted["scoring"]}
    stands = {name: getattr(event, name) for name in wanted} | {
        "rule_set": event.rule_set_id,
        "scoring": events.scoring_of(event).to_data(),
        "prizes": json.loads(events.prizes_of(event).to_json()),
        "wishes": _wishes(event),
    }
    return {name: value for name, value in wanted.items() if value != stands[name]}
