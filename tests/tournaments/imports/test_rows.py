"""Rows and worksheets of tables that others wrote: nobody at the foot plays, no cell is cut off."""

from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.scoring.club import make_club, make_rules
from tests.tournaments.imports.tables import Cell, bring, counts, members, messages, xlsx
from tournaments.core.errors import RefusedError
from tournaments.imports import ImportPlan
from tournaments.models import Club, League, LeagueMember, Person, RecordedResult

pytestmark = pytest.mark.django_db
PLAYERS = "Name;2025-09-12;2025-09-19\nAnna;1;3\nBo;2;2\nCy;4;6\n"


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_rules(club)
    return club


def nights(club: Club, text: str | bytes, **more: Any) -> ImportPlan:
    return bring("nights", club, text, **{"league": "new", "new": "member", **more})


def names() -> list[str]:
    return list(Person.objects.order_by("name").values_list("name", flat=True))


@pytest.mark.parametrize(
    "footer",
    [
        "Anzahl Spieler;3;3",
        "Check;0;0",
        "Teilnehmer;3;3",
        "Summe;7;11\nBester;4;6",
        "Summe;7;11\n\nUnterschrift: ________",
        "Alle;7;11",
        "Alle;7;11\nKöpfe;3;3",
        "number of players: 3",
        "Stand: 12.9.2025",
    ],
)
def test_rows_at_the_foot_are_asked_about_and_nobody_is_made_of_them(
    club: Club, footer: str
) -> None:
    text = f"{PLAYERS}{footer}\n"
    asked = nights(club, text, dry_run=True)
    assert asked.questions == ["footer"]
    assert asked.details["footer"].examples
    with pytest.raises(RefusedError, match="at the foot") as caught:
        nights(club, text)
    assert caught.value.field == "footer"
    nights(club, text, answers={"footer": "leave-out"})
    assert names() == ["Anna", "Bo", "Cy"]


def test_rows_at_the_foot_may_be_people_all_the_same(club: Club) -> None:
    nights(club, f"{PLAYERS}Datum;3;3\n", answers={"footer": "take"})
    assert names() == ["Anna", "Bo", "Cy", "Datum"]
    plan = members(club, "Name;Number\nDora;7\nUnterschrift;\n", dry_run=True)
    assert plan.questions == ["footer"]


def test_a_sum_of_one_night_among_others_is_no_foot(club: Club) -> None:
    text = "Datum;Name;Punkte\n12.9.25;Anna;1\n;Bo;2\n;Summe;3\n19.9.25;Anna;1\n;Bo;2\n"
    assert not nights(club, text).problems
    assert RecordedResult.objects.count() == 4


def test_tables_below_each_other_are_divisions(club: Club) -> None:
    text = (
        "Liga A;;\nName;2025-09-12;2025-09-19\nAnna;1;3\nBo;2;2\nSumme;3;5\n;;\n"
        "Liga B;;\nName;2025-09-12;2025-09-19\nCy;4;6\nDi;1;0\nSumme;5;6\n"
    )
    plan = nights(club, text)
    assert not plan.problems
    assert names() == ["Anna", "Bo", "Cy", "Di"]
    league = League.objects.get()
    assert league.season["divisions"] == ["Liga A", "Liga B"]
    rows = LeagueMember.objects.order_by("player__number").values_list("division", flat=True)
    assert list(rows) == [1, 1, 2, 2]


def test_another_table_below_is_named_and_left_out(club: Club) -> None:
    text = f"{PLAYERS}\nName;2026-01-09;2026-01-16\nDi;1;0\n"
    plan = nights(club, text)
    assert {line for line, words in messages(plan).items() if "another table begins" in words} == {
        6, 7,
    }  # fmt: skip
    assert names() == ["Anna", "Bo", "Cy"]


def test_a_row_that_is_longer_than_its_headings_is_a_problem(club: Club) -> None:
    plan = nights(club, "Name,2025-09-12,2025-09-19\nAnna,12,5,3\nBo,4,2\n")
    assert "more cells than headings" in messages(plan)[2]
    assert names() == ["Bo"]
    rows: list[list[Cell]] = [["Name", "E-mail"], ["Di", "", "new"], ["Ed", "", 5]]
    plan = members(club, xlsx(rows))
    assert list(messages(plan)) == [3]


def test_numbers_that_a_spreadsheet_computed_are_what_they_were(club: Club) -> None:
    rows: list[list[Cell]] = [
        ["Name", "2025-09-12", "2025-09-19"],
        ["Anna", 17 / 3, 0.1 + 0.2],
        ["Bo", 2**0.5, -100 / 7],
    ]
    plan = nights(club, xlsx(rows))
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {
        "17/3", "3/10", "707107/500000", "-100/7",
    }  # fmt: skip
    (remark,) = plan.remarks
    assert (remark.row, remark.column) == (3, 2)
    assert "was rounded to 1.414214" in remark.words


@pytest.mark.parametrize("word", ["DNF", "WD", "bye", "sub", "Freilos", "(dnf)"])
def test_words_in_place_of_points_are_asked_about(club: Club, word: str) -> None:
    text = f"Name;2025-09-12;2025-09-19\nAnna;{word};3\nBo;2;2\n"
    with pytest.raises(RefusedError) as caught:
        nights(club, text)
    assert caught.value.field == "unfinished"
    nights(club, text, answers={"unfinished": "zero"}, league="none")
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {"0", "3", "2"}


def test_words_for_absence_are_known(club: Club) -> None:
    text = "Name;2025-09-12;2025-09-19\nAnna;A;3\nBo;nicht da;2\nCy;krank;k.A.\nDi;1;no show\n"
    plan = nights(club, text)
    assert counts(plan)[3] == 1, "Cy has no results"
    assert not plan.problems
    assert RecordedResult.objects.count() == 3


def test_percentages_are_asked_about(club: Club) -> None:
    text = "Name;2025-09-12\nAnna;54,5 %\nBo;45,5%\n"
    with pytest.raises(RefusedError) as caught:
        nights(club, text)
    assert caught.value.field == "percent"
    nights(club, text, answers={"percent": "number"}, league="none")
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {"109/2", "91/2"}


def test_a_percentage_of_a_worksheet_is_what_people_saw(club: Club) -> None:
    book = load_workbook(BytesIO(xlsx([["Name", "2025-09-12"], ["Anna", 0.545], ["Bo", 0.45125]])))
    assert book.active is not None
    for row in (2, 3):
        book.active.cell(row, 2).number_format = "0.0%"
    out = BytesIO()
    book.save(out)
    assert nights(club, out.getvalue(), dry_run=True).details["percent"].examples == [
        "54.5%", "45.1250%",
    ]  # fmt: skip
    nights(club, out.getvalue(), answers={"percent": "share"})
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {"109/200", "361/800"}


def test_numbers_with_a_currency_decide_what_begins_decimals(club: Club) -> None:
    text = (
        "Spieler;05.09.25;12.09.25;Summe\nAnn;1.234;2.000;3.234\nBob;999;-1.500;-501\n"
        "Cy;0;0;0\nDi;3 1/2;12,50 €;16\n"
    )
    plan = nights(club, text)
    assert not plan.problems
    assert set(RecordedResult.objects.values_list("points", flat=True)) == {
        "1234", "2000", "999", "-1500", "0", "7/2", "25/2",
    }  # fmt: skip


def test_only_cells_that_are_used_leave_a_row_out(club: Club) -> None:
    rows: list[list[Cell]] = [
        ["Name", "2025-09-12", "2025-09-19", "Total", "Average"],
        ["Anna", 1, 2, "=B2+C2", "=D2/2"],
        ["Bo", 2, "=1+1", "=B3+C3", "=D3/2"],
    ]
    plan = nights(club, xlsx(rows))
    assert list(messages(plan)) == [2, 3]
    assert names() == ["Anna"]
    assert any("no result in the file" in one.words for one in plan.remarks)


def test_merges_across_a_row_are_no_doubt(club: Club) -> None:
    rows: list[list[Cell]] = [
        ["Name", "Number", None, "Note"], ["Anna", 3, None, "x"], ["Bo", 4, None, "y"],
    ]  # fmt: skip
    assert counts(members(club, xlsx(rows, "B1:C1", "B2:C2", "B3:C3"))) == (2, 0, 0, 0)


def test_a_day_that_is_merged_over_its_rows_holds_for_them(club: Club) -> None:
    rows: list[list[Cell]] = [
        ["Date", "Name", "Points"],
        ["2025-09-12", "Anna", 1],
        [None, "Bo", 2],
        ["2025-09-19", "Anna", 3],
    ]
    plan = nights(club, xlsx(rows, "A2:A3"))
    assert not plan.problems
    assert RecordedResult.objects.count() == 3
    assert list(messages(nights(club, xlsx(rows, "B2:B3"), dry_run=True))) == [2, 3]
