"""The desk of a club: the next night, what waits, who won last, and the ways on; and its nights."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Min
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.night_sheets import open_amounts
from scoring.models import EntryFee, EntryKind, Hand, State
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.mail import can_send
from tournaments.events.announcements import find_nights_to_finish
from tournaments.events.replies import find_asked, find_shortages, list_coming, list_replies
from tournaments.events.schedule import can_be_reinstated
from tournaments.models import (
    Club,
    Entry,
    EntryStanding,
    Event,
    Job,
    JobState,
    League,
    Player,
    PlayerKind,
    Presence,
    Reply,
    RuleSet,
    Status,
)
from tournaments.people.display_names import distinct_names
from tournaments.selectors import spoken_name
from tournaments.tables.cells import isolate_name
from tournaments.web.club_page import describe_next_night
from tournaments.web.club_summaries import LeagueSummary, NightSummary, find_league, find_nights
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import format_number
from tournaments.web.search import search_club
from tournaments.web.viewer import viewer_of

EVENTS_SHOWN: Final = 100
_WAITING_MAX: Final = 5
_COMING_MAX: Final = 3
_SOUGHT_MAX: Final = 100
_AHEAD: Final = (Status.RUNNING, Status.PLANNED)
_NAMED: Final = 2


class WaitingTask(NamedTuple):
    """Something that waits for somebody at the desk, and the button that ends it."""

    title: str
    text: str
    action: str
    href: str


@dataclass(frozen=True, slots=True)
class LastNight:
    """The last night that has a winner."""

    event: Event
    summary: NightSummary
    winners: list[str]
    podium: list[tuple[str, str, str]]
    """Place, name and total of the first three."""


class NightLine(NamedTuple):
    """A night in the list: when it begins, as far as its name does not say it, and who won it."""

    event: Event
    day: str
    winners: Sequence[str] = ()


class ClubDesk(DeskPage):
    """A club: the night that runs or comes next, what waits, the last winner, four ways on.

    At most 25 queries.
    """

    needs = Right.NAMES_READ
    template_name = "desk/club.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        club, rights = self.club, self.rights
        rows = list(selectors.events(club).order_by("-starts_at", "-pk")[:EVENTS_SHOWN])
        to_finish = find_nights_to_finish(rows, self.at)
        ahead = [event for event in rows if event.status in _AHEAD and event.pk not in to_finish]
        ahead.sort(key=lambda event: (event.status != Status.RUNNING, event.starts_at))
        over = [event for event in rows if event.status in (Status.FINISHED, Status.OFFICIAL)]
        first = ahead[0] if ahead else None
        debtors = _find_debtors(club, over) if Right.MONEY_READ in rights else {}
        summary = find_nights([event.pk for event in over[:1]]).get(over[0].pk) if over else None
        leagues = League.objects.filter(club=club, closed_at=None).order_by("-created_at", "-pk")
        league = leagues.first()
        season = None if league is None else find_league(league.pk, hidden=True)
        # Everybody who is named on the page, so that names are looked up once.
        players = {
            *(str(player) for owing in debtors.values() for player in owing),
            *(summary.winners if summary else ()),
            *(one.player for one in (summary.first if summary else ())),
            *(one.placed.player for one in (season.top[:2] if season else ())),
        }
        names = distinct_names(club, [UUID(player) for player in sorted(players)], in_full=True)
        tasks = [
            *self._short(ahead),
            *_disputed(club, rights),
            *_to_finish(rows, rights, to_finish),
            *_not_settled(over, rights, debtors, names),
            *_to_give_back(rows, rights),
            *_not_official(club, over, rights),
            *_failed(club, rights),
        ]
        is_next = first is not None and first.status == Status.PLANNED
        sought = clean_line(self.request.GET.get("q"), _SOUGHT_MAX)
        return super().get_context_data(
            running=first if first is not None and not is_next else None,
            next=describe_next_night(first) if first is not None and is_next else None,
            replies=_count_replies(first) if first is not None and is_next else None,
            asked=find_asked(first, self.at).exists()
            if first is not None and is_next and can_send()
            else False,
            coming=ahead[1 : _COMING_MAX + 1],
            tasks=tasks[:_WAITING_MAX],
            more_tasks=len(tasks[_WAITING_MAX:]),
            last=_describe_last(over[0], summary, names) if summary else None,
            has_played=bool(over),
            played=len(over),
            ahead=len(ahead),
            people=_count_people(club),
            league=_describe_league(league, season, names),
            rule_set=RuleSet.objects.filter(club=club, retired_at=None).order_by("pk").first(),
            sought=sought,
            found=search_club(viewer_of(self.request, self.place), sought) if sought else None,
            **kwargs,
        )

    def _short(self, ahead: Sequence[Event]) -> Iterator[WaitingTask]:
        if Right.EVENTS_EDIT not in self.rights:
            return
        shortages = find_shortages(ahead, self.at)
        for event in ahead:
            if (shortage := shortages.get(event.pk)) is not None:
                yield WaitingTask(
                    _("Too few come to %(name)s") % {"name": isolate_name(event.name)},
                    _("%(n)d of %(least)d come.")
                    % {"n": shortage.coming, "least": shortage.quorum.least},
                    _("Decide"),
                    reverse("desk-replies", args=[event.pk]),
                )


class Nights(DeskPage):
    """All nights of a club: those that run and come first, and who won those that were.

    At most 25 queries.
    """

    needs = Right.NAMES_READ
    template_name = "desk/nights.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = list(selectors.events(self.club).order_by("-starts_at", "-pk")[:EVENTS_SHOWN])
        ahead = [
            event
            for event in rows
            if event.status in _AHEAD
            or (event.status == Status.CANCELLED and can_be_reinstated(event, self.at))
        ]
        ahead.sort(key=lambda event: (event.status != Status.RUNNING, event.starts_at))
        past = [event for event in rows if event not in ahead]
        summaries = find_nights([event.pk for event in past])
        winners = {UUID(who) for one in summaries.values() for who in one.winners}
        names = distinct_names(self.club, sorted(winners)) if winners else {}
        lines = [
            NightLine(
                event,
                _format_day(event, _("D j M Y")),
                [spoken_name(names.get(who, "")) for who in summaries[event.pk].winners]
                if event.pk in summaries
                else [],
            )
            for event in past
        ]
        return super().get_context_data(
            now=[NightLine(event, _format_day(event, _("D j M Y, H:i"))) for event in ahead],
            shortages=find_shortages(ahead, self.at),
            to_finish=find_nights_to_finish(ahead, self.at),
            provisional=[line for line in lines if line.event.status == Status.FINISHED],
            past=[line for line in lines if line.event.status != Status.FINISHED],
            **kwargs,
        )


def _format_day(event: Event, wanted: str) -> str:
    """Return when an event begins; of its date only what its own name does not say."""
    begins = timezone.localtime(event.starts_at)
    month, name = date_format(begins, "F").casefold(), event.name.casefold()
    if month not in name or not re.search(rf"\b0?{begins.day}\b", name):
        return date_format(begins, wanted)
    parts = ["" if str(begins.year) in name else "Y", "H:i" if "H" in wanted else ""]
    return date_format(begins, ", ".join(filter(None, parts))) if any(parts) else ""


def _disputed(club: Club, rights: frozenset[Right]) -> Iterator[WaitingTask]:
    """Hands in dispute, the newest event first. One query."""
    if Right.HANDS_RULE not in rights:
        return
    rows = Hand.objects.filter(
        game__club=club, game__removed_at=None, state=State.DISPUTED, rival=None
    )
    found = rows.select_related("game__table__round__event").order_by("-entered_at", "-pk")
    for hand in found[:_WAITING_MAX]:
        table = hand.game.table
        if table is None:
            text = ""
        else:
            text = _("%(event)s, round %(round)d, table %(table)d") % {
                "event": isolate_name(table.round.event.name),
                "round": table.round.number,
                "table": table.number,
            }
        title = _("Hand %(n)d is in dispute") % {"n": hand.number}
        yield WaitingTask(title, text, _("Look at it"), reverse("desk-hand", args=[hand.pk]))


def _to_finish(
    rows: Sequence[Event], rights: frozenset[Right], to_finish: Mapping[UUID, str]
) -> Iterator[WaitingTask]:
    """Nights of which a table is finished another day."""
    if Right.EVENTS_EDIT not in rights:
        return
    for event in rows:
        if event.pk in to_finish:
            title = _("%(name)s is not finished") % {"name": isolate_name(event.name)}
            href = reverse("desk-event", args=[event.pk])
            yield WaitingTask(title, to_finish[event.pk], _("Look at it"), href)


def _find_debtors(club: Club, over: Sequence[Event]) -> dict[UUID, list[UUID]]:
    """Find who has not paid the fee of an event and owes the club something. Four queries."""
    rows = Entry.objects.filter(
        event__in=[event.pk for event in over if event.entry_fee],
        presence__in=(Presence.HERE, Presence.LEFT),
        fee_paid__lt=F("event__entry_fee"),
    ).exclude(standing=EntryStanding.HOUSE)
    owing = {player for (player, _unit), amount in open_amounts(club.pk).items() if amount < 0}
    found: dict[UUID, list[UUID]] = {}
    for event, player in rows.order_by("event", "number").values_list("event", "player"):
        if player in owing:
            found.setdefault(event, []).append(player)
    return found


def _not_settled(
    over: Sequence[Event],
    rights: frozenset[Right],
    debtors: Mapping[UUID, Sequence[UUID]],
    names: Mapping[str, str],
) -> Iterator[WaitingTask]:
    """Nights of which a fee or the prizes are not paid, the newest first. One query."""
    if Right.MONEY_READ not in rights:
        return
    frozen = [event.pk for event in over if event.frozen_fees and event.status == Status.OFFICIAL]
    paid = EntryFee.objects.filter(event__in=frozen, transfer__kind=EntryKind.PRIZE)
    unbooked = set(frozen) - set(paid.values_list("event", flat=True))
    for one in over:
        if players := [names.get(str(player), "") for player in debtors.get(one.pk, ())]:
            text = _("Not paid the entry fee: %(names)s") % {"names": _join(players)}
        elif one.pk in unbooked:
            text = _("The prizes are not paid out yet.")
        else:
            continue
        title = _("%(name)s is not settled") % {"name": isolate_name(one.name)}
        href = reverse("desk-event-money", args=[one.pk])
        yield WaitingTask(title, text, _("Settle up"), href)


def _join(names: Sequence[str]) -> str:
    shown = ", ".join(isolate_name(spoken_name(name)) for name in names[:_NAMED])
    if len(names) <= _NAMED:
        return shown
    return _("%(names)s and %(n)d more") % {"names": shown, "n": len(names) - _NAMED}


def _to_give_back(rows: Sequence[Event], rights: frozenset[Right]) -> Iterator[WaitingTask]:
    """Entry fees of nights that were called off. One query."""
    called_off = {event.pk: event for event in rows if event.status == Status.CANCELLED}
    if Right.EVENTS_EDIT not in rights or not called_off:
        return
    paid = Entry.objects.filter(event__in=called_off, fee_paid__gt=0).values_list("event")
    for event, count in paid.annotate(Count("pk")).order_by("event"):
        words = ngettext("%(n)d entry fee to give back", "%(n)d entry fees to give back", count)
        text = _("%(name)s was called off.") % {"name": isolate_name(called_off[event].name)}
        yield WaitingTask(
            words % {"n": count}, text, _("Give back"), reverse("desk-fees", args=[event])
        )


def _not_official(
    club: Club, over: Sequence[Event], rights: frozenset[Right]
) -> Iterator[WaitingTask]:
    """Nights that are finished and not official: one by itself, several together."""
    finished = [event for event in over if event.status == Status.FINISHED]
    if Right.EVENTS_EDIT not in rights or not finished:
        return
    if len(finished) == 1:
        title = _("%(name)s is not official yet") % {"name": isolate_name(finished[0].name)}
        href = reverse("desk-event", args=[finished[0].pk])
        yield WaitingTask(title, _("Its results can still change."), _("Make it official"), href)
        return
    count = len(finished)
    title = ngettext(
        "%(n)d night is not official yet", "%(n)d nights are not official yet", count
    ) % {"n": count}
    last = _("The last one is %(name)s.") % {"name": isolate_name(finished[0].name)}
    yield WaitingTask(title, last, _("Look at them"), reverse("desk-nights", args=[club.pk]))


def _failed(club: Club, rights: frozenset[Right]) -> Iterator[WaitingTask]:
    """Imports and exports that failed. One query."""
    if Right.AUDIT_READ not in rights:
        return
    failed = Job.objects.filter(club=club, state=JobState.FAILED).aggregate(
        count=Count("pk"), since=Min("created_at")
    )
    if failed["count"]:
        words = ngettext(
            "%(n)d import or export failed", "%(n)d imports and exports failed", failed["count"]
        )
        href = reverse("desk-status", args=[club.pk])
        yield WaitingTask(words % {"n": failed["count"]}, "", _("Look at it"), href)


def _count_replies(event: Event) -> dict[str, int] | None:
    """Return how many come, perhaps, cannot, or say nothing; None where nobody was asked."""
    said = [row.reply for row in list_replies(event)]
    if not said:
        return None
    return {
        "come": len(list_coming(event)),
        "perhaps": said.count(Reply.PERHAPS),
        "absent": said.count(Reply.NOT),
        "silent": said.count(""),
    }


def _describe_last(
    event: Event, summary: NightSummary, names: Mapping[str, str]
) -> LastNight | None:
    if not summary.winners:
        return None
    return LastNight(
        event=event,
        summary=summary,
        winners=[isolate_name(spoken_name(names.get(who, ""))) for who in summary.winners],
        podium=[
            (one.label, spoken_name(names.get(one.player, "")), format_number(str(one.total)))
            for one in summary.first
        ],
    )


def _count_people(club: Club) -> dict[str, int]:
    """Return how many members and guests play. One query."""
    rows = Player.objects.filter(club=club, merged_into=None, left_at=None, person__isnull=False)
    counts = dict(rows.values_list("kind").annotate(Count("pk")).order_by())
    return {
        "members": counts.get(PlayerKind.MEMBER, 0),
        "guests": sum(counts.values()) - counts.get(PlayerKind.MEMBER, 0),
    }


def _describe_league(
    league: League | None, season: LeagueSummary | None, names: Mapping[str, str]
) -> str:
    """Say who leads the season that goes on; empty without one."""
    if league is None:
        return ""
    if season is None or not season.top:
        return isolate_name(league.name)
    leader, *others = (one.placed for one in season.top[:2])
    first = isolate_name(spoken_name(names.get(leader.player, "")))
    if not others or others[0].total == leader.total:
        return _("%(name)s leads") % {"name": first}
    return _("%(name)s leads, %(other)s is %(n)s behind") % {
        "name": first,
        "other": isolate_name(spoken_name(names.get(others[0].player, ""))),
        "n": format_number(str(abs(leader.total - others[0].total))),
    }
