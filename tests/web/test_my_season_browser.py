"""My season in a browser: it fits on every screen, in both languages, and all can use it."""

import pytest
from django.utils import timezone

from scoring.web.player_cookie import COOKIE
from tests.web.conftest import Open
from tests.web.test_browser import SCHEMES, overflow, settled, violations
from tests.web.window import make_window
from tournaments import publishing
from tournaments.core.ids import new_id
from tournaments.models import SignInMethod
from tournaments.people.calendar_addresses import renew_own_address
from tournaments.people.player_devices import TablePhone, sign_in_device

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (320, 390, 1280, 1920)


@pytest.mark.parametrize("language", ["en", "de"])
def test_my_season_fits_and_can_be_used_by_all(visit: Open, language: str) -> None:
    window = make_window()
    while publishing.publish_due(clock=timezone.now, scopes=publishing.STATISTICS):
        pass
    player, at = window.players[0].pk, timezone.now()
    from_table = TablePhone(new_id(), window.event, 3)
    sign_in_device(player_id=player, method=SignInMethod.PHONE, phone=from_table, at=at)
    signed_in = sign_in_device(player_id=player, method=SignInMethod.CODE, at=at)
    renew_own_address(device=signed_in.device, at=at)
    token = signed_in.token
    page = visit("/my/sign-in", locale=language)
    found = {}
    for address in ("/my/sign-in", "/my/", "/my/settings"):
        if address == "/my/":
            page.context.add_cookies([{"name": COOKIE, "value": token, "url": page.url}])
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[f"{address} at {width}"] = [str(over)] if (over := overflow(page)) > 0 else []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            settled(page)
            found[f"{address} {scheme}"] = violations(page, only_colours=False)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
