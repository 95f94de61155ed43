"""`manage.py verify` and standings: silent where they are right or behind, a line where not."""

import pytest
from django.db import connection

from scoring.jobs.nightly import next_night, plan, run
from scoring.models import NightlyTask
from scoring.transfer.verifying import look_at_standings
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.publishing.nights import Night, publish_all
from tests.unguarded import unguarded
from tournaments.events import leagues, rounds
from tournaments.events.seating import DrawRequest
from tournaments.models import Published, Scope, Snapshot, Stale
from tournaments.verifying import published_subjects

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    night = Night()
    new = {"name": "Autumn"}
    league = leagues.create_league(club_id=night.club.pk, new=new, by=DIRECTOR, at=at())
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    games = night.seat(1)
    night.play(games[0], (13, 0, 0, 0), (5, 4, 4, 0))
    publish_all(night.clock)
    night.play(games[1], (0, 13, 0, 0))
    night.end(1)
    publish_all(night.clock)
    publish_all(night.clock)
    assert Published.objects.count() == 3
    return night


def found(night: Night) -> list[str]:
    return [
        str(one)
        for number in published_subjects(night.club.pk)
        for one in look_at_standings(number)
    ]


def damage(sql: str) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_good_standings_give_no_line(night: Night) -> None:
    assert found(night) == []


def test_a_round_that_is_only_drawn_is_no_part_of_the_standings(night: Night) -> None:
    event = night.event.pk
    rounds.draw(event_id=event, wanted=DrawRequest(rounds=1), version=None, by=DIRECTOR, at=at())
    assert not Stale.objects.filter(scope=Scope.EVENT, subject=event).exists()
    assert found(night) == []
    rounds.begin_round(event_id=event, number=2, by=DIRECTOR, at=at())
    publish_all(night.clock)
    assert [one["round"] for one in night.data()["rounds"]] == [1, 2]


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        (
            "UPDATE tournaments_published SET digest = 'x' WHERE scope = 'league'",
            "digest of league",
        ),
        ("UPDATE tournaments_published SET version = 7 WHERE scope = 'event'", "last version of"),
        ("UPDATE tournaments_snapshot SET version = 7 WHERE version = 2", "version of event"),
        ("UPDATE tournaments_result SET score = score + 5 WHERE seat = 1", "standings of event"),
        ("UPDATE tournaments_result SET score = score + 5 WHERE seat = 1", "standings of league"),
        ("UPDATE tournaments_result SET score = score + 50 WHERE seat = 1", "standings of ratings"),
        ("UPDATE tournaments_entry SET handicap = '3' WHERE number = 2", "standings of event"),
        ('UPDATE tournaments_league SET season = \'{"rule":"sum"}\'', "standings of league"),
    ],
)
def test_each_damage_is_named(night: Night, sql: str, line: str) -> None:
    damage(sql)
    lines = found(night)
    assert any(line in one for one in lines), "\n".join(lines)


def test_a_version_that_says_something_else_is_named(night: Night) -> None:
    first = Snapshot.objects.get(published__scope=Scope.EVENT, version=1)
    first.data = first.data.replace("provisional", "official")
    first.save()
    lines = found(night)
    assert any("digest of version 1 of event" in one for one in lines), "\n".join(lines)


def test_what_is_behind_is_nobodys_fault(night: Night) -> None:
    damage("UPDATE tournaments_entry SET handicap = '3' WHERE number = 2")
    damage('UPDATE tournaments_league SET season = \'{"rule":"sum"}\'')
    for row in Published.objects.exclude(scope=Scope.RATINGS):
        Stale.objects.create(scope=row.scope, subject=row.subject, since=at())
    assert found(night) == []


def test_the_nightly_round_looks_at_standings_too(night: Night) -> None:
    damage("UPDATE tournaments_published SET digest = 'x' WHERE scope = 'league'")
    plan(at=at())
    then = next_night(at())
    while run("verify books", lambda: then):
        pass
    assert NightlyTask.objects.get(name="verify books").outcome.endswith(" 1 differences.")


def test_every_version_is_kept(night: Night) -> None:
    row = Published.objects.get(scope=Scope.EVENT)
    numbers = Snapshot.objects.filter(published=row).order_by("version")
    assert list(numbers.values_list("version", flat=True)) == list(range(1, row.version + 1))
