"""Sums that went wrong are found in the night and made anew; the trail of the game says so."""

import json

import pytest
from django.db import connection

from scoring.chores import do, next_night, plan
from scoring.mending import MENDED, mend_on, mend_sums
from scoring.models import Chore
from scoring.transfer.verifying import look_at_standings, trails
from tests.scoring.club import at
from tests.tournaments.publishing.nights import Night, publish_all
from tests.unguarded import unguarded
from tournaments import kept
from tournaments.models import AuditEntry, SeatSum
from tournaments.verifying import published

pytestmark = pytest.mark.django_db

DAMAGE = [
    "UPDATE tournaments_seatsum SET score = score + 1 WHERE seat = 2",
    "UPDATE tournaments_seatsum SET hands = hands + 1, clean_hands = 0 WHERE seat = 0",
    "DELETE FROM tournaments_seatsum WHERE seat = 3",
    "DELETE FROM tournaments_seatsum",
    "UPDATE tournaments_seatsum SET entry_id = NULL WHERE seat = 0",
    "UPDATE tournaments_result SET score = score + 1 WHERE seat = 1",
]


@pytest.fixture
def night() -> Night:
    night = Night()
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.play(second, (0, 13, 0, 0))
    publish_all(night.clock)
    return night


def damage(sql: str) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql)


def mend() -> str:
    plan(at=at())
    then = next_night(at())
    while do(name="mend sums", clock=lambda: then):
        pass
    return Chore.objects.get(name="mend sums").outcome


@pytest.mark.parametrize("sql", DAMAGE)
def test_wrong_sums_are_made_anew_and_the_trail_says_so(night: Night, sql: str) -> None:
    damage(sql)
    assert kept.differing(night.event.pk)
    assert mend() == "1 events, 2 games mended."
    assert kept.differing(night.event.pk) == []
    assert SeatSum.objects.count() == 8
    entries = AuditEntry.objects.filter(what=MENDED)
    assert {one.by for one in entries} == {"system"}
    assert entries.count() == 2
    details = json.loads(entries[0].details)
    assert details["event"] == str(night.event.pk)
    assert details["too_many"][0].keys() == {"seat", "score", "hands", "clean_hands"}
    assert list(trails.of_club(night.club.pk)) == []
    assert mend_on("", "", at=at()) == ("", "1 events, 0 games mended.")
    assert entries.count() == 2


def test_verify_has_nothing_to_say_afterwards(night: Night) -> None:
    damage(DAMAGE[0])
    assert any(look_at_standings(one) for one in published(night.club.pk))
    mend()
    assert not any(look_at_standings(one) for one in published(night.club.pk))


def test_right_sums_are_left_alone(night: Night) -> None:
    game = SeatSum.objects.values_list("game_id", flat=True)[0]
    before = set(SeatSum.objects.values_list("pk", flat=True))
    assert not mend_sums(game_id=game, event_id=night.event.pk, at=at())
    assert mend() == "1 events, 0 games mended."
    assert set(SeatSum.objects.values_list("pk", flat=True)) == before
    assert not AuditEntry.objects.filter(what=MENDED).exists()


def test_it_goes_on_where_a_part_ended(night: Night) -> None:
    other = Night(club=night.club, players=night.players)
    other.play(other.seat(1)[0], (0, 0, 0, 13))
    damage(DAMAGE[0])
    place, found = mend_on("", "", at=at(), seconds=-1)
    assert (place, found) == (str(min(night.event.pk, other.event.pk)), "1 events, 2 games mended.")
    place, found = mend_on(place, found, at=at())
    assert (place, found) == ("", "2 events, 3 games mended.")
