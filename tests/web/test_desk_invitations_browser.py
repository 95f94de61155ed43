"""Somebody is invited at the desk and comes, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.scoring.club import make_club
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_a_guest_follows_a_link_and_is_at_the_desk(visit: Open) -> None:
    club = make_club()
    give_role(make_account(password=PASSWORD), club, "admin")
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/roles/")
    page.get_by_role("link", name="Somebody without an account?").click()
    page.get_by_label("Becomes").select_option("director")
    page.get_by_role("button", name="Make the invitation").click()
    expect(page.get_by_role("img", name="Code of the invitation")).to_be_visible()
    look(page, "invitations")
    link = page.locator("pre").inner_text()
    guest = visit("/" + link.split("/", 3)[3])
    look(guest, "invitation")
    guest.get_by_label("Your name").fill("Ivo Boom")
    guest.get_by_label("Email address").fill("ivo@club.example")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Accept the invitation").click()
    expect(guest.get_by_text("Welcome: the role in Leiden Hearts is yours.")).to_be_visible()
    expect(guest.get_by_role("link", name="Set up a night")).to_be_visible()
