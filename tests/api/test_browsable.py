"""The browsable API: people who signed in read and change with a browser what programs do."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.api.asking import NOW, Asking, account_of, club_of, role_of, signed_in
from tests.api.desk import Night, taken
from tests.scoring.club import make_club, make_players, make_rules
from tournaments.models import Account, Club, RoleKind

pytestmark = pytest.mark.django_db
CLUBS = "/api/v1/clubs"


@pytest.fixture
def asking() -> Asking:
    asking = signed_in(account_of("nora@club.example"))
    asking.headers["Accept"] = "text/html"
    return asking


def page_of(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"].startswith("text/html")
    return str(answer.content.decode())


def test_a_list_has_its_rows_its_filters_and_a_form_for_another_row(asking: Asking) -> None:
    Club.objects.create(name="Leiden Hearts", is_public=True, created_at="2026-11-21T20:00Z")
    page = page_of(asking.get(CLUBS))
    assert "Leiden Hearts" in page
    assert "&quot;time_zone&quot;" in page
    assert 'name="search"' in page


def test_one_object_has_a_form_for_its_change_only_where_it_may_be_changed(asking: Asking) -> None:
    other = club_of(account_of("victor@club.example"), is_public=True)
    assert "_content" not in page_of(asking.get(f"{CLUBS}/{other.pk}"))
    made = json.loads(asking.post(CLUBS, {"name": "Mine"}, Accept="application/json").content)
    page = page_of(asking.get(f"{CLUBS}/{made['id']}"))
    assert "_content" in page
    assert "currency&quot;: &quot;EUR&quot;" in page, "the answer"


def test_a_form_is_answered_with_a_page_and_so_is_what_is_wrong_with_it(asking: Asking) -> None:
    assert "Leiden Hearts" in page_of(asking.post(CLUBS, {"name": "Leiden Hearts"}), 201)
    assert "KEY_UNKNOWN" in page_of(asking.post(CLUBS, {"nmae": "x"}), 400)


def test_a_page_sends_a_key_with_each_write_and_the_version_that_it_shows(asking: Asking) -> None:
    page = page_of(asking.get(CLUBS))
    assert "js/browsable_api.js" in page
    assert "<style>" not in page


def test_every_address_of_a_night_has_a_page(asking: Asking) -> None:
    club = make_club()
    role_of(Account.objects.get(), club, RoleKind.ADMIN)
    rules = make_rules(club)
    night = {"name": "Tuesday", "starts_at": NOW.isoformat(), "rule_set": str(rules.pk)}
    json_only = {"Accept": "application/json"}
    event = json.loads(asking.post(f"{CLUBS}/{club.pk}/events", night, **json_only).content)
    base = f"/api/v1/events/{event['id']}"
    for player in make_players(club, 4):
        page_of(asking.post(f"{base}/entries", {"player": str(player.pk)}), 201)
    page_of(asking.post(f"{base}/rounds", {}), 201)
    parts = ("", "/entries", "/rounds", "/rounds/1", "/boards", "/fees", "/standings")
    for address in (*(base + part for part in parts), "/api/v1/presets", "/api/v1/switches"):
        page_of(asking.get(address))
    page_of(asking.post(f"{base}/rounds/1/start", {"nobody": "knows this"}), 400)
    page_of(asking.post(f"{base}/rounds/1/start", {}), 201)


@pytest.mark.parametrize("credential", ["Bearer psk_bad", "Basic xx"])
def test_a_wrong_credential_gets_no_page(credential: str) -> None:
    answer = Client().get(CLUBS, headers={"Accept": "text/html", "Authorization": credential})
    assert answer.status_code == 406
    answer = Client().get(CLUBS, headers={"Accept": "*/*", "Authorization": credential})
    assert answer.status_code == 401


def test_a_seat_link_that_is_not_known_gets_no_page() -> None:
    address = f"/api/v1/games/{uuid4()}"
    headers = {"Accept": "text/html", "Authorization": "Seat nobody"}
    assert Client().get(address, headers=headers).status_code == 406
    assert Client().get(address, headers={**headers, "Accept": "*/*"}).status_code == 404


def test_every_address_of_a_game_has_a_page(asking: Asking) -> None:
    night = Night("hoyle_hearts")
    hand = night.enter({"taken": taken("3/2/4/4")})
    role_of(Account.objects.get(email="nora@club.example"), night.club, RoleKind.ADMIN)
    game, one = f"/api/v1/games/{night.game['id']}", f"/api/v1/hands/{hand['id']}"
    parts = ("", "/hands", "/books", "/drafts", "/links", "/papers?hand=1")
    pages = [game + part for part in parts]
    pages += [one + part for part in ("", "/record", "/versions", "/rulings", "/proposals")]
    pages += [f"{CLUBS}/{night.club.pk}/{part}" for part in ("games", "hands?state=disputed")]
    for address in (*pages, "/api/v1/irregularities"):
        page_of(asking.get(address))
