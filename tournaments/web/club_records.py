"""Records of a club: the largest pot, the best night, who never misses one.

All of a club's closed games at events are looked at, so what is found is cached for a day, or until
another night is over: a correction shows on the next day at the latest.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import Club, Entry, EntryStanding, Event, Presence, Result, Status
from tournaments.publishing.event_inputs import CLOSED

_KEPT_SECONDS: Final = 24 * 3600
_LEAST_NIGHTS: Final = 2
_WHO: Final = Coalesce("player__merged_into_id", "player_id")


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record: ``kind`` says of what, ``event`` is the night of it, if it was one night."""

    kind: str
    value: int
    player: str
    at: datetime
    event: UUID | None = None
    is_lasting: bool = False


def find_records(club: Club, last: Event | None) -> list[ClubRecord]:
    """The records of a club, hidden nights included; ``last`` is the last night that is over.

    Three queries where nothing is cached.
    """
    day = timezone.localdate().isoformat()
    key = f"club-records-{club.pk}-{day}-{last.pk if last else ''}"
    found: list[ClubRecord] | None = cache.get(key)
    if found is None:
        found = compute_records(club)
        cache.set(key, found, _KEPT_SECONDS)
    return found


def compute_records(club: Club) -> list[ClubRecord]:
    """The records of a club. Three queries."""
    return [
        *_largest_pot(_results(club)),
        *_best_night(_results(club)),
        *_attendance(club),
    ]


def _results(club: Club) -> QuerySet[Result]:
    return Result.objects.filter(game__club=club, game__event__isnull=False, game__phase__in=CLOSED)


def _largest_pot(rows: QuerySet[Result]) -> list[ClubRecord]:
    won = rows.filter(won__gt=0).order_by("-won", "game__opened_at", "game", "number", "seat")
    columns = "won", "who", "game__event__starts_at", "game__event"
    found = won.annotate(who=_WHO).values_list(*columns).first()
    return [] if found is None else [_record("pot", *found)]


def _best_night(rows: QuerySet[Result]) -> list[ClubRecord]:
    """The most chips that somebody won in a night; where points are bad, none can be compared."""
    nights = rows.filter(game__low=False).values("game__event", "game__event__starts_at")
    sums = nights.annotate(who=_WHO, gained=Sum("score")).filter(gained__gt=0)
    best = sums.order_by("-gained", "game__event__starts_at", "who")
    columns = "gained", "who", "game__event__starts_at", "game__event"
    found = best.values_list(*columns).first()
    return [] if found is None else [_record("night", *found)]


def _record(kind: str, value: int, who: UUID, at: datetime, event: UUID) -> ClubRecord:
    return ClubRecord(kind, value, str(who), at, event)


def _attendance(club: Club) -> list[ClubRecord]:
    """Return who came most often, and who came most often without missing a night."""
    held = Event.objects.filter(club=club, status__in=(Status.FINISHED, Status.OFFICIAL))
    nights = list(held.order_by("starts_at", "pk").values_list("pk", "starts_at"))
    came: dict[UUID, set[UUID]] = defaultdict(set)
    rows = Entry.objects.filter(event__in=held).exclude(standing=EntryStanding.HOUSE)
    rows = rows.exclude(presence=Presence.EXPECTED).annotate(who=_WHO)
    for event, who in rows.values_list("event", "who"):
        came[event].add(who)
    counts: dict[UUID, int] = defaultdict(int)
    running: dict[UUID, int] = {}
    longest: tuple[int, UUID, datetime] | None = None
    for event, at in nights:
        people = came[event]
        running = {who: running.get(who, 0) + 1 for who in people}
        for who in sorted(people):
            counts[who] += 1
            if longest is None or running[who] > longest[0]:
                longest = running[who], who, at
    found: list[ClubRecord] = []
    if longest is not None and longest[0] >= _LEAST_NIGHTS:
        length, who, at = longest
        lasting = running.get(who, 0) == length
        found.append(ClubRecord("streak", length, str(who), at, is_lasting=lasting))
    if counts:
        who = min(counts, key=lambda one: (-counts[one], one))
        # Who never missed one is told once.
        if counts[who] >= _LEAST_NIGHTS and counts[who] > max(
            (one.value for one in found), default=0
        ):
            found.append(ClubRecord("nights", counts[who], str(who), nights[-1][1]))
    return found
