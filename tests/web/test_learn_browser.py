"""Cards that cost most, in a browser: the page fits every screen, and all can use it."""

from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import urljoin

import pytest
from django.utils import timezone

from scoring.models import Game, Hand, SeatLoss
from scoring.web.my import lessons
from scoring.web.player_cookie import COOKIE
from tests.web.conftest import Open
from tests.web.test_browser import SCHEMES, overflow, settled, violations
from tests.web.test_learn import LEARN, make_played, worst_of
from tournaments.models import Club, Player, SignInMethod
from tournaments.people.player_devices import sign_in_device

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (320, 390, 1280)


def over_two_months(losses: list[SeatLoss]) -> Callable[[Player], list[SeatLoss]]:
    """The reader of some losses, and of the same again in two months before."""
    days = [datetime(2026, month, 20, tzinfo=UTC) for month in (9, 10)]
    before = [
        SeatLoss(unit=one.unit, total=one.total, hand=Hand(game=Game(opened_at=day)), cards=[])
        for day in days
        for one in losses
    ]
    return lambda _player: [*losses, *before]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_position_its_answer_the_curve_and_the_dots_fit_and_can_be_used_by_all(
    visit: Open, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = make_played()
    played.judge()
    Club.objects.update(is_public=True)
    loss, player = worst_of(played)
    monkeypatch.setattr(lessons, "read_losses", over_two_months(lessons.read_losses(player)))
    monkeypatch.setattr(lessons, "HANDS_LEAST", 2)
    made = sign_in_device(player_id=player.pk, method=SignInMethod.CODE, at=timezone.now())
    page = visit("/my/sign-in", locale=language)
    page.context.add_cookies([{"name": COOKIE, "value": made.token, "url": urljoin(page.url, "/")}])
    hand = f"/h/{loss.hand_id}/?record=1&trick={loss.cards[0]['place'] // 4 + 1}"
    found = {}
    for address in (LEARN, f"{LEARN}?n=1&card={loss.cards[0]['card']}", hand):
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[f"{address} at {width}"] = [str(over)] if (over := overflow(page)) > 0 else []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            settled(page)
            found[f"{address} {scheme}"] = violations(page, only_colours=False)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
