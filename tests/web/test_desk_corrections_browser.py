"""A hand put right at the desk in a real browser: its counts, and one of its cards."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from engine.core.cards import NAMES
from scoring.models import Form, HandVersion
from tests.scoring.club import chip_hand, enter, make_club, make_game, make_rules, state_of
from tests.scoring.forms import as_actions, as_result
from tests.web.conftest import PHONE, Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tests.web.test_desk_corrections import played, sent

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_counts_follow_while_they_are_typed_and_the_game_is_settled_anew(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    enter(game, chip_hand(state_of(game), (0, 4, 4, 5)))
    page = sign_in(visit)
    page.goto(f"/desk/hands/{hand.pk}/")
    page.get_by_role("link", name="Correct the record").click()
    east = page.get_by_role("spinbutton", name="Player 2")
    expect(east).to_have_value("4")
    left = page.locator("output")
    expect(left).to_have_text("4")
    east.fill("9")
    expect(left).to_have_text("\N{MINUS SIGN}1")
    east.fill("3")
    expect(left).to_have_text("5")
    page.get_by_role("button", name="See what it does").click()
    expect(page.get_by_text("Nothing is written yet.")).to_be_visible()
    look(page, "correct-counts")
    page.get_by_label("Why").fill("East took three.")
    page.get_by_role("button", name="Correct it").click()
    expect(page.get_by_text("Corrected. The game has been settled again")).to_be_visible()
    assert HandVersion.objects.get(hand=hand, number=2).form == Form.RESULT


def test_what_is_typed_before_the_script_has_come_is_counted_too(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    page = sign_in(visit)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/rest[.\w]*\.js"), hold)
    page.goto(f"/desk/hands/{hand.pk}/correct/", wait_until="commit")
    page.get_by_role("spinbutton", name="Player 2").fill("9")
    expect(page.locator("output")).to_have_text("4")
    assert held, "the page was to wait for its script"
    for route in held:
        route.continue_()
    expect(page.locator("output")).to_have_text("\N{MINUS SIGN}1")


def test_a_card_is_chosen_and_put_right_without_scripts(visit: Open) -> None:
    club = make_club()
    game = make_game(club, make_rules(club, "insurance"))
    give_role(make_account(password=PASSWORD), club, "director")
    whole = played(game, "browser")
    hand = sent(game, Form.ACTIONS, as_actions(whole))
    later = sent(game, Form.RESULT, as_result(played(game, "more")))
    page = sign_in(visit, java_script_enabled=False)
    page.goto(f"/desk/hands/{hand.pk}/correct/")
    seat, card = whole.tricks[3].leader, whole.tricks[3].cards[0]
    other = whole.tricks[7]
    name = ("N", "E", "S", "W")[seat]
    page.locator(f'button[value="trick.4.{name}"]').click()
    expect(page.get_by_text("One of their other cards")).to_be_visible()
    right = NAMES[other.cards[(seat - other.leader) % 4]]
    page.locator(f'button[name=put][value="{right}"]').click()
    expect(page.get_by_role("heading", name="The hand then reads")).to_be_visible()
    shown = page.locator(f'button[value="trick.4.{name}"] .word')
    expect(shown).to_have_attribute("class", f"word suit-{right[0]}")
    page.get_by_label("Why").fill(f"It was not {NAMES[card]}.")
    page.get_by_role("button", name="Correct it").click()
    expect(page.get_by_text("Corrected. The game has been settled again")).to_be_visible()
    assert HandVersion.objects.get(hand=hand, number=2).form == Form.ACTIONS
    shown_well(visit, f"/desk/hands/{hand.pk}/correct/", f"trick.4.{name}")
    page.goto(f"/desk/hands/{later.pk}/correct/")
    expect(page.get_by_role("group", name="Insurance papers")).to_be_visible()


def shown_well(visit: Open, path: str, place: str) -> Page:
    page = sign_in(visit)
    page.goto(path)
    look(page, "correct-cards")
    page.locator(f'button[value="{place}"]').click()
    look(page, "correct-picked")
    page.goto(f"{path}?by=result")
    look(page, "correct-insurance")
    return page


def test_what_a_wide_table_is_called_fits_on_a_phone(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    page = sign_in(visit, viewport=PHONE)
    page.goto(f"/desk/hands/{hand.pk}/correct/")
    page.get_by_role("spinbutton", name="Player 2").fill("3")
    page.get_by_role("button", name="See what it does").click()
    name = page.get_by_text("Nothing is written yet.")
    expect(name).to_be_visible()
    wide = name.evaluate(
        """name => {
            const scroll = name.closest(".scroll");
            name.closest("table").style.width = "60rem";
            scroll.scrollLeft = 1000;
            const [inside, outside] = [name, scroll].map((one) => one.getBoundingClientRect());
            return scroll.scrollLeft > 0 && inside.left >= outside.left
                && inside.right <= outside.right;
        }"""
    )
    assert wide


def test_what_is_wrong_of_a_seat_has_room_on_a_phone(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    page = sign_in(visit, viewport=PHONE)
    page.goto(f"/desk/hands/{hand.pk}/?open=own")
    page.get_by_label("Decision").select_option("CHIP_ADJUST")
    page.get_by_role("button", name="Decide").click()
    said = page.get_by_text("No chip is moved")
    expect(said).to_be_visible()
    wide, beside = said.bounding_box(), page.locator("#id_chips_E").bounding_box()
    assert wide is not None
    assert beside is not None
    assert wide["width"] > 2 * beside["width"]
