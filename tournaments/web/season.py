"""The table of a season as a page shows it: sessions as columns, divisions apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.time_zones import day, day_and_year
from tournaments.models import League, LeagueEvent, Status
from tournaments.publishing.official import TableState, counted_versions
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import SOURCES, label_for
from tournaments.reports.league_standings import (
    CountedNight,
    last_above_line,
    league_columns,
    weight_text,
)
from tournaments.reports.score_columns import StandingsColumns
from tournaments.standings.rows import RowData, total_of
from tournaments.standings.season import SeasonRules
from tournaments.tables.model import Column, TableLocale
from tournaments.web.number_format import format_number, reader_locale
from tournaments.web.plots import place_curve
from tournaments.web.standings import (
    RankedRow,
    StandingsCell,
    format_cell,
    show_cell,
)
from tournaments.web.standings_query import ALL, NONE, PageLink, StandingsQuery, page_of
from tournaments.web.tie_break_reasons import reason

_SESSIONS_SHOWN: Final = 60
"""A table wider than this is no help: of a longer season the last sessions are shown."""
_SESSIONS_USUAL: Final = 12
"""So many fit beside the names on most screens; all others are a choice away."""
_FORM: Final = 3
"""So many of the last nights are shown on a phone."""
NO_NIGHT: Final = "\N{MIDDLE DOT}"


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
class NightCell:
    """Somebody's night in the table; no address where they did not play.

    ``is_form``: it is one of the last nights, which phones show too.
    """

    text: str
    exact: str = ""
    counts: bool = True
    address: str = ""
    is_form: bool = False


@dataclass(frozen=True, slots=True)
class SessionPoints:
    """Somebody's night in full, where the row is open."""

    session: SessionColumn
    points: NightCell
    why: str
    rank: str
    handicap: str
    stood: str
    total_then: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTableRow(RankedRow):
    """A member. ``moved`` is by how many places they went up with the last session.

    ``curve`` is a line through their ``places`` after the sessions shown. ``to_line`` is how far
    they are from the promotion line, which is drawn below the one who is ``last_above_line``.
    Of an opened row ``played`` and ``beside`` say what the total is made of.
    """

    moved: int
    climbed: int
    places: str
    curve: str
    to_line: str
    is_last_above_line: bool
    nights: list[NightCell]
    played: list[SessionPoints]
    beside: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Division:
    """A division with its rows; no name where there is only one."""

    name: str
    rows: list[SeasonTableRow]


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """The table, or the page of it that is looked at.

    ``left_out`` are the events that were held and have no column. ``parts`` are what is in the
    total beside the nights, ``columns`` tie-breaks and counts. ``has_curves``: places after the
    nights are drawn; ``has_line``: there is a promotion line.
    """

    divisions: list[Division]
    pages: list[PageLink]
    sessions: list[SessionColumn]
    form: Sequence[SessionColumn]
    parts: Sequence[Column[RowData]]
    columns: Sequence[Column[RowData]]
    unit: str
    open_mark: str
    left_out: int
    width: int
    disputes: int
    has_curves: bool
    has_line: bool


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
    """Return the versions of events that a table counts. Two queries."""
    counted = counted_versions(found)
    return [
        CountedEvent(one, counted[str(one.event)].version, counted[str(one.event)].state)
        for one in sessions
        if str(one.event) in counted
    ]


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
    most = {ALL: _SESSIONS_SHOWN, NONE: 0}.get(wanted.nights, _SESSIONS_USUAL)
    shown = held[len(held) - min(most, len(held)) :]
    page = page_of(found.rows, wanted, wanted.opened)
    columns = league_columns(_nights(found, shown, rules), page.rows)
    if wanted.columns != ALL:
        columns = replace(columns, about=(), others=())
    opened = [row for row in page.rows if row["entry"] in wanted.opened]
    all_nights = league_columns(_nights(found, held, rules), opened).scores if opened else ()
    several = len({row["division"] for row in found.rows}) > 1
    waiting = frozenset(found.data["open"])
    lines = {
        name: last_above_line(list(rows), rules.promoted)
        for name, rows in groupby(found.rows, key=lambda row: row["division"])
    }
    has_curves = len(shown) > 1 and any(row["history"] for row in page.rows)
    made = _Maker(
        columns=columns,
        lines=lines,
        members=len(found.rows),
        curved={str(one.event): place for place, one in enumerate(shown)} if has_curves else {},
        nights=_linked(shown, columns.scores),
        all_nights=_linked(held, all_nights) if opened else [],
        names=names,
        wanted=wanted,
        waiting=waiting,
        locale=reader_locale(),
    )
    divisions = [
        Division(name or (_("In no division") if several else ""), [made.row(one) for one in rows])
        for name, rows in groupby(page.rows, key=lambda row: row["division"])
    ]
    return SeasonSheet(
        divisions=divisions,
        pages=page.links,
        sessions=list(shown),
        form=shown[-_FORM:],
        parts=columns.parts,
        columns=columns.tie_breaks,
        unit=columns.total[0].title,
        open_mark=_("waits for a decision"),
        left_out=len(held) - len(shown),
        width=4
        + len(shown)
        + len(columns.parts)
        + len(columns.tie_breaks)
        + has_curves
        + any(lines.values()),
        disputes=len(waiting),
        has_curves=has_curves,
        has_line=any(lines.values()),
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


class _LinkedNight(NamedTuple):
    """A night with the address of its page and the column of its points."""

    session: SessionColumn
    event: str
    address: str
    column: Column[RowData]
    is_form: bool


def _linked(
    sessions: Sequence[SessionColumn], columns: Sequence[Column[RowData]]
) -> list[_LinkedNight]:
    form = len(sessions) - _FORM
    return [
        _LinkedNight(
            one, str(one.event), reverse("event-page", args=[one.event]), column, place >= form
        )
        for place, (one, column) in enumerate(zip(sessions, columns, strict=True))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """Makes the rows of a table: ``nights`` have a column, an opened row tells ``all_nights``.

    ``lines`` are the last rows above the promotion line by division, ``curved`` the events with a
    place in the curves.
    """

    columns: StandingsColumns
    lines: Mapping[str | None, RowData | None]
    members: int
    curved: Mapping[str, int]
    nights: Sequence[_LinkedNight]
    all_nights: Sequence[_LinkedNight]
    names: Mapping[str, str]
    wanted: StandingsQuery
    waiting: frozenset[str]
    locale: TableLocale

    def row(self, row: RowData) -> SeasonTableRow:
        player = row["entry"]
        lines = {line["event"]: line for line in row["lines"]}
        delta = row["delta"] or 0
        is_shown = player in self.wanted.opened
        columns = self.columns
        line = self.lines[row["division"]]
        places = {
            self.curved[one["event"]]: int(one["label"].removeprefix("="))
            for one in row["history"]
            if one["label"] and one["event"] in self.curved
        }
        return SeasonTableRow(
            entry=player,
            player=player,
            name=self.names.get(player, ""),
            label=row["label"],
            tied=row["tied"],
            moved=abs(delta),
            climbed=(delta > 0) - (delta < 0),
            places=", ".join(map(str, places.values())),
            curve=place_curve(places, len(self.curved), self.members),
            to_line="" if line is None else _to_line(row, line),
            is_last_above_line=line is row,
            total=self._cell(columns.total[0], row),
            nights=[self._night(night, row, lines.get(night.event)) for night in self.nights],
            parts=[self._cell(column, row) for column in columns.parts],
            cells=[self._cell(column, row) for column in columns.tie_breaks],
            marks=[mark for mark in (_lack(row), *marks_of(row)) if mark],
            is_open=player in self.waiting,
            reason=reason(row["decided"], self.names) if is_shown else None,
            is_shown=is_shown,
            toggle=self.wanted.toggle_query(player),
            played=self._played(row, lines) if is_shown else [],
            beside=list(self._beside(row)) if is_shown else [],
        )

    def _cell(self, column: Column[RowData], row: RowData) -> StandingsCell:
        return show_cell(column, row, self.locale)

    def _night(
        self, night: _LinkedNight, row: RowData, line: Mapping[str, Any] | None
    ) -> NightCell:
        if line is None:
            return NightCell(NO_NIGHT, is_form=night.is_form)
        cell = self._cell(night.column, row)
        return NightCell(
            text=cell.text,
            exact=cell.exact,
            counts=line["counted"],
            address=f"{night.address}?open={row['entry']}",
            is_form=night.is_form,
        )

    def _played(self, row: RowData, lines: Mapping[str, Mapping[str, Any]]) -> list[SessionPoints]:
        """Everything that somebody played, night by night."""
        history = {one["event"]: one for one in row["history"]}
        return [
            _played_night(
                night,
                self._night(night, row, line),
                line,
                history.get(night.event),
            )
            for night in self.all_nights
            if (line := lines.get(night.event)) is not None
        ]

    def _beside(self, row: RowData) -> Iterator[tuple[str, str]]:
        """Yield parts of a total beside the nights, by name; each adjustment by itself."""
        for column in self.columns.parts:
            if column.key == "adjustments":
                for one in row["adjustments"]:
                    yield _("Adjustment"), format_cell(one["amount"]).text
            elif column.value(row):
                yield column.title, self._cell(column, row).text


def _played_night(
    night: _LinkedNight,
    points: NightCell,
    line: Mapping[str, Any],
    then: Mapping[str, Any] | None,
) -> SessionPoints:
    tied = (line["tied"] or 1) > 1
    source = line["source"]
    return SessionPoints(
        session=night.session,
        points=points,
        why="" if source == "played" else label_for(SOURCES, source),
        rank=f"{'=' if tied else ''}{line['rank_from']}" if line["rank_from"] else "",
        handicap="" if line["handicap"] == "0" else format_cell(line["handicap"]).text,
        stood=then["label"] if then else "",
        total_then=format_cell(then["total"]).text if then else "",
    )


def _to_line(row: RowData, line: RowData) -> str:
    """Return somebody's distance to the last place above the promotion line; empty unranked."""
    place, last, total, needed = row["rank_from"], line["rank_from"], total_of(row), total_of(line)
    if place is None or last is None or total is None or needed is None:
        return ""
    return _("above") if place <= last else format_number(str(total - needed), signed=True)


def marks_of(row: RowData) -> Iterator[str]:
    """Yield marks behind a name: certainties about the end, a withdrawal, a handicap.

    Standings published before 0.3.0 know of no promotion line.
    """
    if row["clinched"]:
        yield _("has won")
    elif row.get("safe"):
        yield _("safe")
    elif row.get("possible"):
        yield _("still possible")
    if row["withdrawn"]:
        yield _("withdrawn")
    if row["handicap"] != "0":
        yield _("handicap %(n)s") % {"n": format_cell(row["handicap"]).text}


def _lack(row: RowData) -> str:
    """Return what is missing for a rank, in words."""
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
