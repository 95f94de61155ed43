"""Changes in standings since an older version, and the list of versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.http import Http404

from tournaments.models import Snapshot
from tournaments.publishing import versions
from tournaments.publishing.versions import DepartedEntry, Standings
from tournaments.standings.changes import StandingChange
from tournaments.web.number_format import format_number

_LISTED: Final = 50
"""So many versions can be chosen from; older ones by their moment."""


@dataclass(frozen=True, slots=True)
class MovedSince:
    """Moves since ``version``, and whether that is not the version that was asked for."""

    version: int
    is_earlier: bool
    rows: list["MovedRow"]


@dataclass(frozen=True, slots=True)
class MovedRow:
    """Somebody who moved: ``by`` is the change of their total."""

    name: str
    by: str
    label_before: str
    label_after: str
    came: bool
    left: bool
    into: str = ""


def versions_of(standings: Standings) -> list[Snapshot]:
    """The last versions, the newest first. One query."""
    if not standings.latest:
        return []
    rows = Snapshot.objects.filter(published=standings.row).order_by("-version")
    return list(rows.only("version", "computed_at")[:_LISTED])


def moved_since(
    standings: Standings, version: int | None, names: Mapping[str, str], *, in_full: bool
) -> MovedSince | None:
    """Return moves since a version; None where nobody asks. Raises Http404 for an unknown one.

    Of a version that is no longer kept, what moved since the last one before it that is.
    """
    if version is None:
        return None
    since = versions.changes_since(standings, version)
    if since is None:
        raise Http404
    rows = moved_rows(since.changes, names, in_full=in_full)
    return MovedSince(since.version, since.version != version, rows)


def moved_rows(
    changes: Sequence[StandingChange], names: Mapping[str, str], *, in_full: bool
) -> list[MovedRow]:
    """Changes with the names of whom they are about, those of who is gone too."""
    gone = versions.find_departed(changes, in_full=in_full)
    return [_moved_row(change, names, gone.get(change.entry)) for change in changes]


def _moved_row(
    change: StandingChange, names: Mapping[str, str], gone: DepartedEntry | None
) -> MovedRow:
    difference = change.difference
    return MovedRow(
        name=gone.name if gone is not None else names.get(change.entry, ""),
        by=format_number(str(difference), signed=True) if difference else "",
        label_before=change.label_before,
        label_after=change.label_after,
        came=change.came,
        left=change.left,
        into=gone.into if gone is not None else "",
    )
