"""The table of a season as a page shows it: sessions as columns, divisions apart."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

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
from tournaments.reports.score_columns import decimal_places, score_of
from tournaments.standings.rows import RowData, place_of, total_of
from tournaments.standings.season import SeasonRules
from tournaments.tables.model import Column
from tournaments.web.number_format import format_number
from tournaments.web.plots import place_curve
from tournaments.web.standings import (
    AmountBeside,
    RowMaker,
    SessionColumn,
    SessionPoints,
    StandingsCell,
    StandingsDivision,
    StandingsRow,
    StandingsTable,
    entries_opened,
    format_cell,
)
from tournaments.web.standings_query import ALL, NONE, StandingsQuery, page_of

_SESSIONS_SHOWN: Final = 60
"""A table wider than this is no help: of a longer season the last sessions are shown."""
_SESSIONS_USUAL: Final = 12
"""So many fit beside the names on most screens; all others are a choice away."""


def sessions_of(league: League) -> list[SessionColumn]:
    """The events of a league in their order, those that are only planned too. One query."""
    shown = ("number", "weight", "event__name", "event__starts_at", "event__status")
    rows = LeagueEvent.objects.filter(league=league).select_related("event").only(*shown)
    return [
        SessionColumn(
            number=row.number,
            event=row.event_id,
            address=reverse("event-page", args=[row.event_id]),
            name=row.event.name,
            day=day(row.event.starts_at, league.club.time_zone),
            weight="" if row.weight == "1" else weight_text(Fraction(row.weight)),
            is_held=row.event.status not in (Status.PLANNED, Status.CANCELLED),
            is_running=row.event.status == Status.RUNNING,
            is_cancelled=row.event.status == Status.CANCELLED,
        )
        for row in rows.order_by("number")
    ]


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of the season, and the version of its standings that is counted; 0: a newer one."""

    session: SessionColumn
    version: int
    state: TableState


def counted_events(standings: Standings, sessions: Sequence[SessionColumn]) -> list[CountedEvent]:
    """Return the versions of events that a table counts. Two queries."""
    counted = counted_versions(standings)
    return [
        CountedEvent(
            session, counted[str(session.event)].version, counted[str(session.event)].state
        )
        for session in sessions
        if str(session.event) in counted
    ]


def season(
    standings: Standings,
    sessions: Sequence[SessionColumn],
    names: Mapping[str, str],
    wanted: StandingsQuery,
    rules: SeasonRules,
) -> StandingsTable | None:
    """The rows by division; None before anything was computed."""
    if not standings.data:
        return None
    held = [session for session in sessions if session.is_held]
    most = {ALL: _SESSIONS_SHOWN, NONE: 0}.get(wanted.nights, _SESSIONS_USUAL)
    shown = held[len(held) - min(most, len(held)) :]
    opened = entries_opened(standings, wanted)
    page = page_of(standings.rows, wanted, opened)
    columns = league_columns(_nights(standings, shown, rules), page.rows)
    opened_rows = [row for row in page.rows if row["entry"] in opened]
    all_nights = league_columns(_nights(standings, held, rules), opened_rows).scores
    several = len({row["division"] for row in standings.rows}) > 1
    waiting = frozenset(standings.data["open"])
    lines = {
        name: last_above_line(list(rows), rules.promoted)
        for name, rows in groupby(standings.rows, key=lambda row: row["division"])
    }
    has_curves = len(shown) > 1 and any(row["history"] for row in page.rows)
    maker = _SeasonRowMaker(
        found=standings,
        columns=columns,
        names=names,
        wanted=wanted,
        opened=opened,
        season=rules,
        lines=lines,
        members=Counter(row["division"] for row in standings.rows),
        curved={str(one.event): place for place, one in enumerate(shown)} if has_curves else {},
        nights=list(zip(shown, columns.scores, strict=True)),
        all_nights=list(zip(held, all_nights, strict=True)),
        waiting=waiting,
    )
    return StandingsTable(
        divisions=[
            StandingsDivision(
                name or (_("In no division") if several else ""),
                [maker.season_row(row) for row in rows],
                maker.describe_certainty(name),
            )
            for name, rows in groupby(page.rows, key=lambda row: row["division"])
        ],
        pages=page.links,
        scores=columns.scores,
        parts=columns.parts,
        columns=maker.chosen,
        choices=maker.choices,
        unit=columns.total[0].title,
        open_mark=_("waits for a decision"),
        disputes=len(waiting),
        sessions=shown,
        left_out=len(held) - len(shown),
        has_curves=has_curves,
        has_line=any(lines.values()),
    )


def _nights(
    standings: Standings, sessions: Sequence[SessionColumn], rules: SeasonRules
) -> list[CountedNight]:
    """The sessions as these standings count them."""
    weights = {
        session["event"]: Fraction(session["weight"]) for session in standings.data["sessions"]
    }
    return [
        CountedNight(
            event=str(session.event),
            number=session.number,
            title=day_and_year(str(session.day)),
            name=session.name,
            weight=Fraction(1) if rules.by_game else weights.get(str(session.event), Fraction(1)),
        )
        for session in sessions
    ]


_Night = tuple[SessionColumn, Column[RowData]]
"""A night, and the column of its points."""


@dataclass(frozen=True, kw_only=True)
class _SeasonRowMaker(RowMaker):
    """Makes the rows of a season: ``nights`` have a column, an opened row tells ``all_nights``.

    ``lines`` are the last rows above the promotion line by division, ``members`` how many it has,
    ``curved`` the events with a place in the curves.
    """

    lines: Mapping[str | None, RowData | None]
    members: Mapping[str | None, int]
    curved: Mapping[str, int]
    nights: Sequence[_Night]
    all_nights: Sequence[_Night]
    waiting: frozenset[str]

    def season_row(self, row: RowData) -> StandingsRow:
        lines = {line["event"]: line for line in row["lines"]}
        line = self.lines[row["division"]]
        places = {
            self.curved[one["event"]]: place
            for one in row["history"]
            if (place := place_of(one["label"])) and one["event"] in self.curved
        }
        is_shown = row["entry"] in self.opened
        return self.row(
            row,
            marks=[mark for mark in (_lack(row), *marks_of(row)) if mark],
            is_open=row["entry"] in self.waiting,
            scores=[self._night(night, row, lines) for night in self.nights],
            moved=row["delta"] or 0,
            places=", ".join(map(str, places.values())),
            curve=place_curve(places, len(self.curved), self.members[row["division"]]),
            to_line="" if line is None else _to_line(row, line),
            is_last_above_line=line is row,
            played=list(self._played(row, lines)) if is_shown else [],
            beside=list(self._beside(row)) if is_shown else [],
        )

    def _night(self, night: _Night, row: RowData, lines: Mapping[str, Any]) -> StandingsCell:
        session, column = night
        if str(session.event) not in lines:
            return StandingsCell("")
        return replace(self.cell(column, row), address=f"{session.address}?open={row['entry']}")

    def _played(self, row: RowData, lines: Mapping[str, Any]) -> Iterator[SessionPoints]:
        """Yield everything that somebody played, night by night."""
        history = {one["event"]: one for one in row["history"]}
        played = [night[1].value(row) for night in self.all_nights if str(night[0].event) in lines]
        places = decimal_places([*map(score_of, played), total_of(row)])
        for night in self.all_nights:
            session, event = night[0], str(night[0].event)
            if (line := lines.get(event)) is None:
                continue
            then, source, tied = history.get(event), line["source"], (line["tied"] or 1) > 1
            score = score_of(night[1].value(row))
            points = self._night(night, row, lines)
            if score is not None:
                points = replace(points, text=format_number(score, places=places))
            yield SessionPoints(
                session=session,
                points=points,
                why="" if source == "played" else label_for(SOURCES, source),
                rank=f"{'=' if tied else ''}{line['rank_from']}" if line["rank_from"] else "",
                handicap="" if line["handicap"] == "0" else format_cell(line["handicap"]).text,
                stood=then["label"] if then else "",
                total_then=format_cell(then["total"], places).text if then else "",
            )

    def _beside(self, row: RowData) -> Iterator[AmountBeside]:
        """Yield parts of a total beside the nights, by name; each adjustment by itself."""
        for column in self.columns.parts:
            if column.key == "adjustments":
                for adjustment in row["adjustments"]:
                    yield AmountBeside(_("Adjustment"), format_cell(adjustment["amount"]).text)
            elif column.value(row):
                yield AmountBeside(column.title, self.cell(column, row).text)


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
