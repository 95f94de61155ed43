"""Read published standings of any version or moment, and the changes between versions.

Older versions are thinned (`tournaments.publishing.thinning`). Who asks for one that is no longer
kept gets the last one before it that is, and is told so (`Standings.thinned`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Max, Min, OuterRef, Subquery

from tournaments.core.time_zones import day
from tournaments.models import (
    Adjustment,
    Entry,
    Player,
    Published,
    Scope,
    SeatDecision,
    Snapshot,
    Stale,
)
from tournaments.selectors import shown_name
from tournaments.standings.changes import StandingChange, compare
from tournaments.standings.rows import RowData


class ThinnedVersions(NamedTuple):
    """The numbers of the first and the last of some versions that are no longer kept."""

    first: int
    last: int


@dataclass(frozen=True)
class Standings:
    """A version of standings. ``behind_since``: something has changed that is not in it yet.

    ``find_latest`` is the last version; ``trouble`` is why they were put aside. ``thinned``: what
    was asked for is, or may be, one of the next versions, which are no longer kept.
    """

    row: Published
    snapshot: Snapshot | None
    behind_since: datetime | None
    thinned: ThinnedVersions | None = None

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The standings as plain data; nothing before they were first computed."""
        return {} if self.snapshot is None else load(self.snapshot)

    @property
    def version(self) -> int:
        """The number of this version; 0 before the first."""
        return 0 if self.snapshot is None else self.snapshot.version

    @property
    def latest(self) -> int:
        """The last version."""
        return self.row.version

    @property
    def rows(self) -> Sequence[RowData]:
        """The rows in their order."""
        rows: Sequence[RowData] = self.data.get("rows", ())
        return rows

    @cached_property
    def players(self) -> Mapping[str, str]:
        """The players by entry: of a league they are the same, as for who has no entry."""
        entries = self.data.get("entries", {})
        rows = (*self.rows, *self.data.get("house", ()))
        return {row["entry"]: row["entry"] for row in rows} | {
            entry: one["player"] for entry, one in entries.items()
        }

    @property
    def stamp(self) -> str:
        """The state for cache tags: the versions, and whether it is behind or failing."""
        numbers = f"{self.version}.{self.latest}.{self.row.official or 0}"
        flags = (self.behind_since is not None, bool(self.row.trouble), self.thinned is not None)
        return ".".join([numbers, *(f"{flag:d}" for flag in flags)])


def load(snapshot: Snapshot) -> Mapping[str, Any]:
    """The standings of a version as plain data."""
    found: Mapping[str, Any] = json.loads(snapshot.data)
    return found


def find_latest(scope: Scope, subject: UUID) -> Standings:
    """Return the latest version. One query, and three where nothing was published."""
    return _find_standings(scope, subject, version=F("published__version"))


def find_version(scope: Scope, subject: UUID, version: int) -> Standings | None:
    """One version; None if there is none, or it is no longer kept."""
    standings = _find_standings(scope, subject, version=version)
    return None if standings.snapshot is None else standings


def find_version_or_before(scope: Scope, subject: UUID, version: int) -> Standings | None:
    """One version, or the last one before it that is kept; None if there was no such version."""
    standings = _find_standings(scope, subject, version__lte=version)
    if standings.snapshot is None or version > standings.latest:
        return None
    return standings if standings.version == version else _with_thinned(standings)


def find_as_of(scope: Scope, subject: UUID, moment: datetime) -> Standings | None:
    """Return the last version that is kept and was computed by a moment; None before the first."""
    standings = _find_standings(scope, subject, computed_at__lte=moment)
    return None if standings.snapshot is None else _with_thinned(standings, moment)


def _with_thinned(standings: Standings, moment: datetime | None = None) -> Standings:
    """Return the changes with versions after it that are no longer kept. One query at most.

    They were computed on the day of the next one that is kept, so at a ``moment`` of an earlier day
    none of them was there yet.
    """
    if standings.version == standings.latest:
        return standings
    later = Snapshot.objects.filter(published=standings.row, version__gt=standings.version)
    following = later.order_by("version").values_list("version", "computed_at").first()
    if following is None or following[0] == standings.version + 1:
        return standings
    clock = standings.row.club.time_zone
    if moment is not None and day(moment, clock) < day(following[1], clock):
        return standings
    return replace(standings, thinned=ThinnedVersions(standings.version + 1, following[0] - 1))


def _find_standings(scope: Scope, subject: UUID, **which: Any) -> Standings:
    marks = Stale.objects.filter(scope=scope, subject=OuterRef("published__subject"))
    kept = (
        Snapshot.objects.filter(published__scope=scope, published__subject=subject, **which)
        .select_related("published__club")
        .annotate(stale_since=Subquery(marks.order_by("since").values("since")[:1]))
        .defer("data")
    )
    snapshot = kept.order_by("-version").first()
    if snapshot is not None:
        return Standings(snapshot.published, snapshot, snapshot.stale_since)
    row = Published.objects.filter(scope=scope, subject=subject).first()
    row = row or Published(scope=scope, subject=subject)
    return Standings(row, None, behind_since(scope, subject))


def behind_since(scope: Scope, subject: UUID) -> datetime | None:
    """Return the time of the oldest stale mark; None if there is none. One query."""
    marks = Stale.objects.filter(scope=scope, subject=subject)
    since: datetime | None = marks.aggregate(since=Min("since"))["since"]
    return since


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """Changes since ``version``, the last one that is kept up to the one that was asked for."""

    version: int
    changes: list[StandingChange]


def changes_since(standings: Standings, version: int) -> ChangesSince | None:
    """Return changes since an older version; None if there was no such version. Two queries."""
    kept = find_last_kept(standings.row, version)
    if kept is None:
        return None
    old = Snapshot.objects.get(published=standings.row, version=kept)
    return ChangesSince(kept, compare(load(old).get("rows", ()), standings.rows))


def find_last_kept(row: Published, version: int) -> int | None:
    """The number of the last version up to another that is kept; None if that never was."""
    if version > row.version:
        return None
    kept = Snapshot.objects.filter(published=row, version__lte=version)
    found: int | None = kept.aggregate(last=Max("version"))["last"]
    return found


@dataclass(frozen=True, slots=True)
class DepartedEntry:
    """An entry whose row is no longer in the standings; ``into`` is who they turned out to be."""

    name: str
    into: str = ""


def find_departed(changes: Sequence[StandingChange], *, in_full: bool) -> dict[str, DepartedEntry]:
    """Return entries without a row any more. No query where nobody left, else two.

    An entry of a league is its player, one of an event says who that is.
    """
    ids = [UUID(change.entry) for change in changes if change.left]
    if not ids:
        return {}
    entered = dict(Entry.objects.filter(pk__in=ids).values_list("pk", "player"))
    rows = Player.objects.filter(pk__in=[entered.get(one, one) for one in ids])
    players = {row.pk: row for row in rows.select_related("person", "merged_into__person")}
    return {
        str(one): _departed_player(players[entered.get(one, one)], in_full=in_full)
        for one in ids
        if entered.get(one, one) in players
    }


def _departed_player(player: Player, *, in_full: bool) -> DepartedEntry:
    name = shown_name(player, in_full=in_full)
    if player.merged_into is None:
        return DepartedEntry(name)
    return DepartedEntry(
        f"{name} ({player.number})", shown_name(player.merged_into, in_full=in_full)
    )


def reasons_of(standings: Standings) -> dict[str, str]:
    """Why the director adjusted scores and decided on seats, by id. At most two queries."""
    ids = [
        UUID(adjustment["reason"]) for row in standings.rows for adjustment in row["adjustments"]
    ]
    seats = [seat for game in standings.data.get("games", ()) for seat in game["seats"]]
    made = [UUID(seat["decision"]) for seat in seats if "decision" in seat]
    adjusted = Adjustment.objects.filter(pk__in=ids) if ids else ()
    decided = SeatDecision.objects.filter(pk__in=made) if made else ()
    return {str(one.pk): one.reason for one in (*adjusted, *decided)}


def names_of(players: Sequence[UUID], *, in_full: bool) -> dict[str, str]:
    """Names for who may know them: in full, or so that strangers may. One query."""
    rows = Player.objects.filter(pk__in=players).select_related("person", "merged_into__person")
    return {str(row.pk): shown_name(row.merged_into or row, in_full=in_full) for row in rows}
