"""A hand on other sites: framed there and nowhere else, with no more than strangers may see."""

import html
import re
from collections.abc import Iterator
from copy import deepcopy
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from scoring.web.public import embedded_hand
from tests.web.test_window import CARD, text_of
from tests.web.texts import REVOKE
from tests.web.window import NAMES, Window, hand_with_cards, make_window, member_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def night(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Window]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_window()
        transaction.set_rollback(True)


@pytest.fixture
def window(night: Window) -> Window:
    return deepcopy(night)


def test_only_the_hand_of_its_own_page_may_be_framed(client: Client, window: Window) -> None:
    framed = client.get(f"{window.addresses['hand']}embed/")
    assert framed.status_code == 200
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "default-src 'self'" in framed["Content-Security-Policy"]
    assert "unsafe" not in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert not framed.cookies
    for address in (*window.addresses.values(), "/", "/desk/sign-in/", "/clubs/"):
        answer = client.get(address)
        assert answer["X-Frame-Options"] == "DENY", address
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address


def test_a_member_sees_no_more_in_a_frame_than_anybody(client: Client, window: Window) -> None:
    address = f"{window.addresses['hand']}embed/"
    member = member_of(window.club, "director")
    page = member.get(address)
    assert page.content == client.get(address).content
    for full in NAMES:
        assert html.escape(full) not in page.content.decode()
    assert "public" in page["Cache-Control"]


def test_private_hands_are_as_absent_as_those_that_never_were(client: Client) -> None:
    hidden = make_window("Hidden Hearts", is_public=False)
    mine = f"/h/{hidden.hand.pk}/"
    nowhere = f"/h/{uuid4()}/"
    member = member_of(hidden.club, "admin")
    for asker in (client, member):
        answers = [asker.get(f"{page}embed/") for page in (mine, nowhere)]
        answers += [
            asker.get("/oembed/", {"url": f"http://testserver{page}"}) for page in (mine, nowhere)
        ]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
    page = member.get(mine).content.decode()
    assert "iframe" not in page
    assert "oembed" not in page


def test_the_text_to_paste_and_what_other_sites_are_told(client: Client, window: Window) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = client.get(f"/h/{hand.pk}/").content.decode()
    pasted = html.unescape(re.findall(r"<textarea[^>]*>([^<]*)<", page)[0])
    assert f'src="http://testserver/h/{hand.pk}/embed/"' in pasted
    discovery = html.unescape(re.findall(r'json\+oembed"\s+href="([^"]*)"', page)[0])
    told = client.get(discovery).json()
    assert told["html"] == pasted
    assert (told["version"], told["type"]) == ("1.0", "rich")
    source = re.findall(r'src="([^"]*)"', told["html"])[0]
    framed = client.get(source)
    assert CARD.search(framed.content.decode())
    third = client.get(source, {"at": "1.3.0"}).content.decode()
    assert re.search(r'data-trick="3"', third)


def test_another_site_says_how_much_room_it_has(client: Client, window: Window) -> None:
    asked = {"url": f"http://testserver{window.addresses['hand']}?at=1.2.1"}
    told = client.get("/oembed/", {**asked, "maxwidth": "300", "maxheight": "9999999"}).json()
    assert (told["width"], told["height"]) == (300, 820)
    assert 'width="300"' in told["html"]
    assert "embed/?at=1.2.1" in told["html"]
    for width in ("0", "-3", "wide", "9" * 5000):
        assert client.get("/oembed/", {**asked, "maxwidth": width}).json()["width"] == 720
    assert client.get("/oembed/", {**asked, "format": "xml"}).status_code == 501


@pytest.mark.parametrize(
    "url",
    ["", "/h/x/", "http://[", "http://testserver/", "http://elsewhere.example/h/{hand}/",
     "http://testserver/g/{hand}/", "javascript:alert(1)", "//testserver\x00/h/{hand}/"],
)  # fmt: skip
def test_an_address_that_is_no_hand_of_ours_is_not_found(
    client: Client, window: Window, url: str
) -> None:
    answer = client.get("/oembed/", {"url": url.replace("{hand}", str(window.hand.pk))})
    assert answer.status_code == 404


def test_cards_that_others_have_still_to_play_are_in_no_frame(
    client: Client, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    monkeypatch.setattr(embedded_hand, "is_secret", lambda *_: True)
    page = client.get(f"/h/{hand.pk}/embed/", {"at": "1.3.0"}).content
    assert not CARD.search(page.decode())
    assert "Other tables have still to play these cards" in text_of(page)
