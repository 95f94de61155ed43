"""Cards on the phone, held against the engine: what is legal, what is filled in, how many taps."""

import json
import random
from statistics import mean
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.cards import BIT, NAMES, Card, CardSet, Suit, members
from engine.deals import deal
from engine.play import (
    legal_follows,
    legal_leads,
    opening_leader,
    restrictions,
    winning_place,
)
from engine.presets import preset
from engine.rules import Rules, RulesError, change
from engine.seats import DEFAULT_SEATS, Seat, left_of
from tests.web.conftest import Open

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]

HANDS = 120
TAPS_MOST = 41
"""A hand whose deal is known, in the mean (issue 5, 4.1; design.md section 1)."""
SWITCHES: dict[str, tuple[str, ...]] = {
    "first_leader": ("low_club", "eldest", "bidder"),
    "first_trick_penalty": ("forbidden", "free"),
    "pain_lead": ("after_broken", "free"),
    "broken_by": ("heart_or_queen", "heart_only"),
    "hearts_plus_queen": ("queen_must_lead", "may_lead_heart"),
    "queen": ("on", "off"),
}
Plain = dict[str, Any]


def some_rules(chance: random.Random) -> Rules:
    rules = preset(
        chance.choice(("bicycle", "hoyle_hearts", "hoyle_auction", "sahara", "standard"))
    )
    for name in chance.sample(sorted(SWITCHES), 3):
        try:
            rules = change(rules, {name: chance.choice(SWITCHES[name])})
        except RulesError:
            continue
    return rules


class Dealt:
    """A hand dealt and played by chance, as the engine sees it, card by card."""

    def __init__(self, rules: Rules, players: int, chance: random.Random) -> None:
        self.rules, self.players, self.chance = rules, players, chance
        self.pain = chance.choice(list(Suit)) if rules.pain.value == "auction" else Suit.HEARTS
        pack = list(members(rules.pack(players)))
        chance.shuffle(pack)
        self.holdings = list(deal(rules, players, pack, Seat(0)).holdings)
        self.first = tuple(self.holdings)
        self.leader = opening_leader(rules, Seat(1 % players), None, self.first)
        self.played: list[Card] = []
        self.legal: list[list[str]] = []
        self._play()

    def _play(self) -> None:
        limits = restrictions(self.rules, self.pain, self.players)
        leader, broken = self.leader, False
        while any(self.holdings):
            trick: list[Card] = []
            first = len(self.played) < self.players
            for place in range(self.players):
                seat = left_of(leader, self.players, place) if place else leader
                held = self.holdings[seat]
                if place:
                    legal = legal_follows(held, trick[0], limits, first=first)
                else:
                    legal = legal_leads(held, limits, first=first, broken=broken)
                card = self.chance.choice(list(members(legal)))
                self.legal.append(sorted(NAMES[one] for one in members(legal)))
                trick.append(card)
                self.holdings[seat] = CardSet(held & ~BIT[card])
                broken = broken or bool(BIT[card] & limits.breakers)
            self.played += trick
            leader = left_of(leader, self.players, winning_place(tuple(trick)))

    @property
    def told(self) -> Plain:
        seats = DEFAULT_SEATS[self.players]
        held = {
            NAMES[card]: seats[seat]
            for seat, cards in enumerate(self.first)
            for card in members(cards)
        }
        return {
            "rules": self.rules.texts,
            "seats": seats,
            "pain": self.pain.name[0],
            "leader": seats[self.leader],
            "held": held,
            "cards": [NAMES[card] for card in self.played],
        }


TOLD = """async (hands) => {
  const { Playing } = await import("/static/js/phone/cards.js");
  const through = ({ rules, seats, pain, leader, cards }, holders) => {
    const playing = new Playing({ rules, seats }, leader, pain, holders);
    return cards.map((card) => {
      const found = { legal: playing.legal().slice().sort(), forced: playing.forced };
      playing.play(card);
      return found;
    });
  };
  return hands.map((hand) => ({ known: through(hand, hand.held), unknown: through(hand, {}) }));
}"""


@pytest.fixture
def page(visit: Open) -> Page:
    return visit("/t/")


def tell(page: Page, hands: list[Dealt]) -> list[Any]:
    found: list[Any] = page.evaluate(TOLD, json.loads(json.dumps([one.told for one in hands])))
    return found


def test_where_the_deal_is_known_exactly_the_legal_cards_are_offered(page: Page) -> None:
    chance = random.Random(41)
    hands = []
    for _ in range(HANDS):
        rules = some_rules(chance)
        players = chance.randint(rules.players.least, rules.players.most)
        hands.append(Dealt(rules, players, chance))
    for hand, told in zip(hands, tell(page, hands), strict=True):
        cards = hand.told["cards"]
        assert [one["legal"] for one in told["known"]] == hand.legal, hand.rules.texts
        for card, legal, one in zip(cards, hand.legal, told["known"], strict=True):
            assert one["forced"] == (card if len(legal) == 1 else None)
        for card, one in zip(cards, told["unknown"], strict=True):
            # Of a hand that nobody knows, nobody knows either that it has nothing but such cards.
            costs = card[0] == hand.pain.name[0] or card == "SQ"
            assert card in one["legal"] or costs
            assert one["forced"] in (card, None)


@pytest.mark.parametrize("name", ["bicycle", "standard", "sahara"])
def test_a_hand_whose_deal_is_known_takes_41_taps_in_the_mean(page: Page, name: str) -> None:
    chance = random.Random(name)
    hands = [Dealt(preset(name), 4, chance) for _ in range(HANDS)]
    taps = [sum(one["forced"] is None for one in told["known"]) for told in tell(page, hands)]
    assert mean(taps) <= TAPS_MOST
    assert max(taps) < 52


def test_passed_cards_are_where_they_were_passed_to(page: Page) -> None:
    """Who was passed a card has it: nobody else is offered it, and who has the club leads."""
    script = """async () => {
      const { holders, passes } = await import("/static/js/phone/passing.js");
      const rules = { passing: "cycle", pass_count: "3", strip: "none" };
      const seats = ["N", "E", "S", "W"];
      const all = { left: "E", right: "W", across: "S", k2: "S" };
      return Object.entries(all).map(([passing, to]) => {
        const table = { rules, seats, next: { dealer: "W", passing } };
        const steps = passes(table);
        const first = steps.next().value;
        return [first.seat, first.to === to, first.fits(["C2", "C3", "C4"]),
          first.fits(["C2", "C2", "C4"]), first.fits(["C2", "C3"]), first.fits("-"),
          holders(table, { N: ["C2"] }, true).C2 === to,
          holders(table, null, true).C2 === undefined];
      });
    }"""
    for row in page.evaluate(script):
        assert row == ["N", True, True, False, False, True, True, True]
