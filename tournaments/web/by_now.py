"""By now: standings that are behind, with the places and totals that already hold the last hand.

What is told by now has no reasons yet: rounds and columns are those that were published last, and
ties are not broken. Where nobody's total has changed, what was published is still true and stays.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from tournaments import kept
from tournaments.kept import InSeason, Now, Stands
from tournaments.models import Entry, EntryStanding, Event, League
from tournaments.publishing.reading import Standings
from tournaments.standings.exact import Exact
from tournaments.standings.order import Rank

_RANKED: Final = "ranked"
_UNQUALIFIED: Final = "unqualified"
_WITHDRAWN: Final = "withdrawn"
_IDLE: Final = "idle"
_GUEST: Final = "guest"
_KINDS: Final = (_RANKED, _UNQUALIFIED, _WITHDRAWN, _IDLE, _GUEST)
"""The kinds of rows in their order."""
_UNSURE: Final = (_IDLE, _GUEST)
"""The kinds that are the same for withdrawn people."""
_SCRATCH: Final = "scratch"
_Stands = tuple[Rank | None, Fraction | None]
_IN_EVENT: Final[Mapping[str, Any]] = {
    "columns": {},
    "rounds": {},
    "contributions": [],
    "adjustments": [],
    "needs": 0,
    "withdrawn": False,
    "team": "",
}
"""The row of somebody who is in no published standings of the event yet."""
_IN_SEASON: Final[Mapping[str, Any]] = {
    "columns": {},
    "lines": [],
    "history": [],
    "adjustments": [],
    "handicap": "0",
    "needs_events": 0,
    "needs_games": 0,
    "withdrawn": False,
    "delta": None,
    "clinched": False,
}
"""The same in a season."""


@dataclass(frozen=True)
class ByNow(Standings):
    """Standings of which places and totals are those by now; the rest is of ``version``."""

    told: Mapping[str, Any]

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The published data with the rows by now; ``is_older`` marks those that have moved on."""
        return self.told

    @property
    def stamp(self) -> str:
        """Every hand that moves somebody is another stamp."""
        stands = [(row["entry"], row["label"], row["total"]) for row in self.told["rows"]]
        return f"{super().stamp}.{hashlib.sha256(repr(stands).encode()).hexdigest()[:16]}"


class _Place(NamedTuple):
    """Where somebody is by now; ``group`` is his division, ``number`` orders who is new."""

    entry: str
    rank: Rank | None
    total: Exact | None
    kind: str
    group: str | None
    number: int

    @property
    def stands(self) -> _Stands:
        """The place, and the total."""
        return self.rank, None if self.total is None else Fraction(self.total)


def event_by_now(found: Standings, event: Event) -> Standings:
    """The standings of an event, by now if they are behind; four queries then, none otherwise."""
    current = kept.now(event.pk) if _is_behind(found) else None
    if current is None:
        return found
    places = _in_event(current, event)
    if not _has_moved(found, places):
        return found
    known = found.data.get("entries", {})
    told = {
        "unit": current.unit,
        "games": found.data.get("games", []),
        "rows": _rows(found, places, _IN_EVENT),
        "entries": {**{one.entry: {"player": one.player} for one in current.lines}, **known},
    }
    return _told(found, told)


def season_by_now(found: Standings, league: League) -> Standings:
    """The same of a season; six queries if it is behind."""
    current = kept.season_now(league.pk) if _is_behind(found) else None
    if current is None:
        return found
    places = [_in_season(number, one) for number, one in enumerate(current)]
    if not _has_moved(found, places):
        return found
    told = {"open": found.data.get("open", []), "rows": _rows(found, places, _IN_SEASON)}
    return _told(found, told)


def _is_behind(found: Standings) -> bool:
    """Whether a version follows that says what is told by now; of one in trouble nobody knows."""
    return found.behind_since is not None and not found.row.trouble


def _told(found: Standings, told: Mapping[str, Any]) -> ByNow:
    own = {one.name: getattr(found, one.name) for one in fields(Standings)}
    return ByNow(**own, told={**found.data, **told})


def _in_event(current: Now, event: Event) -> list[_Place]:
    """The places of all but those who only fill a table. One query."""
    found = []
    rows = Entry.objects.filter(event=event).exclude(standing=EntryStanding.PLAYER)
    standings = {str(entry): standing for entry, standing in rows.values_list("pk", "standing")}
    for one in current.lines:
        standing = standings.get(one.entry, EntryStanding.PLAYER)
        if standing != EntryStanding.HOUSE:
            is_guest = standing == EntryStanding.GUEST and not event.rank_guests
            kind = _GUEST if is_guest else _kind(one)
            found.append(_Place(one.entry, one.rank, one.total, kind, None, one.number))
    return found


def _kind(one: Stands | InSeason) -> str:
    if one.rank is not None:
        return _RANKED
    if one.is_withdrawn:
        return _WITHDRAWN
    return _UNQUALIFIED if one.games else _IDLE


def _in_season(number: int, one: InSeason) -> _Place:
    return _Place(one.entry, one.rank, one.total, _kind(one), one.division, number)


def _has_moved(found: Standings, places: Iterable[_Place]) -> bool:
    """Whether a place or a total is another than the published one, ties aside."""
    now = {one.entry: one.stands for one in places if one.total is not None}
    before = {row["entry"]: _stood(row) for row in found.rows}
    gone = any(rank and entry not in now for entry, (rank, _) in before.items())
    return gone or any(before.get(entry) != stands for entry, stands in now.items())


def _stood(row: Mapping[str, Any]) -> _Stands:
    """The published place by the total alone, and the total."""
    first, total = row["score_from"], row["total"]
    rank = None if first is None else Rank(first, row["score_to"])
    return rank, None if total is None else Fraction(total)


def _rows(
    found: Standings, places: Sequence[_Place], blank: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The rows by now, in their order; who shares a place stays in the order as published."""
    published = {row["entry"]: row for row in found.rows}
    told = {one.entry for one in places}
    everybody = [*places, *(_idle(row) for entry, row in published.items() if entry not in told)]
    groups = list(dict.fromkeys(row.get("division") for row in found.rows))
    groups += [one.group for one in places if one.group not in groups]
    before = {entry: number for number, entry in enumerate(published)}
    last = len(everybody)

    def order(one: _Place) -> tuple[int, ...]:
        first = one.rank.first if one.rank else last + 1
        since = before.get(one.entry, last + one.number)
        return groups.index(one.group), _KINDS.index(one.kind), first, since

    return [_row(one, published.get(one.entry), blank) for one in sorted(everybody, key=order)]


def _idle(row: Mapping[str, Any]) -> _Place:
    """Somebody in the published standings of whom nothing is told by now."""
    kind = _GUEST if row["kind"] == _GUEST else _IDLE
    return _Place(row["entry"], None, None, kind, row.get("division"), 0)


def _row(one: _Place, old: Mapping[str, Any] | None, blank: Mapping[str, Any]) -> dict[str, Any]:
    total = None if one.total is None else str(one.total)
    row = {**blank, **(old or {})}
    moved: dict[str, Any] = {"is_older": True, "delta": None}
    if old is not None and one.total is None and old["kind"] == one.kind:
        # Who has not played yet has the total of that, whichever it is.
        total, moved = old["total"], {}
    elif old is not None and _stood(old) == one.stands:
        moved = {}
    # Where there are no handicaps, what is without them is the total.
    if old is not None and old["columns"].get(_SCRATCH, "") == old["total"]:
        row["columns"] = {**old["columns"], _SCRATCH: total}
    told = {
        "entry": one.entry,
        "division": one.group,
        "kind": one.kind,
        "label": one.rank.label if one.rank else "",
        "tied": 1,
        "total": total,
        "scratch": total,
        "decided": None,
        "withdrawn": one.kind == _WITHDRAWN or (one.kind in _UNSURE and row["withdrawn"]),
    }
    return row | told | moved
