"""A hand on other sites: framed there and nowhere else, with no more than strangers may see."""

import html
import re
from uuid import uuid4

import pytest
from django.test import Client

from scoring.web.public import hand_viewer
from tests.web.test_window import CARD, text_of
from tests.web.texts import REVOKE
from tests.web.window import NAMES, Window, hand_with_cards, make_window, member_of

pytestmark = pytest.mark.django_db


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
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
    assert "iframe" not in member.get(mine).content.decode()


def test_the_text_to_paste_shows_the_hand(client: Client, window: Window) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    page = client.get(f"/h/{hand.pk}/").content.decode()
    pasted = html.unescape(re.findall(r"<textarea[^>]*>([^<]*)<", page)[0])
    source = re.findall(r'src="([^"]*)"', pasted)[0]
    assert source == f"http://testserver/h/{hand.pk}/embed/"
    framed = client.get(source)
    assert CARD.search(framed.content.decode())
    third = client.get(source, {"at": "1.3.0"}).content.decode()
    assert re.search(r'data-trick="3"', third)


def test_cards_that_others_have_still_to_play_are_in_no_frame(
    client: Client, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    monkeypatch.setattr(hand_viewer, "is_secret", lambda *_: True)
    page = client.get(f"/h/{hand.pk}/embed/", {"at": "1.3.0"}).content
    assert not CARD.search(page.decode())
    assert "Other tables have still to play these cards" in text_of(page)
