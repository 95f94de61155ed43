"""The table of costs says of every hand what its settlement says."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from engine.analysis.costs import CostTable, Measure, cost_table
from engine.core.cards import QUEEN_SET, CardSet, Suit, members
from engine.core.seats import Seat
from engine.record.facts import Facts
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules, change
from engine.rules.switches import SettledBy, Toggle
from engine.settlement.settlement import Kind, settle
from tests.engine.table import game, house

SWITCHES = [
    ("bicycle", {}),
    ("bicycle", {"jackpot_split": "sole_winner_only"}),
    ("bicycle", {"zero_clean": "carry_with_auction"}),
    ("hoyle_auction", {}),
    ("hoyle_auction", {"three_player_sweep": "divide"}),
    ("sweepstake", {}),
    ("hoyle_hearts", {}),
    ("howell", {}),
    ("standard", {}),
    ("standard", {"moon": "none"}),
    ("standard", {"moon": "subtract_from_self"}),
    ("standard", {"moon": "shooter_choice"}),
    ("standard", {"queen": "off", "broken_by": "pain"}),
    ("insurance", {}),
    ("insurance", {"moon_own_insurance": "on"}),
    ("insurance", {"bid_points_on_moon": "waive"}),
    ("insurance", {"moon": "subtract_from_self"}),
    ("sahara", {}),
]


def tables() -> Iterator[tuple[Rules, int]]:
    for name, switches in SWITCHES:
        rules = change(PRESETS[name], switches)
        for players in range(rules.players.least, rules.players.most + 1):
            yield rules, players


def costs_by_settlement(
    rules: Rules, chips: int, pot: int, jackpot: int, facts: Facts
) -> list[Fraction]:
    """What the settlement takes after the first lead, a pot that stays shared equally."""
    before = game(rules, (chips,) * len(facts.taken), pot, jackpot=jackpot)
    settled = settle(rules, before, facts)
    if settled.score is not None:
        spent = facts.centre or (0,) * len(facts.taken)
        return [Fraction(a - b) for a, b in zip(settled.score.points, spent, strict=True)]
    bids = [settled.moved(Kind.BID, payer=Seat(seat)) for seat in range(before.players)]
    left = Fraction(settled.after.pot, before.players)
    return [
        had - bid - has - left
        for had, bid, has in zip(before.chips, bids, settled.after.chips, strict=True)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_costs_are_those_of_the_settlement_under_every_switch(seed: int) -> None:
    dice = Random(seed)
    for rules, players in tables():
        is_pot = rules.settlement is SettledBy.POT
        pot, jackpot = (dice.randrange(20), dice.randrange(2)) if is_pot else (0, 0)
        pain = dice.choice(list(Suit)) if is_pot and rules.pain == "auction" else Suit.HEARTS
        cards = rules.suit_cards(pain, players)
        queen = QUEEN_SET if rules.queen is Toggle.ON else 0
        facts = Facts(pain=pain, papers=tuple(dice.choices(range(7), k=players)))
        facts = replace(facts, centre=tuple(dice.choices(range(3), k=players)) if queen else ())
        if is_pot:
            facts = replace(facts, bidder=Seat(0), bid=3)
        table = cost_table(rules, game(rules, players, pot, jackpot=jackpot), facts)
        for _ in range(20):
            takers = dice.sample(range(players), dice.randint(1, players))
            taken = [0] * players
            for card in members(CardSet(cards | queen)):
                taken[dice.choice(takers)] |= 1 << card
            counts = tuple((own & cards).bit_count() for own in taken)
            holder = next((Seat(s) for s in range(players) if taken[s] & queen), None)
            hand = replace(facts, taken=counts, queen=holder, whole=sum(counts))
            parts = [Fraction(c, table.parts) for c in table.costs([CardSet(c) for c in taken])]
            assert parts == costs_by_settlement(rules, 100, pot, jackpot, hand)


def amounts(table: CostTable, mask: int) -> list[int]:
    return [amount // table.parts for amount in table.extra[mask]]


def test_who_cannot_pay_is_charged_in_full() -> None:
    rules = PRESETS["bicycle"]
    table = cost_table(rules, game(rules, (0, 0, 0, 0), 9), Facts(pain=Suit.HEARTS))
    assert amounts(table, 0b1110) == [-22, 0, 0, 0]
    assert table.measure is Measure.CHIPS


def test_a_pot_that_stays_can_be_nobodys() -> None:
    rules = PRESETS["bicycle"]
    state = game(rules, 4, 8)
    shared = cost_table(rules, state, Facts(pain=Suit.HEARTS))
    nobodys = cost_table(rules, state, Facts(pain=Suit.HEARTS), shares_pot=False)
    assert shared.extra[0b1111] == (-21 * 15,) * 4
    assert nobodys.extra[0b1111] == (0,) * 4


def test_a_jackpot_for_a_sole_winner_is_not_divided() -> None:
    rules = house(PRESETS["bicycle"], jackpot_split="sole_winner_only")
    first = cost_table(rules, game(rules, 4, 8), Facts(pain=Suit.HEARTS), shares_pot=False)
    jackpot = game(rules, 4, 8, jackpot=1)
    second = cost_table(rules, jackpot, Facts(pain=Suit.HEARTS), shares_pot=False)
    assert amounts(first, 0b0011) == [0, 0, -10, -10]
    assert amounts(second, 0b0011) == [0, 0, 0, 0]


def test_a_moon_costs_each_of_the_others_less_by_the_paper_of_the_shooter() -> None:
    rules = PRESETS["insurance"]
    facts = Facts(pain=Suit.HEARTS, papers=(1, 5, 2, 0))
    table = cost_table(rules, game(rules), facts)
    everything = CardSet(rules.suit_cards(Suit.HEARTS, 4) | QUEEN_SET)
    assert table.costs([CardSet(0), everything, CardSet(0), CardSet(0)]) == (21, 0, 21, 21)


def test_nothing_has_a_cost_before_the_suit_is_named() -> None:
    rules = PRESETS["bicycle"]
    with pytest.raises(ValueError, match="suit"):
        cost_table(rules, game(rules), Facts())
