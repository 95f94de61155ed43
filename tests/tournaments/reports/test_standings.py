"""Standings as a secretary opens them: numbers to sort and add up, nights with date and weight."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.scoring.reports.reading import csv_rows, read, sheet_rows
from tests.tournaments.publishing.nights import Clock, Night, publish_all
from tests.tournaments.publishing.test_leagues import make_league
from tournaments.core.time_zones import day_and_year
from tournaments.events import leagues
from tournaments.models import Club, League, Scope
from tournaments.publishing import versions
from tournaments.reports.event_standings import (
    column_beside_total,
    event_columns,
    event_standings,
)
from tournaments.reports.league_standings import CountedNight, league_standings, shorten_titles
from tournaments.tables.model import DroppedCell, Table

pytestmark = pytest.mark.django_db
TAKEN = [(13, 0, 0, 0), (0, 13, 0, 0), (0, 0, 13, 0)]


@pytest.fixture
def club() -> Club:
    return make_club()


def played(club: Club, **season: Any) -> League:
    """Three nights, of which the last counts double, and a member with points from before."""
    league = make_league(club, season={"rule": "best_n", "best": 2, **season})
    players = make_players(club, 4)
    leagues.enrol(
        league_id=league.pk,
        player=players[0].pk,
        opening="5/2",
        opening_events=1,
        by=DIRECTOR,
        at=at(),
    )
    for number, taken in enumerate(TAKEN):
        night = Night(club=club, players=players, starts_at=at(number * 24 * 60))
        leagues.add_session(
            league_id=league.pk,
            event=night.event.pk,
            weight="2" if number == 2 else "1",
            by=DIRECTOR,
            at=at(),
        )
        (game,) = night.seat(1)
        night.play(game, taken)
    publish_all(Clock())
    return league


def tables_of(league: League) -> list[Table[Any]]:
    found = versions.find_latest(Scope.LEAGUE, league.pk)
    return list(league_standings(found, leagues.season_of(league)))


def test_nights_have_date_and_weight_and_show_what_is_added_up(club: Club) -> None:
    whole, scored = tables_of(played(club))
    titles = [column.title for column in whole.columns]
    assert titles[:3] == ["Rank", "Name", "Member no."]
    nights = ["20 Nov 2026", "21 Nov 2026", "22 Nov 2026 ×2"]  # noqa: RUF001
    assert [title for title in titles if "Nov" in title] == nights
    assert [column.title for column in scored.columns[3:6]] == [
        "20 Nov 2026", "21 Nov 2026", "22 Nov 2026",
    ]  # fmt: skip
    by_name = {row["name"]: row for row in read(scored)}
    for row in read(whole):
        last = row["night_3"]
        value = last.score if isinstance(last, DroppedCell) else last
        assert value == 2 * by_name[row["name"]]["night_3"]


def test_what_is_dropped_is_marked_and_named_and_a_row_adds_up(club: Club) -> None:
    (whole, _scored) = tables_of(played(club))
    rows, cells = read(whole), sheet_rows(whole)
    assert {row["counted"] for row in rows} == {2}
    for row, cell in zip(rows, cells, strict=True):
        nights = [(key, row[key]) for key in row if key.startswith("night_")]
        dropped = [key for key, value in nights if isinstance(value, DroppedCell)]
        titles = {column.key: column.title.partition(" ×")[0] for column in whole.columns}  # noqa: RUF001
        assert row["dropped"] == titles[dropped[0]]
        counted = sum(cell[key] for key, _ in nights if key not in dropped)
        assert counted + (cell["opening"] or 0) == pytest.approx(cell["total"])
    assert [row["opening"] for row in rows if row["opening"]] == [2.5]


def test_weights_of_nights_say_nothing_where_games_are_averaged(club: Club) -> None:
    found = tables_of(played(club, rule="average", best=None))
    assert len(found) == 1
    assert "×" not in " ".join(column.title for column in found[0].columns)  # noqa: RUF001
    assert "total_exact" in {column.key for column in found[0].columns}


def test_an_event_shows_its_rounds_and_countback_as_numbers() -> None:
    night = Night(players=4, method="places")
    for number, taken in enumerate(TAKEN[:2], 1):
        (game,) = night.seat(number)
        night.play(game, taken)
        night.end(number)
    night.publish()
    table = event_standings(versions.find_latest(Scope.EVENT, night.event.pk))
    rows = csv_rows(table)
    assert all(float(row["R1"]) + float(row["R2"]) == float(row["Points"]) for row in rows)
    assert sum(float(row["1st"]) for row in rows) == pytest.approx(2, abs=0.02)
    ranks = [row["rank"] for row in sheet_rows(table)]
    assert ranks == sorted(ranks)
    assert all(isinstance(rank, int) for rank in ranks)


def test_what_stands_beside_a_total_is_named_by_what_the_games_counted() -> None:
    night = Night(players=4, method="places")
    (game,) = night.seat(1)
    night.play(game, TAKEN[0])
    night.end(1)
    night.publish()
    data = versions.find_latest(Scope.EVENT, night.event.pk).data
    columns = event_columns(data)
    titles = {
        (unit, low): beside.title if beside else None
        for unit in ("points", "chips", "penalty points")
        for low in (False, True)
        for beside in [column_beside_total(columns, {**data, "unit": unit, "low": low})]
    }
    assert titles == {
        ("points", False): "Chips",
        ("points", True): "Penalty points",
        ("chips", False): None,
        ("chips", True): "Penalty points",
        ("penalty points", False): "Chips",
        ("penalty points", True): None,
    }


def test_nights_on_paper_have_dates_without_a_year_unless_two_would_be_alike() -> None:
    nights = [
        CountedNight("", number, day_and_year(str(on)), "", Fraction(1), on)
        for number, on in enumerate((date(2026, 11, 24), date(2026, 12, 1)), 1)
    ]
    assert [night.title for night in shorten_titles(nights)] == ["24 Nov", "1 Dec"]
    again = [*nights, nights[0]._replace(title="24 Nov 2027", day=date(2027, 11, 24))]
    assert shorten_titles(again) == again
