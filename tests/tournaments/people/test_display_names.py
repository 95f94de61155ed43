"""Namesakes: whose name is told with a number, and whose is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import make_club, make_players
from tournaments.models import Person, Player
from tournaments.people.display_names import distinct_names, shared_names, table_names

pytestmark = pytest.mark.django_db

ANNA = "Jansen, Anna"


def call(name: str, *players: Player) -> None:
    Person.objects.filter(player__in=players).update(name=name)


def test_only_a_name_that_several_of_this_club_have_gets_a_number() -> None:
    club = make_club()
    one, two, other = make_players(club, 3)
    call(ANNA, one, two)
    found = distinct_names(club, [one.pk, two.pk, other.pk])
    assert found == {
        str(one.pk): "Jansen, Anna (1)",
        str(two.pk): "Jansen, Anna (2)",
        str(other.pk): "Player 3",
    }


def test_a_name_of_another_club_is_no_namesake() -> None:
    club, elsewhere = make_club(), make_club()
    call(ANNA, *make_players(club, 1), *make_players(elsewhere, 1))
    assert shared_names(club) == shared_names(elsewhere) == frozenset()


def test_who_was_merged_or_erased_is_nobodys_namesake() -> None:
    club = make_club()
    one, duplicate, former = make_players(club, 3)
    call(ANNA, one, duplicate)
    Player.objects.filter(pk=duplicate.pk).update(merged_into=one)
    Person.objects.filter(player=former).delete()
    assert shared_names(club) == frozenset()
    found = distinct_names(club, [one.pk, duplicate.pk, former.pk])
    assert list(found.values()).count(ANNA) == 2
    assert found[str(former.pk)] == "Former member 3"


def test_the_question_costs_two_queries(django_assert_num_queries: object) -> None:
    club = make_club()
    players = make_players(club, 5)
    call(ANNA, *players)
    assert callable(django_assert_num_queries)
    with django_assert_num_queries(2):
        assert len(set(distinct_names(club, [one.pk for one in players]).values())) == 5


def test_strangers_share_the_names_that_they_see() -> None:
    club = make_club()
    one, two, hidden, full = make_players(club, 4)
    for player, name in zip((one, two, hidden), ("Klein, Anna", "Kurz, Anna", ANNA), strict=True):
        call(name, player)
    call("Anna K.", full)
    Person.objects.filter(player=hidden).update(shown="hidden")
    Person.objects.filter(player=full).update(shown="full")
    everybody = [one.pk, two.pk, hidden.pk, full.pk]
    assert list(distinct_names(club, everybody, in_full=False).values()).count("Player 3") == 1
    assert distinct_names(club, everybody, in_full=False)[str(one.pk)] == "Anna K. (1)"
    assert distinct_names(club, everybody, in_full=False)[str(full.pk)] == "Anna K. (4)"
    assert distinct_names(club, everybody)[str(one.pk)] == "Klein, Anna"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Fay Abel", "Stone, Ed", "Kim"], ["Fay", "Ed", "Kim"]),
        (["Fay Abel", "Ed Stone", "Miller, Ed"], ["Fay", "Ed S.", "Ed M."]),
        (["Ed Stone", "Ed Sander", "Ed Miller"], ["Ed Stone", "Ed Sander", "Ed M."]),
        (["Ed Stone", "Ed Stone", "Ed"], ["Ed Stone (1)", "Ed Stone (2)", "Ed"]),
        (["J. Smith", "Nora J. Adams", "Player 7"], ["J. Smith", "Nora", "Player 7"]),
        (["Nora Jane Adams", "Zoë", "王芳"], ["Nora", "Zoë", "王芳"]),
    ],
)
def test_at_a_table_people_are_called_by_first_names_told_apart(
    names: list[str], shown: list[str]
) -> None:
    rows = make_players(make_club(), len(names))
    for name, row in zip(names, rows, strict=True):
        call(name, row)
    assert table_names(joined(rows)) == shown


def test_who_was_erased_keeps_the_number_at_the_table() -> None:
    one, two = rows = make_players(make_club(), 2)
    call("Fay Abel", one)
    Person.objects.filter(player=two).delete()
    assert table_names(joined(rows)) == ["Fay", "Former member 2"]


@given(st.lists(st.text("EdS ", min_size=1).filter(str.strip), min_size=1, max_size=6))
def test_no_two_at_a_table_are_called_the_same(names: list[str]) -> None:
    rows = [Player(number=number) for number, _name in enumerate(names, start=1)]
    for row, name in zip(rows, names, strict=True):
        Person(player=row, name=name.strip())
    found = table_names(rows)
    assert len(set(found)) == len(names)


def joined(rows: list[Player]) -> list[Player]:
    found = Player.objects.select_related("person").in_bulk([row.pk for row in rows])
    return [found[row.pk] for row in rows]
