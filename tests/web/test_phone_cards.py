"""Every card on the phone: one tap a card, voids that are said, doubts that are asked, claims."""

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import preset
from engine.rules.rules import change
from engine.verdicts.judge import latest_date
from scoring.presentation.checks import check
from tests.api.desk import Night
from tests.scoring.club import START
from tests.web.phones import Phone, Pockets, pockets, tokens
from tests.web.test_browser import look_at
from tests.web.test_phone_play import Dealt
from tests.web.texts import example

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SMALL = {"width": 320, "height": 568}
TAPS_MAX = 62
"""For a hand of four, bid, suit and sending included; 58 in the mean."""
SHIFT = """() => { window.shifted = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true }); }"""


@pytest.fixture
def hand() -> Any:
    """A hand of Auction Hearts with all its cards, judged by the engine."""
    text = example("1-bicycle-auction-full")
    return check(text, rules="", mode="", today=latest_date(START))["records"][0]


def begin(pockets: Pockets, hand: Any, **options: Any) -> tuple[Night, Phone]:
    """The same hand at a table: the bid is told, the play begins."""
    night = Night()
    night.game = night.open(dealer=DEFAULT_SEATS[4].index(hand["dealer"]))
    phone = pockets.phone(*tokens(night, "N"), **options).more("Enter every card")
    bids = {one["seat"]: int(one["call"]) for one in hand["auction"] if one["call"].isdigit()}
    bidder = max(bids, key=lambda seat: bids[seat])
    names = {"N": "North", "E": "East", "S": "South", "W": "West"}
    phone.sees("Who bid highest?").tap(names[bidder], str(bids[bidder]), SUITS[hand["pain"]])
    return night, phone.sees(f"{names[bidder]} leads")


def cards_of(hand: Any) -> list[str]:
    return [card["card"] for trick in hand["tricks"] for card in trick["plays"]]


def lead(phone: Phone, card: str) -> None:
    phone.press(phone.page.locator(f'.card-key[data-focus="{card}"]'))
    phone.taps += 1


TOLD = """async () => {
  const { page } = await import("/static/js/phone/page.js");
  const { questions } = await import("/static/js/phone/questions.js");
  const { draft, table } = page;
  if (!draft) return [];
  const before = { ...table, ...draft.base, deal: draft.deal };
  return questions(before, draft.answers).asked
    .filter(({ kind }) => kind === "card").map(({ value }) => value);
}"""
PLAYED = f"""async (cards) => {{
  const told = {TOLD};
  const key = (card) => document.querySelector(`.card-key[data-focus="${{card}}"]:not(:disabled)`);
  const drawn = () => new Promise((go) => requestAnimationFrame(go));
  let taps = 0;
  for (;;) {{
    const all = await told();
    if (all.length >= cards.length) return taps;
    if (all.some((card, at) => card !== cards[at])) throw new Error(`${{all}} and not ${{cards}}`);
    const card = cards[all.length];
    if (!key(card)) {{
      document.querySelector('[data-focus="void"]').click();
      taps += 1;
      await drawn();
    }}
    key(card).click();
    taps += 1;
    await drawn();
    const keep = document.querySelector('[data-focus="keep both"]');
    if (keep) keep.click();
    if (keep) taps += 1;
  }}
}}"""


def told(phone: Phone) -> list[str]:
    """The cards that were told, also those that filled themselves in."""
    found: list[str] = phone.page.evaluate(TOLD)
    return found


def play_on(phone: Phone, cards: list[str]) -> None:
    """Tell these cards from where the telling stands, each by its key; before it that there is none
    of the suit that was led, where the pad asks for it."""
    phone.page.locator(".card-key").first.wait_for()
    phone.taps += phone.page.evaluate(PLAYED, cards)


def recorded(night: Night) -> Any:
    listed = night.desk.get(f"games/{night.game['id']}/hands")["items"][0]
    return night.desk.get(f"hands/{listed['id']}/record").data


def test_a_whole_hand_card_by_card(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    play_on(phone, cards[:20])
    look_at(phone.page, "table-cards-phone-light")
    phone.tap("Take back")
    assert told(phone) == cards[:19]
    play_on(phone, cards[:48])
    # North wins the last trick, whoever has which of the clubs.
    phone.tap("Send hand 1").told(1)
    assert phone.taps <= TAPS_MAX
    pockets.put_away()
    chips = night.state()["chips"]
    gained = {row["seat"]: row["values"] for row in hand["scores"]}
    assert chips == {s: 50 + v["After"] - v["Before"] for s, v in gained.items()}
    assert cards_of(recorded(night)) == cards[:48]


def test_a_card_that_can_hardly_be_is_asked_about(pockets: Pockets, hand: Any) -> None:
    _night, phone = begin(pockets, hand)
    pain = hand["pain"]
    lead(phone, f"{pain}2")
    phone.sees(f"Nobody has played {SUITS[pain]} before.")
    look_at(phone.page, "table-doubt-phone-light")
    phone.tap("No: another card now").sees("leads")
    assert told(phone) == []
    lead(phone, f"{pain}2")
    phone.press(phone.page.locator('[data-focus="keep both"]'))
    assert told(phone) == [f"{pain}2"]
    phone.tap("Take back").sees("leads")


def test_a_revoke_is_asked_about_and_told_to_the_director(pockets: Pockets) -> None:
    """East shows no clubs in the first trick, and plays one in the second."""
    night = Night("standard", passing="none")
    phone = pockets.phone(*tokens(night, "N")).more("Enter every card").tap("North")
    phone.tap("Has no clubs")
    for card in ("D9", "C5", "CK"):
        lead(phone, card)
    for card in ("D2", "D3"):
        lead(phone, card)
    phone.press(phone.page.locator('[data-focus="suit C"]'))
    lead(phone, "C9")
    phone.sees("East showed no clubs in trick 1. Right?", "No: mend trick 1")
    look_at(phone.page, "table-revoke-phone-light")
    phone.tap("No: mend trick 1").sees("Instead of East ♦9?")
    phone.tap("Leave it")
    phone.press(phone.page.locator('[data-focus="suit C"]'))
    lead(phone, "C9")
    phone.press(phone.page.locator('[data-focus="keep both"]'))
    phone.sees("South plays a diamond")
    lead(phone, "DA")
    phone.press(phone.page.locator('[data-focus="rest"]'))
    phone.tap("South").sees("East played ♣9 in trick 2, but showed no clubs in trick 1.")
    look_at(phone.page, "table-revoke-review-phone-light")
    phone.tap("Send hand 1").told(1, "Disputed")
    phone.sees("East played ♦9 in trick 1 and could have followed suit.")
    look_at(phone.page, "table-revoke-told-phone-light")
    pockets.put_away()
    listed = night.desk.get(f"games/{night.game['id']}/hands")["items"][0]
    assert listed["state"] == "disputed"


def test_a_void_that_was_said_is_known_from_then_on_and_can_be_taken_back(
    pockets: Pockets,
) -> None:
    night = Night("standard", passing="none")
    phone = pockets.phone(*tokens(night, "N")).more("Enter every card").tap("North")
    phone.sees("East plays a club").tap("Has no clubs").sees("East discards")
    phone.tap("Take back").sees("East plays a club").tap("Has no clubs")
    lead(phone, "D9")
    phone.sees("shows no")
    phone.tap("Take back").sees("East discards").tap("Take back").sees("East plays a club")
    phone.misses("shows no")


def test_any_card_can_be_changed_later(pockets: Pockets, hand: Any) -> None:
    _night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    mixed = [*cards[:8], cards[9], cards[8], *cards[10:]]  # two cards of one suit, told in turn
    assert cards[8][0] == cards[9][0]
    play_on(phone, mixed[:12])
    phone.press(phone.page.locator('[data-focus="trick 2"]'))
    phone.sees("Trick 3 went to")
    look_at(phone.page, "table-tricks-phone-light")
    phone.press(phone.page.locator('[data-focus="fix 8"]'))
    phone.sees("Instead of")
    look_at(phone.page, "table-other-card-phone-light")
    phone.tap("Leave it")
    phone.press(phone.page.locator('[data-focus="trick 2"]'))
    phone.press(phone.page.locator('[data-focus="fix 8"]'))
    lead(phone, cards[8])
    phone.misses("Instead of")
    assert told(phone) == cards[: len(told(phone))]
    play_on(phone, cards[:20])


def test_a_hand_is_told_anew_from_any_card_on(pockets: Pockets, hand: Any) -> None:
    _night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    play_on(phone, cards[:12])
    phone.press(phone.page.locator('[data-focus="trick 1"]'))
    phone.press(phone.page.locator('[data-focus="fix 5"]'))
    phone.tap("Enter it again from here").misses("Instead of")
    assert told(phone) == cards[:5]
    play_on(phone, cards[:12])


def test_only_the_result_and_back_loses_nothing(pockets: Pockets, hand: Any) -> None:
    """Every card is offered at every question of a result, too."""
    _night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    play_on(phone, cards[:6])
    phone.tap("Only the result").sees("took how many").tap("2").more("Enter every card")
    assert told(phone) == cards[:6]
    play_on(phone, cards[:10])
    phone.tap("Take back")
    assert told(phone) == cards[:9]


def test_every_call_can_be_told(pockets: Pockets) -> None:
    night = Night()
    phone = pockets.phone(*tokens(night, "N")).more("Enter every card").sees("Who bid highest?")
    phone.more("Enter every call").sees("What does East bid?").tap("Pass", "3")
    pads = phone.page.locator(".keys.numbers")
    phone.tap("A bid that was not higher").sees("Higher bids")
    expect(pads).to_have_count(1)
    expect(pads.get_by_role("button")).to_have_text(["1", "2", "3"])
    phone.tap("Higher bids")
    expect(pads).to_have_count(1)
    phone.tap("Pass", "Pass")
    phone.tap("spades").sees("South leads").tap("♥2")
    phone.page.locator('[data-focus="rest"]').wait_for(state="detached")
    assert told(phone) == ["H2"]


PASSED = {"East": "♥A ♥K ♥3", "South": "♠Q ♠5 ♠2", "West": "♦A ♦K ♦Q", "North": "♣A ♣K ♣2"}


def test_passed_cards_are_noted_and_then_known(pockets: Pockets) -> None:
    """Cards go left: North's club leads from East, and nobody else is offered what East got."""
    night = Night("standard")
    phone = pockets.phone(*tokens(night, "N"), color_scheme="dark").more("Enter every card")
    phone.tap("♥A").sees("Cards to choose: 3")
    look_at(phone.page, "table-passing-phone-dark")
    phone.tap("♥A")
    for seat, cards in PASSED.items():
        phone.sees(f"What does {seat} pass to").tap(*cards.split())
    phone.sees("South plays a club")
    assert told(phone) == ["C2"]
    for card in ("C3", "C4", "C5"):
        lead(phone, card)
    phone.sees("North leads").press(phone.page.locator('[data-focus="rest"]'))
    phone.tap("West").sees("West took everything and shot the moon.").tap("Send hand 1").told(1)
    pockets.put_away()
    record = night.desk.get(f"hands/{night.desk.get(hands(night))['items'][0]['id']}/versions")
    text = record["versions"][0]["text"]
    assert "[PassTable" in text
    for row in ("N E CAK2", "E S HAK3", "S W SQ52", "W N DAKQ"):
        assert row in text


def hands(night: Night) -> str:
    return f"games/{night.game['id']}/hands"


def test_a_card_is_passed_once_and_passes_need_not_be_noted(pockets: Pockets) -> None:
    night = Night("standard", pass_count="2")  # noqa: S106 (no password)
    phone = pockets.phone(*tokens(night, "N")).more("Enter every card")
    phone.sees("Cards to choose: 2").tap("♥A", "♥A", "♥A", "♥K")
    phone.sees("What does South pass to West?")
    expect(phone.page.locator('.card-key[data-focus="HA"]')).to_be_disabled()
    phone.tap("Passed cards are not noted").sees("Who led first?")


def test_the_rest_can_be_claimed(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    play_on(phone, cards_of(hand)[:24])
    phone.press(phone.page.locator('[data-focus="rest"]'))
    phone.press(phone.page.locator('[data-focus^="claim "]').first)
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.look()["hands"] == 1
    assert night.desk.get(hands(night))["items"][0]["state"] == "accepted"


def test_the_low_club_leads_and_who_held_it_is_asked(pockets: Pockets) -> None:
    night = Night("sahara")
    phone = pockets.phone(*tokens(night, "N")).sees("took how many").more("Enter every card")
    phone.sees("Who led first?").tap("East").sees("South plays a club")
    assert told(phone) == ["C2"]  # the only card that can lead is filled in
    for card in ("C3", "C4", "CA"):
        lead(phone, card)
    phone.sees("trick 2 of 13", "North leads")
    for card in ("D2", "D3"):
        lead(phone, card)
    phone.press(phone.page.locator('[data-focus="suit S"]'))
    lead(phone, "SQ")
    lead(phone, "D4")
    phone.sees("West leads").press(phone.page.locator('[data-focus="rest"]'))
    phone.tap("North").sees("North scores 13 and West scores 13 with the queen.")
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert night.totals() == "13/0/0/13"


def test_cards_are_typed_and_taken_back(pockets: Pockets, hand: Any) -> None:
    """On the keyboard of a tablet: suit and rank in either order, with an echo."""
    _night, phone = begin(pockets, hand, viewport={"width": 820, "height": 1180})
    press = phone.page.keyboard.press
    echo = phone.page.locator(".typed")
    press("d")
    expect(echo).to_have_text("♦")
    press("Backspace")
    expect(echo).to_have_text("")
    for key in ("1", "0", "d"):
        press(key)
    phone.sees("plays a diamond")
    assert told(phone) == ["DT"]
    for key in ("d", "t", "q", "d", "-"):  # the ten is spent; a queen; nothing of the suit
        press(key)
    phone.sees("discards")
    for key in ("s", "q", "k", "Enter"):  # of the suit that was led
        press(key)
    phone.sees("trick 2 of 13")
    assert told(phone) == ["DT", "DQ", "SQ", "DK"]
    press("Backspace")
    phone.sees("plays a diamond")
    assert told(phone) == ["DT", "DQ", "SQ"]


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("bicycle", 4),
        ("hoyle_hearts", 6),
        ("hoyle_auction", 5),
        ("standard", 4),
        ("insurance", 4),
        ("sahara", 3),
    ],
)
def test_a_hand_of_every_system_is_told_on_the_smallest_phone(
    pockets: Pockets, name: str, players: int
) -> None:
    """Whatever was dealt and played is on record; nothing moves but what was tapped."""
    rules = preset(name)
    plain = change(rules, {"centre_auction": "off"}) if name == "insurance" else rules
    dealt = Dealt(plain, players, random.Random(name))
    night = Night(name, players=players)
    phone = pockets.phone(*tokens(night, DEFAULT_SEATS[players][0]), viewport=SMALL)
    phone.more("Enter every card").page.evaluate(SHIFT)
    open_hand(phone, dealt, rules.passing.value == "cycle")
    cards = dealt.told["cards"]
    play_on(phone, cards[:-players])
    last = phone.page.locator(f'[data-focus="claim {dealt.told["winners"][-1]}"]')
    if last.count():
        phone.press(last)
    if name == "insurance":
        for _ in range(players):
            phone.press(phone.page.locator('[data-focus="key 0"]'))
    assert phone.page.evaluate("window.shifted") < 0.02
    phone.tap("Send hand 1").told(1)
    pockets.put_away()
    assert cards_of(recorded(night))[: len(cards) - players] == cards[:-players]


def open_hand(phone: Phone, dealt: Dealt, passes: bool) -> None:
    """What is asked before the first lead."""
    page, hand = phone.page, dealt.told
    # What every card needs is fetched after the first sight of the table.
    page.locator(".pad").first.wait_for()
    if passes:
        phone.tap("Passed cards are not noted")
    if dealt.rules.pain.value == "auction":
        for key in (hand["leader"], "2", hand["pain"]):
            phone.press(page.locator(f'[data-focus="key {key}"]'))
    nobody = page.get_by_role("button", name="Nobody pays")
    if nobody.count():
        phone.press(nobody)
    phone.page.wait_for_timeout(50)
    leader = page.locator(f'[data-focus="key {hand["leader"]}"]')
    if leader.count():
        phone.press(leader)


def test_other_phones_see_the_trick_on_the_table_and_can_go_on(pockets: Pockets, hand: Any) -> None:
    night, phone = begin(pockets, hand)
    cards = cards_of(hand)
    other = pockets.phone(*tokens(night, "S"))
    play_on(phone, cards[:6])
    phone.look_again()
    other.look_again().sees("North tells this hand")
    expect(other.page.locator(".felt .face")).to_have_count(2)
    expect(other.page.locator(".card-key")).to_have_count(0)
    look_at(other.page, "table-cards-watched-phone-light")
    other.tap("I tell instead")
    play_on(other, cards[:9])
    assert told(other) == cards[:9]


def test_where_most_tricks_win_every_card_is_told_and_never_the_result_alone(
    pockets: Pockets,
) -> None:
    night = Night(winner="tricks")
    phone = pockets.phone(*tokens(night, "N")).sees("Who bid highest?")
    phone.tap("East", "3", "hearts").sees("East leads")
    assert not phone.page.get_by_role("button", name="Only the result").count()
    phone.tap("More…")
    assert not phone.page.get_by_role("button", name="Enter every card").count()
