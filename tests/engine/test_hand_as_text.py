"""A hand in the hands of a programmer: what they type is read, and what they print is short."""

from typing import cast

import pytest

import engine
from engine import Bid, Hand, NamePain, Play
from engine.core.cards import Suit, parse_cards
from engine.core.seats import Seat
from engine.record.actions import CallFoot, Insure, Pass


def begun(preset: str) -> Hand:
    rules = engine.preset(preset)
    return engine.start(rules, engine.beginning(rules, 4), engine.deal(rules, 4, range(52)))


def test_texts_play_a_hand_from_the_auction_on() -> None:
    hand = begun("bicycle")
    assert hand.parse("pass") == Bid(hand.to_act[0], None)
    for text in ("2", "Pass", "3", "Pass"):
        hand = hand.apply(hand.parse(text))
    assert hand.turn is not None
    assert hand.parse("H") == NamePain(hand.turn, Suit.HEARTS)
    hand = hand.apply(hand.parse("H"))
    card = engine.card("C5")
    seat = hand.turn
    assert seat is not None
    assert hand.parse("C5") == Play(seat, card)
    assert str(hand.parse("C5")) == "C5"


def test_texts_write_papers_and_pass_cards() -> None:
    hand = begun("insurance")
    assert hand.parse("3") == Insure(Seat(1), 3)
    assert hand.parse("F") == CallFoot(Seat(1))
    assert hand.parse("F2") == CallFoot(Seat(1), 2)
    for _ in range(4):
        hand = hand.apply(hand.parse("0") if hand.turn is None else Insure(hand.turn, 0))
    assert hand.turn is not None
    assert hand.parse("SAK7") == Pass(hand.turn, parse_cards("SAK7"))


@pytest.mark.parametrize(
    ("preset", "text", "words"),
    [
        ("bicycle", "two", "'two' is not a number"),
        ("bicycle", "\u0662", "is not a number"),
        ("hoyle_hearts", "S1", "'S1' is not a card"),
        ("hoyle_hearts", "", "'' is not a card"),
    ],
)
def test_a_text_that_says_nothing_is_a_value_error(preset: str, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        begun(preset).parse(text)


def test_before_the_deal_no_text_says_anything() -> None:
    rules = engine.preset("bicycle")
    with pytest.raises(ValueError, match="deal"):
        engine.start(rules, engine.beginning(rules, 4)).parse("SQ")


@pytest.mark.parametrize(
    ("thing", "words"),
    [("SQ", "'SQ' is a text, no action; hand.parse"), (49, "49 is no action; write one such as")],
)
def test_what_is_no_action_is_a_type_error(thing: object, words: str) -> None:
    hand = begun("hoyle_hearts")
    for ask in (hand.apply, hand.fault):
        with pytest.raises(TypeError, match=words):
            ask(cast("Play", thing))


def test_a_hand_is_short_to_look_at() -> None:
    hand = begun("hoyle_hearts")
    assert repr(hand) == "<Hand: play, seat 1 to act, trick 1>"
    assert len(str(hand).splitlines()) == 5
    over = hand
    while over.turn is not None:
        over = over.apply(over.legal_actions[0])
    assert repr(over) == "<Hand: played, nobody to act>"
    assert str(over).splitlines()[0] == "  0"
    assert repr(begun("insurance")) == "<Hand: papers, seats 1, 2, 3, 0 to act>"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("bycicle", "bicycle"), ("Insurance", "insurance"), ("hearts-hoile", "hearts-hoyle")],
)
def test_a_misspelt_preset_is_told_the_nearest_name(wrong: str, right: str) -> None:
    with pytest.raises(engine.RulesError, match=f"did you mean {right}"):
        engine.preset(wrong)


def test_nothing_like_a_preset_gets_the_list() -> None:
    with pytest.raises(engine.RulesError, match="'zzz' is not one of bicycle, ") as caught:
        engine.preset("zzz")
    assert "did you mean" not in str(caught.value)
