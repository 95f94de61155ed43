"""Hands on paper: all that is known of them, and no card that another table has still to play."""

import pytest
from django.utils import translation

from scoring.handouts.hands import print_hands_of_event, print_hands_of_game
from scoring.handouts.properties import SheetOrder
from scoring.models import Game
from scoring.selectors import queries
from tests.scoring.club import at, chip_hand, enter, make_game, state_of
from tests.tournaments.night import draw, make_night, play_round, start
from tests.tournaments.printing.paper import badly_placed, pages
from tournaments.core.errors import RefusedError
from tournaments.tables.press import PaperSize

pytestmark = pytest.mark.django_db


def text_of(data: bytes) -> str:
    assert badly_placed(data) == []
    return " ".join(" ".join(page.text.split()) for page in pages(data))


def test_a_result_shows_who_took_what_and_who_paid_whom() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (0, 4, 2, 7), bidder="E", bid=3, pain="H"))
    game.refresh_from_db()
    text = text_of(print_hands_of_game(game, SheetOrder(at=at(9))))
    for words in ("Hand 1", "Dealer: North", "Suit to avoid: \N{WHITE HEART SUIT} hearts"):
        assert words in text
    assert "named by East" in text
    assert "N Player 1" in text
    assert "East \N{RIGHTWARDS ARROW} the pot 3 (bid)" in text
    assert "West \N{RIGHTWARDS ARROW} the pot 7 (cards taken)" in text


def test_hands_of_a_night_come_by_round_and_table_in_the_language_of_who_asks() -> None:
    event = make_night(8, rounds=2)
    for number in (1, 2):
        draw(event)
        play_round(event, number)
    order = SheetOrder(at=at(99), paper=PaperSize.LETTER, site="https://hearts.example.org")
    with translation.override("de"):
        data = print_hands_of_event(event, order)
    text = text_of(data)
    places = [f"Runde {number}, Tisch {table}" for number in (1, 2) for table in (1, 2)]
    found = [text.index(place) for place in places]
    assert found == sorted(found)
    assert text.count("Geber: ") == 8
    assert pages(data)[0].size == (612, 792)


def test_hands_that_other_tables_have_still_to_play_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_night(8, rounds=1)
    draw(event)
    first, second = start(event, 1)
    for game in (first, second):
        enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    monkeypatch.setattr(queries, "secret_hands", lambda _event: {(first.pk, 1)})
    text = text_of(print_hands_of_event(event, SheetOrder(at=at(9))))
    assert "Round 1, table 2" in text
    assert "Round 1, table 1" not in text


def test_nothing_is_printed_of_a_game_without_a_hand() -> None:
    game = make_game()
    with pytest.raises(RefusedError, match="no hand yet"):
        print_hands_of_game(Game.objects.get(pk=game.pk), SheetOrder(at=at()))
