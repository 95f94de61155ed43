"""Nights of the past: tables of players and nights become events that count in a league."""

from datetime import date, datetime
from fractions import Fraction
from typing import Any

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.imports.tables import bring, counts, members, messages, xlsx
from tests.tournaments.publishing.nights import Clock, data_of, publish_all
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import day, local
from tournaments.events import leagues
from tournaments.events.recorded_results import NewResult, record_results
from tournaments.imports import ImportPlan, ObstaclesError, undo_import
from tournaments.imports.undo import plan_undo, undoer_of
from tournaments.models import (
    Club,
    Entry,
    Event,
    Import,
    League,
    LeagueEvent,
    LeagueMember,
    Person,
    Player,
    PlayerKind,
    Published,
    RecordedResult,
    Scope,
    Status,
)

pytestmark = pytest.mark.django_db

WIDE = """Season 2025/26;;;;
Name;12.09.;Night 2 (10.10.);09.01.;Total
Nora Adams;12;3½;-2;13,5
Ed Baker;x;1.000,5;(4);1.000,5
Zoë Bäcker;7;-;5;13
"""
ALL = {"counting": "all"}
"""The answer to what WIDE leaves open: Ed's total leaves a night out, Nora's none."""


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_rules(club)
    return club


def nights(club: Club, text: str | bytes, **more: Any) -> ImportPlan:
    usual = {"league": "new", "new": "member", "accept_differences": True}
    return bring("nights", club, text, **{**usual, **more})


def results(event: Event) -> dict[str, str]:
    rows = RecordedResult.objects.filter(entry__event=event)
    return dict(rows.values_list("entry__player__person__name", "points"))


def test_a_table_of_players_and_nights_becomes_a_season(club: Club) -> None:
    plan = nights(club, WIDE, **ALL)
    assert counts(plan) == (6, 0, 0, 0)
    assert messages(plan) == {
        4: "the nights come to 1004.5, not 1000.5",
        5: "the nights come to 12, not 13",
    }
    events = list(Event.objects.order_by("starts_at"))
    assert [(one.name, day(one.starts_at, "Europe/Amsterdam")) for one in events] == [
        ("Season 2025/26 1", date(2025, 9, 12)),
        ("Night 2", date(2025, 10, 10)),
        ("Season 2025/26 3", date(2026, 1, 9)),
    ]
    assert {one.status for one in events} == {Status.FINISHED}
    assert results(events[1]) == {"Nora Adams": "7/2", "Ed Baker": "2001/2"}
    league = League.objects.get()
    # Nora's total counts all three, so Ed's dropped night makes no limit.
    assert (league.name, league.season) == ("Season 2025/26", {"rule": "drop_worst", "drop": 0})
    numbers = LeagueEvent.objects.order_by("number").values_list("event", "number")
    assert list(numbers) == [(one.pk, place) for place, one in enumerate(events, 1)]


def test_a_season_without_dropped_nights_adds_them_all_up(club: Club) -> None:
    nights(club, "Name;2025-09-12;2025-09-19\nNora;12;3½\nEd;-4;1\nZoë;;0\n")
    publish_all(Clock())
    data: Any = data_of(Scope.LEAGUE, League.objects.get().pk)
    names = {str(one.player_id): one.name for one in Person.objects.all()}
    assert {names[row["entry"]]: (row["label"], row["total"]) for row in data["rows"]} == {
        "Nora": ("1", "31/2"),
        "Zoë": ("2", "0"),
        "Ed": ("3", "-3"),
    }


def test_a_dry_run_writes_nothing_and_says_what_becomes_of_every_row(club: Club) -> None:
    plan = nights(club, WIDE, **ALL, dry_run=True)
    assert not Event.objects.exists()
    assert not Player.objects.exists()
    assert [(row.line, row.subject, str(row.detail)) for row in plan.rows] == [
        (2, "Season 2025/26 1", "night of 2025-09-12, 2 results"),
        (2, "Night 2", "night of 2025-10-10, 2 results"),
        (2, "Season 2025/26 3", "night of 2026-01-09, 3 results"),
        (3, "Nora Adams", "new as number 1; 3 nights"),
        (4, "Ed Baker", "new as number 2; 2 nights, 1 dropped"),
        (5, "Zoë Bäcker", "new as number 3; 2 nights"),
    ]


def test_the_same_table_again_changes_nothing_and_other_results_are_told(club: Club) -> None:
    nights(club, WIDE, **ALL)
    league = League.objects.get()
    version = league.version
    again = nights(club, WIDE, **ALL, league=str(league.pk))
    assert counts(again) == (0, 0, 3, 0)
    other = nights(
        club, WIDE.replace("Nora Adams;12", "Nora Adams;13"), **ALL, league=str(league.pk)
    )
    told = [str(one.words) for one in other.problems if one.row == 3]
    assert any("correct it at the desk" in words for words in told)
    assert Event.objects.count() == 3
    assert League.objects.get().version == version


def test_a_row_that_was_corrected_is_brought_in_with_the_same_table_again(club: Club) -> None:
    wrong = WIDE.replace("Zoë Bäcker;7;", "Zoë Bäcker;seven;")
    assert counts(nights(club, wrong, **ALL)) == (5, 0, 0, 1)
    first = Import.objects.get(kind="nights")
    again = nights(club, WIDE, **ALL)
    assert counts(again) == (1, 2, 2, 0)
    assert League.objects.count() == 1
    event = Event.objects.order_by("starts_at")[0]
    assert results(event) == {"Nora Adams": "12", "Zoë Bäcker": "7"}
    assert LeagueEvent.objects.count() == 3
    second = Import.objects.filter(kind="nights").exclude(pk=first.pk).get()
    undo_import(import_id=second.pk, by=DIRECTOR, at=at())
    assert results(event) == {"Nora Adams": "12"}
    assert not Person.objects.filter(name="Zoë Bäcker").exists()


def test_players_are_known_by_number_and_name_and_near_misses_are_told(club: Club) -> None:
    members(club, "Name;Number\nAnna Jansen;7\nAnna Jansen;12\nNora Adams;3\n")
    text = (
        "Name;2025-09-12\nAnna Jansen (7);1\nAnna Jansen (12);2\nNora Adam;3\nAnna Jansen;4\n"
        "nora adams;5\n"
    )
    plan = nights(club, text)
    told = messages(plan)
    assert "Nora Adams" in told[4]
    assert "more than one is called so" in told[5]
    rows = RecordedResult.objects.values_list("entry__player__number", "points")
    assert set(rows) == {(7, "1"), (12, "2"), (3, "5")}
    assert counts(plan) == (4, 0, 0, 2)


def test_who_is_unknown_becomes_what_was_chosen(club: Club) -> None:
    members(club, "Name\nNora Adams\n")
    left = nights(club, "Name;2025-09-12\nNora Adams;1\nNora Addams;2\n", new="none")
    assert "is it Nora Adams?" in messages(left)[3]
    assert Player.objects.count() == 1
    nights(club, "Name;2025-09-19\nNora Adams;1\nEd Baker;2\n", new="guest")
    ed = Player.objects.get(person__name="Ed Baker")
    assert (ed.kind, ed.created_at.date()) == (PlayerKind.GUEST, date(2025, 9, 19))
    league = League.objects.order_by("-created_at", "-pk")[0]
    assert list(LeagueMember.objects.values_list("league", "player")) == [(league.pk, ed.pk)]


def test_problems_are_told_at_row_and_column_and_leave_the_row_out(club: Club) -> None:
    plan = nights(
        club,
        "Name;2025-09-12;Total;2025-09-19\nNora;a lot;;1\n;1;;2\nEd;1;x;2\nEd;3;;4\nZoë;;;\n",
    )
    found = [(one.row, one.column, str(one.words)) for one in plan.problems]
    assert found == [
        (2, 2, "'a lot' is no number"),
        (3, 1, "there is no name"),
        (5, 1, "this member came before in the table"),
    ]
    assert counts(plan)[3] == 4
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {"1", "2"}


def test_a_row_for_each_player_and_night(club: Club) -> None:
    text = (
        "Datum;Abend;Name;Punkte;Platz;Partien\n"
        "12.09.2025;Auftakt;Nora;12;1;4\n12.09.2025;Auftakt;Ed;3,5;2;4\n"
        "19.09.2025;;Ed;-1;;\n19.09.2025;;Nora;;2;\n19.09.2025;;Nora;4;;\n19.09.2025;;Nora;5;;\n"
        "gestern;;Ed;1;;\n"
    )
    plan = nights(club, text)
    told = messages(plan)
    assert "the points are needed too" in told[5]
    assert "there is a result of this player" in told[7]
    assert "no day" in told[8] or "no date" in told[8]
    rows = RecordedResult.objects.order_by("entry__event__starts_at", "entry__number")
    assert list(rows.values_list("entry__event__name", "points", "place", "games")) == [
        ("Auftakt", "12", 1, 4),
        ("Auftakt", "7/2", 2, 4),
        ("Season 2", "-1", None, 0),
        ("Season 2", "4", None, 0),
    ]


def test_places_alone_and_penalty_points(club: Club) -> None:
    nights(club, "Name;2025-09-12\nNora;=1\nEd;1.\nZoë;3rd\n", counts="places")
    assert set(RecordedResult.objects.values_list("points", "place")) == {("", 1), ("", 3)}
    publish_all(Clock())
    event = Event.objects.get()
    data: Any = data_of(Scope.EVENT, event.pk)
    assert [(row["label"], row["total"]) for row in data["rows"]] == [
        ("=1", "3/2"), ("=1", "3/2"), ("3", "-3"),
    ]  # fmt: skip
    nights(club, "Name;2025-09-19\nNora;9\nEd;1\n", counts="penalty")
    league = League.objects.order_by("-created_at", "-pk")[0]
    assert league.season["lowest_wins"] == "on"
    assert Event.objects.get(pk__gt=event.pk).scoring == {"method": "points"}


def test_days_that_are_not_written_are_asked_about(club: Club) -> None:
    with pytest.raises(RefusedError, match="in which year") as caught:
        nights(club, "Name;12.09.;10.10.\nNora;1;2\n")
    assert caught.value.field == "year"
    nights(club, "Name;12.09.;10.10.\nNora;1;2\n", year="2024", league="none")
    with pytest.raises(RefusedError, match="no days") as caught:
        nights(club, "Name;Night 1;Night 2\nNora;1;2\n")
    assert caught.value.field == "first"
    nights(club, "Name;Night 1;Night 2\nNora;1;2\n", first="12.9.2023", league="none")
    found = Event.objects.order_by("starts_at").values_list("starts_at", flat=True)
    assert [one.date().isoformat() for one in found] == [
        "2023-09-12", "2023-09-19", "2024-09-12", "2024-10-10",
    ]  # fmt: skip
    assert not League.objects.exists()
    mixed = nights(club, "Name;Night 1;2025-10-10\nNora;1;2\n", league="none", dry_run=True)
    assert "has no day" in messages(mixed)[1]
    twice = nights(club, "Name;03/04/2025\nNora;1\n", league="none", dry_run=True)
    assert twice.questions == ["dates"]


def test_columns_newest_first_and_from_another_league(club: Club) -> None:
    league = leagues.create_league(
        club_id=club.pk, new={"name": "Autumn", "is_open": False}, by=DIRECTOR, at=at()
    )
    nights(club, "Name;9.1.;12.12.;10.10.\nNora;1;2;3\n", year="2024", league=str(league.pk))
    sessions = LeagueEvent.objects.order_by("number").values_list("event__name", "number")
    assert list(sessions) == [("Autumn 1", 1), ("Autumn 2", 2), ("Autumn 3", 3)]
    assert list(LeagueMember.objects.values_list("league")) == [(league.pk,)]
    starts = Event.objects.order_by("starts_at").values_list("starts_at", flat=True)
    assert [one.date().isoformat() for one in starts] == ["2024-10-10", "2024-12-12", "2025-01-09"]


def test_a_night_with_hands_is_not_touched(club: Club) -> None:
    nights(club, "Name;Night 2 2025-09-12\nNora;1\n", league="none")
    Event.objects.update(is_results_only=False)
    plan = nights(club, "Name;Night 2 2025-09-12;2025-09-19\nEd;1;2\n", league="none")
    assert "with its hands" in messages(plan)[1]
    assert Entry.objects.filter(player__person__name="Ed").count() == 1


def test_an_import_of_nights_is_undone_as_one_step(club: Club) -> None:
    members(club, "Name\nNora Adams\n")
    nights(club, WIDE, **ALL)
    publish_all(Clock())
    row = Import.objects.get(kind="nights")
    undo_import(import_id=row.pk, by=DIRECTOR, at=at())
    assert not Event.objects.exists()
    assert not League.objects.exists()
    assert not Published.objects.filter(scope__in=[Scope.EVENT, Scope.LEAGUE]).exists()
    assert list(Person.objects.values_list("name", flat=True)) == ["Nora Adams"]
    publish_all(Clock())
    assert counts(nights(club, WIDE, **ALL))[0] == 6


def test_a_night_that_was_corrected_since_stays_when_the_rest_is_undone(club: Club) -> None:
    nights(club, "Name;2025-09-12;2025-09-19\nNora;1;2\nEd;3;4\n")
    event = Event.objects.order_by("starts_at")[0]
    corrected = [
        NewResult(player=Player.objects.get(person__name=name).pk, points=points)
        for name, points in (("Nora", "5"), ("Ed", "3"))
    ]
    record_results(
        event_id=event.pk, results=corrected, why="Read wrongly", version=None, by=DIRECTOR, at=at()
    )
    row = Import.objects.get(kind="nights")
    with pytest.raises(ObstaclesError):
        undo_import(import_id=row.pk, by=DIRECTOR, at=at())
    assert Event.objects.count() == 2
    undo_import(import_id=row.pk, by=DIRECTOR, at=at(), leave_obstacles=True)
    assert list(Event.objects.all()) == [event]
    assert results(event) == {"Nora": "5", "Ed": "3"}
    assert LeagueEvent.objects.filter(event=event).exists()


def test_the_total_of_the_exact_sums_is_compared_exactly(club: Club) -> None:
    plan = nights(club, "Name;2025-09-12;2025-09-19;Summe\nNora;⅓;2/3;1\nEd;0,1;0,2;0,3\n")
    assert not plan.problems
    assert Fraction(RecordedResult.objects.filter(points="1/3").get().points) == Fraction(1, 3)


MIXED = """Meisterschaft 2023/24;;;;;
Name;Vorname;12.01.2024;12.4.;10.05.24;14. Juni
Adams;Nora;12;3;4;5
"""


def test_a_missing_year_is_that_of_the_nights_beside_it(club: Club) -> None:
    nights(club, MIXED)
    days = [day(event.starts_at, club.time_zone) for event in Event.objects.order_by("starts_at")]
    assert [str(one) for one in days] == ["2024-01-12", "2024-04-12", "2024-05-10", "2024-06-14"]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("5.9.;3.1.;01.02.2026", ["2025-09-05", "2026-01-03", "2026-02-01"]),
        ("01.02.2026;3.1.;5.9.", ["2025-09-05", "2026-01-03", "2026-02-01"]),
        ("14.11.2025;10.1.", ["2025-11-14", "2026-01-10"]),
        ("14.06.2025;10.5.", ["2025-05-10", "2025-06-14"]),
        (
            "12.12.2024;9.1.;6.2.;11.12.2025;8.1.",
            ["2024-12-12", "2025-01-09", "2025-02-06", "2025-12-11", "2026-01-08"],
        ),
    ],
)
def test_years_go_on_from_a_day_that_has_one(
    club: Club, headings: str, expected: list[str]
) -> None:
    points = ";".join("1" for _each in expected)
    nights(club, f"Name;{headings}\nNora Adams;{points}\n")
    days = [day(event.starts_at, club.time_zone) for event in Event.objects.order_by("starts_at")]
    assert [str(one) for one in days] == expected


def test_members_whose_surname_comes_first_are_known(club: Club) -> None:
    members(club, "Name;Number\nAdams, Nora;1\nBäcker, Zoë;2\n")
    before = Player.objects.count()
    nights(club, "Name;Vorname;12.01.2024\nAdams;Nora;12\nBacker;Zoe;4\n")
    assert Player.objects.count() == before
    assert set(Person.objects.values_list("name", flat=True)) >= {"Adams, Nora", "Bäcker, Zoë"}
    nights(club, "Name;13.01.2024\nNora Adams;12\n")
    assert Player.objects.count() == before


def test_all_nights_count_where_somebody_has_more_of_them_than_others_kept(club: Club) -> None:
    nights(
        club,
        "Name;12.01.2024;9.02.2024;8.03.2024;Total\nNora Adams;1;2;3;6\nEd Baker;4;(1);6;10\n",
        **ALL,
    )
    league = League.objects.get()
    assert "best_n" not in str(league.season)


def test_the_best_nights_count_where_nobodys_total_counts_more(club: Club) -> None:
    nights(
        club,
        "Name;12.01.2024;9.02.2024;8.03.2024;Total\nNora Adams;1;2;;3\nEd Baker;4;(1);6;10\n",
    )
    assert League.objects.get().season == {"rule": "best_n", "best": 2}


def test_a_total_that_differs_is_told_in_decimals(club: Club) -> None:
    plan = nights(club, "Name;12.01.2024;9.02.2024;Total\nNora Adams;1,5;2,25;4\n")
    assert messages(plan) == {2: "the nights come to 3.75, not 4"}


def test_what_goes_with_an_undone_import_is_called_by_its_name(club: Club) -> None:
    nights(club, WIDE.replace("Total", "Total;Bonus").replace("13,5", "14,5;1"), **ALL)
    plan = plan_undo(Import.objects.get())
    assert plan.counts["tournaments.adjustment"] == 1
    assert "rows" not in {undoer_of(label).title for label in plan.counts}


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_days_and_moments_in_one_row_of_headings_are_read(club: Club, form: str) -> None:
    days = [date(2025, 9, 12), datetime(2025, 9, 19, 20, 0), date(2025, 9, 26)]
    texts = [f"{one:%d.%m.%Y %H:%M}".replace(" 00:00", "") for one in days]
    rows = (("Name", *(texts if form == "csv" else days)), ("Nora", 1, 2, 3), ("Ed", 4, 5, 6))
    data = xlsx(rows) if form == "xlsx" else "\n".join(";".join(map(str, row)) for row in rows)
    nights(club, data)
    starts = [local(one.starts_at, club.time_zone) for one in Event.objects.order_by("starts_at")]
    assert [f"{one:%Y-%m-%d %H:%M}" for one in starts] == [
        "2025-09-12 19:30", "2025-09-19 20:00", "2025-09-26 19:30",
    ]  # fmt: skip
    assert [one.name for one in Event.objects.order_by("starts_at")] == [
        "Season 1", "Season 2", "Season 3",
    ]  # fmt: skip


def test_a_night_that_is_still_to_come_is_a_problem(club: Club) -> None:
    plan = nights(club, "Name;2025-09-12;2035-09-12\nNora;1;2\n")
    assert "2035-09-12 is still to come" in messages(plan)[1]
    assert [one.starts_at.year for one in Event.objects.all()] == [2025]


def test_a_day_that_stands_once_holds_for_the_rows_below(club: Club) -> None:
    nights(
        club,
        "Datum;Abend;Name;Punkte\n12.09.2025;Auftakt;Nora;1\n;;Ed;2\n;Auftakt;Zoë;3\n"
        "45919;;Nora;4\n;;Ed;5\n",
    )
    assert [(one.name, len(results(one))) for one in Event.objects.order_by("starts_at")] == [
        ("Auftakt", 3), ("Season 2", 2),
    ]  # fmt: skip
    assert [str(day(one.starts_at, "UTC")) for one in Event.objects.order_by("starts_at")] == [
        "2025-09-12", "2025-09-19",
    ]  # fmt: skip
    with pytest.raises(RefusedError, match="have no days"):
        nights(club, "Datum;Abend;Name;Punkte\n;;Nora;1\n;Finale;Ed;2\n")
