"""The door of an event: players check themselves in with a code, without an account.

A code is short, so that it can be typed, and opens nothing but the check-in of one event while it
is on: pages count how often codes are tried. Whoever has it sees names as strangers see them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.core.player_names import PlayerNameError, clean_name, name_key
from tournaments import selectors
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import normalize_code, random_code
from tournaments.core.name_folding import fold_text
from tournaments.core.similar_names import SimilarNames
from tournaments.events.entries import (
    NewEntry,
    change_entry,
    enter,
    find_earlier_event,
    list_comers,
    remove_entry,
)
from tournaments.events.events import OVER, check_running, lock, note
from tournaments.models import (
    AuditEntry,
    Club,
    DoorCode,
    Entry,
    Event,
    Player,
    PlayerKind,
    Presence,
    Shown,
    Status,
    TableSeat,
)
from tournaments.models.door_code import DOOR_CODE_LENGTH
from tournaments.people.bars import barred_players
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.people.members import NewPlayer, add_player

GUESTS_MAX: Final = 60
"""How many new guests an event takes at the door before the director has to enter them."""


def _build_refusal() -> RefusedError:
    words = Message("You cannot check yourself in: please speak to the director.")
    return RefusedError(words, "player")


@transaction.atomic
def open_door(*, event_id: UUID, by: Actor, at: datetime) -> DoorCode:
    """Make a new code for the door of an event. An earlier code of the event stops working.

    Raises RefusedError for an event that is over.
    """
    event = lock(event_id)
    check_running(event)
    code = random_code(DOOR_CODE_LENGTH)
    door, _made = DoorCode.objects.update_or_create(
        event=event, defaults={"code": code, "made_by": by.label, "made_at": at}
    )
    note(event, AuditRecord(Message("door code made")), by, at)
    return door


@transaction.atomic
def close_door(*, event_id: UUID, by: Actor, at: datetime) -> None:
    """Delete the code of the door, so that only the desk checks people in. Idempotent."""
    event = lock(event_id)
    if DoorCode.objects.filter(event=event).delete()[0]:
        note(event, AuditRecord(Message("door code withdrawn")), by, at)


def find_door(typed: str) -> DoorCode:
    """Return the door that a code opens. One query.

    ``typed`` may have lower-case letters, blanks and dashes. Raises NotThereError for an unknown
    code, GoneError for an event that is over or called off.
    """
    code = normalize_code(typed)
    rows = DoorCode.objects.select_related("event__club", "event__rule_set")
    door = rows.filter(code=code).first() if len(code) == DOOR_CODE_LENGTH else None
    if door is None:
        raise NotThereError
    if door.event.status == Status.CANCELLED:
        words = Message("This night is called off: “{why}”", why=door.event.cancel_reason)
        raise GoneError(words)
    if door.event.status in OVER:
        raise GoneError(Message("This event is over."))
    return door


def list_choices(event: Event) -> list[tuple[Player, str]]:
    """Return the players whom the page at the door offers, by name: members, recent guests.

    Recent guests came to the last comparable event. Names are those that strangers see. Players who
    hide their name are left out; they can type it. Six queries at most.
    """
    club = event.club
    earlier = find_earlier_event(event)
    came = set() if earlier is None else set(list_comers(earlier))
    shared = shared_names(club, in_full=False)
    rows = selectors.players(club, left=False).exclude(person=None)
    found = [
        (row, distinct_name(row, shared, in_full=False))
        for row in rows.exclude(person__shown=Shown.HIDDEN)
        if row.kind == PlayerKind.MEMBER or row.pk in came
    ]
    return sorted(found, key=lambda pair: (fold_text(pair[1]), pair[0].number))


@dataclass(frozen=True, slots=True)
class DoorEntry:
    """An entry that was checked in at the door.

    ``before`` is its presence until then; empty for somebody who was not entered.
    """

    entry: Entry
    before: str


class SimilarNameError(RefusedError):
    """A name was typed that is like those of ``choices``, who are offered at the door."""

    def __init__(self, choices: Sequence[tuple[Player, str]]) -> None:
        super().__init__(Message("Is one of these you?"), "name")
        self.choices = choices


def check_in_at_door(
    *,
    door: DoorCode,
    player: UUID | None = None,
    name: str = "",
    is_new: bool = False,
    at: datetime,
) -> DoorEntry:
    """Check in a player who chose or typed their name. A name new to the club becomes a guest.

    Raises SimilarNameError for a name like that of somebody whom the page offers; ``is_new`` says
    that it is somebody else. Raises RefusedError without a name, for a player whom the director has
    to look at (barred, withdrawn from the event, one of several with this name, of a name like one
    that the page does not offer), and after too many new guests.
    """
    with transaction.atomic():
        # The club before the event (docs/locks.md).
        Club.objects.select_for_update(no_key=True).get(pk=door.event.club_id)
        if player:
            row = _find_chosen(door.event, player)
        else:
            row = _find_typed(door, name, at, is_new=is_new)
        if row.pk in barred_players(door.event.club, at):
            raise _build_refusal()
        known = Entry.objects.filter(event=door.event, player=row).first()
        if known is not None and known.presence == Presence.WITHDRAWN:
            raise _build_refusal()
        before = "" if known is None else known.presence
        new = NewEntry(player=row.pk)
        entry = enter(event_id=door.event.pk, new=new, by=_actor(door), at=at)
        return DoorEntry(entry, before)


def undo_check_in(*, door: DoorCode, entry_id: UUID, before: str, at: datetime) -> None:
    """Undo `check_in_at_door` for somebody who chose the wrong name.

    Raises NotThereError without such an entry, RefusedError for one that has been seated or has
    paid since.
    """
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=door.event.club_id)
        entry = Entry.objects.filter(event=door.event, pk=entry_id).first()
        if entry is None:
            raise NotThereError
        if entry.fee_paid or TableSeat.objects.filter(entry=entry).exists():
            raise _build_refusal()
        if before:
            changes = {"presence": before}
            change_entry(entry_id=entry_id, changes=changes, by=_actor(door), at=at)
        else:
            remove_entry(entry_id=entry_id, by=_actor(door), at=at)


def _find_similar(club: Club, name: str) -> set[UUID]:
    """The players of a club with a name like this one."""
    index, by_key = SimilarNames(), dict[str, set[UUID]]()
    for row in selectors.players(club).exclude(person=None):
        key = name_key(row.person.name)
        index.add(key)
        by_key.setdefault(key, set()).add(row.pk)
    return {player for key in index.find(name) for player in by_key[key]}


def _actor(door: DoorCode) -> Actor:
    return Actor(ActorKind.DOOR, Source.DOOR, door.event_id)


def _find_chosen(event: Event, player: UUID) -> Player:
    for row, _name in list_choices(event):
        if row.pk == player:
            return row
    raise NotThereError


def _find_typed(door: DoorCode, name: str, at: datetime, *, is_new: bool) -> Player:
    """The player of the club with just this name, or a new guest."""
    club = door.event.club
    try:
        name = clean_name(name)
    except PlayerNameError as error:
        raise RefusedError(error.message, "name") from error
    if not fold_text(name):
        raise RefusedError(Message("Choose your name, or type it."), "name")
    rows = selectors.people_named(club.pk, [name])
    same = {row.player.merged_into_id or row.player_id for row in rows}
    if len(same) > 1:
        raise _build_refusal()
    if same:
        return selectors.players(club).get(pk=same.pop())
    if not is_new and (similar := _find_similar(club, name)):
        offered = [choice for choice in list_choices(door.event) if choice[0].pk in similar]
        raise SimilarNameError(offered) if offered else _build_refusal()
    added = AuditEntry.objects.filter(
        chain=club.pk, by=_actor(door).label, what=str(Message("player added"))
    )
    if added.count() >= GUESTS_MAX:
        raise _build_refusal()
    guest = NewPlayer(person={"name": name}, kind=PlayerKind.GUEST)
    return add_player(club_id=club.pk, new=guest, by=_actor(door), at=at)
