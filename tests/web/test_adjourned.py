"""Tables that are finished another day, on the pages: the desk's tiles, standings, the wall."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Game, Phase
from tests.tournaments.night import play
from tests.tournaments.publishing.nights import Clock, publish_all
from tests.web.desk import Director
from tests.web.test_desk_floor import playing
from tests.web.test_desk_nights import words
from tournaments.models import Club, Event, Round, Stage

pytestmark = pytest.mark.django_db


def press(director: Director, game: Game, button: str, **values: Any) -> Any:
    """Press a button of the section *Finish another day* of a table's page."""
    path = f"/desk/games/{game.pk}/"
    forms = [form for form in director.forms(path) if form.action == path]
    at = {"end": 0, "play_on": 1, "adjourn": -1}[button]
    return director.send(forms[at], **{button: "1"}, **values)


Night = tuple[Director, Event, list[Game], str]


@pytest.fixture
def night() -> Night:
    """Two tables of a round: the first has one of two hands, the second both."""
    director, event, games, path = playing(rounds=2)
    Club.objects.update(is_public=True)
    play(games[0], 1)
    play(games[1], 2)
    return director, event, games, path


def test_a_table_is_finished_another_day_from_its_tile_and_the_round_closes(night: Night) -> None:
    director, event, games, path = night
    day = timezone.localdate() + timedelta(days=6)
    assert f'href="/desk/games/{games[0].pk}/#another-day"' in director.get(path).content.decode()
    told = press(director, games[0], "adjourn", finish_on=str(day), why="Ben has a train to catch.")
    assert told.status_code == 302, words(told)
    floor = words(director.get(path))
    assert "another day" in floor
    assert "All tables are done" in floor
    director.fill(path, "close", round="1")
    assert Round.objects.get(event=event, number=1).stage == Stage.CLOSED
    after = words(director.get(path))
    assert "Round 1, table 1 will be finished on" in after
    assert "Ben has a train to catch." in words(director.get(f"/desk/games/{games[0].pk}/"))


def test_it_plays_on_while_its_round_does(night: Night) -> None:
    director, _event, games, path = night
    press(director, games[0], "adjourn")
    assert "All tables are done" in words(director.get(path))
    told = press(director, games[0], "play_on")
    assert told.status_code == 302, words(told)
    assert "All tables are done" not in words(director.get(path))


def test_results_are_not_official_before_its_game_is_ended() -> None:
    director, _event, games, path = playing(rounds=1)
    play(games[0], 1)
    play(games[1], 2)
    press(director, games[0], "adjourn")
    refused = director.fill(path, "official")
    assert "table 1 of round 1 will be finished another day" in words(refused)
    director.fill(path, "close", round="1")
    refused = press(director, games[0], "end")
    assert "table 1 has played 1 of 2 hands" in words(refused)
    told = press(director, games[0], "end", why="Nobody came again.")
    assert told.status_code == 302, words(told)
    games[0].refresh_from_db()
    assert games[0].phase == Phase.CLOSED
    told = director.fill(path, "official")
    assert told.status_code == 302, words(told)


def test_page_wall_and_print_say_until_when_standings_are_provisional(night: Night) -> None:
    director, event, games, path = night
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    publish_all(Clock())
    said = "Provisional: table 1 of round 1 will be finished another day"
    for address in (f"/e/{event.pk}/", f"/e/{event.pk}/?view=projector"):
        page = words(Client().get(address))
        assert f"{said}. The hands played so far count." in page
        assert "won the night" not in page
