"""Players of a club: added, changed, merged with who they turned out to be, erased as persons."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q

from engine.core.messages import Message, PluralMessage
from engine.core.player_names import PlayerNameError, clean_name
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError, StaleError
from tournaments.core.name_folding import fold_name
from tournaments.core.ports import books
from tournaments.models import (
    CalendarAddress,
    Club,
    Event,
    EventReply,
    FormerDetail,
    ImportedObject,
    Person,
    Player,
    PlayerBar,
    PlayerDevice,
    PlayerKind,
    PlayerSignInCode,
    RecordedResult,
    Role,
    Shown,
)
from tournaments.people.erasure import Erasure, erase_everywhere

PERSONAL = ("name", "email", "phone", "note")
ABOUT = (*PERSONAL, "shown", "gets_results", "shows_statistics")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPlayer:
    """Somebody who plays; ``person`` has the name, and perhaps how to reach them.

    ``number`` must be free; without one it is the next. ``since`` and ``left`` are known of
    members who come from elsewhere.
    """

    person: Mapping[str, Any]
    kind: str = PlayerKind.MEMBER
    number: int | None = None
    since: datetime | None = None
    left: datetime | None = None


@transaction.atomic
def add_player(*, club_id: UUID, new: NewPlayer, by: Actor, at: datetime) -> Player:
    """Add a player with the number that is asked for or the next; two may have the same name."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    last = Player.objects.filter(club=club).aggregate(last=Max("number"))["last"] or 0
    player = Player(
        club=club,
        kind=new.kind,
        number=new.number or last + 1,
        created_at=new.since or at,
        left_at=new.left,
    )
    player.save(force_insert=True)
    player.person = Person(player=player)
    _save_person(player.person, new.person)
    _note(Message("player added"), player, by, at)
    return player


@transaction.atomic
def change_player(
    *, player_id: UUID, changes: Mapping[str, Any], version: int, by: Actor, at: datetime
) -> Player:
    """Change what is named in ``changes``; ``left`` says whether they have left the club.

    ``created_at`` and ``left_at`` are moments that a list of members knows.

    Raises StaleError, ConflictError for a duplicate, RefusedError for an erased person.
    """
    player = _lock(player_id, version)
    personal = {name: changes[name] for name in ABOUT if name in changes}
    if personal:
        if not hasattr(player, "person"):
            raise RefusedError(Message("This person was erased."), next(iter(personal)))
        kept = {name: getattr(player.person, name) for name in ABOUT}
        _remember(player, {kept["name"], *FormerDetail.select_long([kept["email"], kept["phone"]])})
        _save_person(player.person, kept | personal)
    if changes.get("kind", player.kind) != player.kind:
        player.kind = changes["kind"]
        invalidation.mark_player(player, at)
    for column in ("created_at", "left_at"):
        if column in changes:
            setattr(player, column, changes[column])
    if "left" in changes and changes["left"] != (player.left_at is not None):
        player.left_at = at if changes["left"] else None
    _touch(player)
    _note(Message("player changed"), player, by, at, fields=sorted(changes))
    return player


@transaction.atomic
def merge_player(*, player_id: UUID, into: UUID, version: int, by: Actor, at: datetime) -> Player:
    """Say that a player is somebody who is there already; results stay, the survivor has them.

    Whoever was merged into the duplicate before follows, so that one step always leads to the
    survivor. Raises StaleError, ConflictError and RefusedError.
    """
    duplicate = _lock(player_id, version)
    survivor = Player.objects.filter(club=duplicate.club_id, pk=into).first()
    if survivor is None:
        raise RefusedError(Message("The club does not know this player."), "into")
    survivor = survivor.merged_into or survivor
    if survivor == duplicate:
        raise RefusedError(Message("A player cannot be merged with themselves."), "into")
    _check_results_apart(duplicate, survivor)
    if why_not := books().objection_to_merger(duplicate, survivor):
        raise RefusedError(why_not, "into")
    Player.objects.filter(merged_into=duplicate).update(merged_into=survivor)
    Role.objects.filter(player=duplicate).update(player=survivor)
    PlayerBar.objects.filter(player=duplicate).update(player=survivor)
    _merge_replies(duplicate, survivor)
    PlayerDevice.objects.filter(player=duplicate).update(player=survivor)
    PlayerSignInCode.objects.filter(player=duplicate).update(player=survivor)
    duplicate.merged_into = survivor
    _touch(duplicate)
    _touch(survivor)
    invalidation.mark_player(survivor, at)
    _note(Message("player merged"), duplicate, by, at, into=survivor.pk)
    return survivor


def _merge_replies(duplicate: Player, survivor: Player) -> None:
    """Let a survivor have the replies of the duplicate, and their own link where both have one."""
    own = {row.event_id: row for row in EventReply.objects.filter(player=survivor)}
    for row in EventReply.objects.filter(player=duplicate):
        kept = own.get(row.event_id)
        if kept is None:
            EventReply.objects.filter(pk=row.pk).update(player=survivor)
            continue
        if row.replied_at and (not kept.replied_at or kept.replied_at < row.replied_at):
            kept.reply, kept.replied_at, kept.due_at = row.reply, row.replied_at, None
            kept.save()
        row.delete()


def _check_results_apart(duplicate: Player, survivor: Player) -> None:
    """Raise RefusedError where results of both were written down for one event."""
    one, other = (
        RecordedResult.objects.filter(
            Q(entry__player=player) | Q(entry__player__merged_into=player)
        ).values("entry__event")
        for player in (duplicate, survivor)
    )
    event = Event.objects.filter(pk__in=one).filter(pk__in=other).first()
    if event is not None:
        words = Message("Both have a result in {event}.", event=event.name)
        raise RefusedError(words, "into")


@transaction.atomic
def erase_person(*, player_id: UUID, version: int, by: Actor, at: datetime) -> Player:
    """Remove every name and contact of a player and of the duplicates; all results stay.

    That is the person's row, what stood there before, and every text of the club that has a name
    of theirs (`tournaments.people.erasure`). Who was removed with an import can be erased too. A
    second time changes nothing. Raises StaleError and ConflictError.
    """
    player = _lock(player_id, version)
    persons = Person.objects.filter(player__in=[player, *player.duplicates.all()])
    if not persons:
        return player
    erasure = Erasure.of(player)
    persons.delete()
    FormerDetail.objects.filter(player__in=erasure.players).delete()
    ImportedObject.objects.filter(
        model="tournaments.person", key__player_id__in=[str(player) for player in erasure.players]
    ).delete()
    EventReply.objects.filter(player__in=erasure.players).delete()
    PlayerDevice.objects.filter(player__in=erasure.players).delete()
    PlayerSignInCode.objects.filter(player__in=erasure.players).delete()
    CalendarAddress.objects.filter(player__in=erasure.players).delete()
    erase_everywhere(erasure)
    _touch(player)
    _note(Message("person erased"), player, by, at)
    return Player.all_objects.get(pk=player.pk)


@dataclass(frozen=True, slots=True)
class UnclearTexts:
    """The number of texts that an erasure leaves as they are, and who else they may mean."""

    count: int = 0
    namesakes: Sequence[int] = ()

    @property
    def sentence(self) -> Message | None:
        """Say what stays; None where nothing does."""
        if not self.count:
            return None
        return PluralMessage(
            "{count} text has the name, but may mean no. {others}: it stays as it is.",
            "{count} texts have the name, but may mean no. {others}: they stay as they are.",
            count=self.count,
            others=", ".join(map(str, self.namesakes)),
        )


def find_unclear_texts(player: Player) -> UnclearTexts:
    """Try the erasure of a person, undo it, and return what it would leave."""
    erasure = Erasure.of(player)
    namesakes = [other.number for other in erasure.list_namesakes()]
    if not namesakes:
        return UnclearTexts()
    with transaction.atomic():
        erase_everywhere(erasure)
        transaction.set_rollback(True)
    return UnclearTexts(len(erasure.unclear), namesakes)


def _lock(player_id: UUID, version: int) -> Player:
    """Lock the club of a player and return the player, reread."""
    club_id = Player.all_objects.filter(pk=player_id).values_list("club_id", flat=True).first()
    if club_id is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    player = Player.all_objects.select_related("person", "club").get(pk=player_id)
    if player.merged_into_id is not None:
        words = Message(
            "This player was merged; they are player {player} now.",
            player=str(player.merged_into_id),
        )
        raise ConflictError(words)
    if player.version != version:
        raise StaleError(
            Message("The player has been changed in the meantime."),
            player.version,
            _current(player),
        )
    return player


def _current(player: Player) -> dict[str, Any]:
    person = getattr(player, "person", None)
    names = {name: getattr(person, name, None) for name in ABOUT}
    return {**names, "kind": player.kind, "left": player.left_at is not None}


def _save_person(person: Person, words: Mapping[str, Any]) -> None:
    wanted = words.get("name", "")
    if wanted != person.name:
        try:
            person.name = clean_name(wanted)
        except PlayerNameError as error:
            raise RefusedError(error.message, "name") from error
    for name in PERSONAL[1:]:
        setattr(person, name, words.get(name, ""))
    if not person.name:
        raise RefusedError(Message("there is no name"), "name")
    person.sought = fold_name(person.name)
    person.shown = words.get("shown", Shown.SHORT)
    person.gets_results = words.get("gets_results", False)
    person.shows_statistics = words.get("shows_statistics", False)
    person.save()


def _remember(player: Player, details: AbstractSet[str]) -> None:
    """Store the former name of a player, so that an erasure finds it too."""
    rows = [FormerDetail(player=player, text=text) for text in sorted(details)]
    FormerDetail.objects.bulk_create(rows, ignore_conflicts=True)


def _touch(player: Player) -> None:
    player.version += 1
    player.save()


def _note(what: Message, player: Player, by: Actor, at: datetime, **details: Any) -> None:
    action = AuditRecord(what, details={"player": player.pk, "number": player.number, **details})
    audit.note(action, chain=player.club_id, club=player.club_id, by=by, at=at)
