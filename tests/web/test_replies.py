"""Who comes: the page behind a member's link, the list at the desk, and the check-in."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.jobs.kinds import WORK
from tests.scoring.club import make_club, make_players
from tests.tournaments.night import check_in, make_event
from tests.web.desk import Director, director_of
from tests.web.test_desk_nights import words
from tournaments.events import replies, schedule
from tournaments.models import (
    Club,
    Entry,
    Event,
    EventReply,
    Person,
    Player,
    Presence,
    Quorum,
    Reply,
    Shown,
    Status,
)
from tournaments.people.player_devices import player_actor

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """A club that shows strangers nothing."""
    return make_club(time_zone="Europe/Berlin")


@pytest.fixture
def players(club: Club) -> list[Player]:
    return make_players(club, 4)


@pytest.fixture
def director(club: Club) -> Director:
    return director_of(club)


@pytest.fixture
def event(club: Club, players: list[Player], director: Director) -> Event:
    """A hidden night the day after tomorrow, for which the desk made the links."""
    starts_at = timezone.now() + timedelta(days=2)
    event = make_event(club, starts_at=starts_at, is_hidden=True, venue="Parish Hall")
    answer = director.fill(desk_of(event), "", make="1")
    assert "4 links are made" in words(director.get(answer.url))
    return event


def desk_of(event: Event) -> str:
    return reverse("desk-replies", args=[event.pk])


def link_of(player: Player) -> str:
    return reverse("reply", args=[replies.reply_token(EventReply.objects.get(player=player))])


def say(player: Player, reply: str) -> Any:
    member = Director()
    form = member.form(link_of(player))
    answer = member.send(form, reply=reply)
    assert answer.status_code == 302
    return member.get(answer.url)


def send() -> None:
    for name, _since in WORK["reply link"].due(timezone.now(), 100):
        WORK["reply link"].run(name, timezone.now)


def agree_to_mail(player: Player) -> None:
    Person.objects.filter(player=player).update(
        email="ann@example.org", confirmed_email="ann@example.org", gets_results=True
    )


def test_one_press_replies_without_an_account_and_another_one_changes_it(
    event: Event, players: list[Player]
) -> None:
    assert "you are on the list" in words(say(players[0], "comes"))
    assert "1 comes" in words(Director().get(link_of(players[1])))
    assert "you do not come this time" in words(say(players[0], "not"))
    assert EventReply.objects.get(player=players[0]).reply == Reply.NOT


def test_the_page_says_when_and_where_the_night_is_by_the_clock_of_the_club(
    event: Event, players: list[Player]
) -> None:
    Event.objects.filter(pk=event.pk).update(
        starts_at=timezone.now().replace(hour=18, minute=30) + timedelta(days=3)
    )
    said = words(Director().get(link_of(players[0])))
    assert re.search(r"(19|20):30", said)
    assert "Parish Hall" in said


def test_a_link_opens_nothing_but_the_reply(event: Event, players: list[Player]) -> None:
    """Neither the hidden night, nor the private club, nor My season (DEC-19)."""
    member = Client()
    page = member.get(link_of(players[0]))
    assert page.headers["Cache-Control"].count("no-store")
    addresses = set(re.findall(r'href="(/[^"]*)"', page.content.decode()))
    club = event.club
    assert not [one for one in addresses if str(club.pk) in one or str(event.pk) in one]
    for path in (
        reverse("event-page", args=[event.pk]),
        reverse("club-page", args=[club.pk]),
    ):
        assert member.get(path).status_code == 404
    assert member.get(reverse("my-season")).status_code == 302


def test_names_on_the_page_are_as_strangers_see_them(event: Event, players: list[Player]) -> None:
    Person.objects.filter(player=players[0]).update(name="Ann Archer")
    Person.objects.filter(player=players[1]).update(name="Hid Hidden", shown=Shown.HIDDEN)
    for player in players[:2]:
        say(player, "comes")
    page = words(Director().get(link_of(players[2])))
    assert "Ann A." in page
    assert "1 who shows no name" in page
    assert "Archer" not in page
    assert "Hid" not in page


def test_an_unknown_or_replaced_link_says_whom_to_ask(
    event: Event, players: list[Player], director: Director
) -> None:
    old = link_of(players[0])
    links = reverse("desk-reply-links", args=[event.pk])
    director.fill(links, "", renew=str(players[0].pk))
    for path in (old, reverse("reply", args=["x" * 32]), reverse("reply", args=["é"])):
        page = Client().get(path)
        assert page.status_code == 404
        assert "Ask your club for another one" in words(page)


def test_a_night_that_has_begun_or_is_called_off_says_so_on_the_page(
    event: Event, players: list[Player], director: Director
) -> None:
    link = link_of(players[0])
    form = Director().form(link)
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(minutes=1))
    page = Client().get(link)
    assert "This night has begun" in words(page)
    assert b'name="reply"' not in page.content
    refused = Director().send(form, reply="comes")
    assert refused.status_code == 422
    assert "This night has begun" in words(refused)
    schedule.cancel_event(
        event_id=event.pk,
        why="The hall is flooded.",
        version=None,
        by=player_actor(players[0]),
        at=timezone.now(),
    )
    page = Client().get(link)
    assert page.status_code == 410
    assert "called off: “The hall is flooded.”" in words(page)


def test_a_reply_that_is_none_is_refused(event: Event, players: list[Player]) -> None:
    member = Director()
    answer = member.send(member.form(link_of(players[0])), reply="maybe")
    assert answer.status_code == 422
    assert "Press one of the three answers" in words(answer)


def test_the_desk_sees_who_comes_and_writes_down_what_it_is_told(
    event: Event, players: list[Player], director: Director
) -> None:
    say(players[0], "comes")
    say(players[1], "perhaps")
    director.fill(desk_of(event), "", reply=f"not:{players[2].pk}")
    page = words(director.get(desk_of(event)))
    assert re.search(r"1 comes 1 perhaps 1 does not come 1 no reply", page)


def test_the_links_to_copy_are_those_that_open_the_replies(
    event: Event, players: list[Player], director: Director
) -> None:
    page = director.get(reverse("desk-reply-links", args=[event.pk]))
    assert f"http://testserver{link_of(players[0])}" in page.content.decode()


def test_links_are_found_by_name_and_all_stand_as_codes_to_print(
    event: Event, players: list[Player], director: Director
) -> None:
    links = reverse("desk-reply-links", args=[event.pk])
    Person.objects.filter(player=players[2]).update(name="Zoë Grün")
    say(players[0], "comes")
    page = words(director.get(links))
    assert page.index("No reply yet 3") < page.index("comes 1")
    found = director.client.get(links, {"q": "grun"}).content.decode()
    assert link_of(players[2]) in found
    assert link_of(players[1]) not in found
    assert "Nobody with that name" in words(director.client.get(links, {"q": "nobody at all"}))
    assert director.client.get(links, {"all": "1"}).content.decode().count('class="code"') == 4


def test_a_link_gives_its_night_as_a_calendar_file(event: Event, players: list[Player]) -> None:
    path = link_of(players[0])
    assert "night.ics" in Client().get(path).content.decode()
    answer = Client().get(f"{path}night.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Cache-Control"].count("no-store")
    text = answer.content.decode().replace("\r\n ", "")
    assert text.count("BEGIN:VEVENT") == 1
    assert f"UID:{event.pk}@painsuit" in text
    assert Client().get(path.replace(path[6:12], "000000") + "night.ics").status_code == 404


@pytest.mark.parametrize("is_public", [True, False])
def test_a_calendar_file_has_the_page_of_a_public_night_and_never_the_secret_link(
    event: Event, players: list[Player], *, is_public: bool
) -> None:
    Club.objects.update(is_public=True)
    Event.objects.update(is_hidden=not is_public)
    path = link_of(players[0])
    text = Client().get(f"{path}night.ics").content.decode().replace("\r\n ", "")
    assert "/come/" not in text
    assert (f"URL:http://testserver/e/{event.pk}/" in text) == is_public
    assert ("http" in text) == is_public


def test_the_links_are_for_directors_alone(event: Event, club: Club) -> None:
    player = director_of(club, "player", "Vera View")
    for path in (desk_of(event), reverse("desk-reply-links", args=[event.pk])):
        assert player.get(path).status_code == 403
        assert Client().get(path).status_code == 302


def test_those_who_agreed_to_mail_are_asked_once_a_day_and_not_after_their_reply(
    event: Event,
    players: list[Player],
    director: Director,
    settings: Any,
    mailoutbox: list[EmailMessage],
) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    agree_to_mail(players[0])
    director.fill(desk_of(event), "", ask="1")
    send()
    send()
    (message,) = mailoutbox
    assert message.to == ["ann@example.org"]
    link = re.search(r"http://testserver(/come/\S+)", str(message.body))
    assert link is not None
    assert link[1] == link_of(players[0])
    assert "List-Unsubscribe" in message.extra_headers
    # Not again within a day, and not at all once they replied.
    assert "Ask 1 by e-mail" not in words(director.get(desk_of(event)))
    EventReply.objects.update(asked_at=timezone.now() - replies.ASKED_AGAIN_AFTER)
    assert "Ask 1 by e-mail" in words(director.get(desk_of(event)))
    director.fill(desk_of(event), "", ask="1")
    say(players[0], "not")
    send()
    assert len(mailoutbox) == 1


def test_nothing_is_sent_to_somebody_who_wants_no_mail_any_more(
    event: Event,
    players: list[Player],
    director: Director,
    settings: Any,
    mailoutbox: list[EmailMessage],
) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    agree_to_mail(players[0])
    director.fill(desk_of(event), "", ask="1")
    Person.objects.filter(player=players[0]).update(gets_results=False)
    send()
    assert not mailoutbox
    assert EventReply.objects.get(player=players[0]).due_at is None


def test_check_in_ticks_those_who_come_and_one_press_lets_them_in(
    event: Event, players: list[Player], director: Director
) -> None:
    say(players[0], "comes")
    say(players[1], "comes")
    say(players[2], "not")
    night = reverse("desk-event", args=[event.pk])
    assert "Those who replied are listed first" in words(director.get(night))
    director.fill(night, "check-in")
    here = Entry.objects.filter(event=event, presence=Presence.HERE)
    assert {entry.player_id for entry in here} == {players[0].pk, players[1].pk}


def test_too_few_are_told_to_the_desk_which_calls_the_night_off_with_one_press(
    event: Event, players: list[Player], director: Director
) -> None:
    soon = timezone.localtime(timezone.now() + timedelta(hours=30))
    answer = director.fill(
        desk_of(event), "#quorum", quorum="1", least="3", until=f"{soon:%Y-%m-%dT%H:%M}"
    )
    assert answer.status_code == 302, words(answer)
    say(players[0], "comes")
    assert "may be called off" in words(Director().get(link_of(players[1])))
    Quorum.objects.update(until=timezone.now() - timedelta(minutes=1))
    for page in (desk_of(event), reverse("desk-event", args=[event.pk])):
        assert "1 of 3 come" in words(director.get(page))
    assert "Too few come" in words(director.get(reverse("desk-club", args=[event.club_id])))
    director.fill(desk_of(event), "schedule", cancel="1")
    event.refresh_from_db()
    assert (event.status, event.cancel_reason) == (Status.CANCELLED, "Too few players.")


def test_the_desk_may_let_a_night_take_place_all_the_same(event: Event, director: Director) -> None:
    Quorum.objects.create(event=event, least=9, until=timezone.now() - timedelta(minutes=1))
    director.fill(desk_of(event), "", drop="1")
    assert "Too few come" not in words(director.get(desk_of(event)))


def test_a_night_called_off_by_itself_says_so_beforehand(
    event: Event, players: list[Player], director: Director
) -> None:
    soon = timezone.localtime(timezone.now() + timedelta(hours=30))
    director.fill(
        desk_of(event),
        "#quorum",
        quorum="1",
        least="3",
        until=f"{soon:%Y-%m-%dT%H:%M}",
        is_automatic="on",
    )
    assert "the night is called off" in words(Director().get(link_of(players[0])))
    Quorum.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    Quorum.objects.update(until=timezone.now() - timedelta(minutes=1))
    for name, _since in WORK["quorum"].due(timezone.now(), 10):
        WORK["quorum"].run(name, timezone.now)
    event.refresh_from_db()
    assert event.status == Status.CANCELLED


def test_a_night_that_is_removed_takes_its_links_with_it(
    event: Event, players: list[Player]
) -> None:
    link = link_of(players[0])
    by = player_actor(players[0])
    schedule.remove_event(event_id=event.pk, version=None, by=by, at=timezone.now())
    assert Client().get(link).status_code == 404


def test_who_is_entered_before_is_counted_beside_those_who_reply(
    event: Event, players: list[Player], director: Director
) -> None:
    check_in(event, players[:1])
    assert "1 of them was entered at the desk" in words(director.get(desk_of(event)))
    assert EventReply.objects.get(player=players[0]).reply == ""


def test_the_desk_of_a_night_that_began_without_asking_says_that_nobody_was_asked(
    club: Club, players: list[Player], director: Director
) -> None:
    begun = make_event(club, starts_at=timezone.now() - timedelta(hours=1))
    page = words(director.get(f"/desk/events/{begun.pk}/replies/"))
    assert "Nobody was asked who comes to this night." in page
    assert "no members" not in page
    assert players
