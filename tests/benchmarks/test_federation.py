"""A federation is what clubs really have, and its goals are found in what is measured."""

from pathlib import Path

import pytest

import benchmarks
from benchmarks.federation import PLAYERS, build_club
from benchmarks.figures import END, Figure, put_into_page
from benchmarks.goals import GOALS, Goal, goals_figure
from scoring.models import Game
from scoring.transfer.verifying import bundles, look_at_club, look_at_games
from tournaments.models import Club, Event, LeagueEvent, Player, TableGame

FOLDER = Path(benchmarks.__file__).parent
TWO_NIGHTS = 2


@pytest.mark.django_db
def test_the_clubs_of_a_federation_have_people_nights_and_hands_that_verify() -> None:
    built = [build_club(number, nights=TWO_NIGHTS) for number in (1, 2)]
    clubs = list(Club.objects.order_by("name"))
    assert [club.name for club in clubs] == ["Club 1", "Club 2"]
    names = [set(club.players.values_list("person__name", flat=True)) for club in clubs]
    assert len(names[0] | names[1]) == Player.objects.count() == 2 * PLAYERS
    assert LeagueEvent.objects.count() == Event.objects.count() == 2 * TWO_NIGHTS
    assert not TableGame.objects.filter(event=None).exists()
    assert sum(Game.objects.values_list("hands", flat=True)) == sum(one.hands for one in built)
    looked = [look_at_games(part.games) for part in bundles()]
    assert sum(one.hands for one in looked) == sum(one.hands for one in built)
    assert not any(one.differences for one in looked)
    assert [look_at_club(club.pk) for club in clubs] == [(), ()]


def test_every_goal_names_a_table_and_a_column_that_are_measured() -> None:
    for goal in GOALS:
        modules = [goal.part] if goal.part else ["goals", "storing"]
        source = "".join((FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in modules)
        source = source.partition("GOALS: Final")[0] + source.partition("\ndef figures")[2]
        assert goal.figure in source, goal.what
        assert f'"{goal.column}"' in source, goal.what


def test_of_several_rows_the_one_furthest_from_the_goal_counts() -> None:
    figure = Figure("T", ["row", "n"], [["a", "1,024 x"], ["b", "9.5 x"], ["c", "20 x"]])
    most, least = Goal("m", "", "T", "n", "<= 100"), Goal("l", "", "T", "n", ">= 9", "^[bc]")
    assert (most.find([figure]), least.find([figure])) == ("1,024 x", "9.5 x")
    assert not most.is_reached("1,024 x")
    assert least.is_reached("9.5 x")
    with pytest.raises(LookupError):
        Goal("n", "", "T", "n", "<= 1", "^d").find([figure])


def test_a_goal_that_no_row_tells_of_says_so_at_the_end_of_the_run() -> None:
    table = goals_figure([], {}, "1 club on SQLite")
    assert len(table.rows) == len(GOALS)
    assert all("no figure" in row[1] and row[3] == "-" for row in table.rows)


def test_a_goal_whose_programs_are_absent_says_so() -> None:
    missing = {one.part: ["endplay"] for one in GOALS}
    table = goals_figure([], missing, "1 club on SQLite")
    assert len(table.rows) == len(GOALS)
    assert {row[1] for row in table.rows} == {"needs endplay"}
    assert {row[3] for row in table.rows} == {"-"}


PAGE = f"""# Page

### One

Old words.

| a |
| - |
| 1 |

Stays.

### Two

| b |
| - |
| 2 |

{END}

### Three

By hand.
"""


def test_a_table_is_replaced_by_its_title_and_what_stands_below_it_stays() -> None:
    found = put_into_page(PAGE, Figure("One", ["a"], [["9"]], "New words."), "(today)")
    assert "### One\n\n(today)\n\nNew words.\n\n| a |\n| - |\n| 9 |\n\nStays.\n\n### Two" in found
    assert "Old words" not in found
    assert found.endswith(PAGE[PAGE.index("### Two") :])


def test_a_new_table_comes_after_the_others() -> None:
    found = put_into_page(PAGE, Figure("Four", ["a"], [["9"]]), "(today)")
    assert f"| 2 |\n\n### Four\n\n(today)\n\n| a |\n| - |\n| 9 |\n\n{END}\n" in found
