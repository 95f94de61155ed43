"""Plans of imports of past nights: which events a table stands for, whose results are in it.

The players are rows and the nights columns, or there is a row for each player and night.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, tzinfo
from fractions import Fraction
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from engine.messages import Message, MessageError, PluralMessage, message_of
from engine.rules.presets import PRESETS
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id, parse_id
from tournaments.core.name_folding import fold_text
from tournaments.core.time_zones import day as day_of
from tournaments.core.time_zones import instant, local, zone
from tournaments.events.leagues import NewLeague
from tournaments.events.recorded_results import NewResult, results_of
from tournaments.imports.dates import parse_day
from tournaments.imports.names import name_in, read_number, split_number
from tournaments.imports.night_days import NightDay, complete_days, find_year, read_night
from tournaments.imports.numbers import is_absent
from tournaments.imports.openings import league_of
from tournaments.imports.plan import (
    ImportPlan,
    RowAction,
    RowPlan,
    leave_out,
)
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity, fold_whole_name
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import (
    Club,
    Event,
    League,
    LeagueEvent,
    PlayerKind,
    RuleSet,
)
from tournaments.models.limits import max_length
from tournaments.selectors import former_name
from tournaments.tables.cells import decimal_text
from tournaments.tables.input_model import Cell, CellRemark, cell_text

NEW_LEAGUE: Final = "new"
NO_LEAGUE: Final = "none"
PRESET_PREFIX: Final = "preset:"
LEAVE_OUT: Final = "none"
"""The choice, instead of a kind of player, to leave out the rows of unknown players."""
POINTS, CHIPS, PENALTY, PLACES = "points", "chips", "penalty", "places"
_USUAL_TIME: Final = time(19, 30)
_NAME_MOST: Final = max_length(Event, "name")
_LIKE_MOST: Final = 3
_DROPPED: Final = re.compile(r"[(\[]\s*(.*?)\s*[)\]]\s*\*?|(.*\S)\s*\*")
"""A night that does not count in the total stands in brackets, or has a star."""
_PLACE: Final = re.compile(r"=?\s*([1-9][0-9]{0,3})\s*(?:=|\.|st|nd|rd|th)?")


@dataclass(eq=False, slots=True)
class NightPerson:
    """Somebody in the table: a player of the club, or one who is new there."""

    name: str
    player: UUID | None
    number: int | None = None
    doubt: str = ""
    """Whom of the club they may be; emptied once a row says it."""


@dataclass(eq=False, slots=True)
class PlannedNight:
    """A night of the table, which becomes an event, or is one already."""

    name: str
    starts_at: datetime
    line: int
    column: int
    event: Event | None = None
    known: Mapping[UUID, NewResult] = field(default_factory=dict)
    """The results on record already, by player."""
    results: dict[NightPerson, NewResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Result:
    """The result in a cell: points or a place, and whether it was dropped from the total."""

    points: Fraction | None
    place: int | None
    games: int
    is_dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NightsPlan:
    """What a table of nights becomes: its events, in the order of their days, and their league."""

    nights: Sequence[PlannedNight]
    people: Sequence[NightPerson]
    kind: str
    league: League | None
    new_league: NewLeague | None
    rule_set: str
    scoring: Mapping[str, Any]


def plan_nights(
    club: Club,
    table: ImportTable,
    rows: Iterable[ImportRow],
    options: Mapping[str, str],
    at: datetime,
) -> ImportPlan:
    """Plan events with results only, and the league that they count in.

    A row that is wrong is left out as a whole, with its problems. A night that is there already
    gets the results that are missing; one that differs is a problem. Raises RefusedError naming an
    option that is missing.
    """
    planner = _Planner(club, table, options)
    found = list(rows)
    if table.columns.get("night"):
        planner.read_headings()
        plans = [planner.plan_player(row) for row in found]
    else:
        planner.read_night_column(found)
        plans = [planner.plan_result(row) for row in found]
    nights = sorted(
        (night for night in planner.nights.values() if night.results),
        key=lambda night: (night.starts_at, night.column, night.line),
    )
    with_results = {person for night in nights for person in night.results}
    plan = NightsPlan(
        nights=nights,
        people=[one for one in planner.new_people if one in with_results],
        kind=options.get("new") or PlayerKind.GUEST,
        league=planner.league,
        new_league=planner.new_league(),
        rule_set=planner.rule_set,
        scoring=NIGHT_UNITS[planner.unit],
    )
    return ImportPlan(
        rows=[*planner.describe_nights(nights), *plans], value=plan, remarks=planner.find_remarks()
    )


class _Planner:
    """Reads the rows of one table into nights and results."""

    def __init__(self, club: Club, table: ImportTable, options: Mapping[str, str]) -> None:
        self._club = club
        self._table = table
        self._options = options
        self._clock: tzinfo = zone(club.time_zone)
        self._roll = MemberRoll(club.pk)
        self._people: dict[tuple[str, int | None], NightPerson] = {}
        self._counted_nights: set[int] = set()
        """How many nights count for players of whom some were dropped."""
        self._most_kept = 0
        """The most nights that make up a player's total in the table."""
        self._with_points: set[object] = set()
        """The nights in which somebody has points."""
        self.nights: dict[object, PlannedNight] = {}
        self._errors: dict[object, str] = {}
        self.new_people: list[NightPerson] = []
        self.unit = options.get("counts") or POINTS
        wanted = options.get("league") or NEW_LEAGUE
        is_known = wanted not in (NEW_LEAGUE, NO_LEAGUE)
        self.league = league_of(club, options) if is_known else None
        self._makes_league = wanted == NEW_LEAGUE
        self.rule_set = _chosen_rule_set(club, options)
        self._title = self._find_title()

    def new_league(self) -> NewLeague | None:
        """The league that the nights begin, counted as the table counts them."""
        if not self._makes_league:
            return None
        season: dict[str, Any] = {"rule": "drop_worst", "drop": 0}
        # No limit is to take nights away from a total that counts more of them.
        if len(self._counted_nights) == 1 and self._most_kept <= min(self._counted_nights):
            season = {"rule": "best_n", "best": self._counted_nights.pop()}
        if self.unit == PENALTY:
            season["lowest_wins"] = "on"
        return NewLeague(name=self._title, season=season, planned=0)

    def _find_title(self) -> str:
        """What stands above the table, or the name that a new league gets without a title."""
        above = (cell_text(cell) for row in self._table.above for cell in row.cells)
        found = next((text for text in above if text and not text.isdigit()), "")
        return found[:_NAME_MOST] or "Season"

    # Nights

    def read_headings(self) -> None:
        """Read the nights from the headings of their columns, and from the row above those."""
        columns = self._table.columns["night"]
        written = []
        for column in columns:
            above = [
                row.cells[column - 1]
                for row in self._table.above
                if len(row.cells) > 1 and column <= len(row.cells)
            ]
            written.append(read_night([*above, self._table.heading(column)], self._table))
        line = self._table.header.line
        self._place_nights(
            dict(zip(columns, written, strict=True)), {one: (line, one) for one in columns}
        )

    def find_remarks(self) -> list[CellRemark]:
        """What is wrong with columns of nights, each of which is left out."""
        line = self._table.header.line
        found = []
        for column in self._table.columns.get("night", ()):
            words = self._errors.get(column, "")
            night = self.nights.get(column)
            if night is not None and not night.results and night.event is None:
                words = Message("nobody has a result in this night; it is left out")
            if words:
                found.append(CellRemark(line, column, words))
        return found

    def read_night_column(self, rows: Sequence[ImportRow]) -> None:
        """Read the nights that the rows name, in the order in which they come."""
        written: dict[object, NightDay] = {}
        places: dict[object, tuple[int, int]] = {}
        for row in rows:
            key = self._night_key(row)
            if not is_absent(row.text("points")):
                self._with_points.add(key)
            if key not in written:
                written[key] = read_night([row.cell("event"), row.cell("day")], self._table)
                places[key] = (row.line, 0)
        self._place_nights(written, places)

    def _night_key(self, row: ImportRow) -> tuple[str, str]:
        return (row.text("day"), row.text("event"))

    def _place_nights(
        self, written: Mapping[Any, NightDay], places: Mapping[Any, tuple[int, int]]
    ) -> None:
        """Give the nights their days, events and names; ``places`` are their lines and columns."""
        found = complete_days(
            list(written.values()), year=self._year(), first=_first_day(self._options)
        )
        for key, one in zip(written, found, strict=True):
            if one.error or one.day is None:
                self._errors[key] = one.error or Message("there is no day")
                continue
            line, column = places[key]
            self.nights[key] = PlannedNight(
                one.name[:_NAME_MOST], self._moment(one.day), line, column
            )
        self._match_events()
        self._find_begun_league()
        self._name_nights()

    def _moment(self, day: date) -> datetime:
        """When a night began by the clock on the wall: as it says, else at the usual time."""
        is_moment = isinstance(day, datetime)
        wall = day if is_moment else datetime.combine(day, self._usual_time)
        assert isinstance(wall, datetime)
        return instant(wall.replace(tzinfo=None), self._clock)

    def _match_events(self) -> None:
        """Match nights with existing events: by name and day, or by the day alone."""
        clock = self._club.time_zone
        held: dict[date, list[Event]] = {}
        for event in Event.objects.filter(club=self._club).order_by("pk"):
            held.setdefault(day_of(event.starts_at, clock), []).append(event)
        for key, night in list(self.nights.items()):
            same = held.get(day_of(night.starts_at, clock), [])
            if night.name:
                same = [one for one in same if fold_text(one.name) == fold_text(night.name)]
            only = [one for one in same if one.is_results_only]
            if only:
                night.name, night.event = only[0].name, only[0]
                night.known = results_of(only[0])
            elif same and night.name:
                words = Message(
                    "{night} is there already, with its hands", night=repr(night.name[:60])
                )
                self._errors[key] = words
                del self.nights[key]

    def _find_begun_league(self) -> None:
        """Use the league that an earlier import of the same table created."""
        held = [night.event for night in self.nights.values() if night.event is not None]
        rows = League.objects.filter(club=self._club, closed_at=None, name=self._title)
        found = rows.filter(sessions__event__in=held).first() if self._makes_league else None
        if found is not None:
            self.league, self._makes_league = found, False

    def _name_nights(self) -> None:
        """Call nights without a name after their league, numbered in the order of their days."""
        held = 0 if self.league is None else LeagueEvent.objects.filter(league=self.league).count()
        new = [night for night in self.nights.values() if night.event is None]
        new.sort(key=lambda night: (night.starts_at, night.column, night.line))
        for number, night in enumerate(new, held + 1):
            stem = self._name_of_league()
            night.name = night.name or f"{stem[: _NAME_MOST - 5]} {number}"

    def _name_of_league(self) -> str:
        return self.league.name if self.league is not None else self._title

    @cached_property
    def _usual_time(self) -> time:
        last = Event.objects.filter(club=self._club).order_by("-starts_at", "-pk").first()
        return _USUAL_TIME if last is None else local(last.starts_at, self._club.time_zone).time()

    def _year(self) -> int | None:
        wanted = self._options.get("year", "")
        if wanted.isdigit() and len(wanted) == 4:
            return int(wanted)
        above = [cell for row in self._table.above for cell in row.cells]
        return find_year([*above, *self._table.header.cells])

    def describe_nights(self, nights: Sequence[PlannedNight]) -> list[RowPlan]:
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

    # Rows

    def plan_player(self, row: ImportRow) -> RowPlan:
        """Plan a row with a player and their results, night by night."""
        results: list[tuple[PlannedNight, int, _Result]] = []
        for column, cell in row.each("night"):
            one = self._read_result(row, cell, column)
            if one is not None and column in self.nights:
                results.append((self.nights[column], column, one))
        row_name = name_in(row)
        if not results and not row.problems:
            words = Message("has no results")
            return leave_out(row, row_name, words)
        person = self._find_person(row, row_name, is_once=True)
        if person is None or row.problems:
            return leave_out(row, row_name)
        self._check_total(row, [one for _night, _column, one in results])
        return self._plan_results(row, person, results)

    def plan_result(self, row: ImportRow) -> RowPlan:
        """Plan a row with a player, a night and the result in it."""
        name, key = name_in(row), self._night_key(row)
        points = row.number("points")
        place = self._read_place(row, row.cell("place"), _column_of(row, "place"))
        games = row.number("games")
        if games is not None and (games.denominator != 1 or not 0 <= games <= 9999):
            row.refuse(Message("{text} is no number of games", text=row.text("games")), "games")
        if points is None and place is None and not row.problems:
            words = Message("has no results")
            return leave_out(row, name, words)
        if points is None and (key in self._with_points or self.unit == PENALTY):
            row.refuse(Message("the points are needed too, not the place alone"), "points")
        if key in self._errors:
            row.refuse(self._errors[key], "day" if "day" in self._table.columns else "event")
        person = self._find_person(row, name, is_once=False)
        if person is None or row.problems:
            return leave_out(row, name)
        column = _column_of(row, "points") or _column_of(row, "place")
        return self._plan_results(
            row, person, [(self.nights[key], column, _Result(points, place, int(games or 0)))]
        )

    def _plan_results(
        self,
        row: ImportRow,
        person: NightPerson,
        results: Sequence[tuple[PlannedNight, int, _Result]],
    ) -> RowPlan:
        """Add the results of a row to their nights; those on record already stay as they are."""
        added = conflicts = 0
        for night, column, one in results:
            points = "" if one.points is None else str(one.points)
            known = night.known.get(person.player) if person.player else None
            if person in night.results:
                words = Message("there is a result of this player in {night}", night=night.name)
                row.refuse(words, column=column)
                conflicts += 1
            elif known is not None and (known.points, known.place) != (points, one.place):
                words = Message(
                    "{night} is there already, with another result; correct it at the desk",
                    night=repr(night.name[:60]),
                )
                row.refuse(words, column=column)
                conflicts += 1
            elif known is not None:
                continue
            else:
                night.results[person] = NewResult(
                    player=person.player or new_id(),
                    points=points,
                    place=one.place,
                    games=one.games,
                )
                added += 1
        if person.doubt:
            row.refuse(person.doubt, "name")
            person.doubt = ""
        action = RowAction.NEW if added else RowAction.KNOWN
        if conflicts and not added:
            action = RowAction.LEFT_OUT
        return RowPlan(
            line=row.line,
            action=action,
            subject=person.name,
            detail=self._describe_results(person, [one for *_night, one in results]),
            problems=tuple(row.problems),
        )

    def _describe_results(self, person: NightPerson, results: Sequence[_Result]) -> str:
        dropped = sum(one.is_dropped for one in results)
        nights = PluralMessage("{count} night", "{count} nights", count=len(results))
        said: Message = nights
        if dropped:
            said = Message("{nights}, {dropped} dropped", nights=nights, dropped=dropped)
        if person.player is None:
            return Message("new as number {number}; {told}", number=person.number or 0, told=said)
        return said

    def _read_result(self, row: ImportRow, cell: Cell, column: int) -> _Result | None:
        """The result in a cell; None: the player was not there, or the cell is wrong."""
        text = cell_text(cell).strip() if isinstance(cell, str) else ""
        is_dropped = False
        if not is_absent(text or "0") and (found := _DROPPED.fullmatch(text)):
            cell, is_dropped = found[1] or found[2] or "", True
        if self.unit == PLACES:
            place = self._read_place(row, cell, column)
            return None if place is None else _Result(None, place, 0, is_dropped)
        points = row.number_in(cell, column)
        return None if points is None else _Result(points, None, 0, is_dropped)

    def _read_place(self, row: ImportRow, cell: Cell, column: int) -> int | None:
        text = cell_text(cell).strip()
        if is_absent(text):
            return None
        found = _PLACE.fullmatch(text)
        if found is None:
            row.refuse(Message("{text} is no place", text=repr(text[:40])), column=column)
            return None
        return int(found[1])

    def _check_total(self, row: ImportRow, results: Sequence[_Result]) -> None:
        """Compare the total that stands in a row with the nights; dropped ones may be in it."""
        kept = [one for one in results if not one.is_dropped]
        counted = row.number("counted")
        if counted is not None and len(kept) == len(results) > counted > 0:
            # The file says how many count: these are the best ones.
            sign = 1 if self.unit in (PENALTY, PLACES) else -1
            order = sorted(kept, key=lambda one: sign * (one.points or one.place or 0))
            kept = order[: int(counted)]
        if len(kept) < len(results):
            self._counted_nights.add(len(kept))
        key = "total" if "total" in self._table.columns else "points"
        if self.unit == PLACES or row.cell(key) == "":
            return
        try:
            total = self._table.parse_number(row.cell(key))
        except MessageError as error:
            row.problems.append(CellRemark(row.line, _column_of(row, key), error.message))
            return
        sums = [
            sum((one.points or Fraction() for one in some), Fraction()) for some in (kept, results)
        ]
        if total is not None and total == sums[0]:
            self._most_kept = max(self._most_kept, len(kept))
        if total is not None and total not in sums:
            words = Message(
                "the nights come to {sum}, not {total}",
                sum=decimal_text(sums[0]),
                total=decimal_text(total),
            )
            row.refuse(words, key)

    # People

    def _find_person(self, row: ImportRow, name: str, *, is_once: bool) -> NightPerson | None:
        """The person in a row; None if that is not clear, and the row says why."""
        written = row.text("number")
        number = read_number(written)
        if not name:
            row.refuse(Message("there is no name"), "name")
            return None
        if number is None and not self._roll.members_named(name):
            name, number = split_number(name)
        key = (fold_whole_name(name), number)
        if key in self._people:
            if is_once:
                row.refuse(Message("this member came before in the table"), "name")
            return self._people[key]
        if number is not None and name == former_name(number):
            row.refuse(Message("this member was erased: there is nobody to bring"), "name")
            return None
        identity = RowIdentity(line=row.line, name=name, number=number)
        try:
            member = self._roll.find(identity)
        except RowError as error:
            row.refuse(message_of(error), error.key)
            return None
        if member is not None:
            member.line = row.line
            person = NightPerson(name, member.player)
        elif self._options.get("new") == LEAVE_OUT:
            row.refuse(self._unknown(name), "name")
            return None
        else:
            alike = self._alike(name)
            person = NightPerson(name, None, self._roll.add(identity))
            if alike:
                person.doubt = Message("is new here; or is it {name}?", name=", ".join(alike))
            self.new_people.append(person)
        self._people[key] = person
        return person

    def _unknown(self, name: str) -> Message:
        if alike := self._alike(name):
            return Message(
                "no member is called {name}; is it {alike}?",
                name=repr(name[:80]),
                alike=", ".join(alike),
            )
        return Message("no member is called {name}", name=repr(name[:80]))

    def _alike(self, name: str) -> list[str]:
        """Members whose names are nearly the same."""
        return [one.name for one in self._roll.members_like(name)[:_LIKE_MOST]]


NIGHT_UNITS: Final[Mapping[str, Mapping[str, Any]]] = {
    POINTS: {},
    CHIPS: {"method": "chips"},
    PENALTY: {"method": "points"},
    PLACES: {},
}
"""The choices of what the cells of nights hold, each with the scoring of its events."""


def _column_of(row: ImportRow, key: str) -> int:
    return next((column for column, _cell in row.each(key)), 0)


def _first_day(options: Mapping[str, str]) -> date | None:
    """The day of the first night, as somebody says it. Raises RefusedError."""
    wanted = options.get("first", "").strip()
    if not wanted:
        return None
    try:
        return parse_day(wanted)
    except MessageError as error:
        raise RefusedError(error.message, "first") from error


def _chosen_rule_set(club: Club, options: Mapping[str, str]) -> str:
    """The house rules that somebody chose, or those of the last night. Raises RefusedError."""
    wanted = options.get("rule_set", "")
    if wanted.removeprefix(PRESET_PREFIX) in PRESETS and wanted.startswith(PRESET_PREFIX):
        return wanted
    rows = RuleSet.objects.filter(club=club, retired_at=None)
    if wanted:
        if not rows.filter(pk=parse_id(wanted)).exists():
            raise RefusedError(Message("The club has no such house rules."), "rule_set")
        return wanted
    last = rows.order_by("-events__starts_at", "-created_at", "pk").first()
    if last is None:
        raise RefusedError(Message("Say by which house rules the nights were played."), "rule_set")
    return str(last.pk)
