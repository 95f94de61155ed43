"""Plans of imports of past nights: whose results are in a table, and what counts.

`season_nights` finds the nights of the table, `season_adjustments` its penalties and bonuses.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from engine.core.messages import Message, MessageError, PluralMessage, message_of
from engine.core.player_names import name_key
from engine.rules.presets import PRESETS
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id, parse_id
from tournaments.events.leagues import season_of
from tournaments.events.recorded_results import NewResult
from tournaments.imports.fields import fold_heading
from tournaments.imports.names import name_in, read_number, split_number
from tournaments.imports.night_units import (
    NIGHT_UNITS,
    PENALTY,
    PLACES,
    POINTS,
    UNIT_TITLES,
    are_places,
    guess_unit,
)
from tournaments.imports.plan import (
    ImportPlan,
    RowAction,
    RowPlan,
    leave_out,
)
from tournaments.imports.planned_nights import (
    CellResult,
    NightPerson,
    NightsPlan,
    PlannedNight,
    StatedPlace,
    StatedStanding,
)
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity
from tournaments.imports.season_adjustments import SeasonAdjustments
from tournaments.imports.season_counting import (
    MarkedResults,
    SeasonCounting,
    SeasonRule,
    decide_counting,
)
from tournaments.imports.season_nights import NEW_LEAGUE, SeasonNights
from tournaments.imports.season_reader import PLACE, SeasonReader, split_mark
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import (
    Club,
    League,
    PlayerKind,
    RuleSet,
)
from tournaments.selectors import former_name
from tournaments.tables.cells import decimal_text
from tournaments.tables.input_model import Cell, CellRemark, cell_text

PRESET_PREFIX: Final = "preset:"
LEAVE_OUT: Final = "none"
"""The choice, instead of a kind of player, to leave out the rows of unknown players."""


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
        planner.nights.read_headings()
        planner.prepare(found)
        plans = [planner.plan_player(row) for row in found]
    else:
        planner.nights.read_rows(found)
        planner.prepare(found)
        plans = [planner.plan_result(row) for row in found]
    every_night = sorted(
        planner.nights.found.values(), key=lambda night: (night.starts_at, night.column, night.line)
    )
    nights = [night for night in every_night if night.results]
    with_results = {person for night in nights for person in night.results}
    plan = NightsPlan(
        nights=nights,
        known_nights=[night for night in every_night if night.known and not night.results],
        people=[person for person in planner.new_people if person in with_results],
        kind=options.get("new") or PlayerKind.GUEST,
        league=planner.nights.league,
        new_league=planner.new_league(),
        rule_set=planner.rule_set,
        scoring=NIGHT_UNITS[planner.unit],
        adjustments=planner.adjustments.planned,
        divisions=planner.divisions,
        openings=planner.adjustments.openings,
        stated=planner.stated,
        stated_places=planner.stated_places,
    )
    return ImportPlan(
        rows=[*planner.nights.describe(nights), *plans],
        value=plan,
        newcomers=[person.name for person in plan.people],
        new_nights=sum(night.event is None for night in nights),
        new_leagues=int(plan.new_league is not None),
        remarks=planner.nights.find_remarks(),
        understood=planner.describe_counting(),
    )


class _Planner:
    """Reads the rows of one table into nights and results."""

    def __init__(self, club: Club, table: ImportTable, options: Mapping[str, str]) -> None:
        self._club = club
        self._table = table
        self._options = options
        self._roll = MemberRoll(club.pk, table.people)
        self._people: dict[tuple[str, int | None], NightPerson] = {}
        self._reader = SeasonReader(table)
        self._counting = SeasonCounting()
        self._marks: list[str] = []
        self._implies_totals = False
        self._names_of_divisions: list[str] = []
        self.nights = SeasonNights(club, table, options)
        self.adjustments = SeasonAdjustments(table, self.nights)
        self.divisions: dict[UUID, int] = {}
        self.stated: list[StatedStanding] = []
        self.stated_places: list[StatedPlace] = []
        self.new_people: list[NightPerson] = []
        self.unit = options.get("counts") or POINTS
        self._is_unit_chosen = bool(options.get("counts"))
        self.rule_set = _chosen_rule_set(club, options)

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
        same = known.filter(name=self.nights.title).first()
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
        if not self.nights.makes_league:
            return None
        season = self._counting.rule.as_season()
        if self.unit == PENALTY:
            season["lowest_wins"] = "on"
        if self._names_of_divisions:
            season["divisions"] = self._names_of_divisions
        return {"name": self.nights.title, "season": season}

    # Rows

    def plan_player(self, row: ImportRow) -> RowPlan:
        """Plan a row with a player and their results, night by night."""
        results: list[tuple[PlannedNight, int, CellResult]] = []
        for column, cell in row.each("night"):
            one, beside = (
                self._read_result(row, cell, column),
                self.nights.place_columns.get(column, 0),
            )
            place = None
            if 0 < beside <= len(row.cells):
                place = self._read_place(row, row.cells[beside - 1], beside)
            if one is None and place is not None and not row.problems:
                words = Message("the points are needed too, not the place alone")
                row.refuse(words, column=beside)
            if one is not None and column in self.nights.found:
                if beside:
                    one = replace(one, place=place)
                results.append((self.nights.found[column], column, one))
        row_name = name_in(row)
        if not results and not row.problems:
            if self.adjustments.read(row):
                row.refuse(Message("has a penalty or a bonus, but no results"))
            return leave_out(row, row_name, Message("has no results"))
        given, division = self.adjustments.read(row), self._read_division(row)
        person = self._find_person(row, row_name, is_once=True)
        if person is None or row.problems:
            return leave_out(row, row_name)
        if division is not None:
            self.divisions[person.id] = division
        added = self.adjustments.plan_season(row, person, results, given)
        self._note_stated(row, person, [one for _night, _column, one in results])
        return self._plan_results(row, person, results, added)

    def plan_result(self, row: ImportRow) -> RowPlan:
        """Plan a row with a player, a night and the result in it."""
        name, key = name_in(row), self.nights.key_of(row)
        points = row.number("points")
        place = self._read_place(row, row.cell("place"), _column_of(row, "place"))
        games = row.number("games")
        if games is not None and (games.denominator != 1 or not 0 <= games <= 9999):
            row.refuse(Message("{text} is no number of games", text=row.text("games")), "games")
        if points is None and place is None and not row.problems:
            words = Message("has no results")
            return leave_out(row, name, words)
        if points is None and (key in self.nights.with_points or self.unit == PENALTY):
            row.refuse(Message("the points are needed too, not the place alone"), "points")
        if key in self.nights.errors:
            row.refuse(self.nights.errors[key], "day" if "day" in self._table.columns else "event")
        given, division = self.adjustments.read(row), self._read_division(row)
        person = self._find_person(row, name, is_once=False)
        if person is None or row.problems:
            return leave_out(row, name)
        column = _column_of(row, "points") or _column_of(row, "place")
        night = self.nights.found[key]
        if division is not None:
            self.divisions[person.id] = division
        added = self.adjustments.plan(row, person, night, given)
        return self._plan_results(
            row, person, [(night, column, CellResult(points, place, int(games or 0)))], added
        )

    def _plan_results(
        self,
        row: ImportRow,
        person: NightPerson,
        results: Sequence[tuple[PlannedNight, int, CellResult]],
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
                    place_column = self.nights.place_columns.get(column) or _column_of(row, "place")
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

    def _describe_results(self, person: NightPerson, results: Sequence[CellResult]) -> str:
        dropped = sum(result.is_dropped for result in results)
        nights = PluralMessage("{count} night", "{count} nights", count=len(results))
        said: Message = nights
        if dropped:
            said = Message("{nights}, {dropped} dropped", nights=nights, dropped=dropped)
        if person.player is None:
            return Message("new as number {number}; {told}", number=person.number or 0, told=said)
        return said

    def _read_result(self, row: ImportRow, cell: Cell, column: int) -> CellResult | None:
        """The result in a cell; None: the player was not there, or the cell is wrong."""
        plain, mark = split_mark(cell)
        marked = self._counting.marked
        is_dropped = bool(mark) and marked is MarkedResults.DROPPED
        if self.unit == PLACES:
            place = self._read_place(row, plain, column)
            return None if place is None else CellResult(None, place, 0, is_dropped)
        points = row.number_in(plain, column)
        if points is not None and marked is MarkedResults.NEGATIVE and mark.startswith(("(", "[")):
            points = -points
        return None if points is None else CellResult(points, None, 0, is_dropped)

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
            if not unit and are_places(self._reader.values_of_nights(rows, self.nights.key_of)):
                words = Message("The nights look like places. Say what stands in them.")
                raise RefusedError(words, "counts")
            self.unit = unit or POINTS
        self._reader.unit = self.unit
        is_low = self.adjustments.is_low = self.unit in (PENALTY, PLACES)
        found = [self._reader.season_row(row) for row in rows]
        self._counting = decide_counting(
            found,
            is_low=is_low,
            texts=texts,
            answers=table.answers,
            rule=self._rule_of_league(),
        )
        self.adjustments.counting = self._counting
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
        if self.nights.makes_league:
            return None
        return (
            SeasonRule()
            if self.nights.league is None
            else SeasonRule.of(season_of(self.nights.league))
        )

    def describe_counting(self) -> list[Message]:
        """Sentences about what counts, to be confirmed before the table is brought in."""
        counting, sentences = self._counting, list[Message]()
        if not self._is_unit_chosen:
            unit = UNIT_TITLES[self.unit]
            sentences.append(Message("The nights hold {unit}.", unit=unit))
        if self._marks and not {"marked", "counting"} & counting.asked.keys():
            marked = counting.marked
            has_league = self.nights.makes_league or self.nights.league is not None
            if marked is MarkedResults.DROPPED and has_league and counting.rule == SeasonRule():
                marked = MarkedResults.COUNTED  # they are dropped in the file, not in the league
            sentences.append(_SENTENCES_ON_MARKS[marked](self._marks[0]))
        if self.nights.makes_league and not counting.asked:
            rule, nights = counting.rule, len(self.nights.found)
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
        if self.adjustments.planned:
            first = self.adjustments.planned[0]
            example = f"{first.person.name}: {first.reason} {decimal_text(first.amount)}"
            sentences.append(
                PluralMessage(
                    "{count} penalty or bonus changes the points: {example}.",
                    "{count} penalties and bonuses change the points, such as {example}.",
                    count=len(self.adjustments.planned),
                    example=example,
                )
            )
        if self.adjustments.openings:
            sentences.append(
                PluralMessage(
                    "{count} penalty counts from the start of the league: a night with it would be "
                    "dropped.",
                    "{count} penalties count from the start of the league: nights with them would "
                    "be dropped.",
                    count=len(self.adjustments.openings),
                )
            )
        if self._names_of_divisions:
            names = ", ".join(self._names_of_divisions)
            sentences.append(Message("The divisions are {names}, the highest first.", names=names))
        return sentences

    def _note_stated(
        self, row: ImportRow, person: NightPerson, results: Sequence[CellResult]
    ) -> None:
        """Remember what the file says of somebody, to be compared with what it comes to."""
        stated = StatedStanding(line=row.line, person=person.id)
        given = [
            adjustment.amount
            for adjustment in self.adjustments.planned
            if adjustment.person is person
        ]
        given.append(self.adjustments.openings.get(person.id, Fraction()))
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

    # Divisions

    def _read_divisions(self, rows: Sequence[ImportRow]) -> None:
        """Read the divisions that the table has, the highest first."""
        names = list(
            dict.fromkeys(row.text("division").strip() for row in rows if not row.is_total)
        )
        names = [name for name in names if name]
        if self.nights.league is not None:
            self._names_of_divisions = list(season_of(self.nights.league).divisions)
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


def _column_of(row: ImportRow, key: str) -> int:
    return next((column for column, _cell in row.each(key)), 0)


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
