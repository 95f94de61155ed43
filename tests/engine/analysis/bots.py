"""Hands that bots play at a table of the engine, which refuses every card that is not legal."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from engine.analysis.costs import CostTable, cost_table
from engine.analysis.openings import choose_pass
from engine.analysis.policy import choose_by_sampling, choose_by_thumb, cost_of_seat
from engine.analysis.worlds import Position
from engine.core.cards import CARDS, CardSet, members
from engine.core.seats import Seat, left_of
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Pass, Play
from engine.record.game_state import beginning
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from tests.engine.table import shuffled

Bot = Callable[[Position, CostTable, Random], int]
"""A player of cards: from the position before the card, the costs of the hand, and dice."""
TABLES: Final = [
    (name, players)
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]


def thumb(position: Position, _costs: CostTable, _dice: Random) -> int:
    return choose_by_thumb(position)


def chance(position: Position, _costs: CostTable, dice: Random) -> int:
    return dice.choice(list(members(CardSet(position.legal))))


def thumb_with(random_cards: float) -> Bot:
    """A bot that plays by thumb, except for a share of its cards."""

    def choose(position: Position, costs: CostTable, dice: Random) -> int:
        return (chance if dice.random() < random_cards else thumb)(position, costs, dice)

    return choose


def sampler(worlds: int, random_cards: float = 0) -> Bot:
    """A bot that chooses by sampling, except for a share of its cards."""

    def choose(position: Position, costs: CostTable, dice: Random) -> int:
        if dice.random() < random_cards:
            return chance(position, costs, dice)
        cost = cost_of_seat(costs, position.turn)
        return choose_by_sampling(position, cost, dice.random, worlds)

    return choose


def first_lead(rules: Rules, players: int, dice: Random, number: int = 0) -> Hand:
    """A hand before its first lead: dealt, passed on by thumb, papers and bids by chance."""
    before = beginning(
        rules,
        players,
        Seat(number % players),
    )
    while True:
        hand = start(rules, before, shuffled(rules, players, dice, left_of(before.dealer, players)))
        while hand.phase not in (Phase.PLAY, Phase.DONE):
            if hand.phase is Phase.EXCHANGE and hand.turn is not None:
                held = hand.holdings[hand.turn]
                passed = choose_pass(hand.limits, held, rules.pass_count)
                hand = hand.apply(Pass(hand.turn, CardSet(passed)))
            else:
                hand = hand.apply(hand.sample_action(dice))
        if hand.phase is Phase.PLAY:
            return hand


def position_of(hand: Hand) -> Position:
    """The position before the first lead of a hand, with what everybody knows of the others."""
    known = [[int(held & hand.centre) for held in hand.holdings] for _ in hand.holdings]
    for passed in hand.passes:
        known[passed.seat][passed.to] |= passed.cards & hand.holdings[passed.to]
    pack = hand.rules.pack(hand.players)
    return Position.begin(hand.limits, pack, hand.holdings, hand.leader, known)


def play_on(hand: Hand, bots: Sequence[Bot], dice: Random) -> Hand:
    """A hand played to its end from before its first lead."""
    position, costs = position_of(hand), cost_table(hand.rules, hand.before, hand.facts)
    while hand.phase is Phase.PLAY:
        seat = position.turn
        assert seat == hand.turn
        assert position.legal == hand.legal_cards
        card = CARDS[bots[seat](position, costs, dice)]
        position.play(card)
        hand = hand.apply(Play(Seat(seat), card))
    assert tuple(position.taken) == hand.taken
    return hand


def gains(rules: Rules, players: int, bot: Bot, other: Bot, deals: int) -> list[float]:
    """By how much a bot beats the mean of others, in chips or points, a deal each.

    Every deal is played with the bot in each of the seats.
    """
    dice, gained = Random("gains"), []
    for number in range(deals):
        opened, total = first_lead(rules, players, dice, number), 0.0
        table = cost_table(rules, opened.before, opened.facts)
        for seat in range(players):
            bots = [bot if place == seat else other for place in range(players)]
            costs = table.costs(play_on(opened, bots, dice).taken)
            total += (sum(costs) - costs[seat]) / (players - 1) - costs[seat]
        gained.append(total / players / table.parts)
    return gained
