"""The first steps of somebody who has read nothing: accounts, nights like the last, codes."""

import html
import re
from datetime import UTC, datetime
from typing import Any

import pytest
import segno
from django.test import Client

from config.running import addresses
from scoring.handouts.seating import reaches_phones
from tests.scoring.club import make_club, make_rules
from tests.tournaments.night import draw, make_event, make_night, start
from tests.web.desk import director_of
from tournaments.models import Account, Club, Event
from tournaments.tables.press import QUIET, squares

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


def test_the_front_page_leads_to_the_desk_the_table_and_the_clubs(client: Client) -> None:
    page = client.get("/").content.decode()
    for address in ("/desk/", "/t/", "/clubs/", "/check/"):
        assert f'href="{address}"' in page
        assert client.get(address, follow=True).status_code == 200


def test_where_nobody_has_an_account_it_is_said_how_to_make_one(client: Client) -> None:
    assert "manage.py demo" in words(client.get("/desk/sign-in/"))
    director_of(make_club())
    assert Account.objects.exists()
    assert "manage.py" not in words(client.get("/desk/sign-in/"))


def test_a_night_is_set_up_as_the_last_one(client: Client) -> None:
    club = make_club()
    rules = make_rules(club)
    director, path = director_of(club), f"/desk/clubs/{club.pk}/events/new/"
    assert "Everything is filled in as for" not in words(director.get(path))
    director.fill(
        path, name="First", rounds="7", movement="swiss", top_first="on", scoring_method="chips"
    )
    assert "Everything is filled in as for First" in words(director.get(path))
    director.fill(path)
    first, second = Event.objects.order_by("pk")
    for name in ("rounds", "movement", "wishes", "scoring", "prizes", "sizes", "rule_set_id"):
        assert getattr(first, name) == getattr(second, name), name
    assert second.name != "First"
    assert re.fullmatch(r"[A-Z][a-z]+day \d+ [A-Z][a-z]+", second.name)
    rules.retired_at = datetime(2026, 1, 1, tzinfo=UTC)
    rules.save()
    make_rules(club, "hoyle_hearts")
    assert director.fill(path).status_code == 302
    # Were there no event, this test should fail here.
    assert Event.objects.order_by("pk").last().rule_set.preset == "hoyle_hearts"  # type: ignore[union-attr]


def test_phones_scan_the_table_from_the_screen() -> None:
    event = make_night(8, sizes=[4])
    director, path = director_of(event.club), f"/desk/events/{event.pk}/codes/"
    assert "No codes yet" in words(director.get(path))
    draw(event)
    start(event, 1)
    page = director.get(path).content.decode()
    addresses = re.findall(r'<a href="(http://[^"]*/t/[^"]+)"', page)
    assert len(set(addresses)) == 2
    assert page.count('class="ink"') == 2
    assert "no-store" in director.get(path)["Cache-Control"]
    assert all(squares(address)[1] in page for address in addresses)
    player = director_of(event.club, "player", "Ivo Boom")
    assert player.get(path).status_code == 403
    assert "codes/" in director.get(f"/desk/events/{event.pk}/").content.decode()
    stranger = director_of(make_club("Another"), name="A stranger")
    assert stranger.get(path).status_code == 404


def test_a_code_on_a_page_is_the_code_on_paper() -> None:
    url = "http://192.168.0.7:8000/t/abc"
    side, path = squares(url)
    dark = {(int(x) - QUIET, int(y) - QUIET) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}
    matrix = segno.make(url, error="m", micro=False, boost_error=True).matrix
    assert side == len(matrix) + 2 * QUIET
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}


def test_codes_lead_where_phones_can_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "local_network", lambda _host: ["10.0.0.5", "10.0.0.6"])
    for host, configured, address in (
        ("0.0.0.0", [], "http://10.0.0.5:8000"),
        ("0.0.0.0", [".example", "club.local"], "http://club.local:8000"),
        ("0.0.0.0", ["[fd00::1]"], "http://[fd00::1]:8000"),
        ("127.0.0.1", [], "http://127.0.0.1:8000"),
        ("10.0.0.6", [], "http://10.0.0.6:8000"),
    ):
        assert addresses.public(host, 8000, "http", configured) == address
        assert reaches_phones(address) == ("127.0.0.1" not in address)


def test_a_desk_that_only_this_machine_knows_says_so(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    event = make_night(4, sizes=[4])
    draw(event)
    start(event, 1)
    director = director_of(event.club)
    answer = director.client.get(f"/desk/events/{event.pk}/codes/", headers={"host": "localhost"})
    assert "Phones cannot reach this address" in words(answer)
    settings.PUBLIC_ADDRESS = "http://192.168.0.7"
    answer = director.client.get(f"/desk/events/{event.pk}/codes/", headers={"host": "localhost"})
    assert "Phones cannot reach this address" not in words(answer)
    assert b"http://192.168.0.7/t/" in answer.content


def test_clubs_and_events_of_other_clubs_are_no_example() -> None:
    make_event(make_club("Another"))
    club = make_club("Leiden")
    make_rules(club)
    page = director_of(club).get(f"/desk/clubs/{club.pk}/events/new/")
    assert "Everything is filled in as for" not in words(page)
    assert Club.objects.count() == 2
