"""Replies to an invitation: who may reply until when, who counts, and if too few come."""

from datetime import timedelta

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import make_event
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.events import entries, replies, schedule
from tournaments.events.entries import NewEntry
from tournaments.events.events import change_event
from tournaments.models import (
    AuditEntry,
    Club,
    Event,
    EventReply,
    Player,
    PlayerKind,
    Presence,
    Quorum,
    Reply,
    Status,
)
from tournaments.people import members
from tournaments.people.bars import bar_player

pytestmark = pytest.mark.django_db

BEFORE = at(-24 * 60)
"""A day before the night begins."""


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    return make_players(club, 4)


@pytest.fixture
def event(club: Club, players: list[Player]) -> Event:
    """A night tomorrow, with a link for each of four members."""
    event = make_event(club)
    replies.make_reply_links(event_id=event.pk, by=DIRECTOR, at=BEFORE)
    return event


def token_of(player: Player) -> str:
    return replies.reply_token(EventReply.objects.get(player=player))


def say(player: Player, reply: Reply = Reply.COMES, when: int = -60) -> None:
    replies.give_reply(row=replies.find_reply(token_of(player)), reply=reply, at=at(when))


def need(event: Event, least: int, why: str = "") -> None:
    replies.set_quorum(
        event_id=event.pk,
        least=least,
        until=at(-60),
        cancel_reason=why,
        by=DIRECTOR,
        at=BEFORE,
    )


def test_a_later_reply_by_the_same_link_replaces_the_one_before(
    event: Event, players: list[Player]
) -> None:
    say(players[0], Reply.PERHAPS)
    say(players[0], Reply.NOT)
    assert EventReply.objects.get(player=players[0]).reply == Reply.NOT
    said = AuditEntry.objects.filter(chain=event.pk, what="reply given")
    assert {entry.by for entry in said} == {f"player:{players[0].pk}"}
    assert len(said) == 2


def test_members_get_a_link_once_and_guests_and_those_who_left_get_none(
    club: Club, event: Event, players: list[Player]
) -> None:
    new, guest, former = make_players(club, 3)
    Player.objects.filter(pk=guest.pk).update(kind=PlayerKind.GUEST)
    Player.objects.filter(pk=former.pk).update(left_at=at(-9999))
    assert replies.make_reply_links(event_id=event.pk, by=DIRECTOR, at=BEFORE) == 1
    assert replies.make_reply_links(event_id=event.pk, by=DIRECTOR, at=BEFORE) == 0
    known = set(EventReply.objects.values_list("player", flat=True))
    assert known == {player.pk for player in (*players, new)}


def test_the_token_is_stored_nowhere(event: Event, players: list[Player]) -> None:
    token = token_of(players[0])
    assert token not in str(list(EventReply.objects.values()))
    assert token not in str(list(AuditEntry.objects.values()))


def test_a_replaced_link_opens_nothing_and_the_reply_stays(
    event: Event, players: list[Player]
) -> None:
    old = token_of(players[0])
    opened = replies.find_reply(old)
    say(players[0])
    replies.renew_reply_link(event_id=event.pk, player_id=players[0].pk, by=DIRECTOR, at=at(-50))
    with pytest.raises(NotThereError):
        replies.find_reply(old)
    with pytest.raises(NotThereError):
        replies.give_reply(row=opened, reply=Reply.NOT, at=at(-40))
    assert replies.find_reply(token_of(players[0])).reply == Reply.COMES


def test_who_has_left_the_club_replies_no_more(event: Event, players: list[Player]) -> None:
    token = token_of(players[0])
    Player.objects.filter(pk=players[0].pk).update(left_at=at(-90))
    with pytest.raises(NotThereError):
        replies.find_reply(token)
    assert players[0].pk not in {row.player_id for row in replies.list_replies(event)}


def test_a_night_that_has_begun_or_is_called_off_takes_no_reply_and_says_why(
    event: Event, players: list[Player]
) -> None:
    row = replies.find_reply(token_of(players[0]))
    with pytest.raises(RefusedError, match="has begun"):
        replies.give_reply(row=row, reply=Reply.COMES, at=at(0))
    schedule.cancel_event(event_id=event.pk, why="Snow.", version=None, by=DIRECTOR, at=at(-30))
    with pytest.raises(RefusedError, match="Snow"):
        replies.give_reply(row=row, reply=Reply.COMES, at=at(-20))
    with pytest.raises(GoneError, match="Snow"):
        replies.find_reply(token_of(players[0]))


def test_somebody_who_is_barred_that_day_is_sent_to_the_director_and_is_told_no_more(
    club: Club, event: Event, players: list[Player]
) -> None:
    bar_player(club_id=club.pk, player_id=players[0].pk, reason="Shouted.", by=DIRECTOR, at=BEFORE)
    with pytest.raises(RefusedError, match="speak to the director") as refused:
        say(players[0])
    assert "Shouted" not in str(refused.value)
    say(players[0], Reply.NOT)


def test_who_comes_are_those_who_say_so_and_those_entered_who_do_not_say_otherwise(
    event: Event, players: list[Player]
) -> None:
    says_so, entered, cancels, silent = players
    say(says_so)
    for player in (says_so, entered, cancels):
        new = NewEntry(player=player.pk, presence=Presence.EXPECTED)
        entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at(-50))
    say(cancels, Reply.NOT)
    assert set(replies.list_coming(event)) == {says_so.pk, entered.pk}
    assert silent.pk not in replies.list_coming(event)


def test_a_night_that_is_moved_asks_everybody_anew(event: Event, players: list[Player]) -> None:
    need(event, 4, "Too few players.")
    say(players[0])
    week = timedelta(days=7)
    schedule.move_event(
        event_id=event.pk,
        starts_at=at() + week,
        why="The room.",
        version=None,
        by=DIRECTOR,
        at=at(-61),
    )
    assert EventReply.objects.get(player=players[0]).reply == ""
    assert Quorum.objects.get().until == Quorum.objects.get().due_at == at(-60) + week


def test_another_day_in_the_settings_asks_everybody_anew_and_another_hour_does_not(
    event: Event, players: list[Player]
) -> None:
    need(event, 4, "Too few players.")
    say(players[0])
    for starts_at, reply in (
        (at() + timedelta(minutes=30), Reply.COMES.value),
        (at() + timedelta(days=7), ""),
    ):
        version = Event.objects.get(pk=event.pk).version
        change_event(
            event_id=event.pk,
            changes={"starts_at": starts_at},
            version=version,
            by=DIRECTOR,
            at=at(-61),
        )
        assert EventReply.objects.get(player=players[0]).reply == reply
        assert Quorum.objects.get().until == at(-60) + (starts_at - at())


def test_a_night_moved_nearer_than_the_time_to_reply_is_left_to_the_desk(event: Event) -> None:
    need(event, 4, "Too few players.")
    schedule.move_event(
        event_id=event.pk,
        starts_at=at() - timedelta(hours=23),
        why="The room.",
        version=None,
        by=DIRECTOR,
        at=BEFORE + timedelta(minutes=1),
    )
    assert Quorum.objects.get().due_at is None


def test_the_desk_is_told_of_too_few_when_the_time_is_over_and_not_before(
    event: Event, players: list[Player]
) -> None:
    need(event, 2)
    say(players[0])
    assert not replies.find_shortages([event], at(-61))
    assert replies.find_shortages([event], at(-60))[event.pk].coming == 1
    say(players[1], when=-30)
    assert not replies.find_shortages([event], at(-20))


def test_too_few_are_called_off_by_itself_only_if_that_was_said_before(
    event: Event, players: list[Player]
) -> None:
    need(event, 2)
    assert not Quorum.objects.due_names(at(-30), 10)
    replies.call_off_if_short(event_id=event.pk, clock=lambda: at(-30))
    event.refresh_from_db()
    assert event.status == Status.PLANNED
    need(event, 2, "Too few players.")
    assert Quorum.objects.due_names(at(-61), 10) == []
    replies.call_off_if_short(event_id=event.pk, clock=lambda: at(-30))
    event.refresh_from_db()
    assert (event.status, event.cancel_reason) == (Status.CANCELLED, "Too few players.")


def test_enough_players_are_not_called_off(event: Event, players: list[Player]) -> None:
    need(event, 1, "Too few players.")
    say(players[0])
    replies.call_off_if_short(event_id=event.pk, clock=lambda: at(-30))
    event.refresh_from_db()
    assert event.status == Status.PLANNED


def test_a_worker_that_comes_too_late_calls_off_nothing_that_has_begun(event: Event) -> None:
    need(event, 4, "Too few players.")
    replies.call_off_if_short(event_id=event.pk, clock=lambda: at(1))
    event.refresh_from_db()
    assert event.status == Status.PLANNED


def test_a_quorum_has_a_number_and_a_time_before_the_night(event: Event) -> None:
    for least, until, field in ((0, at(-60), "least"), (4, at(0), "until"), (4, BEFORE, "until")):
        with pytest.raises(RefusedError) as refused:
            replies.set_quorum(event_id=event.pk, least=least, until=until, by=DIRECTOR, at=BEFORE)
        assert refused.value.field == field


def test_replies_go_with_the_person_and_a_month_after_the_night(
    event: Event, players: list[Player]
) -> None:
    say(players[0])
    token = token_of(players[0])
    player = Player.objects.get(pk=players[0].pk)
    members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=at(-30))
    assert not EventReply.objects.filter(player=player).exists()
    with pytest.raises(NotThereError):
        replies.find_reply(token)
    assert replies.make_reply_links(event_id=event.pk, by=DIRECTOR, at=at(-20)) == 0
    assert replies.delete_old(at=at() + timedelta(days=29)) == 0
    assert replies.delete_old(at=at() + timedelta(days=30)) == 3


def test_the_later_of_two_replies_stays_when_players_are_merged(
    event: Event, players: list[Player]
) -> None:
    say(players[0], Reply.NOT, when=-90)
    say(players[1], Reply.COMES, when=-80)
    survivor = token_of(players[0])
    duplicate = Player.objects.get(pk=players[1].pk)
    members.merge_player(
        player_id=duplicate.pk,
        into=players[0].pk,
        version=duplicate.version,
        by=DIRECTOR,
        at=at(-70),
    )
    assert replies.find_reply(survivor).reply == Reply.COMES
    assert len(replies.list_replies(event)) == 3


def test_who_is_entered_under_a_duplicate_that_was_merged_comes_once(
    event: Event, players: list[Player]
) -> None:
    survivor, duplicate = players[:2]
    new = NewEntry(player=duplicate.pk, presence=Presence.EXPECTED)
    entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at(-90))
    say(survivor)
    members.merge_player(
        player_id=duplicate.pk,
        into=survivor.pk,
        version=duplicate.version,
        by=DIRECTOR,
        at=at(-70),
    )
    assert replies.list_coming(event) == [survivor.pk]
