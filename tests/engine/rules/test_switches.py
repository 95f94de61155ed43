"""Every house rule changes something: one trial a switch, one expectation a value.

A trial looks at one thing that the switch decides. The expectations of its values differ from
each other, so that an engine that ignored the switch would fail all but one of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from engine.core.cards import (
    EMPTY,
    NAMES,
    Suit,
    card,
    card_set,
    count,
    lowest,
    members,
    parse_cards,
    show,
)
from engine.core.chips import Rebuy, RebuyTime
from engine.core.messages import Choice
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.games.game import final
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Bid, CallFoot, ClaimRest, NamePain, Pass, Play
from engine.record.facts import Facts, Status
from engine.record.record import PASS_CALL, CentreBid, Claim, HandRecord, Paper
from engine.replay.auction import judge_call, winner
from engine.replay.centre import resolve
from engine.replay.exchange import receivers
from engine.replay.insurance import judge_paper
from engine.replay.play import restrictions
from engine.replay.replay import replay
from engine.rules import switches
from engine.rules.organisation import correctable_until, credit_shares
from engine.rules.presets import (
    BICYCLE,
    HOYLE_AUCTION,
    HOYLE_HEARTS,
    INSURANCE,
    PRESETS,
    SAHARA,
    STANDARD,
    SWEEPSTAKE,
)
from engine.rules.rules import Rules, RulesError, change
from engine.rules.switch_specs import SWITCHES
from engine.settlement.payout import share_pool
from engine.settlement.scoring import score
from engine.settlement.settlement import settle
from tests.engine.table import (
    E,
    N,
    S,
    W,
    deal_of,
    game,
    house,
    in_play,
    played,
    playout,
    record_of,
    seeded,
    some_action,
    some_deal,
)


@dataclass(frozen=True)
class Trial:
    """What can be seen of a switch: under some rules, something looked at, value by value."""

    rules: Rules
    look: Callable[[Rules], Any]
    expected: dict[str, Any]
    along: dict[str, str] = field(default_factory=dict)
    alike: tuple[str, ...] = ()
    """Values that this trial cannot tell apart, because the engine has nothing to do for them."""


def after_auction(rules: Rules, *calls: int | None) -> Hand:
    """A hand dealt by North, after the calls of East, South, West and North."""
    hand = start(rules, game(rules), deal_of(rules, 4, {S: "C2", W: "SQ"}))
    for seat, chips in zip((E, S, W, N), calls, strict=True):
        hand = hand.apply(Bid(seat, chips))
    return hand


def who_may_sit(rules: Rules) -> list[int]:
    """The tables for which a record is not refused for its number of players."""
    records = {players: HandRecord(seats=DEFAULT_SEATS[players]) for players in range(3, 7)}
    return [
        players
        for players, record in records.items()
        if not any(fault.code.name == "PLAYERS" for fault in replay(record, rules).faults)
    ]


def opening_card(rules: Rules) -> tuple[str, int]:
    limits = restrictions(rules, Suit.HEARTS, 4)
    return NAMES[lowest(limits.opening)], rules.hand_size(4)


SPLIT = played((5, 4, 4, 0), queen=N)


def what_is_settled(rules: Rules) -> tuple[Any, ...]:
    after = settle(rules, game(rules), SPLIT).after
    collects = final(rules, after).net
    return after.chips, after.totals, collects is not None


def first_to_play(rules: Rules) -> Seat | None:
    hand = after_auction(rules, None, None, None, 1)
    return hand.apply(NamePain(N, Suit.CLUBS)).turn


def all_spades(rules: Rules) -> tuple[str, str]:
    held = "S23456789TJQKA"
    hand = start(rules, game(rules), deal_of(rules, 4, {S: held}))
    for seat in (E, S, W, N):
        hand = hand.apply(Bid(seat, 1 if seat == N else None))
    hand = hand.apply(NamePain(N, Suit.SPADES))
    while hand.phase is not Phase.DONE:
        hand = hand.apply(some_action(hand, seeded(1)))
    judged = replay(replace(record_of(hand), ending=None), rules, hand.before)
    return hand.status.value, judged.facts.status.value


def breaks(rules: Rules) -> tuple[bool, bool]:
    """Whether the queen of spades breaks, and whether a heart does."""
    hand = in_play(rules, "SQ H2", trick=2, led="D5")
    return tuple(hand.apply(Play(N, card(name))).broken for name in ("SQ", "H2"))  # type: ignore[return-value]


def code_of(rules: Rules, call: int, highest: int | None = None) -> str | None:
    fault = judge_call(rules, call, S, 50, highest)
    return f"{fault.code.name} {fault.severity}" if fault else None


def passed_out(rules: Rules) -> tuple[str, Seat | None, int, Suit | None]:
    hand = after_auction(rules, None, None, None, None)
    return hand.phase.value, hand.contract.bidder, hand.contract.bid, hand.pain


def pot_and_jackpot(facts: Facts, players: int = 4, **state: Any) -> Callable[[Rules], Any]:
    def look(rules: Rules) -> tuple[tuple[int, ...], int, int, Seat | None]:
        after = settle(rules, game(rules, players, **state), facts).after
        return after.chips, after.pot, after.jackpot, after.namer

    return look


def naming(rules: Rules) -> list[str]:
    before = game(rules, (47, 42, 46, 46), 19, jackpot=1, namer=E, pain=Suit.HEARTS)
    hand = start(rules, before, some_deal(rules))
    return [suit.letter for suit in Suit if hand.fault(NamePain(E, suit)) is None]


def points(facts: Facts) -> Callable[[Rules], Any]:
    return lambda rules: score(rules, facts).points


MOON = played((13, 0, 0, 0), queen=N)


def moon_either_way(rules: Rules) -> list[tuple[int, ...]]:
    return [score(rules, replace(MOON, moon_adds=adds)).points for adds in (True, False)]


def directions(rules: Rules) -> list[str]:
    return [rules.direction(deals) for deals in range(4)]


def first_receivers(rules: Rules) -> tuple[list[str], tuple[Seat, ...]]:
    return directions(rules), receivers(rules.direction(0), 4)


def cards_that_may_be_passed(rules: Rules) -> list[int]:
    hand = start(rules, game(rules), some_deal(rules))
    held = list(members(hand.holdings[E]))
    sets = [card_set(held[:some]) for some in (1, 2, 3, 4)]
    return [count(some) for some in sets if hand.fault(Pass(E, some)) is None]


def severity_of(paper: Paper) -> Callable[[Rules], Any]:
    def look(rules: Rules) -> str | None:
        fault = judge_paper(rules, paper, E, frozenset())
        return fault.severity.value if fault else None

    return look


CENTRE = parse_cards("S3 HK D7 C2")


def spade_for(bid: int) -> Callable[[Rules], Any]:
    """Who gets the three of spades for how much, when only South bids for it."""

    def look(rules: Rules) -> list[tuple[Seat, int]]:
        papers = [CentreBid(seat, None, 0, None) for seat in (N, E, W)]
        papers.append(CentreBid(S, card("S3"), bid, card("H9")))
        awards = resolve(rules, CENTRE, papers, (EMPTY, EMPTY, parse_cards("H9"), EMPTY)).awards
        return [(award.seat, award.pays) for award in awards]

    return look


def called_foot(rules: Rules) -> bool:
    hand = start(rules, game(rules), some_deal(rules))
    return hand.fault(CallFoot(E, 3)) is None


def length_in_hands(rules: Rules) -> int | None:
    """How many times the same hand is played until the game is over; None for 40 and more."""
    state = game(rules)
    while state.over is None and state.hands < 40:
        state = settle(rules, state, SPLIT).after
    return state.hands if state.over else None


def at_the_end(chips: tuple[int, ...] = (49, 39, 49, 49), pot: int = 14) -> Callable[[Rules], Any]:
    def look(rules: Rules) -> tuple[tuple[int, ...], int]:
        payout = share_pool(rules, 4000, chips, pot, N)
        return payout.amounts, payout.fund

    return look


def money_and_end(rules: Rules) -> Any:
    facts = played((3, 2, 4, 4), bidder=E, bid=6)
    over = settle(rules, game(rules), facts).after.over
    return at_the_end()(rules), over is not None


def spare_cents(rules: Rules) -> tuple[tuple[int, ...], int]:
    payout = share_pool(rules, 132, (55, 55, 55, 35), 0, N)
    return payout.amounts, payout.fund


def tied_at_the_end(rules: Rules) -> bool:
    facts = played((0, 0, 7, 6), bidder=S, bid=1)
    return settle(rules, game(rules), facts).after.over is not None


def places_of_equals(rules: Rules) -> tuple[int, ...]:
    ended = game(rules, (60, 60, 40, 40), tricks=(20, 30, 1, 1))
    return final(rules, ended).places


def places_by_tricks(rules: Rules) -> tuple[int, ...]:
    ended = game(rules, (80, 60, 40, 20), tricks=(10, 20, 20, 2))
    return final(rules, ended).places


def average_of_a_hand(rules: Rules) -> tuple[int, ...]:
    return settle(rules, game(rules), played((3, 5, 5, 0))).after.chips


def collected(rules: Rules) -> tuple[list[str], int]:
    ended = final(rules, game(rules, totals=(5, 4, 3, 1)))
    return [str(amount) for amount in ended.net or ()], ended.left


def payout_of(**state: Any) -> Callable[[Rules], Any]:
    def look(rules: Rules) -> tuple[int, ...] | None:
        payout = final(rules, game(rules, **state)).payout
        return payout.amounts if payout else None

    return look


def claiming(rules: Rules) -> tuple[bool, bool]:
    """Whether a claim can be made, and whether a record with one is in order."""
    hand = playout(HOYLE_HEARTS, game(HOYLE_HEARTS), seeded(1))
    while hand.trick or len(hand.tricks) != 6:
        hand = hand.undo()
    open_hand = replace(hand, rules=rules)
    record = record_of(hand.apply(ClaimRest(N)))
    assert record.claim == Claim(N, 6)
    faults = replay(record, rules, hand.before).faults
    return open_hand.fault(ClaimRest(N)) is None, "BAD_CLAIM" in {f.code.name for f in faults}


def whose_result(rules: Rules) -> dict[str, Fraction]:
    return credit_shares(rules, "Ann", ["Ann", "Ben", "Ben"])


def not_played(rules: Rules) -> tuple[int, ...]:
    before = game(rules, totals=(10, 4, 6, 6), hands=2)
    return settle(rules, before, Facts(status=Status.NOT_PLAYED)).after.totals


def hours_to_correct(rules: Rules) -> float:
    closed = datetime(2026, 3, 1, 22, tzinfo=UTC)
    return (correctable_until(rules, closed) - closed).total_seconds() / 3600


A06 = played((3, 2, 4, 4), bidder=E, bid=6)
A10 = played((0, 6, 7, 0), namer=E)
A16 = played((5, 0, 4, 4), bidder=S, bid=2)
D05 = played((0, 13, 0, 0), queen=E, papers=(6, 4, 0, 3))
D15 = played((13, 0, 0, 0), queen=N, papers=(2, 0, 0, 6), centre=(3, 1, 0, 0))
FOUR_STRIP = {"strip": "3:C2,5:C2D2,6:C2C3D2S2"}

TRIALS = {
    "players": Trial(
        BICYCLE, who_may_sit, {"4": [4], "3..6": [3, 4, 5, 6], "3..5": [3, 4, 5]}, FOUR_STRIP
    ),
    "strip": Trial(STANDARD, opening_card, {"none": ("C2", 13), "4:C2C3C4C5": ("C6", 12)}),
    "settlement": Trial(
        SWEEPSTAKE,
        what_is_settled,
        {
            "pot": ((45, 46, 46, 63), (0, 0, 0, 0), False),
            "average": ((0, 0, 0, 0), (5, 4, 4, 0), True),
            "points": ((0, 0, 0, 0), (5, 4, 4, 0), False),
        },
        {"length": "session"},
    ),
    "pain": Trial(
        HOYLE_AUCTION,
        lambda rules: start(rules, game(rules), some_deal(rules)).phase.value,
        {"auction": "auction", "hearts": "play"},
    ),
    "queen": Trial(
        house(STANDARD, broken_by="heart"),
        points(played((3, 4, 6, 0), queen=S)),
        {"off": (3, 4, 6, 0), "on": (3, 4, 19, 0)},
    ),
    "first_leader": Trial(BICYCLE, first_to_play, {"bidder": N, "eldest": E, "low_club": S}),
    "first_trick_penalty": Trial(
        BICYCLE,
        lambda rules: show(in_play(rules, "C4 C9 S3", led="D5", pain=Suit.CLUBS).legal_cards),
        {"forbidden": "S3", "allowed": "S3C94"},
    ),
    "pain_lead": Trial(
        BICYCLE,
        lambda rules: show(in_play(rules, "C4 C9 S3", trick=3, pain=Suit.CLUBS).legal_cards),
        {"after_broken": "S3", "free": "S3C94"},
    ),
    "broken_by": Trial(
        STANDARD,
        breaks,
        {"pain": (False, True), "heart_or_queen": (True, True), "heart": (False, True)},
        alike=("pain", "heart"),  # where hearts are the pain suit, which heart asks for
    ),
    "hearts_plus_queen": Trial(
        STANDARD,
        lambda rules: show(in_play(rules, "HA H3 SQ", trick=4).legal_cards),
        {"must_queen": "SQ", "may_lead_heart": "SQHA3"},
    ),
    "misdeal_if_all_forbidden": Trial(
        BICYCLE, all_spades, {"off": ("PLAYED", "PLAYED"), "on": ("VOID_REDEAL", "VOID_REDEAL")}
    ),
    "bid_order": Trial(
        BICYCLE,
        lambda rules: code_of(rules, 3, 4),
        {"open_first_wins": None, "ascending": "INSUFFICIENT_BID ruling"},
    ),
    "min_bid": Trial(
        BICYCLE,
        lambda rules: (
            code_of(rules, 2),
            winner(rules, (0, PASS_CALL, PASS_CALL, PASS_CALL), E, 4).bidder,
        ),
        {"1": (None, None), "0": (None, E), "3": ("BAD_CALL ruling", None)},
    ),
    "max_bid": Trial(
        BICYCLE,
        lambda rules: [code_of(rules, call) is None for call in (50, 60, 80)],
        {
            "stack": [True, False, False],
            "none": [True, True, True],
            "70": [True, True, False],
            "49": [False, False, False],
        },
    ),
    "all_pass": Trial(
        BICYCLE,
        passed_out,
        {
            "redeal": ("done", None, 0, None),
            "play_hearts": ("play", None, 0, Suit.HEARTS),
            "eldest_pays_min": ("naming", E, 1, None),
        },
    ),
    "zero_clean": Trial(
        BICYCLE,
        pot_and_jackpot(A06),
        {
            "jackpot": ((47, 42, 46, 46), 19, 1, E),
            "carry_with_auction": ((47, 42, 46, 46), 19, 0, None),
        },
    ),
    "three_player_sweep": Trial(
        HOYLE_AUCTION,
        pot_and_jackpot(played((12, 0, 0), bidder=E, bid=3), 3),
        {"jackpot": ((38, 47, 50), 15, 1, E), "divide": ((38, 54, 57), 1, 0, None)},
    ),
    "odd_chip": Trial(
        BICYCLE,
        pot_and_jackpot(played((0, 9, 0, 4), bidder=S, bid=4)),
        {"stays": ((58, 41, 54, 46), 1, 0, None)},
    ),
    "jackpot_namer": Trial(
        BICYCLE,
        pot_and_jackpot(played((4, 4, 3, 2), namer=W), jackpot=1, namer=E),
        {"original_bidder": ((46, 46, 47, 48), 13, 2, E)},
    ),
    "jackpot_suit": Trial(BICYCLE, naming, {"free": ["C", "D", "H", "S"], "same": ["H"]}),
    "jackpot_split": Trial(
        BICYCLE,
        pot_and_jackpot(A10, jackpot=3, namer=E),
        {
            "allowed": ((56, 44, 43, 56), 1, 0, None),
            "sole_winner_only": ((50, 44, 43, 50), 13, 4, E),
        },
    ),
    "moon_all_tricks": Trial(
        BICYCLE,
        lambda rules: (
            settle(
                rules, game(rules), played((0, 0, 13, 0), bidder=N, bid=2, tricks=(0, 0, 13, 0))
            ).after.winner
        ),
        {"off": None, "game": S},
    ),
    "moon": Trial(
        STANDARD,
        moon_either_way,
        {
            "add_to_others": [(0, 26, 26, 26), (0, 26, 26, 26)],
            "subtract_from_self": [(-26, 0, 0, 0), (-26, 0, 0, 0)],
            "shooter_choice": [(0, 26, 26, 26), (-26, 0, 0, 0)],
            "none": [(26, 0, 0, 0), (26, 0, 0, 0)],
        },
    ),
    "passing": Trial(
        STANDARD,
        lambda rules: start(rules, game(rules), some_deal(rules)).phase.value,
        {"cycle": "exchange", "none": "play"},
    ),
    "pass_cycle": Trial(
        STANDARD,
        first_receivers,
        {
            "left,right,across,hold": (["left", "right", "across", "hold"], (E, S, W, N)),
            "right,hold": (["right", "hold", "right", "hold"], (W, N, E, S)),
            "k2": (["k2", "k2", "k2", "k2"], (S, W, N, E)),
        },
    ),
    "pass_count": Trial(
        STANDARD, cards_that_may_be_passed, {"3": [3], "2": [2], "1": [1], "4": [4]}
    ),
    "insurance": Trial(
        STANDARD,
        points(played((3, 4, 6, 0), queen=S, papers=(2, 0, 5, 1))),
        {"off": (3, 4, 19, 0), "on": (5, 4, 14, 1)},
    ),
    "bad_paper": Trial(INSURANCE, severity_of(Paper(7)), {"zero": "warning", "ruling": "ruling"}),
    "moon_own_insurance": Trial(
        INSURANCE, points(D05), {"off": (22, 0, 22, 22), "on": (28, 0, 22, 25)}
    ),
    "centre_auction": Trial(
        STANDARD,
        lambda rules: (
            rules.hand_size(4),
            start(rules, game(rules, deals=3), some_deal(rules)).phase.value,
        ),
        {"off": (13, "play"), "on": (12, "centre")},
    ),
    "bad_bid": Trial(INSURANCE, spade_for(2), {"no_bid": [], "raise_to_minimum": [(S, 3)]}),
    "max_centre_bid": Trial(INSURANCE, spade_for(6), {"none": [(S, 6)], "5": []}),
    "bid_points_on_moon": Trial(
        INSURANCE, points(D15), {"add": (3, 25, 24, 24), "waive": (0, 24, 24, 24)}
    ),
    "foot": Trial(INSURANCE, called_foot, {"off": False, "on": True}),
    "length": Trial(
        STANDARD,
        length_in_hands,
        {
            "hands:2": 2,
            "hands:7": 7,
            "dealer_orbits:1": 4,
            "limit": 6,
            "time": None,
            "session": None,
        },
        alike=("time", "session"),  # both end when somebody says so
    ),
    "limit": Trial(STANDARD, length_in_hands, {"100": 6, "50": 3}),
    "starting_chips": Trial(
        BICYCLE, lambda rules: game(rules).chips, {"50": (50,) * 4, "20": (20,) * 4}
    ),
    "insolvency": Trial(
        BICYCLE,
        lambda rules: (
            settle(
                rules,
                game(rules, (3, 80, 60, 57)),
                replace(A16, rebuys=(Rebuy(N, RebuyTime.SHORT, 1),)),
            ).after.chips
        ),
        {
            "pay_what_you_have": (0, 93, 54, 53),
            "debt": (-2, 95, 54, 53),
            "rebuy": (48, 95, 54, 53),
        },
    ),
    "end_pot": Trial(
        BICYCLE,
        money_and_end,
        {
            "equal_split": (((1050, 850, 1050, 1050), 0), True),
            "pro_rata": (((1054, 838, 1054, 1054), 0), True),
            "club_fund": (((980, 780, 980, 980), 280), True),
            "play_until_won": (((1050, 850, 1050, 1050), 0), False),
        },
        {"length": "hands:1"},
    ),
    "spare_units": Trial(
        BICYCLE,
        spare_cents,
        {"largest_fraction": ((36, 37, 36, 23), 0), "club_fund": ((36, 36, 36, 23), 1)},
    ),
    "tie": Trial(
        BICYCLE, tied_at_the_end, {"shared": True, "extra_hand": False}, {"length": "hands:1"}
    ),
    "winner": Trial(BICYCLE, places_by_tricks, {"chips": (1, 2, 3, 4), "tricks": (3, 1, 1, 4)}),
    "tiebreak": Trial(BICYCLE, places_of_equals, {"none": (1, 1, 3, 3), "tricks": (2, 1, 3, 3)}),
    "average_each": Trial(
        HOYLE_HEARTS,
        average_of_a_hand,
        {"session": (0, 0, 0, 0), "hand": (51, 43, 43, 63)},
        {"average_rounding": "howell_units", "insolvency": "debt"},
    ),
    "average_rounding": Trial(
        HOYLE_HEARTS,
        collected,
        {
            "exact": (["-7/4", "-3/4", "1/4", "9/4"], 0),
            "howell_units": (["-7", "-3", "1", "9"], 0),
            "odd_to_pot": (["-2", "-1", "0", "2"], 1),
        },
    ),
    "prize": Trial(
        SAHARA,
        payout_of(totals=(101, 62, 80, 95)),
        {"none": None, "winner_takes_all": (0, 2000, 0, 0)},
        {"ante": "500"},
    ),
    "ante": Trial(
        SAHARA,
        payout_of(totals=(104, 62, 62, 80)),
        {"500": (0, 1000, 1000, 0), "100": (0, 200, 200, 0), "0": (0, 0, 0, 0)},
    ),
    "buy_in": Trial(
        BICYCLE,
        payout_of(chips=(61, 47, 47, 45)),
        {"0": None, "700": (854, 658, 658, 630), "333": (406, 313, 313, 300)},
    ),
    "unit": Trial(
        HOYLE_HEARTS,
        payout_of(chips=3, totals=(13, 0, 0), dealer=E),
        {"0": None, "10": (-87, 44, 43), "3": (-26, 13, 13)},
    ),
    "currency": Trial(
        BICYCLE, lambda rules: rules.currency, {"none": "none", "EUR": "EUR", "USD": "USD"}
    ),
    "claims": Trial(HOYLE_HEARTS, claiming, {"agreed_only": (True, False), "off": (False, True)}),
    "revoke_law": Trial(
        BICYCLE,
        lambda rules: (
            settle(
                rules, game(rules), played((5, 4, 4, 0), bidder=W, bid=5, offenders=(E,))
            ).after.chips
        ),
        {"foster": (50, 37, 50, 63), "foster_full": (50, 32, 50, 68)},
    ),
    "credit": Trial(
        STANDARD,
        whose_result,
        {
            "entrant": {"Ann": Fraction(1)},
            "per_hand": {"Ann": Fraction(1, 3), "Ben": Fraction(2, 3)},
            "majority": {"Ben": Fraction(1)},
        },
    ),
    "unplayed": Trial(
        STANDARD,
        not_played,
        {
            "none": (10, 4, 6, 6),
            "table_average": (15, 6, 9, 9),
            "penalty:5": (15, 9, 11, 11),
            "penalty:1": (11, 5, 7, 7),
        },
    ),
    "correction_period": Trial(STANDARD, hours_to_correct, {"PT24H": 24, "PT2H": 2, "PT0H": 0}),
}

CASES = [(name, value) for name, trial in TRIALS.items() for value in trial.expected]


def test_the_switch_does_what_its_value_says(subtests: pytest.Subtests) -> None:
    for name, value in CASES:
        with subtests.test(name=name, value=value):
            trial = TRIALS[name]
            rules = change(trial.rules, {**trial.along, name: value})
            assert trial.look(rules) == trial.expected[value]


def test_a_trial_tells_the_values_apart(subtests: pytest.Subtests) -> None:
    for name, trial in TRIALS.items():
        with subtests.test(name=name):
            for one, other in combinations(trial.expected, 2):
                same = trial.expected[one] == trial.expected[other]
                assert same == ({one, other} <= set(trial.alike)), (one, other)


def test_every_switch_has_its_trial() -> None:
    assert set(TRIALS) == set(SWITCHES)


BUST = Trial(SWEEPSTAKE, length_in_hands, {"bust": 10, "hands:2": 2, "session": 10})
"""With chips a game also ends when somebody has none left (A9.3)."""


@pytest.mark.parametrize("value", BUST.expected)
def test_a_game_for_chips_ends_when_somebody_runs_out(value: str) -> None:
    assert BUST.look(house(BUST.rules, length=value)) == BUST.expected[value]


def test_every_value_of_every_switch_has_its_trial() -> None:
    for name, switch in SWITCHES.items():
        tried = {text.partition(":")[0] for text in TRIALS[name].expected}
        named = {text.partition(":")[0] for text in switch.choices}
        free = {"n", "3..6", "3", "left,right,across,hold", "EUR", "PT24H", "none"}
        bust = {"bust"} if name == "length" else set()
        assert named - free <= tried | bust, name


def test_every_enumerated_value_belongs_to_a_switch() -> None:
    offered = {text.partition(":")[0] for switch in SWITCHES.values() for text in switch.choices}
    kinds = [
        kind
        for kind in vars(switches).values()
        if isinstance(kind, type) and issubclass(kind, Choice) and kind is not Choice
    ]
    assert len(kinds) > 30
    for kind in kinds:
        for value in kind:
            assert value in offered
            assert value.words.endswith(".") or kind is switches.Ends


def test_every_value_has_its_words(subtests: pytest.Subtests) -> None:
    for name in SWITCHES:
        with subtests.test(name=name):
            switch = SWITCHES[name]
            words = [switch.say(switch.read(value)) for value in TRIALS[name].expected]
            assert all(words)
            assert len(set(words)) == len(words)
            assert switch.question.endswith("?")


# What cannot be.


def test_a_bad_value_is_refused_by_the_name_of_its_switch(subtests: pytest.Subtests) -> None:
    # A strip of nothing is nothing stripped.
    for name, value in sorted(
        set(product(SWITCHES, ["nonsense", "", "-1", "٣", "1e3", "bust:1"])) - {("strip", "")}
    ):
        with subtests.test(name=name, value=value):
            with pytest.raises(RulesError) as refused:
                house(PRESETS["standard"], **{name: value})
            assert refused.value.switch == name
            assert name in str(refused.value)


def test_an_unknown_switch_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(RulesError, match="did you mean min_bid") as refused:
        change(BICYCLE, {"min_bidd": "1"})
    assert refused.value.switch == "min_bidd"


def test_names_may_be_written_with_hyphens_and_by_their_other_name() -> None:
    assert change(BICYCLE, {"min-bid": "2"}).min_bid == 2
    assert change(BICYCLE, {"pain-first-trick": "allowed"}) == house(
        BICYCLE, first_trick_penalty="allowed"
    )


IMPOSSIBLE = [
    ("standard", {"pain": "auction"}, "pain"),
    ("bicycle", {"queen": "on"}, "queen"),
    ("hoyle_hearts", {"queen": "on"}, "queen"),
    ("standard", {"first_leader": "bidder"}, "first_leader"),
    ("bicycle", {"broken_by": "heart"}, "broken_by"),
    ("standard", {"queen": "off"}, "broken_by"),
    ("bicycle", {"moon": "add_to_others"}, "moon"),
    ("hoyle_hearts", {"moon": "subtract_from_self"}, "moon"),
    ("bicycle", {"insurance": "on"}, "insurance"),
    ("standard", {"queen": "off", "broken_by": "heart", "insurance": "on"}, "insurance"),
    ("bicycle", {"centre_auction": "on"}, "centre_auction"),
    ("sahara", {"centre_auction": "on"}, "centre_auction"),
    ("bicycle", {"foot": "on"}, "foot"),
    ("standard", {"length": "bust"}, "length"),
    ("bicycle", {"length": "limit"}, "length"),
    ("hoyle_hearts", {"length": "limit"}, "length"),
    ("bicycle", {"min_bid": "5", "max_bid": "4"}, "max_bid"),
    ("standard", {"moon_all_tricks": "game"}, "moon_all_tricks"),
    ("sweepstake", {"all_pass": "eldest_pays_min"}, "all_pass"),
    ("bicycle", {"prize": "winner_takes_all"}, "prize"),
    ("howell", {"end_pot": "play_until_won"}, "end_pot"),
    ("standard", {"average_each": "hand"}, "average_each"),
    ("hoyle_hearts", {"average_each": "hand", "insolvency": "debt"}, "average_rounding"),
    ("howell", {"insolvency": "pay_what_you_have"}, "insolvency"),
    ("bicycle", {"players": "3..6"}, "strip"),
    ("standard", {"players": "3..4"}, "strip"),
    ("hoyle_hearts", {"strip": "none"}, "strip"),
    ("bicycle", {"strip": "4:C2"}, "strip"),
    ("bicycle", {"strip": "4:C23456789TJQKAD23456789TJQKAH23456789TJQKAS23456789TJQKA"}, "strip"),
    ("standard", {"strip": "4:C23456789TJQKAS2D2D3"}, "first_leader"),
    ("standard", {"strip": "4:SQC2D2H2"}, "queen"),
    ("sweepstake", {"strip": "4:H23456789TJQKAS2D2D3,3:C2,5:C2D2,6:C2C3D2S2"}, "strip"),
    ("sahara", {"passing": "cycle"}, "pass_cycle"),
    ("standard", {"pass_cycle": "k4"}, "pass_cycle"),
    ("hoyle_hearts", {"passing": "cycle", "pass_cycle": "left", "pass_count": "9"}, "pass_count"),
]


def test_an_impossible_combination_is_refused_and_named(subtests: pytest.Subtests) -> None:
    for preset, overrides, named in IMPOSSIBLE:
        with subtests.test(preset=preset, overrides=overrides):
            with pytest.raises(RulesError) as refused:
                change(PRESETS[preset], overrides)
            assert refused.value.switch == named
            assert len(refused.value.message) > 10


# What is kept.


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_comes_back_from_its_json(name: str) -> None:
    rules = PRESETS[name]
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_json(rules.to_json()).digest == rules.digest


def test_every_value_survives_json_and_has_its_own_digest(subtests: pytest.Subtests) -> None:
    for name, value in CASES:
        with subtests.test(name=name, value=value):
            trial = TRIALS[name]
            rules = change(trial.rules, {**trial.along, name: value})
            again = Rules.from_json(rules.to_json())
            assert again == rules
            assert again.digest == rules.digest
            assert getattr(rules, name) == SWITCHES[name].read(value)
            for other in trial.expected:
                changed = change(trial.rules, {**trial.along, name: other})
                assert (changed.digest == rules.digest) == (other == value)


@pytest.mark.parametrize("text", ["", "[]", "{", "3", "null", '{"min_bid": [1]}', '{"x": "y"}'])
def test_what_is_no_rule_set_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(text)


def test_digests_do_not_change_from_one_day_to_the_next() -> None:
    """They are frozen into games; a new switch changes none of them (Q68)."""
    assert BICYCLE.digest == Rules().digest
    assert len({rules.digest for rules in PRESETS.values()}) == len(PRESETS)
    assert {name: rules.digest[:12] for name, rules in PRESETS.items()} == FROZEN


FROZEN = {
    "bicycle": "44136fa355b3",
    "hoyle_hearts": "77d49a7db202",
    "hoyle_auction": "f689e8d86480",
    "insurance": "5d8d46cad6b2",
    "sahara": "b9a5d959f6a7",
    "auction_moon": "35d0a94db0e0",
    "standard": "4530a32d82b0",
    "howell": "cf9dcba6ef34",
    "sweepstake": "778041619123",
}


def test_equal_rules_are_equal_however_they_came_about() -> None:
    one = change(BICYCLE, {"min_bid": "2", "max_bid": "9"})
    other = change(change(BICYCLE, {"max_bid": "9"}), {"min_bid": "2"})
    assert one == other
    assert (one.digest, hash(one)) == (other.digest, hash(other))
