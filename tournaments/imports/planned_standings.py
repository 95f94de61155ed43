"""The standings of a league as an import will make them, beside the totals that a file states."""

from fractions import Fraction
from typing import TypedDict

from tournaments.core.time_zones import day as day_of
from tournaments.imports.numbers import is_close
from tournaments.imports.planned_nights import NightsPlan
from tournaments.models import Club
from tournaments.standings.season_ranking import SeasonRanking
from tournaments.tables.cells import decimal_text


class PlannedResultOut(TypedDict):
    """The points of somebody in a night, and whether they count in the total."""

    points: str
    is_counted: bool


class PlannedStandingOut(TypedDict):
    """A row of the league: ``place`` as it is shown, ``=2`` if shared.

    ``results`` has an item for each night, None where they were absent. ``adjustment``: penalties
    and bonuses, empty if there are none. ``agrees``: whether the file states this total and this
    place; None where it states neither.
    """

    place: str
    name: str
    is_new: bool
    division: str
    results: list[PlannedResultOut | None]
    adjustment: str
    total: str
    agrees: bool | None


class PlannedStandings(TypedDict):
    """A league with the days of its nights, and its members in their order."""

    nights: list[str]
    rows: list[PlannedStandingOut]


def plan_standings(club: Club, plan: NightsPlan, ranking: SeasonRanking) -> PlannedStandings:
    """Describe the league of a table of nights as its ``ranking`` will have it."""
    nights = sorted([*plan.nights, *plan.known_nights], key=lambda night: night.starts_at)
    people = {str(person.id): person for night in nights for person in night.results}
    stated = {str(standing.person): standing for standing in plan.stated}
    given: dict[tuple[str, str], Fraction] = {}
    for one in plan.adjustments:
        key = (str(one.person.id), str(one.night.id))
        given[key] = given.get(key, Fraction()) + one.amount
    rows = list[PlannedStandingOut]()
    for row in ranking.rows:
        person, own = people.get(row.entry), stated.get(row.entry)
        if person is None:
            continue
        lines = {line.event: line for line in row.lines}
        adjustment = Fraction(row.opening)
        results = list[PlannedResultOut | None]()
        for night in nights:
            line = lines.get(str(night.id))
            amount = given.get((row.entry, str(night.id)), Fraction())
            adjustment += amount
            result: PlannedResultOut | None = None
            if line is not None:
                points = decimal_text(Fraction(line.points) - amount)
                result = {"points": points, "is_counted": line.event in row.counted}
            results.append(result)
        total, agrees = row.total or Fraction(), list[bool]()
        if own is not None and own.total is not None:
            agrees.append(is_close(own.total, total))
        if own is not None and own.place is not None:
            agrees.append(own.place == row.rank_from)
        rows.append(
            {
                "place": row.label,
                "name": person.name,
                "is_new": person.player is None,
                "division": row.division or "",
                "results": results,
                "adjustment": decimal_text(adjustment) if adjustment else "",
                "total": decimal_text(total),
                "agrees": all(agrees) if agrees else None,
            }
        )
    days = [str(day_of(night.starts_at, club.time_zone)) for night in nights]
    return {"nights": days, "rows": rows}
