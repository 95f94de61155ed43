"""Members that are exported and imported again: nobody is lost, nobody is two people."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES
from scoring.models import Sitting
from scoring.transfer.exporting import ExportRequest, export
from tests.examples import examples
from tests.scoring.archives import bring, file, game
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.imports.tables import counts, members, messages, openings
from tournaments.models import Club, League, LeagueMember, Player, PlayerKind
from tournaments.people.members import NewPlayer, add_player, change_player, erase_person

pytestmark = pytest.mark.django_db

NAMES = st.sampled_from(["Anna Jansen", "anna jansen", "Jansen, Anna", "Łukasz Ødegård", "=Ann"])
PEOPLE = st.lists(
    st.fixed_dictionaries(
        {
            "name": NAMES,
            "email": st.sampled_from(["", "couple@club.example", "Ann@club.example"]),
            "phone": st.sampled_from(["", "+31 6 1234", "007"]),
            "note": st.sampled_from(["", "=1+1", 'says "hi"; often']),
            "kind": st.sampled_from(sorted(PlayerKind.values)),
            "left": st.booleans(),
        }
    ),
    max_size=8,
)


def people(club: Club) -> list[tuple[Any, ...]]:
    """Everything that a club knows of its members, by number; when they came and left, by days."""
    rows = Player.objects.filter(club=club, merged_into=None, person__isnull=False)
    person = ("person__name", "person__email", "person__phone", "person__note")
    fields = ("number", *person, "kind", "created_at__date", "left_at__date")
    return list(rows.order_by("number").values_list(*fields))


def names(club: Club) -> list[str]:
    return [row[1] for row in people(club)]


@given(PEOPLE, st.sampled_from(["csv", "xlsx", "ods"]))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_exported_members_come_in_again_as_the_same_people(
    given_people: list[dict[str, Any]], form: str
) -> None:
    club, other = make_club(), make_club()
    for one in given_people:
        person = {key: one[key] for key in ("name", "email", "phone", "note")}
        new = NewPlayer(person=person, kind=one["kind"])
        player = add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
        if one["left"]:
            gone = {"left": True}
            change_player(player_id=player.pk, changes=gone, version=1, by=DIRECTOR, at=at(3))
    data = b"".join(export(club, ExportRequest(what="members", format=form), at()).pieces)
    found = members(other, data)
    assert (found.problems, people(other)) == ([], people(club))
    assert counts(found) == (len(given_people), 0, 0, 0)
    again = members(club, data)
    assert (counts(again), again.problems) == ((0, 0, len(given_people), 0), [])


def test_an_erased_member_is_not_brought_as_a_person() -> None:
    club, other = make_club(), make_club()
    player = add_player(
        club_id=club.pk, new=NewPlayer(person={"name": "Ann"}), by=DIRECTOR, at=at()
    )
    erase_person(player_id=player.pk, version=1, by=DIRECTOR, at=at())
    data = b"".join(export(club, ExportRequest(what="members", format="csv"), at()).pieces)
    found = members(other, data)
    assert not people(other)
    assert "was erased" in messages(found)[2]


@pytest.mark.parametrize(
    ("head", "row", "name"),
    [
        ("Name;Vorname", "Grün;Zoë", "Zoë Grün"),
        ("Vorname;Name", "Zoë;Grün", "Zoë Grün"),
        ("Nachname;Vorname", "Grün;Zoë", "Zoë Grün"),
        ("Surname;First name", "Grün;Zoë", "Zoë Grün"),
        ("First_Name;Last_Name", "Zoë;Grün", "Zoë Grün"),
        ("FAMILY NAME;Given-Name", "Grün;Zoë", "Zoë Grün"),
        ("Name;Surname", "Zoë;Grün", "Zoë Grün"),
        ("Mitglied;Vorname", "Grün;Zoë", "Zoë Grün"),
        ("Name;Vorname", "Zoë Grün;Zoë", "Zoë Grün"),
        ("Name;Vorname", "Grün, Zoë;Zoë", "Grün, Zoë"),
        ("Full name;Vorname;Name", "Zoë Grün;Zoë;Grün", "Zoë Grün"),
        ("Name;Vorname", "Grün;", "Grün"),
        ("Vorname;Handy", "Zoë;1", "Zoë"),
    ],
)
def test_a_name_in_two_columns_is_one_name(head: str, row: str, name: str) -> None:
    club = make_club()
    assert not members(club, f"{head}\n{row}\n").problems
    assert names(club) == [name]


def test_surnames_alone_are_refused() -> None:
    with pytest.raises(Exception, match="column of surnames"):
        members(make_club(), "Nachname;Handy\nGrün;1\n")


def test_namesakes_without_numbers_are_reported_and_never_merged() -> None:
    club = make_club()
    found = members(club, "Name;Phone\nAnn;1\nAnn;2\n")
    assert counts(found) == (1, 0, 0, 1)
    assert "row 2 is about 'Ann' already" in messages(found)[3]
    assert len(people(club)) == 1


def test_namesakes_are_told_apart_by_their_numbers_in_any_order() -> None:
    club = make_club()
    assert counts(members(club, "Nr;Name\n5;Ann\n")) == (1, 0, 0, 0)
    found = members(club, "Nr;Name\n3;Ann\n5;Ann\n")
    assert (counts(found), found.problems) == ((1, 0, 1, 0), [])
    assert [row[0] for row in people(club)] == [3, 5]
    unclear = members(club, "Name\nAnn\n")
    assert "more than one is called so" in messages(unclear)[2]


def test_a_number_of_somebody_else_is_replaced_and_reported() -> None:
    club = make_club()
    members(club, "No;Name\n1;Bob\n2;Cy\n")
    found = members(club, "No;Name\n1;Ann\nA-7;Dan\n")
    assert counts(found) == (2, 0, 0, 0)
    assert messages(found)[2] == "the number 1 is somebody else's here; the new number is 3"
    assert "'A-7' is no member number" in messages(found)[3]
    known_otherwise = members(club, "No;Name\n9;Bob\n")
    assert "known as number 1, not 9" in messages(known_otherwise)[2]
    assert len(people(club)) == 4


def test_a_dry_run_says_what_the_import_does() -> None:
    text = "No;Name\n4;Ann\n4;Bob\n;Cy\n5;Cy\n;Cy\n"
    club = make_club()
    tried = members(club, text, dry_run=True)
    assert not people(club)
    done = members(club, text)
    assert (tried.as_data(), tried.problems) == (done.as_data(), done.problems)


def test_openings_of_namesakes_are_told_apart_by_number() -> None:
    club = make_club()
    members(club, "No;Name\n1;Ann\n2;Ann\n")
    league = League.objects.create(club=club, name="Spring", created_at=at())
    table = "No;Name;Points\n1;Ann;3\n;Ann (2);4\n;Ann;5\n3;Ann;6\n"
    found = openings(league, table)
    brought = LeagueMember.objects.values_list("player__number", "opening")
    assert dict(brought) == {1: "3", 2: "4"}
    assert sorted(messages(found)) == [4, 5]


def test_a_record_of_a_namesake_says_who_was_meant() -> None:
    first, name = game(TABLES[0], 1, hands=1)[0], "Adams, Nora"
    club = make_club()
    people_of_club = [
        add_player(club_id=club.pk, new=NewPlayer(person={"name": name}), by=DIRECTOR, at=at())
        for _ in range(2)
    ]
    report = bring(club, file([first]))
    assert [problem.message for problem in report.problems] == [
        f'2 members are called {name}; number 1 was taken, and "{name} (2)" means number 2'
    ]
    assert report.hands == 1
    other = first.replace(name, f"{name} (2)")
    assert not bring(club, file([other])).problems
    sat = Sitting.objects.filter(player__in=people_of_club).order_by("game__opened_at", "id")
    assert {row.player.number for row in sat} == {1, 2}
