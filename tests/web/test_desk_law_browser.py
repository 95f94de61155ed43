"""What the law says of what no record shows, and one's own password, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.scoring.club import chip_hand, enter, make_game, state_of
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_the_law_for_what_no_record_shows_and_another_password(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    page = sign_in(visit)
    page.goto(f"/desk/hands/{hand.pk}/")
    page.get_by_text("Write your own numbers").click()
    numbers = page.get_by_role("group", name="Pain cards taken")
    expect(numbers).to_be_hidden()
    page.get_by_label("Decision", exact=True).select_option("WARNING")
    expect(numbers).to_be_hidden()
    page.get_by_label("Decision", exact=True).select_option("ASSIGNED_CAPTURES")
    expect(numbers).to_be_visible()
    page.get_by_text("Something happened that the record does not show").click()
    page.locator("select[name=what]").select_option("REVOKE")
    page.get_by_role("group", name="Who did it").get_by_text("Player 2").click()
    page.get_by_role("button", name="What the rules propose for it").click()
    expect(page.get_by_role("button", name="Player 2 pays for all thirteen")).to_be_visible()
    look(page, "law")
    page.goto("/desk/password/")
    look(page, "password")
