"""People of one name on the pages for everybody: by their numbers, and by nothing else of them."""

import html
import re

import pytest
from django.test import Client

from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import check_in, draw, make_event, play, start
from tests.web.window import Window, make_window, member_of, publish_all
from tournaments.core.name_folding import fold_name
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import Person, TableSeat

pytestmark = pytest.mark.django_db

FULL = ("Klein, Anna", "Kurz, Anna")
"""Two names, which strangers see as one."""


@pytest.fixture(scope="module")
def night(module_db: None) -> Window:
    """One night in which everybody is called Anna K., and every second one by the same name."""
    made = make_window()
    for player in made.players:
        name = FULL[player.number % 2]
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    publish_all()
    return made


def read(client: Client, address: str, **more: str) -> str:
    answer = client.get(address, more)
    assert answer.status_code == 200, (address, answer.status_code)
    text = re.sub(r"<[^>]*>", " ", answer.content.decode())
    return re.sub(r"\s+", " ", html.unescape(text))


def numbers(page: str, name: str) -> set[int]:
    """The numbers behind a name, which nowhere stands without one."""
    found = re.findall(re.escape(name) + r" \((\d+)\)", page)
    assert len(found) == page.count(name), page
    return {int(one) for one in found}


def sitting(window: Window) -> set[int]:
    """The numbers of those at the table that is opened."""
    seats = TableSeat.objects.filter(table__games=window.game.pk)
    return set(seats.values_list("entry__player__number", flat=True))


def everybody(window: Window) -> set[int]:
    return {player.number for player in window.players}


def test_strangers_tell_everybody_apart_on_every_page(client: Client, window: Window) -> None:
    seen = {name: read(client, address) for name, address in window.addresses.items()}
    for name in ("event", "projector", "league"):
        assert numbers(seen[name], "Anna K.") == everybody(window), name
    for name in ("game", "hand"):
        assert numbers(seen[name], "Anna K.") == sitting(window), name
    assert numbers(seen["player"], "Anna K.") == {window.players[0].number}
    found = read(client, window.addresses["club"], q="anna k")
    assert numbers(found, "Anna K.") == everybody(window)
    live = read(client, window.addresses["event"], part="live")
    assert numbers(live, "Anna K.") == everybody(window)
    framed = read(client, f"{window.addresses['hand']}embed/")
    assert numbers(framed, "Anna K.") == sitting(window)


def test_members_tell_those_apart_who_share_a_whole_name(window: Window) -> None:
    member = member_of(window.club)
    for name in ("event", "projector", "league"):
        page = read(member, window.addresses[name])
        for parity, full in enumerate(FULL):
            told = {one for one in everybody(window) if one % 2 == parity}
            assert numbers(page, full) == told, (name, full)
    table = read(member, window.addresses["game"])
    assert numbers(table, FULL[0]) | numbers(table, FULL[1]) == sitting(window)
    met = read(member, window.addresses["player"])
    assert numbers(met, FULL[0]) | numbers(met, FULL[1]) <= everybody(window)


def test_who_is_alone_with_his_name_has_no_number(client: Client, window: Window) -> None:
    alone = window.players[0]
    Person.objects.filter(player=alone).update(name="Zoë Grün", sought="zoe grun")
    page = read(client, window.addresses["event"])
    assert "Zoë G." in page
    assert "Zoë G. (" not in page


def test_who_hides_his_name_gives_nobody_a_number(client: Client, window: Window) -> None:
    one, other, *rest = window.players
    for player in rest:
        name = f"Somebody {player.number}"
        Person.objects.filter(player=player).update(name=name, shown="full")
    Person.objects.filter(player=one).update(shown="hidden")
    page = read(client, window.addresses["event"])
    assert f"Player {one.number}" in page
    assert "Anna K." in page
    assert "Anna K. (" not in page
    Person.objects.filter(player=other).update(shown="full")
    Person.objects.filter(player=one).update(shown="short")
    page = read(client, window.addresses["event"])
    assert "Anna K. (" not in page


def test_a_board_tells_them_apart(client: Client, window: Window) -> None:
    event = make_event(
        window.club, rounds=1, hands=1, duplicate=True, sizes=[4], scoring={"method": "matchpoints"}
    )
    check_in(event, window.players)
    draw(event)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    for game in start(event, 1):
        play(game, 1)
    page = read(client, f"/e/{event.pk}/boards/1/")
    assert numbers(page, "Anna K.") == everybody(window)
