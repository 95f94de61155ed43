"""What a table says of its hands on two phones: each sees every correction, none stops it."""

from typing import Any

import pytest
from django.db import transaction

from scoring.hands.disputes import Dispute
from scoring.models import Game, Hand
from tests.api.desk import Desk, Night
from tests.scoring.club import at
from tests.scoring.table_paths import ENDINGS, tell, walk
from tests.web.phones import Pockets, pockets, tokens
from tests.web.test_browser import look_at
from tests.web.test_phone_browser import AUCTION
from tests.web.test_phone_mending import sent

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_a_hand_that_another_has_agreed_to_is_corrected_by_who_told_it(pockets: Pockets) -> None:
    night = Night()
    south, east = sent(pockets, night, "S", "E")
    east.look_again().sees("entered by South").tap("It is right").sent_all()
    south.look_again().tap("Correct a number")
    south.tap("South, cards taken: 4", "5", "West", "Send hand 1 again").sent_all()
    south.look_again().sees("It waits for East. You can play on.", "Who bid highest?")
    look_at(south.page, "table-own-change-phone-light")
    east.look_again().sees("Hand 1: South has changed it. Is that right?")
    look_at(east.page, "table-their-change-phone-light")
    east.tap("Settle it later").sees("Who bid highest?", "It waits for you.")
    east.page.goto("/t/")
    east.sees("Hand 1: South has changed it.")
    east.tap("The change is right South 5 and West 5").sent_all()
    for phone in (south, east):
        phone.look_again().sees("Settled", "West 40", "Hand 2")
    pockets.put_away()
    assert night.chips() == "68/47/45/40 0"


def test_a_hand_that_another_has_agreed_to_is_taken_back_with_them(pockets: Pockets) -> None:
    night = Night()
    south, east = sent(pockets, night, "S", "E")
    east.look_again().sees("entered by South").tap("It is right").sent_all()
    south.look_again().tap("Take back").sent_all().sees("It waits for East.")
    east.look_again().sees("It waits for you.").tap("Take the hand back").sent_all()
    for phone in (south, east):
        phone.look_again().sees("Hand 1: Taken back.")
    pockets.put_away()
    assert night.state()["number"] == 1


DRAW = """async (states) => {
  const names = ["page", "fetching", "screen", "actions"];
  const modules = names.map((one) => import(`/static/js/phone/${one}.js`));
  const [{ page }, { fetchTable }, { draw }, { makeActions }] = await Promise.all(modules);
  const actions = makeActions(async () => {}, () => {}, async () => {});
  const { token, game } = page.table;
  const found = [];
  for (const { seat, answers } of states) {
    window.fetch = async (path) => new Response(JSON.stringify(answers[path] ?? null), {
      status: answers[path] ? 200 : 404, headers: { ETag: String(found.length) },
    });
    const before = { game, token, seat, speaks: seat, details: {}, hands: [] };
    const table = await fetchTable(before);
    const empty = { ui: {}, queue: [], draft: null, closed: null, others: [], papers: [] };
    Object.assign(page, { table: { ...table, speaks: seat, seat }, ...empty });
    const main = document.getElementById("main");
    const drawn = () => {
      draw(actions);
      const keys = [...main.querySelectorAll("button")].map((one) => one.dataset.focus ?? "");
      return { text: main.innerText, keys };
    };
    const now = drawn();
    // What this phone said of each hand waits on it, without a network.
    page.queue = table.hands.map(({ id, number }, order) =>
      ({ kind: "word", state: "waiting", about: id, number, order }));
    page.reached = false;
    found.push({ ...now, offline: drawn() });
    page.reached = true;
  }
  return found;
}"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_state_of_a_hand_is_drawn_on_the_phones_of_all_seats(
    pockets: Pockets, ending: str
) -> None:
    night = Night()
    game = Game.objects.get(pk=night.game["id"])
    hand = tell(game, at(1), ending)
    links = dict(zip("ESW", tokens(night, *"ESW"), strict=True))
    seen: list[dict[str, Any]] = []

    def see(game: Game, hand: Hand, dispute: Dispute, path: tuple[str, ...]) -> None:
        for seat, token in links.items():
            seen.append(
                {
                    "seat": seat,
                    "answers": read_table(game, token),
                    "path": path,
                    "state": hand.state,
                    "number": hand.number,
                    "is_called": hand.director_called_at is not None,
                }
            )

    with transaction.atomic():
        walk(game, hand, see, 2)
    south = pockets.phone(links["S"]).sees("Hand 2")
    drawn = south.page.evaluate(DRAW, seen)
    for state, screen in zip(seen, drawn, strict=True):
        for one in (screen, screen["offline"]):
            assert "cannot be shown" not in one["text"], state["path"]
        if not state["path"]:
            marks = {one.split()[0] for one in screen["keys"] if one}
            own = {"back", "mend"} <= marks
            assert own if state["seat"] == "S" else {"right", "wrong", "object"} & marks, screen
        if state["state"] != "disputed":
            continue
        assert "Disputed" in screen["text"] or "Hand 1" in screen["text"], state["path"]
        has_key = any(one.startswith(("choice", "mend")) for one in screen["keys"])
        assert has_key or state["is_called"], (state["path"], state["seat"], screen)
    pockets.put_away()


def read_table(game: Game, token: str) -> dict[str, Any]:
    """Read what the phone of a link asks for, by address."""
    phone = Desk(authorization=f"Seat {token}")
    address = f"games/{game.pk}"
    found = {f"/api/v1/{address}": phone.get(address).data}
    found["/t/seating"] = phone.client.get("/t/seating", headers=phone.headers).json()
    hands = phone.get(f"{address}/hands?limit=100")
    found[f"/api/v1/{address}/hands?limit=100"] = hands.data
    for hand in hands["items"]:
        for part in ("", "/versions", "/dispute"):
            path = f"hands/{hand['id']}{part}"
            found[f"/api/v1/{path}"] = phone.get(path).data
    return found


def test_an_older_hand_is_objected_to_in_words_and_seen_on_all_phones(pockets: Pockets) -> None:
    night = Night()
    south, east = sent(pockets, night, "S", "E")
    east.look_again().sees("entered by South").tap("It is right").sent_all()
    south.look_again().tap("East", "4", "hearts", "3", "3", "3", "Send hand 2").told(2)
    east.look_again().sees("Is hand 2 right?").tap("It is right").sent_all().open_sheet()
    east.press(east.page.locator(".hands summary"))
    east.press(east.page.locator('[data-focus^="hand "]').last)
    sheet = east.page.locator("#sheet-body")
    sheet.get_by_role("button", name="Something is wrong here").click()
    east.page.get_by_label("Or in your words").fill("Not 6.")
    east.tap("Object").sent_all().close_sheet()
    for phone in (south, east):
        phone.look_again().sees("Hand 1", "Disputed", "Not 6.", "Call the director")
    look_at(south.page, "table-older-objection-phone-light")
    south.tap("It is right as it is").sent_all()
    east.look_again().sees("The director decides.")
    pockets.put_away()
    assert Hand.objects.get(number=1).director_called_at is not None


BROKEN = """
export const duesOf = () => [];
export const isShort = () => false;
export const dueSentences = () => { throw new Error("broken"); };
"""


def test_what_cannot_be_drawn_is_shown_reported_and_stops_nothing(
    pockets: Pockets, caplog: pytest.LogCaptureFixture
) -> None:
    night, south = Night(), pockets.phone()
    south.page.route(
        "**/dues.js", lambda route: route.fulfill(body=BROKEN, content_type="text/javascript")
    )
    (token,) = tokens(night, "S")
    south.scan(token).sees("Who bid highest?").tap(*AUCTION, "Send hand 1")
    south.sees("Hand 2", "This part cannot be shown", "Who bid highest?").sent_all()
    look_at(south.page, "table-part-failed-phone-light")
    south.tap("East", "4", "hearts").look_again().sees("Hand 2")
    assert [one for one in pockets.complaints if "broken" in one] == pockets.complaints
    pockets.complaints.clear()
    pockets.put_away()
    assert "The page of a table failed" in caplog.text
