"""The table of a season as a page shows it: sessions as columns, divisions apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.dates import day_and_year
from tournaments.core.time_zones import day
from tournaments.models import Club, League, LeagueEvent, Status
from tournaments.people.display_names import distinct_names
from tournaments.publishing.official import TableState, counted_versions
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import SOURCES, label_for
from tournaments.reports.league_standings import CountedNight, league_columns, weight_text
from tournaments.reports.score_columns import Row, StandingsColumns
from tournaments.standings.season import SeasonRules
from tournaments.tables.model import Column
from tournaments.web.standings import (
    RankedRow,
    StandingsCell,
    format_cell,
    show_cell,
)
from tournaments.web.standings_query import StandingsQuery
from tournaments.web.tie_break_reasons import reason

_SESSIONS_SHOWN: Final = 60
"""A table wider than this is no help: of a longer season the last sessions are shown."""


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
    columns: Sequence[Column[Row]]
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
            weight="" if row.weight == "1" else weight_text(Fraction(row.weight)),
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
    rules: SeasonRules,
) -> SeasonSheet | None:
    """The rows by division; None before anything was computed."""
    if not found.data:
        return None
    held = [one for one in sessions if one.is_held]
    shown = held[-_SESSIONS_SHOWN:]
    columns = league_columns(_nights(found, shown, rules), found.rows)
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
        columns=columns.beside_total,
        unit=columns.total[0].title,
        open_mark=_("waits for a decision"),
        left_out=len(held) - len(shown),
        width=4 + len(shown) + len(columns.beside_total),
        disputes=len(waiting),
    )


def _nights(
    found: Standings, sessions: Sequence[SessionColumn], rules: SeasonRules
) -> list[CountedNight]:
    """The sessions as these standings count them."""
    weights = {one["event"]: Fraction(one["weight"]) for one in found.data["sessions"]}
    return [
        CountedNight(
            event=str(one.event),
            number=one.number,
            title=day_and_year(str(one.day)),
            name=one.name,
            weight=Fraction(1) if rules.by_game else weights.get(str(one.event), Fraction(1)),
        )
        for one in sessions
    ]


@dataclass(frozen=True, slots=True)
class _Maker:
    sessions: Sequence[SessionColumn]
    columns: StandingsColumns
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
            total=show_cell(self.columns.total[0], row),
            sessions=[
                self._brought(one, show_cell(column, row), lines[str(one.event)], history)
                if str(one.event) in lines
                else None
                for one, column in zip(self.sessions, self.columns.scores, strict=True)
            ],
            cells=[show_cell(column, row) for column in self.columns.beside_total],
            marks=[mark for mark in (_lack(row), *marks_of(row)) if mark],
            is_open=player in self.waiting,
            reason=reason(row["decided"], self.names),
            is_shown=player in self.wanted.opened,
            toggle=self.wanted.toggle_query(player),
            given=[format_cell(one["amount"]).text for one in row["adjustments"]],
        )

    @staticmethod
    def _brought(
        session: SessionColumn,
        points: StandingsCell,
        line: Mapping[str, Any],
        history: Mapping[str, Mapping[str, Any]],
    ) -> SessionPoints:
        then = history.get(str(session.event))
        tied = (line["tied"] or 1) > 1
        source = line["source"]
        return SessionPoints(
            event=session.event,
            name=session.name,
            points=points,
            counts=line["counted"],
            why="" if source == "played" else label_for(SOURCES, source),
            rank=f"{'=' if tied else ''}{line['rank_from']}" if line["rank_from"] else "",
            games=line["games"],
            handicap="" if line["handicap"] == "0" else format_cell(line["handicap"]).text,
            stood=then["label"] if then else "",
            total_then=format_cell(then["total"]).text if then else "",
        )


def marks_of(row: Mapping[str, Any]) -> Iterator[str]:
    """What is said behind a name: that somebody has won, has withdrawn, has a handicap."""
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
