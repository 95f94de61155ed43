"""rules.md section 11: what is true of every hand and every game, whatever people do.

Games are dealt, bid and played at random within what is legal, under every preset, by every
number of players that may sit down.
"""

from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards import BIT, QUEEN_SET, SUIT_OF, Card, CardSet, Suit, card_set, count, members
from engine.core.seats import Seat
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Action, Deal, NamePain, Pass, Play, Seal, TakeCard
from engine.record.facts import Status
from engine.record.game_state import GameState
from engine.rules.presets import BICYCLE, HOYLE_AUCTION, HOYLE_HEARTS, INSURANCE, PRESETS
from engine.rules.rules import QUEEN_POINTS, Rules, plays_for_chips
from engine.rules.switches import EndPot, Insolvency, PainBy, SettledBy, SpareUnits, Toggle
from engine.settlement.averages import howell, net
from engine.settlement.payout import share_pool, winner_takes_all
from engine.settlement.scoring import checksum, score
from engine.settlement.settlement import POT, Kind, settle
from tests.engine.table import game, house, playouts, record_of, seeded, some_action
from tests.examples import examples

TABLES = [
    pytest.param(rules, players, id=f"{name}-{players}")
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]
CHIP_TABLES = [
    table
    for table in TABLES
    if table.values[0].settlement is SettledBy.POT  # type: ignore[union-attr]
]
at_every_table = pytest.mark.parametrize(("rules", "players"), TABLES)
at_chip_tables = pytest.mark.parametrize(("rules", "players"), CHIP_TABLES)
seeds = st.integers(0, 2**32 - 1)
a_few = settings(max_examples=examples(12, 2), deadline=None)
many = settings(max_examples=examples(100, 20), deadline=None)


@at_every_table
@a_few
@given(seed=seeds)
def test_chips_pot_and_what_was_bought_balance_after_every_hand(
    rules: Rules, players: int, seed: int
) -> None:
    """11.1, and 11.6: nobody goes below nothing unless debts are allowed."""
    for hand in playouts(rules, players, seeded(seed)):
        done = hand.settle()
        rebought = done.moved(Kind.REBUY, Kind.BUYIN)
        before, after = done.before, done.after
        assert sum(after.chips) + after.pot == sum(before.chips) + before.pot + rebought
        assert after.bought == before.bought + rebought
        assert done.moved(*Kind, payee=POT) - done.moved(*Kind, payer=POT) == after.pot - before.pot
        assert rules.insolvency is Insolvency.DEBT or min(after.chips) >= 0
        assert all(posting.amount > 0 for posting in done.postings)


@at_every_table
@a_few
@given(seed=seeds)
def test_all_cards_are_captured_and_all_points_given(rules: Rules, players: int, seed: int) -> None:
    """11.2, 11.8 and 11.9."""
    for hand in playouts(rules, players, seeded(seed), 2):
        facts = hand.facts
        if not facts.status.settles:
            continue
        assert sum(facts.taken) == facts.whole == count(hand.limits.pain)
        assert sum(facts.tricks) == len(hand.tricks) == count(rules.pack(players)) // players
        assert sum(hand.taken) == rules.pack(players)
        assert sum(bool(taken & QUEEN_SET) for taken in hand.taken) == 1
        if rules.settlement is not SettledBy.POT:
            points = score(rules, facts).points
            assert sum(points) == checksum(rules, facts, score(rules, facts))
            assert rules.settlement is SettledBy.POINTS or sum(points) == 13
            assert min(points) >= 0


@at_every_table
@a_few
@given(seed=seeds)
def test_the_points_of_a_hand_sum_to_what_the_rules_say(
    rules: Rules, players: int, seed: int
) -> None:
    """11.8, 11.9 and the checksums of 5.1, worked out here by hand."""
    for hand in playouts(rules, players, seeded(seed), 3):
        if rules.settlement is SettledBy.POT or not hand.status.settles:
            continue
        facts, points = hand.facts, score(rules, hand.facts).points
        whole = 13 + (QUEEN_POINTS if rules.queen is Toggle.ON else 0)
        papers = facts.papers if rules.insurance is Toggle.ON else (0,) * players
        bids = sum(facts.centre)
        shot = (
            rules.queen is Toggle.ON
            and facts.queen is not None
            and (facts.taken[facts.queen] == 13)
        )
        if rules.queen is Toggle.OFF:
            assert sum(points) == 13
        elif shot:
            assert facts.queen is not None
            assert sum(points) == (players - 1) * (whole - papers[facts.queen]) + bids
        else:
            assert facts.queen is not None
            assert sum(points) == whole - 2 * papers[facts.queen] + sum(papers) + bids


@at_chip_tables
@a_few
@given(seed=seeds)
def test_an_auction_is_held_over_an_empty_pot_or_an_odd_chip(
    rules: Rules, players: int, seed: int
) -> None:
    """11.3: a pot of more than a chip is a jackpot."""
    for hand in playouts(rules, players, seeded(seed), 8):
        before, after = hand.before, hand.settle().after
        assert before.jackpot or before.pot in (0, 1)
        if rules.pain is PainBy.AUCTION and hand.status is not Status.VOID_REDEAL:
            assert bool(hand.calls) == (before.jackpot == 0)
        if after.jackpot:
            assert after.jackpot == before.jackpot + 1


@at_chip_tables
@a_few
@given(seed=seeds)
def test_three_clean_of_four_and_two_of_three_are_a_sweep(
    rules: Rules, players: int, seed: int
) -> None:
    """11.4."""
    for hand in playouts(rules, players, seeded(seed)):
        if hand.status.settles and players in (3, 4):
            done = hand.settle()
            assert (len(done.clean) == players - 1) == (done.facts.sweep is not None)


@pytest.mark.parametrize("rules", [BICYCLE, HOYLE_AUCTION], ids=["bicycle", "hoyle_auction"])
@many
@given(seed=seeds)
def test_the_namer_of_a_jackpot_is_the_bidder_of_the_last_auction(rules: Rules, seed: int) -> None:
    """11.5."""
    bidder: Seat | None = None
    for hand in playouts(rules, 4, seeded(seed), 10):
        if hand.before.jackpot:
            assert hand.before.namer == hand.namer == bidder
            assert not hand.calls
        elif hand.contract.bidder is not None:
            bidder = hand.contract.bidder


@at_every_table
@a_few
@given(seed=seeds)
def test_something_is_always_legal_and_it_follows_suit(
    rules: Rules, players: int, seed: int
) -> None:
    """11.7, and every refusal says why."""
    for last in playouts(rules, players, seeded(seed), 2):
        hand = last
        while hand.previous is not None:
            hand = hand.undo()
            if hand.phase is not Phase.PLAY:
                continue
            assert hand.turn is not None
            held, legal = hand.holdings[hand.turn], hand.legal_cards
            assert legal
            assert legal & ~held == 0
            if hand.trick:
                suit = card_set(one for one in members(held) if _same_suit(one, hand.trick[0]))
                assert legal == suit or not suit
            for one in members(held):
                fault = hand.fault(Play(hand.turn, one))
                assert (fault is None) == bool(BIT[one] & legal)
                assert fault is None or (fault.card == one and fault.legal == legal)
            assert hand.legal_actions == tuple(Play(hand.turn, one) for one in members(legal))


def _same_suit(one: Card, other: Card) -> bool:
    return SUIT_OF[one] is SUIT_OF[other]


@at_every_table
@a_few
@given(seed=seeds)
def test_what_is_done_can_be_undone_and_done_again(rules: Rules, players: int, seed: int) -> None:
    for hand in playouts(rules, players, seeded(seed), 2):
        again = start(rules, hand.before)
        for action in hand.actions:
            after = again.apply(action)
            assert after.undo() == again
            again = after
        assert again == hand


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@a_few
@given(seed=seeds)
def test_average_settlement_sums_to_nothing_however_many_hands(players: int, seed: int) -> None:
    """11.8."""
    hands = playouts(HOYLE_HEARTS, players, seeded(seed), 5)
    totals = hands[-1].settle().after.totals
    assert sum(totals) == 13 * len(hands)
    assert sum(howell(totals)) == sum(net(totals)) == 0
    assert [Fraction(unit, players) for unit in howell(totals)] == net(totals)


@many
@given(seed=seeds)
def test_everybody_gets_exactly_one_centre_card(seed: int) -> None:
    """11.10."""
    dice = seeded(seed)
    rules = house(INSURANCE, foot="off")
    hand = playouts(rules, 4, dice, 1)[0]
    assert sorted(award.seat for award in hand.awards) == [0, 1, 2, 3]
    assert card_set(award.card for award in hand.awards) == hand.centre
    wanted = {bid.seat: (bid.card, bid.bid) for bid in hand.bids}
    assert all(a.pays == 0 or wanted[a.seat] == (a.card, a.pays) for a in hand.awards)


MONEY_RULES = [
    house(BICYCLE, end_pot=end_pot, spare_units=spare) for end_pot in EndPot for spare in SpareUnits
]


@given(
    pool=st.integers(0, 100_000),
    chips=st.lists(st.integers(0, 200), min_size=3, max_size=6),
    pot=st.integers(0, 50),
    dealer=st.integers(0, 2).map(Seat),
    rules=st.sampled_from(MONEY_RULES),
)
def test_payouts_sum_to_the_pool_and_keep_the_order(
    pool: int, chips: list[int], pot: int, dealer: Seat, rules: Rules
) -> None:
    """11.11."""
    payout = share_pool(rules, pool, chips, pot, dealer)
    assert sum(payout.amounts) + payout.fund == pool
    assert min(payout.amounts) >= 0
    assert payout.fund >= 0
    for (mine, my_chips), (yours, your_chips) in permutations(
        zip(payout.amounts, chips, strict=True), 2
    ):
        assert my_chips <= your_chips or mine >= yours
        assert my_chips != your_chips or abs(mine - yours) <= 1


@given(
    pool=st.integers(0, 100_000),
    players=st.integers(3, 6),
    winners=st.sets(st.integers(0, 2).map(Seat), min_size=1),
    dealer=st.integers(0, 2).map(Seat),
)
def test_the_winners_take_all(pool: int, players: int, winners: set[Seat], dealer: Seat) -> None:
    amounts = winner_takes_all(pool, sorted(winners), players, dealer).amounts
    assert sum(amounts) == pool
    won = [amounts[seat] for seat in winners]
    assert max(won) - min(won) <= 1
    assert sum(won) == pool


@at_every_table
@a_few
@given(seed=seeds)
def test_settling_the_same_hand_again_gives_the_same(rules: Rules, players: int, seed: int) -> None:
    """11.12 for one hand; whole games are folded again in test_games.py."""
    for hand in playouts(rules, players, seeded(seed), 3):
        assert hand.settle() == settle(rules, hand.before, hand.facts)
    hands = playouts(rules, players, seeded(seed), 3)
    for one, following in pairwise(hands):
        assert one.settle().after == following.before


# 11.13: names of suits and seats mean nothing.


def relabelled(action: Action, suits: tuple[int, ...]) -> Action:
    """The same action with other suits."""
    match action:
        case Deal():
            return Deal(tuple(other_suits(held, suits) for held in action.holdings))
        case NamePain():
            return replace(action, suit=Suit(suits[action.suit]))
        case Play():
            return replace(action, card=other_card(action.card, suits))
        case _:
            return action


def other_card(one: Card, suits: tuple[int, ...]) -> Card:
    return Card(suits[one // 13] * 13 + one % 13)


def other_suits(cards: CardSet, suits: tuple[int, ...]) -> CardSet:
    return card_set(other_card(one, suits) for one in members(cards))


@pytest.mark.parametrize("rules", [BICYCLE, HOYLE_AUCTION], ids=["bicycle", "hoyle_auction"])
@many
@given(seed=seeds, suits=st.sampled_from(list(permutations(range(4)))))
def test_another_name_for_every_suit_changes_nothing(
    rules: Rules, seed: int, suits: tuple[int, ...]
) -> None:
    for hand in playouts(rules, 4, seeded(seed), 2):
        other = start(rules, hand.before)
        for action in hand.actions:
            other = other.apply(relabelled(action, suits))
        same = replace(other.facts, pain=hand.facts.pain)
        assert same == hand.facts
        assert other.settle().after.chips == hand.settle().after.chips


def turned(value: Any, places: int, players: int) -> Any:
    """A value by seat, or a seat, as many places further clockwise."""
    match value:
        case None:
            return None
        case int():
            return Seat((value + places) % players)
        case frozenset():
            return frozenset(turned(seat, places, players) for seat in value)
        case _:
            return tuple(value[(seat - places) % players] for seat in range(players))


SEATED = ("dealer", "chips", "totals", "tricks", "dealt", "namer", "feet", "winner")


def all_moved(state: GameState, places: int) -> GameState:
    """The same game, with everybody sitting some places further clockwise."""
    assert {field.name for field in fields(GameState)} >= set(SEATED)
    moved = {name: turned(getattr(state, name), places, state.players) for name in SEATED}
    return replace(state, **moved)


def moved_action(action: Action, places: int, players: int) -> Action:
    if isinstance(action, Deal):
        return replace(action, holdings=turned(action.holdings, places, players))
    return replace(action, seat=turned(action.seat, places, players))


@at_every_table
@a_few
@given(seed=seeds, places=st.integers(1, 5))
def test_another_chair_for_everybody_changes_nothing(
    rules: Rules, players: int, seed: int, places: int
) -> None:
    for hand in playouts(rules, players, seeded(seed), 3):
        other = start(rules, all_moved(hand.before, places))
        for action in hand.actions:
            other = other.apply(moved_action(action, places, players))
        assert other.settle().after == all_moved(hand.settle().after, places)


@at_every_table
@a_few
@given(seed=seeds)
def test_only_who_may_act_acts(rules: Rules, players: int, seed: int) -> None:
    dice = seeded(seed)
    hand: Hand = playouts(rules, players, dice, 1)[0].undo()
    while hand.previous is not None:
        assert hand.to_act
        action = some_action(hand, dice)
        assert hand.fault(action) is None
        if len(hand.to_act) == 1 and isinstance(action, Play | Seal | TakeCard | Pass):
            wrong = replace(action, seat=Seat((action.seat + 1) % players))
            assert hand.fault(wrong) is not None
        hand = hand.undo()


def test_every_preset_is_played_at_every_table() -> None:
    assert len(TABLES) == 1 + 4 + 4 + 1 + 3 + 1 + 1 + 4 + 4
    assert all(plays_for_chips(table.values[0]) for table in CHIP_TABLES)  # type: ignore[arg-type]
    assert record_of(playouts(BICYCLE, 4, seeded(1), 1)[0]).players == game(BICYCLE).players
