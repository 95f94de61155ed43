"""Nights that are called off or moved, wherever people look: desk, club, wall, door and phone."""

from datetime import timedelta
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import timezone

from scoring.games.links import token_of
from scoring.games.table_codes import make_club_codes, make_event_codes
from tests.scoring.club import DIRECTOR, make_club, make_players
from tests.tournaments.night import check_in, make_event
from tests.web.desk import Director, director_of
from tests.web.test_desk_nights import words
from tournaments.access.rights import RIGHTS, Right, RoleInClub
from tournaments.events import door, leagues
from tournaments.events.replies import make_reply_links, note_reply
from tournaments.models import Club, Event, MailKind, Person, Player, Reply, ResultMail, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club(is_public=True)


@pytest.fixture
def event(club: Club) -> Event:
    """A night at this time tomorrow, with four players."""
    starts_at = timezone.now() + timedelta(days=1)
    event = make_event(club, name="Tuesday", starts_at=starts_at, rounds=1)
    check_in(event, make_players(club, 4))
    return event


@pytest.fixture
def director(club: Club) -> Director:
    return director_of(club)


def desk_of(event: Event) -> str:
    return f"/desk/events/{event.pk}/"


def press(director: Director, event: Event, button: str, **values: Any) -> Any:
    """Press a button of the page on which a night is called off, moved or removed."""
    path = f"{desk_of(event)}schedule/"
    own = [form for form in director.forms(path) if form.action == path]
    form = dict(zip(("move", "cancel", "remove"), own, strict=True))[button]
    return director.send(form, **{button: "1"}, **values)


def call_off(director: Director, event: Event, **values: Any) -> Any:
    answer = press(director, event, "cancel", **values)
    assert answer.status_code == 302, words(answer)
    return director.get(answer.url)


def test_the_director_calls_a_night_off_with_a_usual_reason_in_one_step(
    director: Director, event: Event
) -> None:
    page = words(call_off(director, event))
    event.refresh_from_db()
    assert (event.status, event.cancel_reason) == (Status.CANCELLED, "Too few players.")
    assert "This night is called off Called off: “Too few players.”" in page
    assert "Seat round 1" not in page
    assert "Type a name and press Enter" not in page


def test_whoever_was_to_come_and_gets_no_mail_is_listed_to_be_told(
    director: Director, club: Club, event: Event
) -> None:
    (undecided,) = make_players(club, 1)
    make_reply_links(event_id=event.pk, by=DIRECTOR, at=timezone.now())
    note_reply(
        event_id=event.pk,
        player_id=undecided.pk,
        reply=Reply.PERHAPS,
        by=DIRECTOR,
        at=timezone.now(),
    )
    Person.objects.filter(player=undecided).update(phone="071 123", email="ann@example.org")
    assert "5 players who might have come get no e-mail; their names are on the page" in words(
        call_off(director, event)
    )
    page = f"{desk_of(event)}schedule/"
    told = director.get(page)
    assert "Tell 5 players yourself" in words(told)
    assert 'href="mailto:ann@example.org"' in told.content.decode()
    assert 'href="tel:071123"' in told.content.decode()
    for one in Player.objects.filter(club=club):
        ResultMail.objects.create(
            kind=MailKind.CANCELLED,
            event=event,
            player=one,
            made_at=timezone.now(),
            has_money=False,
        )
    assert "yourself" not in words(director.get(page))


def test_how_to_reach_somebody_is_only_for_those_who_look_after_people(
    director: Director, club: Club, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person.objects.filter(player__club=club).update(phone="071 123", email="ann@example.org")
    call_off(director, event)
    fewer = RIGHTS[RoleInClub.DIRECTOR] - {Right.PLAYERS_EDIT}
    monkeypatch.setitem(cast("dict[Any, Any]", RIGHTS), RoleInClub.DIRECTOR, fewer)
    page = director.get(f"{desk_of(event)}schedule/")
    assert "Tell 4 players yourself" in words(page)
    assert "ann@example.org" not in page.content.decode()
    assert "071 123" not in words(page)


def test_own_words_come_before_a_usual_reason(director: Director, event: Event) -> None:
    call_off(director, event, why="The hall is flooded.")
    event.refresh_from_db()
    assert event.cancel_reason == "The hall is flooded."


def test_a_night_that_changed_meanwhile_is_not_called_off_unseen(
    director: Director, event: Event
) -> None:
    path = f"{desk_of(event)}schedule/"
    *_others, form, _remove = director.forms(path)
    Event.objects.filter(pk=event.pk).update(version=99)
    answer = director.send(form, cancel="1")
    assert answer.status_code == 422
    assert "Somebody else has changed this in the meantime." in words(answer)


def test_the_director_takes_it_back_on_the_page_of_the_night(
    director: Director, event: Event
) -> None:
    call_off(director, event)
    answer = director.fill(desk_of(event), "/schedule/", reinstate="1")
    assert answer.status_code == 302
    assert "Seat round 1" in words(director.get(answer.url))


def test_a_form_sent_late_to_a_night_that_is_called_off_is_refused_with_the_reason(
    director: Director, event: Event
) -> None:
    form = director.form(desk_of(event), "/walk-in/")
    call_off(director, event, why="Snow.")
    answer = director.send(form, name="Otto Olsen")
    assert answer.status_code == 422
    assert "This night is called off (“Snow.”). Let it take place again first." in words(answer)
    assert event.entries.count() == 4


def test_who_has_paid_for_a_night_that_is_called_off_is_on_its_page(club: Club) -> None:
    director = director_of(club, "treasurer")
    director_of(club)
    starts_at = timezone.now() + timedelta(days=1)
    event = make_event(club, starts_at=starts_at, entry_fee=500)
    check_in(event, make_players(club, 4))
    entry = event.entries.get(number=1)
    director.fill(f"{desk_of(event)}fees/", fee=f"paid:{entry.pk}")
    page = words(call_off(director, event))
    assert "1 player has paid the entry fee: give it back, and take the tick away." in page
    director.fill(f"{desk_of(event)}fees/", fee=f"open:{entry.pk}")
    assert "has paid the entry fee" not in words(director.get(desk_of(event)))


def test_a_night_is_moved_at_the_desk(director: Director, event: Event, client: Client) -> None:
    wanted = (event.starts_at + timedelta(days=7)).replace(second=0, microsecond=0, tzinfo=None)
    answer = press(
        director, event, "move", starts_at=f"{wanted:%Y-%m-%dT%H:%M}", why="The hall is painted."
    )
    assert answer.status_code == 302, words(answer)
    event.refresh_from_db()
    assert event.starts_at.replace(tzinfo=None) == wanted
    assert "moved from" in words(director.get(answer.url))
    public = words(client.get(f"/e/{event.pk}/"))
    assert f"to {wanted:%A} {wanted.day} {wanted:%B %Y, %H:%M}: “The hall is painted.”" in public


def test_a_night_set_up_by_mistake_is_removed_at_the_desk(
    director: Director, event: Event, club: Club
) -> None:
    answer = press(director, event, "remove")
    assert answer.url == f"/desk/clubs/{club.pk}/"
    assert "Tuesday is removed." in words(director.get(answer.url))
    assert not Event.objects.exists()


def test_where_it_cannot_be_removed_the_page_says_why(club: Club, director: Director) -> None:
    event = make_event(club, entry_fee=500)
    check_in(event, make_players(club, 1))
    answer = press(director, event, "remove")
    assert answer.status_code == 422
    said = "Entry fees are in the books of this night. It cannot be removed; call it off instead."
    assert said in words(answer)


def test_strangers_read_it_on_the_pages_of_the_club_the_night_and_the_season(
    director: Director, event: Event, club: Club, client: Client
) -> None:
    league = leagues.create_league(
        club_id=club.pk, new={"name": "Winter"}, by=DIRECTOR, at=event.created_at
    )
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=event.created_at)
    call_off(director, event, why="The hall is flooded.")
    said = "Called off: “The hall is flooded.”"
    club_page = words(client.get(f"/c/{club.pk}/"))
    assert said in club_page
    assert "Next night" not in club_page
    assert said in words(client.get(f"/e/{event.pk}/"))
    assert said in words(client.get(f"/e/{event.pk}/?view=projector"))
    season = words(client.get(f"/l/{league.pk}/"))
    assert "Called off Tuesday" in season
    assert "Still to be played" not in season


def test_after_its_day_it_stands_among_the_nights_and_never_as_the_last_one(
    event: Event, club: Club, client: Client
) -> None:
    past = timezone.now() - timedelta(days=3)
    Event.objects.filter(pk=event.pk).update(
        starts_at=past, status=Status.CANCELLED, cancel_reason="Snow."
    )
    page = words(client.get(f"/c/{club.pk}/"))
    assert "Nights Tuesday called off" in page
    assert "Snow." not in page


def test_the_door_says_it(director: Director, event: Event, client: Client) -> None:
    code = door.open_door(event_id=event.pk, by=DIRECTOR, at=event.created_at).code
    call_off(director, event, why="Snow.")
    answer = client.get(f"/in/{code}/")
    assert answer.status_code == 410
    assert "This night is called off: “Snow.”" in words(answer)


def test_the_code_on_a_table_says_it_that_of_the_night_and_that_of_every_night(
    director: Director, club: Club, client: Client
) -> None:
    tonight = make_event(club, name="Tonight", starts_at=timezone.now())
    (own,) = make_event_codes(event_id=tonight.pk, numbers=[1], by=DIRECTOR, at=timezone.now())
    (every,) = make_club_codes(club_id=club.pk, numbers=[2], by=DIRECTOR, at=timezone.now())
    call_off(director, tonight, why="Snow.")
    for code in (own, every):
        page = words(client.get(f"/t/{token_of(code)}"))
        assert "Tonight . Called off: “Snow.”" in page


def test_german_pages_say_it_in_german(
    director: Director, event: Event, club: Club, client: Client
) -> None:
    call_off(director, event, why="Hochwasser.")
    page = words(client.get(f"/c/{club.pk}/", headers={"Accept-Language": "de"}))
    assert "Abgesagt: „Hochwasser.“" in page
