"""Entries: who takes part in an event, checked in, late or gone, and who is kept apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from engine.core.messages import Message, Sentence, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError
from tournaments.core.ports import books
from tournaments.events.events import check_running, lock, touch
from tournaments.models import (
    Apart,
    Entry,
    EntryStanding,
    Event,
    LeagueEvent,
    Player,
    PlayerKind,
    Presence,
    Round,
    Stage,
    TableSeat,
)
from tournaments.people.bars import check_not_barred
from tournaments.standings.settings import exact

_PLAYING: Final = (Presence.EXPECTED, Presence.HERE)
_CAME: Final = (Presence.HERE, Presence.LEFT)
ENTRIES_MAX: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """Somebody who enters. ``standing`` None: a guest if the club knows them as one.

    ``first`` is the round from which they play; None: the next that is not drawn to the end.
    """

    player: UUID
    standing: str | None = None
    presence: str = Presence.HERE
    first: int | None = None
    team: str = ""
    household: str = ""
    pot: int | None = None
    stay_table: int | None = None
    stay_seat: int | None = None
    never_tables: Sequence[int] = ()
    sits_out: bool = False
    handicap: str = ""


@transaction.atomic
def enter(*, event_id: UUID, new: NewEntry, by: Actor, at: datetime) -> Entry:
    """Let somebody take part, before the event or in the middle of it.

    Who entered already is checked in, and comes back if they had left. A latecomer plays from the
    first round that has not begun; those that are drawn are seated anew when the director says
    so. Raises RefusedError, and BarredError for somebody who is barred from the club.
    """
    event = lock(event_id)
    check_running(event)
    player = _player(event, new.player)
    if new.presence in _PLAYING:
        check_not_barred(event.club, [player], fields=["player"], at=at)
    known = Entry.objects.filter(event=event, player=player).first()
    if known is not None:
        return _back(event, known, new, by, at)
    values = _check_changes(event, {"team": new.team, "handicap": new.handicap, "pot": new.pot})
    numbers = Entry.objects.filter(event=event).aggregate(last=Max("number"))
    number = (numbers["last"] or 0) + 1
    if number > ENTRIES_MAX:
        raise RefusedError(
            Message("An event has {most} entries at most.", most=f"{ENTRIES_MAX:,}"), "player"
        )
    entry = Entry.objects.create(
        event=event,
        number=number,
        player=player,
        standing=new.standing or standing_of(player),
        presence=new.presence,
        first=_first(event, new.first),
        stay_table=new.stay_table,
        stay_seat=new.stay_seat,
        household=new.household,
        never_tables=sorted(set(new.never_tables)),
        sits_out=new.sits_out,
        entered_at=at,
        **values,
    )
    details = {"entry": entry.pk, "number": number, "player": player.pk, "first": entry.first}
    touch(event, AuditRecord(Message("entered"), details=details), by, at)
    books().charge_fees(event, [entry], by, at)
    invalidation.mark_event(event.pk, at)
    return entry


def _player(event: Event, number: UUID) -> Player:
    player = Player.objects.select_related("merged_into").filter(pk=number).first()
    if player is None or player.club_id != event.club_id:
        raise RefusedError(Message("The club does not know this player."), "player")
    return player.merged_into or player


def standing_of(player: Player) -> str:
    """Return somebody's standing in an event, unless the director says otherwise."""
    is_member = player.kind == PlayerKind.MEMBER
    return EntryStanding.PLAYER if is_member else EntryStanding.GUEST


def find_earlier_event(event: Event) -> Event | None:
    """The last event before this one whose people may come again. Two or three queries.

    That is one of the same league, else one by the same house rules, else any of the club.
    """
    earlier = Event.objects.filter(
        Exists(Entry.objects.filter(event=OuterRef("pk"), presence__in=_CAME)),
        club=event.club_id,
        starts_at__lt=event.starts_at,
    ).order_by("-starts_at", "-pk")
    leagues = list(LeagueEvent.objects.filter(event=event).values_list("league_id", flat=True))
    alike = Q(leagues__league__in=leagues) if leagues else Q(rule_set__name=event.rule_set.name)
    return earlier.filter(alike).first() or earlier.first()


def list_comers(event: Event) -> list[UUID]:
    """The players who came to an event, guests too; who were merged are whom they turned out to be.

    One query.
    """
    rows = Entry.objects.filter(event=event, presence__in=_CAME).exclude(
        standing=EntryStanding.HOUSE
    )
    pairs = rows.order_by("number").values_list("player_id", "player__merged_into_id")
    return list(dict.fromkeys(into or player for player, into in pairs))


def next_round(event: Event) -> int:
    """The first round that has not begun."""
    begun = Round.objects.filter(event=event).exclude(stage=Stage.DRAWN)
    return (begun.aggregate(last=Max("number"))["last"] or 0) + 1


def _first(event: Event, wanted: int | None) -> int:
    earliest = next_round(event)
    if wanted is None:
        return earliest
    if wanted < earliest:
        raise RefusedError(
            Message("Round {earliest} is the first that has not begun.", earliest=earliest), "first"
        )
    return wanted


def _back(event: Event, entry: Entry, new: NewEntry, by: Actor, at: datetime) -> Entry:
    """Somebody who entered before is here now; who had left plays on from the next round."""
    if entry.presence == new.presence and entry.last is None:
        return entry
    if entry.presence in (Presence.LEFT, Presence.WITHDRAWN) and entry.last is not None:
        if not TableSeat.objects.filter(entry=entry).exists():
            entry.first = _first(event, new.first)
        entry.last = None
    entry.presence = new.presence
    entry.save(update_fields=["presence", "first", "last"])
    details = {"entry": entry.pk, "presence": entry.presence, "first": entry.first}
    touch(event, AuditRecord(Message("entry changed"), details=details), by, at)
    books().charge_fees(event, [entry], by, at)
    invalidation.mark_event(event.pk, at)
    return entry


@transaction.atomic
def change_entry(*, entry_id: UUID, changes: Mapping[str, Any], by: Actor, at: datetime) -> Entry:
    """Change an entry: check it in, let it leave, its team, pot, place to stay, handicap.

    Who leaves plays no round that has not begun; their results stay. Raises RefusedError, and
    BarredError where somebody who is barred would be checked in.
    """
    entry = _lock_entry(entry_id)
    event = entry.event
    check_running(event)
    if changes.get("presence") in _PLAYING:
        check_not_barred(event.club, [entry.player], fields=["presence"], at=at)
    for name, value in _check_changes(event, changes).items():
        setattr(entry, name, value)
    if "presence" in changes:
        gone = changes["presence"] in (Presence.LEFT, Presence.WITHDRAWN)
        entry.last = max(next_round(event), entry.first) - 1 if gone else None
    entry.save()
    details = {"entry": entry.pk, "fields": sorted(changes), "presence": entry.presence}
    touch(event, AuditRecord(Message("entry changed"), details=details), by, at)
    books().charge_fees(event, [entry], by, at)
    invalidation.mark_event(event.pk, at)
    return entry


def _check_changes(event: Event, changes: Mapping[str, Any]) -> dict[str, Any]:
    if changes.get("handicap"):
        try:
            exact(changes["handicap"])
        except ValueError as error:
            raise RefusedError(Sentence(message_of(error)), "handicap") from error
    if changes.get("stay_seat") is not None and changes["stay_seat"] >= max(event.sizes):
        raise RefusedError(Message("No table has such a seat."), "stay_seat")
    values = dict(changes)
    if "never_tables" in values:
        values["never_tables"] = sorted(set(values["never_tables"]))
    return values


@transaction.atomic
def remove_entry(*, entry_id: UUID, by: Actor, at: datetime) -> None:
    """Take somebody off who was entered by mistake and has never been seated."""
    entry = _lock_entry(entry_id)
    check_running(entry.event)
    if TableSeat.objects.filter(entry=entry).exists() or entry.adjustments.exists():
        raise ConflictError(Message("This entry was seated; let it leave instead."), "entry")
    if entry.fee_paid:
        words = Message("This entry has paid its fee; take the tick back first.")
        raise ConflictError(words, "entry")
    entry.presence = Presence.WITHDRAWN
    books().charge_fees(entry.event, [entry], by, at)
    Apart.objects.filter(one=entry).delete()
    Apart.objects.filter(other=entry).delete()
    entry.sit_outs.all().delete()
    details = {"entry": entry.pk, "number": entry.number, "player": entry.player_id}
    entry.delete()
    touch(entry.event, AuditRecord(Message("entry removed"), details=details), by, at)
    invalidation.mark_event(entry.event_id, at)


@transaction.atomic
def keep_apart(*, event_id: UUID, one: UUID, other: UUID, by: Actor, at: datetime) -> Apart:
    """Never seat two entries at one table. The same again changes nothing."""
    event = lock(event_id)
    check_running(event)
    entries = Entry.objects.filter(event=event, pk__in=[one, other]).order_by("number")
    if len(entries) != 2:
        raise RefusedError(Message("Name two entries of this event."), "other")
    row, made = Apart.objects.get_or_create(event=event, one=entries[0], other=entries[1])
    if made:
        touch(event, AuditRecord(Message("kept apart"), details={"entries": [one, other]}), by, at)
    return row


@transaction.atomic
def let_meet(*, event_id: UUID, one: UUID, other: UUID, by: Actor, at: datetime) -> None:
    """Let two entries meet again. Raises NotThereError if they were not kept apart."""
    event = lock(event_id)
    check_running(event)
    pair = Apart.objects.filter(event=event, one__in=[one, other], other__in=[one, other])
    if not pair.delete()[0]:
        raise NotThereError
    touch(event, AuditRecord(Message("may meet"), details={"entries": [one, other]}), by, at)


def _lock_entry(entry_id: UUID) -> Entry:
    """An entry as it is now, under its event's lock. Raises NotThereError."""
    event_id = Entry.objects.filter(pk=entry_id).values_list("event_id", flat=True).first()
    if event_id is None:
        raise NotThereError
    event = lock(event_id)
    entry = Entry.objects.select_related("player").get(pk=entry_id)
    entry.event = event
    return entry
