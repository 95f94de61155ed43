"""Play a hand to its end with players who know the rules and mostly avoid tricks."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

from engine.core.cards import SUIT_OF, Card, card_set, members
from engine.core.seats import Seat, left_of
from engine.live.hand import Hand, Phase, start
from engine.record.actions import Action, Bid, CallFoot, Deal, Insure, Pass, Play, Seal
from engine.record.game_state import GameState
from engine.replay.centre import start_of
from engine.replay.deals import deal
from engine.rules.rules import Rules
from engine.rules.switches import Toggle

DEALS_MAX: Final = 2000
"""After so many deals without the hand that was wanted, the story asked for too much."""
_PACK: Final = 52


class Manner(StrEnum):
    """The manner in which the people at a table take a hand."""

    USUAL = "usual"
    SHY = "shy"
    """Nobody bids."""
    WEARY = "weary"
    """Somebody who still can calls their foot."""


@dataclass(frozen=True, slots=True)
class DemoPlayers:
    """People around a table, with the dice that decide for them."""

    dice: Random
    manner: Manner = Manner.USUAL

    def play_out(self, rules: Rules, before: GameState, dealt: Deal | None = None) -> Hand:
        """Deal a hand, if it is not dealt, and play it to its end."""
        if dealt is None:
            eldest = left_of(before.dealer, before.players)
            cards = self.dice.sample(range(_PACK), _PACK)
            dealt = deal(rules, before.players, cards, eldest)
        hand = start(rules, before, dealt)
        while hand.phase is not Phase.DONE:
            hand = hand.apply(self._choice(hand))
        return hand

    def play_until(self, rules: Rules, before: GameState, wanted: Callable[[Hand], bool]) -> Hand:
        """Deal and play until a hand is as it is wanted."""
        for _ in range(DEALS_MAX):
            hand = self.play_out(rules, before)
            if wanted(hand):
                return hand
        raise AssertionError(f"no such hand in {DEALS_MAX} deals")

    def _choice(self, hand: Hand) -> Action:
        seat = hand.turn
        assert seat is not None, "somebody acts until a hand is over"
        match hand.phase:
            case Phase.PLAY:
                return Play(seat, self._card(hand))
            case Phase.AUCTION:
                return self._bid(hand, seat)
            case Phase.PAPERS:
                return self._paper(hand, seat)
            case Phase.EXCHANGE:
                return self._pass(hand, seat)
            case Phase.CENTRE:
                return self._seal(hand, seat)
            case _:
                return self.dice.choice(hand.legal_actions)

    def _card(self, hand: Hand) -> Card:
        """Mostly the highest card that does not win; now and then any."""
        legal = list(members(hand.legal_cards))
        if self.dice.random() < 0.25:
            return self.dice.choice(legal)
        if not hand.trick:
            return min(legal, key=_rank)
        led = SUIT_OF[hand.trick[0]]
        highest = max(_rank(card) for card in hand.trick if SUIT_OF[card] == led)
        ducking = [card for card in legal if SUIT_OF[card] != led or _rank(card) < highest]
        return max(ducking, key=_rank) if ducking else min(legal, key=_rank)

    def _paper(self, hand: Hand, seat: Seat) -> Action:
        number = self.dice.randrange(7) if hand.rules.insurance is Toggle.ON else None
        may_call = hand.rules.foot is Toggle.ON and seat not in hand.before.feet
        if self.manner is Manner.WEARY and may_call and not any(p.foot for p in hand.papers):
            return CallFoot(seat, number)
        return Insure(seat, number)

    def _pass(self, hand: Hand, seat: Seat) -> Action:
        held = sorted(members(hand.holdings[seat]), key=_rank, reverse=True)
        return Pass(seat, card_set(held[: hand.rules.pass_count]))

    def _seal(self, hand: Hand, seat: Seat) -> Action:
        shown = self.dice.choice(list(members(hand.holdings[seat])))
        wanted = self.dice.choice([None, *members(hand.centre)])
        bid = start_of(wanted) + self.dice.randrange(3) if wanted is not None else 0
        return Seal(seat, wanted, bid, shown)

    def _bid(self, hand: Hand, seat: Seat) -> Action:
        most = min(7, hand.before.chips[seat])
        if self.manner is Manner.SHY or most < 1 or self.dice.random() < 0.4:
            return Bid(seat, None)
        wish = Bid(seat, self.dice.randint(1, most))
        return wish if hand.fault(wish) is None else Bid(seat, None)


def _rank(card: Card) -> int:
    return card % 13
