"""The status of a table on its page: provisional, official or amended, and what waits (DEC-7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from tournaments.core.language import translate
from tournaments.models.limits import REASON_MAX
from tournaments.publishing import versions
from tournaments.publishing.adjourned import describe_adjourned
from tournaments.publishing.amendment_causes import AmendmentCause, causes_of
from tournaments.publishing.official import TableStatus, status_of
from tournaments.publishing.versions import Standings
from tournaments.standings.changes import StandingChange
from tournaments.web.standing_changes import MovedRow, moved_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSheet:
    """The status of a table with what moved: with its amendment, and with the one that waits."""

    status: TableStatus
    amended: list[MovedRow]
    pending: list[MovedRow]
    causes: list[AmendmentCause]

    @property
    def adjourned(self) -> str:
        """The tables until whose end it stays provisional, in words; empty if there are none."""
        tables = self.status.adjourned
        return translate(describe_adjourned(tables)) if tables else ""


def describe_status(
    standings: Standings, names: Mapping[str, str], *, in_full: bool
) -> StatusSheet:
    """Describe the status of standings; unless ``in_full`` names are those that strangers see."""
    status = status_of(standings, in_full=in_full)
    before, pending = status.before, status.pending
    amended = versions.changes_since(standings, before) if before is not None else None
    waiting = () if pending is None else pending.changes
    if pending is not None and (came := [one.entry for one in waiting if one.came]):
        players = {one: pending.successor.players[one] for one in came}
        known = versions.names_of(list(map(UUID, players.values())), in_full=in_full)
        names = {**{one: known.get(player, "") for one, player in players.items()}, **names}
    return StatusSheet(
        status=status,
        amended=moved_rows(
            sorted(amended.changes if amended else (), key=_by_weight), names, in_full=in_full
        ),
        pending=moved_rows(sorted(waiting, key=_by_weight), names, in_full=in_full),
        causes=translate(causes_of(status, standings.row, in_full=in_full)),
    )


def amendment_fields(sheet: StatusSheet, posted: Mapping[str, str]) -> dict[str, str]:
    """Return values of the forms of an amendment: what was typed, else what is known.

    ``suggested`` are the reasons of what was changed, ``declining`` why that does not count.
    """
    typed = posted.get("reason", "")
    reasons = [cause["why"].strip() for cause in sheet.causes]
    known = " ".join(filter(None, dict.fromkeys(reasons)))
    is_declined = "decline" in posted
    return {
        "suggested": (known if is_declined else typed or known)[:REASON_MAX],
        "declining": typed[:REASON_MAX] if is_declined else "",
    }


def _by_weight(change: StandingChange) -> bool:
    """Sort key: entries whose total is the same, and that others only pushed, come last."""
    return not (change.came or change.left or change.before != change.after)
