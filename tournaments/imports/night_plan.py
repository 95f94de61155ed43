"""Plans of imports of past nights: which events a table stands for, whose results are in it.

The players are rows and the nights columns, or there is a row for each player and night.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from fractions import Fraction
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from engine.core.messages import Message, MessageError, PluralMessage, message_of
from engine.core.player_names import name_key
from engine.rules.presets import PRESETS
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id, parse_id
from tournaments.core.name_folding import fold_text
from tournaments.core.time_zones import day as day_of
from tournaments.core.time_zones import instant, local, zone
from tournaments.events.leagues import season_of
from tournaments.events.recorded_results import NewResult, results_of
from tournaments.imports.dates import parse_day
from tournaments.imports.fields import fold_heading
from tournaments.imports.names import name_in, read_number, split_number
from tournaments.imports.night_days import (
    NightDay,
    SeasonYears,
    complete_days,
    day_of_moment,
    find_years,
    is_night,
    read_night,
)
from tournaments.imports.night_units import (
    NIGHT_UNITS,
    PENALTY,
    PLACES,
    POINTS,
    UNIT_TITLES,
    are_places,
    guess_unit,
)
from tournaments.imports.numbers import is_absent
from tournaments.imports.openings import league_of
from tournaments.imports.plan import (
    ImportPlan,
    RowAction,
    RowPlan,
    leave_out,
)
from tournaments.imports.planned_nights import (
    NightPerson,
    NightsPlan,
    PlannedAdjustment,
    PlannedNight,
    StatedPlace,
    StatedStanding,
)
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity
from tournaments.imports.season_counting import (
    MarkedResults,
    SeasonCounting,
    SeasonRule,
    decide_counting,
)
from tournaments.imports.season_reader import PLACE, SeasonReader, split_mark
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import (
    Adjustment,
    Club,
    Event,
    League,
    LeagueEvent,
    LeagueMember,
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
_USUAL_TIME: Final = time(19, 30)
_REASON_MAX: Final = max_length(Adjustment, "reason")
_NAME_MAX: Final = max_length(Event, "name")


@dataclass(frozen=True, slots=True)
class _Result:
    """The result in a cell: points or a place, and whether it was dropped from the total."""

    points: Fraction | None
    place: int | None
    games: int
    is_dropped: bool = False


_RowAdjustment = tuple[int, str, Fraction]
"""A penalty or a bonus: its column, its reason, and what is added to the points."""


def suggest_options(club: Club, table: ImportTable) -> dict[str, str]:
    """Suggest options by what the first rows and the club make clear."""
    planner = _Planner(club, table, {"rule_set": f"{PRESET_PREFIX}{next(iter(PRESETS))}"})
    return planner.suggest([ImportRow(row.line, row.cells, table, []) for row in table.first])


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
        planner.prepare(found)
        plans = [planner.plan_player(row) for row in found]
    else:
        planner.read_night_column(found)
        planner.prepare(found)
        plans = [planner.plan_result(row) for row in found]
    every_night = sorted(
        planner.nights.values(), key=lambda night: (night.starts_at, night.column, night.line)
    )
    nights = [night for night in every_night if night.results]
    with_results = {person for night in nights for person in night.results}
    plan = NightsPlan(
        nights=nights,
        known_nights=[night for night in every_night if night.known and not night.results],
        people=[person for person in planner.new_people if person in with_results],
        kind=options.get("new") or PlayerKind.GUEST,
        league=planner.league,
        new_league=planner.new_league(),
        rule_set=planner.rule_set,
        scoring=NIGHT_UNITS[planner.unit],
        adjustments=planner.adjustments,
        divisions=planner.divisions,
        openings=planner.openings,
        stated=planner.stated,
        stated_places=planner.stated_places,
    )
    return ImportPlan(
        rows=[*planner.describe_nights(nights), *plans],
        value=plan,
        newcomers=[person.name for person in plan.people],
        new_nights=sum(night.event is None for night in nights),
        new_leagues=int(plan.new_league is not None),
        remarks=planner.find_remarks(),
        understood=planner.describe_counting(),
    )


class _Planner:
    """Reads the rows of one table into nights and results."""

    def __init__(self, club: Club, table: ImportTable, options: Mapping[str, str]) -> None:
        self._club = club
        self._table = table
        self._options = options
        self._clock: tzinfo = zone(club.time_zone)
        self._roll = MemberRoll(club.pk, table.people)
        self._people: dict[tuple[str, int | None], NightPerson] = {}
        self._reader = SeasonReader(table)
        self._counting = SeasonCounting()
        self._marks: list[str] = []
        self._place_columns: dict[int, int] = {}
        """The column with the places of a night, by that of its points."""
        self._implies_totals = False
        self._names_of_divisions: list[str] = []
        self.adjustments: list[PlannedAdjustment] = []
        self.divisions: dict[UUID, int] = {}
        self.openings: dict[UUID, Fraction] = {}
        self.stated: list[StatedStanding] = []
        self.stated_places: list[StatedPlace] = []
        self._with_points: set[object] = set()
        """The nights in which somebody has points."""
        self.nights: dict[object, PlannedNight] = {}
        self._errors: dict[object, str] = {}
        self.new_people: list[NightPerson] = []
        self.unit = options.get("counts") or POINTS
        self._is_unit_chosen = bool(options.get("counts"))
        wanted = options.get("league") or NEW_LEAGUE
        is_known = wanted not in (NEW_LEAGUE, NO_LEAGUE)
        self.league = league_of(club, options) if is_known else None
        self._makes_league = wanted == NEW_LEAGUE
        self.rule_set = _chosen_rule_set(club, options)
        self._title = self._find_title()

    def suggest(self, rows: Sequence[ImportRow]) -> dict[str, str]:
        """Options that are clear, such as what the nights hold; empty where they are not.

        Where all are known nobody is new; should there be somebody further down, they are left out
        with a word.
        """
        texts = [
            fold_heading(cell)
            for row in (*self._table.above, self._table.header)
            for cell in row.cells
        ]
        rows = [row for row in rows if not row.is_total]
        known = League.objects.filter(club=self._club, closed_at=None)
        same = known.filter(name=self._title).first()
        league = NEW_LEAGUE if not known.exists() else ""
        return {
            "counts": guess_unit([*map(self._reader.stated_row, rows)], texts),
            "league": league if same is None else str(same.pk),
            "new": LEAVE_OUT if all(self._is_known(row) for row in rows) else "",
        }

    def _is_known(self, row: ImportRow) -> bool:
        name = name_in(row)
        return not name or bool(
            self._roll.members_named(name) or self._roll.members_named(split_number(name)[0])
        )

    def new_league(self) -> dict[str, Any] | None:
        """The league that the nights begin, counted as the table counts them."""
        if not self._makes_league:
            return None
        season = self._counting.rule.as_season()
        if self.unit == PENALTY:
            season["lowest_wins"] = "on"
        if self._names_of_divisions:
            season["divisions"] = self._names_of_divisions
        return {"name": self._title, "season": season}

    def _find_title(self) -> str:
        """Return the title above the table, or the name of a new league without a title."""
        rows = [[cell for cell in row.cells if cell != ""] for row in self._table.above]
        # A row with more than a title in it is one of days or of labels.
        titles = [row for row in rows if row and not (len(row) > 1 and any(map(is_night, row)))]
        above = (cell_text(row[0]) for row in sorted(titles, key=lambda row: len(row) > 1))
        found = next((text for text in above if not text.isdigit()), "")
        return found[:_NAME_MAX] or "Season"

    # Nights

    def read_headings(self) -> None:
        """Read the nights from the headings of their columns, and from the row above those."""
        columns = self._table.columns["night"]
        written = {column: self._read_heading(column) for column in columns}
        by_night = {night: column for column, night in written.items()}
        for column in self._table.columns.get("night_place", ()):
            night = by_night.get(self._read_heading(column))
            if night is None:
                self._errors[column] = Message("no column has the points of this night")
            else:
                self._place_columns[night] = column
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
        night: Mapping[str, Cell] = {"day": "", "event": ""}
        for row in rows:
            own = {key: row.cell(key) for key in night}
            if own["day"] == "" and own["event"] in ("", night["event"]):
                # A block of rows names its day and its night once.
                for name, cell in night.items():
                    row.fill(name, cell)
            else:
                night = own
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
            list(written.values()), years=self._years(), first=_first_day(self._options)
        )
        for key, one in zip(written, found, strict=True):
            if one.error or one.day is None:
                self._errors[key] = one.error or Message("there is no day")
                continue
            day = day_of_moment(one.day)
            if self._table.today and day > self._table.today:
                self._errors[key] = Message("{day} is still to come", day=str(day))
                continue
            try:
                # By the clock on the wall: as it says, else at the usual time.
                day = one.day
                if not isinstance(day, datetime):
                    day = datetime.combine(day, self._usual_time)
                starts_at = day.astimezone(UTC) if day.tzinfo else instant(day, self._clock)
            except RefusedError as error:
                self._errors[key] = error.message
                continue
            line, column = places[key]
            self.nights[key] = PlannedNight(one.name[:_NAME_MAX], starts_at, line, column)
        self._match_events()
        self._find_begun_league()
        self._name_nights()

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
                night.name, night.event, night.id = only[0].name, only[0], only[0].pk
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
            stem = self.league.name if self.league is not None else self._title
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
            one, beside = self._read_result(row, cell, column), self._place_columns.get(column, 0)
            place = None
            if 0 < beside <= len(row.cells):
                place = self._read_place(row, row.cells[beside - 1], beside)
            if one is None and place is not None and not row.problems:
                words = Message("the points are needed too, not the place alone")
                row.refuse(words, column=beside)
            if one is not None and column in self.nights:
                if beside:
                    one = replace(one, place=place)
                results.append((self.nights[column], column, one))
        row_name = name_in(row)
        if not results and not row.problems:
            if self._read_adjustments(row):
                row.refuse(Message("has a penalty or a bonus, but no results"))
            return leave_out(row, row_name, Message("has no results"))
        given, division = self._read_adjustments(row), self._read_division(row)
        person = self._find_person(row, row_name, is_once=True)
        if person is None or row.problems:
            return leave_out(row, row_name)
        if division is not None:
            self.divisions[person.id] = division
        added = self._plan_opening(row, person, results, given)
        self._note_stated(row, person, [one for _night, _column, one in results])
        return self._plan_results(row, person, results, added)

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
        given, division = self._read_adjustments(row), self._read_division(row)
        person = self._find_person(row, name, is_once=False)
        if person is None or row.problems:
            return leave_out(row, name)
        column = _column_of(row, "points") or _column_of(row, "place")
        night = self.nights[key]
        if division is not None:
            self.divisions[person.id] = division
        added = self._plan_adjustments(row, person, night, given)
        return self._plan_results(
            row, person, [(night, column, _Result(points, place, int(games or 0)))], added
        )

    def _plan_results(
        self,
        row: ImportRow,
        person: NightPerson,
        results: Sequence[tuple[PlannedNight, int, _Result]],
        adjustments: int,
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
                    player=person.id,
                    points=points,
                    place=one.place,
                    games=one.games,
                )
                added += 1
                if one.points is not None and one.place is not None:
                    place_column = self._place_columns.get(column) or _column_of(row, "place")
                    self.stated_places.append(StatedPlace(row.line, place_column, night, person))
        action = RowAction.NEW if added else RowAction.KNOWN
        if adjustments and not added:
            action = RowAction.CHANGED
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
        dropped = sum(result.is_dropped for result in results)
        nights = PluralMessage("{count} night", "{count} nights", count=len(results))
        said: Message = nights
        if dropped:
            said = Message("{nights}, {dropped} dropped", nights=nights, dropped=dropped)
        if person.player is None:
            return Message("new as number {number}; {told}", number=person.number or 0, told=said)
        return said

    def _read_result(self, row: ImportRow, cell: Cell, column: int) -> _Result | None:
        """The result in a cell; None: the player was not there, or the cell is wrong."""
        plain, mark = split_mark(cell)
        marked = self._counting.marked
        is_dropped = bool(mark) and marked is MarkedResults.DROPPED
        if self.unit == PLACES:
            place = self._read_place(row, plain, column)
            return None if place is None else _Result(None, place, 0, is_dropped)
        points = row.number_in(plain, column)
        if points is not None and marked is MarkedResults.NEGATIVE and mark.startswith(("(", "[")):
            points = -points
        return None if points is None else _Result(points, None, 0, is_dropped)

    def _read_place(self, row: ImportRow, cell: Cell, column: int) -> int | None:
        text = cell_text(cell).strip()
        try:
            if self._table.is_absent(text):
                return None
        except MessageError as error:
            row.refuse(message_of(error), column=column)
            return None
        match = PLACE.fullmatch(text)
        if match is None:
            row.refuse(Message("{text} is no place", text=repr(text[:40])), column=column)
            return None
        return int(match[1])

    # What counts

    def prepare(self, rows: Sequence[ImportRow]) -> None:
        """Decide what counts and which divisions there are; ask where the table leaves it open."""
        table = self._table
        self._read_divisions(rows)
        self._marks = self._reader.marks(rows)
        cells = [cell for row in table.above for cell in row.cells]
        texts = [fold_heading(cell) for cell in (*cells, *table.header.cells)]
        if not self._is_unit_chosen:
            unit = guess_unit([*map(self._reader.stated_row, rows)], texts)
            if not unit and are_places(self._reader.values_of_nights(rows, self._night_key)):
                words = Message("The nights look like places. Say what stands in them.")
                raise RefusedError(words, "counts")
            self.unit = unit or POINTS
        self._reader.unit = self.unit
        found = [self._reader.season_row(row) for row in rows]
        self._counting = decide_counting(
            found,
            is_low=self.unit in (PENALTY, PLACES),
            texts=texts,
            answers=table.answers,
            rule=self._rule_of_league(),
        )
        self._implies_totals = (
            bool(self._marks)
            and self._counting.marked is MarkedResults.DROPPED
            and "marked" not in self._counting.asked
            and all(one.total is None for one in found)
        )
        if table.questions:
            return  # numbers and dates first: the totals depend on them
        examples: dict[str, Sequence[Cell]] = {
            "marked": self._marks,
            "penalties": [cell for row in rows for _at, cell in row.each("penalty")],
            "counting": self._reader.describe_totals(rows, found, self._counting),
        }
        for key, answers in self._counting.asked.items():
            table.ask(key, "", answers)
            for example in examples[key]:
                table.ask(key, example)

    def _rule_of_league(self) -> SeasonRule | None:
        """Return the rule of the league that there is; None for a new one."""
        if self._makes_league:
            return None
        return SeasonRule() if self.league is None else SeasonRule.of(season_of(self.league))

    def describe_counting(self) -> list[Message]:
        """Sentences about what counts, to be confirmed before the table is brought in."""
        counting, sentences = self._counting, list[Message]()
        if not self._is_unit_chosen:
            unit = UNIT_TITLES[self.unit]
            sentences.append(Message("The nights hold {unit}.", unit=unit))
        if self._marks and not {"marked", "counting"} & counting.asked.keys():
            marked = counting.marked
            has_league = self._makes_league or self.league is not None
            if marked is MarkedResults.DROPPED and has_league and counting.rule == SeasonRule():
                marked = MarkedResults.COUNTED  # they are dropped in the file, not in the league
            sentences.append(_SENTENCES_ON_MARKS[marked](self._marks[0]))
        if self._makes_league and not counting.asked:
            rule, nights = counting.rule, len(self.nights)
            is_best = rule.best and rule.best < nights
            best = Message(
                "The best {count} of {nights} nights count.", count=rule.best, nights=nights
            )
            sentences.append(best if is_best else rule.sentence)
        if counting.stated and not counting.asked:
            sentences.append(
                PluralMessage(
                    "{agreeing} of {count} total in the file agrees with that.",
                    "{agreeing} of {count} totals in the file agree with that.",
                    count=counting.stated,
                    agreeing=counting.agreeing,
                )
            )
        if self.adjustments:
            first = self.adjustments[0]
            example = f"{first.person.name}: {first.reason} {decimal_text(first.amount)}"
            sentences.append(
                PluralMessage(
                    "{count} penalty or bonus changes the points: {example}.",
                    "{count} penalties and bonuses change the points, such as {example}.",
                    count=len(self.adjustments),
                    example=example,
                )
            )
        if self.openings:
            sentences.append(
                PluralMessage(
                    "{count} penalty counts from the start of the league: a night with it would be "
                    "dropped.",
                    "{count} penalties count from the start of the league: nights with them would "
                    "be dropped.",
                    count=len(self.openings),
                )
            )
        if self._names_of_divisions:
            names = ", ".join(self._names_of_divisions)
            sentences.append(Message("The divisions are {names}, the highest first.", names=names))
        return sentences

    def _note_stated(self, row: ImportRow, person: NightPerson, results: Sequence[_Result]) -> None:
        """Remember what the file says of somebody, to be compared with what it comes to."""
        stated = StatedStanding(line=row.line, person=person.id)
        given = [
            adjustment.amount for adjustment in self.adjustments if adjustment.person is person
        ]
        given.append(self.openings.get(person.id, Fraction()))
        sums = [
            sum((one.points or Fraction() for one in some), sum(given, Fraction()))
            for some in ([result for result in results if not result.is_dropped], results)
        ]
        stated.possible_totals = sums
        try:
            if self.unit != PLACES and row.cell(self._reader.total_key) != "":
                stated.total = self._table.parse_number(row.cell(self._reader.total_key))
                stated.total_column = _column_of(row, self._reader.total_key)
            elif self._implies_totals:
                stated.total = sums[0]
        except MessageError as error:
            column = _column_of(row, self._reader.total_key)
            row.problems.append(CellRemark(row.line, column, error.message))
        stated.place = self._read_place(row, row.cell("place"), _column_of(row, "place"))
        stated.place_column = _column_of(row, "place")
        self.stated.append(stated)

    def _plan_adjustments(
        self,
        row: ImportRow,
        person: NightPerson,
        night: PlannedNight,
        given: Sequence[_RowAdjustment],
    ) -> int:
        """Plan the penalties and bonuses of a row in one of its nights; return how many are new."""
        added = 0
        for column, reason, amount in given:
            known = self._known_adjustments.get((person.id, reason))
            if known is None:
                self.adjustments.append(
                    PlannedAdjustment(night=night, person=person, amount=amount, reason=reason)
                )
                added += 1
            elif known != amount:
                words = Message(
                    "{reason} is there already, with another number; correct it at the desk",
                    reason=repr(reason[:60]),
                )
                row.refuse(words, column=column)
        return added

    def _plan_opening(
        self,
        row: ImportRow,
        person: NightPerson,
        results: Sequence[tuple[PlannedNight, int, _Result]],
        given: Sequence[_RowAdjustment],
    ) -> int:
        """Plan the penalties and bonuses of a season, in a night that counts in any case.

        Where its night would be dropped for it, a penalty counts from the start of the league.
        """
        amount = sum((one[2] for one in given), Fraction())
        sign = -1 if self.unit in (PENALTY, PLACES) else 1
        values = sorted((sign * (one.points or Fraction()) for *_at, one in results), reverse=True)
        kept = self._counting.rule.count_kept(len(values))
        if amount and kept < len(values) and values[0] + sign * amount < values[kept]:
            known = self._openings_of_league.get(person.id)
            if known is None:
                self.openings[person.id] = amount
            if known in (None, amount):
                return int(known is None)
        return self._plan_adjustments(row, person, self._night_for_adjustments(results), given)

    @cached_property
    def _openings_of_league(self) -> dict[UUID, Fraction]:
        rows = LeagueMember.objects.filter(league=self.league) if self.league else ()
        return {row.player_id: Fraction(row.opening or 0) for row in rows}

    def _read_adjustments(self, row: ImportRow) -> list[_RowAdjustment]:
        """The penalties and bonuses of a row, as they are added to the points."""
        found = []
        for key, factor in (("penalty", self._counting.sign.factor), ("bonus", 1)):
            for column, cell in row.each(key):
                amount = row.number_in(cell, column)
                if amount:
                    reason = cell_text(self._table.heading(column)).strip()[:_REASON_MAX]
                    found.append((column, reason or str(_USUAL_REASONS[key]), amount * factor))
        return found

    @cached_property
    def _known_adjustments(self) -> dict[tuple[UUID, str], Fraction]:
        """Penalties and bonuses on record in the nights of the table."""
        events = [night.event.pk for night in self.nights.values() if night.event is not None]
        rows = Adjustment.objects.filter(entry__event__in=events, cancelled_at=None)
        return {
            (player, reason): Fraction(amount)
            for player, reason, amount in rows.values_list("entry__player_id", "reason", "amount")
        }

    def _night_for_adjustments(
        self, results: Sequence[tuple[PlannedNight, int, _Result]]
    ) -> PlannedNight:
        """The night whose points a penalty of the season changes: one that counts in any case."""
        if self._counting.rule.count_kept(len(results)) == len(results):
            return max((night for night, *_rest in results), key=lambda night: night.starts_at)
        sign = -1 if self.unit in (PENALTY, PLACES) else 1
        return max(results, key=lambda one: sign * (one[2].points or one[2].place or 0))[0]

    # Divisions

    def _read_divisions(self, rows: Sequence[ImportRow]) -> None:
        """Read the divisions that the table has, the highest first."""
        names = list(
            dict.fromkeys(row.text("division").strip() for row in rows if not row.is_total)
        )
        names = [name for name in names if name]
        if self.league is not None:
            self._names_of_divisions = list(season_of(self.league).divisions)
        elif len(names) > 1:
            keys = {name: re.findall(r"[0-9]+", name) for name in names}
            if all(keys.values()):
                names.sort(key=lambda name: int(keys[name][0]))
            elif all(len(name) == 1 for name in names):
                names.sort()
            self._names_of_divisions = names

    def _read_division(self, row: ImportRow) -> int | None:
        """The number of the division of a row; None where the table has none."""
        names = self._names_of_divisions
        text = row.text("division").strip()
        if not names or "division" not in self._table.columns:
            return None
        if text in names:
            return names.index(text) + 1
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(names):
            return int(text)
        row.refuse(
            Message("{text} is no division; there are {names}", text=repr(text[:40]),
                    names=", ".join(names)),
            "division",
        )  # fmt: skip
        return None

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
        key = (name_key(name), number)
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
            error.note_in(row)
            return None
        if member is not None:
            member.line = row.line
            person = NightPerson(name, member.player, id=member.player or new_id())
        elif self._options.get("new") == LEAVE_OUT:
            row.refuse(Message("no member is called {name}", name=repr(name[:80])), "name")
            return None
        else:
            person = NightPerson(name, None, self._roll.add(identity))
            self.new_people.append(person)
        self._people[key] = person
        return person


_SENTENCES_ON_MARKS: Final[Mapping[MarkedResults, Callable[[str], Message]]] = {
    MarkedResults.DROPPED: lambda mark: Message(
        "Results such as {mark} do not count in the total.", mark=mark
    ),
    MarkedResults.NEGATIVE: lambda mark: Message("Results such as {mark} are negative.", mark=mark),
    MarkedResults.COUNTED: lambda mark: Message(
        "Results such as {mark} count like the others.", mark=mark
    ),
}
_USUAL_REASONS: Final = {"penalty": Message("penalty"), "bonus": Message("bonus")}


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
