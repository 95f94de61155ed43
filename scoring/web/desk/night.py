"""The page of an event at the desk, from check-in to the last table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.messages import message_of
from engine.rules.organisation import correctable_until
from scoring.web.desk.live_overview import floor_context
from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.core.errors import NotAllowedError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.name_folding import LETTERS
from tournaments.events import seating
from tournaments.events.rounds import OutdatedError, Since
from tournaments.events.seating import DrawRequest
from tournaments.models import (
    Club,
    Entry,
    Event,
    PlayerKind,
    Presence,
    Round,
    Stage,
    Status,
)
from tournaments.people.bars import barred_players
from tournaments.people.display_names import name_apart, players_by_name, shared_names, told_apart
from tournaments.people.rule_sets import rules_of
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.drawn_round import drawn, proposed
from tournaments.web.desk.sessions import event_of, event_place
from tournaments.web.number_format import parse_number

_WALK_IN: Final = "walk_in"
_OVER: Final = (Status.FINISHED, Status.OFFICIAL)


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody of the event's list, by name."""

    entry: Entry
    name: str

    @property
    def late(self) -> bool:
        """Whether he plays only from a later round on."""
        return self.entry.first > 1


class Tonight(DeskPage):
    """One screen for the whole night."""

    needs = Right.EVENTS_EDIT
    template = "desk/tonight.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Everything as it stands."""
        return self.tonight()

    def tonight(self, problem: str = "", status: int = 200, **more: Any) -> HttpResponse:
        """The screen, perhaps with why something could not be done."""
        event = selectors.event(event_of(self.visit).pk)
        if event is None:
            raise NotThereError
        rows = list(selectors.rounds(event))
        people = _people(event)
        names = {one.entry.pk: one.name for one in people["entries"]}
        context = {
            "event": event,
            "barred": barred_players(event.club, self.visit.at),
            "problem": problem,
            "rows": rows,
            "version": event.version,
            "is_over": event.status in _OVER,
            "until": _until(event),
            "letters": LETTERS,
            "walk_in": {"kind": self._walk_in_kind()},
            **people,
            **self._play(event, rows, names),
        }
        return self.shown(context | more, status)

    def _walk_in_kind(self) -> str:
        """What the last walk-in of this night was entered as: the next one is offered the same."""
        event_id, kind = self.request.session.get(_WALK_IN, ("", ""))
        is_same = event_id == str(event_of(self.visit).pk)
        return str(kind) if is_same else str(PlayerKind.MEMBER)

    def remember_kind(self, kind: PlayerKind) -> None:
        """Offer this kind for the next walk-in of this night."""
        self.request.session[_WALK_IN] = (str(event_of(self.visit).pk), str(kind))

    def _play(
        self, event: Event, rows: Sequence[Round], names: Mapping[UUID, str]
    ) -> dict[str, Any]:
        """What there is to see of the rounds: the one that plays, or the one to come."""
        playing = next((row for row in rows if row.stage == Stage.PLAYING), None)
        begun = sum(row.stage != Stage.DRAWN for row in rows)
        closed = [row for row in rows if row.stage == Stage.CLOSED]
        found: dict[str, Any] = {
            "playing": playing,
            "next_number": begun + 1 if begun < event.rounds else None,
            "closed": [(row, drawn(row, names)) for row in closed],
            "line": [(number, _stage(number, rows)) for number in range(1, event.rounds + 1)],
        }
        if playing is not None:
            found |= floor_context(event, playing, self.visit.at)
            found["untold"] = not any(table.last_at for table, _ago in found["tables"])
        waiting = [row for row in rows if row.stage == Stage.DRAWN]
        if waiting:
            found["drawn"] = drawn(waiting[0], names)
            found["later"] = [drawn(row, names) for row in waiting[1:]]
        if "draw" in self.request.GET and playing is None and event.status not in _OVER:
            found |= self._proposal(event, names)
        return found

    def _proposal(self, event: Event, names: Mapping[UUID, str]) -> dict[str, Any]:
        attempt = min(parse_number(self.request.GET.get("draw")), 1000)
        try:
            found = seating.propose(event_id=event.pk, wanted=DrawRequest(attempt=attempt))
        except RefusedError as error:
            return {"cannot_seat": translate(message_of(error))}
        rounds = proposed(found, self.visit.rights, names)
        return {
            "proposal": rounds[0],
            "proposed_later": rounds[1:],
            "attempt": attempt,
            "another": attempt + 1,
        }


def _stage(number: int, rows: Sequence[Round]) -> str:
    return next((row.stage for row in rows if row.number == number), "")


def _until(event: Event) -> Any:
    """The end of the correction period of a finished event."""
    if event.finished_at is None:
        return None
    return correctable_until(rules_of(event.rule_set), event.finished_at)


def _people(event: Event) -> dict[str, Any]:
    """Who is here, who is expected, who left; and whom the club knows besides."""
    shared = shared_names(event.club)
    entries = [
        Present(entry, name_apart(entry.player, shared))
        for entry in selectors.entries(event).order_by("number")
    ]
    entered = {one.entry.player_id for one in entries}
    known = [
        (player, name) for player, name in players_by_name(event.club) if player.pk not in entered
    ]
    by_presence: dict[str, list[Present]] = {str(kind): [] for kind in Presence}
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


class Deed(Tonight):
    """Something that is done on the screen; refused, the screen says why."""

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Whoever comes by the address alone goes to the screen."""
        return HttpResponseRedirect(self.back())

    def back(self, place: str = "") -> str:
        """The screen, at a place of it."""
        return reverse("desk-event", args=[event_of(self.visit).pk]) + (place and f"#{place}")

    def done(self, work: Callable[[], object], place: str, said: str = "") -> HttpResponse:
        """Do it once and show the screen again, at a place of it."""

        def carried() -> str:
            work()
            return self.back(place)

        try:
            return self.carried_out(carried, said=said)
        except (NotThereError, NotAllowedError):
            raise
        except RefusedError as error:
            return self.tonight(self.why(error), 422)

    def why(self, error: RefusedError) -> str:
        """Why something could not be done, in the words of somebody who knows everybody here."""
        if error.code == "STALE":
            return _("Somebody changed this night meanwhile; look again at what stands below.")
        if isinstance(error, OutdatedError):
            return _outdated(error.since, event_of(self.visit).club)
        return translate(message_of(error))


def _outdated(since: Since, club: Club) -> str:
    names = told_apart(club, [one.player_id for one in (*since.came, *since.left)])
    told = (
        (since.came, _("After it was drawn there came: %(names)s.")),
        (since.left, _("After it was drawn there left: %(names)s.")),
    )
    said = [
        words % {"names": "; ".join(names[str(one.player_id)] for one in entries)}
        for entries, words in told
        if entries
    ]
    return " ".join([*said, _("Draw the round again, or seat it by hand.")])


def number_in(text: str | None) -> int:
    """The number of a round in a form. Raises RefusedError."""
    number = parse_number(text)
    if not number:
        raise RefusedError(_("Say which round."), "number")
    return number
