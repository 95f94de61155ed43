"""Two records of a hand at the desk in a real browser: compared, and settled with one button."""

import pytest
from playwright.sync_api import expect

from scoring.hands import agreements
from scoring.hands.table_choices import TableChoice
from scoring.models import Hand, State
from tests.scoring.club import at, chip_hand, enter, make_game, seat, state_of
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_a_director_sees_what_differs_and_settles_it_with_one_button(visit: Open) -> None:
    game = make_game()
    give_role(make_account(password=PASSWORD), game.club, "director")
    state = state_of(game)
    first = enter(game, chip_hand(state, (4, 0, 4, 5)), by=seat(0)).hand
    rival = enter(game, chip_hand(state, (4, 0, 5, 4)), number=1, by=seat(2)).hand
    agreements.settle_at_table(
        hand_id=rival.pk,
        version=1,
        choice=TableChoice.DIRECTOR,
        by=seat(2),
        at=at(9),
    )
    page = sign_in(visit)
    page.goto(f"/desk/hands/{first.pk}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("differ in 2 things")
    expect(page.get_by_text("the table asked for you")).to_be_visible()
    expect(page.locator("tr.differs")).to_have_count(2)
    expect(page.get_by_text("[Seats")).to_have_count(0)
    look(page, "desk-dispute")
    words = page.get_by_label("What the table will read").nth(1)
    expect(words).to_contain_text("took 5, not 4.")
    words.fill("Counted: Player 3 has five.")
    page.get_by_role("button", name="The record of Player 3 stands").click()
    expect(page.get_by_text("The choice is on record.")).to_be_visible()
    expect(page.get_by_text("Counted: Player 3 has five.")).not_to_have_count(0)
    hand = Hand.objects.get(pk=first.pk)
    assert (hand.state, hand.current, hand.director_called_at) == (State.ACCEPTED, 2, None)
