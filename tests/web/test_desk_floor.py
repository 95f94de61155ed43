"""The floor at the desk: the clock, tables with people in their seats, and what waits."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.games.director_calls import call_director
from scoring.games.links import make_links
from scoring.hands.agreements import object_to_hand
from scoring.models import CallReason, Game, Hand, SeatLink
from scoring.models.states import read_state
from tests.scoring.club import DIRECTOR, START, at, chip_hand, enter, seat, state_of
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import Director, director_of
from tests.web.test_desk_nights import text_of, words
from tournaments.events.round_clocks import find_clock, start_clock
from tournaments.models import Event, Person, Player, RoundClock

pytestmark = pytest.mark.django_db

QUERIES_MAX = 24
NAMES = ("Lea Lang", "Ada Adler", "Max Unger", "Max Moser")


def playing(players: int = 8, **fields: Any) -> tuple[Director, Event, list[Game], str]:
    event = make_night(players, **fields)
    for player, name in zip(Player.objects.order_by("number"), NAMES, strict=False):
        Person.objects.filter(player=player).update(name=name)
    draw(event)
    games = start(event, 1)
    return director_of(event.club), event, games, f"/desk/events/{event.pk}/"


def tasks(page: Any) -> list[str]:
    return re.findall(r'data-task="([^"]+)"', text_of(page))


def test_people_stand_where_they_sit_by_their_first_names() -> None:
    director, _event, (game,), path = playing(4)
    play(game, 1)
    page = director.get(path)
    shown = re.findall(r'class="at-(\w+)">\s*<bdi>([^<]+)</bdi>', text_of(page))
    assert [place for place, _name in shown] == ["N", "E", "S", "W"]
    assert sorted(name for _place, name in shown) == ["Ada", "Lea", "Max M.", "Max U."]
    assert "hand 2 of 2" in words(page)


def test_the_desk_says_when_it_is_fair_to_stop() -> None:
    director, _event, games, path = playing(8, hands=6)
    page = words(director.get(path))
    assert "fair to stop in 4 hands at 2 tables" in page
    assert page.count("fair to stop in 4 hands") == 3
    for _hand in range(3):
        enter(games[0], chip_hand(state_of(games[0]), [5, 4, 4, 0]))
    floor = words(director.get(f"{path}floor/"))
    assert "fair to stop after this hand at 1 table" in floor
    assert floor.count("fair to stop after this hand") == 2
    enter(games[0], chip_hand(state_of(games[0]), [5, 4, 4, 0]))
    assert "fair to stop now at 1 table" in words(director.get(f"{path}floor/"))
    enter(games[0], chip_hand(state_of(games[0]), [5, 4, 4, 0]))
    # The next time is after the last hand of the round.
    assert words(director.get(f"{path}floor/")).count("fair to stop in") == 2


def test_a_hand_in_dispute_is_one_task_however_many_records_there_are() -> None:
    director, _event, (game, _other), path = playing()
    play(game, 1)
    first = Hand.objects.get(game=game)
    object_to_hand(hand_id=first.pk, version=1, why="4 <hearts>", by=seat(1), at=at(2))
    said = director.get(path)
    assert [one for one in tasks(said) if "slow" not in one] == ["dispute 1 1"]
    assert "says: “4 &lt;hearts&gt;”" in text_of(said)
    assert f'href="/desk/hands/{first.pk}/"' in text_of(said)
    rival = enter(game, chip_hand(read_state(game.start), [1, 2, 4, 6]), number=1, by=seat(2)).hand
    both = director.get(path)
    assert [one for one in tasks(both) if "slow" not in one] == ["dispute 1 1"]
    assert "tell it differently" in words(both)
    assert "Compare the two" in words(both)
    assert f'href="/desk/hands/{rival.pk}/"' in text_of(both)


def test_what_waits_is_in_order_of_urgency_and_a_short_wait_is_nobodys_business() -> None:
    director, event, games, path = playing(16, hands=4)
    event.club.confirming = "required"
    Game.objects.update(confirming="required")
    for game in games[:3]:
        play(game, 1)
    object_to_hand(
        hand_id=Hand.objects.get(game=games[2]).pk, version=1, why="No.", by=seat(1), at=at(2)
    )
    Hand.objects.update(entered_at=timezone.now())
    Game.objects.update(opened_at=timezone.now())
    assert tasks(director.get(path)) == ["dispute 3 1"]
    Hand.objects.filter(game=games[1]).update(entered_at=timezone.now() - timedelta(minutes=4))
    Game.objects.filter(pk=games[3].pk).update(opened_at=timezone.now() - timedelta(minutes=30))
    found = director.get(path)
    assert tasks(found) == ["dispute 3 1", "waiting 2 1", "slow 4"]
    assert "Nothing was entered for 30 minutes." in words(found)
    assert "Nobody else at the table has confirmed it yet." in words(found)


def test_when_all_are_done_the_round_can_be_closed_at_once() -> None:
    director, _event, games, path = playing(hands=1)
    for game in games:
        play(game, 1)
    found = director.get(path)
    assert tasks(found) == ["done"]
    assert 'form="close-round"' in text_of(found)


def test_the_clock_is_started_paused_and_changed_on_the_page_without_scripts() -> None:
    director, event, _games, path = playing(round_minutes=35)
    assert "left of 35 minutes" in words(director.get(path))

    def press(do: str, **values: str) -> RoundClock | None:
        answer = director.fill(path, "/clock/", do=do, **values)
        assert answer.status_code == 302, answer.content
        assert answer.headers["Location"] == f"{path}#floor"
        return find_clock(event.pk)

    paused = press("pause")
    assert paused is not None
    assert paused.is_paused
    assert 'value="resume"' in text_of(director.get(path))
    more = press("add")
    assert more is not None
    assert more.left == paused.left + 60
    less = press("take")
    assert less is not None
    assert less.left == paused.left
    again = press("resume")
    assert again is not None
    assert not again.is_paused
    assert press("stop") is None
    shorter = press("start", minutes="12")
    assert shorter is not None
    assert shorter.seconds == 720


def test_a_clock_that_cannot_be_says_why_and_an_unknown_button_is_none_of_ours() -> None:
    director, _event, _games, path = playing()
    refused = director.fill(path, "/clock/", do="start", minutes="0")
    assert refused.status_code == 422
    assert "Say how many minutes: 1 to 600." in words(refused)
    assert director.fill(path, "/clock/", do="wind").status_code == 400


def test_when_the_time_is_up_it_says_how_many_still_play() -> None:
    director, event, games, path = playing(hands=1)
    play(games[0], 1)
    start_clock(event_id=event.pk, minutes=5, by=DIRECTOR, at=START)
    found = director.get(path)
    assert "1 table still plays." in words(found)
    assert tasks(found)[0].startswith("time ")


def test_without_a_clock_the_gathering_shows_none_and_with_one_the_break_counts() -> None:
    event = make_night(4)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    assert 'class="band ' not in text_of(director.get(path))
    start_clock(event_id=event.pk, minutes=5, by=DIRECTOR, at=timezone.now())
    assert "break of 5 minutes" in words(director.get(path))


def test_the_state_of_chips_is_that_after_the_last_hand() -> None:
    director, _event, (game,), path = playing(4)
    enter(game, chip_hand(state_of(game), [0, 0, 6, 7]))
    held = re.findall(r"</bdi>\s*<b>(\S+)</b>", text_of(director.get(path)))
    assert [int(one) for one in held] == list(state_of(game).chips)


def test_a_table_whose_phones_are_silent_says_so_and_one_without_phones_does_not() -> None:
    director, _event, (game, _other), path = playing()
    make_links(game_id=game.pk, seats=[None, 0], by=DIRECTOR, at=at(1))
    now = timezone.now()
    silent = r"Phones silent for (\d+) minutes"
    assert not re.findall(silent, words(director.get(path)))
    links = SeatLink.objects.filter(game=game)
    links.update(used_at=now - timedelta(minutes=21))
    assert re.findall(silent, words(director.get(path))) == ["21"]
    links.filter(seat=None).update(used_at=now - timedelta(minutes=11))
    assert not re.findall(silent, words(director.get(path)))


def test_the_desk_of_a_night_takes_few_queries_while_a_round_is_played() -> None:
    director, _event, games, path = playing(8, entry_fee=500)
    for game in games:
        play(game, 1)
    hand = Hand.objects.get(game=games[0])
    object_to_hand(hand_id=hand.pk, version=1, why="no", by=seat(1), at=at(2))
    link = SeatLink.objects.filter(game=games[1])[0]
    call_director(link=link, seat=None, reason=CallReason.RULING, at=at(3))
    assert len(tasks(director.get(path))) >= 2
    with CaptureQueriesContext(connection) as queries:
        director.get(path)
    own = [one for one in queries if "django_session" not in one["sql"]]
    assert len(own) <= QUERIES_MAX, [one["sql"] for one in own]
