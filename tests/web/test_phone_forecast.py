"""What the phone says without a network, held against the engine: any rules, any hands."""

import json
import random
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page

from engine.core.cards import Suit, count
from engine.core.chips import Rebuy, RebuyTime
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.record.facts import Facts, Status
from engine.record.game_state import GameState, beginning
from engine.rules.presets import preset
from engine.rules.rules import Rules
from engine.rules.switches import PainBy, SettledBy, Toggle
from engine.settlement.settlement import Kind, Settlement, settle, undecided_rebuys
from engine.verdicts.settlement_json import next_hand
from scoring.hands.papers import seal_of
from tests.switches import turn, useless_turns
from tests.web.conftest import Open

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

GAMES = 300
HANDS = 12
PRESETS = (
    *("bicycle", "hoyle_hearts", "hoyle_auction", "insurance", "sahara", "standard"),
    *("howell", "sweepstake", "auction_moon"),
)
SWITCHES: dict[str, tuple[str, ...]] = {
    "zero_clean": ("jackpot", "carry_with_auction"),
    "three_player_sweep": ("jackpot", "divide"),
    "jackpot_split": ("allowed", "sole_winner_only"),
    "insolvency": ("pay_what_you_have", "debt", "rebuy"),
    "end_pot": ("equal_split", "play_until_won"),
    "tie": ("shared", "extra_hand"),
    "length": ("bust", "hands:5", "dealer_orbits:2", "limit"),
    "moon": ("add_to_others", "subtract_from_self", "shooter_choice"),
    "moon_own_insurance": ("off", "on"),
    "bid_points_on_moon": ("add", "waive"),
    "average_rounding": ("howell_units", "odd_to_pot"),
    "average_each": ("hand", "session"),
    "unplayed": ("none", "table_average", "penalty:7"),
    "starting_chips": ("50", "20"),
    "moon_all_tricks": ("off", "game"),
    "strip": ("none", "3:C2,5:C2D2,6:C2C3D2S2", "3:H2,5:H2D2"),
}

Plain = dict[str, Any]


def some_rules(chance: random.Random) -> Rules:
    base = preset(chance.choice(PRESETS))
    names = chance.sample(sorted(SWITCHES), 5)
    for name in names:
        base = turn(base, name, chance.choice(SWITCHES[name]))
    return base


def test_every_value_that_is_turned_is_one_that_some_rules_take() -> None:
    assert useless_turns(SWITCHES, map(preset, PRESETS)) == []


def divided(chance: random.Random, whole: int, players: int) -> list[int]:
    """Cards by seat; often somebody is clean, sometimes one has them all."""
    takers = chance.sample(range(players), chance.randint(1, players))
    taken = [0] * players
    for _ in range(whole):
        taken[chance.choice(takers)] += 1
    return taken


class Told:
    """A hand by chance: its facts for the engine, its result for the phone."""

    def __init__(self, chance: random.Random, rules: Rules, state: GameState) -> None:
        self.chance, self.rules, self.state = chance, rules, state
        self.seats = DEFAULT_SEATS[state.players]
        self.result: Plain = {}
        self.facts = self._without_result() if chance.random() < 0.15 else self._played()

    def by_seat(self, values: list[int]) -> dict[str, int]:
        return dict(zip(self.seats, values, strict=True))

    def _without_result(self) -> Facts:
        kinds = {"redeal": Status.VOID_REDEAL, "not played": Status.NOT_PLAYED}
        if self.rules.pain is PainBy.AUCTION and not self.state.jackpot:
            kinds["passed out"] = Status.PASSED_OUT
        if self.rules.foot is Toggle.ON:
            kinds["foot"] = Status.FOOT
        self.result["ending"] = ending = self.chance.choice(sorted(kinds))
        feet: tuple[Seat, ...] = ()
        if ending == "foot":
            feet = (Seat(self.chance.randrange(self.state.players)),)
            self.result["papers"] = {self.seats[feet[0]]: "F"}
        return Facts(status=kinds[ending], feet=feet)

    def _played(self) -> Facts:
        players, rules, chance = self.state.players, self.rules, self.chance
        facts: Plain = {"pain": Suit.HEARTS}
        if rules.pain is PainBy.AUCTION:
            facts |= self._named()
        whole = count(rules.suit_cards(facts["pain"], players))
        taken = divided(chance, whole, players)
        self.result["taken"] = self.by_seat(taken)
        facts["taken"] = tuple(taken)
        if rules.settlement is SettledBy.POINTS:
            facts |= self._points(taken, whole)
        if rules.moon_all_tricks.value == "game" and whole in taken and chance.random() < 0.5:
            most = rules.tricks(players)
            tricks = [most if cards == whole else 0 for cards in taken]
            facts["tricks"], self.result["tricks"] = tuple(tricks), self.by_seat(tricks)
        return Facts(status=Status.PLAYED, **facts)

    def _named(self) -> Plain:
        pain = self.chance.choice(list(Suit))
        self.result["pain"] = pain.name[0]
        if self.state.jackpot:
            return {"pain": pain, "namer": self.state.namer}
        bidder = Seat(self.chance.randrange(self.state.players))
        bid = self.chance.randint(1, max(1, min(9, self.state.chips[bidder])))
        self.result |= {"bidder": self.seats[bidder], "bid": bid}
        return {"pain": pain, "bidder": bidder, "namer": bidder, "bid": bid}

    def _points(self, taken: list[int], whole: int) -> Plain:
        rules, players, chance = self.rules, self.state.players, self.chance
        facts: Plain = {}
        if rules.queen is Toggle.ON:
            sweeper = taken.index(whole) if whole in taken else None
            queen = Seat(chance.randrange(players))
            if sweeper is not None and chance.random() < 0.8:
                queen = Seat(sweeper)
            facts["queen"], self.result["queen"] = queen, self.seats[queen]
            if sweeper == queen and rules.moon.value == "shooter_choice":
                facts["moon_adds"] = chance.random() < 0.5
                self.result["moon"] = "others" if facts["moon_adds"] else "self"
        if rules.insurance is Toggle.ON:
            papers = [chance.randint(0, 6) for _ in range(players)]
            facts["papers"], self.result["papers"] = tuple(papers), self.by_seat(papers)
        if rules.centre_auction is Toggle.ON:
            bought = [chance.randint(0, 4) for _ in range(players)]
            facts["centre"], self.result["bought"] = tuple(bought), self.by_seat(bought)
        return facts


def counted(state: GameState, seats: tuple[str, ...]) -> Plain:
    return {
        "deals": state.deals,
        "hands": state.hands,
        "dealt": dict(zip(seats, state.dealt, strict=True)),
        "pain": None if state.pain is None else state.pain.name[0],
        "due": None if state.due is None else str(state.due),
    }


def dues(settlement: Settlement, seats: tuple[str, ...]) -> list[Plain]:
    """Who bought in again, or paid less than they owed."""
    found = []
    for place, seat in enumerate(seats):
        paid = settlement.moved(Kind.BID, Kind.CAPTURE, Kind.PENALTY, payer=Seat(place))
        bought = settlement.moved(Kind.REBUY, payee=Seat(place))
        short = settlement.shortfalls[place] if settlement.shortfalls else 0
        if bought or short:
            found.append({"seat": seat, "bought": bought, "owed": paid + short, "paid": paid})
    return found


def decided(told: Told, chance: random.Random) -> Settlement:
    """The hand settled as the table decides who buys chips again."""
    while True:
        settlement = settle(told.rules, told.state, told.facts)
        offers = undecided_rebuys(told.facts.rebuys, settlement.offered)
        if not offers:
            return settlement
        seat, when = offers[0]
        stacks = chance.randint(0, 2)
        told.facts = replace(told.facts, rebuys=(*told.facts.rebuys, Rebuy(seat, when, stacks)))
        field = "rebuys" if when is RebuyTime.SHORT else "rebuys_after"
        told.result.setdefault(field, {})[told.seats[seat]] = stacks


def some_game(seed: int) -> tuple[Plain, list[Plain]]:
    """A game from its beginning: what the phone gets, and what the engine says after each hand."""
    chance = random.Random(seed)
    rules = some_rules(chance)
    players = chance.randint(rules.players.least, rules.players.most)
    seats = DEFAULT_SEATS[players]
    state = beginning(rules, players, Seat(chance.randrange(players)))
    first = next_hand(rules, state, seats) | {"number": 1}
    table = {"rules": rules.texts, "seats": seats, "next": first, "counted": counted(state, seats)}
    results, expected = [], []
    for number in range(2, HANDS + 2):
        told = Told(chance, rules, state)
        settlement = decided(told, chance)
        state = settlement.after
        found = next_hand(rules, state, seats) | {"number": number}
        found.pop("places")
        results.append(told.result)
        expected.append(
            {
                "next": found,
                "counted": counted(state, seats),
                "winners": [seats[seat] for seat in settlement.winners],
                "dues": dues(settlement, seats),
            }
        )
        if state.over is not None:
            break
    return table | {"results": results}, expected


PLAYED = """async (games) => {
  const { forecast } = await import("/static/js/phone/forecast.js");
  return games.map(({ results, ...table }) => {
    let state = table;
    return results.map((result) => {
      const came = forecast(state, result);
      state = { ...state, next: came.next, counted: came.counted };
      const { places, ...next } = came.next;
      return { next, counted: came.counted, winners: came.winners, dues: came.dues };
    });
  });
}"""


@pytest.fixture
def page(visit: Open) -> Page:
    return visit("/t/")


def test_the_phone_and_the_engine_agree_hand_by_hand(page: Page) -> None:
    games = [some_game(seed) for seed in range(GAMES)]
    found = page.evaluate(PLAYED, json.loads(json.dumps([table for table, _ in games])))
    seen = set()
    for (table, expected), told in zip(games, found, strict=True):
        for place, (mine, theirs) in enumerate(zip(told, expected, strict=True)):
            assert mine == json.loads(json.dumps(theirs)), (table["results"][: place + 1], table)
            seen |= {theirs["next"]["phase"], theirs["next"]["over"]}
            seen |= {"bought" if due["bought"] else "short" for due in theirs["dues"]}
    assert {"auction", "jackpot", "deal", "over", "bust", "hands", "limit"} <= seen
    assert {"bought", "short"} <= seen


HASHES = """async (texts) => {
  const { sha256 } = await import("/static/js/phone/sha256.js");
  return texts.map(sha256);
}"""


def test_seals_are_those_of_the_server(page: Page) -> None:
    salts = ["x" * length for length in (*range(16, 40), 50, 55, 56, 63, 64)]
    values = ["3", "F", "F3", "-", "S3/3/HA", "é♥" * 9]
    pairs = [(value, salt) for salt in salts for value in values]
    found = page.evaluate(HASHES, [f"{salt}:{value}" for value, salt in pairs])
    assert found == [seal_of(value, salt) for value, salt in pairs]


IDS = """async () => {
  const { uuid4, uuid7 } = await import("/static/js/phone/identifiers.js");
  const many = Array.from({ length: 500 }, () => uuid7());
  return { four: uuid4(), seven: uuid7(1_795_000_000_123), many };
}"""


def test_ids_are_made_on_the_phone(page: Page) -> None:
    found = page.evaluate(IDS)
    assert UUID(found["four"]).version == 4
    seven = UUID(found["seven"])
    assert (seven.version, seven.int >> 80) == (7, 1_795_000_000_123)
    assert len(set(found["many"])) == 500
    assert {UUID(one).version for one in found["many"]} == {7}
