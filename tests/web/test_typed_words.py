"""What a person typed is never translated, also where it is a sentence that the product says."""

import html
import json
from typing import Any

import pytest
from django.test import Client

from scoring.hands.agreements import object_to_hand
from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, seat
from tests.web.desk import director_of
from tests.web.window import Window, publish_all
from tournaments.events import adjustments
from tournaments.models import Entry, Event, League, Person

pytestmark = pytest.mark.django_db

WHY = ["The pot is not paid.", "nobody; hearts", "North takes 3, and everybody passed"]
NAME, EVENT = "Hearts of South", "hearts"


@pytest.fixture(params=WHY)
def words(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def window(window: Window, words: str) -> Window:
    """A night on which somebody typed these words wherever words can be typed."""
    Event.objects.filter(pk=window.event.pk).update(name=EVENT)
    League.objects.filter(pk=window.league.pk).update(name=EVENT)
    sitter = Person.objects.filter(player__sittings__game=window.game).first()
    assert sitter is not None
    Person.objects.filter(pk=sitter.pk).update(name=NAME, note=words)
    Game.objects.filter(pk=window.game.pk).update(name=f"{EVENT}, round 2, table 1")
    publish_all()
    object_to_hand(hand_id=window.hand.pk, version=1, why=words, by=seat(1), at=at(3))
    entry = Entry.objects.filter(event=window.event).first()
    assert entry is not None
    adjustments.adjust_score(
        event_id=window.event.pk, entry=entry.pk, amount="-1", reason=words, by=DIRECTOR, at=at(4)
    )
    return window


def texts(data: Any) -> list[str]:
    """Every string in an answer."""
    match data:
        case str():
            return [data]
        case dict():
            return [one for value in data.values() for one in texts(value)]
        case list():
            return [one for value in data for one in texts(value)]
        case _:
            return []


def read(client: Client, path: str, language: str) -> str:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_pages_in_german_show_typed_words_as_they_are(window: Window, words: str) -> None:
    desk = director_of(window.club, "admin").client
    shown = 0
    pages = [
        f"/desk/events/{window.event.pk}/floor/",
        f"/desk/hands/{window.hand.pk}/",
        f"/desk/clubs/{window.club.pk}/trail/",
        *window.addresses.values(),
    ]
    for path in pages:
        in_english, in_german = (html.unescape(read(desk, path, one)) for one in ("en", "de"))
        assert in_german != in_english
        for typed in (words, NAME):
            assert in_german.count(typed) == in_english.count(typed), (path, typed)
            shown += in_german.count(typed)
    assert shown >= len(pages)


def test_answers_in_german_have_typed_words_as_they_are(window: Window, words: str) -> None:
    desk = director_of(window.club, "admin").client
    paths = [
        f"hands/{window.hand.pk}",
        f"games/{window.game.pk}/hands",
        f"events/{window.event.pk}/adjustments",
        f"clubs/{window.club.pk}/audit",
        f"clubs/{window.club.pk}/players",
    ]
    shown = 0
    for path in paths:
        in_english, in_german = (
            texts(json.loads(read(desk, f"/api/v1/{path}", one))) for one in ("en", "de")
        )
        for typed in (words, NAME):
            assert in_german.count(typed) == in_english.count(typed), (path, typed)
        shown += in_german.count(words)
    assert shown >= len(paths) - 1


def test_what_the_product_says_of_a_hand_is_translated_and_a_reason_of_a_seat_is_not(
    window: Window, words: str
) -> None:
    desk = director_of(window.club, "admin").client
    path = f"/api/v1/hands/{window.hand.pk}"
    found = json.loads(read(desk, path, "de"))
    assert (found["reason"], found["is_objection"]) == (words, True)
    assert "scored" not in found["settlement"]["sentence"]
