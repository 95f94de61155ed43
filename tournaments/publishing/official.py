"""Which version of standings holds, and what is said of it: provisional, official, amended (DEC-7).

Pages, the API and files ask `find_current` for the table and `status_of` for its status.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any
from uuid import UUID

from engine.messages import Message
from tournaments.core.time_zones import format_moment
from tournaments.models import Scope, Snapshot, StandingsDecision, Verdict
from tournaments.publishing import versions
from tournaments.publishing.official_versions import is_same_table
from tournaments.publishing.versions import Standings
from tournaments.standings.changes import StandingChange, compare

_MADE_OFFICIAL = (Verdict.OFFICIAL, Verdict.AMENDED)


class TableState(StrEnum):
    """What a version of standings is."""

    PROVISIONAL = "provisional"
    OFFICIAL = "official"
    AMENDED = "amended"


@dataclass(frozen=True)
class PendingAmendment:
    """A provisional successor of the official table that nobody has decided on yet."""

    official: Snapshot
    successor: Standings

    @property
    def version(self) -> int:
        """The version that would become official."""
        return self.successor.version

    @property
    def since(self) -> datetime:
        """When it was computed."""
        assert self.successor.snapshot is not None
        return self.successor.snapshot.computed_at

    @cached_property
    def changes(self) -> Sequence[StandingChange]:
        """The places and totals that would move; none where only what they are made of does."""
        return compare(versions.load(self.official).get("rows", ()), self.successor.rows)


@dataclass(frozen=True, kw_only=True)
class TableStatus:
    """What a version of standings is, and since when.

    ``since`` is when the table was first made official, ``amended_at`` when this version took the
    place of ``before``, ``because`` of what; ``replaced_at`` when another took its place.
    ``pending`` and ``declined`` are successors of the version that holds, ``reopened`` is the
    decision that let what was official go on.
    """

    state: TableState = TableState.PROVISIONAL
    version: int = 0
    since: datetime | None = None
    amended_at: datetime | None = None
    because: str = ""
    before: int | None = None
    replaced_at: datetime | None = None
    pending: PendingAmendment | None = None
    declined: StandingsDecision | None = None
    reopened: StandingsDecision | None = None

    @property
    def is_official(self) -> bool:
        """Whether it is official, amended or not."""
        return self.state is not TableState.PROVISIONAL

    def sentence(self, clock: str) -> Message:
        """What the table is, in words for files and pages, by the club's clock."""
        if self.state is TableState.PROVISIONAL or self.since is None:
            return Message("Provisional")
        if self.amended_at is None:
            return Message("Official since {time}", time=format_moment(self.since, clock))
        return Message(
            "Official, amended on {time}, because: {reason}",
            time=format_moment(self.amended_at, clock),
            reason=self.because,
        )


def find_current(scope: Scope, subject: UUID) -> Standings:
    """The standings that hold: the official version if there is one, else the latest.

    Two queries, and a third for ``behind_since``: an official version is never behind.
    """
    found = versions.find_latest(scope, subject)
    if found.row.official is None:
        return found
    official = versions.find_version(scope, subject, found.row.official)
    assert official is not None, "what is official was published"
    return replace(official, behind_since=None)


def find_as_of(scope: Scope, subject: UUID, moment: datetime) -> Standings | None:
    """The standings that held at a moment; None before the first."""
    held = None
    for decision in find_decisions(scope, subject):
        if decision.at <= moment and decision.verdict != Verdict.DECLINED:
            held = decision if decision.verdict in _MADE_OFFICIAL else None
    if held is None:
        return versions.find_as_of(scope, subject, moment)
    return versions.find_version(scope, subject, held.version)


def find_decisions(scope: Scope, subject: UUID) -> list[StandingsDecision]:
    """The decisions on which version is official, in their order. One query."""
    rows = StandingsDecision.objects.filter(published__scope=scope, published__subject=subject)
    return list(rows.order_by("number"))


def status_of(found: Standings) -> TableStatus:
    """Whether standings are provisional, official or amended, and all that is said with it.

    One query; for the version that holds, up to three for its successor, where there is one.
    """
    row = found.row
    decisions = find_decisions(Scope(row.scope), row.subject)
    made = [one for one in decisions if one.verdict in _MADE_OFFICIAL]
    mine = next((one for one in made if one.version == found.version), None)
    if mine is None:
        last = decisions[-1] if decisions else None
        is_open_again = last is not None and last.verdict == Verdict.REOPENED
        return TableStatus(version=found.version, reopened=last if is_open_again else None)
    status = TableStatus(
        state=TableState(mine.verdict),
        version=found.version,
        since=mine.at,
        amended_at=None,
        replaced_at=next(
            (
                one.at
                for one in decisions[mine.number :]
                if one.verdict in (Verdict.AMENDED, Verdict.REOPENED)
            ),
            None,
        ),
    )
    if mine.verdict == Verdict.AMENDED:
        status = replace(
            status,
            since=made[0].at,
            amended_at=mine.at,
            because=mine.reason,
            before=made[made.index(mine) - 1].version,
        )
    if row.official != found.version:
        return status
    last = decisions[-1]
    declined = last if last.verdict == Verdict.DECLINED else None
    return replace(status, pending=_find_pending(found, declined), declined=declined)


def _find_pending(
    official: Standings, declined: StandingsDecision | None
) -> PendingAmendment | None:
    """The successor of the official version, unless it says the same or was declined."""
    if official.latest == official.version:
        return None
    row = official.row
    successor = versions.find_latest(Scope(row.scope), row.subject)
    if is_same_table(official.data, successor.data):
        return None
    if declined is not None and _says_the_same(successor, declined):
        return None
    assert official.snapshot is not None
    return PendingAmendment(official.snapshot, successor)


def _says_the_same(successor: Standings, declined: StandingsDecision) -> bool:
    past: Mapping[str, Any] = versions.load(
        Snapshot.objects.get(published=successor.row, version=declined.version)
    )
    return is_same_table(past, successor.data)
