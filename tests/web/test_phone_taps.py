"""How many taps tell a hand of which only the result is told: at most twelve, whatever happened.

Told as fast as the buttons of the page allow. They are drawn as the page draws them; each is one
tap, and so is what has to be opened before a button can be seen.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from engine.cards import Suit, count
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
from engine.seats import DEFAULT_SEATS
from scoring.models import Hand
from tests.api.desk import Night
from tests.web.conftest import Open
from tests.web.phones import Pockets, pockets, tokens
from tests.web.test_browser import look_at

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

TAPS_MOST: Final = 12
"""For the result of any hand, in every system."""
MOST: Final = {
    "bicycle": {4: 8},
    "hoyle_hearts": {3: 3, 4: 4, 5: 5, 6: 6},
    "hoyle_auction": {3: 7, 4: 8, 5: 9, 6: 10},
    "standard": {4: 4},
    "insurance": {4: 12},
    "sahara": {3: 3, 4: 4, 5: 5},
    "auction_moon": {4: 8},
    "howell": {3: 3, 4: 4, 5: 5, 6: 6},
    "sweepstake": {3: 3, 4: 4, 5: 5, 6: 6},
}
"""The worst course of each preset by players; docs/use/phone.md says the same."""
SUITS: Final = {suit.name[0]: suit for suit in Suit}
STACK: Final = 50
MOST_BID: Final = 200
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
  const { course } = await import("/static/js/phone/course.js");
  const { keys } = await import("/static/js/phone/keys.js");
  const { cardsOf } = await import("/static/js/phone/taking.js");

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
      else if (changed?.more) all.push(...offered(question, table, { more: true }, taps));
    }
    return all;
  };

  const isTrue = (question, value, hand, order) => {
    const { kind, seat, hasQueen, queenElse } = question;
    const later = order.slice(order.indexOf(seat));
    const text = String(value);
    switch (kind) {
      case "bid":
        if (question.isTop) return value === hand.bid;
        if (text.startsWith("top ")) return text.slice(4) === hand.bidder;
        if (value === "rest") return later.every((one) => hand.calls[one] === "pass");
        return value === hand.calls[seat];
      case "suit": return value === hand.pain;
      case "taken": {
        if (text.startsWith("all ")) {
          const one = text.slice(4);
          return order.every((other) => other === one || hand.taken[other] === 0)
            && (!hand.queen || hand.queen === one);
        }
        const { count, isQueen } = cardsOf(value);
        if (count !== hand.taken[seat]) return false;
        if (isQueen) return hand.queen === seat;
        return !hasQueen || (queenElse ? hand.queen === queenElse : hand.queen !== seat);
      }
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

  const { seats, next } = table;
  const at = seats.indexOf(next.dealer);
  const order = [...seats.slice(at + 1), ...seats.slice(0, at + 1)];
  const known = new Map();
  const buttons = (question) => {
    const mark = JSON.stringify(question);
    if (!known.has(mark)) known.set(mark, offered(question, table));
    return known.get(mark);
  };
  const fewest = (hand, answers, told) => {
    const { open, result } = course(table, answers);
    if (!open) {
      if (!isTold(result, hand)) throw new Error(JSON.stringify([result, hand]));
      return told + 1;
    }
    const ways = buttons(open).filter(([value]) => isTrue(open, value, hand, order));
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
        most = STACK if self.rules.max_bid is Cap.STACK else MOST_BID
        rising = {seat: number for number, seat in enumerate(self.order, 1)}
        yield rising, {"bidder": self.order[-1], "bid": self.players}
        for seat in self.order:
            for number in (1, 15, 16, most):
                yield {**passed, seat: number}, {"bidder": seat, "bid": number}

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


def by_players(page: Page, rules: Rules) -> dict[int, int]:
    tables = range(rules.players.least, rules.players.most + 1)
    return {players: most_taps(page, rules, players) for players in tables}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_no_result_of_any_system_takes_more_than_twelve_taps(page: Page, name: str) -> None:
    found = by_players(page, preset(name))
    assert found == MOST[name]
    assert max(found.values()) <= TAPS_MOST


@pytest.mark.parametrize(("name", "switches"), UNUSUAL)
def test_nor_does_one_of_a_house_with_other_rules(
    page: Page, name: str, switches: dict[str, str]
) -> None:
    assert max(by_players(page, change(preset(name), switches)).values()) <= TAPS_MOST


@pytest.mark.parametrize("way", ["free", "same"])
def test_a_jackpot_takes_no_more(page: Page, way: str) -> None:
    rules = change(preset("hoyle_auction"), {"jackpot_suit": way})
    assert most_taps(page, rules, 6, has_jackpot=True) <= MOST["hoyle_auction"][6]


def test_nobody_pays_for_the_centre_in_one_tap(pockets: Pockets) -> None:
    night = Night("insurance", foot="off")
    phone = pockets.phone(*tokens(night, "S")).sees("What does East pay")
    phone.tap("Nobody pays", "4", "6 ♠Q", "0", "5", "1", "0", "2", "Send hand 1").told(1)
    assert phone.taps <= 12
    pockets.put_away()
    assert night.state()["number"] == 2


def test_all_others_pass_in_one_tap(pockets: Pockets) -> None:
    night = Night("hoyle_auction", players=6)
    seats = list(night.state()["chips"])
    phone = pockets.phone(*tokens(night, seats[1])).sees("What does")
    expect(phone.page.get_by_role("button", name="The rest pass")).to_have_count(0)
    phone.tap("3").sees("Highest so far: 3").tap("The rest pass").sees("The rest passed")
    phone.tap("Undo").sees("Highest so far: 3").tap("Pass", "The rest pass", "spades")
    phone.tap("0", "0", "0", "1", "6").sees("bid 3 and named spades").tap("Send hand 1").told(1)
    assert phone.taps - 2 <= 12
    pockets.put_away()
    assert night.state()["number"] == 2


def test_only_the_highest_bid_is_told(pockets: Pockets) -> None:
    """Whoever else bid; without the shortcut where nobody but the last can bid."""
    night = Night("hoyle_auction", players=6)
    phone = pockets.phone(*tokens(night, "S")).sees("What does North-East bid?")
    look_at(phone.page, "table-only-highest-phone-light")
    tops = phone.page.get_by_role("group", name="Or only the highest bid. It was made by:")
    tops.get_by_role("button", name="North-West").click()
    phone.sees("What does North-West bid?", "Highest: North-West").misses("Pass:")
    phone.tap("Undo", "Pass").sees("What does South-East bid?")
    tops.get_by_role("button", name="North", exact=True).click()
    phone.taps = 3
    phone.tap("7", "spades", "2", "2", "2", "2", "2").sees("North bid 7 and named spades")
    assert phone.tap("Change: Highest: North").sees("What does South-East bid?").taps == 11
    phone.tap("Pass", "Pass", "Pass", "Pass").sees("What does North bid?")
    expect(tops).to_have_count(0)
    phone.tap("7").sees("North bid 7 and named spades").tap("Send hand 1").told(1)
    pockets.put_away()
    (hand,) = Hand.objects.all()
    assert (hand.state, night.state()["number"]) == ("accepted", 2)


def test_the_queen_is_told_with_the_cards_of_who_took_her(pockets: Pockets) -> None:
    night = Night("insurance")
    phone = pockets.phone(*tokens(night, "N")).sees("What does East pay for the centre card?")
    look_at(phone.page, "table-centre-payment-phone-light")
    phone.tap("0", "2", "The rest pay nothing").sees("East took how many hearts?")
    look_at(phone.page, "table-hearts-phone-light")
    phone.tap("0", "5").sees("If North took the queen of spades:")
    look_at(phone.page, "table-last-hearts-phone-light")
    phone.tap("0", "6", "5", "1", "2").sees("North scores 19 with the queen")
    phone.tap("Change: South 5 ♥", "13").sees("Who took the queen of spades?")
    phone.page.locator(".pad .key.seat", has_text="East").click()
    phone.sees("East scores 7 with the queen").tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.totals() == "2/7/20/1"
