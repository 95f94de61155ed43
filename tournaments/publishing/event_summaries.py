"""Published events as input of leagues, cached by the digest of their content."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from tournaments.models import Snapshot
from tournaments.publishing.adjourned import AdjournedData
from tournaments.standings.exact import Exact, plain
from tournaments.standings.rows import RowKind
from tournaments.standings.season_results import EventResult

_COUNTED: Final = frozenset(
    [RowKind.RANKED.value, RowKind.UNQUALIFIED.value, RowKind.WITHDRAWN.value]
)
RANKED_GUEST: Final = "ranked_guest"
"""Marks an entry whose player was a guest of an event that ranks guests."""
_KEPT: Final = 4096
"""So many events of leagues a process remembers, by the digest of their standings."""


@dataclass(frozen=True, slots=True)
class EventSummary:
    """A summary of an event's standings: their digest, the lines, who waits for a decision.

    ``players`` are all who have a line, ``members`` those who were not guests that night.
    ``is_low``: the lowest score at a table was best, as with penalty points. ``adjourned`` are
    tables that will be finished another day.
    """

    digest: str
    lines: tuple[EventResult, ...]
    players: frozenset[str]
    members: frozenset[str]
    waiting: frozenset[str]
    is_low: bool = False
    adjourned: tuple[AdjournedData, ...] = ()


def find_summaries(wanted: Mapping[str, int]) -> dict[str, EventSummary]:
    """Return summaries of events by the digests of their standings; ``wanted`` tells whose.

    One query for those that are not remembered.
    """
    # Asked once each: another thread may make this process forget all of them at any moment.
    found = {digest: known for digest in wanted if (known := _remembered.get(digest)) is not None}
    unknown = [pk for digest, pk in wanted.items() if digest not in found]
    if unknown:
        rows = Snapshot.objects.filter(id__in=unknown).values_list("digest", "data")
        read = {
            digest: summarize_event(digest, json.loads(text)) for digest, text in rows.iterator()
        }
        _remember(read)
        found |= read
    return found


_remembered: Final[dict[str, EventSummary]] = {}
"""By digest, and so never wrong; forgotten with the process."""


def remember_event(digest: str, data: Any) -> None:
    """Know an event by what was just computed of it: nobody in this process need read it again."""
    if digest not in _remembered:
        _remember({digest: summarize_event(digest, data)})


def clear_cache() -> None:
    """Remember nothing, like a new process."""
    _remembered.clear()


def _remember(nights: Mapping[str, EventSummary]) -> None:
    if len(_remembered) + len(nights) > _KEPT:
        _remembered.clear()
    _remembered.update(nights)


def summarize_event(digest: str, data: Any) -> EventSummary:
    """Return a league's summary of an event's standings."""
    entries = data["entries"]
    lines = [
        _line(row, entries.get(row["entry"], {}))
        for row in data["rows"]
        if row["kind"] in _COUNTED and row["columns"]["scratch"] is not None
    ]
    waiting = [entry["player"] for entry in entries.values() if entry["open"]]
    return EventSummary(
        digest=digest,
        lines=tuple(sorted(lines, key=attrgetter("member", "points", "games"))),
        players=frozenset(line.member for line in lines),
        members=frozenset(line.member for line in lines if not line.is_guest),
        waiting=frozenset(waiting),
        is_low=data["low"],
        adjourned=tuple(data.get("adjourned", ())),
    )


def _line(row: Mapping[str, Any], entry: Mapping[str, Any]) -> EventResult:
    columns = row["columns"]
    return EventResult(
        member=entry.get("player", row["entry"]),
        points=_exact(columns["scratch"]),
        games=columns["games"],
        rank_from=row["rank_from"] or None,
        tied=row["tied"] or 1,
        chips=None if columns["chips"] is None else _exact(columns["chips"]),
        clean=columns["clean"],
        is_guest=RANKED_GUEST in entry,
    )


@lru_cache(maxsize=10_000)
def _exact(text: str) -> Exact:
    return plain(Fraction(text))
