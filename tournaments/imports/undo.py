"""Undo an import as one step: delete what it made, set back what it changed.

A row that somebody has built upon since is an obstacle: then nothing is undone, or all the rest if
that is asked for. The log (`tournaments.imports.log`) says what an import did, and for each
model an `Undoer` says what undoing means; the books have those of games and players.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, ClassVar, Final
from uuid import UUID

from django.apps import apps
from django.db import models, transaction

from engine.core.messages import Message
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError
from tournaments.core.ports import BlockedFinder, Keys, books
from tournaments.events import events
from tournaments.imports.log import digest_of
from tournaments.models import (
    ALIVE,
    Adjustment,
    Club,
    Entry,
    Event,
    Import,
    ImportedObject,
    Job,
    League,
    LeagueEvent,
    LeagueMember,
    Player,
    Published,
    RecordedResult,
    Scope,
    Snapshot,
    Stale,
    TableGame,
)
from tournaments.selectors import shown_name

_AT_ONCE: Final = 500
CHANGED: Final = Message("changed since")


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """An entry of the log and the row it refers to; None if that no longer exists."""

    item: ImportedObject
    row: Any

    @property
    def is_changed(self) -> bool:
        """Whether somebody changed the row after the import."""
        return digest_of(self.row, self.item.columns) != self.item.digest


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why one row cannot be undone: what it is, and what was built upon it."""

    item: int
    what: str
    why: str

    @property
    def message(self) -> Message:
        """The obstacle in one sentence."""
        return Message("{what}: {why}", what=self.what, why=self.why)


class Undoer:
    """The undoing of rows of one model: those that were made are deleted with their ``parts``.

    ``key`` is their name for programs, ``title`` for people. ``uses`` are the reasons, by the label
    of another model, that people read where a row of that model refers to one of these. Models with
    the lowest ``rank`` are undone first, those of one rank in reverse order.
    """

    key: ClassVar[str] = "rows"
    title: ClassVar[Message] = Message("rows")
    rank: ClassVar[int] = 0
    parts: ClassVar[frozenset[str]] = frozenset()
    uses: ClassVar[dict[str, Message]] = {}

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model

    def describe(self, row: Any) -> str:
        """The name of a row for people."""
        return str(row)

    def find_rows(self, items: Sequence[ImportedObject]) -> list[ImportedRow]:
        """The rows as they are now."""
        found: dict[str, Any] = {}
        for some in _pieces(items):
            if all(len(item.key) == 1 for item in some):
                (name,) = some[0].key
                wanted = {f"{name}__in": [item.key[name] for item in some]}
                rows = self.model._default_manager.filter(**wanted)
                found |= {str(getattr(row, name)): row for row in self.join(rows)}
            else:
                for item in some:
                    rows = self.model._default_manager.filter(**item.key)
                    found["/".join(item.key.values())] = self.join(rows).first()
        return [ImportedRow(item, found.get("/".join(item.key.values()))) for item in items]

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Return the rows with what `describe` needs."""
        return rows

    def lock(self, rows: Sequence[ImportedRow]) -> None:
        """Lock rows that the club's own lock does not cover."""

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """Rows that were changed since, or that rows which stay refer to."""
        made: dict[Any, ImportedRow] = {}
        for row in rows:
            if row.is_changed:
                yield Obstacle(row.item.pk, self.describe(row.row), CHANGED)
            elif row.item.before is None:
                made[row.row.pk] = row
        for key, why in dict(self._find_uses(list(made), going)).items():
            yield Obstacle(made[key].item.pk, self.describe(made[key].row), why)

    def _find_uses(self, keys: Sequence[Any], going: Keys) -> Iterator[tuple[Any, Message]]:
        for relation in self.model._meta.related_objects:
            other: Any = relation.related_model
            label, name = other._meta.label_lower, relation.field.attname
            if label in self.parts:
                continue
            kind = str(other._meta.verbose_name)
            why = self.uses.get(label) or Message("in use ({kind})", kind=kind)
            for some in _pieces(keys):
                users = other._default_manager.filter(**{f"{name}__in": some})
                if find_blocked := _blocked_finder_of(label):
                    found = find_blocked(users, name, going)
                else:
                    gone = going.get(label, set())
                    pairs = users.values_list("pk", name)
                    found = (key for user, key in pairs if user not in gone)
                yield from ((key, why) for key in found)

    def undo(self, rows: Sequence[ImportedRow], by: Actor, at: datetime) -> None:
        """Delete what was made, and set back what was changed."""
        for row in rows:
            if row.item.before is not None:
                for name, value in row.item.before.items():
                    setattr(row.row, name, value)
                row.row.save(update_fields=list(row.item.before))
        made = [one.row.pk for one in rows if one.item.before is None]
        for some in _pieces(made):
            self.delete(some, at)
        self.mark_stale([one.row for one in rows], at)

    def mark_stale(self, rows: Sequence[Any], at: datetime) -> None:
        """Have what the rows counted in ranked again."""

    def delete(self, keys: Sequence[Any], at: datetime) -> None:
        """Delete rows that were made."""
        self.model._default_manager.filter(pk__in=keys).delete()


def _find_blocked_by_games(
    rows: "models.QuerySet[Any]", name: str, going: Keys, *, path: str
) -> Iterator[Any]:
    games = going.get("scoring.game", set())
    yield from (key for game, key in rows.values_list(path, name) if game not in games)


_BLOCKED_FINDERS: Final[dict[str, BlockedFinder]] = {
    "tournaments.result": partial(_find_blocked_by_games, path="game_id"),
    "tournaments.tableseat": partial(_find_blocked_by_games, path="table__games"),
}
"""By the label of a model of ours whose rows belong to games: which of its rows block undoing."""


class PlayerUndoer(Undoer):
    """Players who came with an import, with their names."""

    key, title = "players", Message("players")
    parts = frozenset({"tournaments.person", "tournaments.formerdetail"})
    uses = {
        "tournaments.entry": Message("was entered for an event"),
        "tournaments.leaguemember": Message("is a member of a league"),
        "tournaments.player": Message("somebody was merged with them"),
        "tournaments.playerbar": Message("was barred"),
        "tournaments.result": Message("has played"),
        "tournaments.role": Message("has a role in the club"),
    }

    def describe(self, row: Player) -> str:
        """The name and the number."""
        return f"{shown_name(row, in_full=True)} ({row.number})"

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Players with their names, but for those who were removed before."""
        return rows.filter(removed_at=None).select_related("person")

    def delete(self, keys: Sequence[Any], at: datetime) -> None:
        """Delete players; those to whom games or books refer are only marked as removed."""
        remembered: set[UUID] = set()
        for relation in Player._meta.related_objects:
            other: Any = relation.related_model
            if _blocked_finder_of(other._meta.label_lower) is not None:
                name = relation.field.attname
                users = other._default_manager.filter(**{f"{name}__in": keys})
                remembered.update(users.values_list(name, flat=True))
        Player.objects.filter(pk__in=remembered).update(removed_at=at)
        super().delete([key for key in keys if key not in remembered], at)


class EntryUndoer(Undoer):
    """Entries of events that came with their games or results."""

    key, title = "entries", Message("entries of events")

    uses = {
        "tournaments.adjustment": Message("has an adjustment"),
        "tournaments.tableseat": Message("sits at a table"),
        "tournaments.sitout": Message("sits out"),
        "tournaments.recordedresult": Message("has a result"),
    }

    def describe(self, row: Entry) -> str:
        """The event and the name."""
        return f"{row.event.name}, {shown_name(row.player, in_full=True)}"

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Entries with their events and names."""
        return rows.select_related("event", "player__person")


class RankedUndoer(Undoer):
    """Events and leagues: the versions of standings of those that were made go with them."""

    uses = {
        "tournaments.entry": Message("somebody has entered it since"),
        "tournaments.leagueevent": Message("events were added to the league since"),
        "tournaments.leaguemember": Message("somebody was put on its roll since"),
    }

    def delete(self, keys: Sequence[Any], at: datetime) -> None:
        """Delete events or leagues with their standings; none was official, or it is changed."""
        published = Published.objects.filter(subject__in=keys)
        Snapshot.objects.filter(published__in=published).delete()
        published.delete()
        Stale.objects.filter(subject__in=keys).delete()
        super().delete(keys, at)


class EventUndoer(RankedUndoer):
    """Events: those that games were put into are planned again, if nothing else has begun there."""

    key, title = "events", Message("events")

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """Only events that the import made have obstacles; others simply go on."""
        made = [row for row in rows if row.item.before is None]
        yield from super().find_obstacles(made, going)

    def undo(self, rows: Sequence[ImportedRow], by: Actor, at: datetime) -> None:
        """Delete those that were made; others get their status back where no round is left."""
        super().undo([one for one in rows if one.item.before is None], by, at)
        for row in rows:
            if row.item.before is not None and not row.row.round_rows.exists():
                event = events.lock(row.row.pk)
                event.status = row.item.before["status"]
                events.touch(event, AuditRecord(Message("event changed")), by, at)


class LeagueUndoer(RankedUndoer):
    """Leagues that an import began."""

    key, title = "leagues", Message("leagues")


class EventFactUndoer(Undoer):
    """Something of an event, which is ranked again; ``event_path`` leads to the event."""

    event_path: ClassVar[str]

    def event_of(self, row: Any) -> Event:
        """The event of a row."""
        event: Event = attrgetter(self.event_path)(row)
        return event

    def mark_stale(self, rows: Sequence[Any], at: datetime) -> None:
        """Rank the events again."""
        for event in {event.pk: event for event in map(self.event_of, rows)}.values():
            invalidation.mark_event(event.pk, at)


class EventPartUndoer(EventFactUndoer):
    """Anything that an import added to its events: it stays with an event changed since."""

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """Rows that were changed since, or whose event was."""
        events = ImportedObject.objects.filter(
            source_import__in={row.item.source_import_id for row in rows},
            model="tournaments.event",
            undone_at=None,
        )
        found = undoer_of("tournaments.event").find_rows(list(events))
        changed = {one.row.pk for one in found if one.row is not None and one.is_changed}
        stay = [row for row in rows if self.event_of(row.row).pk in changed]
        for one in stay:
            yield Obstacle(one.item.pk, self.describe(one.row), Message("its event was changed"))
        yield from super().find_obstacles([row for row in rows if row not in stay], going)


class RecordedResultUndoer(EventPartUndoer):
    """Results of events with results only."""

    key, title, event_path = "results", Message("results of players"), "entry.event"

    def describe(self, row: Any) -> str:
        """The event and the name."""
        return f"{row.entry.event.name}, {shown_name(row.entry.player, in_full=True)}"

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Rows of entries with their events and names."""
        return rows.select_related("entry__event", "entry__player__person")


class AdjustmentUndoer(RecordedResultUndoer):
    """Penalties and bonuses that came with results."""

    key, title = "adjustments", Message("penalties and bonuses")

    def describe(self, row: Adjustment) -> str:
        """The event, the name and the reason."""
        return f"{super().describe(row)}: {row.reason}"


class SessionUndoer(EventPartUndoer):
    """Events that were added to a league."""

    key, title, event_path = "sessions", Message("nights of a league"), "event"

    def describe(self, row: LeagueEvent) -> str:
        """The league and the event."""
        return f"{row.league.name}, {row.event.name}"

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Sessions with their leagues and events."""
        return rows.select_related("league", "event")

    def mark_stale(self, rows: Sequence[LeagueEvent], at: datetime) -> None:
        """Rank the leagues again."""
        invalidation.mark(Scope.LEAGUE, sorted({row.league_id for row in rows}), at)
        events = {row.event_id for row in rows}
        invalidation.mark_players(TableGame.objects.filter(event__in=events), at)


class LeagueMemberUndoer(Undoer):
    """Openings that were brought into a league."""

    key, title = "openings", Message("opening balances")

    def describe(self, row: LeagueMember) -> str:
        """The league and the name."""
        return f"{row.league.name}, {shown_name(row.player, in_full=True)}"

    def join(self, rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
        """Members with their leagues and names."""
        return rows.select_related("league", "player__person")

    def mark_stale(self, rows: Sequence[LeagueMember], at: datetime) -> None:
        """Rank the leagues again."""
        invalidation.mark(Scope.LEAGUE, sorted({row.league_id for row in rows}), at)


_UNDOERS: Final[dict[str, Undoer]] = {
    "tournaments.adjustment": AdjustmentUndoer(Adjustment),
    "tournaments.entry": EntryUndoer(Entry),
    "tournaments.event": EventUndoer(Event),
    "tournaments.league": LeagueUndoer(League),
    "tournaments.leagueevent": SessionUndoer(LeagueEvent),
    "tournaments.leaguemember": LeagueMemberUndoer(LeagueMember),
    "tournaments.recordedresult": RecordedResultUndoer(RecordedResult),
}
"""How rows of ours are undone, by the label of their model."""


@dataclass(slots=True)
class UndoPlan:
    """The plan of undoing an import: how many rows go or are set back, what stays and why."""

    going: Keys = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    obstacles: list[Obstacle] = field(default_factory=list)
    steps: list[tuple[Undoer, list[ImportedRow]]] = field(default_factory=list)


def plan_undo(row: Import, *, locks: bool = False) -> UndoPlan:
    """Find out what undoing an import would do; nothing is written. ``locks`` what it looks at."""
    plan = UndoPlan()
    items = ImportedObject.objects.filter(source_import=row, undone_at=None).order_by("model", "pk")
    groups = [(label, list(same)) for label, same in groupby(items, lambda item: item.model)]
    steps = [(undoer_of(label), same) for label, same in groups]
    steps.sort(key=lambda step: (step[0].rank, -step[1][0].pk))
    for undoer, same in steps:
        if locks:
            undoer.lock([row for row in undoer.find_rows(same) if row.row is not None])
        rows = [row for row in undoer.find_rows(same) if row.row is not None]
        label = undoer.model._meta.label_lower
        plan.going[label] = {row.row.pk for row in rows if row.item.before is None}
        obstacles = list(undoer.find_obstacles(rows, plan.going))
        stay = {obstacle.item for obstacle in obstacles}
        goes = [row for row in rows if row.item.pk not in stay]
        plan.going[label] = {one.row.pk for one in goes if one.item.before is None}
        plan.counts[label] = len(goes)
        plan.obstacles += obstacles
        plan.steps.append((undoer, goes))
    plan.obstacles.sort(key=lambda one: one.item)
    return plan


@transaction.atomic
def undo_import(
    *, import_id: UUID, by: Actor, at: datetime, leave_obstacles: bool = False
) -> UndoPlan:
    """Undo an import as one step.

    ``leave_obstacles``: what was built upon since stays as it is, and all the rest goes; it can be
    undone later. Raises NotThereError, and ConflictError where the import still goes on, was
    undone, or something was built upon it: nothing is changed then.
    """
    known = Import.objects.only("club_id").filter(pk=import_id).first()
    if known is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=known.club_id)
    row = Import.objects.get(pk=import_id)
    if row.job is not None and Job.objects.filter(pk=row.job, state__in=ALIVE).exists():
        raise ConflictError(Message("This import is still running; cancel it first."))
    if row.undone_at is not None and not row.items.filter(undone_at=None).exists():
        raise ConflictError(Message("This import was undone before."))
    plan = plan_undo(row, locks=True)
    if plan.obstacles and not leave_obstacles:
        raise ObstaclesError(plan.obstacles)
    for undoer, rows in plan.steps:
        undoer.undo(rows, by, at)
    stay = [obstacle.item for obstacle in plan.obstacles]
    row.items.filter(undone_at=None).exclude(pk__in=stay).update(undone_at=at)
    row.undone_at, row.undone_by = at, by.label
    row.save(update_fields=["undone_at", "undone_by"])
    details = {"import": row.pk, "kind": row.kind, "stay": len(stay), **plan.counts}
    action = AuditRecord(Message("import undone"), details=details)
    audit.note(action, chain=row.club_id, club=row.club_id, by=by, at=at)
    return plan


class ObstaclesError(ConflictError):
    """Something was built upon an import since; ``obstacles`` say what."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        count = len(obstacles)
        words = Message(
            "Something now depends on this import, so nothing was undone ({count}): {first}",
            count=count,
            first=obstacles[0].message,
        )
        super().__init__(words)
        self.obstacles = tuple(obstacles)


def undoer_of(label: str) -> Undoer:
    """Return the undoer of a model's rows, by its label; most are simply deleted or set back."""
    return _UNDOERS.get(label) or books().undoers.get(label) or Undoer(apps.get_model(label))


def _blocked_finder_of(label: str) -> BlockedFinder | None:
    return _BLOCKED_FINDERS.get(label) or books().blocked_finders.get(label)


def _pieces(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
