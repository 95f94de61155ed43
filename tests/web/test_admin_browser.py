"""The admin in a browser: its scripts and styles run under our Content-Security-Policy."""

import pytest
from playwright.sync_api import expect

from tests.scoring.club import at, make_game
from tests.web.conftest import Open
from tournaments.models import Account


@pytest.mark.browser
def test_an_operator_goes_from_a_club_to_a_hand(visit: Open, transactional_db: None) -> None:
    game = make_game()
    Account.objects.create_user(
        "o@club.example", "correct horse", name="O", created_at=at(), is_superuser=True
    )
    page = visit("/admin")
    page.get_by_label("Email address").fill("o@club.example")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Clubs").first.click()
    page.get_by_role("link", name=game.club.name).click()
    page.get_by_role("link", name="games (club)").first.click()
    page.get_by_role("link", name=game.name).click()
    expect(page.get_by_role("link", name="hands (game)")).to_be_visible()
    page.get_by_role("button", name="Toggle theme").click()
