"""A scoring that changes after hands were played has a reason, which everybody reads."""

import pytest
from django.test import Client

from scoring.games.links import token_of
from scoring.models import TableCode
from tests.api.asking import account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import director_of
from tests.web.test_desk_nights import words
from tournaments.core.errors import RefusedError
from tournaments.events import events
from tournaments.models import AuditEntry, Club, Event

pytestmark = pytest.mark.django_db


def change(event: Event, why: str = "", **changes: object) -> Event:
    event.refresh_from_db()
    return events.change_event(
        event_id=event.pk, changes=changes, version=event.version, why=why, by=DIRECTOR, at=at(3)
    )


def played_night() -> Event:
    event = make_night(4, rounds=2)
    draw(event)
    play(start(event, 1)[0], 1)
    return event


def test_before_a_hand_is_played_the_scoring_changes_without_a_reason() -> None:
    event = make_night(4, rounds=2)
    draw(event)
    start(event, 1)
    assert change(event, scoring={"method": "wins"}).scoring_reason == ""


def test_afterwards_it_needs_one_which_the_page_and_the_trail_tell(client: Client) -> None:
    event = played_night()
    with pytest.raises(RefusedError, match="say why the scoring changes"):
        change(event, scoring={"method": "wins"})
    change(event, why="We agreed on wins.", scoring={"method": "wins"})
    Club.objects.update(is_public=True)
    assert "We agreed on wins." in words(client.get(f"/e/{event.pk}/"))
    assert AuditEntry.objects.filter(what="event changed").latest("id").why == "We agreed on wins."


def test_phones_and_the_api_tell_it_too(client: Client) -> None:
    event = played_night()
    code = TableCode.objects.get(event=event, revoked_at=None)
    token, account = token_of(code), account_of("director@club.example")
    role_of(account, event.club, "director")
    told: list[str] = []
    for why in ("", "We agreed on wins."):
        if why:
            change(event, why=why, scoring={"method": "wins"})
        phone = client.get("/t/between", headers={"authorization": f"Seat {token}"}).json()
        answer = signed_in(account).get(f"/api/v1/events/{event.pk}").json()
        told += [phone["scoring_reason"], answer["scoring_reason"]]
    assert told == ["", "", "We agreed on wins.", "We agreed on wins."]


def test_other_settings_need_no_reason_nor_does_the_same_scoring_written_out() -> None:
    event = played_night()
    written_out = events.scoring_of(event).to_data()
    assert change(event, name="Finals", scoring=written_out).scoring_reason == ""


def test_the_form_of_the_desk_asks_for_it_once_hands_were_played() -> None:
    event = played_night()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/settings/"
    refused = director.fill(path, scoring_method="wins")
    assert refused.status_code == 422
    assert "say why the scoring changes" in words(refused)
    director.fill(path, scoring_method="wins", why="We agreed on wins.")
    event.refresh_from_db()
    assert event.scoring_reason == "We agreed on wins."
    other = make_night(4, club=event.club)
    page = director.get(f"/desk/events/{other.pk}/settings/").content.decode()
    assert 'name="why"' not in page
