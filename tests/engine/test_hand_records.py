"""A hand that was played step by step is written down, read again, and judged the same."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from benchmarks.hands import played_out, record_of
from engine.games.game import judge_hand
from engine.notation import read_text, to_document, write_record
from engine.record.game_state import GameState
from engine.rules.rules import Rules, change
from tests.engine.table import shuffled

TABLES = [
    (name, players)
    for name, rules in engine.PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]
NAMES = ("Adams, Nora", "Baker, Ed", "Clark, Sue", "Diaz, Ana", "Evans, Gwen", "Fischer, Jan")


def begun(rules: Rules, state: GameState, dice: Random) -> engine.Hand:
    eldest = engine.Seat((state.dealer + 1) % state.players)
    return engine.start(rules, state, shuffled(rules, state.players, dice, eldest))


def serious(judged: engine.Judged) -> list[str]:
    """What is wrong with a record; a low bid, for instance, is only a warning."""
    found = (one.diagnostic for one in judged.findings)
    grave = (engine.Severity.ERROR, engine.Severity.RULING)
    return [str(one.message) for one in found if one.severity in grave]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_game_that_was_played_is_read_as_it_was_played(name: str, players: int) -> None:
    rules, dice = engine.PRESETS[name], Random(f"{name} {players}")
    state, game = engine.beginning(rules, players), engine.Game.begin(rules, players)
    texts: list[str] = []
    while state.over is None and len(texts) < 6:
        hand = begun(rules, state, dice)
        while hand.turn is not None:
            hand = hand.apply(hand.sample_action(dice))
        state = hand.settle().after
        number, names = len(texts) + 1, NAMES[:players]
        texts.append(hand.to_phn(number=number, names=names, tags={"GameId": "one"}))
        game = game.add(hand.to_record(number=number, names=names))
    verdict = engine.judge("\n".join(texts))
    assert [one for row in verdict.records for one in serious(row)] == []
    last = verdict.records[-1].result
    assert last is not None
    assert last.after == game.state == state


@given(st.integers(0, 10**6), st.sampled_from(TABLES), st.integers(1, 60))
def test_a_hand_is_written_as_far_as_it_has_gone(
    seed: int, table: tuple[str, int], actions: int
) -> None:
    name, players = table
    rules, dice = engine.PRESETS[name], Random(seed)
    hand = begun(rules, engine.beginning(rules, players), dice)
    for _ in range(actions):
        if hand.turn is not None:
            hand = hand.apply(hand.sample_action(dice))
    (judged,) = engine.judge(hand.to_phn(number=1)).records
    assert serious(judged) == []
    record = judged.entry.record
    assert record is not None
    assert record.deal == hand.dealt
    assert len([card for card in record.play or () if card is not None]) == (
        len(hand.tricks) * players + len(hand.trick)
    )


@given(st.integers(0, 10**6), st.sampled_from(TABLES))
def test_a_sampled_action_is_one_of_the_legal_ones(seed: int, table: tuple[str, int]) -> None:
    name, players = table
    dice = Random(seed)
    house = {"foot": "on", "max_centre_bid": "15"} if name == "insurance" else {}
    rules = change(engine.PRESETS[name], house)
    hand = begun(rules, engine.beginning(rules, players), dice)
    while hand.turn is not None:
        action = hand.sample_action(dice)
        assert action in hand.legal_actions or isinstance(action, engine.CallFoot)
        hand = hand.apply(action)
    with pytest.raises(ValueError, match="nobody is to act"):
        hand.sample_action(dice)


def test_everybody_passes_by_chance_too() -> None:
    rules, dice = engine.preset("bicycle"), Random(3)
    endings = set()
    for _ in range(200):
        hand = begun(rules, engine.beginning(rules, 4), dice)
        while hand.turn is not None and hand.phase is engine.Phase.AUCTION:
            hand = hand.apply(hand.sample_action(dice))
        endings.add(hand.turn is None)
    assert endings == {True, False}


def test_who_calls_first_is_left_to_the_game_where_no_dealer_is_written() -> None:
    rules = engine.PRESETS["bicycle"]
    state = replace(engine.beginning(rules, 4), dealer=engine.Seat(2))
    hand = played_out(rules, state, Random("dealer"))
    whole = record_of(hand, 1)
    unsaid = replace(whole, dealer=None, first_caller=None)
    assert unsaid.first_caller is None
    right, found = judge_hand(rules, state, whole), judge_hand(rules, state, unsaid)
    assert found.after == right.after
    assert found.faults == right.faults
    assert found.replay.record.first_caller == engine.Seat(3)
    text = write_record(to_document(unsaid, {}))
    assert '[AuctionTable "1;2;3;4"]' in text
    (entry,) = read_text(f"% PHN 1.0\n{text}")
    assert entry.record == unsaid
