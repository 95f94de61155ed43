"""Notices as plain text: what became of a night, of one's own result, or of one's division.

Each is seen again when it is sent: one that is not true any more says nothing.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.core.time_zones import day
from tournaments.events import leagues
from tournaments.events.announcements import describe_event, describe_finish
from tournaments.events.notices import adjournment_key, find_moves
from tournaments.models import (
    UNFINISHED,
    Event,
    League,
    MailKind,
    ResultMail,
    Scope,
    Status,
    Table,
)
from tournaments.publishing.adjourned import find_adjourned
from tournaments.publishing.official import find_current, status_of
from tournaments.tables.cells import isolate_name, readable
from tournaments.web.number_format import format_number


class Notice(NamedTuple):
    """The subject and the text of a mail."""

    subject: str
    text: str


def write_notice(mail: ResultMail, at: datetime) -> Notice | None:
    """Write a notice in the active language; None where it is not true any more."""
    if mail.kind == MailKind.DIVISION:
        assert mail.league is not None
        return _write_division(mail, mail.league)
    assert mail.event is not None
    if mail.kind == MailKind.AMENDED:
        return _write_amended(mail, mail.event)
    if mail.kind == MailKind.ADJOURNED:
        return _write_adjourned(mail, mail.event)
    if mail.kind == MailKind.RESUMED:
        return _write_resumed(mail, mail.event)
    return _write_schedule(mail, mail.event, at)


def _write_schedule(mail: ResultMail, event: Event, at: datetime) -> Notice | None:
    """A reminder, or that a night is called off, takes place after all, or is moved."""
    is_planned = event.status == Status.PLANNED and at < event.starts_at
    clock = event.club.time_zone
    tomorrow = day(at, clock) + timedelta(days=1)
    is_tomorrow = day(event.starts_at, clock) == tomorrow
    subjects = {
        MailKind.REMINDER: (is_planned and is_tomorrow, _("Tomorrow: %(name)s")),
        MailKind.CANCELLED: (event.status == Status.CANCELLED, _("Called off: %(name)s")),
        MailKind.REINSTATED: (is_planned, _("Takes place after all: %(name)s")),
        MailKind.MOVED: (is_planned and event.moved_from is not None, _("Moved: %(name)s")),
    }
    is_true, subject = subjects[MailKind(mail.kind)]
    if not is_true:
        return None
    subject %= {"name": isolate_name(event.name)}
    lines = [subject, isolate_name(event.club.name), *describe_event(event)]
    return _with_page(subject, lines, _event_page(mail, event))


def _write_adjourned(mail: ResultMail, event: Event) -> Notice | None:
    """That the reader's own table is finished another day, when, and why."""
    tables = {adjournment_key(table): table for table in find_adjourned([event.pk])}
    table = tables.get(mail.about)
    if table is None:
        return None
    subject = _("Your game is finished another day: %(name)s") % {"name": isolate_name(event.name)}
    lines = [
        subject,
        isolate_name(event.club.name),
        _describe_table(table),
        describe_finish(table.finish_on, event.club.time_zone),
        _("Why: “%(why)s”") % {"why": isolate_name(table.adjourn_reason)},
    ]
    return _with_page(subject, lines, _event_page(mail, event))


def _write_resumed(mail: ResultMail, event: Event) -> Notice | None:
    """That the reader's own table, adjourned before, plays on after all."""
    tables = Table.objects.filter(round__event=event, pk=mail.about.partition(" ")[0])
    playing = tables.filter(adjourned_at=None, games__phase__in=UNFINISHED)
    table = playing.select_related("round").first()
    if table is None:
        return None
    subject = _("Your table plays on after all: %(name)s") % {"name": isolate_name(event.name)}
    lines = [
        subject,
        isolate_name(event.club.name),
        _describe_table(table),
        _("Your game is not finished another day; it plays on in its round."),
    ]
    return _with_page(subject, lines, _event_page(mail, event))


def _describe_table(table: Table) -> str:
    numbers = {"round": table.round.number, "table": table.number}
    return _("Round %(round)s, table %(table)s") % numbers


def _write_amended(mail: ResultMail, event: Event) -> Notice | None:
    """That the reader's own official result is another one, and why."""
    standings, reader = find_current(Scope.EVENT, event.pk), str(mail.player_id)
    mine = (one for one in standings.rows if standings.players.get(one["entry"]) == reader)
    row = next(mine, None)
    if row is None or str(standings.version) != mail.about:
        return None
    reason = status_of(standings).because
    lines = [
        _("Your result in %(name)s was corrected.") % {"name": isolate_name(event.name)},
        _("Your total: %(total)s") % {"total": format_number(row["total"])},
        *([_("Your place: %(place)s") % {"place": row["label"]}] if row["label"] else ()),
        *([_("Why: “%(why)s”") % {"why": isolate_name(reason)}] if reason else ()),
    ]
    subject = _("Your result was corrected: %(name)s") % {"name": isolate_name(event.name)}
    return _with_page(subject, lines, _event_page(mail, event))


def _write_division(mail: ResultMail, league: League) -> Notice | None:
    """That the reader plays in another division from the next season on."""
    moves = find_moves(leagues.promotions(league_id=league.pk))
    division, is_up = moves.get(mail.player_id, ("", False))
    if league.closed_at is None or division[:64] != mail.about:
        return None
    names = {"league": isolate_name(league.name), "division": isolate_name(division)}
    sentence = (
        _("You were promoted: after %(league)s you play in %(division)s.")
        if is_up
        else _("You move down: after %(league)s you play in %(division)s.")
    )
    subject = _("You were promoted") if is_up else _("Your next division")
    page = reverse("league-page", args=[league.pk])
    is_open = league.club.is_public and not league.is_hidden
    lines = [sentence % names, isolate_name(league.club.name)]
    return _with_page(subject, lines, mail.site + (page if is_open else reverse("my-season")))


def _event_page(mail: ResultMail, event: Event) -> str:
    """The page of an event where everybody may open it, else My season."""
    is_open = event.club.is_public and not event.is_hidden
    page = reverse("event-page", args=[event.pk]) if is_open else reverse("my-season")
    return mail.site + page


def _with_page(subject: str, lines: list[str], page: str) -> Notice:
    return Notice(subject, "\n".join(readable(line) for line in (*lines, "", page)))
