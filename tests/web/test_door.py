"""The pages at the door, by forms alone: what strangers see there, and how often they may ask."""

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from tests.scoring.club import make_club, make_players
from tests.tournaments.night import make_event
from tests.web.desk import Director, director_of, forms_in
from tests.web.test_desk_nights import words
from tournaments.core.name_folding import fold_name
from tournaments.models import DoorCode, Entry, Event, Person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    caches["default"].clear()


def night() -> tuple[Director, Event, str]:
    club = make_club(is_public=False)
    for player, name in zip(make_players(club, 2), ("Nora Adams", "Bob Baker"), strict=True):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    event = make_event(club, entry_fee=350)
    director = director_of(club)
    page = f"/desk/events/{event.pk}/door/"
    assert director.fill(page, open="1").url == page
    assert DoorCode.objects.get().code in words(director.get(page))
    return director, event, f"/in/{DoorCode.objects.get().code}/"


def send(client: Client, page: Any, path: str, place: int = 0, **values: str) -> Any:
    form = [one for one in forms_in(page, path) if one.method == "post"][place]
    return client.post(path, form.values | values)


def test_a_player_taps_their_name_is_told_the_fee_and_takes_a_mistake_back() -> None:
    _director, event, path = night()
    client = Client()
    page = client.get(path)
    assert "Nora A." in words(page)
    assert "Adams" not in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    player = event.club.players.get(number=1)
    done = client.get(send(client, page, path, player=str(player.pk)).url)
    assert "Nora A., you are checked in." in words(done)
    assert "The entry fee is 3.50 EUR; please pay at the desk." in words(done)
    assert Entry.objects.get().presence == "here"
    (form,) = (one for one in forms_in(done, path) if one.method == "post")
    ticket = done.context["ticket"]
    assert client.post(path, form.values | {"take_back": ticket}).headers["Location"] == path
    assert not Entry.objects.exists()
    assert client.post(path, form.values | {"take_back": ticket + "x"}).status_code == 422


def test_a_guest_types_a_name_and_nothing_that_is_refused_is_lost() -> None:
    _director, _event, path = night()
    client = Client()
    page = client.get(path)
    refused = send(client, page, path, 1, name="x" * 201)
    assert refused.status_code == 422
    assert "x" * 201 in refused.content.decode()
    assert send(client, page, path, 1, name="Zoë <b>Grün").status_code == 302
    assert Person.objects.filter(name="Zoë <b>Grün", player__kind="guest").exists()
    assert "<b>" not in client.get(path).content.decode()


def test_the_code_can_be_typed_and_a_wrong_one_is_said() -> None:
    _director, _event, path = night()
    client = Client()
    code = path.split("/")[2]
    page = client.get("/in/")
    assert send(client, page, "/in/", code=f"{code[:3]} {code[3:]}".lower()).url == path
    wrong = send(client, page, "/in/", code="AAAAAA")
    assert wrong.status_code == 422
    assert "No night has this code." in words(wrong)
    assert client.get(path.lower()).headers["Location"] == path
    assert client.get("/in/AAAAAA/").headers["Location"] == "/in/"


def test_a_door_that_is_turned_off_opens_nothing() -> None:
    director, event, path = night()
    client = Client()
    page = client.get(path)
    assert director.fill(f"/desk/events/{event.pk}/door/", close="1").status_code == 302
    player = event.club.players.get(number=1)
    assert send(client, page, path, player=str(player.pk)).url == "/in/"
    assert not Entry.objects.exists()


def test_codes_cannot_be_tried_for_ever() -> None:
    _director, _event, path = night()
    client = Client()
    answers = [client.get(f"/in/{number:06}/").status_code for number in range(601)]
    assert set(answers[:600]) == {302}
    assert answers[600] == 404
    page = client.get(path)
    late = send(client, page, path, 1, name="Zoë")
    assert late.status_code == 429
    assert "Too many requests at once" in words(late)
    assert not Entry.objects.exists()
