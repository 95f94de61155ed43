"""Two scorekeepers, one game: the engine's settlement and the oracle's must never differ.

Thousands of games under random house rules, with hands told at random: who took what, who bid,
who revoked. After every hand the two sheets are compared, whole.
"""

from dataclasses import asdict, replace
from random import Random
from typing import Any

import pytest

from engine.core.cards import SUIT_CARDS, Suit
from engine.core.seats import Seat
from engine.record.facts import Facts, Status
from engine.record.game_state import GameState, beginning
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules, plays_for_chips
from engine.rules.switches import Insolvency, PainBy, Toggle
from engine.settlement.settlement import rebuys_as_needed, settle
from tests.engine import oracle
from tests.engine.table import seeded
from tests.examples import examples
from tests.switches import turn, useless_turns

GAMES = examples(400, 40)
"""Games under each preset."""

TURNED = {
    "insolvency": ["pay_what_you_have", "debt", "rebuy"],
    "zero_clean": ["jackpot", "carry_with_auction"],
    "three_player_sweep": ["jackpot", "divide"],
    "jackpot_split": ["allowed", "sole_winner_only"],
    "moon_all_tricks": ["off", "game"],
    "moon": ["none", "add_to_others", "subtract_from_self", "shooter_choice"],
    "moon_own_insurance": ["off", "on"],
    "insurance": ["off", "on"],
    "bid_points_on_moon": ["add", "waive"],
    "average_each": ["session", "hand"],
    "average_rounding": ["exact", "howell_units", "odd_to_pot"],
    "length": ["bust", "hands:3", "dealer_orbits:1", "limit", "session", "time"],
    "limit": ["40", "100"],
    "starting_chips": ["9", "20", "50"],
    "end_pot": ["equal_split", "play_until_won"],
    "tie": ["shared", "extra_hand"],
    "winner": ["chips", "tricks"],
    "tiebreak": ["none", "tricks"],
    "revoke_law": ["foster", "foster_full"],
}


def some_house(preset: str, dice: Random) -> Rules:
    """The preset with a few switches turned, as far as that is possible."""
    rules = PRESETS[preset]
    for switch in dice.sample(sorted(TURNED), dice.randrange(6)):
        rules = turn(rules, switch, dice.choice(TURNED[switch]))
    return rules


def test_every_value_that_is_turned_is_one_that_some_rules_take() -> None:
    assert useless_turns(TURNED, PRESETS.values()) == []


def shares(total: int, players: int, dice: Random) -> list[int]:
    """A number split among the players; often several get nothing, sometimes one gets all."""
    takers = dice.sample(range(players), dice.randint(1, players))
    counts = [0] * players
    for _ in range(total):
        counts[dice.choice(takers)] += 1
    return counts


def some_hand(rules: Rules, state: GameState, dice: Random) -> Facts:
    """Anything that can be told of a hand dealt in this state."""
    n = state.players
    status = dice.choice([*Status] if dice.random() < 0.1 else [Status.PLAYED])
    if not status.settles:
        feet = tuple(map(Seat, dice.sample(range(n), dice.randint(1, n))))
        unplayed = Status.DRAFT if status is Status.NOT_PLAYED else status
        return Facts(status=unplayed, feet=feet if status is Status.FOOT else ())
    auction = rules.pain is PainBy.AUCTION
    pain = dice.choice([*Suit]) if auction else Suit.HEARTS
    whole = (SUIT_CARDS[pain] & rules.pack(n)).bit_count()
    taken = tuple(shares(whole, n, dice))
    queen = Seat(dice.randrange(n)) if dice.random() < 0.6 else Seat(taken.index(max(taken)))
    bidders = [seat for seat in range(n) if state.chips[seat] > 0] if auction else []
    bidder = Seat(dice.choice(bidders)) if bidders and not state.jackpot else None
    # A revoke in a sweep among three: the rules do not say whether the other two divide.
    revokes = not (n == 3 and whole in taken) and dice.random() < 0.15
    counts_queen = rules.queen is Toggle.ON
    return Facts(
        status=status,
        taken=taken,
        whole=whole,
        pain=pain,
        bidder=bidder,
        bid=dice.randint(1, min(8, state.chips[bidder])) if bidder is not None else 0,
        namer=state.namer if state.jackpot else bidder,
        queen=queen if counts_queen else None,
        tricks=tuple(shares(rules.hand_size(n), n, dice)),
        papers=tuple(dice.randrange(7) for _ in range(n)) if dice.random() < 0.8 else (),
        centre=tuple(dice.choice([0, 0, 3, 1, 6]) for _ in range(n)) if counts_queen else (),
        moon_adds=dice.choice([True, False]),
        offenders=tuple(map(Seat, dice.sample(range(n), dice.randint(1, 2)))) if revokes else (),
    )


def story_of(facts: Facts) -> oracle.Story:
    """The hand as it is told to the other scorekeeper."""
    return oracle.Story(
        status=facts.status.value if not facts.status.settles else "PLAYED",
        taken=list(facts.taken),
        suit=facts.whole,
        bidder=facts.bidder,
        bid=facts.bid,
        queen=facts.queen,
        tricks=list(facts.tricks),
        papers=list(facts.papers),
        centre=list(facts.centre),
        feet=list(facts.feet),
        adds=facts.moon_adds,
        offenders=list(facts.offenders),
    )


def sheet_of(rules: Rules, players: int) -> oracle.Sheet:
    """A fresh sheet for the other scorekeeper."""
    stack = rules.starting_chips if plays_for_chips(rules) else 0
    return oracle.Sheet(
        purses=[stack] * players,
        totals=[0] * players,
        tricks=[0] * players,
        dealt_by=[0] * players,
    )


def as_sheet(state: GameState, chips_bought: int) -> dict[str, Any]:
    """The engine's state in the other scorekeeper's words."""
    return asdict(
        oracle.Sheet(
            purses=list(state.chips),
            totals=list(state.totals),
            tricks=list(state.tricks),
            dealt_by=list(state.dealt),
            dealer=state.dealer,
            pot=state.pot,
            jackpot=state.jackpot,
            namer=state.namer,
            deals=state.deals,
            hands=state.hands,
            feet=set(state.feet),
            bank=state.bought - chips_bought,
            due=state.due.value if state.due else None,
            over=state.over.value if state.over else None,
            winner=state.winner,
        )
    )


@pytest.mark.property
@pytest.mark.parametrize("preset", PRESETS)
def test_two_scorekeepers_never_differ(preset: str) -> None:
    for number in range(GAMES):
        dice = seeded(f"{preset} {number}")
        rules = some_house(preset, dice)
        players = dice.randint(rules.players.least, rules.players.most)
        state = beginning(rules, players)
        sheet = sheet_of(rules, players)
        bought = state.bought
        while state.over is None and state.deals < 12:
            facts = some_hand(rules, state, dice)
            if rules.insolvency is Insolvency.REBUY and facts.status.settles:
                facts = replace(facts, rebuys=rebuys_as_needed(rules, state, facts))
            settled = settle(rules, state, facts)
            told = oracle.keep_score(rules.texts, sheet, story_of(facts))
            state = settled.after
            assert as_sheet(state, bought) == asdict(sheet), (number, facts)
            if facts.status.settles:
                assert list(settled.winners) == told.winners
                assert list(settled.shortfalls) == told.short
                assert list(settled.score.points if settled.score else ()) == told.points
