"""The trail of what was done: entries chained by their digests (reliability.md I18)."""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef

from engine.core.messages import Message
from tournaments.core.actors import Actor
from tournaments.core.language import translate
from tournaments.database.sql import bulk_insert_models, insert_row, uuid_parameter
from tournaments.models import AuditEntry, Trail
from tournaments.models.limits import max_length

FIRST_DIGEST: Final = "0" * 64
BARRED: Final = Message("player barred")
"""The only kind of entry whose whole reason is removed when the person is erased."""
ERASED: Final = "erased"
"""Replaces the salt of a reason from which a name was erased."""
FORMER: Final = "Former member "
"""The name of an erased person, before their number."""
WHY_MAX: Final = max_length(AuditEntry, "why")
_SHOWN_AS: Final = {
    "club founded": Message("club created"),
    "second step taken off": Message("second step removed"),
}
"""Other words for pages. What is stored stays: digests cover it, and programs filter by it."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """The content of an entry; ``details`` hold identifiers and numbers, never names."""

    what: Message
    why: str = ""
    details: Mapping[str, Any] | None = None


def describe_action(what: str) -> str:
    """Return the words of an entry for what was done, translated."""
    return translate(_SHOWN_AS.get(what) or Message(what))


def note(action: AuditRecord, *, chain: UUID, club: UUID | None, by: Actor, at: datetime) -> None:
    """Add an entry; the caller holds the lock of the row that the chain belongs to."""
    last = last_number_and_digest(chain) or (0, FIRST_DIGEST)
    entry = _next_entry(action, last, chain=chain, club=club, by=by, at=at)
    insert_row(entry)
    write_trail(chain, club, entry.number, entry.digest)


def note_all(
    actions: Sequence[tuple[UUID, AuditRecord]], *, club: UUID, by: Actor, at: datetime
) -> None:
    """Add entries to chains of a club, in order, with queries for all of them at once."""
    last = find_chain_ends({chain for chain, _action in actions})
    entries = []
    for chain, action in actions:
        before = last.get(chain, (0, FIRST_DIGEST))
        entry = _next_entry(action, before, chain=chain, club=club, by=by, at=at)
        last[chain] = entry.number, entry.digest
        entries.append(entry)
    bulk_insert_models(entries)
    write_trails(club, last)


def _next_entry(
    action: AuditRecord,
    last: tuple[int, str],
    *,
    chain: UUID,
    club: UUID | None,
    by: Actor,
    at: datetime,
) -> AuditEntry:
    number, before = last
    entry = AuditEntry(
        chain=chain,
        number=number + 1,
        club_id=club,
        what=str(action.what),
        by=by.label,
        source=str(by.source),
        why=str(action.why),
        why_salt=secrets.token_hex(16) if action.why else "",
        details=json.dumps(
            action.details or {}, sort_keys=True, separators=(",", ":"), default=str
        ),
        at=at,
        before=before,
    )
    if entry.why:
        entry.why_seal = seal_why(entry.why_salt, entry.why)
    entry.digest = digest_of(entry)
    return entry


def find_chain_ends(chains: Collection[UUID]) -> dict[UUID, tuple[int, str]]:
    """Return ``last_number_and_digest`` of each chain that has one. Two queries."""
    trails = Trail.objects.filter(chain__in=chains)
    ends = {trail.chain: (trail.length, trail.digest) for trail in trails}
    is_known = Exists(Trail.objects.filter(chain=OuterRef("chain"), length__gte=OuterRef("number")))
    for entry in AuditEntry.objects.filter(~is_known, chain__in=chains).order_by("number"):
        ends[entry.chain] = entry.number, entry.digest
    return ends


def last_number_and_digest(chain: UUID) -> tuple[int, str] | None:
    """The length and the last digest of ``Trail.objects.get(chain=chain)``.

    Of the last audit entry where that has a higher number: entries go on after every one there is.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT length, digest FROM tournaments_trail WHERE chain = %s"
            " UNION ALL SELECT number, digest FROM"
            " (SELECT number, digest FROM tournaments_auditentry"
            " WHERE chain = %s ORDER BY number DESC LIMIT 1) last_entry"
            " ORDER BY 1 DESC LIMIT 1",
            [uuid_parameter(chain)] * 2,
        )
        return cast("tuple[int, str] | None", cursor.fetchone())


def write_trail(chain: UUID, club: UUID | None, length: int, digest: str) -> None:
    """``Trail.objects.bulk_create([...], update_conflicts=True)`` of one row, but for its club."""
    club_parameter = None if club is None else uuid_parameter(club)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_trail (chain, club_id, length, digest)"
            " VALUES (%s, %s, %s, %s) ON CONFLICT (chain)"
            " DO UPDATE SET length = EXCLUDED.length, digest = EXCLUDED.digest",
            [uuid_parameter(chain), club_parameter, length, digest],
        )


def write_trails(club: UUID, last: Mapping[UUID, tuple[int, str]]) -> None:
    """Write how long chains of a club are, and their last digests."""
    Trail.objects.bulk_create(
        [
            Trail(chain=chain, club_id=club, length=length, digest=digest)
            for chain, (length, digest) in last.items()
        ],
        batch_size=200,
        update_conflicts=True,
        unique_fields=["chain"],
        update_fields=["length", "digest"],
    )


def digest_of(entry: AuditEntry) -> str:
    """The digest that an entry must have."""
    return seal(
        entry.before,
        str(entry.chain),
        entry.number,
        str(entry.club_id),
        entry.what,
        entry.by,
        entry.source,
        f"sealed:{entry.why_seal}" if entry.why_seal else entry.why,
        entry.details,
        entry.at.astimezone(UTC).isoformat(),
    )


def seal_why(salt: str, why: str) -> str:
    """The salted digest by which an entry covers what a person typed."""
    return hashlib.sha256(f"{salt} {why}".encode("utf-8", "surrogatepass")).hexdigest()


def is_whole(entry: AuditEntry) -> bool:
    """Whether an entry is as it was written, but for a name that was erased from its reason.

    An entry from before reasons were sealed, or with words in its details (those of rulings until
    0.3.0), cannot be recomputed once a name was erased from it: the digest that it had still chains
    it to the next one.
    """
    if entry.why_salt == ERASED and (not entry.why_seal or FORMER in entry.details):
        return True
    if digest_of(entry) != entry.digest:
        return False
    is_open = bool(entry.why_seal) and entry.why_salt != ERASED
    return not is_open or seal_why(entry.why_salt, entry.why) == entry.why_seal


def seal(*fields: str | int) -> str:
    """The digest of an entry's fields, in the order of `digest_of`."""
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


class BatchDigests:
    """Computes the digests of many entries with equal club, actor and time faster than `seal`."""

    def __init__(self, club: UUID, by: Actor, at: datetime) -> None:
        self._club, self._by, self._at = club, by, json.dumps(at.astimezone(UTC).isoformat())
        self._same: dict[str, str] = {}

    def seal(self, before: str, chain: str, number: int, what: str, details: str) -> str:
        """Return the digest of an entry without a reason."""
        same = self._same.get(what)
        if same is None:
            fields = (str(self._club), what, self._by.label, str(self._by.source), "")
            same = self._same[what] = ", ".join(map(json.dumps, fields))
        entry = f'["{before}", "{chain}", {number}, {same}, {json.dumps(details)}, {self._at}]'
        return hashlib.sha256(entry.encode()).hexdigest()


def write_trails_of_club(club: UUID) -> None:
    """Write how long the chains of a club are whose entries were inserted from a bundle."""
    later = AuditEntry.objects.filter(chain=OuterRef("chain"), number__gt=OuterRef("number"))
    last = AuditEntry.objects.filter(~Exists(later), club_id=club)
    Trail.objects.bulk_create(
        [
            Trail(chain=chain, club_id=club, length=number, digest=digest)
            for chain, number, digest in last.values_list("chain", "number", "digest")
        ],
        batch_size=1000,
    )


def find_broken_entries(chain: UUID) -> Iterator[AuditEntry]:
    """Yield each entry of a chain that was altered or does not follow the one before it."""
    before, number = FIRST_DIGEST, 0
    for entry in AuditEntry.objects.filter(chain=chain).order_by("number").iterator():
        if (entry.before, entry.number) != (before, number + 1) or not is_whole(entry):
            yield entry
        before, number = entry.digest, entry.number
