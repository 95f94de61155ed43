"""Official standings of events and leagues, and their amendments (DEC-7).

What was made official holds until the director confirms an amended version. A correction after it
changes the books at once and the table only then: the successor waits until it is confirmed, or
declined with a reason, which leaves the official table as it is. Whoever calls holds the locks of
the club and the event (docs/locks.md); the row of the standings is locked after them.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime

from engine.core.messages import Message
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.ports import books
from tournaments.events.notices import enqueue_amendments
from tournaments.models import Event, League, Published, Scope, StandingsDecision, Verdict
from tournaments.publishing import official, versions
from tournaments.publishing.official_versions import is_same_table
from tournaments.publishing.publisher import Issue, lock_published, publish_official

Subject = Event | League


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendmentChoice:
    """A decision on the successor of an official table: its version, and the reason."""

    version: int
    reason: str


def scope_of(subject: Subject) -> Scope:
    """Of what kind the standings of an event or a league are."""
    return Scope.EVENT if isinstance(subject, Event) else Scope.LEAGUE


def make_official(subject: Subject, *, by: Actor, at: datetime) -> Published:
    """Let the standings as they are now be official.

    Where they were official before, and were opened again, they are amended for that reason if
    the table is another one now.
    """
    scope = scope_of(subject)
    before = official.find_decisions(scope, subject.pk)
    row, computed = publish_official(scope, subject.pk, at)
    verdict, reason = Verdict.OFFICIAL, ""
    if before and before[-1].verdict == Verdict.REOPENED:
        past = versions.find_version(scope, subject.pk, before[-1].version)
        assert past is not None, "what was official was published"
        if not is_same_table(past.data, json.loads(computed.text)):
            verdict, reason = Verdict.AMENDED, before[-1].reason
    _decide(row, verdict, AmendmentChoice(version=row.version, reason=reason), by, at)
    _announce(row, before[-1].version if verdict is Verdict.AMENDED else None, at)
    return row


def withdraw(subject: Subject, *, why: str, by: Actor, at: datetime) -> None:
    """Let what was official be provisional, since the event or league goes on; nothing if not."""
    row = lock_published(scope_of(subject), subject.pk)
    if row.official is None:
        return
    choice = AmendmentChoice(version=row.official, reason=why)
    row.official = None
    row.save(update_fields=["official"])
    _decide(row, Verdict.REOPENED, choice, by, at)


def confirm(
    subject: Subject,
    *,
    choice: AmendmentChoice,
    by: Actor,
    at: datetime,
) -> int | None:
    """Let an amended version take the place of the official one; return its number.

    None where that version holds already. Raises RefusedError, and StaleError where the standings
    are other ones by now than in the version that was seen.
    """
    scope = scope_of(subject)
    held, seen = _versions(subject, choice)
    if is_same_table(held.data, seen.data):
        return None
    row, computed = publish_official(scope, subject.pk, at)
    if not is_same_table(seen.data, json.loads(computed.text)):
        raise _stale(row.version - 1)
    _decide(row, Verdict.AMENDED, replace(choice, version=row.version), by, at)
    _announce(row, held.version, at)
    return row.version


def decline(subject: Subject, *, choice: AmendmentChoice, by: Actor, at: datetime) -> bool:
    """Leave the official table as it is, whatever the books say.

    Return False if the amendment was declined before. Raises RefusedError, and StaleError if
    another version waits by now.
    """
    held, seen = _versions(subject, choice)
    status = official.status_of(held)
    if status.declined is not None and status.pending is None:
        return False
    if status.pending is None:
        raise RefusedError(Message("No amendment is waiting."), "version")
    if not is_same_table(seen.data, status.pending.successor.data):
        raise _stale(status.pending.version)
    _decide(held.row, Verdict.DECLINED, choice, by, at)
    return True


def _versions(
    subject: Subject, choice: AmendmentChoice
) -> tuple[versions.Standings, versions.Standings]:
    """The official version, under its lock, and the one that was seen."""
    scope = scope_of(subject)
    row = lock_published(scope, subject.pk)
    if row.official is None:
        raise RefusedError(Message("Only what is official can be amended."), "status")
    if not choice.reason.strip():
        raise RefusedError(Message("Say why."), "reason")
    seen = versions.find_version(scope, subject.pk, choice.version)
    if seen is None:
        raise RefusedError(Message("There is no version {n}.", n=choice.version), "version")
    return official.find_current(scope, subject.pk), seen


def _stale(version: int) -> StaleError:
    return StaleError(
        Message("The standings have changed in the meantime; check again what would move."),
        version,
        {"version": version},
    )


def _decide(
    row: Published, verdict: Verdict, choice: AmendmentChoice, by: Actor, at: datetime
) -> None:
    StandingsDecision.objects.create(
        published=row,
        number=StandingsDecision.objects.filter(published=row).count() + 1,
        verdict=verdict,
        version=choice.version,
        reason=choice.reason.strip(),
        by=by.label,
        at=at,
    )


def _announce(row: Published, amends: int | None, at: datetime) -> None:
    issue = Issue(
        club=row.club_id,
        scope=str(row.scope),
        subject=row.subject,
        version=row.version,
        digest=row.digest,
        official=row.official,
        amends=amends,
    )
    books().announce_standings(issue, at)
    if amends is not None and row.scope == Scope.EVENT:
        enqueue_amendments(row, amends, at)
