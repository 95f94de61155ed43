"""The practice table: which rules it offers, and what it weighs."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.rules.presets import PRESETS
from engine.rules.rules import change
from scoring.web.phone import files
from scoring.web.phone.practice import practice_rules, practice_words
from scoring.web.phone.wording import words
from tests.api.desk import Night
from tests.collected_files import collected_files
from tournaments.models import Club

pytestmark = pytest.mark.django_db
WEIGHT_MAX = 60 * 1024


def _choices(page: str, key: str = "presets") -> list[dict[str, Any]]:
    found = re.search(r'<script id="practice" type="application/json">(.+?)</script>', page)
    assert found
    choices: list[dict[str, Any]] = json.loads(found[1])[key]
    return choices


def test_every_table_of_a_preset_begins_as_its_rules_say(client: Client) -> None:
    choices = _choices(client.get("/play/").content.decode())
    sizes = {one["key"]: [len(table["seats"]) for table in one["tables"]] for one in choices}
    assert sizes["standard"] == [4]
    assert sizes["hoyle_auction"] == [3, 4, 5, 6]
    for one in choices:
        rules = PRESETS[str(one["key"])]
        if not one["about"]:
            assert one["rules"] == dict(rules.texts)
            assert one["overrides"] == ""


def test_what_of_the_rules_is_not_played_there_is_said_and_left_out(client: Client) -> None:
    choices = _choices(client.get("/play/").content.decode())
    (insurance,) = [one for one in choices if one["key"] == "insurance"]
    assert insurance["about"]
    assert insurance["rules"]["centre_auction"] == "off"
    assert insurance["rules"]["insurance"] == "on"


def test_where_most_tricks_win_nobody_is_told_only_to_avoid_them() -> None:
    for overrides, says in ({"winner": "tricks"}, True), ({}, False):
        rules = practice_rules("ours", "Ours", change(PRESETS["bicycle"], overrides))
        assert ("here you want tricks" in rules["about"]) is says


def test_a_newcomer_reads_what_matters_in_play_and_nothing_of_money(client: Client) -> None:
    presets = _choices(client.get("/play/").content.decode())
    sheets = {one["key"]: " ".join(map(" ".join, one["sheet"])) for one in presets}
    assert "Taking all the points scores 0; everybody else scores 26." in sheets["standard"]
    assert "When nobody is clean, the pot is a jackpot." in sheets["bicycle"]
    assert "Are cards passed?" not in sheets["bicycle"]
    assert not any("currency" in sheet for sheet in sheets.values())


def test_a_public_club_brings_its_own_rules(client: Client) -> None:
    night = Night()
    club = Club.objects.get(pk=night.game["club"])
    address = reverse("club-practice", args=[club.pk])
    Club.objects.filter(pk=club.pk).update(is_public=False)
    assert client.get(address).status_code == 404
    Club.objects.filter(pk=club.pk).update(is_public=True)
    names = [one["name"] for one in _choices(client.get(address).content.decode(), "club")]
    assert names
    assert names == list(club.rule_sets.values_list("name", flat=True))
    assert _choices(client.get("/play/").content.decode(), "club") == []


def test_the_worker_keeps_the_page_and_every_file_of_it(client: Client) -> None:
    answer = client.get("/play/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    script = answer.content.decode()
    assert 'const PAGE = "/play/";' in script
    for address in files.PRACTICE.addresses():
        assert f'"{address}"' in script


def test_page_and_bots_are_light(client: Client, tmp_path: Path) -> None:
    with collected_files(tmp_path):
        page = client.get("/play/", headers={"accept-encoding": "gzip"})
        text = gzip.decompress(page.content).decode()
    names = [*dict.fromkeys(re.findall(r'(?:href|src)="/static/([^"]+)"', text))]
    sizes = [
        (path.with_name(f"{path.name}.gz") if path.with_name(f"{path.name}.gz").exists() else path)
        .stat()
        .st_size
        for path in (tmp_path / name for name in names)
    ]
    assert len(page.content) + sum(sizes) <= WEIGHT_MAX


def test_all_that_the_practice_table_says_has_words_and_all_its_words_are_said() -> None:
    folder = Path(settings.BASE_DIR) / "static" / "js" / "phone"
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("practice*.js"))
    said = set(re.findall(r'\bsay(?:With)?\("([^"]+)"', text))
    assert said <= set(practice_words())
    families = set(re.findall(r"`([\w-]+(?: [\w-]+)*) \$\{", text))
    for key in set(practice_words()) - set(words()):
        assert f'"{key}"' in text or any(key.startswith(f"{one} ") for one in families), key
