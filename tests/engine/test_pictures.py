"""What a notebook shows: pictures of deals, hands and tricks, tables of settlements, rows."""

from random import Random
from xml.etree import ElementTree

import pytest

import engine
from engine.core.pictures import draw_table
from tests.engine.table import shuffled

TABLES = [("bicycle", 4), ("insurance", 4), *[("hoyle_hearts", players) for players in range(3, 7)]]


def words(svg: str) -> str:
    return " ".join("".join(node.itertext()) for node in ElementTree.fromstring(svg))  # noqa: S314


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_picture_of_a_deal_has_every_card_once(name: str, players: int) -> None:
    rules = engine.preset(name)
    dealt = shuffled(rules, players, Random(name), engine.Seat(0))
    shown = words(dealt._repr_svg_())
    ranks = sum(shown.count(rank) for rank in "23456789JQKA") + shown.count("10")
    assert ranks == sum(held.bit_count() for held in (*dealt.holdings, dealt.centre))
    for seat in engine.start(rules, engine.beginning(rules, players), dealt).to_record().seats:
        assert seat in shown.split()


def test_a_picture_of_a_hand_has_the_trick_on_the_table() -> None:
    rules, dice = engine.preset("hoyle_hearts"), Random(1)
    hand = engine.start(rules, engine.beginning(rules, 4), shuffled(rules, 4, dice, engine.Seat(0)))
    hand = hand.apply(hand.sample_action(dice))
    (card,) = hand.trick
    assert f"{engine.Suit(card // 13).glyph}{str(card)[1].replace('T', '10')}" in words(
        hand._repr_svg_()
    )


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_hand_that_is_over_shows_its_tricks_and_its_settlement(name: str, players: int) -> None:
    rules, dice = engine.preset(name), Random(name)
    hand = engine.start(
        rules, engine.beginning(rules, players), shuffled(rules, players, dice, engine.Seat(0))
    )
    while hand.turn is not None:
        hand = hand.apply(hand.legal_actions[-1 if hand.phase is engine.Phase.AUCTION else 0])
    assert len(words(hand.tricks[0]._repr_svg_()).split()) >= 2 * players
    settled = hand.settle()
    rows = settled.to_rows()
    assert [row["Pain"] for row in rows] == list(settled.facts.taken)
    table = ElementTree.fromstring(settled._repr_html_())  # noqa: S314
    shown = [row.findtext("td") for row in table.findall("tbody/tr")]
    pot = ["pot"] if settled.before.bought else []
    assert shown == [*map(str, range(players)), *pot]


def test_what_people_typed_is_no_markup() -> None:
    assert "<b>" not in draw_table([{"<b>": "<b>", "Ok": True, "None": None}])


def test_cards_and_actions_read_as_cards() -> None:
    queen = engine.card("SQ")
    assert (str(queen), repr(queen), f"{queen:>3}", queen + 0) == ("SQ", "SQ", " SQ", 49)
    assert repr(engine.Play(engine.Seat(1), queen)) == "Play(seat=1, card=SQ)"
    assert repr(engine.Pass(engine.Seat(1), engine.parse_cards("SAK7"))) == "<Pass: seat 1, SAK7>"
    some = engine.Deal((engine.parse_cards("SA"), engine.parse_cards("H2")))
    assert repr(some) == "<Deal: SA | H2>"


def test_rows_of_a_game_are_those_of_its_text() -> None:
    rules, dice = engine.preset("bicycle"), Random(7)
    game, texts = engine.Game.begin(rules, 4), []
    for number in (1, 2, 3):
        hand = engine.start(rules, game.state, shuffled(rules, 4, dice, engine.Seat(0)))
        while hand.turn is not None:
            hand = hand.apply(hand.sample_action(dice))
        texts.append(hand.to_phn(number=number, tags={"GameId": "g"}))
        game = game.add(hand.to_record(number=number))
    rows = game.to_rows()
    assert len(rows) == 12
    judged = engine.judge("\n".join(texts)).to_rows()
    assert [{**row, "Ok": True} for row in judged] == [
        {"Record": row["Hand"], "Game": 1, "Ok": True, **row} for row in rows
    ]
    assert sum(row["After"] for row in rows[-4:]) + rows[-1]["PotAfter"] == 200  # type: ignore[operator,misc]
