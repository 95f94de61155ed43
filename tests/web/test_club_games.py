"""Every game and hand of a public club is found by a stranger, and nothing that is hidden."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.models import Game
from tests.scoring.club import make_game, make_rules
from tests.web.texts import BICYCLE
from tests.web.window import Window, hand_with_cards, member_of
from tournaments.models import Event, Person, Shown

pytestmark = pytest.mark.django_db


def read(client: Client, address: str, **query: str) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return answer.content.decode()


def links(page: str, start: str) -> list[str]:
    return re.findall(rf'href="(/{start}/[^"?#]+)', page)


def test_a_stranger_gets_from_the_landing_page_to_a_replayed_card_in_three_clicks(
    client: Client, window: Window
) -> None:
    hand = hand_with_cards(window.club, BICYCLE)
    assert 'href="/clubs/"' in read(client, "/")
    club = links(read(client, "/clubs/"), "c")[0]
    shown = links(read(client, club), "h")
    assert shown == [f"/h/{hand.pk}/"]
    assert 'class="played' in read(client, shown[0])


def test_games_outside_events_are_listed_and_found_by_name(client: Client, window: Window) -> None:
    game = make_game(window.club, make_rules(window.club, "bicycle"))
    Game.objects.filter(pk=game.pk).update(name="At Nóra's kitchen table")
    address = f"/c/{window.club.pk}/games/"
    assert f"/g/{game.pk}/" in links(read(client, address), "g")
    found = read(client, f"/c/{window.club.pk}/", q="kitchen")
    assert f"/g/{game.pk}/" in links(found, "g")
    assert "Nothing with that name was found" not in found


def test_games_are_those_of_a_player_a_night_or_with_cards(client: Client, window: Window) -> None:
    hand = hand_with_cards(window.club, BICYCLE)
    address = f"/c/{window.club.pk}/games/"
    everything = set(links(read(client, address), "g"))
    assert {f"/g/{window.game.pk}/", f"/g/{hand.game_id}/"} <= everything
    empty = make_game(window.club, make_rules(window.club, "bicycle"))
    told = links(read(client, address, cards="1"), "g")
    assert f"/g/{hand.game_id}/" in told
    assert f"/g/{empty.pk}/" not in told
    night = set(links(read(client, address, event=str(window.event.pk)), "g"))
    assert night == everything - {f"/g/{hand.game_id}/"}
    own = set(links(read(client, address, player=str(window.players[0].pk)), "g"))
    assert own
    assert own <= everything
    assert f'{address}?player={window.players[0].pk}"' in read(client, window.addresses["player"])
    for wrong in ({"player": "nobody"}, {"event": str(window.club.pk)}):
        assert client.get(address, wrong).status_code == 404


def test_what_is_hidden_is_not_listed(client: Client, window: Window) -> None:
    address = f"/c/{window.club.pk}/games/"
    Event.objects.filter(pk=window.event.pk).update(is_hidden=True)
    assert links(read(client, address), "g") == []
    assert client.get(address, {"event": str(window.event.pk)}).status_code == 404
    assert links(read(member_of(window.club, "director"), address), "g")
    Person.objects.filter(player=window.players[0]).update(shown=Shown.HIDDEN)
    assert client.get(address, {"player": str(window.players[0].pk)}).status_code == 404


def test_as_many_queries_for_many_games_as_for_few(client: Client, window: Window) -> None:
    def count(address: str) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as made:
            read(client, address)
        return len(made)

    pages = f"/c/{window.club.pk}/games/", f"/c/{window.club.pk}/"
    hand_with_cards(window.club, BICYCLE)
    before = [count(page) for page in pages]
    for _ in range(3):
        hand_with_cards(window.club, BICYCLE)
    assert [count(page) for page in pages] == before
