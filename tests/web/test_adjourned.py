"""Tables that are finished another day, on the pages: the desk's tiles, standings, the wall."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from scoring.games.nights import end_round
from scoring.games.table_codes import make_club_codes, short_code_of
from scoring.models import Game, Phase, SeatLink, TableCode
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import check_in, draw, make_event, play, start
from tests.tournaments.publishing.nights import Clock, publish_all
from tests.web.desk import Director, director_of
from tests.web.test_desk_floor import playing
from tests.web.test_desk_nights import words
from tests.web.test_my_season import signed_in
from tests.web.test_phone_follows import ask, code_of, scan, table_on
from tests.web.test_secret_calendars import events_at, own_address
from tournaments.events.leagues import add_session, create_league
from tournaments.models import Club, Event, Player, Round, Stage, Status, Table, TableSeat

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
    assert "to be finished" in floor
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
    said = "Table 1 of round 1 will be finished another day. The money of this table is booked"
    assert said in words(director.get(f"{path}money/"))
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


def test_page_and_wall_say_of_a_day_that_has_passed_that_it_has(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    director, event, games, path = night
    press(director, games[0], "adjourn", finish_on=str(timezone.localdate()))
    director.fill(path, "close", round="1")
    publish_all(Clock())
    address = f"/e/{event.pk}/?part=live"
    seen = Client().get(address)
    assert "table 1 of round 1 will be finished on" in words(seen)
    now = timezone.now() + timedelta(days=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    said = "able 1 of round 1 was to be finished on"
    assert said in words(Client().get(address, headers={"If-None-Match": seen["ETag"]}))
    assert said in words(Client().get(f"{address}&view=projector"))


def test_the_desk_says_of_a_day_that_has_passed_that_it_has(night: Night) -> None:
    director, _event, games, path = night
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    Table.objects.filter(played=games[0]).update(finish_on=timezone.localdate() - timedelta(days=2))
    assert "Round 1, table 1 was to be finished on" in words(director.get(path))


def scan_table(event: Event, number: int = 1) -> Any:
    return scan(Client(), code_of(event, number))


@pytest.fixture
def last_night() -> Night:
    """A night whose only round is closed, without its first table, which is adjourned."""
    director, event, games, path = playing(rounds=1)
    Club.objects.update(is_public=True)
    play(games[0], 1)
    play(games[1], 2)
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    return director, event, games, path


def test_the_code_of_its_table_opens_the_game_after_the_last_round(last_night: Night) -> None:
    _director, event, games, _path = last_night
    opened = table_on(scan_table(event))
    assert (opened["seating"]["game"], opened["stays"]) == (str(games[0].pk), True)
    token = opened["token"]
    said = ask(Client(), "news", token).json()["adjourned"]
    assert said == opened["seating"]["adjourned"]
    assert said.startswith("This game is finished another day.")
    first = set(SeatLink.objects.values_list("pk", flat=True))
    SeatLink.objects.update(expires_at=timezone.now())
    renewed = table_on(scan_table(event))
    assert renewed["seating"]["game"] == str(games[0].pk)
    assert renewed["token"] != token
    SeatLink.objects.exclude(pk__in=first).update(revoked_at=timezone.now())
    assert scan_table(event).status_code == 410


def test_a_phone_says_at_its_head_on_which_day_its_game_is_finished(night: Night) -> None:
    director, event, games, _path = night
    press(director, games[0], "adjourn", finish_on="2099-12-04")
    said = "This game is finished on Friday 4 December. The code of its table opens it then."
    assert said in words(scan_table(event))
    assert "This game is finished" not in words(scan_table(event, 2))
    client = Client(headers={"accept-language": "de"})
    assert "Dieses Spiel wird am Freitag, 4. Dezember, fertig gespielt." in words(
        scan(client, code_of(event))
    )


def test_a_phone_says_of_a_day_that_has_passed_that_it_has(night: Night) -> None:
    director, event, games, _path = night
    press(director, games[0], "adjourn")
    Table.objects.filter(played=games[0]).update(finish_on=timezone.localdate() - timedelta(days=2))
    assert "This game was to be finished on" in words(scan_table(event))


def wait_for(code: TableCode, event: Event) -> str:
    """Choose the round to come at the code of a table; returns the address that looks again."""
    page = Client().post("/t/open", {"code": str(short_code_of(code)), "play": str(event.pk)})
    assert "The page opens by itself when the round starts." in words(page)
    return str(page["Refresh"]).partition("url=")[2]


def test_between_two_rounds_a_phone_asks_and_one_tap_waits_for_the_next(night: Night) -> None:
    director, event, games, path = night
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    page = words(scan_table(event))
    assert {"The next round", "Round 1"} <= set(re.findall("The next round|Round 1", page))
    address = wait_for(code_of(event), event)
    (now, _other) = start(event, 2)
    opened = table_on(Client().get(address))
    assert (opened["seating"]["game"], opened["stays"]) == (str(now.pk), False)


def test_codes_for_every_night_are_tonights_while_an_earlier_game_is_adjourned(
    last_night: Night,
) -> None:
    _director, event, games, _path = last_night
    first, second = make_club_codes(club_id=event.club_id, numbers=[1, 2], by=DIRECTOR, at=at())
    assert table_on(scan(Client(), first))["seating"]["game"] == str(games[0].pk)
    assert "Nothing is played in your club right now." in words(scan(Client(), second))
    now = timezone.now()
    tonight = make_event(event.club, name="The week after", starts_at=now, rounds=2)
    check_in(tonight, list(Player.objects.filter(club=event.club_id)))
    draw(tonight)
    assert "The week after" in words(scan(Client(), first))
    address = wait_for(first, tonight)
    Event.objects.filter(pk=tonight.pk).update(is_hidden=True)
    assert "The week after" not in words(scan(Client(), first))
    new = start(tonight, 1)
    assert table_on(Client().get(address))["seating"]["game"] == str(new[0].pk)
    end_round(event_id=tonight.pk, number=1, why="Time.", by=DIRECTOR, at=now)
    assert "more than one night" in words(scan(Client(), first))
    assert table_on(scan(Client(), second))["seating"]["game"] == str(new[1].pk)
    Event.objects.filter(pk=tonight.pk).update(status=Status.FINISHED, finished_at=now)
    assert table_on(scan(Client(), second))["seating"]["game"] == str(new[1].pk)


def test_a_phone_asks_which_of_two_games_and_one_tap_opens_it(night: Night) -> None:
    director, event, games, path = night
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    (now, _other) = start(event, 2)
    page = words(scan_table(event))
    assert "Table 1 has more than one game now." in page
    assert "To be finished another day" in page
    short = str(short_code_of(code_of(event)))
    for chosen, game, stays in ((games[0].pk, games[0], True), (event.pk, now, False)):
        opened = table_on(Client().post("/t/open", {"code": short, "play": str(chosen)}))
        assert (opened["seating"]["game"], opened["stays"]) == (str(game.pk), stays)
    assert table_on(scan_table(event, 2))["stays"] is False
    press(director, games[0], "end", why="Nobody came again.")
    assert table_on(scan_table(event))["seating"]["game"] == str(now.pk)


def test_a_code_for_every_night_also_opens_the_game_of_an_earlier_night(night: Night) -> None:
    director, event, games, path = night
    (code,) = make_club_codes(club_id=event.club_id, numbers=[1], by=DIRECTOR, at=at())
    press(director, games[0], "adjourn")
    director.fill(path, "close", round="1")
    other = make_event(event.club, name="The week after")
    check_in(other, list(Player.objects.filter(club=event.club_id)))
    draw(other)
    start(other, 1)
    page = words(scan(Client(), code))
    assert "There is a table 1 in more than one night now." in page
    assert {"The week after", event.name} <= set(re.findall("The week after|League night", page))


def test_a_night_that_waits_for_a_table_is_a_task_and_not_the_night_that_is_played(
    night: Night,
) -> None:
    director, event, games, path = night
    club = f"/desk/clubs/{event.club_id}/"
    press(director, games[0], "adjourn")
    assert director.get(club).context["running"] == event
    director.fill(path, "close", round="1")
    desk = director.get(club)
    assert desk.context["running"] is None
    assert [task.title for task in desk.context["tasks"]] == [f"{event.name} is not finished"]
    said = "Table 1 of round 1 will be finished another day."
    assert said in words(desk)
    assert "to be finished" in words(director.get(f"{club}nights/"))
    page = words(Client().get(f"/c/{event.club_id}/"))
    assert said in page
    assert "Being played" not in page
    start(event, 2)
    assert director.get(club).context["running"] == event


def test_the_own_season_shows_the_next_night_and_who_sits_there_when_it_is_finished(
    last_night: Night,
) -> None:
    _director, event, _games, _path = last_night
    make_event(event.club, starts_at=timezone.now() + timedelta(days=3), name="Next one")
    for number, is_there in ((1, True), (2, False)):
        player = TableSeat.objects.filter(table__number=number)[0].entry.player
        page = words(signed_in(player).get("/my/"))
        assert "Next one" in page
        assert "Being played" not in page
        assert ("Table 1 of round 1 will be finished another day." in page) is is_there


def test_a_season_waits_for_a_night_with_an_adjourned_table(last_night: Night) -> None:
    _director, event, _games, _path = last_night
    league = create_league(club_id=event.club_id, new={"name": "Winter"}, by=DIRECTOR, at=at())
    add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    page = words(director_of(event.club, "admin").get(f"/desk/leagues/{league.pk}/"))
    assert "1 night is not official yet" in page


def test_calendars_have_the_day_and_a_members_own_if_they_sit_there(night: Night) -> None:
    director, event, games, _path = night
    day = timezone.localdate() + timedelta(days=6)
    press(director, games[0], "adjourn", finish_on=str(day))
    (table,) = Table.objects.exclude(adjourned_at=None)
    answer = Client().get(f"/c/{event.club_id}/calendar.ics")
    found = {str(one["UID"]): one for one in Calendar.from_ical(answer.content).walk("VEVENT")}
    made = found[f"{table.pk}@painsuit"]
    assert made.decoded("DTSTART") == day
    assert made["SUMMARY"] == f"{event.name}: finish table 1 of round 1"
    for number, is_there in ((1, True), (2, False)):
        seats = TableSeat.objects.filter(table__round__event=event, table__number=number)
        player = seats.filter(table__round__number=1)[0].entry.player
        _client, address = own_address(player)
        assert (str(table.pk) in events_at(address)) is is_there
