"""Cards that cost most, in a browser: the page fits every screen, and all can use it."""

import pytest
from django.utils import timezone

from scoring.web.my.devices import COOKIE
from tests.web.conftest import Open
from tests.web.test_browser import SCHEMES, overflow, settled, violations
from tests.web.test_learn import LEARN, make_played, worst_of
from tournaments.models import SignInMethod
from tournaments.people.player_devices import sign_in_device

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (320, 390, 1280)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_position_and_its_answer_fit_and_can_be_used_by_all(visit: Open, language: str) -> None:
    played = make_played()
    played.judge()
    loss, player = worst_of(played)
    made = sign_in_device(player_id=player.pk, method=SignInMethod.CODE, at=timezone.now())
    page = visit("/my/sign-in", locale=language)
    page.context.add_cookies([{"name": COOKIE, "value": made.token, "url": page.url}])
    found = {}
    for address in (LEARN, f"{LEARN}?n=1&card={loss.cards[0]['card']}"):
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[f"{address} at {width}"] = [str(over)] if (over := overflow(page)) > 0 else []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            settled(page)
            found[f"{address} {scheme}"] = violations(page, only_colours=False)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
