"""Bars: players whom a club does not let play, from one day to another or until it is lifted.

A barred player is not entered in an event, checked in, seated or substituted; hands that were
played stay. The reason is for those who may edit players, and goes when the person is erased.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from engine.core.messages import Message, joined_sentences
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError
from tournaments.core.time_zones import zone
from tournaments.models import Club, Player, PlayerBar
from tournaments.people.display_names import distinct_names

LIFTED: Final = Message("bar lifted")
"""An entry of the trail, with which `verify` compares the bars, as with `audit.BARRED`."""


class BarredError(RefusedError):
    """Somebody is barred from the club; the reason is not told here."""


@transaction.atomic
def bar_player(
    *,
    club_id: UUID,
    player_id: UUID,
    reason: str,
    since: date | None = None,
    until: date | None = None,
    by: Actor,
    at: datetime,
) -> PlayerBar:
    """Bar a player. Raises NotThereError, RefusedError, and ConflictError for days barred already.

    Both days are part of the bar, by the calendar of the club. ``since`` None: from today.
    ``until`` None: until the bar is lifted.
    Events in which they are entered go on; they are not seated there any more.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    rows = Player.objects.filter(club=club).select_related("person")
    player = rows.filter(pk=player_id).first()
    if player is None:
        raise NotThereError
    if player.merged_into_id is not None:
        words = Message(
            "This player was merged; they are player {player} now.",
            player=str(player.merged_into_id),
        )
        raise ConflictError(words)
    if not hasattr(player, "person"):
        raise RefusedError(Message("This person was erased."), "player")
    if not reason.strip():
        raise RefusedError(Message("Say why."), "reason")
    since = since or today(club, at)
    if until is not None and until < since:
        raise RefusedError(Message("A bar ends on its first day or later."), "until")
    if _overlapping(player, since, until).exists():
        raise ConflictError(
            Message("This player is barred on these days already; lift that bar first.")
        )
    bar = PlayerBar.objects.create(
        player=player,
        since=since,
        until=until,
        reason=reason.strip(),
        by=by.label,
        at=at,
    )
    _note(AuditRecord(audit.BARRED, bar.reason), bar, by, at)
    return bar


@transaction.atomic
def lift_bar(*, club_id: UUID, bar_id: UUID, by: Actor, at: datetime) -> PlayerBar:
    """Let a player play again; the bar stays on record. A second time changes nothing.

    Raises NotThereError.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    rows = PlayerBar.objects.select_related("player").filter(player__club=club_id)
    bar = rows.filter(pk=bar_id).first()
    if bar is None:
        raise NotThereError
    if bar.lifted_at is None:
        bar.lifted_by, bar.lifted_at = by.label, at
        bar.save(update_fields=["lifted_by", "lifted_at"])
        _note(AuditRecord(LIFTED), bar, by, at)
    return bar


def bars_of(player: Player) -> QuerySet[PlayerBar]:
    """Return all bars of a player, lifted ones too."""
    return PlayerBar.objects.filter(player=player)


def barred_players(club: Club, at: datetime) -> frozenset[UUID]:
    """Return the ids of all players of a club who are barred today. One query."""
    rows = _in_force(today(club, at)).filter(player__club=club)
    return frozenset(rows.values_list("player_id", flat=True))


def check_not_barred(
    club: Club, players: Sequence[Player], *, fields: Sequence[str], at: datetime
) -> None:
    """Raise BarredError naming every player who is barred today, at the field of the first.

    ``fields`` has one for each player. A merged duplicate is the player they turned out to be.
    One query where nobody is barred.
    """
    meant = [player.merged_into_id or player.pk for player in players]
    bars = {bar.player_id: bar for bar in _in_force(today(club, at)).filter(player__in=meant)}
    barred = {number: field for number, field in zip(meant, fields, strict=True) if number in bars}
    if barred:
        names = distinct_names(club, list(barred))
        words = [_why_not(names[str(number)], bars[number]) for number in barred]
        raise BarredError(joined_sentences(words), next(iter(barred.values())))


def today(club: Club, at: datetime) -> date:
    """Return the day that it is on the club's wall."""
    return at.astimezone(zone(club.time_zone)).date()


def _why_not(name: str, bar: PlayerBar) -> str:
    who = f'"{name}"'  # translations leave alone what is quoted
    if bar.until is None:
        return Message("{who} is barred from this club until the bar is lifted.", who=who)
    return Message("{who} is barred from this club until {until}.", who=who, until=str(bar.until))


def _in_force(day: date) -> QuerySet[PlayerBar]:
    rows = PlayerBar.objects.filter(lifted_at=None, since__lte=day).order_by("at", "pk")
    return rows.filter(Q(until=None) | Q(until__gte=day))


def _overlapping(player: Player, since: date, until: date | None) -> QuerySet[PlayerBar]:
    rows = PlayerBar.objects.filter(player=player, lifted_at=None)
    rows = rows.filter(Q(until=None) | Q(until__gte=since))
    return rows if until is None else rows.filter(since__lte=until)


def _note(action: AuditRecord, bar: PlayerBar, by: Actor, at: datetime) -> None:
    club = bar.player.club_id
    details = {"player": bar.player_id, "number": bar.player.number, "until": bar.until}
    told = AuditRecord(action.what, action.why, details)
    audit.note(told, chain=club, club=club, by=by, at=at)
