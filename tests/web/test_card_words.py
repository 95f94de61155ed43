"""Cards in the engine's words: suits as signs, in the reader's words for those who listen."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags
from django.utils.translation import override

from scoring.hands import agreements
from scoring.models import State
from scoring.presentation.cards import CardFace
from scoring.web.engine_wording import with_cards
from tests.scoring.club import at, chip_hand, enter, make_club, make_game, seat, state_of
from tests.web.desk import director_of
from tests.web.texts import BICYCLE, REVOKE
from tests.web.window import hand_with_cards


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("S9 does not follow clubs", "9♠ does not follow clubs"),
        ("left are SAK7 HT", "left are A♠ K♠ 7♠ 10♥"),
        ("(CA)", "(A♣)"),
        ("'S9' is not a card", "'S9' is not a card"),
        ("seat S, NE and SW; S1, SX, AS9, S9x, C33", "seat S, NE and SW; S1, SX, AS9, S9x, 3♣ 3♣"),
        ("", ""),
    ],
    ids=["one", "several", "in brackets", "quoted", "no cards", "nothing"],
)
def test_cards_are_told_from_other_words(words: str, shown: str) -> None:
    assert unescape(strip_tags(with_cards(words))) == shown


def test_a_card_is_heard_by_its_name_in_the_language_of_the_reader() -> None:
    assert 'class="word suit-S" role="img" aria-label="queen of spades">Q♠<' in with_cards("SQ")
    with override("de"):
        assert f'aria-label="{CardFace("SQ").name}"' in with_cards("SQ")
        assert "queen" not in with_cards("SQ")


def test_nothing_but_cards_is_markup() -> None:
    assert with_cards("<b>S9</b> & 'H2'").startswith("&lt;b&gt;<span")


@pytest.mark.django_db
def test_notes_and_reasons_speak_of_cards_as_the_pages_show_them() -> None:
    club = make_club(is_public=True)
    hand = hand_with_cards(club, REVOKE)
    assert hand.state == State.DISPUTED
    assert "S4 does not follow" in hand.reason
    director = director_of(club)
    pages = [
        Client().get(f"/h/{hand.pk}/"),
        director.get(f"/h/{hand.pk}/"),
        director.get(f"/g/{hand.game_id}/"),
        director.get(f"/desk/hands/{hand.pk}/"),
        director.get(f"/desk/games/{hand.game_id}/"),
    ]
    for page in pages:
        text = page.content.decode()
        assert page.status_code == 200
        if "does not follow" in text:
            assert 'aria-label="4 of spades">4♠</span> does not follow' in text
        without_records = re.sub(r"<(pre|td|table).*?</\1>", "", text, flags=re.DOTALL)
        assert "S4 does not follow" not in without_records
    shown = [page for page in pages if "does not follow" in page.content.decode()]
    assert len(shown) >= 4


@pytest.mark.django_db
def test_the_check_of_a_record_shows_cards_in_its_findings() -> None:
    page = Client().post("/check/", {"text": REVOKE, "rules": "bicycle"})
    text = page.content.decode()
    assert "S4 does not follow" not in text
    assert text.count("4♠</span> does not follow") >= 2


@pytest.mark.django_db
@pytest.mark.parametrize("more", ["", " He did." * 60], ids=["short", "longer than a reason"])
def test_what_a_seat_wrote_stays_as_it_was_written(more: str) -> None:
    club = make_club(is_public=True)
    game = make_game(club)
    hand = enter(game, chip_hand(state_of(game), (5, 4, 4, 0))).hand
    why = f"CJ <b> says S9 fell.{more}"
    agreements.object_to_hand(hand_id=hand.pk, version=1, why=why, by=seat(1), at=at(3))
    director = director_of(club)
    # At the desk the words also stand in the notice to the table, to be read and to be changed.
    for address, times in (
        (f"/h/{hand.pk}/", 1),
        (f"/g/{hand.game_id}/", 1),
        (f"/desk/hands/{hand.pk}/", 3),
        (f"/desk/games/{hand.game_id}/", 1),
    ):
        text = director.get(address).content.decode()
        assert text.count("CJ &lt;b&gt; says S9 fell.") == times, address
    assert "CJ" not in Client().get(f"/g/{hand.game_id}/").content.decode()


def test_a_name_in_a_remark_on_the_writing_is_no_card() -> None:
    text = re.sub(r'\[(North|East) ".*"\]', r'[\1 "CJ"]', BICYCLE)
    page = Client().post("/check/", {"text": text, "rules": "bicycle"}).content.decode()
    assert "CJ sits at N and at E" in page
