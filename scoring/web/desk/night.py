"""The page of an event at the desk, from check-in to the last table."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode
from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.core.messages import message_of
from scoring.games.night_end import NightEnd, compute_night_end
from scoring.games.nights import list_foreign_hands, list_obstacles
from scoring.handouts.properties import SheetOrder
from scoring.handouts.result_mail import (
    MailOrder,
    enqueue_result_mails,
    find_recipients,
    find_result_names,
    write_result_text,
)
from scoring.handouts.slips import find_missing_tricks
from scoring.presentation.payments import format_payments
from scoring.web.desk.live_overview import floor_context
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError, RefusedError, StaleError
from tournaments.core.language import translate
from tournaments.core.mail import can_send
from tournaments.core.name_folding import LETTERS
from tournaments.core.public_address import public_site
from tournaments.events import replies, seating
from tournaments.events.announcements import describe_schedule
from tournaments.events.entries import find_earlier_event, list_comers
from tournaments.events.events import corrections_until, fee_due
from tournaments.events.round_rules import (
    describe_rules,
    rule_sets_by_round,
    rule_sets_in_use,
)
from tournaments.events.rounds import OutdatedError, Since, compare_with_draws
from tournaments.events.schedule import can_be_reinstated
from tournaments.events.seating import DrawRequest
from tournaments.models import (
    Club,
    DoorCode,
    Entry,
    Event,
    MailKind,
    Movement,
    Player,
    PlayerKind,
    Presence,
    Reply,
    ResultMail,
    Round,
    Scope,
    Stage,
    Status,
)
from tournaments.people.bars import barred_players
from tournaments.people.clubs import was_asked_for_visibility
from tournaments.people.display_names import (
    distinct_name,
    distinct_names,
    players_by_name,
    shared_names,
)
from tournaments.publishing.official import find_current
from tournaments.publishing.versions import Standings
from tournaments.selectors import spoken_name, spoken_names
from tournaments.web.desk.base import ActionMixin, DeskPage, EventMixin
from tournaments.web.desk.drawn_round import proposed_rounds, to_drawn_rounds
from tournaments.web.night_result import describe_night_result
from tournaments.web.number_format import money, parse_number
from tournaments.web.table_status import amendment_fields, describe_status

WALK_IN: Final = "walk_in"
"""In the session: as what the last walk-in of a night was entered, to be offered again."""
_OVER: Final = (Status.FINISHED, Status.OFFICIAL)


@dataclass(frozen=True, slots=True)
class Attendee:
    """A row of the check-in list: an entry and the name shown for it."""

    entry: Entry
    name: str
    due: str = ""
    """The entry fee that they owe, as pages show money; empty where they owe none."""

    @property
    def has_paid(self) -> bool:
        """Whether anything was paid of their fee: it is paid at once, or not."""
        return bool(self.entry.fee_paid)

    @property
    def late(self) -> bool:
        """Whether they play only from a later round on."""
        return self.entry.first > 1


class NightPage(EventMixin, DeskPage):
    """The page of an event: check-in list, rounds and tables of one night."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/tonight.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event: Event | None = self.event
        if self.request.method == "POST":
            # Read again: an action may have been refused because somebody else was quicker.
            event = selectors.event(self.event.pk)
        if event is None:
            raise NotThereError
        named = selectors.entries(event).order_by("number")
        prefetch_related_objects([event], Prefetch("entries", named))
        rows = list(selectors.rounds(event))
        shared = shared_names(event.club)
        people = _people(event, shared)
        if event.status not in (*_OVER, Status.CANCELLED):
            people |= self._check_in(event, rows, people, shared)
        names = {entry.entry.pk: entry.name for entry in people["entries"]}
        is_planned = event.status == Status.PLANNED
        context = {
            "event": event,
            "rows": rows,
            "version": event.version,
            "house_rules": describe_rules(event),
            "has_slips": not any(
                is_refused for _words, is_refused in find_missing_tricks(rule_sets_in_use(event))
            ),
            "is_over": event.status in _OVER,
            "until": corrections_until(event),
            **self._cancelled(event, people["entries"]),
            "shortage": replies.find_shortages([event], self.at).get(event.pk)
            if is_planned
            else None,
            **people,
            **self._play(event, rows, names, shared),
            **self._end(event, rows, shared),
            "outdated": _outdated(event, rows),
        }
        busy = ("playing", "drawn", "proposal", "is_over")
        context["is_gathering"] = bool(
            context["next_number"] and not any(context.get(name) for name in busy)
        )
        context["more"] = context["is_gathering"] or "more" in self.request.GET
        return super().get_context_data(**{**context, **kwargs})

    def _end(self, event: Event, rows: Sequence[Round], shared: AbstractSet[str]) -> dict[str, Any]:
        """Return the reasons why results wait; once the playing is over, what came of it."""
        until = corrections_until(event)
        typed = None if "round" in self.request.POST else self.request.POST.get("why")
        found: dict[str, Any] = {
            "official_why": _("Everybody has looked at the results.") if typed is None else typed,
            "is_last": not any(row.stage == Stage.DRAWN for row in rows)
            and len(rows) == event.rounds,
            "can_be_corrected": event.correction_hours > 0 and (until is None or until > self.at),
        }
        playing = any(row.stage == Stage.PLAYING for row in rows)
        if event.status != Status.OFFICIAL and (not playing or self.request.method == "POST"):
            found["obstacles"] = list_obstacles(event)
        elif event.status == Status.OFFICIAL:
            found["obstacles"] = list_foreign_hands(event)
        is_played = rows and {row.stage for row in rows} == {Stage.CLOSED}
        if event.status in _OVER or (is_played and len(rows) == event.rounds):
            found |= self._result(event, shared)
        return found

    def result_text(self) -> str:
        """The result as text, with money for whoever may know of it; empty while there is none."""
        end = compute_night_end(self.event) if Right.MONEY_READ in self.rights else None
        return self._write_result(self.event, end, find_current(Scope.EVENT, self.event.pk))

    def send_result(self) -> int:
        """Have the result sent to those who want it by e-mail; to how many."""
        if not can_send():
            return 0
        order = MailOrder(
            site=public_site(self.request),
            language=get_language() or "",
            has_money=Right.MONEY_READ in self.rights,
        )
        return enqueue_result_mails(event_id=self.event.pk, order=order, by=self.by, at=self.at)

    def _write_result(
        self, event: Event, end: NightEnd | None, standings: Standings, **known: Any
    ) -> str:
        try:
            order = SheetOrder(at=self.at, site=public_site(self.request))
            return write_result_text(event, order, end, standings, **known)
        except RefusedError:
            return ""

    def _result(self, event: Event, shared: AbstractSet[str]) -> dict[str, Any]:
        """Return who won; once the event is over, who pays whom, its text and who gets that."""
        standings = find_current(Scope.EVENT, event.pk)
        is_over = event.status in _OVER
        reads_money = is_over and Right.MONEY_READ in self.rights
        end = compute_night_end(event, standings) if reads_money else None
        names = find_result_names(event.club, standings, end, shared=shared)
        night = {"night": describe_night_result(event, standings, names, in_full=True)}
        if not is_over:
            return night
        sheet = describe_status(standings, names, in_full=True)
        official = {"sheet_status": sheet, **amendment_fields(sheet, self.request.POST)}
        text = self._write_result(event, end, standings, names=names, status=sheet.status)
        return {
            **night,
            **(official if event.status == Status.OFFICIAL else {}),
            "result_text": text,
            "asks_visibility": Right.CLUB_EDIT in self.rights
            and not was_asked_for_visibility(event.club),
            "mail": f"mailto:?{urlencode({'subject': event.name, 'body': text}, quote_via=quote)}",
            "recipients": find_recipients(event).count() if can_send() else 0,
            "mails": ResultMail.objects.filter(event=event, kind=MailKind.RESULT).count(),
            "payments": [
                line
                for sheet in (() if end is None else end.accounts)
                for line in format_payments(sheet.payments, names, sheet.currency)
            ],
        }

    def _check_in(
        self,
        event: Event,
        rows: Sequence[Round],
        people: Mapping[str, Any],
        shared: AbstractSet[str],
    ) -> dict[str, Any]:
        """Return whom the club knows besides, and what the list of those who come needs."""
        can_draw = people["here"] and all(row.stage == Stage.CLOSED for row in rows)
        barred = barred_players(event.club, self.at)
        entered = {entry.entry.player_id for entry in people["entries"]}
        known = [
            (player, name)
            for player, name in players_by_name(event.club, shared)
            if player.pk not in entered
        ]
        walked_in = self.request.session.get(WALK_IN, {})
        return {
            "barred": barred,
            "known": known,
            "letters": LETTERS,
            "walk_in": {"kind": walked_in.get(str(event.pk))},
            "repeat_free": _repeat_free(event, len(people["here"])) if can_draw else "",
            "has_door": DoorCode.objects.filter(event=event).exists(),
            "choices": [
                *(
                    (entry.entry.player_id, entry.name, entry.entry.presence)
                    for entry in people["entries"]
                ),
                *(
                    (player.pk, name, "barred" if player.pk in barred else "")
                    for player, name in known
                ),
            ],
            **self._last_time(event, people["here"], known),
        }

    def _last_time(
        self,
        event: Event,
        here: Sequence[Attendee],
        known: Sequence[tuple[Player, str]],
    ) -> dict[str, Any]:
        """Return who said that they come, and before the night begins who came last time.

        Both without those who are entered. While nobody has come, the first are ticked; the
        others if asked. What was ticked in a form that was refused stays ticked.
        """
        ticked = set(self.request.POST.getlist("player"))
        earlier = find_earlier_event(event) if event.status == Status.PLANNED else None
        came = set() if earlier is None else set(list_comers(earlier))
        said = {row.player_id: Reply(row.reply) for row in replies.list_replies(event) if row.reply}
        replied = [(player, name, said[player.pk]) for player, name in known if player.pk in said]
        replied.sort(key=lambda row: Reply.values.index(row[2]))
        again = [pair for pair in known if pair[0].pk in came - said.keys()]
        coming = [player for player, _name, reply in replied if reply == Reply.COMES]
        if "again" in self.request.GET:
            ticked = {str(player.pk) for player, _name in again}
        elif not ticked and not here:
            ticked = {str(player.pk) for player in coming}
        return {
            "earlier": earlier,
            "replied": replied,
            "again": again,
            "members": [
                pair
                for pair in known
                if pair[0].kind == PlayerKind.MEMBER and pair[0].pk not in came | said.keys()
            ],
            "ticked": ticked,
        }

    def _cancelled(self, event: Event, entries: Sequence[Attendee]) -> dict[str, Any]:
        """Return the reason of a night that is called off, and how many have paid; else nothing."""
        if event.status != Status.CANCELLED:
            return {}
        return {
            "schedule": describe_schedule(event),
            "paid": sum(attendee.has_paid for attendee in entries),
            "can_be_reinstated": can_be_reinstated(event, self.at),
        }

    def _play(
        self,
        event: Event,
        rows: Sequence[Round],
        names: Mapping[UUID, str],
        shared: AbstractSet[str],
    ) -> dict[str, Any]:
        """Return the view of the rounds: the one that plays, or the one to come."""
        playing = next((row for row in rows if row.stage == Stage.PLAYING), None)
        begun = sum(row.stage != Stage.DRAWN for row in rows)
        stages = {row.number: row.stage for row in rows}
        closed = [row for row in rows if row.stage == Stage.CLOSED]
        spoken = spoken_names(names)
        found: dict[str, Any] = {
            "playing": playing,
            "next_number": begun + 1 if begun < event.rounds else None,
            "closed": [*zip(closed, to_drawn_rounds(closed, spoken), strict=True)],
            "line": [
                (number, stages.get(number, ""), row.name if event.round_rules else "")
                for number, row in rule_sets_by_round(event).items()
            ],
            **({} if event.status in _OVER else floor_context(event, rows, self.at, shared)),
        }
        if playing is not None:
            found["untold"] = not any(table.last_at for table in found["tables"])
        left = event.rounds - begun
        found["at_once"] = seating.rounds_at_once(event, left)
        found["usual"] = 1 if event.movement == Movement.RANDOM else found["at_once"]
        waiting = [row for row in rows if row.stage == Stage.DRAWN]
        found["many_drawn"] = min(len(waiting), found["at_once"])
        if waiting:
            found["drawn"], *found["later"] = to_drawn_rounds(waiting, names)
        if "draw" in self.request.GET and playing is None and event.status not in _OVER:
            found |= self._proposal(event, names)
        return found

    def _proposal(self, event: Event, names: Mapping[UUID, str]) -> dict[str, Any]:
        wanted = read_draw(self.request.GET, "draw")
        try:
            found = seating.propose(event_id=event.pk, wanted=wanted)
        except RefusedError as error:
            return {"cannot_seat": translate(message_of(error))}
        rounds = proposed_rounds(found, self.rights, names)
        return {
            "proposal": rounds[0],
            "proposed_later": rounds[1:],
            "attempt": wanted.attempt,
            "another": wanted.attempt + 1,
            "many": wanted.rounds or "",
        }


def read_draw(data: QueryDict, attempt: str) -> DrawRequest:
    """Read which draw is wanted, and of how many rounds, from a form or an address."""
    rounds = parse_number(data.get("rounds")) or None
    return DrawRequest(rounds=rounds, attempt=min(parse_number(data.get(attempt)), 1000))


def _repeat_free(event: Event, players: int) -> str:
    """Return the number of rounds without repeat meetings, for those who are here."""
    try:
        return " ".join(map(translate, seating.describe_repeat_free_rounds(event, players)))
    except RefusedError:
        return ""  # too few are here yet; the draw says so


def _people(event: Event, shared: AbstractSet[str]) -> dict[str, Any]:
    """Return who is here, who is expected and who left."""
    currency = event.club.currency
    entries = [
        Attendee(
            entry,
            distinct_name(entry.player, shared),
            money(due, currency) if (due := event.entry_fee and fee_due(event, entry)) else "",
        )
        for entry in event.entries.all()
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
    }


class NightAction(ActionMixin, NightPage):
    """An action on a night."""

    anchor = "play"
    """The part of the screen that shows what was done; empty for its top."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Whoever comes by the address alone goes to the screen."""
        return redirect("desk-event", self.event.pk)

    def get_success_url(self) -> str:
        address = reverse("desk-event", args=[self.event.pk])
        return f"{address}#{self.anchor}" if self.anchor else address

    def explain(self, error: RefusedError) -> str:
        """In the words of somebody who knows everybody here."""
        if isinstance(error, StaleError):
            return _("Somebody else has changed this night in the meantime. Please check it below.")
        if not isinstance(error, OutdatedError):
            return super().explain(error)
        said = describe_since(self.club, error.since)
        return " ".join([*said, _("Draw the round again, or seat it by hand.")])


def describe_since(club: Club, since: Since) -> list[str]:
    """Say by name who came and who left after a round was drawn. Two queries."""
    names = distinct_names(club, [one.player_id for one in (*since.came, *since.left)])
    words = (
        (since.came, _("Came after the draw: %(names)s.")),
        (since.left, _("Left after the draw: %(names)s.")),
    )
    return [
        text % {"names": ", ".join(spoken_name(names[str(one.player_id)]) for one in entries)}
        for entries, text in words
        if entries
    ]


def _outdated(event: Event, rows: Sequence[Round]) -> dict[str, Any]:
    """Return the drawn rounds that no longer fit, and why; empty where all fit."""
    if event.status in _OVER:
        return {}
    drawn = {
        row.number: {
            *(seat.entry_id for table in row.tables.all() for seat in table.seats.all()),
            *(out.entry_id for out in row.sit_outs.all()),
        }
        for row in rows
        if row.stage == Stage.DRAWN
    }
    found = compare_with_draws(drawn, list(event.entries.all()))
    if not found:
        return {}
    first = found[min(found)]
    return {"rounds": sorted(found), "said": describe_since(event.club, first)}
