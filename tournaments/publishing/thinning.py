"""Versions of standings that are kept for ever, and the removal of the others.

All versions of the last days are kept. Of what is older there stay

- the last one of each day by the club's clock, so that the table at the end of every day is there,
- the first one, so that it is known since when there were standings,
- the one that holds, and each that a director decided on (DEC-7),
- those of events that a version of a season counts which is kept.

So whatever is missing between two versions that are kept was computed on the day of the later one
(`tournaments.publishing.versions` tells readers so).
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction

from tournaments.core.time_zones import day, zone
from tournaments.models import Club, Published, Scope, Snapshot, StandingsDecision
from tournaments.publishing.versions import load

KEPT_WHOLE: Final = timedelta(days=7)
"""So long every version is kept."""
_MARGIN: Final = timedelta(days=1)
"""A season may count standings of an event that are published only a little later."""
_AT_ONCE: Final = 200


class _Version(NamedTuple):
    pk: int
    published: UUID
    number: int
    computed_at: datetime
    digest: str


def thin_versions(club: Club, *, at: datetime) -> int:
    """Remove the versions of a club's standings that are not kept; return how many."""
    before = first_thinned_moment(club, at)
    # Seasons first: what is gone of them counts nothing any more.
    seasons = _remove(_find_superseded(club, [Scope.LEAGUE], before))
    rest = list(_find_superseded(club, [Scope.EVENT, Scope.RATINGS, Scope.STRENGTH], before))
    counted = _find_counted(club, rest)
    return seasons + _remove([one for one in rest if one.digest not in counted])


def first_thinned_moment(club: Club, at: datetime) -> datetime:
    """The moment before which versions are thinned: the beginning of a day by the club's clock."""
    clock = zone(club.time_zone)
    first = day(at - KEPT_WHOLE, club.time_zone)
    return datetime.combine(first, time.min, tzinfo=clock)


def find_kept_numbers(row: Published) -> frozenset[int]:
    """The numbers of versions that are kept whatever their day. One query."""
    decided = StandingsDecision.objects.filter(published=row).values_list("version", flat=True)
    return frozenset({1, row.version, row.official or row.version, *decided})


def _find_superseded(club: Club, scopes: Sequence[Scope], before: datetime) -> Iterator[_Version]:
    """Versions that another one of the same day followed, oldest first. Two queries."""
    rows = Snapshot.objects.filter(
        published__club=club, published__scope__in=scopes, computed_at__lt=before
    ).order_by("published", "version")
    found = rows.values_list("pk", "published", "version", "computed_at", "digest")
    clock = club.time_zone
    for _, versions in groupby(map(_Version._make, found), attrgetter("published")):
        for one, following in pairwise(versions):
            if day(one.computed_at, clock) == day(following.computed_at, clock):
                yield one


def _find_counted(club: Club, candidates: Sequence[_Version]) -> frozenset[str]:
    """The digests of events that are counted by the seasons of those days. One query, or none."""
    if not candidates:
        return frozenset()
    since = min(candidate.computed_at for candidate in candidates) - _MARGIN
    rows = Snapshot.objects.filter(
        published__club=club, published__scope=Scope.LEAGUE, computed_at__gte=since
    )
    return frozenset(
        session["digest"]
        for snapshot in rows.iterator(chunk_size=10)
        for session in load(snapshot)["sessions"]
    )


def _remove(versions: Iterable[_Version]) -> int:
    """Remove versions, those of each table in one transaction, unless they are kept for ever."""
    count = 0
    for published, group in groupby(versions, attrgetter("published")):
        with transaction.atomic():
            row = Published.objects.select_for_update().filter(pk=published).first()
            kept = frozenset[int]() if row is None else find_kept_numbers(row)
            going = [one.pk for one in group if one.number not in kept]
            for first in range(0, len(going), _AT_ONCE):
                Snapshot.objects.filter(pk__in=going[first : first + _AT_ONCE]).delete()
        count += len(going)
    return count
