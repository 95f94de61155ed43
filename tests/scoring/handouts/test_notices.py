"""Notices by e-mail: each is told once, in the reader's language, only while it is true."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from scoring.games.nights import Adjournment, adjourn_table, play_on
from scoring.jobs import nightly
from scoring.jobs.kinds import WORK
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import check_in, draw, make_event, start
from tests.tournaments.publishing.nights import Night, publish_all
from tests.tournaments.publishing.test_leagues import make_league, play_night
from tests.tournaments.publishing.test_official import LATE, confirm, make_official, put_right
from tournaments.events import leagues, notices
from tournaments.events.replies import make_reply_links, note_reply
from tournaments.events.schedule import cancel_event, move_event, reinstate_event
from tournaments.models import Club, Event, MailKind, Person, Player, Reply, ResultMail, Scope
from tournaments.people import members
from tournaments.publishing.versions import find_latest

pytestmark = pytest.mark.django_db

SITE = "https://club.example"
NOON = datetime(2026, 6, 1, 10, tzinfo=UTC)
"""Noon in Amsterdam on the day before the night."""


@pytest.fixture(autouse=True)
def mail_server(settings: Any) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    settings.PUBLIC_ADDRESS = SITE


def subscribe(players: Sequence[Player]) -> None:
    """Let them want mails, at addresses that they confirmed."""
    for number, player in enumerate(players):
        address = f"p{number}@club.example"
        Person.objects.filter(player=player).update(
            email=address, confirmed_email=address, gets_results=True
        )


@pytest.fixture
def players() -> list[Player]:
    """Five players of a club in Amsterdam, of whom the first three want mails."""
    club = make_club("Leiden Hearts")
    Club.objects.update(time_zone="Europe/Amsterdam")
    found = make_players(club, 5)
    subscribe(found[:3])
    return found


def night_of(players: Sequence[Player], **fields: Any) -> Event:
    """A night tomorrow evening."""
    club = Club.objects.get(pk=players[0].club_id)
    usual: dict[str, Any] = {"name": "Spring cup", "starts_at": NOON + timedelta(hours=32)}
    return make_event(club, rule_set=make_rules(club), **(usual | fields))


def send(at: datetime) -> None:
    """Do what workers do who got each hint twice."""
    due = WORK["result mail"].due(at, 100)
    for name, _since in [*due, *due]:
        WORK["result mail"].run(name, lambda: at)


def call_off(event: Event, at: datetime) -> None:
    cancel_event(event_id=event.pk, why="Too few.", version=None, by=DIRECTOR, at=at)


def told(mailoutbox: list[Any]) -> list[tuple[str, str]]:
    return sorted((message.to[0], message.subject) for message in mailoutbox)


def test_those_who_want_it_are_reminded_once_the_day_before(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    night_of(players)
    night_before = NOON.replace(hour=3)
    assert notices.enqueue_reminders(at=night_before) == 3
    assert notices.enqueue_reminders(at=night_before) == 0
    assert {mail.due_at for mail in ResultMail.objects.all()} == {NOON.replace(hour=8)}
    send(NOON.replace(hour=7))
    assert not mailoutbox
    send(NOON)
    assert notices.enqueue_reminders(at=NOON + timedelta(minutes=1)) == 0
    send(NOON)
    assert told(mailoutbox) == [
        (f"p{number}@club.example", "Tomorrow: Spring cup") for number in range(3)
    ]
    assert "Tuesday 2 June 2026, 20:00" in mailoutbox[0].body
    assert f"{SITE}/my/" in mailoutbox[0].body


def test_reminders_are_the_work_of_every_night() -> None:
    assert "remind of nights" in nightly.TASKS


def test_nobody_is_reminded_who_said_no_or_of_what_is_called_off(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players)
    make_reply_links(event_id=event.pk, by=DIRECTOR, at=NOON.replace(hour=2))
    note_reply(
        event_id=event.pk,
        player_id=players[0].pk,
        reply=Reply.NOT,
        by=DIRECTOR,
        at=NOON.replace(hour=2),
    )
    assert notices.enqueue_reminders(at=NOON.replace(hour=3)) == 2
    call_off(event, NOON.replace(hour=4))
    send(NOON)
    assert not any("Tomorrow" in message.subject for message in mailoutbox)
    assert not ResultMail.objects.exclude(due_at=None).exists()


def test_those_at_a_table_are_told_once_for_each_day_on_which_it_is_finished(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players, starts_at=NOON)
    check_in(event, players[1:])
    draw(event)
    (game,) = start(event, 1)
    assert game.table_id is not None

    moments = (NOON + timedelta(minutes=number) for number in count())

    def adjourn(day: int, why: str) -> None:
        wanted, moment = Adjournment(why=why, finish_on=date(2099, 12, day)), next(moments)
        adjourn_table(table_id=game.table_id or UUID(int=0), wanted=wanted, by=DIRECTOR, at=moment)
        send(moment)

    adjourn(1, "A train.")
    adjourn(1, "A late train.")
    subject = "Your game is finished another day: Spring cup"
    here = [(f"p{number}@club.example", subject) for number in (1, 2)]
    assert told(mailoutbox) == here
    assert "Round 1, table 1" in mailoutbox[0].body
    assert "This game is finished on Tuesday 1 December." in mailoutbox[0].body
    assert "Why: “A train.”" in mailoutbox[0].body
    adjourn(2, "A train.")
    assert told(mailoutbox) == sorted(here * 2)
    adjourn(1, "The first day after all.")
    assert told(mailoutbox) == sorted(here * 3)
    assert "This game is finished on Tuesday 1 December." in mailoutbox[-1].body


@pytest.fixture
def table(players: list[Player]) -> UUID:
    """A table that is played, of all players but the first."""
    event = night_of(players, starts_at=NOON)
    check_in(event, players[1:])
    draw(event)
    (game,) = start(event, 1)
    assert game.table_id is not None
    return game.table_id


def adjourn_at(table: UUID, minute: int) -> None:
    moment = NOON + timedelta(minutes=minute)
    wanted = Adjournment(why="A train.", finish_on=date(2099, 12, 1))
    adjourn_table(table_id=table, wanted=wanted, by=DIRECTOR, at=moment)


def test_the_survivor_of_a_merger_is_told_of_the_table_of_the_duplicate(
    players: list[Player], table: UUID, mailoutbox: list[Any]
) -> None:
    survivor, duplicate = players[0], Player.objects.get(pk=players[4].pk)
    version = duplicate.version
    members.merge_player(
        player_id=duplicate.pk, into=survivor.pk, version=version, by=DIRECTOR, at=NOON
    )
    adjourn_at(table, 1)
    send(NOON + timedelta(minutes=1))
    everybody = [f"p{number}@club.example" for number in range(3)]
    assert sorted(message.to[0] for message in mailoutbox) == everybody
    play_on(table_id=table, by=DIRECTOR, at=NOON + timedelta(minutes=2))
    send(NOON + timedelta(minutes=2))
    assert sorted(message.to[0] for message in mailoutbox[3:]) == everybody


def test_the_survivor_of_a_merger_is_told_of_a_hidden_night_of_the_duplicate(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players, is_hidden=True)
    check_in(event, players[4:])
    duplicate = Player.objects.get(pk=players[4].pk)
    members.merge_player(
        player_id=duplicate.pk, into=players[0].pk, version=duplicate.version, by=DIRECTOR, at=NOON
    )
    call_off(event, NOON)
    send(NOON)
    assert [message.to for message in mailoutbox] == [["p0@club.example"]]


def test_those_who_were_told_of_another_day_are_told_once_that_their_table_plays_on(
    table: UUID, mailoutbox: list[Any]
) -> None:
    adjourn_at(table, 1)
    send(NOON + timedelta(minutes=1))
    mailoutbox.clear()
    for minute in (2, 4):  # nobody hears of the second adjournment, so nobody of its end
        play_on(table_id=table, by=DIRECTOR, at=NOON + timedelta(minutes=minute))
        send(NOON + timedelta(minutes=minute))
        adjourn_at(table, minute + 1)
    subject = "Your table plays on after all: Spring cup"
    assert told(mailoutbox) == [(f"p{number}@club.example", subject) for number in (1, 2)]
    assert "Round 1, table 1" in mailoutbox[0].body
    assert "Your game is not finished another day; it plays on in its round." in mailoutbox[0].body


def test_an_adjournment_that_is_taken_back_before_it_was_told_is_not_told(
    table: UUID, mailoutbox: list[Any]
) -> None:
    adjourn_at(table, 1)
    play_on(table_id=table, by=DIRECTOR, at=NOON + timedelta(minutes=2))
    send(NOON + timedelta(minutes=2))
    assert not mailoutbox


def test_a_reminder_that_comes_too_late_is_not_sent(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    night_of(players)
    notices.enqueue_reminders(at=NOON.replace(hour=3))
    send(NOON + timedelta(hours=15))
    assert not mailoutbox
    assert not ResultMail.objects.exclude(due_at=None).exists()


def test_a_night_that_is_called_off_is_told_and_so_is_that_it_takes_place_after_all(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players)
    call_off(event, NOON)
    send(NOON)
    assert len(mailoutbox) == 3
    assert "Called off" in mailoutbox[0].subject
    assert "Too few." in mailoutbox[0].body
    subscribe(players[:4])
    reinstate_event(event_id=event.pk, version=None, by=DIRECTOR, at=NOON + timedelta(hours=1))
    send(NOON + timedelta(hours=1))
    assert sorted(message.to[0] for message in mailoutbox[3:]) == [
        f"p{n}@club.example" for n in range(3)
    ]
    assert all("Takes place after all" in message.subject for message in mailoutbox[3:])


def test_what_was_taken_back_before_it_was_told_is_not_told(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players)
    call_off(event, NOON)
    reinstate_event(event_id=event.pk, version=None, by=DIRECTOR, at=NOON)
    send(NOON)
    assert not mailoutbox


def test_a_moved_night_is_told_with_both_dates(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players)
    move_event(
        event_id=event.pk,
        starts_at=event.starts_at + timedelta(days=7),
        why="The hall is painted.",
        version=None,
        by=DIRECTOR,
        at=NOON,
    )
    send(NOON)
    assert len(mailoutbox) == 3
    body = mailoutbox[0].body
    assert "Tuesday 9 June 2026" in body
    assert "Tuesday 2 June 2026" in body
    assert "The hall is painted." in body


def test_of_a_hidden_night_only_those_are_told_who_play_in_it(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    event = night_of(players, is_hidden=True)
    check_in(event, players[:1])
    call_off(event, NOON)
    send(NOON)
    assert [message.to for message in mailoutbox] == [["p0@club.example"]]
    assert "/e/" not in mailoutbox[0].body


def test_each_notice_ends_with_one_click_and_then_nothing_more_comes(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    first, second = night_of(players), night_of(players, name="Summer cup")
    call_off(first, NOON)
    send(NOON)
    message = mailoutbox[0]
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.extra_headers["List-Unsubscribe"][1:-1].removeprefix(SITE)
    assert link in message.body
    answer = Client().post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    call_off(second, NOON)
    send(NOON)
    assert sum(message.to[0] == mailoutbox[0].to[0] for message in mailoutbox) == 1


def test_a_notice_has_the_language_in_which_somebody_was_written_to(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    ResultMail.objects.create(
        kind=MailKind.QUESTION,
        player=players[0],
        language="de",
        site=SITE,
        has_money=False,
        made_at=NOON,
    )
    call_off(night_of(players), NOON)
    send(NOON)
    by_address = {message.to[0]: message for message in mailoutbox}
    assert "Abgesagt" in by_address["p0@club.example"].subject
    assert "Called off" in by_address["p1@club.example"].subject


def test_an_erased_person_gets_no_notice(players: list[Player], mailoutbox: list[Any]) -> None:
    call_off(night_of(players), NOON)
    player = Player.objects.get(pk=players[0].pk)
    members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=NOON)
    send(NOON)
    assert sorted(message.to[0] for message in mailoutbox) == ["p1@club.example", "p2@club.example"]


def test_a_worker_that_dies_after_the_mail_server_took_it_sends_nothing_twice(
    players: list[Player], mailoutbox: list[Any]
) -> None:
    call_off(night_of(players), NOON)
    send(NOON)
    ResultMail.objects.update(attempts=1)
    later = NOON + timedelta(days=1)
    assert not WORK["result mail"].due(later, 100)
    send(later)
    assert len(mailoutbox) == 3


def test_those_are_told_whose_own_official_total_was_amended(mailoutbox: list[Any]) -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    make_official(night)
    subscribe([entry.player for entry in night.event.entries.order_by("number")])
    put_right(night, (0, 13, 0, 0))
    ResultMail.objects.all().delete()
    confirm(night, find_latest(Scope.EVENT, night.event.pk).version)
    rows = ResultMail.objects.filter(kind=MailKind.AMENDED)
    assert 0 < rows.count() < 4
    send(at(LATE + 60))
    assert len(mailoutbox) == rows.count()
    assert "Your total: " in mailoutbox[0].body
    assert "Hand 1 was misread." in mailoutbox[0].body


def test_those_are_told_who_move_up_or_down_when_a_season_ends(mailoutbox: list[Any]) -> None:
    club = make_club("Leiden Hearts")
    players = make_players(club, 8)
    season = {"divisions": ["First", "Second"], "moves": 1, "division_step": 4, "best": 1}
    league = make_league(club, season=season)
    for place, player in enumerate(players):
        leagues.enrol(
            league_id=league.pk, player=player.pk, division=1 + place // 4, by=DIRECTOR, at=NOON
        )
    night = play_night(league, players, (13, 0, 0, 0), (0, 13, 0, 0))
    night.end(1)
    make_official(night)
    publish_all(night.clock)
    subscribe(players)
    moves = notices.find_moves(leagues.promotions(league_id=league.pk))
    assert moves[players[0].pk] == ("Second", False)
    closing: dict[str, Any] = {"league_id": league.pk, "version": None, "by": DIRECTOR}
    leagues.close_league(**closing, at=at(LATE + 5))
    send(at(LATE + 5))
    assert len(mailoutbox) == len(moves)
    (down,) = (message for message in mailoutbox if message.to == ["p0@club.example"])
    assert "Second" in down.body
    leagues.reopen_league(**closing, why="A night was missing.", at=at(LATE + 6))
    leagues.close_league(**closing, at=at(LATE + 7))
    send(at(LATE + 7))
    assert len(mailoutbox) == len(moves)
