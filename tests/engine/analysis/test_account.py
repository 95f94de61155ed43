"""The account of the last tricks: exact, and the same as by trying every card."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from engine import judge
from engine.analysis.account import (
    Analysis,
    AnalysisError,
    Caveat,
    analyse,
    analyse_hand,
    analyse_line,
    follow_line,
)
from engine.analysis.costs import CostTable, cost_table, hand_costs
from engine.analysis.report import (
    analysis_from_json,
    analysis_to_json,
    describe_account,
    describe_slip,
)
from engine.analysis.search import Budget, Guarantee, Moment
from engine.core.cards import CARDS, NAMES, CardSet, Suit, card, members, parse_cards
from engine.core.seats import Seat
from engine.live.hand import Hand
from engine.record.facts import Facts, Status
from engine.record.record import Claim, Ending, HandRecord
from engine.replay.play import Restrictions, restrictions
from engine.replay.replay import replay
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from tests.engine.table import game, house, playout, record_of, seeded

EXAMPLES: Final = Path(__file__).parent / "examples"
POSITIONS: Final = sorted(p for p in EXAMPLES.glob("*.json") if "_hand_" not in p.name)
HANDS: Final = sorted(EXAMPLES.glob("*_hand_*.phn"))


def rules_of_position(position: dict[str, Any]) -> Rules:
    rules = PRESETS[position["system"]]
    switches = ("three_player_sweep", "jackpot_split")
    return house(rules, **{name: position[name] for name in switches if name in position})


def analyse_position(position: dict[str, Any], line: list[str]) -> tuple[Analysis, list[Seat]]:
    """The analysis of an example, and who played each card of it."""
    rules, players = rules_of_position(position), position["players"]
    pot = position.get("pot_at_first_lead", 0)
    pain = next(suit for suit in Suit if suit.letter == position.get("pain", "H"))
    before = game(rules, players, pot, jackpot=int(rules.jackpot_split == "sole_winner_only"))
    facts = Facts(pain=pain, papers=tuple(position.get("papers", ())))
    shared = position.get("value_of_pot_left", "nothing") != "nothing"
    costs = cost_table(rules, before, facts, shares_pot=shared)
    taken = [parse_cards(cards.replace(" ", "")) for cards in position["taken"]]
    start = Moment(
        hands=tuple(parse_cards(cards.replace(" ", "")) for cards in position["hands"]),
        leader=position["lead"],
        mask=sum(1 << seat for seat, cards in enumerate(taken) if cards & costs.counting),
        broken=position["broken"],
    )
    paid = [sum(w[c] for c in members(t)) for w, t in zip(costs.weights, taken, strict=True)]
    limits = restrictions(rules, pain, players)
    followed = follow_line(costs, limits, start, paid, [card(name) for name in line])
    return analyse_line(costs, limits, followed), [Seat(m.turn) for m in followed.moments[:-1]]


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_a_position_has_the_account_that_was_worked_out_for_it(path: Path) -> None:
    example = json.loads(path.read_text("utf-8"))
    position = example["position"]
    analysis, _ = analyse_position(position, example["line"])
    players = position["players"]
    # The examples count chips where nothing of the pot is shared, else sixtieths of a chip.
    scale = 1 if position.get("cost_unit") != "chip" else 60
    assert [a.sure for a in analysis.seats] == [scale * c for c in example["safe_at_start"]]
    assert [a.result for a in analysis.seats] == [scale * c for c in example["result"]]
    plies = {(c.trick - 1) * players + c.place - 1: c for c in analysis.cards}
    assert [
        {
            "seat": plies[at].seat,
            "ply": at,
            "card": NAMES[plies[at].card],
            "cost": plies[at].slip // scale,
            "would_have_kept": sorted(NAMES[c] for c in members(plies[at].kept)),
        }
        for at in sorted(plies, key=lambda at: (plies[at].seat, at))
        if plies[at].slip
    ] == [one | {"would_have_kept": sorted(one["would_have_kept"])} for one in example["slips"]]
    assert sorted(
        (gift.seat, at, plies[at].seat, NAMES[plies[at].card], gift.amount // scale)
        for at in plies
        for gift in plies[at].gifts
    ) == [(g["to"], g["ply"], g["by"], g["card"], g["worth"]) for g in example["gifts"]]


def read_hand(path: Path) -> HandRecord:
    record = judge(path.read_text("utf-8")).records[0].entry.record
    assert record is not None
    return record


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_a_whole_hand_has_the_account_that_was_worked_out_for_it(path: Path) -> None:
    example = json.loads(path.with_suffix(".json").read_text("utf-8"))
    depth = example["tricks"] - example["exact_from_trick"] + 1
    analysis = analyse(read_hand(path), tricks=depth)
    assert analysis.exact_from == example["exact_from_trick"]
    assert [a.sure for a in analysis.seats] == example["sure_before_that_trick"]
    assert [a.result for a in analysis.seats] == example["cost_of_the_hand"]
    slips = [
        {
            "seat": c.seat,
            "trick": c.trick,
            "place": c.place,
            "card": NAMES[c.card],
            "cost": c.slip,
            "kept": [NAMES[kept] for kept in members(c.kept)],
        }
        for c in sorted(analysis.cards, key=lambda c: (c.seat, c.trick))
        if c.slip
    ]
    assert slips == example["slips"]
    assert sorted(
        (gift.seat, c.trick, c.seat, NAMES[c.card], gift.amount)
        for c in analysis.cards
        for gift in c.gifts
    ) == sorted((g["to"], g["trick"], g["by"], g["card"], g["worth"]) for g in example["gifts"])


def find_by_trying(
    costs: CostTable, limits: Restrictions, me: int, moment: Moment, taken: list[int]
) -> int:
    """The least cost that a seat can be sure of: every card tried, nothing kept in mind."""
    hands, players = moment.hands, len(moment.hands)
    if not any(hands) and not moment.trick:
        return costs.costs([CardSet(cards) for cards in taken])[me]
    held = list(members(hands[moment.turn]))
    if moment.trick:
        choices = [c for c in held if c // 13 == moment.trick[0] // 13] or held
    else:
        choices = held
        if not moment.broken:
            choices = [c for c in held if not limits.unbroken_lead >> c & 1] or held
    values = []
    for choice in choices:
        after = list(hands)
        after[moment.turn] = CardSet(hands[moment.turn] & ~(1 << choice))
        trick, won = (*moment.trick, choice), list(taken)
        later = replace(moment, hands=tuple(after), trick=trick)
        if len(trick) == players:
            following = [c for c in trick if c // 13 == trick[0] // 13]
            winner = (moment.leader + trick.index(max(following))) % players
            won[winner] |= sum(1 << c for c in trick)
            broken = moment.broken or any(limits.breakers >> c & 1 for c in trick)
            later = Moment(tuple(after), winner, mask=0, broken=broken)
        values.append(find_by_trying(costs, limits, me, later, won))
    return min(values) if moment.turn == me else max(values)


def played_hands(seed: int) -> Iterator[Hand]:
    """Hands of all systems and sizes that were played out, by chance."""
    dice = seeded(seed)
    while True:
        for name in ("bicycle", "hoyle_hearts", "hoyle_auction", "standard", "insurance", "sahara"):
            rules = PRESETS[name]
            for players in range(rules.players.least, rules.players.most + 1):
                pots = {"pot": dice.randrange(12)} if name in ("bicycle", "hoyle_auction") else {}
                hand = playout(rules, game(rules, players, **pots), dice)
                if hand.status is Status.PLAYED:
                    yield hand


def compare_with_trying(hand: Hand) -> None:
    """The search against every card tried, at every card of the last two or three tricks."""
    judged = replay(record_of(hand), hand.rules, hand.before)
    analysis = analyse_hand(judged, tricks=3 if hand.players < 5 else 2)
    costs, limits, dealt = hand_costs(judged), hand.limits, judged.held
    assert dealt is not None
    plays = [c for trick in hand.tricks for c in trick.cards]
    sure: list[int] | None = None
    assert analysis.exact_from is not None
    for number, trick in enumerate(hand.tricks, 1):
        taken = [0] * hand.players
        for earlier in hand.tricks[: number - 1]:
            taken[earlier.winner] |= sum(1 << c for c in earlier.cards)
        if number < analysis.exact_from:
            continue
        broken = any(cards & limits.breakers for cards in taken)
        for place in range(hand.players):
            gone = sum(1 << c for c in plays[: (number - 1) * hand.players + place])
            hands = tuple(CardSet(held & ~gone) for held in dealt)
            moment = Moment(hands, trick.leader, 0, broken, trick.cards[:place])
            now = [find_by_trying(costs, limits, me, moment, taken) for me in range(hand.players)]
            if sure is None:
                assert [account.sure for account in analysis.seats] == now
            one = analysis.cards[(number - analysis.exact_from) * hand.players + place]
            assert one.before == now[one.seat]
            sure = now


@pytest.mark.parametrize("seed", range(2))
def test_the_search_agrees_with_trying_every_card(seed: int) -> None:
    hands = played_hands(seed)
    for _ in range(18):
        compare_with_trying(next(hands))


@pytest.mark.slow
def test_the_search_agrees_with_trying_every_card_in_300_positions() -> None:
    hands = played_hands(5)
    for _ in range(300):
        compare_with_trying(next(hands))


def test_a_search_that_saw_many_deals_finds_what_a_new_one_finds() -> None:
    dice = seeded(7)
    hand = next(played_hands(7))
    costs = hand_costs(replay(record_of(hand), hand.rules, hand.before))
    players, deals = costs.players, []
    for _ in range(2):
        cards = dice.sample(CARDS, 3 * players)
        hands = tuple(
            CardSet(sum(1 << one for one in cards[seat::players])) for seat in range(players)
        )
        deals.append(Moment(hands, 0, 0, True))
    used, new = (Guarantee(costs, hand.limits, 0, Budget(10**6)) for _ in range(2))
    used.find(deals[0])
    used._numbers.update({(-number,): number for number in range(1, 1 << 16)})
    assert used.find(deals[1]) == new.find(deals[1])
    assert max(used._numbers.values()) < 1 << 16


def test_sure_and_slips_less_gifts_are_the_result_which_is_that_of_the_settlement() -> None:
    hands = played_hands(3)
    for _ in range(36):
        hand = next(hands)
        analysis = analyse(record_of(hand), hand.rules, hand.before, nodes=5_000)
        settled = hand.settle()
        for seat, account in enumerate(analysis.seats):
            assert account.result == account.sure + account.slips - account.gifts
            if settled.score is not None:
                spent = hand.facts.centre[seat] if hand.facts.centre else 0
                cost = Fraction(settled.score.points[seat] - spent)
            else:
                bid = hand.facts.bid if hand.facts.bidder == seat else 0
                left = Fraction(settled.after.pot, hand.players)
                cost = hand.before.chips[seat] - bid - settled.after.chips[seat] - left
            assert account.result * account.unit == cost


def test_the_account_goes_as_far_back_as_its_positions_lead_and_is_the_same_each_time() -> None:
    record = read_hand(HANDS[0])
    few, more = analyse(record, nodes=2_000), analyse(record, nodes=60_000)
    assert few.exact_from is not None
    assert more.exact_from is not None
    assert more.exact_from < few.exact_from
    assert more.cards[-len(few.cards) :] == few.cards
    assert analyse(record, nodes=60_000) == more
    assert more.nodes <= 60_000


def test_without_positions_only_what_is_forced_is_known() -> None:
    analysis = analyse(read_hand(HANDS[0]), nodes=0)
    assert analysis.exact_from == 13
    assert not any(one.slip for one in analysis.cards)


def test_a_claim_ends_the_account() -> None:
    record = read_hand(HANDS[3])
    play = (record.play or ())[: 11 * 4]
    claimed = replace(record, play=play, claim=Claim(Seat(3), 11), ending=Ending.CLAIM, scores=None)
    analysis = analyse(claimed, nodes=10_000)
    assert analysis.caveats == (Caveat.CLAIM,)
    assert analysis.until == 11
    for account in analysis.seats:
        assert account.result == account.sure + account.slips - account.gifts


def test_a_claim_before_the_second_trick_leaves_nothing_to_search() -> None:
    record = read_hand(HANDS[3])
    play = (record.play or ())[:4]
    claimed = replace(record, play=play, claim=Claim(Seat(3), 1), ending=Ending.CLAIM, scores=None)
    analysis = analyse(claimed)
    assert (analysis.exact_from, analysis.seats, analysis.nodes) == (None, (), 0)
    assert analysis.caveats == (Caveat.CLAIM,)
    assert analysis_from_json(analysis_to_json(analysis, tuple("NESW"))).seats == ()


def test_where_the_positions_do_not_reach_the_claim_no_seat_is_said_to_be_sure() -> None:
    record = read_hand(HANDS[3])
    play = (record.play or ())[: 3 * 4]
    claimed = replace(record, play=play, claim=Claim(Seat(3), 3), ending=Ending.CLAIM, scores=None)
    assert analyse(claimed, nodes=100).seats == ()


def test_the_first_irregular_card_ends_the_account() -> None:
    record = read_hand(HANDS[3])
    play = list(record.play or ())
    # East discards C6 on the eighth trick, with spades in hand.
    row, other = 7 * 4, 12 * 4
    column = (record.columns or ()).index(Seat(1))
    play[row + column], play[other + column] = play[other + column], play[row + column]
    analysis = analyse(replace(record, play=tuple(play), scores=None), nodes=1_000)
    assert Caveat.IRREGULAR in analysis.caveats
    assert analysis.until == 7


def test_a_hand_with_unknown_cards_is_not_analysed() -> None:
    record = read_hand(HANDS[3])
    with pytest.raises(AnalysisError, match="not all cards"):
        analyse(replace(record, play=None, deal=None))
    with pytest.raises(AnalysisError, match="not played"):
        analyse(replace(record, ending=Ending.REDEAL))


def test_insolvency_and_the_end_of_a_game_are_said_to_be_left_out() -> None:
    hands = (hand for hand in played_hands(8) if hand.rules == PRESETS["bicycle"])
    hand = next(one for one in hands if max(one.facts.taken) > max(one.facts.bid, 5))
    stack = max(hand.facts.taken) - 1
    before = replace(hand.before, chips=(stack,) * 4, bought=stack * 4, pot=0)
    analysis = analyse(record_of(hand), hand.rules, before, tricks=1)
    assert {Caveat.INSOLVENCY, Caveat.GAME_END} <= {*analysis.caveats}


def test_a_slip_and_an_account_are_said_in_sentences() -> None:
    position = json.loads((EXAMPLES / "11_standard_moon_alive.json").read_text("utf-8"))
    analysis, _ = analyse_position(position["position"], position["line"])
    said = [describe_slip(analysis, one, "Ann") for one in analysis.cards if one.slip]
    assert said[0] == "Trick 1: HA kept Ann at 3; with DJ it could become 26."
    assert describe_account(analysis, analysis.seats[0]) == (
        "Sure at trick 1: 2. Slips 24. Gifts 26. Result 0."
    )


def test_chips_are_said_as_won_and_lost_with_their_parts() -> None:
    analysis = analyse(read_hand(HANDS[2]), tricks=3)
    assert describe_account(analysis, analysis.seats[3]) == (
        "Sure at trick 8: -1 4/5. Slips 0. Gifts 2 1/5. Result +2/5."
    )


def test_an_analysis_as_data_names_its_unit() -> None:
    analysis = analyse(read_hand(HANDS[0]), tricks=4)
    plain = analysis_to_json(analysis, tuple("NESW"))
    assert plain["unit"] == "1/60 chip"
    assert plain["seats"][1] == {
        "seat": "E",
        "sure": -300,
        "slips": 840,
        "gifts": 1740,
        "result": -1200,
    }
    slip = next(one for one in plain["cards"] if one["slip"])
    assert (slip["card"], slip["kept"]) == ("S2", ["S9"])
    assert analysis_from_json(json.loads(json.dumps(plain))) == analysis
