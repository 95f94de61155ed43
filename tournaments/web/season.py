"""The table of a season as a page shows it: sessions as columns, divisions apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.time_zones import day
from tournaments.models import Club, League, LeagueEvent, Status
from tournaments.people.display_names import distinct_names
from tournaments.publishing.official import TableState, counted_versions
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import SOURCES, label_for
from tournaments.web.standings import (
    RankedRow,
    StandingsCell,
    StandingsColumn,
    columns_of,
    format_cell,
)
from tournaments.web.standings_query import StandingsQuery
from tournaments.web.tie_break_reasons import reason

_SESSIONS_SHOWN: Final = 60
"""A table wider than this is no help: of a longer season the last sessions are shown."""
_SCRATCH: Final = "scratch"


@dataclass(frozen=True, slots=True)
class SessionColumn:
    """An event that counts."""

    number: int
    event: UUID
    name: str
    day: date
    weight: str
    is_held: bool
    is_running: bool


@dataclass(frozen=True, slots=True)
class SessionPoints:
    """What a session brought somebody; dropped where it does not count."""

    event: UUID
    name: str
    points: StandingsCell
    counts: bool
    why: str
    rank: str
    games: int
    handicap: str
    stood: str
    total_then: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTableRow(RankedRow):
    """A member. ``moved`` is by how many places they went up with the last session."""

    moved: int
    climbed: int
    sessions: list[SessionPoints | None]
    given: list[str]


@dataclass(frozen=True, slots=True)
class Division:
    """A division with its rows; no name where there is only one."""

    name: str
    rows: list[SeasonTableRow]


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """The whole table."""

    divisions: list[Division]
    sessions: list[SessionColumn]
    columns: list[StandingsColumn]
    unit: str
    open_mark: str
    left_out: int
    width: int
    disputes: int


def sessions_of(league: League) -> list[SessionColumn]:
    """The events of a league in their order, those that are only planned too. One query."""
    rows = (
        LeagueEvent.objects.filter(league=league).select_related("event__club").order_by("number")
    )
    return [
        SessionColumn(
            number=row.number,
            event=row.event_id,
            name=row.event.name,
            day=day(row.event.starts_at, row.event.club.time_zone),
            weight="" if row.weight == "1" else format_cell(row.weight).text,
            is_held=row.event.status != Status.PLANNED,
            is_running=row.event.status == Status.RUNNING,
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of the season, and the version of its standings that is counted; 0: a newer one."""

    session: SessionColumn
    version: int
    state: TableState


def counted_events(found: Standings, sessions: Sequence[SessionColumn]) -> list[CountedEvent]:
    """Which version of each event a table counts. Two queries."""
    counted = counted_versions(found)
    return [
        CountedEvent(one, counted[str(one.event)].version, counted[str(one.event)].state)
        for one in sessions
        if str(one.event) in counted
    ]


def names_in_season(found: Standings, club: Club, *, in_full: bool) -> Mapping[str, str]:
    """Everybody in the table. Two queries."""
    return distinct_names(club, [UUID(row["entry"]) for row in found.rows], in_full=in_full)


def season(
    found: Standings,
    sessions: Sequence[SessionColumn],
    names: Mapping[str, str],
    wanted: StandingsQuery,
) -> SeasonSheet | None:
    """The rows by division; None before anything was computed."""
    if not found.data:
        return None
    held = [one for one in sessions if one.is_held]
    shown = held[-_SESSIONS_SHOWN:]
    columns = _columns(found.rows)
    several = len({row["division"] for row in found.rows}) > 1
    waiting = frozenset(found.data["open"])
    made = _Maker(shown, columns, names, wanted, waiting)
    divisions = [
        Division(name or (_("In no division") if several else ""), [made.row(one) for one in rows])
        for name, rows in groupby(found.rows, key=lambda row: row["division"])
    ]
    return SeasonSheet(
        divisions=divisions,
        sessions=list(shown),
        columns=columns,
        unit=_("Total"),
        open_mark=_("waits for a decision"),
        left_out=len(held) - len(shown),
        width=4 + len(shown) + len(columns),
        disputes=len(waiting),
    )


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[StandingsColumn]:
    if not rows:
        return []
    keys = dict.fromkeys(key for row in rows for key in row["columns"])
    is_scratch_other = any(row["scratch"] != row["total"] for row in rows)
    last = [_SCRATCH] if is_scratch_other and _SCRATCH not in keys else []
    return [*columns_of(keys), *columns_of(last)]


@dataclass(frozen=True, slots=True)
class _Maker:
    sessions: Sequence[SessionColumn]
    columns: Sequence[StandingsColumn]
    names: Mapping[str, str]
    wanted: StandingsQuery
    waiting: frozenset[str]

    def row(self, row: Mapping[str, Any]) -> SeasonTableRow:
        player = row["entry"]
        lines = {line["event"]: line for line in row["lines"]}
        history = {one["event"]: one for one in row["history"]}
        delta = row["delta"] or 0
        return SeasonTableRow(
            entry=player,
            player=player,
            name=self.names.get(player, ""),
            label=row["label"],
            tied=row["tied"],
            moved=abs(delta),
            climbed=(delta > 0) - (delta < 0),
            total=format_cell(row["total"]),
            sessions=[
                self._brought(one, lines.get(str(one.event)), history.get(str(one.event)))
                for one in self.sessions
            ],
            cells=[
                format_cell(row["columns"].get(one.key, row.get(one.key))) for one in self.columns
            ],
            marks=[mark for mark in (_lack(row), *_marks(row)) if mark],
            is_open=player in self.waiting,
            reason=reason(row["decided"], self.names),
            is_shown=player in self.wanted.opened,
            toggle=self.wanted.toggle_query(player),
            given=[format_cell(one["amount"]).text for one in row["adjustments"]],
        )

    @staticmethod
    def _brought(
        session: SessionColumn, line: Mapping[str, Any] | None, then: Mapping[str, Any] | None
    ) -> SessionPoints | None:
        if line is None:
            return None
        tied = (line["tied"] or 1) > 1
        source = line["source"]
        return SessionPoints(
            event=session.event,
            name=session.name,
            points=format_cell(line["net"]),
            counts=line["counted"],
            why="" if source == "played" else label_for(SOURCES, source),
            rank=f"{'=' if tied else ''}{line['rank_from']}" if line["rank_from"] else "",
            games=line["games"],
            handicap="" if line["handicap"] == "0" else format_cell(line["handicap"]).text,
            stood=then["label"] if then else "",
            total_then=format_cell(then["total"]).text if then else "",
        )


def _marks(row: Mapping[str, Any]) -> Iterator[str]:
    if row["clinched"]:
        yield _("has won")
    if row["withdrawn"]:
        yield _("withdrawn")
    if row["handicap"] != "0":
        yield _("handicap %(n)s") % {"n": format_cell(row["handicap"]).text}


def _lack(row: Mapping[str, Any]) -> str:
    """What is missing for a rank, in words."""
    parts = []
    if row["needs_events"]:
        parts.append(
            ngettext("%(n)d more event", "%(n)d more events", row["needs_events"])
            % {"n": row["needs_events"]}
        )
    if row["needs_games"]:
        parts.append(
            ngettext("%(n)d more game", "%(n)d more games", row["needs_games"])
            % {"n": row["needs_games"]}
        )
    return ", ".join(parts)
