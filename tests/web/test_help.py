"""The documentation for people is a part of the installation, and every page leads to it."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring.web.help_pages import CHAPTERS, render_page
from tests.web.desk import director_of
from tests.web.test_desk_nights import text_of
from tests.web.window import make_window
from tournaments.models import Event

pytestmark = pytest.mark.django_db
DOCS = Path(settings.BASE_DIR) / "docs"
SERVED = sorted(
    f"{folder}/{path.name}" for folder in ("use", "rules") for path in (DOCS / folder).glob("*.md")
)


def address_of(path: str) -> str:
    folder, name = path.removesuffix(".md").split("/")
    return f"/help/{name}/" if folder == "use" else f"/help/rules/{name}/"


def test_every_link_and_picture_of_every_page_is_there(client: Client) -> None:
    found: set[str] = set()
    for path in SERVED:
        page = text_of(client.get(address_of(path)))
        article = page[page.index("<article") : page.index("</article>")]
        anchors = set(re.findall(r'id="([^"]+)"', article))
        for target, anchor in re.findall(r'href="([^"#]*)(?:#([^"]*))?"', article):
            assert ".md" not in target, (path, target)
            if not target:
                assert anchor in anchors, (path, anchor)
            elif target.startswith("/help/"):
                found.add(f"{target}#{anchor}" if anchor else target)
        found |= set(re.findall(r'src="([^"]+)"', article))
    assert len(found) > 25
    for target in sorted(found):
        address, _hash, anchor = target.partition("#")
        answer = client.get(address)
        assert answer.status_code == 200, target
        if anchor:
            assert f'id="{anchor}"' in text_of(answer), target


def test_what_the_list_offers_is_there() -> None:
    offered = [path for _title, paths in CHAPTERS for path in paths]
    assert len(offered) == len(set(offered))
    assert set(offered) <= set(SERVED)


def test_people_are_told_nothing_that_only_programs_need() -> None:
    """Requests and settings stand in the pages for programs."""
    people = [path for _title, paths in CHAPTERS for path in paths if path.startswith("use/")]
    for path in people:
        text = (DOCS / path).read_text(encoding="utf-8")
        assert re.findall(r"`(?:GET|POST|PUT|PATCH|DELETE) |/api/v1", text) == [], path


def test_a_link_to_what_is_not_served_becomes_its_words() -> None:
    assert "docs" not in render_page("use/nights.md").text
    assert "mail server" in render_page("use/nights.md").text
    assert "settings.md" not in render_page("use/nights.md").text


@pytest.mark.parametrize(
    "path",
    [
        "/help/nothing/",
        "/help/rules/nothing/",
        "/help/..%2Fsettings/",
        "/help/pictures/nothing.webp",
        "/help/pictures/..%2F..%2Fmanage.py",
        "/help/pictures/cards.py",
    ],
)
def test_nothing_else_of_the_disk_is_served(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_place_of_a_picture_is_kept_free_until_it_has_come() -> None:
    pictures = re.findall(r"<img[^>]*>", render_page("use/README.md").text)
    assert pictures
    for picture in pictures:
        assert re.search(r' width="[1-9]\d*"', picture), picture
        assert re.search(r' height="[1-9]\d*"', picture), picture


def test_a_picture_is_served_as_what_it_is(client: Client) -> None:
    answer = client.get("/help/pictures/desk.webp")
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer.content.startswith(b"RIFF")


def test_each_page_leads_to_the_help_that_fits(client: Client) -> None:
    window = make_window()
    director = director_of(window.club, "admin").client
    event = Event.objects.filter(club=window.club).first()
    assert event is not None
    club = window.club.pk
    fitting = {
        "/": "",
        window.addresses["club"]: "players/",
        reverse("phone"): "phone/",
        "/desk/": "desk/",
        reverse("desk-event", args=[event.pk]): "nights/",
        reverse("desk-leagues", args=[club]): "seasons/",
        reverse("desk-members", args=[club]): "members/",
        reverse("desk-money", args=[club]): "money/",
    }
    for path, page in fitting.items():
        html = text_of(director.get(path))
        assert re.findall(r'href="/help/([^"]*)"[^>]*rel="help"', html) == [page], path


def test_pictures_are_small_and_each_is_used() -> None:
    """A phone loads them over the network of a club room."""
    pages = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "use").glob("*.md"))
    for path in (DOCS / "pictures").glob("*.webp"):
        assert path.stat().st_size < 50_000, path.name
        assert f"pictures/{path.name})" in pages, path.name
