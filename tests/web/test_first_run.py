"""The first run in a browser without scripts: account and club, then the list and round 1."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from scoring.models import Game
from tests.scoring.club import DIRECTOR, START, make_club, make_players
from tests.tournaments.night import make_event
from tests.web.desk import Director, director_of
from tournaments.models import Account, Club, Entry, Event, PlayerKind, Stage
from tournaments.people.members import NewPlayer, add_player
from tournaments.people.setup_code import make_setup_code

pytestmark = pytest.mark.django_db
PATH = "/desk/set-up/"
WHO = {
    "club": "Tuesday Hearts Club",
    "name": "Pat Reed",
    "email": "pat@example.org",
    "password": "four queens in the kitty",
}
NAMES = "Ada Adler, Ann Archer\nCohen; Carl\nConti; Cara\nDora Diaz"


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


def main_of(response: Any) -> str:
    page: str = response.content.decode()
    return page[page.index("<main") : page.index("</main>")]


def begin() -> tuple[Director, str]:
    """Somebody with the first account, and the address of the first night of their club."""
    director = Director()
    answer = director.fill(PATH, code=make_setup_code(at=timezone.now()), **WHO)
    assert answer.status_code == 302, words(answer)
    return director, answer["Location"]


def test_an_empty_installation_speaks_first_to_who_runs_a_night(client: Client) -> None:
    page = main_of(client.get("/"))
    assert page.index(f'"{PATH}"') < page.index('"/t/"') < page.index('"/check/"')
    assert f'"{PATH}"' in main_of(client.get("/desk/sign-in/"))
    director_of(make_club())
    page = main_of(client.get("/"))
    assert PATH not in page
    places = [page.index(f'"{one}"') for one in ("/desk/", "/t/", "/clubs/", "/check/")]
    assert places == sorted(places)
    assert PATH not in main_of(client.get("/desk/sign-in/"))


def test_without_https_the_front_page_says_what_a_browser_cannot_keep(client: Client) -> None:
    assert "without https" in words(client.get("/"))
    assert "without https" not in words(client.get("/", secure=True))


def test_the_first_account_and_its_club_are_made_in_the_browser() -> None:
    director, path = begin()
    club = Club.objects.get()
    assert (club.name, club.currency) == (WHO["club"], "EUR")
    assert path == f"/desk/clubs/{club.pk}/first-night/"
    assert "Who is here tonight?" in words(director.get(path))
    assert f'href="{path}"' in director.get(f"/desk/clubs/{club.pk}/").content.decode()


def test_password_rules_are_said_before_anybody_types() -> None:
    page = Director().get(PATH)
    assert "12 characters or more" in words(page)
    assert b'minlength="12"' in page.content


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"code": "AAAA-AAAA"}, "not the code"),
        ({"password": "password1234"}, "too common"),
        ({"password": "Pat Reed 2026"}, "too similar"),
        ({"email": "pat"}, "valid email"),
        ({"club": " "}, "required"),
        ({"currency": "€"}, "3 char"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    wrong: dict[str, str], said: str
) -> None:
    answer = Director().fill(PATH, **{"code": make_setup_code(at=timezone.now()), **WHO, **wrong})
    assert answer.status_code == 422
    assert said in words(answer)
    kept = "club" if "club" not in wrong else "name"
    assert WHO[kept] in answer.content.decode()
    assert WHO["password"] not in answer.content.decode()
    assert not Account.objects.exists()


def test_after_the_first_account_the_page_is_closed_for_good() -> None:
    director, _path = begin()
    form = {"code": "AAAA-AAAA-AAAA-AAAA", **WHO, "email": "second@example.org"}
    for answer in (director.get(PATH), Client().get(PATH), Client().post(PATH, form)):
        assert answer.status_code == 410
        assert "set up here already" in words(answer)
        assert "no-store" in answer["Cache-Control"]
    assert Account.objects.count() == 1


def test_too_many_wrong_codes_have_to_wait() -> None:
    make_setup_code(at=timezone.now())
    answers = [Director().fill(PATH, code="AAAA", **WHO) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]
    assert "Too many tries" in words(answers[-1])


def test_a_pasted_list_becomes_a_night_whose_first_round_is_played() -> None:
    director, path = begin()
    read = director.fill(path, names=NAMES, read="1")
    assert "5 names read" in words(read)
    assert "1 table of 4" in words(read)
    assert "1 sits out in turn" in words(read)
    assert "about 1:40 hours at 5 minutes a hand" in words(read)
    shorter = director.fill(path, names=NAMES, rounds="2", hands="", read="1")
    assert "1 table of 4" in words(shorter)
    assert "minutes a hand" not in words(shorter)
    answer = director.fill(path, names=NAMES)
    event = Event.objects.get()
    assert answer["Location"] == f"/desk/events/{event.pk}/codes/"
    assert event.rule_set.preset == "bicycle"
    assert event.round_rows.get(number=1).stage == Stage.PLAYING
    assert Game.objects.count() == 1
    entered = Entry.objects.order_by("number").select_related("player__person")
    assert [one.player.person.name for one in entered] == [
        *("Ada Adler", "Ann Archer", "Carl Cohen", "Cara Conti", "Dora Diaz"),
    ]
    assert {one.player.kind for one in entered} == {PlayerKind.MEMBER}
    assert "scan the code" in words(director.get(answer["Location"]))
    assert director.get(path)["Location"] == f"/desk/clubs/{event.club_id}/events/new/"


def test_only_a_doubtful_name_is_asked() -> None:
    director, path = begin()
    text = f"{NAMES}\nAnn Archer"
    answer = director.fill(path, names=text)
    assert answer.status_code == 422
    assert "Ann Archer stands there twice. One person or two?" in words(answer)
    assert answer.content.decode().count("<legend>") == 1
    assert not Event.objects.exists()
    (field,) = set(re.findall(r'name="(who-[^"]+)"', answer.content.decode()))
    director.fill(path, names=text, later="1", **{field: "nobody"})
    assert Entry.objects.count() == 5


def test_namesakes_are_two_people_where_that_is_the_answer() -> None:
    director, path = begin()
    text = f"{NAMES}\nAnn Archer"
    page = director.fill(path, names=text, read="1").content.decode()
    (field,) = set(re.findall(r'name="(who-[^"]+)"', page))
    answer = director.fill(path, names=text, later="1", **{field: "new"})
    event = Event.objects.get()
    assert answer["Location"] == f"/desk/events/{event.pk}/"
    assert Entry.objects.count() == 6
    assert not event.round_rows.exists()


def test_people_whom_the_club_knows_are_not_made_again() -> None:
    director, path = begin()
    club = Club.objects.get()
    known = make_players(club, 4)
    names = [one.person.name for one in known]
    director.fill(path, names="\n".join([*names, "Zoë Zander"]))
    assert club.players.count() == 5
    assert {one.player_id for one in Entry.objects.all()} >= {one.pk for one in known}


def test_namesakes_in_the_club_are_told_apart_by_their_numbers() -> None:
    director, path = begin()
    club = Club.objects.get()
    people = [
        add_player(
            club_id=club.pk, new=NewPlayer(person={"name": "Ann Archer"}), by=DIRECTOR, at=START
        )
        for _ in range(2)
    ]
    answer = director.fill(path, names=NAMES, read="1")
    assert "Which one is Ann Archer?" in words(answer)
    assert "Ann Archer (1)" in words(answer)
    (field,) = set(re.findall(r'name="(who-[^"]+)"', answer.content.decode()))
    director.fill(path, names=NAMES, later="1", **{field: str(people[1].pk)})
    assert Entry.objects.filter(player=people[1]).exists()
    assert not Entry.objects.filter(player=people[0]).exists()


def test_guests_are_entered_as_guests() -> None:
    director, path = begin()
    form = director.form(path)
    del form.values["are_members"]
    director.send(form, names=NAMES, later="1")
    assert set(Club.objects.get().players.values_list("kind", flat=True)) == {PlayerKind.GUEST}


def test_a_file_is_read_into_the_list() -> None:
    director, path = begin()
    file = SimpleUploadedFile("names.csv", b"First name;Surname\nAda;Adler\nBob;Baker\n")
    page = director.fill(path, names="Carl Cohen", file=file, read="1")
    assert "3 names read" in words(page)
    assert "Carl Cohen\nAda Adler\nBob Baker" in page.content.decode()
    wrong = director.fill(path, names=NAMES, file=SimpleUploadedFile("x.csv", b"\n\n"), read="1")
    assert "There is no name in the list." in words(wrong)
    assert "5 names read" in words(wrong)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"names": ""}, "Who is here?"),
        ({"names": "Ada\nBob"}, "Two players cannot make a table"),
        ({"names": NAMES, "rounds": "0"}, "greater than or equal to 1"),
        ({"names": NAMES, "hands": "x"}, "whole number"),
        ({"names": NAMES, "rules": "preset:chess"}, "valid choice"),
    ],
)
def test_a_night_that_cannot_be_is_refused_and_nothing_is_made(
    fields: dict[str, str], said: str
) -> None:
    director, path = begin()
    answer = director.fill(path, **fields)
    assert answer.status_code == 422
    assert said in words(answer)
    assert fields["names"].split("\n")[0] in html.unescape(answer.content.decode())
    club = Club.objects.get()
    assert not club.players.exists()
    assert not club.rule_sets.exists()


def test_the_first_night_is_for_who_runs_the_club() -> None:
    club = make_club()
    path = f"/desk/clubs/{club.pk}/first-night/"
    assert director_of(club, "player", "Ivo Boom").get(path).status_code == 403
    assert director_of(make_club("Another"), name="A stranger").get(path).status_code == 404
    make_event(club)
    assert director_of(club).get(path).status_code == 302
