"""The desk: signing in, clubs, and who may come where."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache

from tests.scoring.club import make_club, make_game
from tests.tournaments.night import make_night
from tests.web.desk import Director, director_of, make_account
from tournaments.models import AuditEntry, Club, Role, SignInCount

pytestmark = pytest.mark.django_db

PASSWORD = "a shuffled pack of cards"  # nobody's


@pytest.fixture(autouse=True)
def _no_throttle() -> None:
    cache.clear()


def test_one_signs_in_and_comes_to_where_one_wanted() -> None:
    make_account(password=PASSWORD)
    director = Director()
    stopped = director.get("/desk/clubs/new/")
    assert stopped.headers["Location"] == "/desk/sign-in/?next=%2Fdesk%2Fclubs%2Fnew%2F"
    sign_in = stopped.headers["Location"]
    form = {"email": "Nora.Adams@example.org", "password": PASSWORD}
    inside = director.fill(sign_in, "sign-in", **form)
    assert inside.headers["Location"] == "/desk/clubs/new/"
    assert director.get("/desk/clubs/new/").status_code == 200
    director.fill("/desk/", "sign-out")
    assert director.get("/desk/").status_code == 302


@pytest.mark.parametrize("wanted", ["https://elsewhere.example/", "//elsewhere.example/", "javas"])
def test_signing_in_never_leads_elsewhere(wanted: str) -> None:
    make_account(password=PASSWORD)
    director = Director()
    form = {"email": "nora.adams@example.org", "password": PASSWORD, "next": wanted}
    inside = director.fill("/desk/sign-in/", "sign-in", **form)
    assert not inside.headers["Location"].startswith(("https:", "//"))


def test_a_wrong_password_says_so_and_five_lock_for_a_while() -> None:
    make_account(password=PASSWORD)
    director = Director()
    form = {"email": "nora.adams@example.org", "password": "not this one"}
    for _ in range(5):
        answer = director.fill("/desk/sign-in/", "sign-in", **form)
        assert answer.status_code == 422
        assert "This address and password do not match." in answer.content.decode()
    answer = director.fill("/desk/sign-in/", "sign-in", **form | {"password": PASSWORD})
    assert answer.status_code == 429
    assert "Wait 15 minutes" in answer.content.decode()
    assert PASSWORD not in answer.content.decode()
    assert set(SignInCount.objects.values_list("tries", flat=True)) == {5}


def test_one_gives_oneself_another_password() -> None:
    make_account(password=PASSWORD)
    here, elsewhere = Director(), Director()
    form = {"email": "nora.adams@example.org", "password": PASSWORD}
    for director in (here, elsewhere):
        director.fill("/desk/sign-in/", "sign-in", **form)
    path, other = "/desk/password/", "a new pack of cards"
    wrong = {"password": "wrong", "new_password": other}
    refused = here.fill(path, "", **wrong)
    assert refused.status_code == 422
    assert 'id="id_password_error"' in refused.content.decode()
    too_short = "short"
    poor = here.fill(path, "", password=PASSWORD, new_password=too_short)
    assert 'id="id_new_password_error"' in poor.content.decode()
    assert PASSWORD not in poor.content.decode()
    done = here.fill(path, "", password=PASSWORD, new_password=other)
    assert done.headers["Location"] == "/desk/"
    assert "Your password has been changed. Everywhere else" in here.get("/desk/").content.decode()
    assert elsewhere.get("/desk/").status_code == 302
    assert Director().get("/desk/password/").status_code == 302


def test_a_form_from_elsewhere_does_nothing() -> None:
    director = Director(make_account())
    director.client.handler.enforce_csrf_checks = True
    form = director.form("/desk/clubs/new/")
    form.values["csrfmiddlewaretoken"] = ["x" * 64]
    refused = director.send(form, name="Leiden")
    assert refused.status_code == 403
    assert not Club.objects.exists()


def test_a_club_is_founded_once_however_often_the_button_is_tapped() -> None:
    director = Director(make_account())
    form = director.form("/desk/clubs/new/")
    first = director.send(form, name="Leiden Hearts", currency="eur")
    second = director.send(form, name="Leiden Hearts", currency="eur")
    club = Club.objects.get()
    where = f"/desk/clubs/{club.pk}/"
    assert first.headers["Location"] == second.headers["Location"] == where
    assert (club.currency, Role.objects.get().kind) == ("EUR", "admin")
    assert AuditEntry.objects.get(what="club founded").source == "page"
    assert "Leiden Hearts" in director.get("/desk/").content.decode()
    assert "club created" in director.get(f"{where}trail/").content.decode()


def test_a_notice_is_shown_once_and_travels_in_no_cookie() -> None:
    club = make_club()
    director = director_of(club, "admin")
    path = f"/desk/clubs/{club.pk}/settings/"
    form = director.form(path)
    for _ in range(2):
        sent = director.send(form, name="Hearts of Leiden")
        assert "messages" not in sent.cookies
    assert director.get(f"/desk/clubs/{club.pk}/").content.decode().count("Saved.") == 1
    assert "Saved." not in director.get(f"/desk/clubs/{club.pk}/").content.decode()


def test_what_is_wrong_is_said_at_its_field() -> None:
    director = Director(make_account())
    answer = director.fill("/desk/clubs/new/", name="", currency="12€")
    words = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="id_name_error"' in words
    assert "A currency has three capital letters" not in words or 'id="id_currency_error"' in words
    answer = director.fill("/desk/clubs/new/", name="Leiden", currency="12€")
    assert 'id="id_currency_error"' in answer.content.decode()
    assert 'value="Leiden"' in answer.content.decode()


def test_who_was_overtaken_sees_what_differs() -> None:
    club = make_club()
    director = director_of(club, "admin")
    path = f"/desk/clubs/{club.pk}/settings/"
    form = director.form(path)
    director.fill(path, name="Leiden Hearts and Spades")
    late = director.send(form, name="Hearts of Leiden")
    words = late.content.decode()
    assert late.status_code == 422
    assert "Leiden Hearts and Spades" in words
    assert "Hearts of Leiden" in words
    assert Club.objects.get().name == "Leiden Hearts and Spades"
    again = Club.objects.get().version
    assert f'name="version" value="{again}"' in words


def test_every_page_asks_for_its_right() -> None:
    """Strangers are told nothing, members without the right that it is not for them."""
    event = make_night(4)
    club, game = event.club, make_game(event.club)
    entry = event.entries.get(number=1)
    inner = [
        f"/desk/events/{event.pk}/",
        f"/desk/events/{event.pk}/settings/",
        f"/desk/events/{event.pk}/floor/",
        f"/desk/events/{event.pk}/entries/{entry.pk}/",
        f"/desk/clubs/{club.pk}/events/new/",
        f"/desk/games/{game.pk}/",
    ]
    visitor, stranger = Director(), Director(make_account("Stranger"))
    player, director = director_of(club, "player", "A Player"), director_of(club)
    for path in [*inner, f"/desk/clubs/{club.pk}/"]:
        assert visitor.get(path).status_code == 302
        assert stranger.get(path).status_code == 404
        assert director.get(path).status_code in (200, 204), path
    assert player.get(f"/desk/clubs/{club.pk}/").status_code == 200
    for path in inner:
        assert player.get(path).status_code == 403
    for path in (f"/desk/events/{uuid4()}/", f"/desk/hands/{uuid4()}/"):
        assert director.get(path).status_code == 404
        assert visitor.get(path).status_code == 302
    assert director.get(f"/desk/clubs/{club.pk}/settings/").status_code == 403


def test_nothing_of_the_desk_is_kept_by_browsers_or_proxies() -> None:
    director: Any = Director(make_account())
    assert "no-store" in director.get("/desk/").headers["Cache-Control"]
