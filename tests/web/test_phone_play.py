"""Cards on the phone, held against the engine: what is legal, what is filled in, how many taps."""

import json
import random
from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.core.cards import BIT, NAMES, Card, CardSet, Suit, members
from engine.core.seats import DEFAULT_SEATS, Seat, left_of
from engine.replay.deals import deal
from engine.replay.play import (
    legal_follows,
    legal_leads,
    opening_leader,
    restrictions,
    winning_place,
)
from engine.rules.presets import preset
from engine.rules.rules import Rules, change
from tests.switches import turn, useless_turns
from tests.web.conftest import Open

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

HANDS = 120
TAPS_MAX = 41
"""Of any hand whose deal is known."""
KNOWN = ("bicycle", "hoyle_hearts", "hoyle_auction", "standard", "insurance", "sahara")
"""Insurance without the centre: nobody tells who bought which of its cards."""
TURNED = ("bicycle", "hoyle_hearts", "hoyle_auction", "sahara", "standard")
SWITCHES: dict[str, tuple[str, ...]] = {
    "first_leader": ("low_club", "eldest", "bidder"),
    "first_trick_penalty": ("forbidden", "allowed"),
    "pain_lead": ("after_broken", "free"),
    "broken_by": ("pain", "heart_or_queen", "heart"),
    "hearts_plus_queen": ("must_queen", "may_lead_heart"),
    "queen": ("on", "off"),
}
Plain = dict[str, Any]
Choice = Callable[[random.Random, list[Card]], Card]


def anyhow(chance: random.Random, legal: list[Card]) -> Card:
    return chance.choice(legal)


def from_short_suits(_chance: random.Random, legal: list[Card]) -> Card:
    """As players do who want to discard soon; who lacks suits has the most choice later."""
    suits = [NAMES[card][0] for card in legal]
    return min(legal, key=lambda card: (suits.count(NAMES[card][0]), NAMES[card]))


def the_least(_chance: random.Random, legal: list[Card]) -> Card:
    return min(legal, key=lambda card: "23456789TJQKA".index(NAMES[card][1]))


def the_highest(_chance: random.Random, legal: list[Card]) -> Card:
    return max(legal, key=lambda card: "23456789TJQKA".index(NAMES[card][1]))


def played_by(name: str) -> Rules:
    rules = preset(name)
    return change(rules, {"centre_auction": "off"}) if name == "insurance" else rules


STYLES: tuple[Choice, ...] = (anyhow, from_short_suits, the_least, the_highest)


def some_rules(chance: random.Random) -> Rules:
    rules = preset(chance.choice(TURNED))
    for name in chance.sample(sorted(SWITCHES), 3):
        rules = turn(rules, name, chance.choice(SWITCHES[name]))
    return rules


def test_every_value_that_is_turned_is_one_that_some_rules_take() -> None:
    assert useless_turns(SWITCHES, map(preset, TURNED)) == []


class Dealt:
    """A hand dealt and played by chance, as the engine sees it, card by card."""

    def __init__(
        self, rules: Rules, players: int, chance: random.Random, choose: Choice = anyhow
    ) -> None:
        self.rules, self.players, self.chance, self.choose = rules, players, chance, choose
        self.pain = chance.choice(list(Suit)) if rules.pain.value == "auction" else Suit.HEARTS
        pack = list(members(rules.pack(players)))
        chance.shuffle(pack)
        self.holdings = list(deal(rules, players, pack, Seat(0)).holdings)
        self.first = tuple(self.holdings)
        self.leader = opening_leader(rules, Seat(1 % players), None, self.first)
        self.played: list[Card] = []
        self.legal: list[list[str]] = []
        self.winners: list[Seat] = []
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
                card = self.choose(self.chance, list(members(legal)))
                self.legal.append(sorted(NAMES[one] for one in members(legal)))
                trick.append(card)
                self.holdings[seat] = CardSet(held & ~BIT[card])
                broken = broken or bool(BIT[card] & limits.breakers)
            self.played += trick
            leader = left_of(leader, self.players, winning_place(tuple(trick)))
            self.winners.append(leader)

    @property
    def taken(self) -> dict[str, int]:
        """How many cards of the pain suit each seat took."""
        found = dict.fromkeys(DEFAULT_SEATS[self.players], 0)
        for place, card in enumerate(self.played):
            if NAMES[card][0] == self.pain.name[0]:
                seat = self.winners[place // self.players]
                found[DEFAULT_SEATS[self.players][seat]] += 1
        return found

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
            "winners": [seats[seat] for seat in self.winners],
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


TAPPED = """async (hands) => {
  const { Playing } = await import("/static/js/phone/cards.js");
  const { runs } = await import("/static/js/phone/runs.js");
  const isSo = (way, cards) => way.every(({ card }, at) => card === cards[at]);
  const counted = ({ rules, seats, pain, leader, cards, held }) => {
    const playing = new Playing({ rules, seats }, leader, pain, held);
    let [at, single, taps, most] = [0, 0, 0, 0];
    const play = (count) => {
      for (const card of cards.slice(at, at + count)) {
        single += playing.forced ? 0 : 1;
        playing.play(card);
      }
      at += count;
    };
    let isSure = true; // who surely takes the rest takes it
    const due = {};
    while (at < cards.length) {
      if (!playing.trick.length && playing.sure) due[playing.done.length] = playing.sure;
      if (playing.forced) {
        play(1);
        continue;
      }
      const ways = runs(playing, taps);
      const fits = ways.filter((way) => isSo(way, cards.slice(at)));
      if (fits.length > 1) throw new Error("two buttons for one thing");
      most = Math.max(most, ways.length);
      taps += 1;
      play(fits.length ? fits[0].length : 1);
    }
    for (const [from, seat] of Object.entries(due)) {
      isSure = isSure && playing.done.slice(from).every(({ winner }) => winner === seat);
    }
    return { taps, single, most, isSure, sure: Object.keys(due).length };
  };
  return hands.map(counted);
}"""


def tap(page: Page, hands: list[Dealt]) -> list[Any]:
    """Each hand told as fast as it can be: its taps, with and without several cards in one tap."""
    found: list[Any] = page.evaluate(TAPPED, json.loads(json.dumps([one.told for one in hands])))
    return found


@pytest.mark.parametrize("name", KNOWN)
def test_no_hand_whose_deal_is_known_takes_more_than_41_taps(page: Page, name: str) -> None:
    rules, chance = played_by(name), random.Random(name)
    for players in range(rules.players.least, rules.players.most + 1):
        hands = [
            Dealt(rules, players, chance, choose) for choose in STYLES for _ in range(HANDS // 4)
        ]
        told = tap(page, hands)
        assert max(one["taps"] for one in told) <= TAPS_MAX, players
        assert all(one["isSure"] for one in told)
        assert any(one["sure"] > 1 for one in told)
        assert mean(one["single"] for one in told) < len(hands[0].played) * 7 / 8


def test_even_what_nobody_would_play_takes_no_more_than_41_taps(page: Page) -> None:
    """Nothing is filled in but the last trick: every seat has one suit alone, until the end."""
    rules = preset("hoyle_hearts")
    seats = DEFAULT_SEATS[4]
    suits = ("SKQJT98765432A", "HKQJT98765432A", "DKQJT98765432A", "CKQJT98765432A")
    held = {
        suit[0] + rank: seat for seat, suit in zip(seats, suits, strict=True) for rank in suit[1:]
    }
    cards = [suit[0] + suit[trick] for trick in range(1, 14) for suit in suits]
    hand = {
        "rules": rules.texts,
        "seats": seats,
        "pain": "H",
        "leader": seats[0],
        "held": held,
        "cards": cards,
    }
    (told,) = page.evaluate(TAPPED, json.loads(json.dumps([hand])))
    assert told["single"] == 48
    assert told["taps"] <= TAPS_MAX


def test_where_the_deal_is_not_known_there_are_few_ways_or_none(page: Page) -> None:
    chance = random.Random(3)
    for name in KNOWN:
        hands = [Dealt(played_by(name), 4, chance) for _ in range(HANDS // 10)]
        for hand in hands:
            hand.first = (CardSet(0),) * 4
        told = tap(page, hands)
        assert all(one["most"] <= 12 for one in told)
        assert all(one["taps"] <= one["single"] for one in told)
        assert any(one["taps"] < one["single"] for one in told)


def test_what_one_tap_told_is_what_the_cards_tell_and_one_tap_takes_it_back(page: Page) -> None:
    chance = random.Random(7)
    hands = []
    for name in KNOWN:
        rules = played_by(name)
        leads = {"first_leader": "eldest"} if rules.pain.value == "auction" else {}
        rules = change(rules, {"pain": "hearts", **leads})
        hands.append(Dealt(rules, chance.randint(rules.players.least, rules.players.most), chance))
    script = """async (hands) => {
      const { questions } = await import("/static/js/phone/questions.js");
      const { setScreens } = await import("/static/js/phone/page.js");
      setScreens(await import("/static/js/phone/screens.js"));
      const { runs } = await import("/static/js/phone/runs.js");
      const changes = await import("/static/js/phone/answer_changes.js");
      const { cardTaps, withCardReplaced, withCardsFrom, withoutLastTap } = changes;
      const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
      return hands.map(({ rules, seats, leader, held, cards }) => {
        const by = (make) => Object.fromEntries(seats.map((seat) => [seat, make(seat)]));
        const deal = by((seat) => Object.keys(held).filter((card) => held[card] === seat));
        const plain = { settlement: "points", passing: "none" };
        const other = { insurance: "off", foot: "off", centre_auction: "off", moon: "none" };
        const next = { dealer: seats[seats.indexOf(leader) - 1] ?? seats[seats.length - 1] };
        const table = { rules: { ...rules, ...plain, ...other }, seats, next, deal };
        const before = [];
        let answers = { cards: true };
        for (;;) {
          const { open } = questions(table, answers);
          if (!open || before.length > cards.length) break;
          const { place, playing } = open;
          const ways = runs(playing, cardTaps(answers));
          const way = ways.find((one) => one.every(({ card }, at) => card === cards[place + at]));
          before.push(answers);
          answers = way
            ? withCardsFrom(answers, place, way)
            : { ...answers, [open.key]: cards[place] };
        }
        const { result } = questions(table, answers);
        const told = result.actions.play.split(":")[1].split(" ");
        let undone = answers;
        const isUndone = (one) => same((undone = withoutLastTap(undone)), one);
        const isBack = before.reverse().every(isUndone);
        const run = Object.keys(answers).find((name) => name.startsWith("run "));
        const at = Number(run.slice(4));
        const changed = withCardReplaced(table, answers, at, cards[at]);
        const isSingle = !(run in changed) && cardTaps(changed) > cardTaps(answers);
        return { taps: cardTaps(answers), count: before.length, told, isBack, isSingle };
      });
    }"""
    found = page.evaluate(script, json.loads(json.dumps([one.told for one in hands])))
    for hand, one in zip(hands, found, strict=True):
        assert one["told"] == hand.told["cards"]
        assert one["taps"] == one["count"] <= TAPS_MAX
        assert one["isBack"]
        assert one["isSingle"]


TELLS = """async (hands) => {
  const { questions } = await import("/static/js/phone/questions.js");
  const { setScreens } = await import("/static/js/phone/page.js");
  setScreens(await import("/static/js/phone/screens.js"));
  const other = { settlement: "points", passing: "none", pain: "hearts", centre_auction: "off" };
  const none = { insurance: "off", foot: "off", moon: "none", moon_all_tricks: "off" };
  return hands.map(({ rules, seats, pain, leader, cards, winners }) => {
    const first = { first_leader: "eldest" };
    const next = { dealer: seats[seats.indexOf(leader) - 1] ?? seats[seats.length - 1] };
    const table = { rules: { ...rules, ...other, ...none, ...first }, seats, next };
    let [answers, taps, filled] = [{ cards: true }, 0, []];
    for (;;) {
      const { open, result, asked } = questions(table, answers);
      if (!open) {
        const { play, claim } = result.actions;
        const told = play.split(":")[1].split(" ");
        const { taken, queen = null, doubts } = result;
        filled = asked.filter((one) => one.isFilled).map(({ value }) => value);
        return { taps, told, claim: claim ?? null, taken, queen, doubts, filled };
      }
      const { place, playing, isAskedWinner } = open;
      const card = cards[place];
      const { led, turn, left, owners } = playing;
      const mayFollow = left.some((one) => one[0] === led && owners[one].includes(turn));
      taps += 1;
      if (led && card[0] !== led && mayFollow) answers = { ...answers, [`void ${place}`]: led };
      else if (isAskedWinner) answers = { ...answers, [open.key]: `claim ${winners.at(-1)}` };
      else answers = { ...answers, [open.key]: card };
    }
  });
}"""


ON_PADS = """async (hands) => {
  const { questions } = await import("/static/js/phone/questions.js");
  const { keys } = await import("/static/js/phone/keys.js");
  const { setScreens } = await import("/static/js/phone/page.js");
  setScreens(await import("/static/js/phone/screens.js"));
  return hands.map(({ rules, seats, pain, leader, cards, winners }) => {
    const dealer = seats[seats.indexOf(leader) - 1] ?? seats[seats.length - 1];
    const chips = Object.fromEntries(seats.map((seat) => [seat, 50]));
    const table = { rules, seats, next: { dealer, chips, jackpot: 0, feet_used: [] } };
    const auction = { bidder: leader, bid: 2, pain };
    let [answers, taps, doubts] = [{ cards: true }, 0, 0];
    for (;;) {
      const { open } = questions(table, answers);
      if (!open) return { taps: taps + 1, doubts }; // and sent
      taps += 1;
      if (open.kind !== "card") {
        answers = { ...answers, [open.key]: auction[open.key] };
        continue;
      }
      let told = null;
      const answer = (value) => { told = { [open.key]: value }; };
      const sayVoid = () => { told = { [`void ${open.place}`]: open.playing.led }; };
      let changed = {};
      const draw = () => {
        const place = document.createElement("div");
        const change = (some) => { changed = some; };
        place.append(...[keys({ ...open, sayVoid }, table, changed, answer, change)].flat());
        return place;
      };
      const card = cards[open.place];
      const name = open.isAskedWinner ? `claim ${winners.at(-1)}` : card;
      const pad = draw();
      const key = pad.querySelector(`[data-focus="${name}"]:not(:disabled)`);
      (key ?? pad.querySelector('[data-focus="void"]')).click();
      if (changed.doubted) {
        [taps, doubts] = [taps + 1, doubts + 1];
        draw().querySelector('[data-focus="keep both"]').click();
      }
      answers = { ...answers, ...told };
    }
  });
}"""
EVERY_CARD = {3: 55, 4: 57, 5: 55, 6: 53}
"""Mean taps by players, bid, suit and sending included; docs/performance.md says the same."""


@pytest.mark.parametrize("players", sorted(EVERY_CARD))
def test_every_card_takes_about_one_tap(page: Page, players: int) -> None:
    """Counted on the pads as they are drawn, of hands whose deal nobody has written down."""
    chance, rules = random.Random(players), preset("hoyle_auction")
    hands = [Dealt(rules, players, chance, choose) for choose in STYLES for _ in range(HANDS // 12)]
    told = page.evaluate(ON_PADS, json.loads(json.dumps([one.told for one in hands])))
    taps = [one["taps"] for one in told]
    assert mean(taps) <= EVERY_CARD[players]
    assert not any(one["doubts"] for one in told)


def test_any_hand_told_by_taps_is_the_hand_that_was_dealt(page: Page) -> None:
    """Nobody has written the deal down: suits that somebody lacks are said, of the last trick who
    won it."""
    chance = random.Random(23)
    hands = []
    for number in range(HANDS):
        rules = change(some_rules(chance), {"pain": "hearts", "first_leader": "eldest"})
        players = chance.randint(rules.players.least, rules.players.most)
        hands.append(Dealt(rules, players, chance, STYLES[number % len(STYLES)]))
    told = page.evaluate(TELLS, json.loads(json.dumps([one.told for one in hands])))
    claimed = 0
    for hand, one in zip(hands, told, strict=True):
        cards, players = hand.told["cards"], hand.players
        last = DEFAULT_SEATS[players][hand.winners[-1]]
        whole = cards if one["claim"] is None else cards[:-players]
        assert (one["told"], one["claim"]) == (whole, None if whole is cards else last)
        assert one["taken"] == hand.taken
        assert all(doubt["kind"] in ("unbroken", "early") for doubt in one["doubts"])
        claimed += whole is not cards
    assert claimed > len(hands) / 2
    assert any(one["filled"] for one in told)


def test_what_contradicts_a_suit_that_was_lacked_is_known_with_its_trick(page: Page) -> None:
    script = """async () => {
      const { Playing } = await import("/static/js/phone/cards.js");
      const rules = { strip: "none", queen: "on", first_leader: "low_club", pain_lead:
        "after_broken", first_trick_penalty: "forbidden", broken_by: "pain" };
      const seats = ["N", "E", "S", "W"];
      const playing = new Playing({ rules, seats }, "N", "H", { CK: "W" });
      const found = [playing.doubt("C3")];
      playing.play("C2");
      playing.play("D9");
      found.push(playing.doubt("H5"), playing.doubt("CK"));
      playing.play("C5");
      found.push(playing.doubt("D3"));
      playing.play("CK");
      found.push(playing.doubt("H2"));
      playing.play("D2");
      playing.play("DA");
      found.push(playing.doubt("C9"), playing.doubt("S4"));
      playing.play("C9");
      found.push(playing.voids.E.has("C"), playing.voids.E.has("D"));
      return found;
    }"""
    assert page.evaluate(script) == [
        {"kind": "opening", "low": "C2"},
        {"kind": "early"},
        {"kind": "held", "holder": "W"},
        {"kind": "follow", "suit": "C"},
        {"kind": "unbroken"},
        {"kind": "void", "suit": "C", "shown": 1},
        None,
        False,
        True,
    ]


def test_passed_cards_are_where_they_were_passed_to(page: Page) -> None:
    """Who was passed a card has it: nobody else is offered it, and who has the club leads."""
    script = """async () => {
      const { askPasses, holders } = await import("/static/js/phone/passing.js");
      const rules = { passing: "cycle", pass_count: "3", strip: "none" };
      const seats = ["N", "E", "S", "W"];
      const all = { left: "E", right: "W", across: "S", k2: "S" };
      return Object.entries(all).map(([passing, to]) => {
        const table = { rules, seats, next: { dealer: "W", passing } };
        const steps = askPasses(table);
        const first = steps.next().value;
        return [first.seat, first.to === to, first.fits(["C2", "C3", "C4"]),
          first.fits(["C2", "C2", "C4"]), first.fits(["C2", "C3"]), first.fits("-"),
          holders(table, { N: ["C2"] }, true).C2 === to,
          holders(table, null, true).C2 === undefined];
      });
    }"""
    for row in page.evaluate(script):
        assert row == ["N", True, True, False, False, True, True, True]
