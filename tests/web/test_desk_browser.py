"""A night at the desk in a real browser, looked at on a phone and on a desk, light and dark."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scoring.games.money import NewBooking, enter_money
from scoring.models import EntryKind, Game
from tests.scoring.club import (
    DIRECTOR,
    START,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    state_of,
)
from tests.tournaments.night import draw, make_night, play, start
from tests.web.conftest import DESK, PATIENCE, PHONE, Open
from tests.web.desk import give_role, make_account
from tests.web.test_browser import look_around, overflow
from tournaments import models
from tournaments.events.leagues import create_league
from tournaments.models import Player, Round, RuleSet

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


PASSWORD = "a shuffled pack of cards"  # nobody's
LONG = "Wilhelmina van den Berghe-Oosterhuis-Schimmelpenninck"


ZOOMED: ViewportSize = {"width": DESK["width"] // 2, "height": DESK["height"] // 2}
"""What a desk shows at 200 %."""


def look(page: Page, name: str) -> None:
    """The page as it is, on a phone and on a desk, light and dark: it fits, and all can use it."""
    look_around(page, f"desk-{name}")
    page.set_viewport_size(ZOOMED)
    assert overflow(page) <= 0, f"{name} at 200 %"


def sign_in(visit: Open, **options: object) -> Page:
    page = visit("/desk/", **options)
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="My clubs")).to_be_visible()
    return page


def test_a_night_from_setting_it_up_to_closing_its_round(visit: Open) -> None:
    club = make_club()
    make_rules(club)
    make_players(club, 9)
    give_role(make_account(password=PASSWORD), club, "admin")
    page = sign_in(visit)
    set_up(page)
    check_in(page)
    seat(page)
    page.get_by_role("button", name="Start round 1").dblclick()
    expect(page.get_by_role("heading", name="Round 1 is under way")).to_be_visible()
    games = list(Game.objects.order_by("table__number"))
    assert len(games) == 2
    # The tables refresh by themselves.
    play(games[0], 2)
    done = page.get_by_text("of 2 tables are done")
    expect(done).to_contain_text("1", timeout=PATIENCE)
    enter(games[1], chip_hand(state_of(games[1]), (5, 5, 5, 5)))
    dispute = page.get_by_role("link", name="Hand 1 is disputed")
    expect(dispute).to_be_visible(timeout=PATIENCE)
    look(page, "tables")
    page.get_by_role("button", name="Close round 1").click()
    expect(page.get_by_role("alert")).to_contain_text("hand 1 of table 2 is open")
    dispute.click()
    rule(page)
    page.get_by_role("link", name="Round 1, table 2").click()
    look(page, "table")
    page.get_by_role("link", name="Thursday league night").click()
    close(page)
    assert Round.objects.get(number=1).stage == "closed"


def set_up(page: Page) -> None:
    look(page, "clubs")
    page.get_by_role("link", name="Leiden Hearts").click()
    look(page, "club-new")
    page.get_by_role("link", name="Set up a night").click()
    look(page, "set-up")
    page.get_by_label("Name").fill("Thursday league night, at the Café de la Paix")
    page.get_by_role("spinbutton", name="Rounds", exact=True).fill("2")
    page.get_by_label("Hands in a round").fill("2")
    page.get_by_role("button", name="Set it up").click()


def check_in(page: Page) -> None:
    """Seven by the keyboard alone, one by a click, one who walks in and out."""
    for number in range(1, 8):
        page.get_by_label("Find a name").fill(f"player {number}")
        page.keyboard.press("Enter")
    page.get_by_text("Player 8", exact=True).click()
    expect(page.locator(".ticked")).to_have_text("(8)")
    look(page, "check-in")
    page.get_by_role("button", name="Check in").click()
    expect(page.get_by_text("8 are here now.")).to_be_visible()
    page.get_by_label("Who is coming?").fill(LONG)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"{LONG} leaves").click()
    expect(page.get_by_role("button", name=f"{LONG} is back")).to_be_visible()
    assert models.Entry.objects.filter(presence="here").count() == 8


def seat(page: Page) -> None:
    """Look, draw again, use it, swap two by hand."""
    page.get_by_role("button", name="Seat round 1").click()
    expect(page.locator(".certificate")).to_contain_text("repeat meeting")
    look(page, "proposal")
    page.get_by_role("link", name="Another draw").click()
    page.get_by_role("button", name="Use this seating").click()
    boxes = page.locator("input[name=swap]")
    expect(boxes).to_have_count(8)
    one, other = (boxes.nth(place).get_attribute("value") for place in (0, 5))
    boxes.nth(0).check()
    boxes.nth(5).check()
    look(page, "drawn")
    page.get_by_role("button", name="Swap the two").click()
    expect(page.get_by_text("Swapped.")).to_be_visible()
    assert [boxes.nth(place).get_attribute("value") for place in (5, 0)] == [one, other]


def rule(page: Page) -> None:
    expect(page.get_by_role("heading", name="The hand is dealt again")).to_be_visible()
    look(page, "dispute")
    page.get_by_text("Change the words").click()
    page.get_by_label("What the table will read").fill("Nobody knows.")
    page.get_by_role("button", name="The hand is dealt again").click()
    expect(page.get_by_text("The ruling is saved")).to_be_visible()
    look(page, "ruled")
    page.get_by_role("link", name="Correct the record").click()
    look(page, "correct")


def close(page: Page) -> None:
    page.get_by_text("Close it even though a table is not finished").click()
    page.get_by_label("Why?").fill("The bar closed.")
    page.get_by_role("button", name="Close round 1").click()
    expect(page.get_by_text("Round 1 is closed.")).to_be_visible()
    look(page, "between")


def test_a_director_comes_back_to_where_he_wanted_and_signs_out(visit: Open) -> None:
    give_role(make_account(password=PASSWORD), make_club("Nobody's club"), "player")
    page = visit("/desk/clubs/new/", viewport=PHONE)
    page.get_by_label("Email address").fill("nora.adams@example.org")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This address and password do not match")
    look(page, "sign-in")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Create a club")).to_be_visible()
    page.get_by_label("Name of the club").fill("Hearts of Leiden")
    page.get_by_label("Currency").fill("12€")
    page.get_by_role("button", name="Create it").click()
    expect(page.get_by_label("Currency")).to_have_attribute("aria-invalid", "true")
    look(page, "found-wrong")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Create it").click()
    expect(page).to_have_url(re.compile(r"/desk/clubs/[0-9a-f-]{36}/$"))
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile(r"/$"))


def test_a_new_club_has_the_clock_of_the_machine_it_is_founded_on(visit: Open) -> None:
    make_account(password=PASSWORD)
    page = sign_in(visit, timezone_id="Europe/Stockholm")
    page.goto("/desk/clubs/new/")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value("Europe/Stockholm")
    zone.select_option("Asia/Tokyo")
    page.get_by_label("Name of the club").fill("Hearts of Tokyo")
    page.get_by_label("Currency").fill("12¥")
    page.get_by_role("button", name="Create it").click()
    expect(page.get_by_label("Currency")).to_have_attribute("aria-invalid", "true")
    expect(zone).to_have_value("Asia/Tokyo")


def test_the_office_of_a_club(visit: Open) -> None:
    event = make_night(5, rounds=1, sizes=[4], duplicate=True)
    club, director = event.club, make_account(password=PASSWORD)
    give_role(director, club, "admin")
    new = {"name": "Winter", "season": {"divisions": ["First", "Second"]}}
    league = create_league(club_id=club.pk, new=new, by=DIRECTOR, at=START)
    player, rules = Player.objects.get(club=club, number=1), RuleSet.objects.get(club=club)
    fee = NewBooking(kind=EntryKind.FEE, player=player.pk, amount=250, note="Table fee")
    enter_money(club_id=club.pk, entry=fee, by=DIRECTOR, at=START)
    office, night = f"/desk/clubs/{club.pk}/", f"/desk/events/{event.pk}/"
    pages = {
        "members": office + "members/",
        "member": f"{office}members/{player.pk}/",
        "rules": f"{office}rules/{rules.pk}/",
        "rules-change": f"{office}rules/{rules.pk}/change/",
        "leagues": office + "leagues/",
        "league": f"/desk/leagues/{league.pk}/",
        "money": office + "money/",
        "jobs": office + "jobs/",
        "backup": office + "backup/",
        "rule-sets": office + "rules/",
        "club-settings": office + "settings/",
        "forfeits": night + "forfeits/",
        "roles": office + "roles/",
        "keys": office + "keys/",
        "trail": office + "trail/",
        "penalties": night + "penalties/",
        "boards": night + "boards/",
        "entry": f"{night}entries/{event.entries.get(number=1).pk}/",
        "settings": night + "settings/",
    }
    page = sign_in(visit)
    for name, path in pages.items():
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach(d => { d.open = true; })")
        look(page, name)


def test_without_javascript_a_night_is_run_too(visit: Open) -> None:
    club = make_club()
    make_rules(club)
    make_players(club, 4)
    give_role(make_account(password=PASSWORD), club, "admin")
    page = sign_in(visit, java_script_enabled=False)
    page.get_by_role("link", name="Leiden Hearts").click()
    page.get_by_role("link", name="Set up a night").click()
    page.get_by_label("Name").fill("Plain night")
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_label("Find a name")).to_be_hidden()
    expect(page.get_by_role("button", name="Four-colour suits")).to_be_hidden()
    for number in range(1, 5):
        page.get_by_text(f"Player {number}", exact=True).click()
    page.get_by_role("button", name="Check in").click()
    page.get_by_role("button", name="Seat round 1").click()
    page.get_by_role("button", name="Use this seating").click()
    page.get_by_role("button", name="Start round 1").click()
    expect(page.get_by_role("link", name="Check again")).to_be_visible()


def test_on_a_phone_what_came_of_a_hand_is_not_broken_within_words(visit: Open) -> None:
    club = make_club()
    game = make_game(club, make_rules(club))
    play(game, 2)
    give_role(make_account(password=PASSWORD), club, "director")
    page = sign_in(visit, viewport=PHONE)
    page.goto(f"/desk/games/{game.pk}/")
    for sentence in page.locator("td.words").all():
        box = sentence.bounding_box()
        assert box is not None
        assert box["width"] >= 160
    expect(page.locator("td.words")).to_have_count(2)
    assert overflow(page) <= 0


def test_on_a_phone_names_beside_many_amounts_are_not_broken_within_words(visit: Open) -> None:
    event = make_night(4, rounds=1)
    draw(event)
    (game,) = start(event, 1)
    player = Player.objects.get(club=event.club, number=1)
    for kind in (EntryKind.FEE, EntryKind.PRIZE, EntryKind.RECEIVED):
        booked = NewBooking(kind=kind, player=player.pk, amount=123456, note="Much", game=game.pk)
        enter_money(club_id=event.club_id, entry=booked, by=DIRECTOR, at=START)
    give_role(make_account(password=PASSWORD), event.club, "admin")
    page = sign_in(visit, viewport=PHONE)
    page.goto(f"/desk/events/{event.pk}/money/")
    page.locator("summary", has_text="All amounts in EUR").click()
    names = page.locator(".figures tbody th")
    expect(names).to_have_count(4)
    for box in (name.bounding_box() for name in names.all()):
        assert box is not None
        assert box["width"] >= 100
    assert overflow(page) <= 0
