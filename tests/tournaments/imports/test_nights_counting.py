"""Nights from a table come to what the table says, or somebody accepts that they do not."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.imports.tables import bring, counts, messages
from tests.tournaments.publishing.nights import Clock, data_of, publish_all
from tournaments.core.errors import RefusedError
from tournaments.imports import ImportPlan, plan_undo, undo_import
from tournaments.models import (
    Adjustment,
    Club,
    Event,
    Import,
    League,
    LeagueMember,
    Person,
    RecordedResult,
    Scope,
)

pytestmark = pytest.mark.django_db

BRACKET = "Name;12.09.25;19.09.25;26.09.25\nAnn;12;10;3\nBob;9;x;(4)\n"
PENALTY = "Spieler;04.10.24;01.11.24;Strafe;Gesamt\nAnna Jansen;12;10;-2;20\nBob Klein;11;10;;21\n"


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_rules(club)
    return club


def nights(club: Club, text: str, **more: Any) -> ImportPlan:
    return bring("nights", club, text, **{"league": "new", "new": "member", **more})


def table_of(league: League) -> dict[str, tuple[str, str]]:
    """Place and total of everybody in a league."""
    publish_all(Clock())
    data: Any = data_of(Scope.LEAGUE, league.pk)
    names = {str(one.player_id): one.name for one in Person.objects.all()}
    return {names[row["entry"]]: (row["label"], row["total"]) for row in data["rows"]}


def test_one_cell_in_brackets_never_decides_the_rule_of_a_league(club: Club) -> None:
    with pytest.raises(RefusedError, match=r"brackets.*'\(4\)'") as caught:
        nights(club, BRACKET)
    assert caught.value.field == "marked"
    assert nights(club, BRACKET, dry_run=True).details["marked"].examples == ["(4)"]
    with pytest.raises(RefusedError) as caught:
        nights(club, BRACKET, marked="dropped")
    assert caught.value.field == "counting"
    with pytest.raises(RefusedError, match="nights come to 13, not 9") as caught:
        nights(club, BRACKET, marked="dropped", counting="all")
    assert caught.value.field == "accept_differences"
    assert not League.objects.exists()
    plan = nights(club, BRACKET, marked="negative")
    assert "Results such as (4) are negative." in plan.understood
    assert "All nights count." in plan.understood
    assert table_of(League.objects.get()) == {"Ann": ("1", "25"), "Bob": ("2", "5")}


def test_penalties_are_adjustments_and_the_right_player_wins(club: Club) -> None:
    plan = nights(club, PENALTY)
    assert not plan.differences
    assert "All totals and places are those of the file." in plan.understood
    assert "1 penalty or bonus changes the points: Anna Jansen: Strafe -2." in plan.understood
    league = League.objects.get()
    assert table_of(league) == {"Bob Klein": ("1", "21"), "Anna Jansen": ("2", "20")}
    given = Adjustment.objects.get()
    assert (given.amount, given.reason, given.entry.player.person.name) == (
        "-2", "Strafe", "Anna Jansen",
    )  # fmt: skip
    again = nights(club, PENALTY)
    assert counts(again)[:2] == (0, 0)
    assert Adjustment.objects.count() == 1
    other = nights(club, PENALTY.replace(";-2;20", ";-3;19"), dry_run=True)
    assert any("'Strafe' is there already" in one.words for one in other.problems)
    made = Import.objects.earliest("created_at", "pk")
    assert plan_undo(made).counts["tournaments.adjustment"] == 1
    undo_import(import_id=made.pk, by=DIRECTOR, at=at())
    assert not Event.objects.exists()
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize(
    ("columns", "given", "league"),
    [
        ("Strafe;Gesamt", "2;20", {}),
        ("Penalty;Bonus;Total", "2;;20", {}),
        ("Bonus;Total", "2;24", {}),
        ("Abzug", "2", {}),
        ("Gesamt;Strafpunkte", "24;2", {"counts": "penalty"}),
    ],
)
def test_penalties_and_bonuses_count_as_the_table_counts_them(
    club: Club, columns: str, given: str, league: dict[str, str]
) -> None:
    plan = nights(club, f"Name;4.10.24;1.11.24;{columns}\nAnna;12;10;{given}\n", **league)
    assert not plan.problems
    wanted = "24" if columns == "Bonus;Total" or league else "20"
    assert table_of(League.objects.get()) == {"Anna": ("1", wanted)}


def test_a_penalty_of_a_night_is_that_nights(club: Club) -> None:
    text = "Date;Name;Points;Penalty\n2025-09-12;Ann;12;3\n2025-09-12;Bob;10;\n2025-09-19;Ann;1;\n"
    nights(club, text)
    given = Adjustment.objects.get()
    assert (given.amount, str(given.entry.event.starts_at.date())) == ("-3", "2025-09-12")
    assert table_of(League.objects.get()) == {"Ann": ("1", "10"), "Bob": ("2", "10")}


def test_a_penalty_of_somebody_who_never_came_is_a_problem(club: Club) -> None:
    plan = nights(club, "Name;2025-09-12;Penalty\nAnn;12;\nBob;;-3\n")
    assert messages(plan) == {3: "has a penalty or a bonus, but no results"}


def test_places_are_compared_with_those_of_the_file(club: Club) -> None:
    text = "Platz;Name;2025-09-12;2025-09-19;Total\n1;Ann;2;3;5\n2;Bob;4;3;7\n3;Cy;1;1;2\n"
    with pytest.raises(RefusedError, match="2 totals or places differ from the file"):
        nights(club, text)
    plan = nights(club, text, dry_run=True)
    assert messages(plan) == {
        2: "place 2 in the league, 1 in the file",
        3: "place 1 in the league, 2 in the file",
    }
    nights(club, text, accept_differences=True)
    assert League.objects.count() == 1


def test_where_less_is_better_is_seen_by_the_places(club: Club) -> None:
    text = "Rang;Name;2025-09-12;2025-09-19;Total\n1;Ann;2;3;5\n2;Bob;4;3;7\n"
    assert nights(club, text, counts="points", dry_run=True).differences
    plan = nights(club, text)
    assert not plan.differences
    assert "The nights hold penalty points, less is better." in plan.understood
    assert League.objects.get().season["lowest_wins"] == "on"


def test_divisions_are_kept_with_places_in_each(club: Club) -> None:
    text = (
        "Staffel;Platz;Name;2025-09-12;Gesamt\n2. Liga;1;Di;9;9\n2. Liga;2;Ed;8;8\n"
        "1. Liga;1;Ann;5;5\n1. Liga;2;Bob;4;4\n;;Zoë;1;1\n"
    )
    plan = nights(club, text)
    assert "The divisions are 1. Liga, 2. Liga, the highest first." in plan.understood
    assert not plan.differences
    assert "is no division" in messages(plan)[6]
    league = League.objects.get()
    assert league.season["divisions"] == ["1. Liga", "2. Liga"]
    rows = LeagueMember.objects.values_list("player__person__name", "division")
    assert set(rows) == {("Ann", 1), ("Bob", 1), ("Di", 2), ("Ed", 2)}
    assert table_of(league)["Di"] == ("1", "9")


def test_nights_by_themselves_are_compared_with_their_sums(club: Club) -> None:
    text = "Name;2025-09-12;2025-09-19;Total\nAnn;12;(3);12\nBob;9;1;11\n"
    plan = nights(club, text, league="none", dry_run=True)
    assert messages(plan) == {3: "the nights come to 10, not 11"}


def test_a_league_with_other_nights_is_compared_by_totals_alone(club: Club) -> None:
    nights(club, "Name;2025-09-05\nAnn;1\nBob;2\n")
    league = League.objects.get()
    text = "Platz;Name;2025-09-12;2025-09-19;Total\n1;Ann;2;3;5\n2;Bob;1;3;4\n"
    plan = nights(club, text, league=str(league.pk))
    assert not plan.differences
    assert "The places in the file are not compared with those of a league." in plan.understood


RULES = [("all", 0), ("best", 1), ("best", 2), ("best", 3), ("drop", 1), ("drop", 2)]


def total_of(values: Sequence[int], rule: tuple[str, int]) -> int:
    kind, number = rule
    kept = {"all": len(values), "best": number, "drop": max(1, len(values) - number)}[kind]
    return sum(sorted(values)[::-1][:kept])


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.lists(st.integers(-9, 30), min_size=1, max_size=4), min_size=2, max_size=5),
    st.sampled_from(RULES),
    st.booleans(),
    st.lists(st.integers(-5, 5), min_size=5, max_size=5),
)
def test_what_comes_in_without_a_word_is_what_the_file_says(
    season: list[list[int]], rule: tuple[str, int], has_penalties: bool, penalties: list[int]
) -> None:
    totals = [total_of(values, rule) for values in season]
    if has_penalties:
        totals = [one + given for one, given in zip(totals, penalties, strict=False)]
    lines = ["Name;1.9.2025;8.9.2025;15.9.2025;22.9.2025;Bonus;Total"]
    for number, (values, total) in enumerate(zip(season, totals, strict=True)):
        cells = [str(one) for one in values] + [""] * (4 - len(values))
        given = str(penalties[number]) if has_penalties else ""
        lines.append(";".join([f"Player {'ABCDE'[number]}", *cells, given, str(total)]))
    with transaction.atomic():
        club = make_club()
        make_rules(club)
        plan = nights(club, "\n".join(lines), dry_run=True)
        assert set(plan.questions) <= {"counting"}
        if not plan.questions:
            assert not plan.differences
            nights(club, "\n".join(lines))
            came = table_of(League.objects.get(club=club))
            assert {name: Fraction(total) for name, (_place, total) in came.items()} == {
                f"Player {'ABCDE'[number]}": total for number, total in enumerate(totals)
            }
        transaction.set_rollback(True)


def test_results_of_rows_stay_as_they_are_written(club: Club) -> None:
    nights(club, "Name;2025-09-12;2025-09-19;Total\nAnn;12;(3);12\nBob;9;(1);9\nCy;4;;4\n")
    assert League.objects.get().season == {"rule": "best_n", "best": 1}
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {
        "12", "3", "9", "1", "4",
    }  # fmt: skip


def test_a_penalty_that_no_night_can_hold_counts_from_the_start(club: Club) -> None:
    text = "Name;5.9.25;12.9.25;19.9.25;Strafe;Ges.\nAnn;10;9;8;-5;14\nBob;4;4;4;;8\nCy;3;2;1;;5\n"
    plan = nights(club, text)
    assert not plan.differences
    league = League.objects.get()
    assert table_of(league)["Ann"] == ("1", "14")
    assert LeagueMember.objects.get().opening == "-5"
    assert counts(nights(club, text))[:2] == (0, 0)
    assert not Adjustment.objects.exists()


def test_points_and_place_of_a_night_may_stand_side_by_side(club: Club) -> None:
    text = (
        "Name;Night 1 (5.9.25) Pts;Night 1 (5.9.25) Place;Night 2 (12.9.25) Pts"
        ";Night 2 (12.9.25) Place;Total\nAnn;12;1;8;3;20\nBob;10;2;9;2;19\nCy;7;3;11;1;18\n"
    )
    plan = nights(club, text)
    assert not plan.problems
    rows = RecordedResult.objects.filter(entry__event__name="Night 2")
    assert set(rows.values_list("entry__player__person__name", "points", "place")) == {
        ("Ann", "8", 3), ("Bob", "9", 2), ("Cy", "11", 1),
    }  # fmt: skip
    assert table_of(League.objects.get())["Ann"] == ("1", "20")
    alone = nights(club, "Name;19.9.25;26.9.25 Platz\nAnn;1;1\n", dry_run=True)
    assert messages(alone) == {1: "no column has the points of this night"}


def test_places_that_contradict_the_points_of_their_night_are_differences(club: Club) -> None:
    text = "Date;Name;Points;Place\n2025-09-12;Ann;12;1\n2025-09-12;Bob;12;2\n2025-09-12;Cy;10;3\n"
    assert not nights(club, text, dry_run=True).differences
    plan = nights(club, text.replace("Cy;10;3", "Cy;10;1"), dry_run=True)
    assert messages(plan) == {4: "place 3 by the points of Season 1, 1 in the file"}


def test_places_are_compared_with_the_results_on_record_too(club: Club) -> None:
    text = "Date;Name;Points;Place\n2025-09-12;Ann;12;1\n2025-09-12;Bob;10;2\n"
    nights(club, text)
    league = str(League.objects.get().pk)
    plan = nights(club, text + "2025-09-12;Cy;8;3\n", league=league, dry_run=True)
    assert not plan.differences


def test_numbers_that_look_like_places_are_asked_about(club: Club) -> None:
    text = "Name;2025-09-12;2025-09-19\nAnn;1;2\nBob;2;1\nCy;3;3\nDi;4;3\n"
    with pytest.raises(RefusedError, match="look like places") as caught:
        nights(club, text, dry_run=True)
    assert caught.value.field == "counts"
    nights(club, text, counts="places")
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {""}


def test_a_league_that_there_is_keeps_its_rule(club: Club) -> None:
    nights(club, "Name;2025-09-05;Total\nAnn;1;1\n")
    league = League.objects.get()
    League.objects.update(season={"rule": "best_n", "best": 2})
    text = "Name;2025-09-12;2025-09-19;2025-09-26;Strafe;Total\nAnn;9;8;(1);-2;15\nBob;1;2;3;;5\n"
    plan = nights(club, text, league=str(league.pk))
    assert (plan.questions, plan.differences) == ([], [])
    assert Adjustment.objects.get().entry.event.starts_at.date().isoformat() == "2025-09-12"
    assert League.objects.get().season == {"rule": "best_n", "best": 2}
