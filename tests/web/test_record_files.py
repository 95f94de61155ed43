"""Files of records on public pages: what a page shows, and nothing else."""

import json
import re

import pytest
from django.test import Client

from engine.notation.reader import Reader, RecordEntry
from scoring.games import nights
from scoring.models import Game, Hand
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import check_in, draw, make_event, play, start
from tests.web.texts import REVOKE
from tests.web.window import NAMES, Window, hand_with_cards, make_window, member_of
from tournaments.events import events
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import Event, Person

pytestmark = pytest.mark.django_db


def files(window: Window) -> dict[str, str]:
    return {
        "event": f"/e/{window.event.pk}/hands.phn",
        "game": f"/g/{window.game.pk}/hands.phn",
        "hand": f"/h/{window.hand.pk}/hand.phn",
    }


def read(client: Client, address: str) -> list[RecordEntry]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return list(Reader(answer.content).records())


def test_every_hand_game_and_night_is_taken_away_and_copied(client: Client, window: Window) -> None:
    pages = {"event": f"/e/{window.event.pk}/", "game": f"/g/{window.game.pk}/"}
    pages["hand"] = f"/h/{window.hand.pk}/"
    for name, page in pages.items():
        html = client.get(page).content.decode()
        for form in ("phn", "json", "pbn"):
            address = files(window)[name].replace(".phn", f".{form}")
            assert f'href="{address}"' in html
            assert client.get(address).status_code == 200
        assert re.search(rf'<button[^>]*data-address="{files(window)[name]}"', html)
        assert "js/copying.js" in html


def test_a_file_has_the_hands_of_its_page(client: Client, window: Window) -> None:
    hands = Hand.objects.filter(game__table__round__event=window.event)
    assert len(read(client, files(window)["event"])) == hands.count()
    assert len(read(client, files(window)["game"])) == window.game.hand_rows.count()
    (entry,) = read(client, files(window)["hand"])
    assert entry.value("Event") == window.event.name
    assert (entry.value("Round"), entry.value("Board")) == ("2", str(window.hand.number))
    data = json.loads(client.get(files(window)["hand"].replace("phn", "json")).content)
    assert len(data["records"]) == 1
    pbn = client.get(files(window)["game"].replace("phn", "pbn")).content
    assert pbn.startswith(b"% PBN 2.1")
    assert b'[Board "1"]' in pbn


def test_the_name_of_a_file_says_what_it_is(client: Client, window: Window) -> None:
    name = client.get(files(window)["hand"])["Content-Disposition"]
    assert name == (
        'attachment; filename="leiden-hearts-2026-11-20-league-night-round-2-table-1-hand-1.phn"'
    )


def test_who_has_the_file_gets_no_second_copy(client: Client, window: Window) -> None:
    member = member_of(window.club)
    for address in (files(window)["event"], files(window)["game"]):
        first = client.get(address)
        tag = {"If-None-Match": first["ETag"]}
        assert client.get(address, headers=tag).status_code == 304
        assert "private" in first["Cache-Control"]
        assert member.get(address, headers=tag).status_code == 200
        before = len(read(client, address))
        play(window.game, 1)
        assert len(read(client, address)) == before + 1
        assert client.get(address, headers=tag).status_code == 200


def test_strangers_get_names_as_pages_show_them(client: Client, window: Window) -> None:
    member = member_of(window.club)
    for name, address in files(window).items():
        text = client.get(address).content.decode()
        assert not [full for full in NAMES if full in text], name
        assert "SeatTable" not in text
        assert "ConfirmationTable" not in text
        in_full = member.get(address).content.decode()
        assert all(full in in_full for full in window.names_at_the_table), name
    Person.objects.filter(player=window.players[0]).delete()
    for one in (client, member):
        text = one.get(files(window)["event"]).content.decode()
        assert f"Former member {window.players[0].number}" in text
        assert "Wilhelmina" not in text


def test_strangers_get_nothing_that_somebody_wrote(client: Client, window: Window) -> None:
    free = '[Recorder "Zoë Grün"]\n[X_Note "call 06-1234"]\n{Bo was late}\n[Seats'
    hand = hand_with_cards(window.club, REVOKE.replace("[Seats", free))
    address = f"/h/{hand.pk}/hand.phn"
    (entry,) = read(client, address)
    text = client.get(address).content.decode()
    for words in ("Zoë", "06-1234", "Bo was late"):
        assert words not in text
    assert entry.record is not None
    assert entry.record.play
    for name in re.findall(r'\[(?:North|East|South|West) "([^"]+)"\]', REVOKE):
        assert name not in text
    assert "Bo was late" in member_of(window.club).get(address).content.decode()


def test_what_strangers_may_not_know_of_is_no_file(client: Client, window: Window) -> None:
    private = make_window("Hidden Hearts", is_public=False)
    for address in files(private).values():
        assert client.get(address).status_code == 404
    change = {"is_hidden": True}
    version = Event.objects.get(pk=window.event.pk).version
    events.change_event(
        event_id=window.event.pk, changes=change, version=version, by=DIRECTOR, at=at()
    )
    member = member_of(window.club)
    for address in files(window).values():
        assert client.get(address).status_code == 404
        assert member.get(address).status_code == 200


def test_a_record_that_is_no_part_of_its_game_is_no_file(client: Client, window: Window) -> None:
    waiting = Hand.objects.create(game=window.game, number=9, entered_at=at())
    assert client.get(f"/h/{waiting.pk}/hand.phn").status_code == 404
    assert client.get(f"/h/{window.game.pk}/hand.phn").status_code == 404
    assert client.get(f"/g/{window.hand.pk}/hands.phn").status_code == 404
    assert client.get(f"/e/{window.hand.pk}/hands.phn").status_code == 404


def test_a_board_is_no_file_while_others_play_it(client: Client, window: Window) -> None:
    event = make_event(
        window.club, rounds=1, hands=1, duplicate=True, sizes=[4], scoring={"method": "matchpoints"}
    )
    check_in(event, window.players)
    draw(event)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    games = start(event, 1)
    play(games[0], 1)
    hand = Hand.objects.get(game=games[0])
    addresses = [
        f"/h/{hand.pk}/hand.phn",
        f"/g/{games[0].pk}/hands.json",
        f"/e/{event.pk}/hands.pbn",
    ]
    member, director = member_of(window.club), member_of(window.club, "director")
    for address in addresses:
        assert client.get(address).status_code == 404, address
        assert member.get(address).status_code == 404, address
        assert director.get(address).status_code == 200, address
    assert addresses[0] not in client.get(f"/h/{hand.pk}/").content.decode()
    play(games[1], 1)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(9))
    for address in addresses:
        assert client.get(address).status_code == 200, address
    assert len(read(client, f"/e/{event.pk}/hands.phn")) == 2
    assert Game.objects.get(pk=games[0].pk).hands == 1
