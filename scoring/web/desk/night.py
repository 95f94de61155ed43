"""The page of an event at the desk, from check-in to the last table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.messages import message_of
from scoring.web.desk.live_overview import floor_context
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError, StaleError
from tournaments.core.language import translate
from tournaments.core.name_folding import LETTERS
from tournaments.events import seating
from tournaments.events.events import corrections_until
from tournaments.events.rounds import OutdatedError
from tournaments.events.seating import DrawRequest
from tournaments.models import (
    Entry,
    Event,
    Presence,
    Round,
    Scope,
    Stage,
    Status,
)
from tournaments.people.bars import barred_players
from tournaments.people.display_names import (
    distinct_name,
    distinct_names,
    players_by_name,
    shared_names,
)
from tournaments.publishing.official import find_current
from tournaments.web.desk.base import ActionMixin, DeskPage, EventMixin
from tournaments.web.desk.drawn_round import proposed_rounds, to_drawn_round
from tournaments.web.number_format import parse_number
from tournaments.web.standings import names_in
from tournaments.web.table_status import amendment_fields, describe_status

WALK_IN: Final = "walk_in"
"""In the session: as what the last walk-in of a night was entered, to be offered again."""
_OVER: Final = (Status.FINISHED, Status.OFFICIAL)


@dataclass(frozen=True, slots=True)
class Attendee:
    """A row of the check-in list: an entry and the name shown for it."""

    entry: Entry
    name: str

    @property
    def late(self) -> bool:
        """Whether they play only from a later round on."""
        return self.entry.first > 1


class NightPage(EventMixin, DeskPage):
    """The page of an event: check-in list, rounds and tables of one night."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/tonight.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # Read again: an action may have been refused because somebody else was quicker.
        event = selectors.event(self.event.pk)
        if event is None:
            raise NotThereError
        rows = list(selectors.rounds(event))
        people = _people(event)
        names = {one.entry.pk: one.name for one in people["entries"]}
        walked_in = self.request.session.get(WALK_IN, {})
        context = {
            "event": event,
            "barred": barred_players(event.club, self.at),
            "rows": rows,
            "version": event.version,
            "is_over": event.status in _OVER,
            "until": corrections_until(event),
            "letters": LETTERS,
            **self._official(event),
            "walk_in": {"kind": walked_in.get(str(event.pk))},
            **people,
            **self._play(event, rows, names),
        }
        return super().get_context_data(**{**context, **kwargs})

    def _official(self, event: Event) -> dict[str, Any]:
        """What the official table is, and what an amendment of it would move; else nothing."""
        if event.status != Status.OFFICIAL:
            return {}
        found = find_current(Scope.EVENT, event.pk)
        names = names_in(found, event.club, in_full=True).names
        sheet = describe_status(found, names, in_full=True)
        return {"sheet_status": sheet, **amendment_fields(sheet, self.request.POST)}

    def _play(
        self, event: Event, rows: Sequence[Round], names: Mapping[UUID, str]
    ) -> dict[str, Any]:
        """What there is to see of the rounds: the one that plays, or the one to come."""
        playing = next((row for row in rows if row.stage == Stage.PLAYING), None)
        begun = sum(row.stage != Stage.DRAWN for row in rows)
        stages = {row.number: row.stage for row in rows}
        closed = [row for row in rows if row.stage == Stage.CLOSED]
        found: dict[str, Any] = {
            "playing": playing,
            "next_number": begun + 1 if begun < event.rounds else None,
            "closed": [(row, to_drawn_round(row, names)) for row in closed],
            "line": [(number, stages.get(number, "")) for number in range(1, event.rounds + 1)],
        }
        if playing is not None:
            found |= floor_context(event, playing, self.at)
            found["untold"] = not any(table.last_at for table, *_ in found["tables"])
        waiting = [row for row in rows if row.stage == Stage.DRAWN]
        if waiting:
            found["drawn"] = to_drawn_round(waiting[0], names)
            found["later"] = [to_drawn_round(row, names) for row in waiting[1:]]
        if "draw" in self.request.GET and playing is None and event.status not in _OVER:
            found |= self._proposal(event, names)
        return found

    def _proposal(self, event: Event, names: Mapping[UUID, str]) -> dict[str, Any]:
        attempt = min(parse_number(self.request.GET.get("draw")), 1000)
        try:
            found = seating.propose(event_id=event.pk, wanted=DrawRequest(attempt=attempt))
        except RefusedError as error:
            return {"cannot_seat": translate(message_of(error))}
        rounds = proposed_rounds(found, self.rights, names)
        return {
            "proposal": rounds[0],
            "proposed_later": rounds[1:],
            "attempt": attempt,
            "another": attempt + 1,
        }


def _people(event: Event) -> dict[str, Any]:
    """Who is here, who is expected, who left; and whom the club knows besides."""
    shared = shared_names(event.club)
    entries = [
        Attendee(entry, distinct_name(entry.player, shared))
        for entry in selectors.entries(event).order_by("number")
    ]
    entered = {one.entry.player_id for one in entries}
    known = [
        (player, name) for player, name in players_by_name(event.club) if player.pk not in entered
    ]
    by_presence: dict[str, list[Attendee]] = {str(kind): [] for kind in Presence}
    for one in entries:
        by_presence[one.entry.presence].append(one)
    gone = by_presence[Presence.LEFT] + by_presence[Presence.WITHDRAWN]
    return {
        "entries": entries,
        "here": by_presence[Presence.HERE],
        "expected": by_presence[Presence.EXPECTED],
        "gone": gone,
        "members": [pair for pair in known if pair[0].kind == "member"],
        "known": known,
    }


class NightAction(ActionMixin, NightPage):
    """An action on a night."""

    anchor = "play"
    """The part of the screen that shows what was done."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Whoever comes by the address alone goes to the screen."""
        return redirect("desk-event", self.event.pk)

    def get_success_url(self) -> str:
        return f"{reverse('desk-event', args=[self.event.pk])}#{self.anchor}"

    def explain(self, error: RefusedError) -> str:
        """In the words of somebody who knows everybody here."""
        if isinstance(error, StaleError):
            return _("Somebody changed this night meanwhile; look again at what stands below.")
        if not isinstance(error, OutdatedError):
            return super().explain(error)
        came, left = error.since.came, error.since.left
        names = distinct_names(self.club, [one.player_id for one in (*came, *left)])
        words = (
            (came, _("After it was drawn there came: %(names)s.")),
            (left, _("After it was drawn there left: %(names)s.")),
        )
        said = [
            text % {"names": "; ".join(names[str(one.player_id)] for one in entries)}
            for entries, text in words
            if entries
        ]
        return " ".join([*said, _("Draw the round again, or seat it by hand.")])
