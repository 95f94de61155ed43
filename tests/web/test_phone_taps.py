"""How many taps tell a hand of which only the result is told: four to ten, eight in the mean.

Told as fast as the buttons of the page allow. They are drawn as the page draws them; each is one
tap, and so is what has to be opened before a button can be seen.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from engine.core.cards import Suit, count
from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import PRESETS, preset
from engine.rules.rules import Rules, change
from engine.rules.switches import (
    AllPass,
    Cap,
    JackpotSuit,
    Moon,
    MoonAllTricks,
    PainBy,
    Toggle,
)
from scoring.models import Hand
from tests.api.desk import Night, taken
from tests.web.conftest import Open
from tests.web.phones import Pockets, pockets, tokens
from tests.web.test_browser import look_at

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

TAPS_MAX: Final = 21
"""For any hand that can be, with bids of the whole stack and 26 points paid for every card."""
MEAN_MAX: Final = 8
"""For the results that happen after an auction, at tables of up to five."""
TAPS_BY_PRESET: Final = {
    "bicycle": {4: 10},
    "hoyle_hearts": {3: 3, 4: 4, 5: 5, 6: 6},
    "hoyle_auction": {3: 9, 4: 10, 5: 11, 6: 12},
    "standard": {4: 5},
    "insurance": {4: 21},
    "sahara": {3: 4, 4: 5, 5: 6},
    "auction_moon": {4: 11},
    "howell": {3: 3, 4: 4, 5: 5, 6: 6},
    "sweepstake": {3: 3, 4: 4, 5: 5, 6: 6},
}
"""The worst course of each preset by players; docs/performance.md says the same."""
SUITS: Final = {suit.name[0]: suit for suit in Suit}
STACK: Final = 50
BID_MAX: Final = 200
AMPLE: Final = 26
Plain = dict[str, Any]

UNUSUAL: Final = (
    ("hoyle_auction", {"all_pass": "eldest_pays_min", "max_bid": "none"}),
    ("hoyle_auction", {"all_pass": "play_hearts", "jackpot_suit": "same"}),
    ("insurance", {"moon": "shooter_choice", "max_centre_bid": "9"}),
    ("insurance", {"centre_auction": "off", "moon": "shooter_choice", "foot": "off"}),
    (
        "sahara",
        {
            "players": "3..6",
            "strip": "3:D2,5:D2C2,6:D2D3C3C4",
            "insurance": "on",
            "foot": "on",
            "moon": "shooter_choice",
        },
    ),
)

FEWEST = """async ({ table, hands }) => {
  const { questions } = await import("/static/js/phone/questions.js");
  const { keys } = await import("/static/js/phone/keys.js");
  const { setScreens } = await import("/static/js/phone/page.js");
  setScreens(await import("/static/js/phone/screens.js"));

  const PAGES = 3; // the number that is paid for the centre stands on an earlier one

  // What the buttons answer, each with its taps.
  const offered = (question, table, open = {}, before = 0) => {
    const found = [];
    let changed = null;
    const place = document.createElement("div");
    const note = (value) => found.push(value);
    place.append(...[keys(question, table, open, note, (some) => { changed = some; })]
      .flat(Infinity).filter(Boolean));
    const all = [];
    for (const button of place.querySelectorAll("button")) {
      [found.length, changed] = [0, null];
      button.click();
      const taps = before + (button.closest("details:not([open])") ? 2 : 1);
      if (found.length) all.push([found[0], taps]);
      else if (changed?.more > (open.more ?? 0) && changed.more < PAGES) {
        all.push(...offered(question, table, changed, taps));
      } else if (typeof changed?.typed === "string") {
        all.push(...offered(question, table, changed, taps));
      }
    }
    return all;
  };

  const isTrue = (question, value, hand) => {
    const { kind, seat } = question;
    const later = seats.slice(seats.indexOf(seat));
    switch (kind) {
      case "bidder": return value === (hand.bidder ?? "nobody");
      case "bid": return value === hand.bid;
      case "suit": return value === hand.pain;
      case "taken": return value === hand.taken[seat];
      case "queen": return value === hand.queen;
      case "paper": return value === hand.papers[seat];
      case "bought":
        return value === "nobody"
          ? later.every((one) => hand.bought[one] === 0) : value === hand.bought[seat];
      case "moon": return value === hand.moon;
      case "tricks": return value === Boolean(hand.tricks);
      default: throw new Error(`nobody expected ${kind}`);
    }
  };

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const NAMES = ["ending", "bidder", "bid", "queen", "moon"];
  const isTold = (result, hand) =>
    NAMES.every((name) => (result[name] ?? null) === (hand[name] ?? null)) &&
    (hand.ending || (same(result.taken, hand.taken) &&
      (result.pain ?? "H") === hand.pain &&
      same(result.papers ?? null, inTurn(result.papers, hand.papers)) &&
      same(result.bought ?? null, hand.bought ?? null) &&
      same(result.tricks ?? null, hand.tricks ?? null)));
  const inTurn = (like, values) =>
    values ? Object.fromEntries(Object.keys(like ?? {}).map((seat) => [seat, values[seat]])) : null;

  const { seats } = table;
  const known = new Map();
  const buttons = (question) => {
    const mark = JSON.stringify(question);
    if (!known.has(mark)) known.set(mark, offered(question, table));
    return known.get(mark);
  };
  const fewest = (hand, answers, told) => {
    const { open, result } = questions(table, answers);
    if (!open) {
      if (!isTold(result, hand)) throw new Error(JSON.stringify([result, hand]));
      return told + 1;
    }
    const ways = buttons(open).filter(([value]) => isTrue(open, value, hand));
    if (!ways.length) throw new Error(`no button for ${open.key} of ${JSON.stringify(hand)}`);
    const go = ([value, taps]) => fewest(hand, { ...answers, [open.key]: value }, told + taps);
    return Math.min(...ways.map(go));
  };
  return hands.map((hand) => fewest(hand, {}, 0));
}"""


@pytest.fixture
def page(visit: Open) -> Page:
    return visit("/t/")


class Table:
    """A table before a hand, and what can happen in it: the worst courses, and some by chance."""

    def __init__(self, rules: Rules, players: int, *, has_jackpot: bool) -> None:
        self.rules, self.players, self.has_jackpot = rules, players, has_jackpot
        self.chance = random.Random(f"{rules.digest} {players}")
        self.seats = DEFAULT_SEATS[players]
        at = self.chance.randrange(players)
        self.order = self.seats[at:] + self.seats[:at]
        self.has_auction = rules.pain is PainBy.AUCTION and not has_jackpot

    def told(self) -> Plain:
        following: Plain = {
            "dealer": self.order[-1],
            "chips": dict.fromkeys(self.seats, STACK),
            "jackpot": 1 if self.has_jackpot else 0,
            "namer": self.seats[0] if self.has_jackpot else None,
            "feet_used": [],
            "passing": None,
        }
        table = {"rules": self.rules.texts, "seats": self.seats, "names": {}, "next": following}
        return {"table": {**table, "counted": {"pain": "D"}}, "hands": list(self.hands())}

    def hands(self) -> Iterator[Plain]:
        """Every auction with cards for everybody, and the last one with all that can be taken."""
        auctions = list(self._auctions())
        for calls, contract in auctions:
            if "ending" in contract:
                yield {"calls": calls, **contract}
                continue
            most = None if calls is auctions[-1][0] else 1
            for pain in [contract["pain"]] if "pain" in contract else list("SHDC"):
                for some in islice(self._played(pain), most):
                    yield {"calls": calls, **contract, "pain": pain, **some}

    def _auctions(self) -> Iterator[tuple[Plain, Plain]]:
        """Who called what, and what came of it."""
        if not self.has_auction:
            yield {}, {} if self._is_free else {"pain": self._only_suit}
            return
        passed: Plain = dict.fromkeys(self.order, "pass")
        yield passed, ALL_PASS[self.rules.all_pass](self)
        most = STACK if self.rules.max_bid is Cap.STACK else BID_MAX
        rising = {seat: number for number, seat in enumerate(self.order, 1)}
        yield rising, {"bidder": self.order[-1], "bid": self.players}
        for seat in self.order:
            for number in (1, 15, 16, most):
                yield {**passed, seat: number}, {"bidder": seat, "bid": number}

    def chances(self) -> Iterator[Plain]:
        """Hands as they happen: a winner of each trick, who takes the pain cards that fall."""
        while True:
            pain = self.chance.choice("SHDC")
            whole = count(self.rules.suit_cards(SUITS[pain], self.players))
            fallen = sorted(
                self.chance.randrange(self.rules.tricks(self.players)) for _ in range(whole)
            )
            takers = {trick: self.chance.choice(self.seats) for trick in fallen}
            taken = {seat: sum(takers[trick] == seat for trick in fallen) for seat in self.seats}
            bidder, bid = self.chance.choice(self.seats), self.chance.randint(1, 6)
            hand = {"bidder": bidder, "bid": bid, "pain": pain, "taken": taken}
            swept = [seat for seat in self.seats if taken[seat] == whole]
            yield {**hand, **(self._said(swept[0]) if swept else {})}

    @property
    def _is_free(self) -> bool:
        """Whether a jackpot can have any suit."""
        return self.has_jackpot and self.rules.jackpot_suit is JackpotSuit.FREE

    @property
    def _only_suit(self) -> str:
        return "D" if self.has_jackpot else "H"

    def _played(self, pain: str) -> Iterator[Plain]:
        """What everybody took, wrote and paid."""
        queens = self.seats if self.rules.queen is Toggle.ON else (None,)
        for numbers in self._captures(pain):
            taken = dict(zip(self.seats, numbers, strict=True))
            whole = [seat for seat in self.seats if taken[seat] == sum(numbers)]
            for queen in queens:
                said = self._said(whole[0]) if whole and queen in (None, *whole) else {}
                for papers in self._papers():
                    hand = {"taken": taken, "queen": queen, **said, **papers}
                    yield {name: value for name, value in hand.items() if value is not None}

    def _captures(self, pain: str) -> Iterator[list[int]]:
        players = self.players
        whole = count(self.rules.suit_cards(SUITS[pain], players))
        even = [whole // players] * (players - 1)
        yield [*even, whole - sum(even)]
        for place in range(players):
            yield [whole if at == place else 0 for at in range(players)]
        cuts = sorted(self.chance.randint(0, whole) for _ in range(players - 1))
        yield [b - a for a, b in pairwise([0, *cuts, whole])]

    def _said(self, shooter: str) -> Plain:
        if self.rules.moon is Moon.SHOOTER_CHOICE:
            return {"moon": self.chance.choice(("others", "self"))}
        if self.rules.moon_all_tricks is MoonAllTricks.GAME:
            tricks = self.rules.tricks(self.players)
            return {"tricks": {seat: tricks if seat == shooter else 0 for seat in self.seats}}
        return {}

    def _papers(self) -> Iterator[Plain]:
        """What stands on the insurance papers, and what was paid for the centre."""
        most = self.rules.max_centre_bid
        dear = most if isinstance(most, int) else AMPLE
        for number, paid in ((6, dear), (0, 0), (3, 1)):
            found: Plain = {}
            if self.rules.insurance is Toggle.ON:
                found["papers"] = dict.fromkeys(self.seats, number)
            if self.rules.centre_auction is Toggle.ON:
                found["bought"] = dict.fromkeys(self.seats, paid)
            yield found


ALL_PASS: Final[dict[AllPass, Callable[[Table], Plain]]] = {
    AllPass.REDEAL: lambda _: {"ending": "passed out"},
    AllPass.PLAY_HEARTS: lambda _: {"pain": "H"},
    AllPass.ELDEST_PAYS_MIN: lambda table: {"bidder": table.order[0], "bid": 1},
}


def most_taps(page: Page, rules: Rules, players: int, *, has_jackpot: bool = False) -> int:
    """Of the hands of a table, each told as fast as it can be: the most taps."""
    told = json.loads(json.dumps(Table(rules, players, has_jackpot=has_jackpot).told()))
    found: list[int] = page.evaluate(FEWEST, told)
    return max(found)


MEANS: Final = {
    "auction_moon": {4: 7},
    "bicycle": {4: 7},
    "hoyle_auction": {3: 6, 4: 7, 5: 8, 6: 9},
}
"""Taps of a hand in the mean, rounded up; docs/performance.md says the same."""


def mean_taps(page: Page, rules: Rules, players: int) -> float:
    """Of hands dealt and played by chance, each told as fast as it can be."""
    table = Table(rules, players, has_jackpot=False)
    told = json.loads(json.dumps({**table.told(), "hands": list(islice(table.chances(), 200))}))
    found: list[int] = page.evaluate(FEWEST, told)
    return sum(found) / len(found)


def by_players(page: Page, rules: Rules) -> dict[int, int]:
    tables = range(rules.players.least, rules.players.most + 1)
    return {players: most_taps(page, rules, players) for players in tables}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_no_result_of_any_system_takes_more_taps_than_the_guide_says(page: Page, name: str) -> None:
    found = by_players(page, preset(name))
    assert found == TAPS_BY_PRESET[name]
    assert max(found.values()) <= TAPS_MAX


@pytest.mark.parametrize("name", sorted(MEANS))
def test_a_result_after_an_auction_takes_eight_taps_in_the_mean(page: Page, name: str) -> None:
    rules = preset(name)
    tables = range(rules.players.least, rules.players.most + 1)
    means = {players: mean_taps(page, rules, players) for players in tables}
    assert {players: math.ceil(mean) for players, mean in means.items()} == MEANS[name]
    assert max(means[players] for players in means if players < 6) <= MEAN_MAX


@pytest.mark.parametrize(("name", "switches"), UNUSUAL)
def test_nor_does_one_of_a_house_with_other_rules(
    page: Page, name: str, switches: dict[str, str]
) -> None:
    assert max(by_players(page, change(preset(name), switches)).values()) <= TAPS_MAX


@pytest.mark.parametrize("way", ["free", "same"])
def test_a_jackpot_takes_no_more(page: Page, way: str) -> None:
    rules = change(preset("hoyle_auction"), {"jackpot_suit": way})
    assert most_taps(page, rules, 6, has_jackpot=True) <= TAPS_BY_PRESET["hoyle_auction"][6]


def test_nobody_pays_for_the_centre_in_one_tap(pockets: Pockets) -> None:
    night = Night("insurance", foot="off")
    phone = pockets.phone(*tokens(night, "S")).sees("What does North pay")
    phone.tap("Nobody pays", "3", "4", "6", "South", "2", "0", "5", "1", "Send hand 1").told(1)
    assert phone.taps <= 10
    pockets.put_away()
    assert night.state()["number"] == 2


def test_all_that_are_left_end_the_telling(pockets: Pockets) -> None:
    night = Night("hoyle_auction", players=6)
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    look_at(phone.page, "table-highest-bidder-phone-light")
    phone.tap("North-East", "3", "spades").sees("North took how many ♠?").tap("5")
    for number in ("8", "10", "12"):
        expect(phone.page.get_by_role("button", name=number, exact=True)).to_be_disabled()
    phone.tap("all 7 left").sees("North-East bid 3 and named spades", "all 12 ✓")
    assert phone.tap("Send hand 1").told(1).taps == 6
    pockets.put_away()
    assert night.state()["number"] == 2


def test_a_big_bid_is_told_by_its_digits(pockets: Pockets) -> None:
    night = Night("hoyle_auction")
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    phone.tap("West", "More, to 50", "5")
    expect(phone.page.get_by_role("button", name="1", exact=True)).to_be_disabled()
    phone.tap("0", "50 is it").sees("Which suit does West name?", "West 50")
    pockets.put_away()


def test_numbers_that_do_not_add_up_are_asked_about_and_never_sent(pockets: Pockets) -> None:
    night = Night("hoyle_auction")
    phone = pockets.phone(*tokens(night, "S")).sees("Who bid highest?")
    phone.tap("West", "3", "spades", "0", "3", "4").sees("West 6: what is left.")
    phone.tap("West, cards taken: 6", "5").sees("That makes 12 ♠, not 13. Whose number is wrong?")
    expect(phone.page.locator(".foot .send")).to_be_disabled()
    phone.tap("South").sees("South 5: what is left.")
    phone.tap("Send hand 1").told(1)
    pockets.put_away()


def test_the_queen_is_never_given_to_anybody_by_subtraction(pockets: Pockets) -> None:
    night = Night("insurance")
    phone = pockets.phone(*tokens(night, "N")).sees("What does North pay for the centre card?")
    look_at(phone.page, "table-centre-payment-phone-light")
    phone.tap("1", "0", "The rest pay nothing").sees("North took how many ♥?")
    look_at(phone.page, "table-hearts-phone-light")
    phone.tap("13").sees("Who took the queen of spades?")
    expect(phone.page.locator(".foot .send")).to_be_disabled()
    expect(phone.page.locator(".foot .send")).to_have_text("Still to tell: the queen")
    look_at(phone.page, "table-queen-phone-light")
    phone.tap("East took the queen of spades", "2", "0", "6", "5").sees("with the queen")
    phone.tap("North took the queen of spades").sees("shot the moon")
    phone.tap("East took the queen of spades", "Send hand 1").told(1)
    pockets.put_away()
    (hand,) = Hand.objects.all()
    assert hand.state == "accepted"


def test_a_queen_of_whom_nobody_knows_waits_for_the_director(pockets: Pockets) -> None:
    night = Night("sahara")
    phone = pockets.phone(*tokens(night, "N")).sees("North took how many ♥?")
    phone.tap("3", "4", "6", "Nobody knows").sees("Nobody knows who took the queen of spades")
    phone.tap("Send hand 1").told(1, "Disputed").sees("Hand 2")
    pockets.put_away()
    (hand,) = Hand.objects.all()
    assert (hand.state, night.totals()) == ("disputed", "0/0/0/0")
    who = {"taken": taken("3/4/6/0"), "queen": "W"}
    ruling = {"decision": "ASSIGNED_CAPTURES", **who, "facts": "West had her."}
    assert night.desk.post(f"hands/{hand.pk}/rulings", ruling, version="1").status == 201
    assert night.totals() == "3/4/6/13"


def test_a_double_tap_counts_once(pockets: Pockets) -> None:
    """The second tap would answer the next question, whose keys stand in the same place."""
    phone = pockets.phone(*tokens(Night(), "S")).sees("Who bid highest?")
    phone.page.get_by_role("button", name="East", exact=True).dblclick()
    phone.sees("East bid how many?").page.wait_for_timeout(300)
    phone.tap("4").sees("Which suit does East name?").page.wait_for_timeout(300)
    phone.page.get_by_role("button", name="hearts").dblclick()
    phone.sees("13 left").page.wait_for_timeout(300)
    phone.tap("3").sees("10 left").tap("3").sees("7 left")
