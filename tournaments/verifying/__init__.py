"""Verify published standings that are not stale: compute them again from results alone.

Nothing is locked: marks, standings and results are seen in one moment of the database.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from tournaments.database.transactions import read_snapshot
from tournaments.models import Published, Scope, Snapshot, Stale
from tournaments.publishing import PROGRAM, compute
from tournaments.publishing.thinning import find_kept_numbers, first_thinned_moment

_AT_ONCE: Final = 500
_WORDS_MAX: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A published value, and what its results come to."""

    club: UUID
    scope: str
    subject: UUID
    what: str
    kept: str
    right: str


def published_subjects(club: UUID | None = None, *, after: UUID | None = None) -> Iterator[UUID]:
    """Everything of which there are standings, of one club or of all; ``after`` goes on."""
    rows = Published.objects.filter(version__gt=0).order_by("pk")
    if club is not None:
        rows = rows.filter(club=club)
    while page := list(
        (rows.filter(pk__gt=after) if after else rows).values_list("pk", flat=True)[:_AT_ONCE]
    ):
        yield from page
        after = page[-1]


def look_at(number: UUID) -> list[Wrong]:
    """Return faults in published standings: of all versions, and of the last if not behind."""
    with read_snapshot():
        row = Published.objects.filter(pk=number).first()
        if row is None:
            return []
        versions = list(_versions(row))
        snapshot = Snapshot.objects.filter(published=row, version=row.version).first()
        if versions or snapshot is None or snapshot.program != PROGRAM or _is_behind(row):
            # What another program computed is computed anew in the night.
            return versions
        computed = compute(row.scope, row.subject, fresh=True)
    if row.scope == Scope.STRENGTH and computed and computed.inputs != snapshot.inputs:
        return versions  # worked out in the night, from the games of yesterday
    if computed is None:
        return [_of(row, "standings", "there", "of nothing")]
    if row.digest != snapshot.digest:
        versions.append(_of(row, "digest", row.digest, snapshot.digest))
    if snapshot.data != computed.text:
        versions.append(_of(row, "standings", *_differing(snapshot.data, computed.text)))
    return versions


def _versions(row: Published) -> Iterator[Wrong]:
    """Versions are numbered without gaps, and each is what it was when it was published.

    Of statistics only the last one is kept; of others versions may be missing that may have been
    thinned.
    """
    is_last_only = row.scope == Scope.STATISTICS
    number = row.version - 1 if is_last_only else 0
    kept = find_kept_numbers(row)
    thinned = first_thinned_moment(row.club, timezone.now())
    rows = Snapshot.objects.filter(published=row).order_by("version")
    values = rows.values_list("version", "data", "digest", "computed_at")
    for version, data, digest, computed_at in values.iterator(100):
        number += 1
        if version != number:
            is_thinned = version > number and computed_at < thinned and not is_last_only
            if not is_thinned or not kept.isdisjoint(range(number, version)):
                yield _of(row, "version", str(version), str(number))
                return
            number = version
        made = hashlib.sha256(data.encode()).hexdigest()
        if digest != made:
            yield _of(row, f"digest of version {version}", digest, made)
    if number != row.version:
        yield _of(row, "last version", str(row.version), str(number))


def _is_behind(row: Published) -> bool:
    marks = Stale.objects.filter(scope=row.scope, subject=row.subject)
    return marks.exists() or _waits_for_events(row)


def _waits_for_events(row: Published) -> bool:
    """Ratings are marked only when the standings of an event have been computed."""
    if row.scope != Scope.RATINGS:
        return False
    events = Published.objects.filter(
        club=row.club_id, scope=Scope.EVENT, subject=OuterRef("subject")
    )
    return Stale.objects.filter(Exists(events), scope=Scope.EVENT).exists()


def _of(row: Published, what: str, kept: str, right: str) -> Wrong:
    return Wrong(
        club=row.club_id,
        scope=row.scope,
        subject=row.subject,
        what=what,
        kept=kept,
        right=right,
    )


def _differing(kept: str, right: str) -> tuple[str, str]:
    """Return the places where two texts part: a little of each from there.

    >>> _differing('{"a":1,"b":2}', '{"a":1,"b":3}')
    ('2}', '3}')
    """
    pairs = enumerate(zip(kept, right, strict=False))
    start = next((at for at, (one, other) in pairs if one != other), min(len(kept), len(right)))
    return kept[start : start + _WORDS_MAX], right[start : start + _WORDS_MAX]
