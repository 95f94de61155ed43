"""Check-in in a real browser: names found without accents, and the typed name wins."""

import pytest
from playwright.sync_api import Page, expect

from tests.scoring.club import make_players
from tests.tournaments.night import make_event
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments.core.name_folding import fold_name
from tournaments.models import Entry, Person, Player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

NAMES = ("Nora Adams", "Anna Łukasik", "Jon Ødegård", "Æsa Groß", "Şule Işık", "Zoe  O’Brien")
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


def test_another_name_typed_while_a_question_stands_is_the_one_who_is_entered(visit: Open) -> None:
    page = night(visit)
    box = page.get_by_label("Walk-in or guest")
    box.fill("Nora Adam")
    page.keyboard.press("Enter")
    question = page.get_by_role("group", name="Who is meant?")
    expect(question).to_be_visible()
    look(page, "who-is-meant")
    box.fill("Jon Odegard")
    expect(question).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Jon Ødegård is here.")).to_be_visible()
    assert here() == {"Jon Ødegård"}
    # The name that was asked about comes back, and so does the question.
    box.fill("Nora Adam")
    page.keyboard.press("Enter")
    expect(question).to_be_visible()
    box.fill("Somebody Else")
    box.fill("Nora Adam")
    expect(question).to_be_visible()
    box.press("Enter")
    expect(page.get_by_text("Nora Adams is here.")).to_be_visible()
    box.fill("Quinn Newman")
    page.get_by_label("a guest, if new").check()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Quinn Newman is here.")).to_be_visible()
    expect(page.get_by_label("a guest, if new")).to_be_checked()
    assert Person.objects.get(name="Quinn Newman").player.kind == "guest"
    assert here() == {"Jon Ødegård", "Nora Adams", "Quinn Newman"}
