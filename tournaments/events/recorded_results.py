"""Results of events whose games are not on record: written down, and corrected with a reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from engine.core.messages import Message, Sentence, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.events.entries import ENTRIES_MAX, standing_of
from tournaments.events.events import (
    OVER,
    check_not_cancelled,
    check_version,
    finish,
    lock,
    scoring_of,
    touch,
)
from tournaments.models import Entry, Event, Player, Presence, RecordedResult
from tournaments.standings.settings import exact

GAMES_MAX: Final = 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResult:
    """The result of a player: ``points``, a fraction as text, or a ``place``, or both.

    ``games`` is how many they played, 0 if nobody wrote it down. ``standing`` None: a guest if the
    club knows them as one.
    """

    player: UUID
    points: str = ""
    place: int | None = None
    games: int = 0
    standing: str | None = None


@transaction.atomic
def record_results(
    *,
    event_id: UUID,
    results: Sequence[NewResult],
    why: str = "",
    version: int | None,
    by: Actor,
    at: datetime,
) -> Event:
    """Record all results of an event with results only, and finish it.

    A player who is not among them did not take part. The same
    results again change nothing. A correction of an official event waits to be confirmed like any
    other (DEC-7). Raises StaleError; RefusedError naming the result by its place in the list, or
    for an event with games, or for a correction without a reason; ConflictError for somebody left
    out who has a penalty.
    """
    event = lock(event_id)
    check_version(event, version)
    if not event.is_results_only:
        raise RefusedError(Message("The results of this event come from its hands."), "status")
    check_not_cancelled(event)
    entries = {
        entry.player.merged_into_id or entry.player_id: entry
        for entry in event.entries.select_related("player")
    }
    wanted = _check(event, results)
    before = dict.fromkeys(entries) | results_of(event)
    changed = [who for who in before | wanted if before.get(who) != wanted.get(who)]
    if event.status in OVER and not changed:
        return event
    if before and changed and not why.strip():
        raise RefusedError(Message("Say why the results are corrected."), "why")
    _take_out([entries[who] for who in before if who not in wanted])
    _write(event, {who: wanted[who] for who in wanted if who in changed}, entries, at)
    if event.status not in OVER:
        finish(event, at)
    action = Message("results corrected") if before else Message("results recorded")
    changes = [
        {
            "player": who,
            "before": _as_data(before.get(who)),
            "after": _as_data(wanted.get(who)),
        }
        for who in changed
    ]
    touch(event, AuditRecord(action, why, {"results": changes}), by, at)
    invalidation.mark_event(event.pk, at)
    return event


def _check(event: Event, results: Sequence[NewResult]) -> dict[UUID, NewResult]:
    """The results by player, merged duplicates as one player. Raises RefusedError."""
    if not results:
        raise RefusedError(Message("Enter at least one result."), "results")
    if len(results) > ENTRIES_MAX:
        raise RefusedError(
            Message("An event has {most} entries at most.", most=f"{ENTRIES_MAX:,}"), "results"
        )
    players = Player.objects.filter(club=event.club_id).select_related("merged_into")
    known = players.in_bulk([result.player for result in results])
    found: dict[UUID, NewResult] = {}
    for number, one in enumerate(results):
        where = f"results.{number}"
        row = known.get(one.player)
        if row is None:
            raise RefusedError(Message("The club does not know this player."), f"{where}.player")
        player = row.merged_into or row
        if player.pk in found:
            raise RefusedError(Message("This player has a result already."), f"{where}.player")
        if not one.points and one.place is None:
            raise RefusedError(Message("A result has points or a place."), f"{where}.points")
        try:
            points = str(exact(one.points)) if one.points else ""
        except ValueError as error:
            raise RefusedError(Sentence(message_of(error)), f"{where}.points") from error
        standing = one.standing or standing_of(player)
        found[player.pk] = replace(one, player=player.pk, points=points, standing=standing)
    _check_points(event, [*found.values()])
    return found


def _check_points(event: Event, results: Sequence[NewResult]) -> None:
    """Points of some and places alone of others cannot be compared, nor places with penalties."""
    without = next((number for number, one in enumerate(results) if not one.points), None)
    if without is None:
        return
    if any(result.points for result in results):
        words = Message("Others have points; this result needs them too.")
        raise RefusedError(words, f"results.{without}.points")
    if scoring_of(event).low_total:
        words = Message("Where the lowest total is best, every result needs its points.")
        raise RefusedError(words, f"results.{without}.points")


def results_of(event: Event) -> dict[UUID, NewResult]:
    """The recorded results of an event, by player, merged duplicates as one player. One query."""
    rows = RecordedResult.objects.filter(entry__event=event).select_related("entry__player")
    found = {}
    for row in rows.order_by("entry__number"):
        player = row.entry.player.merged_into_id or row.entry.player_id
        found[player] = NewResult(
            player=player,
            points=row.points,
            place=row.place,
            games=row.games,
            standing=row.entry.standing,
        )
    return found


def _as_data(result: NewResult | None) -> Mapping[str, Any] | None:
    """A result as plain data for the trail."""
    if result is None:
        return None
    return {"points": result.points, "place": result.place, "games": result.games}


def _take_out(entries: Iterable[Entry]) -> None:
    """Remove the entries of players who did not take part after all. Raises ConflictError."""
    for entry in entries:
        if entry.adjustments.exists():
            words = Message("Somebody who has a penalty or a bonus cannot be left out.")
            raise ConflictError(words, "results")
        RecordedResult.objects.filter(entry=entry).delete()
        entry.delete()


def _write(
    event: Event, results: Mapping[UUID, NewResult], entries: Mapping[UUID, Entry], at: datetime
) -> None:
    """Store results, and enter the players who were not entered before."""
    last = Entry.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    known, new, rows = [], [], []
    for player, one in results.items():
        entry = entries.get(player)
        if entry is None:
            last += 1
            entry = Entry(
                event=event,
                number=last,
                player_id=player,
                presence=Presence.HERE,
                entered_at=at,
            )
            new.append(entry)
        else:
            known.append(entry)
        entry.standing = one.standing or entry.standing
        rows.append(
            RecordedResult(entry=entry, points=one.points, place=one.place, games=one.games)
        )
    Entry.objects.bulk_create(new)
    Entry.objects.bulk_update(known, ["standing"])
    RecordedResult.objects.bulk_create(
        rows,
        update_conflicts=True,
        update_fields=["points", "place", "games"],
        unique_fields=["entry"],
    )
