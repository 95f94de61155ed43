"""What is said of a disputed hand names no card that other tables have still to play."""

import pytest
from django.test import Client

from scoring.games import nights
from scoring.models import Game, Hand
from tests.scoring.club import DIRECTOR, at, enter
from tests.tournaments.night import check_in, draw, make_event, play, start
from tests.web.texts import REVOKE
from tests.web.window import Window, member_of
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import Event

pytestmark = pytest.mark.django_db
WORDS = "does not follow"


def disputed(window: Window) -> tuple[Event, list[Game], Hand]:
    """The first table's hand of a board that the second has still to play."""
    event = make_event(
        window.club, rounds=1, hands=1, duplicate=True, sizes=[4], scoring={"method": "matchpoints"}
    )
    check_in(event, window.players)
    draw(event)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    games = start(event, 1)
    return event, games, enter(games[0], REVOKE.encode(), number=1).hand


def told(client: Client, hand: Hand) -> dict[str, str]:
    """What the pages and the API say of it, by address."""
    addresses = (
        f"/h/{hand.pk}/",
        f"/g/{hand.game_id}/",
        f"/api/v1/hands/{hand.pk}",
        f"/api/v1/games/{hand.game_id}/hands",
    )
    return {address: client.get(address).content.decode() for address in addresses}


def test_until_all_have_played_them(window: Window) -> None:
    event, games, hand = disputed(window)
    assert hand.state == "disputed"
    assert WORDS in hand.reason
    member, director = member_of(window.club), member_of(window.club, "director")
    for who in (member, Client()):
        for address, text in told(who, hand).items():
            assert WORDS not in text, address
            assert "disputed" in text.lower(), address
    assert [address for address, text in told(director, hand).items() if WORDS not in text] == []
    play(games[1], 1)
    nights.end_round(event_id=event.pk, number=1, why="late", by=DIRECTOR, at=at(9))
    assert WORDS in told(member, hand)[f"/api/v1/hands/{hand.pk}"]
