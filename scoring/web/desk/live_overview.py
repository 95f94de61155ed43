"""Live overview of a round: its clock, its tables, and what waits for the director."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.games.director_calls import find_calls, name_calling_table
from scoring.models import CallReason, Hand, HandVersion, Sitting, Word
from scoring.selectors.queries import objections
from scoring.settlement.plan import judge_recorded_hand
from scoring.settlement.replay import NOT_CONFIRMED, describe_cards
from scoring.settlement.reporting import find_played_board
from scoring.web.desk.floor_tables import BEHIND, FloorTable, find_tables
from scoring.web.pending_reasons import reasons_shown
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.events.round_clocks import find_clock
from tournaments.models import Event, Round, RoundClock, SitOut, Stage, Status
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.publishing.deals import Misfit, find_undecided
from tournaments.selectors import shown_name
from tournaments.web.desk.base import DeskPage, EventMixin
from tournaments.web.round_clock import clock_context

LONG_WAIT: Final = timedelta(minutes=3)
"""How long a hand may wait for a second player before it becomes a task."""
LONG_DISPUTE: Final = timedelta(minutes=4)
"""How long a table may settle two records by itself before the task becomes urgent."""
CLOSE: Final = "#close-round"
"""Anchor of the form that closes the round."""


@dataclass(frozen=True, slots=True)
class FloorTask:
    """Something that needs the director: what, since when, and the page on which to do it.

    ``key`` stays the same for as long as the task exists. ``kind`` is its urgency: "wrong",
    "question" or "notice".
    """

    key: str
    kind: str
    title: str
    text: str | SafeString
    action: str
    href: str
    since: datetime | None = None
    call: UUID | None = None
    """The game of a call for the director, which one press takes."""

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key: the most urgent kind first, within a kind the oldest first."""
        order = ("wrong", "question", "notice").index(self.kind)
        return order, self.since.timestamp() if self.since else 0.0


def find_tasks(
    tables: Sequence[FloorTable],
    clock: RoundClock | None,
    at: datetime,
    *,
    misfits: Sequence[Misfit] = (),
    row: Round | None = None,
) -> list[FloorTask]:
    """Return what waits for the director; ``misfits`` are hands with other cards, undecided.

    ``row`` is the round that is played; other tables are adjourned. Two queries at most, none
    where nothing is disputed; more only for misfits.
    """
    found = [*_find_disputes(tables, at), *_find_waiting(tables, at), *_find_slow(tables, at)]
    found += _find_foreign_cards(misfits)
    if not misfits and row is not None:
        here = [table for table in tables if table.round == row.number]
        found += _end_of_round(here, clock, at)
    return found


def _find_disputes(tables: Sequence[FloorTable], at: datetime) -> Iterator[FloorTask]:
    """One task for each hand in dispute, however many records there are of it.

    It is less urgent as long as the table may settle it without the director.
    """
    hands = [hand for table in tables for hand in table.disputed]
    if not hands:
        return
    names = {
        hand.pk: {one.seat: one.name for one in table.seats}
        for table in tables
        for hand in table.disputed
    }
    words = objections([hand.pk for hand in hands])
    reasons = reasons_shown(hands, in_full=True, names=names, objections=words)
    first = [hand.rival_id for hand in hands if hand.rival_id is not None]
    versions = HandVersion.objects.filter(hand__in=[*(hand.pk for hand in hands), *first], number=1)
    tellers = dict(versions.values_list("hand", "seat"))
    latest = {word.version.hand_id: word for word in words}
    for table in tables:
        for number in sorted({hand.number for hand in table.disputed}):
            same = [hand for hand in table.disputed if hand.number == number]
            rival = next((hand for hand in same if hand.rival_id is not None), None)
            hand = rival or same[0]
            word = latest.get(same[0].pk)
            if rival is not None:
                text, action = _two_records(rival, table, tellers), _("Compare the two")
            elif word is not None:
                text, action = _objection(word, table), _("Look at it")
            else:
                text, action = reasons[hand.pk], _("Decide it")
            called_at = max(
                (one.director_called_at for one in same if one.director_called_at), default=None
            )
            since = word.at if word is not None and rival is None else hand.entered_at
            is_settling = called_at is None and at - since < LONG_DISPUTE
            if is_settling and (rival is not None or word is not None):
                text = format_html(_("{text} The table is settling it."), text=text)
            yield FloorTask(
                key=f"dispute {table.key} {number}" + (" called" if called_at else ""),
                kind="question" if is_settling and (rival or word) else "wrong",
                title=_hand_title(table, number),
                text=text,
                action=action,
                href=reverse("desk-hand", args=[hand.pk]),
                since=called_at or since,
            )


def _hand_title(table: FloorTable, number: int) -> str:
    """Say which hand it is; of an adjourned table also in which round."""
    where = {"round": table.round, "table": table.number, "hand": number}
    if table.is_adjourned:
        return _("Round %(round)s, table %(table)s, hand %(hand)s") % where
    return _("Table %(table)d, hand %(hand)d") % where


def _two_records(rival: Hand, table: FloorTable, tellers: Mapping[UUID, int | None]) -> str:
    assert rival.rival_id is not None
    names = [table.name_at(tellers.get(hand)) for hand in (rival.rival_id, rival.pk)]
    if None in names or names[0] == names[1]:
        return _("There are two records of it, and they differ.")
    first, second = names
    return _("%(first)s and %(second)s tell it differently.") % {"first": first, "second": second}


def _objection(word: Word, table: FloorTable) -> SafeString:
    name = table.name_at(word.seat) or _("Somebody at the table")
    if not word.why:
        return format_html(_("{name} says that something is wrong with it."), name=name)
    return format_html(_("{name} says: “{why}”"), name=name, why=word.why)


_CALLED: Final[Mapping[str, Promise]] = {
    CallReason.RULING: gettext_lazy("{name} asks for a ruling."),
    CallReason.CORRECTION: gettext_lazy("{name} has a wrong hand to correct."),
    CallReason.ABSENCE: gettext_lazy("{name} says that somebody is missing or leaves."),
    CallReason.OTHER: gettext_lazy("{name} calls you."),
}


def find_call_tasks(event: Event) -> Iterator[FloorTask]:
    """Yield a task for each call for the director that nobody took. Two queries."""
    calls = list(find_calls(event))
    sittings = Sitting.objects.filter(game__in=[call.game_id for call in calls], last=None)
    sitters = {
        (sitting.game_id, sitting.seat): sitting.player
        for sitting in sittings.select_related("player__person")
    }
    for call in calls:
        assert call.game.table is not None
        sitter = None if call.seat is None else sitters.get((call.game_id, call.seat))
        name = shown_name(sitter, in_full=True) if sitter else _("Somebody at the table")
        yield FloorTask(
            key=f"call {call.game.table.number} {call.called_at.timestamp()}",
            kind="question",
            title=_("Table %(table)s calls you") % {"table": name_calling_table(call)},
            text=format_html(str(_CALLED[call.reason]), name=name),
            action=_("Look at the table"),
            href=reverse("desk-game", args=[call.game_id]),
            since=call.called_at,
            call=call.game_id,
        )


def _find_waiting(tables: Iterable[FloorTable], at: datetime) -> Iterator[FloorTask]:
    for table in tables:
        for hand in table.waiting:
            if at - hand.entered_at < LONG_WAIT:
                continue
            is_confirmed_here = hand.reason == NOT_CONFIRMED
            yield FloorTask(
                key=f"waiting {table.key} {hand.number}",
                kind="question",
                title=_hand_title(table, hand.number),
                text=(
                    _("It came before an earlier hand, for which it waits.")
                    if hand.number > table.recorded
                    else _("Nobody else at the table has confirmed it yet.")
                    if is_confirmed_here
                    else translate(hand.reason)
                ),
                action=_("Confirm it") if is_confirmed_here else _("Look at it"),
                href=reverse("desk-hand", args=[hand.pk]),
                since=hand.entered_at,
            )


def _find_foreign_cards(misfits: Iterable[Misfit]) -> Iterator[FloorTask]:
    for misfit in misfits:
        hand = Hand.objects.select_related("game__table").get(
            game=misfit.game, number=misfit.number, rival=None
        )
        played = judge_recorded_hand(hand.game, hand)
        yield FloorTask(
            key=f"cards {misfit.table} {misfit.number}",
            kind="wrong",
            title=_("Table %(table)d, hand %(hand)d")
            % {"table": misfit.table, "hand": misfit.number},
            text=capfirst(translate(describe_cards(misfit.board, find_played_board(played)))) + ".",
            action=_("Decide it"),
            href=reverse("desk-hand-board", args=[hand.pk]),
            since=hand.entered_at,
        )


def _find_slow(tables: Sequence[FloorTable], at: datetime) -> Iterator[FloorTask]:
    for table in tables:
        if not table.is_slow:
            continue
        since = table.last_at or table.began_at
        yield FloorTask(
            key=f"slow {table.number}",
            kind="notice",
            title=_("Table %(table)d is slow") % {"table": table.number},
            text=_pace(table, [one for one in tables if one is not table], at),
            action=_("Go to the table"),
            href=reverse("desk-game", args=[table.game]),
            since=since,
        )


def _pace(table: FloorTable, others: Sequence[FloorTable], at: datetime) -> str:
    """Return the pace of a slow table beside the others, or how long it has been silent."""
    hands = sorted(other.hands for other in others)
    if hands and table.hands + BEHIND <= hands[-1]:
        said = ngettext("It has played %(n)d hand", "It has played %(n)d hands", table.hands)
        least, most = hands[0], hands[-1]
        rest = _("the others %(n)d") if least == most else _("the others %(least)d to %(n)d")
        return f"{said % {'n': table.hands}}, {rest % {'n': most, 'least': least}}."
    minutes = int((at - (table.last_at or table.began_at)).total_seconds() // 60)
    said = ngettext(
        "Nothing was entered for %(n)d minute.", "Nothing was entered for %(n)d minutes.", minutes
    )
    return said % {"n": minutes}


def _end_of_round(
    tables: Sequence[FloorTable], clock: RoundClock | None, at: datetime
) -> Iterator[FloorTask]:
    playing = sum(not table.is_done for table in tables)
    if tables and not playing:
        yield FloorTask(
            key="done",
            kind="question",
            title=_("All tables are done"),
            text=_("The round can be closed."),
            action=_("Close the round"),
            href=CLOSE,
        )
    elif clock is not None and not clock.is_break and not clock.seconds_left(at):
        said = ngettext("%(n)d table still plays.", "%(n)d tables still play.", playing)
        yield FloorTask(
            key=f"time {clock.ends_at or ''}",
            kind="question",
            title=_("The time is up"),
            text=said % {"n": playing},
            action=_("Close the round"),
            href=CLOSE,
            since=clock.ends_at,
        )


def format_age(then: datetime | None, now: datetime) -> str:
    """Return an age as a director says it."""
    if then is None:
        return _("nothing yet")
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    hours = minutes // 60
    return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}


def _with_ages(tasks: Iterable[FloorTask], at: datetime) -> list[tuple[FloorTask, str]]:
    """Return tasks, the most urgent first, each with how old it is."""
    return [
        (task, format_age(task.since, at) if task.since else "")
        for task in sorted(tasks, key=lambda one: one.rank)
    ]


def say_even(tables: Iterable[FloorTable]) -> str:
    """Say when it is fair to stop soonest, and at how many tables; empty where it is at none."""
    moments = [table.even_in for table in tables if table.even_in is not None]
    soonest = min(moments, default=None)
    if soonest is None:
        return ""
    if soonest == 0:
        text = ngettext(
            "fair to stop now at %(n)d table",
            "fair to stop now at %(n)d tables",
            moments.count(0),
        )
    elif soonest == 1:
        text = ngettext(
            "fair to stop after this hand at %(n)d table",
            "fair to stop after this hand at %(n)d tables",
            moments.count(1),
        )
    else:
        text = ngettext(
            "fair to stop in %(hands)d hands at %(n)d table",
            "fair to stop in %(hands)d hands at %(n)d tables",
            moments.count(soonest),
        )
    return text % {"n": moments.count(soonest), "hands": soonest}


def floor_context(
    event: Event, rows: Sequence[Round], at: datetime, shared: AbstractSet[str] | None = None
) -> dict[str, Any]:
    """Return the context of the clock and of the tables, if a round is played.

    ``rows`` are all rounds, ``shared`` the names that `shared_names` returns, if they are read.
    """
    clock = find_clock(event.pk)
    row = next((row for row in rows if row.stage == Stage.PLAYING), None)
    found: dict[str, Any] = {"event": event, "playing": row, **clock_context(clock, at)}
    calls = [] if event.status != Status.RUNNING else list(find_call_tasks(event))
    is_played = row is not None or event.status == Status.RUNNING
    everywhere = find_tables(event, row, at) if is_played else []
    found["adjourned"] = [table for table in everywhere if row is None or table.round != row.number]
    if row is None:
        begun = sum(row.stage != Stage.DRAWN for row in rows)
        waiting = find_tasks(everywhere, None, at)
        return found | {
            "coming": begun + 1 if begun < event.rounds else None,
            "tasks": _with_ages([*waiting, *calls], at),
        }
    tables = [table for table in everywhere if table.round == row.number]
    if shared is None:
        shared = shared_names(event.club)
    misfits = find_undecided(event.pk) if event.duplicate else []
    jackpots = [table.pot for table in tables if table.has_jackpot and table.pot]
    return found | {
        "tables": tables,
        "tasks": _with_ages(
            [
                *find_tasks(
                    everywhere,
                    clock,
                    at,
                    misfits=[misfit for misfit in misfits if misfit.round == row.number],
                    row=row,
                ),
                *calls,
            ],
            at,
        ),
        "done": sum(table.is_done for table in tables),
        "hands": sum(min(table.hands, table.par) for table in tables),
        "hands_in_all": sum(table.par for table in tables),
        "even": say_even(tables),
        "jackpots": jackpots,
        "jackpot": sum(jackpots),
        "sitting_out": [distinct_name(out.entry.player, shared) for out in row.sit_outs.all()],
        "began": format_age(row.started_at, at),
    }


class LiveOverview(EventMixin, DeskPage):
    """The clock and the tables alone, for a page that looks every few seconds."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/parts/floor.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        outs = SitOut.objects.select_related("entry__player__person").order_by("entry__number")
        rows = self.event.round_rows.order_by("number")
        rows = rows.prefetch_related(Prefetch("sit_outs", outs))
        return self.render(**floor_context(self.event, list(rows), self.at))
