"""A night of two rounds: two phones follow their players, and one stays with its table."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.games.links import token_of
from scoring.games.nights import end_round, finish_night, start_round
from scoring.games.phones import end_phone
from scoring.games.table_codes import short_code_of
from scoring.models import Game, PlayerPhone, TableCode
from tests.scoring.club import DIRECTOR
from tests.tournaments.night import draw, make_night, play
from tests.web.conftest import PATIENCE
from tests.web.phones import Phone, Pockets, pockets
from tests.web.test_browser import look_at
from tests.web.window import publish_all
from tournaments.events.events import change_event
from tournaments.models import Entry, Event, Scope, TableSeat
from tournaments.publishing.versions import find_latest

__all__ = ["pockets"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event() -> Event:
    event = make_night(8, rounds=2, hands=1)
    draw(event)
    draw(event)
    start_round(event_id=event.pk, number=1, by=DIRECTOR, at=timezone.now())
    return event


def code(event: Event, number: int) -> str:
    found = token_of(TableCode.objects.get(event=event, number=number))
    assert found is not None
    return found


def name_at(event: Event, round_: int, table: int, seat: int) -> str:
    """What somebody is called at a table."""
    rows = TableSeat.objects.filter(round__event=event, round__number=round_, table__number=table)
    found = rows.select_related("entry__player__person").get(seat=seat)
    return found.entry.player.person.name


def sit(phone: Phone, name: str, *, stays: bool = False) -> Phone:
    """Say who one is; unless the phone stays on the table it follows them from now on."""
    phone.sees("Where do you sit?")
    place = phone.page.locator(".picture").get_by_role("button", name=re.compile(name))
    if stays:
        phone.tap("It stays on the table")
        phone.press(place)
        return phone
    with phone.page.expect_response(re.compile("/t/own"), timeout=PATIENCE) as answer:
        phone.press(place)
    assert answer.value.status == 201
    return phone


def close_round(event: Event, number: int) -> None:
    for game in Game.objects.filter(table__round__event=event, table__round__number=number):
        play(game, event.hands, number)
    end_round(event_id=event.pk, number=number, by=DIRECTOR, at=timezone.now())
    publish_all()


def seat_of(event: Event, round_: int, name: str) -> TableSeat:
    rows = TableSeat.objects.filter(round__event=event, round__number=round_)
    return rows.select_related("table").get(entry__player__person__name=name)


def test_nobody_scans_again(pockets: Pockets, event: Event) -> None:
    players = [name_at(event, 1, 1, 0), name_at(event, 1, 2, 3)]
    phones = [sit(pockets.phone(code(event, n)), name) for n, name in enumerate(players, 1)]
    lying = sit(pockets.phone(code(event, 1)), name_at(event, 1, 1, 2), stays=True)
    close_round(event, 1)
    event.refresh_from_db()
    change_event(
        event_id=event.pk,
        changes={"scoring": {"method": "wins"}},
        version=event.version,
        why="We agreed on wins.",
        by=DIRECTOR,
        at=timezone.now(),
    )
    publish_all()
    for phone, name in zip(phones, players, strict=True):
        next_seat = seat_of(event, 2, name)
        phone.look_again().sees(f"{name}, you are at", f"Table {next_seat.table.number}")
        phone.sees("The scoring was changed after hands were played: “We agreed on wins.”")
        phone.sees("After round 1", "Goes on by itself when round 2 starts.")
    lying.look_again().sees("Round 2 of 2", "Table 1")
    start_round(event_id=event.pk, number=2, by=DIRECTOR, at=timezone.now())
    for phone, name in zip(phones, players, strict=True):
        next_seat = seat_of(event, 2, name)
        phone.look_again().sees(f"ound 2, table {next_seat.table.number}")
        expect(phone.page.locator("body")).not_to_contain_text("Where do you sit?")
        phone.press(phone.page.locator(".headline .hand"))
        phone.sees(f"You are {name}.").tap("Close")
    sit(lying.look_again().sees("ound 2, table 1"), name_at(event, 2, 1, 1), stays=True)
    close_round(event, 2)
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=timezone.now())
    publish_all()
    for phone in phones:
        phone.look_again().sees("Your rounds", "My hands", "We agreed on wins.")
        own = phone.page.locator(".own-place")
        expect(own.locator("h2")).to_have_text(
            re.compile(r"Place =?[2-8] of 8|You (win the night|share first place)!")
        )
        total = own.locator(".own-total .away").inner_text()
        expect(own.locator(".own-total b")).to_have_text(total)
        expect(phone.page.locator(".podium li")).to_have_count(3)
    lying.look_again().sees("The night is over.").misses("Your rounds")


def test_the_phone_of_the_winner_lights_up(pockets: Pockets) -> None:
    night = make_night(4, rounds=1, hands=1)
    draw(night)
    start_round(event_id=night.pk, number=1, by=DIRECTOR, at=timezone.now())
    names = [name_at(night, 1, 1, seat) for seat in range(4)]
    phones = {name: sit(pockets.phone(code(night, 1)), name) for name in names}
    close_round(night, 1)
    finish_night(event_id=night.pk, version=None, by=DIRECTOR, at=timezone.now())
    publish_all()
    rows = {row["entry"]: row for row in find_latest(Scope.EVENT, night.pk).rows}
    for entry in Entry.objects.filter(event=night).select_related("player__person"):
        phone = phones[entry.player.person.name].look_again().sees("Your rounds")
        is_winner = rows[str(entry.pk)]["rank_from"] == 1
        expect(phone.page.locator(".winner .disc")).to_have_count(int(is_winner))
        if is_winner:
            look_at(phone.page, "night-end-winner")


def test_who_tapped_another_name_goes_back(pockets: Pockets, event: Event) -> None:
    wrong, right = (name_at(event, 1, 1, seat) for seat in (0, 1))
    phone = sit(pockets.phone(code(event, 1)), wrong)
    phone.press(phone.page.locator(".headline .hand"))
    phone.sees(f"You are {wrong}.")
    with phone.page.expect_response(re.compile("/t/leave"), timeout=PATIENCE):
        phone.tap("That is not me")
    sit(phone, right)
    assert not PlayerPhone.objects.filter(revoked_at=None, player__person__name=wrong).exists()


def test_a_phone_that_was_ended_says_so_and_comes_in_again(pockets: Pockets, event: Event) -> None:
    name = name_at(event, 1, 1, 0)
    phone = sit(pockets.phone(code(event, 1)), name)
    row = PlayerPhone.objects.get()
    end_phone(event_id=event.pk, phone_id=row.pk, by=DIRECTOR, at=timezone.now())
    expect(phone.look_again().page.locator(".badge")).to_have_text("Link closed", timeout=PATIENCE)
    phone.scan(code(event, 1))
    sit(phone, name)


def test_a_typed_code_opens_the_table_and_stays_in_no_address(
    pockets: Pockets, event: Event
) -> None:
    phone = pockets.phone()
    phone.page.goto("/table")
    short = str(short_code_of(TableCode.objects.get(event=event, number=2)))
    phone.page.get_by_label("Code of your table").fill(short.lower())
    phone.tap("Open the table")
    sit(phone, name_at(event, 1, 2, 1), stays=True).sees("ound 1, table 2")
    assert phone.page.url.endswith("/t/")
    phone.page.reload()
    phone.sees("ound 1, table 2")


def test_a_phone_that_follows_its_player_opens_their_season(pockets: Pockets, event: Event) -> None:
    name = name_at(event, 1, 1, 0)
    phone = sit(pockets.phone(code(event, 1)), name)
    phone.press(phone.page.locator(".headline .hand"))
    phone.tap("My season")
    expect(phone.page.get_by_role("heading", name=name)).to_be_visible(timeout=PATIENCE)
    assert phone.page.url.endswith("/my/")


def test_a_phone_that_lies_on_the_table_opens_nobodys_season(
    pockets: Pockets, event: Event
) -> None:
    name = name_at(event, 1, 1, 0)
    phone = sit(pockets.phone(code(event, 1)), name, stays=True)
    phone.press(phone.page.locator(".headline .hand"))
    phone.sees(f"You are {name}.").misses("My season")
