"""The desk's page of the service in a browser: on every screen, refreshed, and left in peace."""

from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from config.operations.health import RELAY, WORKER, record_heartbeat
from tests.scoring.club import make_club
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.pseudo import CODE, spoken
from tests.web.test_browser import (
    SCHEMES,
    TAKES_PICTURES,
    overflow,
    settled,
    take_picture,
    violations,
)
from tests.web.test_desk_browser import PASSWORD, sign_in
from tests.web.test_desk_status import (
    failed_export,
    failing_webhook,
    path_of,
    standings_put_aside,
)
from tournaments.models import Club, JobKind

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def club() -> Club:
    """A club of a service in trouble: no worker, no broker, and work that failed."""
    club = make_club("Hearts Club Wilhelmina van den Berghe-Oosterhuis")
    give_role(make_account(password=PASSWORD), club, "admin")
    record_heartbeat(RELAY, timezone.now())
    failed_export(club)
    failed_export(club, JobKind.ARCHIVE)
    standings_put_aside(club)
    failing_webhook(club)
    return club


def look(page: Page, language: str) -> list[str]:
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width in (320, 390, 1280, 1920) if scheme == "light" or TAKES_PICTURES else ():
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            take_picture(page, f"desk-status-{language}-{width}-{scheme}")
            if overflow(page) > 0:
                found.append(f"too wide at {width}")
        found += violations(page, only_colours=scheme == "dark")
    return found


@pytest.mark.parametrize("language", ["en", "de", CODE])
def test_the_status_fits_every_screen_and_can_be_used_by_all(
    visit: Open, club: Club, tmp_path: Path, language: str
) -> None:
    with spoken(tmp_path):
        page = sign_in(visit)
        page.set_extra_http_headers({"Accept-Language": language})
        page.goto(path_of(club))
        assert look(page, language) == []


def test_the_status_is_looked_at_again_and_a_button_keeps_its_focus(
    visit: Open, club: Club
) -> None:
    page = sign_in(visit)
    page.goto(path_of(club))
    worker = page.locator("#parts li").filter(has_text="Worker")
    expect(worker).to_contain_text("does not run")
    button = page.get_by_role("button", name="Send again: chat.example")
    button.focus()
    record_heartbeat(WORKER, timezone.now())
    expect(worker).to_contain_text("since")
    expect(button).to_be_focused()
    button.press("Enter")
    expect(page.get_by_text("The messages are sent again.")).to_be_visible()
