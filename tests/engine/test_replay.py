"""A hand played step by step and written down is replayed without a fault, to the same result."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from engine.core.cards import CARDS, SUIT_OF, CardSet, card_set
from engine.core.faults import Code, Part, Severity
from engine.core.seats import Seat
from engine.games.game import Game, fold, judge_hand
from engine.live.hand import Hand, Phase, start
from engine.record.actions import ClaimRest
from engine.record.facts import Facts, Status
from engine.record.record import CapturedCards, HandRecord, ScoreRow
from engine.replay.replay import replay
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from engine.rules.switches import PainBy, Toggle
from engine.settlement.settlement import settle
from engine.settlement.tables import pot_row, score_rows
from tests.engine.table import playouts, record_of, seeded, shuffled, some_action
from tests.examples import examples

TABLES = [
    pytest.param(rules, players, id=f"{name}-{players}")
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]
at_every_table = pytest.mark.parametrize(("rules", "players"), TABLES)
seeds = st.integers(0, 2**32 - 1)
a_few = settings(max_examples=examples(8, 2), deadline=None)


def known(facts: Facts) -> Facts:
    """What counts of the facts: no papers and no centre cards are zeros; nothing of no play."""
    if not facts.status.settles:
        return Facts(status=facts.status, feet=facts.feet)
    nothing = (0,) * len(facts.taken)
    return replace(facts, papers=facts.papers or nothing, centre=facts.centre or nothing)


def settled_alike(rules: Rules, hand: Hand, record: HandRecord) -> None:
    """The record has no fault and comes to the same settlement as the hand."""
    judged = judge_hand(rules, hand.before, record)
    assert judged.faults == ()
    assert judged.after == hand.settle().after


@at_every_table
@a_few
@given(seed=seeds)
def test_a_full_record_is_replayed_to_the_same_facts(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed)):
        record = record_of(hand)
        judged = replay(record, rules, hand.before)
        assert judged.faults == ()
        assert known(judged.facts) == known(hand.facts)
        assert judged.tricks == hand.tricks
        assert judged.good == len(record.play or ())
        settled_alike(rules, hand, record)


@at_every_table
@a_few
@given(seed=seeds)
def test_rows_in_order_of_play_tell_the_same(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        settled_alike(rules, hand, record_of(hand, in_order=True))


@at_every_table
@a_few
@given(seed=seeds, first=st.integers(0, 5))
def test_columns_may_begin_with_any_seat(rules: Rules, players: int, seed: int, first: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 2):
        record = record_of(hand)
        if record.play is None or record.columns is None:
            continue
        places = [(first + place) % players for place in range(players)]
        turned = [
            record.play[base + place]
            for base in range(0, len(record.play), players)
            for place in places
        ]
        columns = tuple(record.columns[place] for place in places)
        leader = hand.tricks[0].leader
        other = replace(record, play=tuple(turned), columns=columns)
        judged = replay(other, rules, hand.before)
        if columns[0] == leader:
            assert judged.faults == ()
        assert {fault.code for fault in judged.faults} <= {Code.WRONG_LEADER, *PLAY_CODES}


PLAY_CODES = {code for code in Code if code.value.startswith("P")}


@at_every_table
@a_few
@given(seed=seeds)
def test_the_play_alone_tells_the_deal(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        if not hand.status.settles:
            continue
        record = replace(record_of(hand), deal=None, exchange=None)
        judged = replay(record, rules, hand.before)
        assert judged.faults == ()
        assert known(judged.facts) == known(hand.facts)
        if not hand.passes and not hand.bids:
            assert judged.held == hand.dealt


@at_every_table
@a_few
@given(seed=seeds)
def test_the_cards_captured_are_enough_to_settle(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        if not hand.status.settles:
            continue
        captures = tuple(
            CapturedCards(Seat(seat), taken, hand.facts.tricks[seat])
            for seat, taken in enumerate(hand.taken)
        )
        record = replace(record_of(hand), deal=None, exchange=None, play=None, captures=captures)
        settled_alike(rules, hand, record)


@at_every_table
@a_few
@given(seed=seeds)
def test_the_score_table_is_enough_to_settle(rules: Rules, players: int, seed: int) -> None:
    """K6: real tables will mostly deliver no more."""
    for hand in playouts(rules, players, seeded(seed), 3):
        if not hand.status.settles or hand.rules.moon_all_tricks == "game":
            continue
        done = hand.settle()
        pot = pot_row(done) if rules.settlement == "pot" else None
        record = replace(
            record_of(hand),
            deal=None,
            exchange=None,
            play=None,
            scores=score_rows(rules, done),
            pot=pot,
        )
        judged = judge_hand(rules, hand.before, record)
        assert judged.faults == ()
        after = hand.settle().after
        assert judged.after == replace(after, tricks=hand.before.tricks)


@at_every_table
@a_few
@given(seed=seeds)
def test_the_written_tables_are_confirmed(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        done = hand.settle()
        pot = pot_row(done) if rules.settlement == "pot" else None
        rows = score_rows(rules, done)
        turned = [ScoreRow(row.seat, dict([*row.values.items()][::-1])) for row in rows[::-1]]
        for scores in (rows, tuple(turned)):
            record = replace(record_of(hand), scores=scores, pot=pot)
            if hand.status.settles:
                settled_alike(rules, hand, record)


@at_every_table
@a_few
@given(seed=seeds)
def test_the_points_alone_are_enough_to_settle(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        done = hand.settle()
        if done.score is None:
            continue
        rows = tuple(ScoreRow(Seat(s), {"Points": n}) for s, n in enumerate(done.score.points))
        record = replace(record_of(hand), deal=None, exchange=None, play=None, scores=rows)
        judged = judge_hand(rules, hand.before, record)
        assert judged.faults == ()
        assert judged.after.totals == done.after.totals


def claimed(rules: Rules, players: int, dice: Random) -> Hand:
    """A hand that somebody claims between two tricks."""
    hand = playouts(rules, players, dice, 1)[0]
    stop = dice.randrange(1, 8)
    while hand.previous is not None and (hand.trick or len(hand.tricks) != stop):
        hand = hand.undo()
    if hand.phase is not Phase.PLAY:
        return playouts(rules, players, dice, 1)[0]
    hand = hand.apply(ClaimRest(Seat(dice.randrange(players))))
    while hand.phase is not Phase.DONE:
        hand = hand.apply(some_action(hand, dice))
    return hand


@at_every_table
@a_few
@given(seed=seeds)
def test_a_claim_is_replayed(rules: Rules, players: int, seed: int) -> None:
    """Q65."""
    hand = claimed(rules, players, seeded(seed))
    record = record_of(hand)
    assert known(replay(record, rules, hand.before).facts) == known(hand.facts)
    settled_alike(rules, hand, record)


# Irregular play.


def plays_of(record: HandRecord) -> list[int]:
    assert record.play is not None
    return [one for one in record.play if one is not None]


@at_every_table
@a_few
@given(seed=seeds)
def test_cards_of_two_seats_exchanged_were_not_held(rules: Rules, players: int, seed: int) -> None:
    dice = seeded(seed)
    hand = playouts(rules, players, dice, 1)[0]
    assume(hand.status.settles)
    record = record_of(hand)
    play = list(record.play or ())
    base = dice.randrange(len(hand.tricks)) * players
    one, other = sorted(dice.sample(range(base, base + players), 2))
    play[one], play[other] = play[other], play[one]
    judged = replay(replace(record, play=tuple(play)), rules, hand.before)
    wrong = [fault for fault in judged.faults if fault.code is Code.NOT_HELD]
    assert {fault.index for fault in wrong[:2]} == {one, other}
    assert base <= judged.good < base + players
    assert all(fault.severity is Severity.ERROR for fault in wrong)
    assert not judged.settles


@at_every_table
@a_few
@given(seed=seeds)
def test_a_revoke_is_found_where_it_happened(rules: Rules, players: int, seed: int) -> None:
    """A seat's card of a later trick in place of the one that followed suit."""
    dice = seeded(seed)
    hand = playouts(rules, players, dice, 1)[0]
    assume(hand.status.settles)
    record = record_of(hand)
    play, columns = plays_of(record), record.columns or ()
    for trick in dice.sample(range(len(hand.tricks)), len(hand.tricks)):
        done = hand.tricks[trick]
        led = SUIT_OF[done.cards[0]]
        for turn, one in enumerate(done.cards[1:], 1):
            seat = Seat((done.leader + turn) % players)
            place = trick * players + columns.index(seat)
            later = [
                at
                for at in range(place + players, len(play), players)
                if SUIT_OF[play[at]] is not led
            ]
            if SUIT_OF[one] is led and later:
                at = dice.choice(later)
                play[place], play[at] = play[at], play[place]
                first = replay(replace(record, play=tuple(play)), rules, hand.before).faults[0]  # type: ignore[arg-type]
                assert (first.code, first.seat, first.trick) == (Code.REVOKE, seat, trick + 1)
                assert first.index == place
                assert first.legal >> one & 1
                assert all(SUIT_OF[card] is led for card in range(52) if first.legal >> card & 1)
                assert first.established == (trick + 1 < len(hand.tricks))
                event("revoked")
                play[place], play[at] = play[at], play[place]


@at_every_table
@settings(max_examples=examples(25), deadline=None)
@given(seed=seeds)
def test_no_nonsense_in_a_record_stops_the_replay(rules: Rules, players: int, seed: int) -> None:
    """Never an exception because of what a record says; every fault in its place."""
    dice = seeded(seed)
    hand = playouts(rules, players, dice, 1)[0]
    record = spoilt(record_of(hand, in_order=dice.random() < 0.3), dice)
    judged = judge_hand(rules, hand.before, record)
    assert judged.replay.settles or judged.settlement is None
    for fault in judged.faults:
        assert fault.message
        assert fault.rule
        assert fault.seat is None or 0 <= fault.seat < players
        if fault.part is Part.PLAY and fault.index is not None:
            assert 0 <= fault.index < max(len(record.play or ()), 1)


def spoilt(record: HandRecord, dice: Random) -> HandRecord:
    """A record with a few random accidents."""
    accidents: dict[str, Callable[[], Any]] = {
        "play": lambda: _spoilt_play(record, dice),
        "deal": lambda: _spoilt_deal(record, dice),
        "auction": lambda: tuple(
            dice.choice([None, -1, 0, 3, 99, -7]) for _ in range(dice.randrange(8))
        ),
        "namer": lambda: dice.choice([None, *map(Seat, range(record.players))]),
        "pain": lambda: dice.choice([None, *SUIT_OF[::13]]),
        "jackpot": lambda: dice.choice([None, 0, 1, 5]),
        "centre": lambda: card_set(dice.sample(CARDS, dice.randrange(6))),
        "papers": lambda: None,
        "exchange": lambda: None,
        "bids": lambda: None,
        "dealer": lambda: dice.choice([None, Seat(1)]),
        "ending": lambda: None,
        "first_caller": lambda: dice.choice([None, Seat(0), Seat(2)]),
    }
    changes = {name: accidents[name]() for name in dice.sample(sorted(accidents), 3)}
    return replace(record, **changes)


def _spoilt_play(record: HandRecord, dice: Random) -> tuple[int | None, ...]:
    play: list[int | None] = list(record.play or ())
    for _ in range(dice.randrange(4)):
        if play:
            play[dice.randrange(len(play))] = dice.choice([None, dice.randrange(52)])
    cut = dice.choice([len(play), dice.randrange(len(play) + 1)])
    return tuple(play[:cut]) + tuple(dice.choice([(), (1, 2, 3)]))


def _spoilt_deal(record: HandRecord, dice: Random) -> tuple[CardSet, ...]:
    deal = list(record.deal or ())
    for _ in range(dice.randrange(3)):
        deal[dice.randrange(len(deal))] = CardSet(dice.getrandbits(52) & dice.getrandbits(52))
    return tuple(deal)


# Whole games.


def game_of(rules: Rules, players: int, seed: int) -> tuple[Game, list[Hand]]:
    hands = playouts(rules, players, seeded(seed), 8)
    played_game = Game.begin(rules, players, hands[0].before.dealer)
    for hand in hands:
        played_game = played_game.add(record_of(hand))
    return played_game, hands


@at_every_table
@settings(max_examples=examples(8, 2), deadline=None)
@given(seed=seeds)
def test_a_game_is_the_fold_of_its_records(rules: Rules, players: int, seed: int) -> None:
    """11.12."""
    played_game, hands = game_of(rules, players, seed)
    assert [result.faults for result in played_game.results] == [()] * len(hands)
    assert played_game.state == hands[-1].settle().after
    again = tuple(fold(rules, played_game.start, played_game.entries))
    assert again == played_game.results
    for first in range(len(hands)):
        assert played_game.refold(played_game.entries, first) == played_game


@at_every_table
@settings(max_examples=examples(8, 2), deadline=None)
@given(seed=seeds, where=st.integers(0, 7))
def test_a_correction_changes_only_what_comes_after_it(
    rules: Rules, players: int, seed: int, where: int
) -> None:
    """11.12, and 11.1: no chip is lost in a correction."""
    played_game, hands = game_of(rules, players, seed)
    where = min(where, len(hands) - 1)
    dice = seeded(seed + 1)
    other = start(rules, hands[where].before)
    other = other.apply(shuffled(rules, players, dice, Seat((other.before.dealer + 1) % players)))
    while other.phase is not Phase.DONE:
        other = other.apply(some_action(other, dice))
    corrected = played_game.correct(where, record_of(other))
    assert corrected.results[:where] == played_game.results[:where]
    assert corrected.results[where].after == other.settle().after
    for result in corrected.results:
        state = result.after
        assert sum(state.chips) + state.pot == state.bought
    back = corrected.correct(where, record_of(hands[where]))
    assert back == played_game


def test_the_facts_of_a_void_hand_say_nothing() -> None:
    rules = PRESETS["standard"]
    facts = Facts(status=Status.VOID_REDEAL)
    state = Game.begin(rules, 4).state
    assert settle(rules, state, facts).after == state
    assert rules.pain is PainBy.HEARTS
    assert rules.queen is Toggle.ON
