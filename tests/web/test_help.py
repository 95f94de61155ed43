"""The documentation for people is a part of the installation, and every page leads to it."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring.web.help_pages import CHAPTERS, find_translation, render_page
from tests.web.desk import director_of
from tests.web.test_desk_nights import text_of
from tests.web.window import make_window
from tournaments.models import Event

pytestmark = pytest.mark.django_db
DOCS = Path(settings.BASE_DIR) / "docs"
SERVED = sorted(
    f"{folder}/{path.name}" for folder in ("use", "rules") for path in (DOCS / folder).glob("*.md")
)
GERMAN = [path for path in SERVED if find_translation(path, "de") != path]
ENGLISH_ALONE = {
    *(f"use/{name}.md" for name in ("api", "api-tutorial", "command-line", "nights-by-api")),
    *(f"rules/{name}.md" for name in ("decisions", "notation", "rules", "tournaments")),
}
"""Pages for programmers, and the law with the documents that it cites."""


def address_of(path: str) -> str:
    folder, name = path.removesuffix(".md").split("/")
    return f"/help/{name}/" if folder == "use" else f"/help/rules/{name}/"


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_link_and_picture_of_every_page_is_there(client: Client, language: str) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
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


def test_what_is_wider_than_a_phone_can_be_scrolled_by_keys() -> None:
    wide = re.findall(r"<pre[^>]*>|<[^>]*><table>", render_page("use/command-line.md").text)
    assert len(wide) >= 10
    assert all('tabindex="0"' in tag for tag in wide)


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
    pages = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "use").rglob("*.md"))
    for path in (DOCS / "pictures").rglob("*.webp"):
        assert path.stat().st_size < 50_000, path.name
        assert f"{path.relative_to(DOCS).as_posix()})" in pages, path


def structure_of(path: str) -> list[str]:
    """The headings by their anchors, the items, rows and pictures of a page, in their order."""
    text = re.sub(r"/help/pictures/(?:de/)?", "", render_page(path).text)
    return re.findall(r'<h\d id="[^"]*"|<li|<tr|<pre|src="[^"]*"', text)


def test_every_page_for_people_is_in_german() -> None:
    assert set(SERVED) - set(GERMAN) <= ENGLISH_ALONE


@pytest.mark.parametrize("english", GERMAN)
def test_a_german_page_has_the_parts_pictures_and_links_of_the_english_one(english: str) -> None:
    german = find_translation(english, "de")
    assert structure_of(german) == structure_of(english)
    links = [
        sorted(re.findall(r'href="([^"]*)"', render_page(path).text)) for path in (english, german)
    ]
    assert links[0] == links[1]


def test_a_german_page_shows_pictures_of_german_pages(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    pictures = re.findall(r'src="(/help/pictures/[^"]*)"', text_of(client.get("/help/")))
    assert pictures
    assert all(address.startswith("/help/pictures/de/") for address in pictures)


def test_the_help_is_in_the_language_of_its_reader(client: Client) -> None:
    page = text_of(client.get("/help/money/", HTTP_ACCEPT_LANGUAGE="de"))
    assert '<article class="sheet prose" lang="de" dir="ltr">' in page
    assert "<h1>Geld</h1>" in page
    assert "nur auf Englisch" not in page
    assert "<h1>Money</h1>" in text_of(client.get("/help/money/"))


def test_a_page_without_a_translation_says_so(client: Client) -> None:
    page = text_of(client.get("/help/rules/notation/", HTTP_ACCEPT_LANGUAGE="de"))
    assert '<article class="sheet prose" lang="en" dir="ltr">' in page
    assert "Diese Seite der Hilfe gibt es nur auf Englisch." in page
    assert "in English only" not in text_of(client.get("/help/rules/notation/"))


def found_in(client: Client, words: str, language: str) -> list[tuple[str, str]]:
    """The address and the heading of each result of a search."""
    page = text_of(client.get("/help/", {"q": words}, HTTP_ACCEPT_LANGUAGE=language))
    results = page[page.index("<article") : page.index("</article>")]
    links = re.findall(r'<a href="([^"]*)">(.*?)</a>', results)
    return [(address, unescape(heading)) for address, heading in links]


@pytest.mark.parametrize(
    ("words", "language", "first"),
    [
        ("prize", "en", ("/help/money/#prizes", "Prizes")),
        (
            "latecomer",
            "en",
            ("/help/nights/#latecomers-and-who-leaves-early", "Latecomers, and who leaves early"),
        ),
        ("tie", "en", ("/help/nights/#ties", "Ties")),
        ("Preis", "de", ("/help/money/#prizes", "Preise")),
        (
            "Nachzügler",
            "de",
            ("/help/nights/#latecomers-and-who-leaves-early", "Nachzügler, und wer früher geht"),
        ),
        (
            "nachzugler",
            "de",
            ("/help/nights/#latecomers-and-who-leaves-early", "Nachzügler, und wer früher geht"),
        ),
        ("Gleichstand", "de", ("/help/nights/#ties", "Gleichstand")),
        # In the words of the other language, the page is found all the same.
        ("prize", "de", ("/help/money/#prizes", "Preise")),
        ("Gleichstand", "en", ("/help/nights/#ties", "Ties")),
        # All words count, wherever they stand.
        ("money prize", "en", ("/help/money/#prizes", "Prizes")),
    ],
)
def test_a_word_is_found_under_the_heading_that_has_it(
    client: Client, words: str, language: str, first: tuple[str, str]
) -> None:
    assert found_in(client, words, language)[0] == first


def test_what_is_found_is_there(client: Client) -> None:
    for address, heading in found_in(client, "code", "de"):
        page = text_of(client.get(address, HTTP_ACCEPT_LANGUAGE="de"))
        anchor = address.partition("#")[2]
        assert not anchor or f'id="{anchor}"' in page, address
        assert heading in unescape(page), address


def test_a_result_shows_where_the_word_stands(client: Client) -> None:
    page = text_of(client.get("/help/", {"q": "fewest payments"}))
    results = page[page.index("<article") : page.index("</article>")]
    assert "fewest payments after which nobody owes anybody" in " ".join(results.split())


@pytest.mark.parametrize("words", ["xylophone", "prize xylophone", "…", "<xylophone>"])
def test_a_search_that_finds_nothing_offers_the_list(client: Client, words: str) -> None:
    assert found_in(client, words, "en") == [("#all-pages", "All pages of the help")]
    page = text_of(client.get("/help/", {"q": words}))
    assert "was found. Try another word" in page
    assert 'id="all-pages"' in page
    assert "<xylophone>" not in page


def test_an_empty_search_shows_the_first_page(client: Client) -> None:
    assert "<h1>Help</h1>" in text_of(client.get("/help/", {"q": "  "}))
