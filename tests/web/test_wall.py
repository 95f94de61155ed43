"""The wall of a room: the clock, who sits where, and tables in two columns that fill it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.games.nights import finish_night
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_players,
    state_of,
)
from tests.tournaments.night import draw, make_event, make_night, play, play_round, start
from tests.tournaments.publishing.test_leagues import make_league, play_night
from tests.web.test_desk_nights import text_of, words
from tests.web.window import make_window, publish_all
from tournaments.events import leagues
from tournaments.events.round_clocks import pause_clock, start_clock
from tournaments.models import Club, Event, Person, Result, Round, RuleSet
from tournaments.web.wall import WallName, _screens, split_names

pytestmark = pytest.mark.django_db


def public_night(players: int, **fields: Any) -> tuple[Event, str]:
    event = make_night(players, **fields)
    Club.objects.update(is_public=True)
    draw(event)
    return event, f"/e/{event.pk}/?view=projector"


def columns(page: Any, cell: str) -> list[int]:
    """How many rows each column has."""
    tables = text_of(page).split("<table")[1:]
    return [len(re.findall(cell, table)) for table in tables]


def test_before_a_round_is_played_everybody_finds_their_seat(client: Client) -> None:
    _event, path = public_night(20, rounds=2)
    page = client.get(path)
    assert columns(page, r'<th scope="row">') == [10, 10]
    names = re.findall(r'<th scope="row">\s*<bdi>([^<]+)</bdi>', text_of(page))
    assert names == sorted(names)


def test_who_sits_out_is_told_so(client: Client) -> None:
    _event, path = public_night(5, rounds=1, sizes=[4], sit_outs=True)
    assert words(client.get(path)).count("sits out") == 1


def test_with_the_first_hand_the_standings_take_the_place_of_the_seats(client: Client) -> None:
    event, path = public_night(36, rounds=1)
    games = start(event, 1)
    assert "seats-table" in text_of(client.get(path))
    play(games[0], 1)
    publish_all()
    page = client.get(path)
    assert "seats-table" not in text_of(page)
    assert columns(page, r'<th scope="row">') == [18, 18]
    assert text_of(page).count('class="screen rows-18"') == 1
    assert "1 of 18 hands" in words(page)


def test_the_largest_jackpot_that_is_played_for_is_shown_with_its_table(client: Client) -> None:
    event, path = public_night(8, rounds=1, hands=4)
    first, second = start(event, 1)
    assert "jackpot" not in words(client.get(path))
    enter(first, chip_hand(state_of(first), (13, 0, 0, 0), bid=9))
    enter(second, chip_hand(state_of(second), (4, 3, 3, 3)))
    publish_all()
    Result.objects.filter(game=first.pk).update(won=1)
    assert second.table is not None
    pot = Result.objects.filter(game=second.pk).values_list("pot", flat=True)[0]
    assert f"{pot} jackpot table {second.table.number}, now" in words(client.get(path))
    RuleSet.objects.update(overrides={"zero_clean": "carry_with_auction"})
    assert "jackpot" not in words(client.get(path))


def test_places_moved_since_the_round_before_are_told(client: Client) -> None:
    event, path = public_night(8, rounds=2, seed="wall")
    play_round(event, 1)
    publish_all()
    Round.objects.filter(event=event, number=2).update(drawn_at=timezone.now())
    games = start(event, 2)
    Round.objects.filter(event=event, number=2).update(started_at=timezone.now())
    for game in games:
        play(game, 2, "another")
    publish_all()
    page = client.get(path)
    assert re.findall(r'<th scope="col"\s+class="number">(\w+)</th>', text_of(page))[:2] == [
        "R1",
        "R2",
    ]
    up, down = (
        [int(one) for one in re.findall(rf"{mark}([0-9]+)<", text_of(page))] for mark in "▲▼"
    )
    assert up
    assert down


def test_the_wall_shows_all_rounds_and_at_the_end_the_next_night(client: Client) -> None:
    event, path = public_night(4, rounds=5, hands=1)
    for number in range(1, 6):
        if number > 1:
            draw(event)
        play_round(event, number)
    publish_all()
    titles = re.findall(r'<th scope="col"\s+class="number">R?(\d)', text_of(client.get(path)))
    assert titles == ["1", "2", "3", "4", "5"]
    soon = timezone.now() + timedelta(days=7)
    coming = make_event(event.club, name="Spring night", starts_at=soon)
    make_event(event.club, name="A secret night", starts_at=timezone.now(), is_hidden=True)
    before = client.get(f"{path}&part=live")
    assert "Spring night" not in words(before)
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=timezone.now())
    publish_all()
    ended = client.get(f"{path}&part=live")
    assert "Next night Spring night" in words(ended)
    assert "Replay the night" in words(client.get(path))
    Event.objects.filter(pk=coming.pk).update(is_hidden=True)
    assert "Spring night" not in words(client.get(f"{path}&part=live"))


def test_rounds_leave_the_wall_before_a_name_is_cut(client: Client) -> None:
    event, path = public_night(4, rounds=5, hands=1)
    for number in range(1, 6):
        if number > 1:
            draw(event)
        play_round(event, number)
    person = Person.objects.filter(player__club=event.club)[0]
    Person.objects.filter(pk=person.pk).update(name="Maximiliana Theodora")
    publish_all()
    page = text_of(client.get(path))
    assert "Maximiliana T." in page
    titles = re.findall(r'<th scope="col"\s+class="number">R?(\d)', page)
    assert titles == ["2", "3", "4", "5"]


def test_the_clock_is_on_the_wall_and_a_pause_is_news(client: Client) -> None:
    event, path = public_night(4, rounds=1)
    without = client.get(f"{path}&part=live")
    assert "round-clock" not in text_of(without)
    start_clock(event_id=event.pk, minutes=35, by=DIRECTOR, at=timezone.now())
    running = client.get(f"{path}&part=live", headers={"If-None-Match": without["ETag"]})
    assert running.status_code == 200
    assert "data-ends-at" in text_of(running)
    same = client.get(f"{path}&part=live", headers={"If-None-Match": running["ETag"]})
    assert same.status_code == 304
    pause_clock(event_id=event.pk, by=DIRECTOR, at=at(1))
    paused = client.get(f"{path}&part=live", headers={"If-None-Match": running["ETag"]})
    assert paused.status_code == 200
    assert "is-paused" in text_of(paused)


@pytest.mark.parametrize(
    ("people", "rows"),
    [
        (0, []),
        (1, [[1]]),
        (16, [[16]]),
        (17, [[9, 8]]),
        (40, [[20, 20]]),
        (41, [[11, 11], [11, 8]]),
    ],
)
def test_sixteen_people_fill_a_column_forty_a_screen_and_more_go_by(
    people: int, rows: list[list[int]]
) -> None:
    found = [[len(column) for column in one.columns] for one in _screens(range(people))]
    assert found == rows


def test_the_wall_of_a_league_has_its_table_and_the_next_night(client: Client) -> None:
    window = make_window()
    coming = make_event(window.club, name="Next week")
    leagues.add_session(league_id=window.league.pk, event=coming.pk, by=DIRECTOR, at=at())
    publish_all()
    page = client.get(f"{window.addresses['league']}?view=projector")
    told = words(page)
    assert "Winter" in told
    assert "after 1 night" in told
    assert "Next night Next week" in told
    assert columns(page, r'<th scope="row">') == [8]
    part = client.get(f"{window.addresses['league']}?view=projector&part=live")
    assert "wall-table" in text_of(part)
    assert part["ETag"]


def test_namesakes_are_told_apart_by_what_is_not_cut() -> None:
    names = ["Ann Lee", "Johanna Meyer (3)", "Johanna Meyer (12)", "Johanna Mertens", "Jo"]
    names += ["Hohenstauffenberger", "Hohenstauffenbergen"]
    found = split_names(names)
    assert found["Ann Lee"] == WallName("Ann Lee")
    assert found["Jo"] == WallName("Jo")
    assert found["Johanna Mertens"] == WallName("Johanna ", "Mertens")
    assert found["Johanna Meyer (3)"].end.endswith("(3)")
    assert found["Hohenstauffenberger"].end == "nberger"
    for name, split in found.items():
        assert split.start + split.end == name
    ends = [split.end for split in found.values() if split.end]
    assert len(set(ends)) == len(ends)
    assert split_names(["♠♥♦♣♠♥♦♠", "♠♥♦♣♠♥♦♥"])["♠♥♦♣♠♥♦♠"] == WallName("♠", "♥♦♣♠♥♦♠")


def test_nights_that_do_not_count_are_struck_on_the_projector_too(client: Client) -> None:
    club = make_club()
    Club.objects.update(is_public=True)
    players = make_players(club, 4)
    league = make_league(club, season={"rule": "best_n", "best": 1})
    for taken in ((13, 0, 0, 0), (0, 13, 0, 0)):
        play_night(league, players, taken)
    publish_all()
    page = text_of(client.get(f"/l/{league.pk}/?view=projector"))
    assert page.count("<s>") == 4
    assert page.count("does not count") == 4
