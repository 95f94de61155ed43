"""A claim before the first trick is a hand like any other: whoever claims takes everything."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.seats import Seat, clockwise
from engine.live.hand import Hand, Phase, start
from engine.notation import read_text, write
from engine.record.actions import ClaimRest
from engine.record.game_state import beginning
from engine.record.record import Claim, HandRecord
from engine.rules.presets import PRESETS
from engine.rules.rules import change
from engine.verdicts.judge import judge
from tests.engine.notation.texts import read_slowly
from tests.engine.table import record_of, seeded, shuffled, some_action

TABLES = [
    (name, players)
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]


def claimed(name: str, players: int, seed: int) -> Hand | None:
    """A hand that somebody claims before the first lead; None if it ends before."""
    dice = seeded(seed)
    rules = change(PRESETS[name], {"foot": "off"})
    hand = start(rules, beginning(rules, players), shuffled(rules, players, dice, Seat(1)))
    while hand.phase not in (Phase.PLAY, Phase.DONE):
        hand = hand.apply(some_action(hand, dice))
    if hand.phase is Phase.DONE:
        return None
    hand = hand.apply(ClaimRest(Seat(dice.randrange(players))))
    while hand.turn is not None:
        hand = hand.apply(some_action(hand, dice))
    return hand


def writings(hand: Hand) -> list[HandRecord]:
    """The record without a play table, and with one that has no rows."""
    record = record_of(hand)
    columns = tuple(clockwise(hand.leader, hand.players))
    return [record, replace(record, play=(), columns=columns)]


@given(st.sampled_from(TABLES), st.integers(0, 10**9))
def test_it_is_written_read_and_settled_as_it_was_played(table: tuple[str, int], seed: int) -> None:
    hand = claimed(*table, seed)
    for record in writings(hand) if hand is not None else ():
        assert hand is not None
        text = write([record])
        assert '[Detail "full"]' in text
        (quickly,), (slowly,) = read_text(text), read_slowly(text)
        assert quickly.record == slowly.record
        assert quickly.diagnostics == slowly.diagnostics
        verdict = judge(text)
        assert verdict.ok
        (judged,) = verdict.records
        assert judged.result is not None
        assert judged.result.facts.taken == hand.facts.taken
        assert judged.result.facts.tricks == hand.facts.tricks
        assert judged.result.after == hand.settle().after


@pytest.mark.parametrize("tricks", ["1", "5"])
def test_a_claim_after_tricks_that_are_not_written_is_still_an_error(tricks: str) -> None:
    hand = claimed("hoyle_hearts", 4, 1)
    assert hand is not None
    record = replace(record_of(hand), claim=Claim(Seat(0), int(tricks)))
    assert [one.diagnostic.rule for one in judge(write([record])).records[0].findings] == ["C60"]


def test_rules_without_claims_know_none_here_either() -> None:
    hand = claimed("hoyle_hearts", 4, 1)
    assert hand is not None
    rules = change(hand.rules, {"claims": "off"})
    found = judge(write([replace(record_of(hand), rules=rules)])).records[0].findings
    assert [one.diagnostic.rule for one in found] == ["P58"]
