"""The standings of a league as a table: the score of every night, what counts, and the total.

A night shows what is added up: its points by its weight. Where a total is a sum, a row adds up:
the nights that count, what was carried over, attendance and adjustments are the total.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.formats import get_format
from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.core.time_zones import day, day_and_year, short_day
from tournaments.models import Event
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import player_id_column, ranked_columns
from tournaments.reports.labels import heading_for
from tournaments.reports.score_columns import (
    Score,
    StandingsColumns,
    is_rounded,
    score_column,
    tie_break_columns,
    to_score,
    total_columns,
)
from tournaments.standings.rows import RowData
from tournaments.standings.season import SeasonRules
from tournaments.tables.cells import decimal_text
from tournaments.tables.model import Column, ColumnKind, DroppedCell, Table, Value


class CountedNight(NamedTuple):
    """An event of a league: its id and number there, the title of its column, name and weight."""

    event: str
    number: int
    title: str
    name: str
    weight: Fraction
    day: date | None = None


def nights_of(standings: Standings, *, by_game: bool = False) -> list[CountedNight]:
    """The nights in published standings, in their order. One query.

    ``by_game``: games are averaged, and weights of nights do not count.
    """
    sessions = standings.data["sessions"]
    events = Event.objects.in_bulk([UUID(one["event"]) for one in sessions])
    clock = standings.row.club.time_zone
    nights = []
    for session in sessions:
        event = events[UUID(session["event"])]
        date_ = day(event.starts_at, clock)
        title = day_and_year(str(date_))
        weight = Fraction(1) if by_game else Fraction(session["weight"])
        nights.append(
            CountedNight(session["event"], session["number"], title, event.name, weight, date_)
        )
    titles = Counter(night.title for night in nights)
    return [
        night._replace(title=f"{night.title}, {night.name}") if titles[night.title] > 1 else night
        for night in nights
    ]


def shorten_titles(nights: Sequence[CountedNight]) -> Sequence[CountedNight]:
    """The nights with their dates without years, where these tell them apart."""
    short = [
        night._replace(title=short_day(str(night.day))) if night.day else night for night in nights
    ]
    return short if len({night.title for night in short}) == len(nights) else nights


def summarize_season(
    season: SeasonRules, data: Mapping[str, Any], *, on_paper: bool = False
) -> list[str]:
    """Say how the published standings of a league are counted.

    ``on_paper`` special cases with other rules than usual are told as well.
    """
    sessions = data.get("sessions", ())
    has_weights = any(session["weight"] != "1" for session in sessions)
    special = season.special_cases(is_usual_left_out=True) if on_paper else []
    said = season.summarize(len(sessions), has_weights=has_weights)
    return list(map(translate, [*said, *special]))


def league_columns(nights: Sequence[CountedNight], rows: Sequence[RowData]) -> StandingsColumns:
    """The columns of published standings; a night that does not count is marked."""
    return StandingsColumns(
        scores=tuple(
            score_column(
                f"night_{night.number}",
                _weighed_title(night),
                _weighed(night),
                rows,
                description=night.name,
                day=night.day,
            )
            for night in nights
        ),
        about=tuple(_count_columns(rows, nights)),
        parts=tuple(_part_columns(rows)),
        total=tuple(total_columns(_("Total"), rows)),
        others=tuple(tie_break_columns(rows)),
    )


def _weighed_title(night: CountedNight) -> str:
    if night.weight == 1:
        return night.title
    return f"{night.title} ×{weight_text(night.weight)}"  # noqa: RUF001 (the sign for times)


def weight_text(weight: Fraction) -> str:
    """A weight as people write it: 2, 1.5, 1/6."""
    if is_rounded(weight):
        return str(weight)
    return decimal_text(weight).replace(".", str(get_format("DECIMAL_SEPARATOR")))


def _weighed(night: CountedNight) -> Callable[[RowData], Value]:
    def score(row: RowData) -> Value:
        line = _line_of(row, night)
        if line is None:
            return None
        value = Fraction(line["net"]) * night.weight
        return value if line["counted"] else DroppedCell(value)

    return score


def _line_of(row: RowData, night: CountedNight) -> Any:
    return next((line for line in row["lines"] if line["event"] == night.event), None)


def league_standings(
    found: Standings, season: SeasonRules, *, in_full: bool = True
) -> list[Table[RowData]]:
    """The standings of a league as they were published.

    A second table has the points of the nights as they were scored, where weights or handicaps make
    them other numbers. Unless ``in_full`` people are called as strangers may see them.
    """
    rows = found.rows
    nights = nights_of(found, by_game=season.by_game)
    people = ranked_columns(found, in_full=in_full)
    ids = player_id_column(found.players)
    columns = league_columns(nights, rows)
    standings = Table(_("Standings"), (*people, *columns, ids), rows)
    lines = [line for row in rows for line in row["lines"]]
    if all(line["points"] == line["net"] for line in lines) and all(
        night.weight == 1 for night in nights
    ):
        return [standings]
    scored = [
        score_column(
            f"night_{night.number}",
            night.title,
            _points(night),
            rows,
            description=night.name,
            day=night.day,
        )
        for night in nights
    ]
    raw = Table(_("Nights, as scored"), (*people, *scored, ids), rows, is_detail=True)
    return [standings, raw]


def last_above_line(rows: Sequence[RowData], promoted: int) -> RowData | None:
    """The row of a division below which its promotion line is drawn; None where there is none.

    Who shares a place that reaches beyond the line is below it.
    """
    above = [row for row in rows if row["rank_to"] and row["rank_to"] <= promoted]
    return above[-1] if 0 < len(above) < len(rows) else None


def _points(night: CountedNight) -> Callable[[RowData], Score]:
    def points(row: RowData) -> Score:
        line = _line_of(row, night)
        return None if line is None else to_score(line["points"])

    return points


def _count_columns(
    rows: Sequence[RowData], nights: Sequence[CountedNight]
) -> Iterator[Column[RowData]]:
    """Yield counts of nights that count, and of those that somebody played that do not."""

    def dropped(row: RowData) -> str:
        found = [(night, _line_of(row, night)) for night in nights]
        return "; ".join(night.title for night, line in found if line and not line["counted"])

    yield Column(
        key="counted",
        title=_("Nights counted"),
        kind=ColumnKind.INTEGER,
        value=lambda row: sum(line["counted"] for line in row["lines"]),
    )
    if any(map(dropped, rows)):
        yield Column(key="dropped", title=_("Dropped"), value=dropped)


def _part_columns(rows: Sequence[RowData]) -> Iterator[Column[RowData]]:
    """Yield parts of a total beside the nights; standings from before 0.3.0 lack some of it."""

    def adjusted(row: RowData) -> Score:
        return (
            sum((Fraction(adjustment["amount"]) for adjustment in row["adjustments"]), Fraction(0))
            or None
        )

    parts: tuple[tuple[str, str, Callable[[RowData], Score], str], ...] = (
        (
            "opening",
            _("Carried over"),
            lambda row: to_score(row.get("opening", "0")) or None,
            _("points from before this league was kept here"),
        ),
        (
            "attendance",
            _("Attendance"),
            lambda row: to_score(row.get("attendance", "0")) or None,
            _("points for having come"),
        ),
        ("adjustments", heading_for("adjustments")[0], adjusted, _("penalties and bonuses")),
    )
    for key, title, value, description in parts:
        if any(map(value, rows)):
            yield score_column(key, title, value, rows, description=description)
