"""What a chat shows of a shared page: what it is, and nothing that strangers may not know."""

from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone
from PIL import Image

from scoring.games.nights import end_round, finish_night
from scoring.models import Game
from tests.scoring.club import DIRECTOR
from tests.tournaments.night import play
from tests.web.texts import BICYCLE
from tests.web.window import NAMES, Window, hand_with_cards, member_of, publish_all
from tournaments.models import Club, Event, Person, Shown
from tournaments.web import share_picture

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


@pytest.mark.parametrize("page", ["club", "event", "league", "player", "game", "hand"])
def test_every_public_page_says_what_it_is(window: Window, page: str) -> None:
    found = preview_of(window, page)
    assert found["og:title"]
    assert found["og:description"] == found["description"]
    assert found["og:url"] == f"http://testserver{window.addresses[page]}"
    assert found["og:image"].startswith("http://testserver/static/share")
    assert found["twitter:card"] == "summary"
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


def test_a_preview_says_the_name_of_a_player_as_the_heading_does(window: Window) -> None:
    Person.objects.update(name="Lindqvist, Bo")
    page = member_of(window.club).get(window.addresses["player"])
    meta = _Meta()
    meta.feed(page.content.decode())
    assert page.context["name"].startswith("Bo Lindqvist")
    assert meta.found["og:title"].startswith(page.context["name"])


def test_the_picture_of_a_preview_is_there() -> None:
    assert finders.find("share.png")


def picture_of(path: str) -> Any:
    """The picture that a preview names, as a stranger gets it."""
    meta = _Meta()
    meta.feed(Client().get(path).content.decode())
    found = meta.found["og:image"]
    assert meta.found["twitter:card"] == "summary_large_image"
    return Client().get(found.removeprefix("http://testserver"))


def drawn_texts(monkeypatch: pytest.MonkeyPatch, path: str) -> list[str]:
    """What is written on the picture of a page."""
    written: list[str] = []
    write = share_picture._Picture.write

    def note(self: Any, at: Any, text: str, *args: Any, **named: Any) -> None:
        written.append(text)
        write(self, at, text, *args, **named)

    monkeypatch.setattr(share_picture._Picture, "write", note)
    answer = picture_of(path)
    assert answer["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)
    return written


@pytest.fixture
def ended(window: Window) -> Window:
    play(Game.objects.get(pk=window.game.pk), 2)
    for game in Game.objects.filter(table__round__number=2).exclude(pk=window.game.pk):
        play(game, 2)
    end_round(event_id=window.event.pk, number=2, by=DIRECTOR, at=timezone.now())
    finish_night(event_id=window.event.pk, version=None, by=DIRECTOR, at=timezone.now())
    publish_all()
    return window


def test_the_picture_of_a_night_is_its_podium(
    ended: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person.objects.filter(name=NAMES[0]).update(shown=Shown.HIDDEN)
    path = ended.addresses["event"]
    written = drawn_texts(monkeypatch, path)
    assert written[0] == "League night"
    assert written[1].startswith("Leiden Hearts, ")
    assert not any(name.split()[0] in one for name in NAMES[:1] for one in written)
    count = len(written)
    again = picture_of(path)
    assert len(written) == count, "drawn once for a version"
    same = Client().get(f"{path}picture.png", headers={"if-none-match": again["ETag"]})
    assert same.status_code == 304


def test_a_night_that_strangers_do_not_know_has_no_picture(ended: Window) -> None:
    path = f"{ended.addresses['event']}picture.png"
    assert Client().get(path).status_code == 200
    Event.objects.filter(pk=ended.event.pk).update(is_hidden=True)
    assert member_of(ended.club, "director").get(path).status_code == 404
    Event.objects.filter(pk=ended.event.pk).update(is_hidden=False)
    Club.objects.filter(pk=ended.club.pk).update(is_public=False)
    assert Client().get(path).status_code == 404


def test_a_night_without_an_end_has_no_picture_of_its_own(window: Window) -> None:
    assert Client().get(f"{window.addresses['event']}picture.png").status_code == 404


def test_the_picture_of_a_hand_is_its_deal(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = hand_with_cards(window.club, BICYCLE)
    written = drawn_texts(monkeypatch, f"/h/{hand.pk}/")
    assert sum(one in "♠♥♦♣" for one in written) == 52
    assert not any(name in one for name in NAMES for one in written)
    assert Client().get(f"{window.addresses['hand']}picture.png").status_code == 404
    with patch("scoring.selectors.queries.is_still_played", return_value=True):
        assert Client().get(f"/h/{hand.pk}/picture.png").status_code == 404


def test_a_picture_has_names_in_many_scripts_and_cuts_long_ones() -> None:
    steps = [
        share_picture.Step(1, "1", "Жанна Ω Łukasz", "+40 chips"),
        share_picture.Step(2, "=2", "עידו לוי", "9"),
        share_picture.Step(2, "=2", "W" * 90, "9"),
    ]
    assert share_picture.draw_podium("ハーツ会", "Club", steps)
    assert share_picture.draw_podium("हृदय", "Club", steps) is None
