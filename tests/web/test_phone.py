"""The doors of the phone's page: what they send, to whom, and what no log keeps."""

import gzip
import io
import json
import logging
import logging.config
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from config.running.logs import configure
from scoring.games.links import make_links
from scoring.models import SeatLink
from scoring.web.phone import files
from scoring.web.phone.wording import words
from tests.api.desk import Night
from tests.collected_files import collected_files
from tests.scoring.club import DIRECTOR, make_club, make_rules
from tests.tournaments.night import draw, make_night, play, start
from tests.web.phones import tokens
from tournaments.models import Round, Stage

pytestmark = pytest.mark.django_db

WEIGHT_MAX = 60_000
"""Bytes that are sent, compressed, until a hand can be told."""
REQUESTS_MAX = 12


@pytest.fixture
def night() -> Night:
    return Night()


def seating(client: Client, shown: str) -> Any:
    return client.get("/t/seating", headers={"authorization": shown})


def test_a_link_opens_the_page_and_is_kept_by_nobody(client: Client, night: Night) -> None:
    (token,) = tokens(night, "N")
    answer = client.get(f"/t/{token}")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert token not in answer.content.decode()
    assert not answer.cookies
    assert night.game["id"] not in client.get("/t/").content.decode()


def test_the_table_as_it_stands_is_on_the_page_before_anything_runs(
    client: Client, night: Night
) -> None:
    night.enter({"bidder": "E", "bid": 6, "pain": "H", "taken": {"N": 3, "E": 2, "S": 4, "W": 4}})
    (token,) = tokens(night, "S")
    page = client.get(f"/t/{token}").content.decode()
    text = re.search(r'<script id="table" type="application/json">(.*?)</script>', page)
    assert text is not None
    told = json.loads(text[1])
    assert told["seating"] == seating(client, f"Seat {token}").json()
    look = night.look()
    assert {name: told[name] for name in told if name != "seating"} == {
        name: look[name] for name in ("rules", "next", "confirming", "phase")
    }
    shown = re.findall(r'class="held chips">(\S+?)<', page)
    assert shown == [str(held) for held in look["next"]["chips"].values()]


def test_a_game_that_the_director_closed_has_no_next_hand(client: Client, night: Night) -> None:
    night.enter({"bidder": "E", "bid": 6, "pain": "H", "taken": {"N": 3, "E": 2, "S": 4, "W": 4}})
    (token,) = tokens(night, "S")
    page = client.get(f"/t/{token}").content.decode()
    assert re.search(r"<b>\s*Hand 2\s*</b>", page)
    assert 'class="mark dealer"' in page
    version = str(night.look()["version"])
    why = {"reason": "The bar closes."}
    closed = night.desk.post(f"games/{night.game['id']}/closing", why, version=version)
    assert closed.status == 200, closed
    page = client.get(f"/t/{token}").content.decode()
    assert not re.search(r"Hand 2\s*</b>", page)
    assert 'class="mark dealer"' not in page
    assert len(re.findall(r'class="held chips">(\S+?)<', page)) == 4


@pytest.mark.parametrize(("preset", "players"), [("sahara", 5), ("standard", 4)])
def test_points_are_on_the_page_too(client: Client, preset: str, players: int) -> None:
    night = Night(preset, players=players)
    (token,) = tokens(night, "table")
    page = client.get(f"/t/{token}").content.decode()
    assert re.findall(r'class="held chips">(\S+?)<', page) == ["0"] * players


def test_the_page_has_no_inline_script_or_style(client: Client) -> None:
    page = client.get("/t/").content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == page.count('type="application/json"') + page.count(" src=")


@pytest.mark.parametrize("token", ["x", "0" * 32, "a b", "%00", "é" * 40, "N" * 500, "..", "'"])
def test_a_code_of_no_table_is_nothing(client: Client, token: str) -> None:
    answer = client.get(f"/t/{token}")
    assert answer.status_code == 404
    assert answer["Cache-Control"] == "private, no-store"


def test_a_closed_link_says_so(client: Client, night: Night) -> None:
    revoked, expired = tokens(night, "N", "E")
    links = list(SeatLink.objects.order_by("seat"))
    night.desk.send("DELETE", f"games/{night.game['id']}/links/{links[0].pk}")
    links[1].expires_at = links[1].made_at - timedelta(hours=1)
    links[1].save()
    for token in (revoked, expired):
        answer = client.get(f"/t/{token}")
        assert answer.status_code == 410
        assert "This link is closed" in answer.content.decode()
        assert token not in answer.content.decode()
        asked = seating(client, f"Seat {token}")
        assert (asked.status_code, asked.json()["code"]) == (410, "GONE")
        assert asked["Cache-Control"] == "private, no-store"


def test_a_phone_says_which_game_a_round_plays_where_the_night_has_several(client: Client) -> None:
    club = make_club()
    usual, sahara = make_rules(club), make_rules(club, "sahara")
    for rounds, names in (({}, ["", ""]), ({"2": str(sahara.pk)}, [usual.name, sahara.name])):
        event = make_night(4, club=club, rule_set=usual, rounds=2, hands=1, round_rules=rounds)
        draw(event)
        for number, name in enumerate(names, 1):
            (game,) = start(event, number)
            (link,) = make_links(game_id=game.pk, seats=[None], by=DIRECTOR, at=timezone.now())
            told = seating(client, f"Seat {link.token}").json()
            assert told["place"] == (f"Table 1 · {name}" if name else "Table 1")
            play(game, 1)
            Round.objects.filter(event=event, number=number).update(stage=Stage.CLOSED)


def test_who_sits_where_is_told_to_the_table_alone(client: Client, night: Night) -> None:
    table, seat = tokens(night, "table", "S")
    told = seating(client, f"Seat {seat}").json()
    assert told["game"] == night.game["id"]
    assert (told["seat"], told["seats"]) == ("S", ["N", "E", "S", "W"])
    assert told["names"] == {"N": "North", "E": "East", "S": "South", "W": "West"}
    assert told["place"] == "Table 1"
    assert (told["counted"]["deals"], told["planned"]) == (0, None)
    assert seating(client, f"Seat {table} W").json()["seat"] is None
    for shown in ("", "Seat", "Seat x", f"Bearer {seat}", f"Seat {seat[:-1]}"):
        assert seating(client, shown).status_code == 404


def test_nothing_is_changed_by_any_of_them(client: Client, night: Night) -> None:
    (token,) = tokens(night, "N")
    for path in ("", token, "seating", "worker.js", "manifest.webmanifest"):
        assert client.post(f"/t/{path}").status_code == 405


def test_the_worker_keeps_every_file_of_the_page(client: Client) -> None:
    answer = client.get("/t/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    for address in files.TABLE.addresses():
        assert f'"{address}"' in script
    page = client.get("/t/").content.decode()
    for name in (*files.TABLE.styles, *files.TABLE.first_scripts(), files.ICON):
        assert f"/static/{name}" in page


def test_every_script_of_the_folder_is_imported_by_another() -> None:
    folder = Path(settings.BASE_DIR, "static", files.SCRIPTS)
    pages = (files.TABLE, files.PRACTICE)
    imported = {f"{page.start}.js" for page in pages}
    later = set()
    for path in folder.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        imported.update(re.findall(r'from "\./(\w+\.js)";', text))
        later.update(re.findall(r'import\("\./(\w+\.js)"\)', text))
    names = {name for page in pages for name in page.scripts()}
    assert names == {f"{files.SCRIPTS}/{name}" for name in imported | later}
    for page in pages:
        assert page.first_scripts()[0] == f"{files.SCRIPTS}/{page.start}.js"


def test_another_page_has_another_edition(client: Client) -> None:
    edition = files.edition("a")
    assert edition != files.edition("b")
    assert edition == files.edition("a")


def test_it_can_be_installed(client: Client) -> None:
    answer = client.get("/t/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    said = json.loads(answer.content)
    assert (said["start_url"], said["scope"], said["display"]) == ("/t/", "/t/", "standalone")
    assert said["icons"]


def test_the_page_is_light(client: Client, night: Night, tmp_path: Path) -> None:
    (token,) = tokens(night, "N")
    with collected_files(tmp_path):
        page = client.get(f"/t/{token}", headers={"accept-encoding": "gzip"})
        text = gzip.decompress(page.content).decode()
    names = [*dict.fromkeys(re.findall(r'(?:href|src)="/static/([^"]+)"', text))]
    imported = {
        f"{files.SCRIPTS}/{one}"
        for name in names
        for one in re.findall(r'from"\./([^"]+)"', (tmp_path / name).read_text(encoding="utf-8"))
    }
    assert imported <= {*names}  # all are asked for together
    assert len(names) + len(("page", "manifest")) <= REQUESTS_MAX
    manifest = client.get("/t/manifest.webmanifest").content
    sent = [_sent_size(tmp_path / name) for name in names]
    assert len(page.content) + len(manifest) + sum(sent) <= WEIGHT_MAX


def _sent_size(path: Path) -> int:
    """Bytes of a collected file as it is sent: compressed where that makes it smaller."""
    compressed = path.with_name(f"{path.name}.gz")
    return (compressed if compressed.exists() else path).stat().st_size


def test_all_that_scripts_say_has_words_and_all_words_are_said() -> None:
    scripts = [Path(settings.BASE_DIR, "static", name) for name in files.TABLE.scripts()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    families = set(re.findall(r"`([\w-]+) \$\{", text))
    put_together = ("sweep ", "many clean ", "none clean ")
    said = set(re.findall(r'\bsay\("([^"]+)"', text))
    assert said <= set(words())
    for key in words():
        is_said = f'"{key}"' in text or key.split()[0] in families
        assert is_said or key.startswith(put_together), key


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """What is written to the log while Django's own loggers are set up as they are outside."""
    written = io.StringIO()
    found = configure(form=request.param, level="DEBUG")
    found["handlers"]["stderr"]["stream"] = written
    logging.config.dictConfig(found)
    yield written
    logging.config.dictConfig(settings.LOGGING)


def test_no_token_is_in_the_log(night: Night, log: io.StringIO) -> None:
    (token,) = tokens(night, "N")
    link = SeatLink.objects.get()
    night.desk.send("DELETE", f"games/{night.game['id']}/links/{link.pk}")
    client = Client(raise_request_exception=False)
    secret = "a-secret-of-an-old-club-night"
    for address in (token, secret):
        client.get(f"/t/{address}")
        client.post(f"/t/{address}")
    with patch("scoring.games.links.find_link", side_effect=OSError(f"GET /t/{token}?x")):
        assert client.get(f"/t/{token}").status_code == 500
        client.get("/t/seating", headers={"authorization": f"Seat {token}"})
    logging.getLogger("anywhere").warning("opened http://192.168.1.5:8000/t/%s.", token)
    text = log.getvalue()
    assert token not in text
    assert secret not in text
    assert "/t/[link]" in text
    assert "/t/seating" in text
