"""Publish stale standings: one worker at a time, versions never decrease.

A write that affects standings adds a stale mark in its own transaction
(`tournaments.invalidation.mark`). A worker leases the row of the standings by moving its ``due_at``
forward, reads marks and results in one consistent snapshot, and writes the new version in the
transaction that deletes exactly the marks it read. If a worker dies, the marks remain and the lease
runs out. Hints may therefore be duplicated, late or lost: the rows alone decide what is done.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import OperationalError, transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet

from tournaments.database.sql import garbage_collection_paused
from tournaments.database.transactions import asynchronous_commit, read_snapshot
from tournaments.invalidation import mark
from tournaments.models import ATTEMPTS_MAX, Published, Scope, Snapshot, Stale
from tournaments.models.limits import max_length
from tournaments.publishing.documents import ChangedGames, StandingsDocument, have_same_rated_games
from tournaments.publishing.event_summaries import remember_event
from tournaments.publishing.lease import LEASE, lease_renewal
from tournaments.publishing.official_versions import OFFICIAL
from tournaments.publishing.scopes import club_of, compute
from tournaments.standings.program import PROGRAM

PUT_ASIDE: Final = timedelta(seconds=30)
"""For how long; then they are tried once more. Not longer: their workers may have been killed from
outside, and people wait."""
HINTS_MAX: Final = 20
"""One hint is enough for a worker to do all that is due; more only let several begin at once."""
SECONDS: Final = 10.0
"""How long a worker goes on with what else is due; a task must end well within its limit."""
STANDINGS: Final = (Scope.EVENT, Scope.LEAGUE, Scope.RATINGS, Scope.STRENGTH)
"""What people wait for: published as soon as a worker is free."""
STATISTICS: Final = (Scope.STATISTICS,)
SETTLED: Final = timedelta(minutes=15)
"""So long statistics wait after a change: the hands of a night are counted a few times, not each
hand."""
_IDS_MAX: Final = 10_000
_SAID: Final = f"Put aside after {ATTEMPTS_MAX} tries."

_OWN_MAX: Final = 32
_TROUBLE_MAX: Final = max_length(Published, "trouble")
_own: Final[OrderedDict[UUID, Published]] = OrderedDict()
"""The events and leagues that this process published last, as it wrote their rows."""

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A new version of standings, as passed to the ``tell`` callback.

    ``official`` is the version that holds since it was made official; ``is_pending``: this one
    waits to take its place. ``amends`` is the version whose place it took.
    """

    club: UUID
    scope: str
    subject: UUID
    version: int
    digest: str
    official: int | None = None
    is_pending: bool = False
    amends: int | None = None


Tell = Callable[[Issue, datetime], None]
"""Callback for a new version; runs inside the transaction that writes it."""


def ignore_issue(_: Issue, __: datetime) -> None:
    """Do nothing: the default ``tell`` callback."""


log = structlog.get_logger(__name__)


class PublishOutcome(StrEnum):
    """The outcome of one attempt to publish."""

    NEW = "new"
    SAME = "same"
    """The content is unchanged: no new version."""
    BUSY = "busy"
    """Somebody else computes them, or they were put aside."""
    GONE = "gone"
    """There is no such event, league or club, or another took over meanwhile."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MarkedInputs:
    """The stale marks of one database snapshot and the document computed from it."""

    marks: Sequence[int]
    computed: StandingsDocument | None


def find_due(
    at: datetime, most: int, scopes: Sequence[Scope] = STANDINGS
) -> list[tuple[str, datetime]]:
    """Return (hint name, due since) of stale standings without a lease. One indexed query.

    The name ends with the id of the oldest mark, so that a newer mark makes a different hint.
    """
    rows = _waiting(at, min(most, HINTS_MAX), scopes)
    return [(f"{scope} {subject} {first}", since) for scope, subject, first, since in rows]


def count_due(at: datetime, scopes: Sequence[Scope] = STANDINGS) -> int:
    """Count standings that are stale and without a lease, up to 10,000. One query."""
    return len(_waiting(at, _IDS_MAX, scopes))


def put_aside() -> QuerySet[Published]:
    """Standings and statistics that failed `ATTEMPTS_MAX` times in a row."""
    return Published.objects.filter(trouble__startswith=_SAID)


def _waiting(
    at: datetime, most: int, scopes: Sequence[Scope]
) -> list[tuple[str, UUID, int, datetime]]:
    """Scope, subject, oldest mark, and since when they are due."""
    delay = SETTLED if scopes == STATISTICS else timedelta()
    held = Published.objects.filter(
        scope=OuterRef("scope"), subject=OuterRef("subject"), due_at__gt=at
    )
    rows = (
        Stale.objects.filter(~Exists(held), scope__in=scopes)
        .values("scope", "subject")
        .annotate(first=Min("id"), behind=Min("since"))
        .order_by("behind", "scope", "first")
    )
    if delay:
        rows = rows.filter(behind__lte=at - delay)
    found = rows.values_list("scope", "subject", "first", "behind")[:most]
    return [(scope, subject, first, since + delay) for scope, subject, first, since in found]


def publish_due(
    *,
    clock: Clock,
    hint: str = "",
    seconds: float = SECONDS,
    tell: Tell = ignore_issue,
    scopes: Sequence[Scope] = STANDINGS,
) -> int:
    """Publish all due standings once each, the hinted ones first; return how many.

    Standings that are marked again meanwhile wait for the next hint, so that a burst of hands makes
    one version.
    """
    until, count, tried = time.monotonic() + seconds, 0, set[tuple[str, UUID]]()
    if hint:
        named, which, *_ = hint.split()
        tried.add((named, UUID(which)))
        done = publish(scope=named, subject=UUID(which), clock=clock, tell=tell)
        count += done is not PublishOutcome.BUSY
    while time.monotonic() < until:
        found = [(scope, subject) for scope, subject, *_ in _waiting(clock(), HINTS_MAX, scopes)]
        fresh = [one for one in found if one not in tried]
        if not fresh:
            break
        for scope, subject in fresh:
            tried.add((scope, subject))
            done = publish(scope=scope, subject=subject, clock=clock, tell=tell)
            count += done is not PublishOutcome.BUSY
            if time.monotonic() > until:
                break
    return count


def publish(
    *, scope: str, subject: UUID, clock: Clock, tell: Tell = ignore_issue
) -> PublishOutcome:
    """Compute standings and publish them, unless another worker holds their lease.

    ``tell`` is called for a new version, in the transaction that writes it. The call is idempotent:
    repeated, late or out of order it publishes each version once.
    """
    done = _publish_at_once(scope, subject, clock, tell)
    if done is not None:
        return done
    row = _claim(scope, subject, clock())
    if row is None:
        return PublishOutcome.BUSY
    try:
        with lease_renewal(row, clock):
            with read_snapshot():
                seen = _read_inputs(row)
            _make(row, seen)
    except OperationalError:
        row.update_leased(due_at=None, attempts=row.attempts - 1)
        raise
    except Exception as error:
        _fail(row, f"{type(error).__name__}: {error}", clock())
        log.exception("standings failed", scope=scope, subject=str(subject))
        return PublishOutcome.FAILED
    return _write(row, seen, clock(), tell)


def _publish_at_once(scope: str, subject: UUID, clock: Clock, tell: Tell) -> PublishOutcome | None:
    """Publish optimistically, without a lease, if this process published the subject last.

    Nothing is written if another worker leased or published it since. Return None if the caller
    must take the lease after all. The remembered row is dropped first: after an error the
    lease is taken, which counts attempts.
    """
    row = _own.pop(subject, None)
    if row is None:
        return None
    try:
        with read_snapshot():
            seen = _read_inputs(row)
        _make(row, seen)
    except OperationalError:
        raise
    except Exception:
        log.exception("standings failed", scope=scope, subject=str(subject))
        return None
    done = _write(row, seen, clock(), tell)
    return None if done is PublishOutcome.GONE else done


def _claim(scope: str, subject: UUID, at: datetime) -> Published | None:
    """Lease the row for this worker by moving ``due_at`` on; None if another worker has it."""
    free = Published.objects.filter(scope=scope, subject=subject).filter(
        Q(due_at=None) | Q(due_at__lte=at)
    )
    with asynchronous_commit():
        taken = free.update(due_at=at + LEASE, attempts=F("attempts") + 1)
        row = Published.objects.filter(scope=scope, subject=subject).first()
        if row is None:
            row = _first(scope, subject, at)
        elif not taken:
            row = None
    if row is not None and row.attempts > ATTEMPTS_MAX:
        _put_aside(row, row.trouble or "The worker ended each time.", at)
        return None
    return row


def _first(scope: str, subject: UUID, at: datetime) -> Published | None:
    """Create the leased row of new standings; None if the subject is gone or already leased."""
    club = club_of(scope, subject)
    if club is None:
        Stale.objects.filter(scope=scope, subject=subject).delete()
        return None
    row = Published(scope=scope, subject=subject, club_id=club, due_at=at + LEASE, attempts=1)
    Published.objects.bulk_create([row], ignore_conflicts=True)
    return Published.objects.filter(pk=row.pk).first()


def _read_inputs(row: Published) -> MarkedInputs:
    marks = Stale.objects.filter(scope=row.scope, subject=row.subject).values_list("id", "game")
    seen = list(marks)
    games = {game for _, game in seen if game is not None}
    is_hands_only = bool(seen) and all(game is not None for _, game in seen)
    changed = ChangedGames(row.inputs, frozenset(games)) if is_hands_only else None
    computed = compute(str(row.scope), row.subject, changed=changed)
    return MarkedInputs([number for number, _ in seen], computed)


def _make(row: Published, seen: MarkedInputs) -> None:
    """Render the document now, outside the snapshot, unless its inputs were published before."""
    if seen.computed is not None and seen.computed.inputs != row.inputs:
        with garbage_collection_paused():
            seen.computed.make()


def _write(row: Published, seen: MarkedInputs, at: datetime, tell: Tell) -> PublishOutcome:
    """Write a new version if the content changed, and delete the marks that were read."""
    computed = seen.computed
    if computed is None:
        with transaction.atomic():
            _forget(seen.marks)
            row.update_leased(due_at=None, attempts=0)
            if row.scope == Scope.STATISTICS:
                Snapshot.objects.filter(published=row.pk).delete()
                Published.objects.filter(pk=row.pk).delete()
        return PublishOutcome.GONE
    is_new = computed.inputs != row.inputs and computed.digest != row.digest
    fields = {"inputs": computed.inputs, "computed_at": at, "due_at": None, "attempts": 0}
    with transaction.atomic() if is_new else asynchronous_commit():
        if is_new:
            fields |= {"version": row.version + 1, "digest": computed.digest}
        if not _update(row, trouble="", **fields):
            return PublishOutcome.GONE
        if is_new:
            _keep(row, computed, at)
            if row.scope != Scope.STATISTICS:
                tell(_issue(row, computed), at)
        _forget(seen.marks)
        if row.scope == Scope.EVENT and not have_same_rated_games(row.inputs, computed.inputs):
            mark(Scope.RATINGS, [row.club_id], at)
    if row.scope in (Scope.EVENT, Scope.LEAGUE):
        _remember(row, fields)
    if row.scope == Scope.EVENT:
        remember_event(computed.digest, computed.data)
    return PublishOutcome.NEW if is_new else PublishOutcome.SAME


def publish_official(
    scope: Scope, subject: UUID, at: datetime
) -> tuple[Published, StandingsDocument]:
    """Compute standings now, and write them as the next version and the one that holds (DEC-7).

    Called in the transaction that makes something official or confirms its amendment; the caller
    holds the locks of all that the standings come from. A worker that computes them meanwhile finds
    the row changed, and writes nothing. Marks stay: what came in between is looked at again.
    """
    row = lock_published(scope, subject)
    computed = compute(scope, subject, official=row.version + 1)
    assert computed is not None, "what is locked is there"
    _keep(row, computed, at)
    if scope == Scope.EVENT:
        remember_event(computed.digest, computed.data)
        if not have_same_rated_games(row.inputs, computed.inputs):
            mark(Scope.RATINGS, [row.club_id], at)
    row.version += 1
    row.official, row.computed_at = row.version, at
    row.inputs, row.digest = computed.inputs, computed.digest
    row.save(update_fields=["version", "official", "computed_at", "inputs", "digest"])
    return row, computed


def lock_published(scope: Scope, subject: UUID) -> Published:
    """Lock the row of the standings of an event or a league, the first time make it."""
    club = club_of(scope, subject)
    assert club is not None, "what is locked is there"
    first = Published(scope=scope, subject=subject, club_id=club)
    Published.objects.bulk_create([first], ignore_conflicts=True)
    return Published.objects.select_for_update().get(scope=scope, subject=subject)


def _remember(row: Published, fields: Mapping[str, Any]) -> None:
    for name, value in fields.items():
        setattr(row, name, value)
    _own[row.subject] = row
    if len(_own) > _OWN_MAX:
        _own.popitem(last=False)


def _update(row: Published, **fields: Any) -> bool:
    """Update the row if it is unchanged since it was read; return whether it was."""
    seen = ("pk", "due_at", "version", "inputs", "digest")
    mine = Published.objects.filter(**{name: getattr(row, name) for name in seen})
    return bool(mine.update(**fields))


def _issue(row: Published, computed: StandingsDocument) -> Issue:
    data: Any = computed.data
    return Issue(
        club=row.club_id,
        scope=str(row.scope),
        subject=row.subject,
        version=row.version + 1,
        digest=computed.digest,
        official=row.official,
        is_pending=row.official is not None and data["status"] != OFFICIAL,
    )


def _keep(row: Published, computed: StandingsDocument, at: datetime) -> None:
    """Write the next version; of statistics it takes the place of the one before."""
    if row.scope == Scope.STATISTICS:
        Snapshot.objects.filter(published=row).delete()
    Snapshot.objects.create(
        published=row,
        version=row.version + 1,
        data=computed.compressed,
        inputs=computed.inputs,
        digest=computed.digest,
        program=PROGRAM,
        computed_at=at,
    )


def _forget(marks: Sequence[int]) -> None:
    """Delete the marks that were read; newer ones stay."""
    for first in range(0, len(marks), _IDS_MAX):
        Stale.objects.filter(id__in=marks[first : first + _IDS_MAX]).delete()


def _fail(row: Published, words: str, at: datetime) -> None:
    """Schedule a retry with backoff; after ATTEMPTS_MAX attempts put the standings aside."""
    if row.attempts >= ATTEMPTS_MAX:
        _put_aside(row, words, at)
    else:
        row.update_leased(due_at=at + row.attempts * LEASE, trouble=words[:_TROUBLE_MAX])


def _put_aside(row: Published, words: str, at: datetime) -> None:
    """Postpone failing standings by PUT_ASIDE; then they get one more attempt."""
    log.error("standings put aside", scope=row.scope, subject=str(row.subject), trouble=words)
    said = words if words.startswith(_SAID) else f"{_SAID} {words}"
    attempts = ATTEMPTS_MAX - 1
    row.update_leased(due_at=at + PUT_ASIDE, attempts=attempts, trouble=said[:_TROUBLE_MAX])


def clear_cache() -> None:
    """Clear the memory of this process."""
    _own.clear()


def try_again(*, scope: str, subject: UUID, at: datetime) -> None:
    """Make standings that were put aside due at once."""
    mark(Scope(scope), [subject], at)
    aside = Published.objects.filter(scope=scope, subject=subject).exclude(trouble="")
    aside.update(due_at=None, attempts=0, trouble="")
