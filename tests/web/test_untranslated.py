"""No page says anything in English to who reads another language; and all turn to the left."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import get_language_info

import engine
from scoring.models import Game
from tests.web.desk import director_of
from tests.web.pseudo import CODE, spoken, untranslated
from tests.web.texts import DISPUTED, SLUGS, example
from tests.web.window import make_window, member_of
from tournaments.access.rights import Right
from tournaments.models import Account, Club, Event, League, Person, RuleSet

pytestmark = pytest.mark.django_db
RIGHTS_BY_NAME = [right.value for right in Right]
PROPER = [
    *(get_language_info(code)["name_local"] for code, _name in settings.LANGUAGES),
    *("Painsuit", "API", "JSON", "UTC", "CSV", "XLSX", "HTML", "PDF"),
    *("ODS", "PHN", "PBN", "iCalendar", "Atom", "MiB", "Hoyle", "Bicycle", "Sahara Sands"),
    "example.org",
    *("width=device-width, initial-scale=1", "light dark", "noindex", "nofollow", "no-referrer"),
    # Kinds of pages and cards that Open Graph knows; names of programs.
    *("website", "summary", "Excel", "OpenDocument", engine.__version__),
    # Names that programs know: rights of a key, a set of rules, a form of a file.
    *("auction-bicycle/1;min-bid=2", "BUNDLE", *RIGHTS_BY_NAME),
    *("same-origin", "viewport-fit=cover", "EUR", "USD", "SHA-256", "REVOKE"),
]
LINK = re.compile(r'<a\b[^>]*\bhref="(/[^"#]*)')
ELSEWHERE = re.compile(
    r"\.(?:csv|xlsx|json|ics|atom|phn|html)\b|export|sign-out|/api/|/language/|/trail/|/help/"
)


@pytest.fixture(autouse=True)
def _pseudo(tmp_path: Path) -> Iterator[None]:
    with spoken(tmp_path):
        yield


def named() -> list[str]:
    """What people have named in words of their own."""
    found = [*PROPER]
    for model in (Club, Event, League, Person, RuleSet, Account, Game):
        found += model._default_manager.values_list("name", flat=True)
    found += Account.objects.values_list("email", flat=True)
    return [*found, *(part for one in found for part in one.split() if one not in PROPER)]


def walked(client: Client, start: str, most: int) -> Iterator[tuple[str, str]]:
    """Pages that can be reached from one, one of each kind."""
    due = [start]
    seen: set[str] = set()
    while due and len(seen) < most:
        path = due.pop(0)
        kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "*", path.partition("?")[0])
        if kind in seen or ELSEWHERE.search(path):
            continue
        seen.add(kind)
        answer = client.get(path.replace("&amp;", "&"), headers={"accept-language": CODE})
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            page = answer.content.decode()
            yield path, page
            due += LINK.findall(page)


def english(client: Client, start: str, most: int = 60) -> dict[str, list[str]]:
    names = named()
    found = {path: untranslated(page, names) for path, page in walked(client, start, most)}
    assert len(found) > 5
    return {path: words for path, words in found.items() if words}


def test_the_window_speaks_the_readers_language() -> None:
    window = make_window()
    assert english(member_of(window.club), window.addresses["club"]) == {}


def test_the_desk_speaks_the_readers_language() -> None:
    window = make_window()
    admin = director_of(window.club, "admin")
    assert english(admin.client, "/desk/") == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_checked_record_is_told_in_the_readers_language(client: Client, slug: str) -> None:
    answer = client.post("/check/", {"text": example(slug)}, headers={"accept-language": CODE})
    assert untranslated(answer.content.decode(), in_record(example(slug))) == []


def test_what_is_wrong_with_a_record_is_told_in_the_readers_language(client: Client) -> None:
    answer = client.post("/check/", {"text": DISPUTED}, headers={"accept-language": CODE})
    assert untranslated(answer.content.decode(), in_record(DISPUTED)) == []


def in_record(text: str) -> list[str]:
    """What stands in a record, in the words of whoever wrote it."""
    return [*PROPER, *re.findall(r"\w+(?:-\w+)*", text)]


@pytest.mark.parametrize("path", ["/", "/check/", "/clubs/", "/desk/sign-in/", "/nothing/", "/t/"])
def test_a_stranger_is_spoken_to_in_his_language(client: Client, path: str) -> None:
    answer = client.get(path, headers={"accept-language": CODE})
    assert untranslated(answer.content.decode(), PROPER) == []


def test_everything_that_a_phone_says_is_translated(client: Client) -> None:
    page = client.get("/t/", headers={"accept-language": CODE}).content.decode()
    words = json.loads(page.split('id="words"')[1].split(">", 1)[1].split("</script>")[0])
    assert len(words) > 200
    assert {key: said for key, said in words.items() if not said.startswith("⟦")} == {}


def test_the_wall_speaks_the_readers_language(client: Client) -> None:
    window = make_window()
    for query in ("?view=projector", "?part=live"):
        path = window.addresses["event"] + query
        answer = client.get(path, headers={"accept-language": CODE})
        assert answer.status_code == 200
        assert untranslated(answer.content.decode(), named()) == []
