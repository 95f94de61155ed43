"""My season: how a player's device comes in, and what it shows."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.games.links import digest_token
from scoring.models import PlayerPhone
from scoring.web.my.devices import COOKIE
from tests.scoring.club import DIRECTOR
from tests.web.desk import director_of
from tests.web.window import NAMES, Window, make_window
from tournaments import publishing
from tournaments.models import (
    AuditEntry,
    Club,
    Event,
    Person,
    Player,
    PlayerDevice,
    PlayerSignInCode,
    Shown,
    SignInWay,
)
from tournaments.people import members, player_devices
from tournaments.people.player_devices import OWN_CODE_LIFE

pytestmark = pytest.mark.django_db


@pytest.fixture
def window() -> Window:
    return make_window()


def signed_in(player: Player) -> Client:
    made = player_devices.sign_in_device(player_id=player.pk, way=SignInWay.CODE, at=timezone.now())
    client = Client()
    client.cookies[COOKIE] = made.token
    return client


def words(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def phone_of(window: Window, player: Player) -> str:
    """The token of a phone that follows a player."""
    at = timezone.now()
    PlayerPhone.objects.create(
        event=window.event, player=player, digest=digest_token("own phone"), made_at=at, used_at=at
    )
    return "own phone"


def code_for(player: Player, life: timedelta = OWN_CODE_LIFE) -> str:
    return player_devices.make_code(player_id=player.pk, life=life, by=DIRECTOR, at=timezone.now())


def test_who_is_not_signed_in_is_told_how(client: Client) -> None:
    answer = client.get("/my/")
    assert answer["Location"] == "/my/sign-in"
    page = client.get("/my/sign-in")
    assert "With a code" in words(page)
    assert page["Cache-Control"] == "private, no-store"


def test_a_phone_that_follows_its_player_opens_their_season(window: Window) -> None:
    client = Client()
    answer = client.post("/my/phone", {"phone": phone_of(window, window.players[1])})
    assert answer["Location"] == "/my/"
    kept = client.cookies[COOKIE]
    assert (kept["httponly"], kept["samesite"], kept["path"]) == (True, "Lax", "/my/")
    assert kept.value not in str(list(PlayerDevice.objects.values()))
    assert NAMES[1] in words(client.get("/my/"))
    assert AuditEntry.objects.filter(what="device signed in").exists()


def test_a_cookie_is_for_https_alone_where_there_is_https(window: Window, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client = Client()
    client.post("/my/phone", {"phone": phone_of(window, window.players[1])})
    assert client.cookies[COOKIE]["secure"]


@pytest.mark.parametrize("ended", ["revoked_at", "replaced_at"])
def test_a_phone_that_follows_nobody_any_more_opens_nothing(window: Window, ended: str) -> None:
    token = phone_of(window, window.players[1])
    PlayerPhone.objects.update(**{ended: timezone.now()})
    client = Client()
    answer = client.post("/my/phone", {"phone": token})
    assert answer["Location"] == "/my/sign-in"
    assert COOKIE not in client.cookies


def test_a_phone_that_lies_on_the_table_opens_nobodys_season(window: Window) -> None:
    client = Client()
    for token in ("", "x" * 500, str(window.game.pk)):
        assert client.post("/my/phone", {"phone": token})["Location"] == "/my/sign-in"
    assert not PlayerDevice.objects.exists()


def test_a_code_signs_one_device_in_once(window: Window) -> None:
    code = code_for(window.players[2])
    client = Client()
    typed = code.lower().replace("-", " ")
    assert client.post("/my/sign-in", {"code": typed})["Location"] == "/my/"
    assert NAMES[2] in words(client.get("/my/"))
    again = Client().post("/my/sign-in", {"code": code})
    assert again.status_code == 422
    assert "No such code" in words(again)


def test_a_code_ends(window: Window) -> None:
    code = code_for(window.players[2], life=timedelta(0))
    assert Client().post("/my/sign-in", {"code": code}).status_code == 422
    assert player_devices.forget(at=timezone.now()) == 1
    assert not PlayerSignInCode.objects.exists()


def test_a_new_code_ends_the_one_before_and_none_is_stored(window: Window) -> None:
    first, second = code_for(window.players[2]), code_for(window.players[2])
    assert Client().post("/my/sign-in", {"code": first}).status_code == 422
    kept = str(list(PlayerSignInCode.objects.values())) + str(list(AuditEntry.objects.values()))
    assert second not in kept
    assert second.replace("-", "") not in kept


def test_who_guesses_codes_has_to_wait() -> None:
    caches["default"].clear()
    client = Client()
    answers = [client.post("/my/sign-in", {"code": f"ABCD-EF{n:02d}"}) for n in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {422}
    assert answers[60].status_code == 429
    assert int(answers[60]["Retry-After"]) > 0
    # Codes of tables are counted with them.
    assert client.post("/t/open", {"code": "ABCD-EFGH"}).status_code == 429
    caches["default"].clear()


def test_a_browser_is_signed_in_as_one_player_at_a_time(window: Window) -> None:
    client = signed_in(window.players[0])
    client.post("/my/sign-in", {"code": code_for(window.players[1])})
    assert [row.player for row in PlayerDevice.objects.all()] == [window.players[1]]


def test_a_device_that_nobody_used_for_long_is_signed_out(window: Window) -> None:
    client = signed_in(window.players[0])
    long_ago = timezone.now() - player_devices.UNUSED_LIFE
    PlayerDevice.objects.update(used_at=long_ago)
    assert client.get("/my/").status_code == 302
    assert player_devices.forget(at=timezone.now()) == 1


def test_a_further_device_signs_out_the_one_used_longest_ago(window: Window) -> None:
    first = signed_in(window.players[0])
    PlayerDevice.objects.update(used_at=timezone.now() - timedelta(days=1))
    for _number in range(player_devices.DEVICES_MOST):
        signed_in(window.players[0])
    assert PlayerDevice.objects.count() == player_devices.DEVICES_MOST
    assert first.get("/my/").status_code == 302


def test_a_player_lists_their_devices_and_signs_them_out(window: Window) -> None:
    here, there = signed_in(window.players[0]), signed_in(window.players[0])
    stranger = signed_in(window.players[1])
    page = words(here.get("/my/settings"))
    assert page.count("By a code") == 2
    rows = PlayerDevice.objects.filter(player=window.players[0]).order_by("made_at")
    stranger.post("/my/sign-out", {"device": rows[1].pk})
    assert there.get("/my/").status_code == 200
    here.post("/my/sign-out", {"device": rows[1].pk})
    assert there.get("/my/").status_code == 302
    here.post("/my/sign-out", {"device": rows[0].pk})
    assert here.get("/my/").status_code == 302


def test_a_signed_in_device_makes_a_code_for_another(window: Window) -> None:
    client = signed_in(window.players[0])
    page = client.post("/my/settings", {"code": "1"})
    code = words(page).partition('own-code">')[2].partition("<")[0]
    assert len(code) == 9
    assert Client().post("/my/sign-in", {"code": code})["Location"] == "/my/"


def test_a_merged_player_stays_signed_in_as_whom_they_turned_out_to_be(window: Window) -> None:
    duplicate = Player.objects.create(club=window.club, number=99, created_at=timezone.now())
    Person.objects.create(player=duplicate, name="Bo L.", sought="bo l")
    client = signed_in(duplicate)
    members.merge_player(
        player_id=duplicate.pk,
        into=window.players[1].pk,
        version=duplicate.version,
        by=DIRECTOR,
        at=timezone.now(),
    )
    assert NAMES[1] in words(client.get("/my/"))


def test_an_erased_person_is_signed_out_everywhere(window: Window) -> None:
    client = signed_in(window.players[0])
    code = code_for(window.players[0])
    player = Player.objects.get(pk=window.players[0].pk)
    members.erase_person(
        player_id=player.pk, version=player.version, by=DIRECTOR, at=timezone.now()
    )
    assert client.get("/my/").status_code == 302
    assert Client().post("/my/sign-in", {"code": code}).status_code == 422


def test_the_page_shows_the_night_the_season_and_opponents(window: Window) -> None:
    page = words(signed_in(window.players[0]).get("/my/"))
    for words_shown in ("Last night", "Winter", "Against", "nights count", "nights to come"):
        assert words_shown in page, words_shown
    assert f"/e/{window.event.pk}/" in page


def test_others_appear_as_strangers_see_them(window: Window) -> None:
    page = words(signed_in(window.players[0]).get("/my/"))
    assert NAMES[0] in page
    assert not any(name in page for name in NAMES[1:])


def test_a_device_sees_no_more_of_the_club_than_a_stranger(window: Window) -> None:
    Club.objects.update(is_public=False)
    client = signed_in(window.players[0])
    assert client.get("/my/").status_code == 200
    assert f"/e/{window.event.pk}/" not in words(client.get("/my/"))
    for name, address in window.addresses.items():
        assert client.get(address).status_code == 404, name


def test_a_hidden_night_is_shown_to_who_played_it_without_a_link(window: Window) -> None:
    Event.objects.update(is_hidden=True)
    page = words(signed_in(window.players[0]).get("/my/"))
    assert "Last night" in page
    assert f"/e/{window.event.pk}/" not in page
    assert f"/l/{window.league.pk}/" not in page


def test_who_is_new_is_told_that_nothing_has_been_played() -> None:
    window = make_window()
    new = Player.objects.create(club=window.club, number=50, created_at=timezone.now())
    Person.objects.create(player=new, name="Una New", sought="una new")
    page = words(signed_in(new).get("/my/"))
    assert "Last night" not in page
    assert "Una New" in page


def test_a_view_takes_a_fixed_number_of_queries_and_counts_no_hands(
    window: Window, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(window.players[0])
    while publishing.publish_due(clock=timezone.now, scopes=publishing.STATISTICS):
        pass
    client.get("/my/")
    with django_assert_num_queries(31):
        client.get("/my/")


def test_a_player_chooses_what_strangers_see(window: Window) -> None:
    player = window.players[0]
    client = signed_in(player)
    assert Client().get(f"/p/{player.pk}/").status_code == 200
    answer = client.post("/my/settings", {"shown": Shown.HIDDEN})
    assert answer["Location"] == "/my/settings"
    assert Client().get(f"/p/{player.pk}/").status_code == 404
    entry = AuditEntry.objects.filter(what="player changed").get()
    assert entry.by == f"player:{player.pk}"


def test_only_who_can_be_sent_results_is_asked_about_them(window: Window, settings: Any) -> None:
    client = signed_in(window.players[0])
    assert 'name="gets_results"' not in words(client.get("/my/settings"))
    Person.objects.filter(player=window.players[0]).update(email="ann@example.org")
    assert 'name="gets_results"' not in words(client.get("/my/settings"))
    settings.EMAIL_HOST = "mail.example.org"
    assert 'name="gets_results"' in words(client.get("/my/settings"))
    client.post("/my/settings", {"shown": Shown.SHORT, "gets_results": "on"})
    assert Person.objects.get(player=window.players[0]).gets_results


def test_the_desk_gives_a_player_a_code(window: Window) -> None:
    director = director_of(window.club)
    page = f"/desk/clubs/{window.club.pk}/members/{window.players[3].pk}/"
    director.fill(page, code="1")
    code = words(director.get(page)).partition("The code is ")[2].partition(".")[0]
    assert Client().post("/my/sign-in", {"code": code})["Location"] == "/my/"
