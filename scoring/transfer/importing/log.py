"""The log of an archive: the games that it made or added hands to, and the players it added.

Of a game the log has the head of its trail, which changes with everything that is done to it; so
undoing an import finds out whether anybody has changed the game since.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from scoring.models import Game
from scoring.transfer.importing.games import Imported
from tournaments.imports import ImportLog
from tournaments.models import Entry, Event, ImportedObject, Player, Trail

GAME: Final = Game._meta.label_lower


class ArchiveLog:
    """Notes what an archive does; games that come again are noted once."""

    def __init__(self, log: ImportLog) -> None:
        self._log = log
        rows = ImportedObject.objects.filter(source_import=log.row, model=GAME)
        self._known = {UUID(key["id"]): pk for pk, key in rows.values_list("pk", "key")}

    def note_chunk(self, players: Sequence[Player], games: Iterable[Imported]) -> None:
        """Note new players, and the games of a chunk that was stored."""
        self._log.note_new(*players)
        new, known = [], []
        for game in games:
            pk = self._known.get(game.id)
            if pk is not None:
                known.append(ImportedObject(pk=pk, digest=game.head))
            else:
                new.append(_item(self._log, game.id, game.head, hands=game.stored))
        ImportedObject.objects.bulk_update(known, ["digest"], batch_size=200)
        for item in ImportedObject.objects.bulk_create(new):
            self._known[UUID(item.key["id"])] = item.pk

    def note_heads(self, games: Iterable[UUID]) -> None:
        """Note how the trails of games end after they were settled, closed or put into events."""
        heads = heads_of(games)
        rows = [
            ImportedObject(pk=self._known[game], digest=head)
            for game, head in heads.items()
            if game in self._known
        ]
        ImportedObject.objects.bulk_update(rows, ["digest"], batch_size=200)


class PlacesLog:
    """Notes what putting games into events made there: entries, and events that began with it."""

    def __init__(self, log: ImportLog) -> None:
        self._log = log
        self._seen: dict[UUID, tuple[str, dict[UUID, str]]] = {}

    def watch(self, event: Event) -> None:
        """Look at an event before a game is put into it."""
        if event.pk not in self._seen:
            entries = Entry.objects.filter(event=event).values_list("pk", "presence")
            status = Event.objects.values_list("status", flat=True).get(pk=event.pk)
            self._seen[event.pk] = (status, dict(entries))

    def note(self, games: Iterable[UUID]) -> None:
        """Note what has changed since, and how the trails of the games end now."""
        for number, (status, entries) in self._seen.items():
            event = Event.objects.get(pk=number)
            if event.status != status:
                self._log.note_change(event, {"status": status})
            for entry in Entry.objects.filter(event=event).order_by("number"):
                if entry.pk not in entries:
                    self._log.note_new(entry)
                elif entry.presence != entries[entry.pk]:
                    self._log.note_change(entry, {"presence": entries[entry.pk]})
        self._seen.clear()
        ArchiveLog(self._log).note_heads(games)


def _item(log: ImportLog, game: UUID, head: str, *, hands: int) -> ImportedObject:
    """A game in the log; one that had hands before was changed, not made."""
    return ImportedObject(
        source_import=log.row,
        model=GAME,
        key={"id": str(game)},
        before={"hands": hands} if hands else None,
        columns=[],
        digest=head,
    )


def heads_of(games: Iterable[UUID]) -> dict[UUID, str]:
    """The last digest of the trail of each of some games. One query."""
    rows = Trail.objects.filter(chain__in=list(games))
    return dict(rows.values_list("chain", "digest"))
