"""A night by the pages alone, from the invitation to the certificate, in English and in German.

The director sits at the desk, the members reply by links of their own, and one tells the hands.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest
from django.utils import timezone, translation
from playwright.sync_api import Page, expect

from scoring.models import Hand, State
from tests.scoring.club import DIRECTOR, make_club
from tests.web.conftest import PHONE, Open
from tests.web.desk import give_role, make_account
from tests.web.phones import Pockets, pockets
from tests.web.test_browser import overflow, settled, take_picture, violations
from tests.web.test_desk_browser import PASSWORD
from tests.web.window import publish_all
from tournaments.core.time_zones import local
from tournaments.models import Event, League
from tournaments.people.members import NewPlayer, add_player

__all__ = ["pockets"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

NAMES = ("Kim Abel", "Lea Brandt", "Fay Cole", "Gus Dorn")
JACKPOT_GROWS = {"Kim": "1", "Lea": "5", "Fay": "1", "Gus": "6"}
JACKPOT_FALLS = {"Kim": "2", "Lea": "4", "Fay": "0", "Gus": "7"}


class Pages:
    """The pages of one browser, in one language: what they say is looked up as they do it."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.language = page, language
        self.wrong: list[str] = []

    def say(self, text: str, **values: object) -> str:
        """Return a text of the pages in the language of the browser."""
        with translation.override(self.language):
            said = translation.gettext(text)
        return said.format(**values) if "{" in said else said % values if values else said

    def press(self, text: str, **values: object) -> "Pages":
        said = self.say(text, **values)
        name = re.compile(rf"^\s*{re.escape(said)}")
        self.page.get_by_role("button", name=name).first.click()
        return self

    def follow(self, name: str) -> "Pages":
        self.page.get_by_role("link", name=self.say(name), exact=True).first.click()
        return self

    def fill(self, name: str, value: str) -> "Pages":
        self.page.get_by_label(self.say(name), exact=True).first.fill(value)
        return self

    def sees(self, text: str, **values: object) -> "Pages":
        expect(self.page.locator("body")).to_contain_text(self.say(text, **values))
        return self

    def look(self, name: str) -> "Pages":
        """Take a picture; note what is too wide, and what cannot be read or used by everybody."""
        settled(self.page)
        take_picture(self.page, f"whole-night-{name}-{self.language}", is_whole=False)
        self.wrong += [f"{name}: too wide"] * (overflow(self.page) > 0)
        self.wrong += [f"{name}: {one}" for one in violations(self.page, only_colours=False)]
        return self


def tell(phone: Pages, number: int, took: Mapping[str, str], auction: Sequence[str] = ()) -> None:
    """Tell a hand of Auction Hearts on a phone: its auction, and the cards that each took."""
    page = phone.page
    send = page.get_by_role("button", name=phone.say("Send hand {number}", number=number))
    answers = iter(auction)
    hand = phone.say("Hand {number}", number=number)
    expect(page.locator("button.hand")).to_contain_text(hand)
    while not send.is_visible():
        asked = page.locator("#question").inner_text()
        answer = next(answers, "") or next(took[name] for name in took if name in asked)
        keys = page.locator(".pad button:not([disabled])")
        key = keys.filter(has_text=re.compile(rf"^\W*{re.escape(answer)}\b", re.IGNORECASE)).first
        key.click()
        page.wait_for_timeout(300)  # two taps at once at the same place count once
    send.click()
    expect(send).to_be_hidden()
    expect(page.locator(".badge")).to_have_count(0)


def invite(desk: Pages, event: Event) -> Sequence[str]:
    """Have a link made for each member; return the addresses."""
    desk.page.goto(f"/desk/events/{event.pk}/")
    desk.follow("Who comes?").look("who-comes").press("Make the links")
    desk.page.get_by_role("link", name=desk.say("Links to copy and to scan")).click()
    texts = [area.input_value() for area in desk.page.locator("textarea.to-copy").all()]
    return [address for text in texts for address in re.findall(r"https?://\S+", text)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_night_from_the_invitation_to_the_certificate(
    visit: Open, pockets: Pockets, language: str
) -> None:
    club = make_club(is_public=True)
    for name in NAMES:
        add_player(
            club_id=club.pk, new=NewPlayer(person={"name": name}), by=DIRECTOR, at=timezone.now()
        )
    give_role(make_account(password=PASSWORD), club, "admin")
    desk = Pages(visit("/desk/", locale=language), language)
    page = desk.page
    desk.fill("Email address", "nora.adams@example.org").fill("Password", PASSWORD)
    desk.press("Sign in").sees("My clubs")
    page.goto(f"/desk/clubs/{club.pk}/rules/")
    page.locator("button.go, button.alt").filter(has_text=desk.say("Use")).first.click()
    page.goto(f"/desk/clubs/{club.pk}/leagues/")
    desk.fill("Name", "Winter").press("Start it")
    page.goto(f"/desk/clubs/{club.pk}/events/new/")
    begins = local(timezone.now() + timedelta(hours=1), club.time_zone)
    desk.fill("Name", "Club night").fill("Begins", begins.strftime("%Y-%m-%dT%H:%M"))
    desk.fill("Rounds", "1").fill("Hands in a round", "2").press("Set it up")
    event = Event.objects.get()
    page.goto(f"/desk/leagues/{League.objects.get().pk}/")
    page.locator("#session_event").select_option(str(event.pk))
    desk.press("Let it count")
    for link in invite(desk, event):
        member = Pages(visit(link, locale=language, viewport=PHONE), language)
        member.look("invited").press("I come").sees("Good, you are on the list.")
        desk.wrong += member.wrong
    page.goto(f"/desk/events/{event.pk}/")
    desk.look("check-in").press("Check in")
    desk.press("Seat round %(next_number)s", next_number=1).press("Use this seating").press(
        "Start round %(n)s", n=1
    )
    desk.follow("Codes for the phones")
    table = page.locator("main a[href*='/t/']").first.get_attribute("href")
    phone = Pages(pockets.phone(locale=language, viewport=PHONE, has_touch=True).page, language)
    phone.page.goto(str(table))
    phone.page.locator("main button", has_text="Lea").click()
    phone.page.locator("#question").wait_for()
    tell(phone, 1, JACKPOT_GROWS, auction=["Lea", "5", phone.say("clubs")])
    tell(phone, 2, JACKPOT_FALLS, auction=[phone.say("clubs")])
    assert Hand.objects.filter(state=State.ACCEPTED).count() == 2
    page.goto(f"/desk/events/{event.pk}/")
    desk.press("Close and make official")
    desk.sees("%(name)s wins the night", name="Fay Cole").sees("The results are official.").look(
        "desk-end"
    )
    publish_all()
    phone.sees("{name}, you are", name="Lea").look("phone-end")
    page.goto(f"/e/{event.pk}/")
    desk.sees("%(name)s wins the night", name="Fay Cole").sees("Jackpot of the night")
    desk.look("event").follow("Replay the night").look("replay")
    expect(page.locator("#replay-title")).to_be_visible()
    league = League.objects.get()
    page.goto(f"/desk/leagues/{league.pk}/")
    sheet = page.get_by_role("link", name=desk.say("Certificate of the largest jackpot"))
    certificate = page.request.get(str(sheet.get_attribute("href")))
    assert certificate.status == 200
    assert certificate.body().startswith(b"%PDF")
    assert [*desk.wrong, *phone.wrong] == []
