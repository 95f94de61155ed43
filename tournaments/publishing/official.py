"""The version of standings that holds, and its status: provisional, official, amended (DEC-7).

Pages, the API and files ask `find_current` for the table and `status_of` for its status.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple
from uuid import UUID

from engine.core.messages import Message
from tournaments.core.time_zones import format_moment
from tournaments.models import Scope, Snapshot, StandingsDecision, Verdict
from tournaments.publishing import versions
from tournaments.publishing.adjourned import AdjournedTable, adjourned_in, describe_adjourned
from tournaments.publishing.official_versions import is_same_table
from tournaments.publishing.versions import Standings
from tournaments.selectors import hide_names
from tournaments.standings.changes import StandingChange, compare

_MADE_OFFICIAL: Final = (Verdict.OFFICIAL, Verdict.AMENDED)


class TableState(StrEnum):
    """States of a version of standings."""

    PROVISIONAL = "provisional"
    OFFICIAL = "official"
    AMENDED = "amended"


class DecisionNote(NamedTuple):
    """A decision on a version of standings, its reason and its moment."""

    version: int
    reason: str
    at: datetime


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
    """The state of a version of standings, and since when it holds.

    ``since`` is when the table was first made official. An amended version replaced version
    ``before`` at ``amended_at``, for the reason ``because``; ``replaced_at`` is when another took
    its own place. ``pending`` is the amendment that waits to replace the version that holds,
    ``declined`` the decision against one, ``reopened`` the decision by which an official table
    became provisional again. ``adjourned`` are the tables until whose end it stays provisional.
    """

    state: TableState = TableState.PROVISIONAL
    version: int = 0
    since: datetime | None = None
    amended_at: datetime | None = None
    because: str = ""
    before: int | None = None
    replaced_at: datetime | None = None
    pending: PendingAmendment | None = None
    declined: DecisionNote | None = None
    reopened: DecisionNote | None = None
    adjourned: Sequence[AdjournedTable] = ()

    @property
    def is_official(self) -> bool:
        """Whether it is official, amended or not."""
        return self.state is not TableState.PROVISIONAL

    def sentence(self, clock: str) -> Message:
        """Return the state of the table in words for files and pages, by the club's clock."""
        if self.state is TableState.PROVISIONAL or self.since is None:
            if self.adjourned:
                tables = describe_adjourned(self.adjourned)
                return Message("Provisional: {tables}", tables=tables)
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

    One query, and another for an official version, which is never behind.
    """
    latest = versions.find_latest(scope, subject)
    if latest.row.official is None:
        return latest
    official = versions.find_version(scope, subject, latest.row.official)
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


def status_of(standings: Standings, *, in_full: bool = True) -> TableStatus:
    """Whether standings are provisional, official or amended, and all that is said with it.

    Unless ``in_full``, reasons have the names that strangers see. One query; for the version that
    holds, up to three for its successor, where there is one; one for adjourned tables of a season.
    """
    row = standings.row
    decisions = find_decisions(Scope(row.scope), row.subject)
    made = [decision for decision in decisions if decision.verdict in _MADE_OFFICIAL]
    mine = next((one for one in made if one.version == standings.version), None)
    last = decisions[-1] if decisions else None
    if mine is None:
        is_open_again = last is not None and last.verdict == Verdict.REOPENED
        return TableStatus(
            version=standings.version,
            reopened=_note_of(standings, last, in_full=in_full) if is_open_again else None,
            adjourned=adjourned_in(standings.data, row),
        )
    later = decisions[mine.number :]
    ends = [one.at for one in later if one.verdict in (Verdict.AMENDED, Verdict.REOPENED)]
    is_amended = mine.verdict == Verdict.AMENDED
    holds = row.official == standings.version
    declined = last if holds and last and last.verdict == Verdict.DECLINED else None
    return TableStatus(
        state=TableState(mine.verdict),
        version=standings.version,
        since=made[0].at if is_amended else mine.at,
        amended_at=mine.at if is_amended else None,
        because=_note_of(standings, mine, in_full=in_full).reason if is_amended else "",
        before=made[made.index(mine) - 1].version if is_amended else None,
        replaced_at=ends[0] if ends else None,
        pending=_find_pending(standings, declined) if holds else None,
        declined=None if declined is None else _note_of(standings, declined, in_full=in_full),
    )


def _note_of(
    standings: Standings, decision: StandingsDecision | None, *, in_full: bool
) -> DecisionNote:
    assert decision is not None
    reason = decision.reason if in_full else hide_names(standings.row.club, decision.reason)
    return DecisionNote(decision.version, reason, decision.at)


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
    if declined is not None:
        past = Snapshot.objects.get(published=row, version=declined.version)
        if is_same_table(versions.load(past), successor.data):
            return None
    assert official.snapshot is not None
    return PendingAmendment(official.snapshot, successor)


@dataclass(frozen=True, slots=True)
class CountedVersion:
    """The version of an event that a season counts; 0 where it was not published yet."""

    version: int
    state: TableState


def counted_versions(standings: Standings) -> dict[str, CountedVersion]:
    """Return versions of events counted by a version of a season, by event. Two queries."""
    digests = {
        session["event"]: session["digest"] for session in standings.data.get("sessions", ())
    }
    if not digests:
        return {}
    rows = Snapshot.objects.filter(
        published__scope=Scope.EVENT,
        published__subject__in=map(UUID, digests),
        digest__in=digests.values(),
    ).order_by("version")
    counted = {
        str(subject): version
        for subject, digest, version in rows.values_list("published__subject", "digest", "version")
        if digests[str(subject)] == digest
    }
    made = StandingsDecision.objects.filter(
        published__scope=Scope.EVENT,
        published__subject__in=map(UUID, digests),
        verdict__in=_MADE_OFFICIAL,
    )
    states = {
        (str(subject), version): TableState(verdict)
        for subject, version, verdict in made.values_list(
            "published__subject", "version", "verdict"
        )
    }
    return {
        event: CountedVersion(
            counted.get(event, 0),
            states.get((event, counted.get(event, 0)), TableState.PROVISIONAL),
        )
        for event in digests
    }
