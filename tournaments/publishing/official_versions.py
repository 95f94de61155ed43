"""Versions of standings: written down, made official, and whether later ones say the same.

`Published.official` names the version that holds. Later versions are provisional successors until
the director confirms one (DEC-7); see `tournaments.publishing.official` for what readers are told.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import F

from tournaments.models import Scope, Snapshot
from tournaments.standings.changes import compare
from tournaments.standings.exact import Fragment

PROVISIONAL, OFFICIAL = "provisional", "official"
_TABLES: Final = ("rows", "house", "teams")


class OfficialVersion(NamedTuple):
    """The number of an official version, and what it says; None where it is being made."""

    version: int
    data: Mapping[str, Any] | None


def find_official_version(scope: Scope, subject: UUID) -> OfficialVersion | None:
    """The official version of an event's or a league's standings, if there is one. One query."""
    rows = Snapshot.objects.filter(
        published__scope=scope, published__subject=subject, version=F("published__official")
    )
    found = rows.values_list("version", "data").first()
    return None if found is None else OfficialVersion(found[0], json.loads(found[1]))


def is_same_table(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two standings have the same table, whatever else differs.

    Standings computed by different versions of the program are compared by places and totals only.
    """
    if one["program"] == other["program"]:
        return all(one.get(name) == other.get(name) for name in _TABLES)
    return not compare(one["rows"], other["rows"])


def write_standings(
    plain: Mapping[str, object],
    parts: Mapping[str, Fragment],
    official: OfficialVersion | None,
    *,
    is_over: bool,
) -> Fragment:
    """Write standings down; ``is_over``: the event or league was made official.

    They are official unless they are a provisional successor of the table that is.
    """
    pieces = {name: Fragment.of(value) for name, value in plain.items()} | {**parts}
    made = Fragment.object(pieces | {"status": Fragment.of(PROVISIONAL)})
    known = None if official is None else official.data
    if is_over and (known is None or is_same_table(known, json.loads(made.text))):
        return Fragment.object(pieces | {"status": Fragment.of(OFFICIAL)})
    return made
