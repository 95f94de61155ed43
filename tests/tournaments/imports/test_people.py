"""People in tables: one identity, similar names asked about, lists that are brought up to date."""

import io
import zipfile
from collections.abc import Sequence

import pytest
from openpyxl import Workbook

from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.imports.tables import bring, counts, members, messages
from tournaments.imports import undo_import
from tournaments.models import Club, FormerDetail, ImportedObject, Person, PlayerKind
from tournaments.people.members import erase_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


def names() -> list[str]:
    return list(Person.objects.order_by("player__number").values_list("name", flat=True))


@pytest.mark.parametrize(
    "other",
    [
        "nora  ADAMS",
        "Adams, Nora",
        "ADAMS,Nora",
        "Nora\u00a0Adams",
        "Nora\u2003Adams ",
        "Nora\nAdams",
    ],
)
def test_a_name_in_another_order_blanks_or_case_is_the_same_person(club: Club, other: str) -> None:
    members(club, "Name\nNora Adams\n")
    plan = members(club, f'Name\n"{other}"\n')
    assert counts(plan) == (0, 0, 1, 0)
    assert names() == ["Nora Adams"]


@pytest.mark.parametrize(
    "sign", ["\u202e", "\u200b", "\u200e", "\u00ad", "\ufeff", "\u2028", "\x85"]
)
def test_a_name_with_what_nobody_sees_is_a_problem_of_its_row(club: Club, sign: str) -> None:
    plan = members(club, f'Name\n"Eva{sign}Groß"\n"Bo\n Holm"\n')
    assert f"U+{ord(sign):04X}" in messages(plan)[2]
    assert counts(plan) == (1, 0, 0, 1)
    assert names() == ["Bo Holm"]


@pytest.mark.parametrize(
    "similar", ["Nora Adms", "Adams Nora", "N. Adams", "Nora Jane Adams", "Adams", "Nóra Adams"]
)
def test_a_similar_name_is_asked_about_and_decided(club: Club, similar: str) -> None:
    members(club, "Name\nNora Adams\nBo Holm\n")
    text = f"Name\n{similar}\n"
    asked = members(club, text)
    assert asked.rows[0].similar == (("Nora Adams", 1),)
    assert "is it Nora Adams?" in messages(asked)[2]
    assert counts(asked) == (0, 0, 0, 1)
    assert counts(members(club, text, people={similar: "1"})) == (0, 0, 1, 0)
    assert "no member has the number 9" in messages(members(club, text, people={similar: "9"}))[2]
    assert counts(members(club, text, people={similar: "new"})) == (1, 0, 0, 0)
    assert counts(members(club, text)) == (0, 0, 1, 0)


def test_numbered_names_are_not_similar(club: Club) -> None:
    members(club, "Name\nGuest 1\nAnn Lee\n")
    assert counts(members(club, "Name\nGuest 2\nAnn Berg\nBo Lee\n")) == (3, 0, 0, 0)


def test_a_couple_with_one_address_both_come_in(club: Club) -> None:
    text = "Name;E-mail\nAnna Berg;berg@club.example\nBen Berg;berg@club.example\n"
    assert counts(members(club, text)) == (2, 0, 0, 0)
    assert counts(members(club, text)) == (0, 0, 2, 0)
    renamed = members(club, "Name;E-mail\nAnna Holm;berg@club.example\n")
    assert renamed.rows[0].similar == (("Anna Berg", 1),)


LIST = "Name;Number;E-mail;Phone;Kind\nAnna Berg;1;anna@club.example;0172;guest\n"


def test_an_updated_list_shows_what_differs_and_fills_or_replaces(club: Club) -> None:
    members(club, "Name;Number;Phone\nAnna Berg;1;0171\n")
    kept = members(club, LIST)
    assert counts(kept) == (0, 0, 1, 0)
    assert [one.words for one in sorted(kept.rows[0].problems)] == [
        "stays nothing; the table has 'anna@club.example'",
        "stays '0171'; the table has '0172'",
        "stays 'member'; the table has 'guest'",
    ]
    filled = members(club, LIST, known="fill")
    person = Person.objects.get()
    assert (person.email, person.phone) == ("anna@club.example", "0171")
    assert counts(filled) == (0, 1, 0, 0)
    assert "the table has '0172'" in str(filled.problems)
    replaced = members(club, LIST, known="replace")
    person.refresh_from_db()
    assert (person.phone, person.player.kind) == ("0172", PlayerKind.GUEST)
    assert messages(replaced) == {}
    assert counts(members(club, LIST, known="replace")) == (0, 0, 1, 0)


def test_what_a_list_changed_is_undone_as_one_step(club: Club) -> None:
    members(club, "Name;Number;Phone\nAnna Berg;1;0171\n")
    before = Person.objects.values().get()
    people = {"Anna Bergh": "1"}
    plan = members(
        club,
        LIST.replace("Berg;", "Bergh;").replace("Phone;", "Phone;"),
        known="replace",
        people=people,
    )
    assert (counts(plan), names()) == ((0, 1, 0, 0), ["Anna Bergh"])
    assert FormerDetail.objects.filter(text="Anna Berg").exists()
    log = ImportedObject.objects.latest("pk").source_import
    undo_import(import_id=log.pk, by=DIRECTOR, at=at())
    assert Person.objects.values().get() == before


def test_an_erased_member_leaves_nothing_in_the_log_of_a_list(club: Club) -> None:
    members(club, "Name;Number;Phone\nAnna Berg;1;0171\n")
    members(club, LIST, known="replace")
    player = Person.objects.get().player
    erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=at())
    assert not ImportedObject.objects.filter(model="tournaments.person").exists()


def test_openings_and_nights_ask_about_similar_names_too(club: Club) -> None:
    members(club, "Name\nNora Adams\nBo Holm\n")
    text = "Name;2025-09-12\nNora Adms;1\nBo Holm;2\n"
    for people, expected in ({}, 1), ({"Nora Adms": "1"}, 0):
        plan = bring("nights", club, text, dry_run=True, rule_set="preset:bicycle", people=people)
        asked = [row.similar for row in plan.rows if row.similar]
        assert len(asked) == expected


def test_a_whole_name_may_have_the_surname_first(club: Club) -> None:
    members(club, "Name\nAnna Jansen\n")
    text = "Wer\nJansen Anna\nvan den Berg Bo\nHolm\n"
    plan = members(club, text, mapping={"Wer": "surname_first"})
    assert counts(plan) == (2, 0, 1, 0)
    assert names() == ["Anna Jansen", "Bo van den Berg", "Holm"]
    named = members(club, "Name Vorname;Nr\nJansen Anna;1\n")
    assert counts(named) == (0, 0, 1, 0)


def test_a_list_out_of_a_mail_brings_names_and_addresses(club: Club) -> None:
    text = "1. Anna Berg <anna@club.example>\n2. Bo Holm <bo@club.example>\n"
    plan = members(club, text, header_row=0, columns={"1": "name"})
    assert counts(plan) == (2, 0, 0, 0)
    assert set(Person.objects.values_list("name", "email")) == {
        ("Anna Berg", "anna@club.example"),
        ("Bo Holm", "bo@club.example"),
    }


def workbook(*rows: Sequence[str]) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_half_a_character_of_excel_is_a_problem_of_its_cell(club: Club) -> None:
    data = workbook(["Name", "Note"], ["XX", "a"], ["Bo Holm", "YY"], ["ZZ", "b"])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name).replace(b"XX", b"A_xD800_b").replace(b"YY", b"_xDC00_")
            new.writestr(name, text.replace(b"ZZ", b"Zo_xD83D__xDE00_"))
    plan = members(club, out.getvalue())
    assert [one.row for one in plan.problems] == [2, 3]
    assert {one.column for one in plan.problems} == {1, 2}
    assert names() == ["Zo\U0001f600"]
    assert str(plan.as_data()).encode()
