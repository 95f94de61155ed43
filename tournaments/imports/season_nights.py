"""The nights that a table of results stands for: their days, their events, and their league.

The players are rows and the nights columns, or each row names its night. Whose results are in the
nights `night_plan` reads.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from functools import cached_property
from typing import Any, Final

from engine.core.messages import Message, MessageError, PluralMessage
from tournaments.core.errors import RefusedError
from tournaments.core.name_folding import fold_text
from tournaments.core.time_zones import day as day_of
from tournaments.core.time_zones import instant, local, zone
from tournaments.events.recorded_results import results_of
from tournaments.imports.dates import parse_day
from tournaments.imports.night_days import (
    NightDay,
    SeasonYears,
    complete_days,
    day_of_moment,
    find_years,
    is_night,
    read_night,
)
from tournaments.imports.numbers import is_absent
from tournaments.imports.openings import league_of
from tournaments.imports.plan import RowAction, RowPlan
from tournaments.imports.planned_nights import PlannedNight
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import Club, Event, League, LeagueEvent
from tournaments.models.limits import max_length
from tournaments.tables.input_model import Cell, CellRemark, cell_text

NEW_LEAGUE: Final = "new"
NO_LEAGUE: Final = "none"
_USUAL_TIME: Final = time(19, 30)
_NAME_MAX: Final = max_length(Event, "name")


class SeasonNights:
    """Nights of one table by their column, or by day and name where each row names its night.

    ``errors``: why columns or rows have no night. ``place_columns``: the column with the places of
    a night, by that of its points. ``with_points``: the nights in which somebody has points.
    """

    def __init__(self, club: Club, table: ImportTable, options: Mapping[str, str]) -> None:
        self._club = club
        self._table = table
        self._options = options
        self._clock: tzinfo = zone(club.time_zone)
        self.found: dict[object, PlannedNight] = {}
        self.errors: dict[object, str] = {}
        self.place_columns: dict[int, int] = {}
        self.with_points: set[object] = set()
        wanted = options.get("league") or NEW_LEAGUE
        is_known = wanted not in (NEW_LEAGUE, NO_LEAGUE)
        self.league = league_of(club, options) if is_known else None
        self.makes_league = wanted == NEW_LEAGUE
        self.title = self._find_title()

    def read_headings(self) -> None:
        """Read the nights from the headings of their columns, and from the row above those."""
        columns = self._table.columns["night"]
        written = {column: self._read_heading(column) for column in columns}
        by_night = {night: column for column, night in written.items()}
        for column in self._table.columns.get("night_place", ()):
            night = by_night.get(self._read_heading(column))
            if night is None:
                self.errors[column] = Message("no column has the points of this night")
            else:
                self.place_columns[night] = column
        line = self._table.header.line
        self._place_nights(written, {column: (line, column) for column in columns})

    def _read_heading(self, column: int) -> NightDay:
        upper = [*self._table.above, *([self._table.upper] if self._table.upper else [])]
        above = [
            row.cells[column - 1]
            for row in upper
            if len(row.cells) > 1 and column <= len(row.cells)
        ]
        return read_night([*above, self._table.heading(column)], self._table)

    def find_remarks(self) -> list[CellRemark]:
        """Return remarks on columns of nights, each of which is left out."""
        line = self._table.header.line
        found = []
        columns = self._table.columns
        for column in (*columns.get("night", ()), *columns.get("night_place", ())):
            words = self.errors.get(column, "")
            night = self.found.get(column)
            if night is not None and not night.results and night.event is None:
                words = Message("nobody has a result in this night; it is left out")
            if words:
                found.append(CellRemark(line, column, words))
        return found

    def read_rows(self, rows: Sequence[ImportRow]) -> None:
        """Read the nights that the rows name, in the order in which they come."""
        written: dict[object, NightDay] = {}
        places: dict[object, tuple[int, int]] = {}
        night: Mapping[str, Cell] = {"day": "", "event": ""}
        for row in rows:
            own = {key: row.cell(key) for key in night}
            if own["day"] == "" and own["event"] in ("", night["event"]):
                # A block of rows names its day and its night once.
                for name, cell in night.items():
                    row.fill(name, cell)
            else:
                night = own
            key = self.key_of(row)
            if not is_absent(row.text("points")):
                self.with_points.add(key)
            if key not in written:
                written[key] = read_night([row.cell("event"), row.cell("day")], self._table)
                places[key] = (row.line, 0)
        self._place_nights(written, places)

    def key_of(self, row: ImportRow) -> tuple[str, str]:
        return (row.text("day"), row.text("event"))

    def _place_nights(
        self, written: Mapping[Any, NightDay], places: Mapping[Any, tuple[int, int]]
    ) -> None:
        """Give the nights their days, events and names; ``places`` are their lines and columns."""
        found = complete_days(
            list(written.values()), years=self._years(), first=_first_day(self._options)
        )
        for key, one in zip(written, found, strict=True):
            if one.error or one.day is None:
                self.errors[key] = one.error or Message("there is no day")
                continue
            day = day_of_moment(one.day)
            if self._table.today and day > self._table.today:
                self.errors[key] = Message("{day} is still to come", day=str(day))
                continue
            try:
                # By the clock on the wall: as it says, else at the usual time.
                day = one.day
                if not isinstance(day, datetime):
                    day = datetime.combine(day, self._usual_time)
                starts_at = day.astimezone(UTC) if day.tzinfo else instant(day, self._clock)
            except RefusedError as error:
                self.errors[key] = error.message
                continue
            line, column = places[key]
            self.found[key] = PlannedNight(one.name[:_NAME_MAX], starts_at, line, column)
        self._match_events()
        self._find_begun_league()
        self._name_nights()

    def _match_events(self) -> None:
        """Match nights with existing events: by name and day, or by the day alone."""
        clock = self._club.time_zone
        held: dict[date, list[Event]] = {}
        for event in Event.objects.filter(club=self._club).order_by("pk"):
            held.setdefault(day_of(event.starts_at, clock), []).append(event)
        for key, night in list(self.found.items()):
            same = held.get(day_of(night.starts_at, clock), [])
            if night.name:
                same = [one for one in same if fold_text(one.name) == fold_text(night.name)]
            only = [one for one in same if one.is_results_only]
            if only:
                night.name, night.event, night.id = only[0].name, only[0], only[0].pk
                night.known = results_of(only[0])
            elif same and night.name:
                words = Message(
                    "{night} is there already, with its hands", night=repr(night.name[:60])
                )
                self.errors[key] = words
                del self.found[key]

    def _find_begun_league(self) -> None:
        """Use the league that an earlier import of the same table created."""
        held = [night.event for night in self.found.values() if night.event is not None]
        rows = League.objects.filter(club=self._club, closed_at=None, name=self.title)
        found = rows.filter(sessions__event__in=held).first() if self.makes_league else None
        if found is not None:
            self.league, self.makes_league = found, False

    def _name_nights(self) -> None:
        """Call nights without a name after their league, numbered in the order of their days."""
        held = 0 if self.league is None else LeagueEvent.objects.filter(league=self.league).count()
        new = [night for night in self.found.values() if night.event is None]
        new.sort(key=lambda night: (night.starts_at, night.column, night.line))
        for number, night in enumerate(new, held + 1):
            stem = self.league.name if self.league is not None else self.title
            night.name = night.name or f"{stem[: _NAME_MAX - 5]} {number}"

    @cached_property
    def _usual_time(self) -> time:
        last = Event.objects.filter(club=self._club).order_by("-starts_at", "-pk").first()
        return _USUAL_TIME if last is None else local(last.starts_at, self._club.time_zone).time()

    def _years(self) -> SeasonYears | None:
        wanted = self._options.get("year", "")
        if wanted.isdigit() and len(wanted) == 4:
            return SeasonYears(int(wanted), is_sure=True)
        above = [cell for row in self._table.above for cell in row.cells]
        return find_years(
            [*above, *(cell for cell in self._table.header.cells if not is_night(cell))]
        )

    def describe(self, nights: Sequence[PlannedNight]) -> list[RowPlan]:
        """Plan rows for the nights themselves: the event of each, and how many results it gets."""
        return [
            RowPlan(
                line=night.line,
                action=RowAction.NEW if night.event is None else RowAction.CHANGED,
                subject=night.name,
                detail=PluralMessage(
                    "night of {day}, {count} result",
                    "night of {day}, {count} results",
                    count=len(night.results),
                    day=str(day_of(night.starts_at, self._club.time_zone)),
                ),
            )
            for night in nights
        ]

    def _find_title(self) -> str:
        """Return the title above the table, or the name of a new league without a title."""
        rows = [[cell for cell in row.cells if cell != ""] for row in self._table.above]
        # A row with more than a title in it is one of days or of labels.
        titles = [row for row in rows if row and not (len(row) > 1 and any(map(is_night, row)))]
        above = (cell_text(row[0]) for row in sorted(titles, key=lambda row: len(row) > 1))
        found = next((text for text in above if not text.isdigit()), "")
        return found[:_NAME_MAX] or "Season"


def _first_day(options: Mapping[str, str]) -> date | None:
    """The day of the first night, as somebody says it. Raises RefusedError."""
    wanted = options.get("first", "").strip()
    if not wanted:
        return None
    try:
        return parse_day(wanted)
    except MessageError as error:
        raise RefusedError(error.message, "first") from error
