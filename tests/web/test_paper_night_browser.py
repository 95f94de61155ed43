"""Nights by paper in a real browser: print, photographs, review, standings and the end."""

from collections.abc import Callable, Mapping
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import FilePayload, expect

from scoring.models import Game, Hand, Slip, SlipPicture, SlipState, State
from scoring.presentation.seat_names import names_at_table
from scoring.slips.codes import SlipCode
from scoring.slips.intake import read_picture
from tests.tournaments.night import make_night
from tests.web.conftest import PHONE, Open
from tests.web.desk import give_role, make_account
from tests.web.paper import cut_slips, fill_in, photograph_pile
from tests.web.phones import Pockets, pockets
from tests.web.slips import WON
from tests.web.test_desk_browser import PASSWORD
from tests.web.test_whole_night_browser import Pages, tell
from tests.web.window import publish_all
from tournaments.models import Event, Status

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]


def photos_of(
    desk: Pages, marks_of: Callable[[SlipCode], Mapping[str, str] | None]
) -> list[FilePayload]:
    """Print the slips of a round from the desk, fill them in, and photograph them."""
    address = desk.page.get_by_role("link", name=desk.say("Print score slips")).first
    language = {"Accept-Language": desk.language}
    answer = desk.page.request.get(str(address.get_attribute("href")), headers=language)
    assert answer.status == 200
    dice = Random(4)
    marked = [
        fill_in(slip, marks, dice)
        for slip in cut_slips(answer.body())
        if (marks := marks_of(slip.code)) is not None
    ]
    return [
        FilePayload(name=f"pile-{number}.jpg", mimeType="image/jpeg", buffer=data)
        for number, data in enumerate(photograph_pile(marked, dice), 1)
    ]


def sign_in_as_director(visit: Open, language: str) -> Pages:
    give_role(make_account(password=PASSWORD), Event.objects.get().club, "director")
    desk = Pages(visit("/desk/", locale=language), language)
    desk.fill("Email address", "nora.adams@example.org").fill("Password", PASSWORD)
    return desk.press("Sign in").sees("My clubs")


def start_round(desk: Pages, event: Event) -> None:
    desk.page.goto(f"/desk/events/{event.pk}/")
    desk.press("Seat round %(next_number)s", next_number=1).press("Use this seating")
    desk.press("Start round %(n)s", n=1)
    desk.sees("Round %(n)s is under way", n=1)


def read_all_pictures() -> None:
    """Read what waits to be read, as a worker does."""
    waiting = SlipPicture.objects.filter(read_at=None).order_by("pk")
    for picture in waiting.values_list("pk", flat=True):
        assert read_picture(picture_id=picture, clock=timezone.now)


def hand_in(desk: Pages, photos: list[FilePayload], slips: int) -> None:
    """Hand photos in at the desk, and come back when they are read."""
    slips_at = desk.page.url
    desk.page.locator("input[type=file]").set_input_files(photos)
    desk.sees("All pictures are here.")
    # A page that follows meanwhile would find the tables of SQLite locked.
    desk.page.goto("about:blank")
    read_all_pictures()
    desk.page.goto(slips_at)
    expect(desk.page.locator(".slip-strip li")).to_have_count(slips)


def record_all(desk: Pages, slips: int) -> None:
    """Record all slips by keys: a question gets the answer that fits, or that nothing is marked."""
    page = desk.page
    page.locator("#pile a.go").click()
    expect(page.locator("#slip")).to_be_visible()
    for _ in range(2 * slips):
        page.wait_for_load_state()
        if page.locator(".slip-intake").is_visible():
            break
        key = "Enter"
        fitting = page.locator(".slip-answers .go[data-key]")
        if fitting.is_visible():
            desk.look("slips-question")
            key = str(fitting.get_attribute("data-key"))
        elif page.locator("[data-key=x]").is_visible():
            key = "x"
        number = page.locator("input[name=key]").first.input_value()
        for part in [key] if key == "Enter" else key:
            page.keyboard.press(part)
        expect(page.locator(f"input[name=key][value='{number}']")).to_have_count(0)
    desk.sees("All slips are done")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_night_for_sixteen_by_paper_alone(visit: Open, language: str) -> None:
    event = make_night(16, rounds=1, hands=2, name="Club night")
    desk = sign_in_as_director(visit, language)
    page = desk.page
    start_round(desk, event)

    def marks_of(code: SlipCode) -> Mapping[str, str]:
        """West wins each first hand; at table 3 two circles are marked in the second."""
        if (code.number, code.hand) == (3, 2):
            return WON | {"taken S": "2|3"}
        return WON if code.hand == 1 else WON | {"taken N": "0", "taken W": "5"}

    desk.page.goto(f"/desk/events/{event.pk}/slips/")
    desk.sees("No slips yet").look("slips-none")
    hand_in(desk, photos_of(desk, marks_of), slips=8)
    desk.look("slips-read")
    record_all(desk, slips=8)
    desk.sees("All slips are done").look("slips-done")
    assert Hand.objects.filter(state=State.ACCEPTED).count() == 8
    assert not Slip.objects.exclude(state=SlipState.ACCEPTED).exists()
    page.goto(f"/desk/events/{event.pk}/")
    desk.press("Close and make official")
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL
    publish_all()
    page.goto(f"/e/{event.pk}/")
    expect(page.locator("main table").first).to_contain_text("16")
    page.goto(f"/desk/hands/{Hand.objects.first().pk}/")  # type: ignore[union-attr]
    expect(page.locator("img.slip-crop")).to_be_visible()
    desk.look("slips-hand")
    assert desk.wrong == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_phones_at_one_table_and_slips_at_the_other(
    visit: Open, pockets: Pockets, language: str
) -> None:
    event = make_night(8, rounds=1, hands=1, name="Club night")
    desk = sign_in_as_director(visit, language)
    page = desk.page
    start_round(desk, event)
    desk.follow("Codes for the phones")
    table = page.locator("main a[href*='/t/']").first.get_attribute("href")
    phone = Pages(pockets.phone(locale=language, viewport=PHONE, has_touch=True).page, language)
    phone.page.goto(str(table))
    names = list(names_at_table(Game.objects.get(table__number=1), 1).values())
    phone.page.locator(".picture button").first.click()
    phone.page.locator("#question").wait_for()
    took = dict(zip(names, ("5", "6", "2", "0"), strict=True))
    tell(phone, 1, took, auction=[names[3], "1", phone.say("diamonds")])
    assert Hand.objects.get().state == State.ACCEPTED

    page.goto(f"/desk/events/{event.pk}/slips/")
    hand_in(desk, photos_of(desk, lambda code: WON if code.number == 2 else None), slips=1)
    record_all(desk, slips=1)
    told = Hand.objects.values_list("game__table__number", "versions__source")
    assert sorted(told) == [(1, "table link"), (2, "slip")]
    assert Hand.objects.filter(state=State.ACCEPTED).count() == 2
    page.goto(f"/desk/events/{event.pk}/")
    desk.press("Close and make official")
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL
    assert event.name in page.title()
