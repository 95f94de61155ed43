"""What strangers may read costs little, however long the table, and is never older than its names.

Every address is asked for twice: the first time an answer may be made, the second time it is there.
"""

import base64
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.core.cache import caches
from django.test import Client

from benchmarks.anonymous import (
    BYTES_MAX,
    QUERIES_MAX,
    ask,
    is_light,
    list_addresses,
    make_published_league,
    read,
    shorten,
)
from scoring.api import exports
from tests.scoring.club import DIRECTOR, at
from tests.web.window import Window, make_window, member_of
from tournaments.core import entity_tags
from tournaments.core.entity_tags import tag_of
from tournaments.models import Club, Event, League, Person, Player
from tournaments.people.members import erase_person

pytestmark = pytest.mark.django_db

ALL_QUERIES_MAX: Final = 25


@pytest.mark.slow
def test_no_answer_to_strangers_is_long_or_asks_the_database_much() -> None:
    league = make_published_league(2)
    client, wrong = Client(headers={"accept-encoding": "gzip"}), []
    read_by_strangers = set()
    for address in list_addresses(league):
        name = shorten(address)
        if name in ("/metrics", "/healthz") or ask(client, address)[0].status_code != 200:
            continue
        read_by_strangers.add(name)
        answer, statements = ask(client, address)
        size = len(read(client.get(address)))
        if size > BYTES_MAX or statements > (QUERIES_MAX if is_light(address) else ALL_QUERIES_MAX):
            wrong.append(f"{name}: {size} bytes, {statements} statements")
        if "ETag" in answer:
            again, asked = ask(client, address, **{"if-none-match": answer["ETag"]})
            is_clock = "view=projector" in address and "part=live" not in address
            if (
                again.status_code != 304
                and not is_clock
                and "text/html" not in answer["Content-Type"]
            ):
                wrong.append(f"{name}: {again.status_code} for who has it")
            if asked > statements:
                wrong.append(f"{name}: {asked} statements for who has it")
    assert wrong == []
    assert {"/e/…/", "/l/…/?view=projector&part=live", "/c/…/feed.atom"} <= read_by_strangers
    assert "/api/v1/clubs/…/standings-file?format=pdf&league=…" in read_by_strangers


def test_the_rows_of_a_long_table_come_page_by_page_from_one_version() -> None:
    league = make_published_league(1)
    client, address, rows = Client(), f"/api/v1/leagues/{league.pk}/standings?limit=100", []
    first = client.get(address).json()
    while address:
        page = client.get(address).json()
        assert page["version"] == first["version"]
        assert page["digest"] == first["digest"]
        assert set(page["because"]) <= {row["entry"] for row in page["standings"]["rows"]}
        rows += page["standings"]["rows"]
        address = page["next"]
    assert len({row["entry"] for row in rows}) == len(rows) == 400
    unlimited = client.get(f"/api/v1/leagues/{league.pk}/standings").json()
    assert (len(unlimited["standings"]["rows"]), unlimited["count"]) == (100, 400)
    assert unlimited["next"]


@pytest.fixture(scope="module")
def window(module_db: None) -> Window:
    return make_window()


def answers(window: Window) -> dict[str, str]:
    """Everything that is made once, by what it is."""
    club, event, league = window.club.pk, window.event.pk, window.league.pk
    file = f"/api/v1/clubs/{club}/standings-file"
    return {
        "calendar": f"/c/{club}/calendar.ics",
        "atom": f"/c/{club}/feed.atom",
        "json feed": f"/c/{club}/feed.json",
        "event as csv": f"{file}?format=csv&event={event}",
        "league as html": f"{file}?format=html&league={league}",
        "league as pdf": f"{file}?format=pdf&league={league}",
        "standings": f"/api/v1/events/{event}/standings",
        "season": f"/api/v1/leagues/{league}/standings",
        "night": f"/e/{event}/?part=live",
        "wall": f"/e/{event}/?view=projector&part=live",
        "wall of the season": f"/l/{league}/?view=projector&part=live",
        "table of the season": f"/l/{league}/?part=live",
    }


def rename(window: Window) -> None:
    Person.objects.filter(player__club=window.club).update(name="Quirin Otherwise")


def hide_people(window: Window) -> None:
    Person.objects.filter(player__club=window.club).update(shown="hidden")


def erase_all(window: Window) -> None:
    for player in Player.objects.filter(club=window.club):
        erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=at(9))


@pytest.mark.parametrize("change", [rename, hide_people, erase_all])
def test_a_name_that_changed_is_in_no_answer_that_was_made_before(
    window: Window, change: Callable[[Window], None]
) -> None:
    visitor, paths = Client(), answers(window)
    before = {what: visitor.get(path) for what, path in paths.items()}
    assert {answer.status_code for answer in before.values()} == {200}
    for what, path in paths.items():
        assert visitor.get(path, headers={"if-none-match": before[what]["ETag"]}).status_code == 304
    change(window)
    for what, path in paths.items():
        after = visitor.get(path, headers={"if-none-match": before[what]["ETag"]})
        assert after.status_code == 200, what
        if what != "league as pdf":
            assert "Lindqvist" not in read(after).decode(), what
            assert "Bo L." not in read(after).decode(), what


def change_club(window: Window) -> None:
    Club.objects.filter(pk=window.club.pk).update(name="Delft Hearts")


def change_clock(window: Window) -> None:
    Club.objects.filter(pk=window.club.pk).update(time_zone="Asia/Tokyo")


@pytest.mark.parametrize("change", [change_club, change_clock])
def test_no_answer_is_confirmed_after_the_club_has_another_name_or_clock(
    window: Window, change: Callable[[Window], None]
) -> None:
    visitor, paths = Client(), answers(window)
    tags = {what: visitor.get(path)["ETag"] for what, path in paths.items()}
    change(window)
    for what, path in paths.items():
        after = visitor.get(path, headers={"if-none-match": tags[what]})
        assert after.status_code == 200, what
        if what != "league as pdf":
            assert window.club.name not in read(after).decode() or change is change_clock, what


def test_a_hidden_night_is_in_no_answer_and_not_confirmed(window: Window) -> None:
    visitor, paths = Client(), answers(window)
    tags = {what: visitor.get(path)["ETag"] for what, path in paths.items()}
    Event.objects.filter(pk=window.event.pk).update(is_hidden=True)
    for what, path in paths.items():
        after = visitor.get(path, headers={"if-none-match": tags[what]})
        if path.startswith(f"/c/{window.club.pk}/"):
            assert window.event.name not in read(after).decode(), what
        else:
            assert after.status_code == 404, what


def test_erasing_somebody_deletes_the_files_that_were_made_for_strangers(
    window: Window, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    caches["files"].set("made", "Bo Lindqvist")
    with django_capture_on_commit_callbacks(execute=True):
        erase_all(window)
    assert caches["files"].get("made") is None


def test_the_tag_of_a_file_tells_keys_apart_and_is_made_without_the_private_one(
    window: Window, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts: list[object] = []

    def keep_facts(told: object) -> str:
        facts.append(told)
        return tag_of(told)

    monkeypatch.setattr(exports, "tag_of", keep_facts)
    tags = set()
    for byte in (b"a", b"b"):
        settings.SIGNING_KEY = base64.urlsafe_b64encode(32 * byte).decode().rstrip("=")
        tags.add(Client().get(answers(window)["league as html"])["ETag"])
        assert settings.SIGNING_KEY not in repr(facts)
    assert len(tags) == len(facts) == 2


def test_a_hidden_season_is_not_confirmed(window: Window) -> None:
    visitor, league = Client(), str(window.league.pk)
    paths = [path for path in answers(window).values() if league in path]
    tags = {path: visitor.get(path)["ETag"] for path in paths}
    League.objects.filter(pk=league).update(is_hidden=True)
    for path in paths:
        after = visitor.get(path, headers={"if-none-match": tags[path]})
        assert after.status_code == 404, path


def test_members_and_strangers_are_answered_apart_and_so_are_languages(window: Window) -> None:
    visitor, member = Client(), member_of(window.club)
    for what, path in answers(window).items():
        if what == "league as pdf":
            continue
        known = member.get(path)
        strange = visitor.get(path, headers={"if-none-match": known.get("ETag", '"none"')})
        assert strange.status_code == 200, what
        assert "Lindqvist" not in read(strange).decode(), what
        english = visitor.get(path)
        german = visitor.get(
            path, headers={"accept-language": "de", "if-none-match": english["ETag"]}
        )
        assert german.status_code == 200, what


def test_a_new_program_is_another_answer(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor, paths = Client(), answers(window)
    tags = {what: visitor.get(path)["ETag"] for what, path in paths.items()}
    monkeypatch.setattr(entity_tags, "program_stamp", lambda: "another")
    same = [what for what, path in paths.items() if visitor.get(path)["ETag"] == tags[what]]
    assert same == []


def test_a_file_for_strangers_is_made_once(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    path = answers(window)["league as pdf"]
    first = Client().get(path)
    at_first = read(first)
    monkeypatch.setattr("scoring.transfer.exporting.export", None)
    again = Client().get(path)
    assert read(again) == at_first
    assert again["Painsuit-Trail-Head"] == first["Painsuit-Trail-Head"]
