"""Calling the director: from the phone's page until somebody takes the call at the desk."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from scoring.games import director_calls
from scoring.games.links import make_links
from scoring.games.nights import end_round, start_round
from scoring.models import DirectorCall, Game
from tests.scoring.club import DIRECTOR, make_game
from tests.tournaments.night import draw, make_night
from tests.web.desk import Director, director_of
from tests.web.phones import Pockets, pockets
from tests.web.test_browser import look_at
from tests.web.test_desk_nights import text_of, words
from tournaments.models import AuditEntry, Club, Event, Round, Stage

__all__ = ["pockets"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """A night whose first round is played at two tables."""
    event = make_night(8, rounds=2, hands=1)
    draw(event)
    draw(event)
    start_round(event_id=event.pk, number=1, by=DIRECTOR, at=timezone.now())
    return event


@pytest.fixture
def game(event: Event) -> Game:
    return Game.objects.get(table__round__event=event, table__number=1)


class Table:
    """A phone that lies on the table of a game."""

    def __init__(self, game: Game) -> None:
        made = make_links(game_id=game.pk, seats=[None], by=DIRECTOR, at=timezone.now())
        self.client, self.shown = Client(), {"authorization": f"Seat {made[0].token}"}

    def send(self, reason: Any = "ruling", seat: str = "?seat=N") -> Any:
        body = json.dumps({"reason": reason})
        return self.client.post(
            f"/t/call{seat}", body, content_type="application/json", headers=self.shown
        )

    def withdraw(self) -> Any:
        return self.client.delete("/t/call", headers=self.shown)

    def hears(self) -> Any:
        return self.client.get("/t/news", headers=self.shown).json()["call"]


def desk_of(event: Event) -> tuple[Director, str]:
    return director_of(event.club), f"/desk/events/{event.pk}/"


def tasks(page: Any) -> list[str]:
    return re.findall(r'data-task="(call [^"]+)"', text_of(page))


def test_a_call_stands_at_the_desk_with_table_and_reason_until_it_is_taken(
    event: Event, game: Game
) -> None:
    table = Table(game)
    assert table.hears() is None
    assert table.send("absence").status_code == 201
    assert table.hears()["reason"] == "absence"
    director, path = desk_of(event)
    page = director.get(path)
    assert len(tasks(page)) == 1
    assert "Table 1 calls you" in words(page)
    assert "says that somebody is missing or leaves" in words(page)
    director.fill(path, "/call/", call=str(game.pk))
    assert tasks(director.get(path)) == []
    assert table.hears()["is_taken"]


def test_a_call_is_withdrawn_at_the_table_and_leaves_the_desk(event: Event, game: Game) -> None:
    table = Table(game)
    table.send()
    assert table.withdraw().json() == {"call": None}
    assert table.withdraw().status_code == 200
    director, path = desk_of(event)
    assert tasks(director.get(path)) == []
    said = AuditEntry.objects.filter(chain=game.pk, what__contains="director")
    assert [entry.what for entry in said.order_by("number")] == [
        "director called",
        "call for the director withdrawn",
    ]


def test_a_second_tap_changes_nothing_and_another_reason_takes_its_place(game: Game) -> None:
    table = Table(game)
    table.send()
    first = DirectorCall.objects.get().called_at
    table.send()
    assert DirectorCall.objects.get().called_at == first
    table.send("other")
    assert DirectorCall.objects.get().reason == "other"
    assert AuditEntry.objects.filter(what="director called").count() == 2


def test_a_table_can_call_again_after_its_call_was_taken(event: Event, game: Game) -> None:
    table = Table(game)
    table.send()
    director_calls.take_call(event_id=event.pk, game_id=game.pk, by=DIRECTOR, at=timezone.now())
    table.send()
    assert not table.hears()["is_taken"]


def test_the_director_is_called_between_two_rounds_too(event: Event, game: Game) -> None:
    table = Table(game)
    end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=timezone.now())
    director, path = desk_of(event)
    page = director.get(path).content.decode()
    assert 'id="floor"' in page, "the page asks for news between the rounds too"
    assert 'data-live="tasks"' in page
    assert table.send().status_code == 201
    assert len(tasks(director.get(path))) == 1


def test_a_call_needs_a_link_a_known_reason_and_an_event(game: Game) -> None:
    table = Table(game)
    assert table.send("thirst").status_code == 400
    assert table.send(seat="?seat=Z").status_code == 422
    assert Client().post("/t/call", "{}", content_type="application/json").status_code == 404
    assert Client().get("/t/call").status_code == 405
    alone = Table(make_game(game.club))
    answer = alone.send()
    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "This game is part of no event.",
    )
    assert not DirectorCall.objects.exists()


def test_the_call_of_another_night_is_not_taken(event: Event, game: Game) -> None:
    Table(game).send()
    other = make_night(4, club=event.club)
    director_calls.take_call(event_id=other.pk, game_id=game.pk, by=DIRECTOR, at=timezone.now())
    assert DirectorCall.objects.get().taken_at is None


def test_calls_are_deleted_after_a_week(game: Game) -> None:
    Table(game).send()
    called_at = DirectorCall.objects.get().called_at
    week = director_calls._KEPT_FOR
    assert director_calls.delete_old_calls(at=called_at + week / 2) == 0
    assert director_calls.delete_old_calls(at=called_at + week) == 1


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_phone_calls_the_director_says_so_and_withdraws_it(
    event: Event, game: Game, pockets: Pockets
) -> None:
    made = make_links(game_id=game.pk, seats=[0], by=DIRECTOR, at=timezone.now())
    phone = pockets.phone().scan(made[0].token)
    phone.tap("Call the director")
    look_at(phone.page, "phone-director")
    phone.tap("A wrong hand to correct")
    phone.sees("The director is called: A wrong hand to correct.")
    assert DirectorCall.objects.get().seat == 0
    phone.tap("Withdraw the call")
    expect(phone.page.get_by_role("button", name="A ruling")).to_be_visible()
    assert not DirectorCall.objects.exists()
    phone.context.set_offline(True)
    phone.tap("A ruling")
    phone.sees("No network: the director was not called.")
    assert not DirectorCall.objects.exists()
    phone.context.set_offline(False)
    phone.tap("A ruling")
    phone.sees("The director is called: A ruling.")
    director_calls.take_call(event_id=event.pk, game_id=game.pk, by=DIRECTOR, at=timezone.now())
    phone.sees("The director has seen it and comes.")


def test_the_wall_says_which_tables_call_if_the_night_lets_it(event: Event, game: Game) -> None:
    Club.objects.update(is_public=True)
    wall, said = f"/e/{event.pk}/?view=projector", "Table 1 calls the director"
    Table(game).send()
    silent = Client().get(wall)
    assert said not in words(silent)
    Event.objects.update(shows_calls=True)
    shown = Client().get(wall)
    assert said in words(shown)
    assert said not in words(Client().get(f"/e/{event.pk}/"))
    Table(Game.objects.get(table__round__event=event, table__number=2)).send()
    assert "Tables 1, 2 call the director" in words(Client().get(wall))
    for one in Game.objects.filter(table__round__event=event):
        director_calls.take_call(event_id=event.pk, game_id=one.pk, by=DIRECTOR, at=timezone.now())
    assert "the director" not in words(Client().get(wall))


def test_the_wall_names_the_round_of_a_table_that_calls_from_an_earlier_one(
    event: Event, game: Game
) -> None:
    Club.objects.update(is_public=True)
    Event.objects.update(shows_calls=True)
    earlier = game.table
    assert earlier is not None
    Round.objects.filter(pk=earlier.round_id).update(stage=Stage.CLOSED)
    Table(game).send()
    wall = f"/e/{event.pk}/?view=projector"
    assert "Table 1 (round 1) calls the director" in words(Client().get(wall))
    desk = director_of(event.club)
    assert "Table 1 (round 1) calls you" in text_of(desk.get(f"/desk/events/{event.pk}/"))


def test_the_wall_hears_of_a_call_at_its_next_look(event: Event, game: Game) -> None:
    Club.objects.update(is_public=True)
    Event.objects.update(shows_calls=True)
    live = f"/e/{event.pk}/?part=live&view=projector"
    seen = Client().get(live)
    assert Client().get(live, headers={"If-None-Match": seen["ETag"]}).status_code == 304
    Table(game).send()
    again = Client().get(live, headers={"If-None-Match": seen["ETag"]})
    assert "Table 1 calls the director" in words(again)
