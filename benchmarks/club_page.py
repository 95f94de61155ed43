"""Figure: the first page of a club with a hundred times as many nights as the demo club."""

import time
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from typing import Any, Final

from django.core.cache import cache
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from scoring.management.demo import Size, build
from tournaments.core.ids import new_id
from tournaments.models import Club, Entry, Event, Published, Result, Scope, Snapshot, TableGame
from tournaments.publishing import publish_due

_TIMES: Final = 100
_GOAL: Final = 0.06


def figures(rounds: int) -> Iterator[Figure]:
    """The page as a stranger and a member see it, and what it takes after something was played."""
    with database():
        call_command("collectstatic", interactive=False, verbosity=0)
        made = build(seed=3, name="Season", size=Size.SMALL)
        while publish_due(clock=timezone.now):
            pass
        club = Club.objects.get()
        Club.objects.update(is_public=True)
        yield _figure(club, rounds, f"{Event.objects.count()} nights")
        _multiply(club)
        note = f"{Event.objects.count()} nights, {Result.objects.count()} results"
        yield _figure(club, rounds, f"{note} ({made.name} x {_TIMES})")


def _figure(club: Club, rounds: int, size: str) -> Figure:
    client = Client(headers={"host": "localhost"})
    path = f"/c/{club.pk}/"
    client.get(path)
    warm = median([_seconds(client, path) for _ in range(rounds)])
    cold = []
    for _ in range(rounds):
        cache.clear()
        cold.append(_seconds(client, path))
    rows = [
        ("nothing has changed", f"{1000 * warm:.0f}", verdict(reached=warm <= _GOAL)),
        ("every summary and record computed anew", f"{1000 * median(cold):.0f}", ""),
    ]
    note = f"{size}. Processor time on SQLite, medians of {rounds}; goal {1000 * _GOAL:.0f} ms."
    return Figure("The page of a club", ("what", "CPU ms", "reached"), rows, note)


def _multiply(club: Club) -> None:
    """Copy every night with its games, results and tables, each time a year further back."""
    events = list(Event.objects.filter(club=club))
    for number in range(1, _TIMES):
        for event in events:
            _copy_night(event, timedelta(days=365 * number))


def _copy_night(event: Event, back: timedelta) -> None:
    copy = _copied(event, starts_at=event.starts_at - back)
    Event.objects.bulk_create([copy])
    entries = Entry.objects.filter(event=event)
    Entry.objects.bulk_create([_copied(row, event=copy) for row in entries])
    games = {row.pk: row for row in TableGame.objects.filter(event=event)}
    copies = {
        pk: _copied(row, event=copy, table=None, opened_at=row.opened_at - back)
        for pk, row in games.items()
    }
    TableGame.objects.bulk_create(copies.values())
    results = [
        _copied(row, game=copies[row.game_id]) for row in Result.objects.filter(game__in=games)
    ]
    Result.objects.bulk_create(results, batch_size=2_000)
    for row in Published.objects.filter(scope=Scope.EVENT, subject=event.pk):
        table = _copied(row, subject=copy.pk)
        Published.objects.bulk_create([table])
        last = Snapshot.objects.get(published=row, version=row.version)
        digest = f"{copy.pk}"
        Snapshot.objects.bulk_create([_copied(last, published=table, digest=digest)])


def _copied(row: Model, **changes: Any) -> Any:
    """A row like another, under an identifier of its own."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    key = row._meta.pk
    assert key is not None
    values.pop(key.attname)
    if key.get_internal_type() == "UUIDField":
        values[key.attname] = new_id()
    made = type(row)(**values)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def _seconds(client: Client, path: str) -> float:
    begun = time.process_time()
    assert client.get(path).status_code == 200
    return time.process_time() - begun
