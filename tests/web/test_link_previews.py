"""What a chat shows of a shared page: what it is, and nothing that strangers may not know."""

from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.web.window import NAMES, Window, make_window
from tournaments.models import Person, Shown

pytestmark = pytest.mark.django_db


class _Meta(HTMLParser):
    """The meta elements of a page, by property or name."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = dict(attrs)
        key = one.get("property") or one.get("name")
        if tag == "meta" and key:
            self.found[key] = one.get("content") or ""


def preview_of(window: Window, page: str) -> dict[str, str]:
    meta = _Meta()
    meta.feed(Client().get(window.addresses[page]).content.decode())
    return meta.found


@pytest.fixture
def window() -> Window:
    return make_window()


@pytest.mark.parametrize("page", ["club", "event", "league", "player", "game", "hand"])
def test_every_public_page_says_what_it_is(window: Window, page: str) -> None:
    found = preview_of(window, page)
    assert found["og:title"]
    assert found["og:description"] == found["description"]
    assert found["og:url"] == f"http://testserver{window.addresses[page]}"
    assert found["og:image"].startswith("http://testserver/static/share")
    assert not any(name in " ".join(found.values()) for name in NAMES)


def test_previews_name_the_event_its_standings_and_its_hand(window: Window) -> None:
    event = preview_of(window, "event")
    assert event["og:title"] == f"{window.event.name}, {window.club.name}"
    assert "Provisional" in event["og:description"]
    assert "Provisional" in preview_of(window, "league")["og:description"]
    hand = preview_of(window, "hand")
    assert hand["og:title"].startswith(f"Hand {window.hand.number}: {window.event.name}")
    assert "(" in hand["og:description"] or "," in hand["og:description"]


def test_a_preview_names_nobody_who_is_hidden(window: Window) -> None:
    Person.objects.update(shown=Shown.HIDDEN)
    for page in ("event", "league", "game", "hand"):
        description = preview_of(window, page)["og:description"]
        assert not any(name.split()[0] in description for name in NAMES)


def test_the_picture_of_a_preview_is_there() -> None:
    assert finders.find("share.png")
