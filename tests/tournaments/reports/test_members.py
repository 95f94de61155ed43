"""The members of a club as a file: to write to, and to bring in again in either language."""

import pytest
from django.utils import translation

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.scoring.reports.reading import csv_rows, read
from tests.tournaments.imports.tables import bring
from tests.tournaments.publishing.nights import Night
from tournaments.models import Club, Person, Player
from tournaments.people.members import NewPlayer, add_player, change_player
from tournaments.reports.members import members
from tournaments.tables.csv_writer import write_csv
from tournaments.tables.model import Workbook

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """A member who left, a guest and a visitor."""
    found = make_club()
    for name, kind in (("Ann Berg", "member"), ("Bo Dahl", "guest"), ("Cy Ek", "visitor")):
        person = {"name": name, "email": f"{name[:2]}@club.example", "phone": "1", "note": "n"}
        new = NewPlayer(person=person, kind=kind)
        player = add_player(club_id=found.pk, new=new, by=DIRECTOR, at=at())
        if kind == "member":
            gone = {"left": True}
            change_player(player_id=player.pk, changes=gone, version=1, by=DIRECTOR, at=at(3))
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_list_in_either_language_comes_in_again(club: Club, language: str) -> None:
    other = make_club("Other")
    with translation.override(language):
        table = members(club)
        people = tuple(column for column in table.columns if not column.is_id)
        whole = Workbook((type(table)(table.title, people, table.records),))
        data = b"".join(write_csv(whole))
    brought = bring("members", other, data)
    assert (list(brought.problems), list(brought.unused)) == ([], [])
    fields = ("number", "kind", "person__name", "person__email", "person__phone", "person__note")
    days = ("created_at__date", "left_at__date")
    both = [
        list(Player.objects.filter(club=one).order_by("number").values_list(*fields, *days))
        for one in (club, other)
    ]
    assert both[0] == both[1]


def test_days_and_kinds_are_as_people_write_them(club: Club) -> None:
    first, second, third = csv_rows(members(club))
    assert (first["Joined"], first["Left"]) == (str(at().date()), str(at(3).date()))
    assert [row["Kind"] for row in (first, second, third)] == ["Member", "Guest", "Visitor"]


def test_of_an_event_they_are_those_who_entered_or_sat_there() -> None:
    club = make_club()
    night = Night(club=club, players=4)
    absent, sat, whole = make_players(club, 3)
    (game,) = night.seat(1)
    night.play(game, [13, 0, 0, 0])
    game.refresh_from_db()
    game_results = night.players[0].results.all()
    game_results.update(player=sat)
    Player.objects.filter(pk=sat.pk).update(merged_into=whole)
    Person.objects.filter(player=sat).delete()
    found = {row["number"] for row in read(members(club, event=night.event.pk))}
    assert found == {player.number for player in (*night.players, whole)}
    assert absent.number not in found
