"""Where the headings of a table are: on a later worksheet, in two rows, or in its first column."""

from datetime import date
from typing import Any

import pytest

from tests.scoring.club import make_club, make_rules
from tests.tournaments.imports.tables import Cell, bring, counts, members, messages, xlsx
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import day
from tournaments.imports import ImportPlan
from tournaments.models import Club, Event, League, Person, RecordedResult

pytestmark = pytest.mark.django_db
Results = dict[str, dict[str, tuple[str, int | None]]]
EXPECTED: Results = {
    "2025-09-05": {"Ann": ("12", 1), "Bob": ("10", 2), "Cy": ("7", 3)},
    "2025-09-12": {"Ann": ("8", 3), "Bob": ("9", 2), "Cy": ("11", 1)},
}


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_rules(club)
    return club


def nights(club: Club, text: str | bytes, **more: Any) -> ImportPlan:
    return bring("nights", club, text, **{"league": "new", "new": "member", **more})


def results(club: Club) -> Results:
    """Points and place of everybody in each night, by its day."""
    found: Results = {}
    rows = RecordedResult.objects.select_related("entry__event", "entry__player__person")
    for row in rows.order_by("entry__event__starts_at", "entry__player__person__name"):
        night = str(day(row.entry.event.starts_at, club.time_zone))
        found.setdefault(night, {})[row.entry.player.person.name] = (row.points, row.place)
    return found


def without_places() -> Results:
    return {
        night: {name: (points, None) for name, (points, _place) in people.items()}
        for night, people in EXPECTED.items()
    }


def test_the_first_worksheet_with_a_table_is_taken(club: Club) -> None:
    table: list[list[Cell]] = [["Name", "E-mail"], ["Anna Berg", "a@club.example"], ["Bo Holm"]]
    covers: list[list[list[Cell]]] = [[], [["Hearts Club"], ["Stand", date(2025, 9, 12)]]]
    for cover in covers:
        data = xlsx(cover, more={"Members": table, "Old": table})
        plan = members(club, data, dry_run=True)
        assert counts(plan)[0] == 2
        assert [one.words for one in plan.remarks] == [
            "Only the worksheet 'Members' was read; there are also 'Sheet', 'Old'."
        ]
        assert counts(members(club, data, sheet="Old", dry_run=True))[0] == 2
    with pytest.raises(RefusedError, match="no table"):
        members(club, xlsx([], more={"Two": []}))


@pytest.mark.parametrize(
    "text",
    [
        "Name,Night 1 (5.9.25),,Night 2 (12.9.25),,Total\n,Pts,Place,Pts,Place,\n"
        "Ann,12,1,8,3,20\nBob,10,2,9,2,19\nCy,7,3,11,1,18\n",
        ",Night 1 (5.9.25),,Night 2 (12.9.25),\nName,Platz,Punkte,Platz,Punkte\n"
        "Ann,1,12,3,8\nBob,2,10,2,9\nCy,3,7,1,11\n",
        "Season\nName,Night 1 (5.9.25),,,Night 2 (12.9.25),,\n,Pts,Games,Place,Pts,Games,Place\n"
        "Ann,12,4,1,8,4,3\nBob,10,4,2,9,4,2\nCy,7,4,3,11,4,1\n",
    ],
)
def test_points_and_places_stand_below_each_night(club: Club, text: str) -> None:
    plan = nights(club, text)
    assert not plan.problems
    assert results(club) == EXPECTED
    assert [one.name for one in Event.objects.order_by("starts_at")] == ["Night 1", "Night 2"]


@pytest.mark.parametrize(
    "text",
    [
        "Name,Runde 1,Runde 2\n,05.09.2025,12.09.2025\nAnn,12,8\nBob,10,9\nCy,7,11\n",
        ",05.09.2025,12.09.2025\nName,Runde 1,Runde 2\nAnn,12,8\nBob,10,9\nCy,7,11\n",
        "Name,05.09.2025,12.09.2025\n,Pts,Pts\nAnn,12,8\nBob,10,9\nCy,7,11\n",
        "Name,September 2025,\n,5.,12.\nAnn,12,8\nBob,10,9\nCy,7,11\n",
        ",2025,\nName,5.9.,12.9.\nAnn,12,8\nBob,10,9\nCy,7,11\n",
        "Name,2025,\n,5 Sep,12 Sep\nAnn,12,8\nBob,10,9\nCy,7,11\n",
    ],
)
def test_two_rows_of_headings_are_read_together(club: Club, text: str) -> None:
    plan = nights(club, text)
    assert not plan.problems
    assert results(club) == without_places()
    assert League.objects.get().name == "Season"


@pytest.mark.parametrize("first", ["Datum", "", "Abend"])
def test_nights_may_be_rows_and_players_columns(club: Club, first: str) -> None:
    text = (
        f"Saison 2025\n{first};Ann;Bob;Cy;Summe\n05.09.;12;10;7;29\n12.09.;8;9;11;28\n"
        "Summe;20;19;18;57\n"
    )
    plan = nights(club, text)
    assert [one.words for one in plan.problems] == [
        "The nights are the rows of this table and the players its columns: each result was read "
        "as a row."
    ]
    assert results(club) == without_places()
    assert League.objects.get().name == "Saison 2025"


def test_what_is_wrong_in_a_turned_table_is_said_at_its_cell(club: Club) -> None:
    plan = nights(club, "Datum;Ann;Bob;Cy\n05.09.2025;12;zehn;7\n12.09.2025;-;1.234;2,5\n")
    wrong = [one for one in plan.problems if "zehn" in one.words]
    assert [(one.row, one.column) for one in wrong] == [(2, 3)]
    assert RecordedResult.objects.filter(points="1234").exists(), "the comma decides"


def test_columns_of_numbers_beside_nights_are_asked_about(club: Club) -> None:
    text = "Name;2025-09-05;Foo;2025-09-12;Total;Schnitt\nAnn;12;1;8;20;10\nBob;10;2;9;19;9\n"
    with pytest.raises(RefusedError, match="'Foo'") as caught:
        nights(club, text)
    assert caught.value.field == "unused"
    assert not nights(club, text, answers={"unused": "leave-out"}, dry_run=True).questions
    assert not nights(club, text, mapping={"Foo": ""}, dry_run=True).questions
    before = "Name;5.9;12.09.2025;19.09.2025\nAnn;12;1;8\nBob;10;2;9\n"
    assert nights(club, before, dry_run=True).details["unused"].examples == ["5.9"]


def test_rounds_of_every_usual_word_are_read_together(club: Club) -> None:
    text = "Name,Round 1,Rd 2,Wk 3\nAnna Berg,12,3,4\nBo Holm,1,2,5\n"
    nights(club, text, first="2025-09-05")
    assert [*results(club)] == ["2025-09-05", "2025-09-12", "2025-09-19"]
    text = "Name,12-Sep,19-Sep\nAnna Berg,12,3\nBo Holm,1,2\n"
    assert not messages(nights(club, text, year="2024", league="none"))


def test_headings_that_come_again_are_no_rows(club: Club) -> None:
    head = "Name,Night 1 (5.9.25),,Night 2 (12.9.25),\n,Pts,Place,Pts,Place\n"
    nights(club, f"{head}Ann,12,1,8,3\nBob,10,2,9,2\n{head}Cy,7,3,11,1\n")
    assert results(club) == EXPECTED
    assert Person.objects.count() == 3
