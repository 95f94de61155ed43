"""Notices by e-mail to those of a club who want its mails: what becomes of nights and results.

The evening before a night, that one is called off, takes place after all or is moved, that one's
own table is finished another day or plays on after all, that one's own official result was amended,
and that one moves up or down at the end of a season. A notice is a row of the outbox, written in
the transaction of what happened; the same is told nobody twice, and whether it is still true is
seen again when it is sent
(`scoring.handouts.notices`).
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet

from tournaments.core.mail import can_send
from tournaments.core.time_zones import day, zone
from tournaments.models import (
    Entry,
    Event,
    EventReply,
    League,
    MailKind,
    Player,
    Presence,
    Published,
    Reply,
    ResultMail,
    Scope,
    Status,
    Table,
)
from tournaments.people.bars import barred_players
from tournaments.people.result_consent import Letterhead, find_subscribers
from tournaments.publishing.versions import find_version
from tournaments.standings.promotion import Boundary

REMINDER_HOUR: Final = 10
"""The hour of the day before, by the clock of the club, at which a night is reminded of."""
_AHEAD: Final = timedelta(days=4)
"""Nights that begin within this time may be reminded of before the next look."""


def enqueue_reminders(*, at: datetime) -> int:
    """Have everybody reminded of nights on the day before; how many reminders are new.

    Called once a day: what is due before the next call is enqueued.
    """
    nights = Event.objects.filter(
        status=Status.PLANNED, is_results_only=False, starts_at__range=(at, at + _AHEAD)
    )
    return sum(
        _enqueue_reminder(event, at)
        for event in nights.select_related("club").order_by("starts_at", "pk")
    )


def _enqueue_reminder(event: Event, at: datetime) -> int:
    clock = event.club.time_zone
    night = day(event.starts_at, clock)
    due_at = datetime.combine(night - timedelta(days=1), time(REMINDER_HOUR), zone(clock))
    if due_at > at + timedelta(days=1) or night <= day(at, clock):
        return 0
    players = _find_players(event) - set(barred_players(event.club, event.starts_at))
    mail = ResultMail(kind=MailKind.REMINDER, about=night.isoformat(), event=event, due_at=due_at)
    return _enqueue(mail, players, at)


def enqueue_schedule_notices(event: Event, kind: MailKind, at: datetime) -> None:
    """Have everybody told that an event is called off, takes place after all, or is moved.

    The caller holds its lock. After all is told to those who were told that it is called off.
    """
    players = _find_players(event)
    if kind == MailKind.REINSTATED:
        told = ResultMail.objects.filter(event=event, kind=MailKind.CANCELLED)
        told_players = told.exclude(sent_at=None).values_list("player", flat=True)
        players &= _find_recipients(event.club_id, told_players)
    _enqueue(ResultMail(kind=kind, about=at.isoformat(), event=event, due_at=at), players, at)


def enqueue_adjournment(table: Table, players: Iterable[UUID], at: datetime) -> None:
    """Have the players of an adjourned table told when they finish it, once for each decision."""
    event, about = table.round.event, adjournment_key(table)
    mail = ResultMail(kind=MailKind.ADJOURNED, about=about, event=event, due_at=at)
    _enqueue(mail, _find_recipients(event.club_id, players), at)


def enqueue_resumption(table: Table, at: datetime) -> None:
    """Have those told that a table plays on after all to whom it was told that it is adjourned."""
    event = table.round.event
    mails = ResultMail.objects.filter(event=event, about__startswith=str(table.pk))
    sent = mails.exclude(sent_at=None).order_by("made_at", "pk")
    last = dict(sent.values_list("player", "kind"))
    players = [player for player, kind in last.items() if kind == MailKind.ADJOURNED]
    about = _decision_key(table, at)
    mail = ResultMail(kind=MailKind.RESUMED, about=about, event=event, due_at=at)
    _enqueue(mail, _find_recipients(event.club_id, players), at)


def adjournment_key(table: Table) -> str:
    """Return what a notice is about: the table and when the day was decided on which it ends."""
    assert table.adjourned_at is not None
    return _decision_key(table, table.adjourned_at)


def _decision_key(table: Table, at: datetime) -> str:
    return f"{table.pk} {at.astimezone(UTC):%Y%m%dT%H%M%S%f}"


def enqueue_amendments(row: Published, before: int, at: datetime) -> None:
    """Have those told whose own total is another one in the version that is official now."""
    old = find_version(Scope.EVENT, row.subject, before)
    new = find_version(Scope.EVENT, row.subject, row.version)
    if old is None or new is None:
        return
    totals = {one["entry"]: one["total"] for one in old.rows}
    changed = {
        UUID(new.players[one["entry"]])
        for one in new.rows
        if one["entry"] in new.players and totals.get(one["entry"], one["total"]) != one["total"]
    }
    mail = ResultMail(
        kind=MailKind.AMENDED, about=str(row.version), event_id=row.subject, due_at=at
    )
    _enqueue(mail, _find_recipients(row.club_id, changed), at)


def find_moves(boundaries: Iterable[Boundary]) -> Mapping[UUID, tuple[str, bool]]:
    """By player the division into which they move, and whether it is a higher one."""
    moves: dict[UUID, tuple[str, bool]] = {}
    for boundary in boundaries:
        moves |= {UUID(entry): (boundary.upper, True) for entry in boundary.up}
        moves |= {UUID(entry): (boundary.lower, False) for entry in boundary.down}
    return moves


def enqueue_divisions(league: League, boundaries: Iterable[Boundary], at: datetime) -> None:
    """Have those told who move up or down now that a season is closed."""
    moves = find_moves(boundaries)
    wanting = find_subscribers(league.club_id).filter(player__in=moves)
    for player in wanting.values_list("player", flat=True):
        division, _is_up = moves[player]
        mail = ResultMail(kind=MailKind.DIVISION, about=division[:64], league=league, due_at=at)
        _enqueue(mail, [player], at)


def find_uninformed(event: Event, coming: Iterable[UUID]) -> QuerySet[Player]:
    """Those of ``coming`` to an event that is called off to whom no e-mail says so."""
    mails = ResultMail.objects.filter(event=event, kind=MailKind.CANCELLED)
    told = mails.filter(made_at__gte=event.schedule_changed_at or event.created_at)
    rows = Player.objects.filter(pk__in=list(coming)).exclude(person=None)
    return rows.exclude(pk__in=told.values("player")).select_related("person")


def _find_players(event: Event) -> set[UUID]:
    """Those who want mails and did not say that they do not come.

    Of a hidden event only those who are entered, or said that they come.
    """
    people = find_subscribers(event.club_id)
    if event.is_hidden:
        comes = Q(player__replies__event=event, player__replies__reply=Reply.COMES)
        here = (Presence.EXPECTED, Presence.HERE)
        entries = Entry.objects.filter(event=event, presence__in=here)
        entered = _find_recipients(event.club_id, entries.values_list("player", flat=True))
        people = people.filter(comes | Q(player__in=entered))
    declined = EventReply.objects.filter(event=event, reply=Reply.NOT).values("player")
    return set(people.exclude(player__in=declined).values_list("player", flat=True))


def _find_recipients(club_id: UUID, players: Iterable[UUID]) -> set[UUID]:
    """Those of some players who want mails; the survivor in place of a merged duplicate."""
    ids = list(players)
    people = find_subscribers(club_id)
    people = people.filter(Q(player__in=ids) | Q(player__duplicates__in=ids))
    return set(people.values_list("player", flat=True))


def _enqueue(mail: ResultMail, players: Iterable[UUID], at: datetime) -> int:
    """Enqueue a mail like this one to each player who was not told it; to how many.

    It has the language and the address of pages of the last mail that they got; somebody who never
    got one reads the language of the service at its public address.
    """
    ids = sorted(set(players))
    if not ids or not can_send():
        return 0
    last = ResultMail.objects.filter(player__in=ids).exclude(site="").order_by("made_at", "pk")
    known = {
        player: Letterhead(site=site, language=language)
        for player, site, language in last.values_list("player", "site", "language")
    }
    public = settings.PUBLIC_ADDRESS.removesuffix("/")
    same = ResultMail.objects.filter(
        kind=mail.kind, about=mail.about, event=mail.event_id, league=mail.league_id
    )
    told = set(same.filter(player__in=ids).values_list("player", flat=True))
    rows = []
    for player in ids:
        head = known.get(player, Letterhead(site=public, language=""))
        if player in told or not head.site:
            continue
        rows.append(
            ResultMail(
                kind=mail.kind,
                about=mail.about,
                event_id=mail.event_id,
                league_id=mail.league_id,
                player_id=player,
                language=head.language,
                site=public or head.site,
                has_money=False,
                made_at=at,
                due_at=mail.due_at,
            )
        )
    return len(ResultMail.objects.bulk_create(rows, ignore_conflicts=True))
