"""Check-in in a real browser: forty names by keyboard alone, questions, fees, lost answers."""

import pytest
from playwright.sync_api import Page, expect

from tests.scoring.club import make_players
from tests.tournaments.night import make_event
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.core.name_folding import fold_name
from tournaments.models import DoorCode, Entry, Event, Person, Player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

NAMES = ("Nora Adams", "Anna Łukasik", "Jon Ødegård", "Æsa Groß", "Şule Işık", "Zoe  O’Brien")
LAST = ("Adler", "Baker", "Cohen", "Diaz", "Evans", "Fisher", "Grant", "Holm", "Ibsen")
TYPED = ("nora", "lukasik", "odegard", "aesa gross", "isik", "zoe o'b")


def night(visit: Open) -> Page:
    event = make_event()
    make_players(event.club, len(NAMES))
    for player, name in zip(Player.objects.order_by("number"), NAMES, strict=True):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    give_role(make_account(password=PASSWORD), event.club, "director")
    page = sign_in(visit)
    page.goto(f"/desk/events/{event.pk}/")
    return page


def here() -> set[str]:
    return set(Entry.objects.filter(presence="here").values_list("player__person__name", flat=True))


def test_the_check_in_list_is_searched_as_the_members_are(visit: Open) -> None:
    page = night(visit)
    box = page.get_by_label("Find a name")
    for number, typed in enumerate(TYPED, 1):
        box.fill(typed)
        expect(page.locator(".tick-list label:visible")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".ticked")).to_have_text(f"({number})")
    page.get_by_role("button", name="Check in").click()
    expect(page.get_by_text("6 are here now.")).to_be_visible()
    assert here() == set(NAMES)


def test_forty_names_are_typed_without_the_mouse_and_the_field_keeps_its_focus(
    visit: Open,
) -> None:
    event = make_event(entry_fee=500)
    known = [f"{first} {last}" for first in ("Ada", "Bob", "Eve", "Gus") for last in LAST]
    make_players(event.club, len(known))
    for player, name in zip(Player.objects.order_by("number"), known, strict=True):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    give_role(make_account(password=PASSWORD), event.club, "director")
    page = sign_in(visit)
    page.goto(f"/desk/events/{event.pk}/")
    box = page.get_by_label("Who is coming?")
    expect(box).to_be_focused()
    page.evaluate(
        """() => {
            window.lost = 0;
            document.getElementById("walk-in").addEventListener("blur", () => window.lost++);
        }"""
    )
    new = [f"Zoë {last}" for last in LAST[:4]]
    for name in [*known, *new]:
        # The beginnings of the words are enough for somebody the club knows.
        typed = name if name in new else f"{name[:2].lower()} {name.split()[1][:4].lower()}"
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(box).to_have_value("")
    expect(page.locator("#unsettled li.saving")).to_have_count(0)
    assert page.locator("#unsettled li").all_inner_texts() == []
    expect(page.locator(".counts-line b").first).to_have_text("40")
    assert page.evaluate("window.lost") == 0
    expect(box).to_be_focused()
    assert here() == {*known, *new}
    assert Player.objects.count() == 40


def test_a_fee_a_leaver_and_who_comes_back_take_one_click_each(visit: Open) -> None:
    page = night(visit)
    event = Event.objects.get()
    Event.objects.update(entry_fee=500)
    page.reload()
    box = page.get_by_label("Who is coming?")
    for name in TYPED:
        box.fill(name)
        box.press("Enter")
    expect(page.locator("#entered li")).to_have_count(6)
    page.get_by_role("button", name="Nora Adams has paid 5.00").click()
    paid = page.get_by_role("button", name="Nora Adams has paid 5.00", pressed=True)
    expect(paid).to_be_focused()
    assert event.entries.get(player__person__name="Nora Adams").fee_paid == 500
    page.get_by_role("button", name="Anna Łukasik leaves").click()
    back = page.get_by_role("button", name="Anna Łukasik is back")
    expect(back).to_be_visible()
    look(page, "check-in")
    back.click()
    expect(page.get_by_role("button", name="Anna Łukasik leaves")).to_be_visible()
    assert len(here()) == 6


def test_what_is_not_clear_waits_below_the_field_while_others_are_typed(visit: Open) -> None:
    page = night(visit)
    box = page.get_by_label("Who is coming?")
    box.fill("Nora Adasm")
    box.press("Enter")
    box.fill("lukasik")
    box.press("Enter")
    waiting = page.locator("#unsettled li")
    expect(waiting).to_have_count(1)
    expect(waiting).to_contain_text("Nora Adasm: which one?")
    expect(page.locator(".counts-line b").first).to_have_text("1")
    look(page, "check-in-question")
    waiting.get_by_role("button", name="Nora Adams").click()
    expect(waiting).to_have_count(0)
    expect(page.locator(".counts-line b").first).to_have_text("2")
    assert here() == {"Nora Adams", "Anna Łukasik"}


def test_names_that_found_no_connection_are_kept_and_sent_again(visit: Open) -> None:
    page = night(visit)
    box = page.get_by_label("Who is coming?")
    page.route("**/walk-in/", lambda route: route.fulfill(status=200, body="Please wait."))
    for name in ("nora", "lukasik"):
        box.fill(name)
        box.press("Enter")
    waiting = page.locator("#unsettled li")
    expect(waiting).to_have_count(2)
    expect(waiting.first).to_contain_text("Nora Adams: not checked in yet, no answer")
    page.unroute("**/walk-in/")
    for _ in range(2):
        waiting.first.get_by_role("button", name="Try again").click()
    expect(waiting).to_have_count(0)
    expect(page.locator(".counts-line b").first).to_have_text("2")
    assert here() == {"Nora Adams", "Anna Łukasik"}


def test_players_check_themselves_in_at_the_door_and_the_desk_shows_them(visit: Open) -> None:
    page = night(visit)
    event = Event.objects.get()
    Event.objects.update(entry_fee=350)
    page.goto(f"/desk/events/{event.pk}/door/")
    page.get_by_role("button", name="Make a code").click()
    expect(page.locator(".door-code svg.code")).to_be_visible()
    look(page, "door-code")
    code = DoorCode.objects.get().code
    page.goto(f"/desk/events/{event.pk}/")
    box = page.get_by_label("Who is coming?")
    box.fill("Ada New")

    phone = visit("/in/", viewport={"width": 320, "height": 568})
    look(phone, "door-entrance")
    phone.get_by_label("The code at the door").fill(code.lower())
    phone.keyboard.press("Enter")
    names = phone.locator(".choices button:visible")
    expect(names).to_have_count(len(NAMES))
    look(phone, "door")
    phone.get_by_label("Find a name").fill("odeg")
    expect(names).to_have_count(0)
    phone.get_by_label("Find a name").fill("jon")
    phone.keyboard.press("Enter")
    expect(names).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading", name="Jon Ø., you are checked in.")).to_be_visible()
    look(phone, "door-done")
    # The desk shows them without losing what is being typed.
    expect(page.locator("#entered")).to_contain_text("Jon Ødegård")
    expect(box).to_have_value("Ada New")
    phone.get_by_role("button", name="That is not me").click()
    expect(phone.get_by_role("heading", name="Who are you?")).to_be_visible()
    expect(page.locator("#entered")).not_to_contain_text("Jon Ødegård")
