"""A hand told again at the desk: by its result, card by card, or by its record."""

import json
from typing import Any
from uuid import uuid4

import pytest

from engine.core.cards import NAMES, members
from engine.live.hand import Hand as PlayedOut
from engine.rules.presets import PRESETS, preset
from scoring.hands import recording
from scoring.hands.submission import HandSubmission
from scoring.models import Form, Game, Hand, HandVersion, State
from scoring.settlement.plan import rules_of
from tests.engine.table import playout, seeded
from tests.scoring.club import (
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_rules,
    seat,
    state_of,
)
from tests.scoring.forms import as_actions, as_record, as_result, by_name
from tests.web.desk import Director, director_of, forms_in
from tests.web.test_desk_rulings import words

pytestmark = pytest.mark.django_db
TABLES = [(name, preset(name).players.least) for name in PRESETS]


def table(name: str, players: int, **overrides: str) -> tuple[Director, Game]:
    club = make_club()
    game = make_game(club, make_rules(club, name, overrides), players)
    return director_of(club), game


def played(game: Game, dice: str, *, needs_play: bool = True) -> PlayedOut:
    """The next hand, played by the engine to its end."""
    for attempt in range(100):
        hand = playout(rules_of(game), state_of(game), seeded(f"{dice} {attempt}"))
        if not needs_play or hand.tricks:
            return hand
    raise AssertionError("every hand was passed out")


def sent(game: Game, form: Form, data: dict[str, Any]) -> Hand:
    text = json.dumps(data).encode()
    number = Game.objects.get(pk=game.pk).hands + 1
    told = HandSubmission(id=uuid4(), number=number, form=form, sent=text)
    return recording.enter_hand(game_id=game.pk, sent=told, by=seat(0), at=at(1)).hand


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_form_has_what_the_record_says_and_unchanged_it_settles_alike(
    name: str, players: int
) -> None:
    director, game = table(name, players)
    for form, tell in (
        (Form.RESULT, as_result),
        (Form.RESULT, by_name),
        (Form.ACTIONS, as_actions),
    ):
        hand = sent(game, form, tell(played(game, f"{name} {form} {tell.__name__}")))
        after = state_of(game)
        assert hand.state == State.ACCEPTED, hand.reason
        path = f"/desk/hands/{hand.pk}/correct/"
        for way in ("cards", "result") if form == Form.ACTIONS else ("result",):
            page = director.send(director.form(f"{path}?by={way}", path), do="preview")
            assert page.status_code in (200, 422), words(page)
            refused = "Please correct the fields marked below" in words(page)
            unchanged = "the record that stands already" in words(page)
            assert unchanged or not refused, words(page)
        answer = director.send(director.form(f"{path}?by=result", path), why="Again.", do="correct")
        if answer.status_code == 302:
            assert state_of(game).chips == after.chips
            assert state_of(game).totals == after.totals
        else:
            assert "the record that stands already" in words(answer)


def test_counts_are_put_right_and_the_last_seat_gets_what_is_left() -> None:
    director, game = table("bicycle", 4)
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    path = f"/desk/hands/{hand.pk}/correct/"
    page = director.get(path)
    text = page.content.decode()
    # The dealer, North, is the last: their cards are what is left.
    assert "taken_E" in text
    assert "taken_N" not in text
    assert "<output>4</output>" in text
    assert "Player 2" in words(page)
    looked = director.fill(path, taken_E="0", do="preview")
    assert "Nothing is written yet" in words(looked)
    assert "<output>8</output>" in looked.content.decode()
    director.fill(path, taken_E="0", why="East took none.", do="correct")
    version = HandVersion.objects.get(hand=hand, number=2)
    assert version.form == Form.RESULT
    assert json.loads(bytes(version.sent or b""))["taken"] == {"E": 0, "S": 4, "W": 1}
    assert state_of(game).chips[1] > 50
    director.fill(f"/desk/hands/{hand.pk}/", "/undo/", why="He did.")
    assert state_of(game).chips[1] < 50


def test_what_cannot_be_is_said_at_its_field() -> None:
    director, game = table("standard", 4)
    hand = sent(game, Form.RESULT, as_result(played(game, "points")))
    path = f"/desk/hands/{hand.pk}/correct/"
    first = next(name for name in director.form(path).values if name.startswith("taken_"))
    many = director.fill(path, **{first: "14"}, do="preview")
    assert many.status_code == 422
    assert "there are 13." in words(many)
    none = director.fill(path, queen="", why="x", do="correct")
    assert "Say who took the queen of spades." in words(none)
    assert 'id="id_queen_error"' in none.content.decode()
    seats = [name for name in director.form(path).values if name.startswith("taken_")]
    left = director.fill(path, **dict.fromkeys(seats, ""), do="preview")
    assert f'id="id_{seats[0]}_error"' in left.content.decode() or left.status_code == 422
    assert HandVersion.objects.filter(hand=hand).count() == 1


def test_one_card_is_chosen_and_put_right_with_what_the_engine_finds() -> None:
    director, game = table("standard", 4)
    whole = played(game, "cards")
    hand = sent(game, Form.ACTIONS, as_actions(whole, whole=False))
    path = f"/desk/hands/{hand.pk}/correct/"
    first, second = whole.tricks[0], whole.tricks[5]
    seats = ("N", "E", "S", "W")
    name = seats[first.leader]
    old = NAMES[first.cards[0]]
    other = NAMES[second.cards[(first.leader - second.leader) % 4]]
    picked = director.fill(path, pick=f"trick.1.{name}")
    assert "One of their other cards" in words(picked)
    assert f'value="{other}"' in picked.content.decode()
    put = director.fill(path, picked=f"trick.1.{name}", put=other)
    assert put.status_code == 200
    assert "The hand then reads" in words(put)
    text = put.content.decode()
    assert "proposal is-" in text  # the first card must be the lowest club
    data = {field: value[0] for field, value in forms_of(put, path).items()}
    assert old in data["moves"]
    director.client.post(path, {**data, "why": "Read wrongly.", "do": "correct"})
    version = HandVersion.objects.get(hand=hand, number=2)
    assert version.form == Form.ACTIONS
    assert json.loads(bytes(version.sent or b""))["play"].startswith(f"{name}:{other} ")


def forms_of(response: Any, path: str) -> dict[str, list[str]]:
    return next(one for one in forms_in(response, path) if "moves" in one.values).values


def test_a_bid_and_a_passed_card_are_put_right() -> None:
    director, game = table("bicycle", 4)
    whole = played(game, "bids")
    hand = sent(game, Form.ACTIONS, as_actions(whole, whole=False))
    path = f"/desk/hands/{hand.pk}/correct/"
    bidder = ("N", "E", "S", "W")[whole.facts.bidder or 0]
    looked = director.fill(path, **{f"bid_{bidder}": str(whole.facts.bid + 1)}, do="preview")
    assert looked.status_code == 200, words(looked)
    assert "Nothing is written yet" in words(looked)
    director.fill(path, **{f"bid_{bidder}": str(whole.facts.bid + 1)}, why="More.", do="correct")
    text = bytes(HandVersion.objects.get(hand=hand, number=2).text).decode()
    assert f"{whole.facts.bid + 1}" in text

    director, game = table("standard", 4)
    whole = played(game, "passes")
    hand = sent(game, Form.ACTIONS, as_actions(whole))
    path = f"/desk/hands/{hand.pk}/correct/"
    mine = next(one for one in whole.passes if one.seat == 0)
    theirs = next(one for one in whole.passes if one.seat == 1)
    old, new = (NAMES[next(members(one.cards))] for one in (mine, theirs))
    assert "did not pass" in words(director.fill(path, pick=f"pass.{old}.N"))
    put = director.fill(path, picked=f"pass.{old}.N", put=new)
    assert "The hand then reads" in words(put)


@pytest.mark.parametrize(
    "values",
    [
        {"moves": "{"},
        {"moves": "[1]"},
        {"moves": '{"what": 1}'},
        {"moves": '{"play": 7}'},
        {"moves": '{"play": "N:C2 C2 C2 C2"}'},
        {"moves": '{"pass": "N:H2"}', "picked": "pass.H9.N", "put": "H3"},
        {"picked": "trick.99.N", "put": "H3"},
        {"picked": "trick.x.Q", "put": "H3"},
        {"picked": "trick.1.N", "put": "ZZ"},
        {"picked": "", "put": ""},
        {"pick": "trick.\u0660.N"},
        {"pick": "x" * 5000},
        {"pain": "Q", "do": "preview"},
        {"claim": "Q", "do": "preview"},
    ],
)
def test_whatever_is_sent_there_is_an_answer(values: dict[str, str]) -> None:
    director, game = table("standard", 4)
    hand = sent(game, Form.ACTIONS, as_actions(played(game, "hostile"), whole=False))
    answer = director.fill(f"/desk/hands/{hand.pk}/correct/", **values)
    assert answer.status_code in (200, 422)
    assert HandVersion.objects.filter(hand=hand).count() == 1


def test_a_text_that_is_no_record_can_only_be_edited() -> None:
    director, game = table("bicycle", 4)
    hand = enter(game, b"North won, I think.").hand
    path = f"/desk/hands/{hand.pk}/correct/"
    assert 'name="text"' in director.get(path).content.decode()
    assert 'name="text"' in director.get(f"{path}?by=cards").content.decode()


def test_a_hand_that_waits_is_told_again_too() -> None:
    director, game = table("bicycle", 4)
    whole = played(game, "early")
    hand = enter(game, as_record(whole), number=3).hand
    path = f"/desk/hands/{hand.pk}/correct/"
    for way in ("cards", "result", "record"):
        assert director.get(f"{path}?by={way}").status_code == 200
    looked = director.fill(path, do="preview")
    assert looked.status_code in (200, 422)
