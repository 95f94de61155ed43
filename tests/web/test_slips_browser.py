"""Slips in a real browser: a pile by the keyboard, taps on circles, pictures that are dropped."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.models import Game, Hand, Slip, SlipPicture, State
from tests.tournaments.night import draw, make_night, start
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.slips import DOUBTED, WON, read_slip
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.models import Event

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

KEYS_MAX = 25


def playing(hands: int) -> tuple[Event, list[Game]]:
    """A night of 16 players in its first round, and somebody to run it."""
    event = make_night(16, hands=hands)
    draw(event)
    games = start(event, 1)
    give_role(make_account(password=PASSWORD), event.club, "director")
    return event, games


def slips_of(visit: Open, event: Event) -> Page:
    page = sign_in(visit)
    page.goto(f"/desk/events/{event.pk}/slips/")
    return page


def test_twenty_clean_slips_take_few_keys(visit: Open) -> None:
    event, games = playing(hands=5)
    for game in games:
        for number in range(1, 6):
            read_slip(game, number, WON)
    page = slips_of(visit, event)
    expect(page.get_by_role("heading", name="20 slips wait for you")).to_be_visible()
    page.get_by_role("link", name="Look through 20 slips").focus()
    keys = 0
    while "All slips are done" not in page.content():
        before = page.url
        page.keyboard.press("Enter")
        expect(page).not_to_have_url(before)
        page.wait_for_load_state()
        keys += 1
        assert keys <= KEYS_MAX
    assert keys == 21
    assert Hand.objects.filter(state=State.ACCEPTED).count() == 20


def test_a_question_takes_its_digit_and_no_enter(visit: Open) -> None:
    event, games = playing(hands=2)
    slip, following = read_slip(games[0], 1, DOUBTED), read_slip(games[1], 1, WON)
    page = slips_of(visit, event)
    page.goto(f"/desk/events/{event.pk}/slips/{slip.pk}/")
    expect(page.locator("h1")).to_contain_text("2 or 3 diamonds")
    look(page, "slip-question")
    for key in ("Enter", "7", "Enter"):
        page.keyboard.press(key)
    assert not Hand.objects.exists()
    page.keyboard.press("2")
    page.wait_for_url(f"**/{following.pk}/")
    assert Hand.objects.get().state == State.ACCEPTED
    look(page, "slip-clean")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/{slip.pk}/")
    expect(page.get_by_role("link", name="The hand on record")).to_be_visible()
    look(page, "slip-recorded")


def test_a_tap_on_a_circle_puts_a_row_right(visit: Open) -> None:
    event, games = playing(hands=2)
    slip = read_slip(games[0], 1, WON)
    page = slips_of(visit, event)
    page.goto(f"/desk/events/{event.pk}/slips/{slip.pk}/")
    page.locator("circle[data-change='taken W=1']").click()
    expect(page.get_by_text("put right", exact=True)).to_be_visible()
    expect(page.locator("h1")).to_contain_text("14 cards of the suit are marked")
    page.locator("circle[data-change='taken W=0']").click()
    expect(page.locator("h1")).to_have_text("Table 1, hand 1")
    assert Slip.objects.get().changes == {"taken W": "0"}
    look(page, "slip-put-right")


def test_without_scripts_a_slip_is_put_right_and_recorded_by_forms(visit: Open) -> None:
    event, games = playing(hands=2)
    slip = read_slip(games[0], 1, DOUBTED)
    page = sign_in(visit, java_script_enabled=False)
    page.goto(f"/desk/events/{event.pk}/slips/")
    page.get_by_role("link", name="Look at the slip").click()
    page.locator("summary", has_text="Suit to avoid").click()
    page.get_by_role("button", name="Suit to avoid: ♣ clubs").click()
    expect(page.get_by_text("put right", exact=True)).to_be_visible()
    page.get_by_role("button", name="took 2").click()
    expect(page.get_by_role("heading", name="All slips are done")).to_be_visible()
    slip.refresh_from_db()
    assert slip.changes == {"pain": "C", "taken W": "2"}
    assert slip.hand is not None


GIVE_FILE = """([kind, name]) => {
  const data = new DataTransfer();
  data.items.add(new File(["a picture called " + name], name, { type: "image/jpeg" }));
  const options = { bubbles: true, cancelable: true };
  document.dispatchEvent(
    kind === "drop"
      ? new DragEvent("drop", { ...options, dataTransfer: data })
      : new ClipboardEvent("paste", { ...options, clipboardData: data }),
  );
}"""


def test_pictures_are_dropped_and_pasted_one_after_the_other(visit: Open) -> None:
    event, _games = playing(hands=2)
    page = slips_of(visit, event)
    for kind, name in (("drop", "one.jpg"), ("paste", "two.jpg"), ("drop", "one.jpg")):
        page.evaluate(GIVE_FILE, [kind, name])
        expect(page.get_by_text("All pictures are here.")).to_be_visible()
    expect(page.get_by_text("2 pictures are being read.")).to_be_visible()
    assert SlipPicture.objects.count() == 2
    page.evaluate(GIVE_FILE, ["drop", "three.jpg"])
    expect(page.get_by_text("3 pictures are being read.")).to_be_visible()
    look(page, "slips-being-read")
    SlipPicture.objects.update(read_at=timezone.now())
    expect(page.get_by_role("heading", name="No slips yet")).to_be_visible()


BREAK_OFF_ONCE = """() => {
  const fetch = window.fetch;
  window.fetch = () => {
    window.fetch = fetch;
    return Promise.reject(new TypeError("no network"));
  };
}"""


def test_pictures_that_did_not_get_through_are_named_and_sent_again(visit: Open) -> None:
    event, _games = playing(hands=2)
    page = slips_of(visit, event)
    page.evaluate(BREAK_OFF_ONCE)
    for name in ("one.jpg", "two.jpg", "three.jpg"):
        page.evaluate(GIVE_FILE, ["drop", name])
    expect(page.get_by_text("Not all pictures got through.")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="one.jpg")).to_be_visible()
    assert SlipPicture.objects.count() == 2
    look(page, "slips-not-sent")
    page.get_by_role("button", name="Send them again").click()
    expect(page.get_by_text("All pictures are here.")).to_be_visible()
    expect(page.get_by_role("button", name="Send them again")).to_be_hidden()
    assert SlipPicture.objects.count() == 3


def test_pictures_that_are_sent_after_signing_out_are_not_said_to_be_here(visit: Open) -> None:
    event, _games = playing(hands=2)
    page = slips_of(visit, event)
    page.context.clear_cookies(name="sessionid")
    page.evaluate(GIVE_FILE, ["drop", "one.jpg"])
    expect(page.get_by_role("listitem").filter(has_text="one.jpg")).to_be_visible()
    expect(page.get_by_text("All pictures are here.")).to_be_hidden()
    assert not SlipPicture.objects.exists()
    other = page.context.new_page()
    other.goto("/desk/")
    other.get_by_label("Email address").fill("nora.adams@example.org")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("heading", name="My clubs")).to_be_visible()
    page.get_by_role("button", name="Send them again").click()
    expect(page.get_by_text("All pictures are here.")).to_be_visible()
    assert SlipPicture.objects.count() == 1
