"""The nightly sweep: what is missing or old is computed, what is right stays as it is."""

import pytest

from scoring.jobs.nightly import next_night, plan, run
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.publishing.nights import (
    Night,
    assert_is_cold,
    publish_all,
    publish_statistics,
)
from tests.unguarded import unguarded
from tournaments import publishing
from tournaments.events import leagues
from tournaments.models import Published, Scope, Snapshot, Stale

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    night = Night()
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.end(1)
    new = {"name": "Autumn"}
    leagues.create_league(club_id=night.club.pk, new=new, by=DIRECTOR, at=at())
    return night


def test_standings_that_were_lost_come_back(night: Night) -> None:
    Stale.objects.all().delete()
    plan(at=at())
    then = next_night(at())
    assert run("sweep standings", lambda: then)
    publish_all(night.clock)
    publish_statistics(night.clock)
    found = set(Published.objects.filter(version=1).values_list("scope", flat=True))
    assert found == {Scope.EVENT, Scope.LEAGUE, Scope.RATINGS, Scope.STATISTICS}


def test_what_is_right_is_left_alone(night: Night) -> None:
    publish_all(night.clock)
    publish_statistics(night.clock)
    assert publishing.sweep(at=at()) == 0


def test_what_another_program_made_is_made_anew(night: Night) -> None:
    publish_all(night.clock)
    publish_statistics(night.clock)
    with unguarded():
        Snapshot.objects.filter(published__scope=Scope.EVENT).update(program="0", data="{}")
    Published.objects.filter(scope=Scope.EVENT).update(inputs="", digest="0")
    assert publishing.sweep(at=at()) == 1
    publish_all(night.clock)
    assert night.version == 2
    assert_is_cold(Scope.EVENT, night.event.pk)
