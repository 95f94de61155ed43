"""Publishing under faults: hints doubled, late and lost, workers dead, hung, poisoned, at once."""

import itertools
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError

from scoring.jobs import tasks
from tests.scoring.club import at, make_club
from tests.tournaments.publishing.nights import Clock, Night, assert_is_cold, publish, publish_all
from tournaments import publishing
from tournaments.core.ids import new_id
from tournaments.models import ATTEMPTS_MAX, Entry, Published, Scope, Snapshot, Stale
from tournaments.publishing import Issue, PublishOutcome, publisher
from tournaments.publishing.documents import StandingsDocument
from tournaments.publishing.lease import LEASE, renew_lease
from tournaments.publishing.publisher import HINTS_MAX, PUT_ASIDE
from tournaments.publishing.scopes import compute as real

pytestmark = pytest.mark.django_db

Compute = Callable[..., StandingsDocument | None]


@pytest.fixture
def night() -> Night:
    night = Night()
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    return night


def row_of(night: Night) -> Published:
    return Published.objects.get(scope=Scope.EVENT, subject=night.event.pk)


def again(night: Night) -> None:
    Stale.objects.create(scope=Scope.EVENT, subject=night.event.pk, since=at())


def broken(
    monkeypatch: pytest.MonkeyPatch, night: Night, error: BaseException
) -> Callable[[], None]:
    """Whoever computes this event meets an error; gives what puts that right."""

    def compute(scope: str, subject: UUID, **more: Any) -> StandingsDocument | None:
        if subject == night.event.pk:
            raise error
        return real(scope, subject, **more)

    monkeypatch.setattr(publisher, "compute", compute)
    return lambda: monkeypatch.setattr(publisher, "compute", real)


def test_what_is_due_is_named_with_its_oldest_mark_and_asked_for_in_one_query(
    night: Night, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        found = publishing.find_due(night.clock(), 100)
    first = Stale.objects.filter(scope=Scope.EVENT).earliest("id")
    assert found == [(f"event {night.event.pk} {first.pk}", first.since)]
    night.publish()
    assert publishing.find_due(night.clock(), 100) == []
    again(night)
    # A name of its own: the relay sends a hint at once, whatever it sent before.
    assert publishing.find_due(night.clock(), 100)[0][0] != found[0][0]


def test_only_so_many_are_hinted_at() -> None:
    for _ in range(HINTS_MAX + 5):
        Stale.objects.create(scope=Scope.EVENT, subject=new_id(), since=at())
    assert len(publishing.find_due(at(), 100)) == HINTS_MAX


def test_a_doubled_hint_does_no_more_than_one(night: Night) -> None:
    assert night.publish() is PublishOutcome.NEW
    assert [night.publish() for _ in range(3)] == [PublishOutcome.SAME] * 3
    assert Snapshot.objects.count() == 1


def test_a_hint_that_comes_days_late_does_no_harm(night: Night) -> None:
    hint, _ = publishing.find_due(night.clock(), 1)[0]
    night.publish()
    night.clock.pass_by(48 * 3600)
    assert publishing.publish_due(clock=night.clock, hint=hint) >= 0
    assert night.version == 1


def test_a_hint_at_nothing_leaves_nothing(night: Night) -> None:
    Stale.objects.create(scope=Scope.LEAGUE, subject=new_id(), since=at())
    publish_all(night.clock)
    assert not Published.objects.filter(scope=Scope.LEAGUE)


def test_a_task_does_whatever_is_due_beside_what_it_was_told(night: Night) -> None:
    other = Night()
    other.play(other.seat(1)[0], (5, 4, 4, 0))
    tasks.run(kind="standings", name=publishing.find_due(night.clock(), 1)[0][0])
    assert not Stale.objects.exclude(scope=Scope.STATISTICS).exists()
    assert {night.version, other.version} == {1}


def test_while_one_computes_another_does_not(night: Night) -> None:
    night.publish()
    again(night)
    row = row_of(night)
    Published.objects.filter(pk=row.pk).update(due_at=night.clock() + LEASE)
    assert publishing.find_due(night.clock(), 9) == []
    assert (
        publishing.publish(scope=Scope.EVENT, subject=night.event.pk, clock=night.clock)
        is PublishOutcome.BUSY
    )
    night.clock.pass_by(LEASE.total_seconds())
    assert night.publish() is not PublishOutcome.BUSY


def test_what_is_marked_while_it_is_computed_is_computed_again(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:

    def compute(scope: str, subject: UUID, **more: Any) -> StandingsDocument | None:
        found = real(scope, subject, **more)
        again(night)
        return found

    monkeypatch.setattr(publisher, "compute", compute)
    night.publish()
    assert Stale.objects.filter(scope=Scope.EVENT).count() == 1


@pytest.mark.parametrize("is_remembered", [True, False])
def test_who_lost_his_time_writes_nothing_and_the_marks_stay(
    night: Night, monkeypatch: pytest.MonkeyPatch, *, is_remembered: bool
) -> None:
    night.publish()
    again(night)
    if not is_remembered:
        publisher.clear_cache()

    def compute(scope: str, subject: UUID, **more: Any) -> StandingsDocument | None:
        taken = night.clock() + timedelta(hours=1)
        Published.objects.filter(scope=scope, subject=subject).update(due_at=taken)
        return real(scope, subject, **more)

    monkeypatch.setattr(publisher, "compute", compute)
    assert night.publish() is (PublishOutcome.BUSY if is_remembered else PublishOutcome.GONE)
    assert night.version == 1
    assert Stale.objects.filter(scope=Scope.EVENT).exists()


def test_a_dead_worker_holds_nothing_up_for_long(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend = broken(monkeypatch, night, SystemExit())
    with pytest.raises(SystemExit):
        night.publish()
    mend()
    assert publishing.find_due(night.clock(), 9) == []
    night.clock.pass_by(LEASE.total_seconds())
    assert len(publishing.find_due(night.clock(), 9)) == 1
    assert night.publish() is PublishOutcome.NEW
    assert row_of(night).attempts == 0
    assert_is_cold(Scope.EVENT, night.event.pk)


def die(night: Night) -> None:
    with suppress(SystemExit):
        assert night.publish() is PublishOutcome.FAILED
    night.clock.pass_by(2 * LEASE.total_seconds())


@pytest.mark.parametrize("death", [SystemExit(), MemoryError()], ids=["killed", "memory"])
def test_a_poisoned_event_is_put_aside_and_seen_and_the_others_go_on(
    night: Night, monkeypatch: pytest.MonkeyPatch, death: BaseException
) -> None:
    other = Night()
    other.play(other.seat(1)[0], (13, 0, 0, 0))
    mend = broken(monkeypatch, night, death)
    for _ in range(ATTEMPTS_MAX):
        die(night)
        again(other)
        assert publish(Scope.EVENT, other.event.pk, night.clock) is not PublishOutcome.BUSY
    assert night.publish() is not PublishOutcome.NEW
    row = row_of(night)
    assert row.trouble.startswith(f"Put aside after {ATTEMPTS_MAX} tries.")
    assert publishing.find_due(night.clock(), 9) == []
    assert_is_cold(Scope.EVENT, other.event.pk)
    # Later it is tried once more, and not more than once.
    night.clock.pass_by(PUT_ASIDE.total_seconds())
    die(night)
    assert night.publish() is PublishOutcome.BUSY
    assert publishing.find_due(night.clock(), 9) == []
    mend()
    publishing.try_again(scope=Scope.EVENT, subject=night.event.pk, at=night.clock())
    assert night.publish() is PublishOutcome.NEW
    assert row_of(night).trouble == ""
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_the_task_outlives_a_want_of_memory(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, night, MemoryError())
    tasks.run(kind="standings", name=f"event {night.event.pk} 1")


def test_an_error_is_told_tried_again_and_put_aside(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend = broken(monkeypatch, night, ValueError("a bad setting"))
    for tries in range(1, ATTEMPTS_MAX + 1):
        assert night.publish() is PublishOutcome.FAILED
        assert "ValueError: a bad setting" in row_of(night).trouble
        night.clock.pass_by(tries * LEASE.total_seconds())
    assert row_of(night).trouble.startswith("Put aside")
    mend()
    night.clock.pass_by(PUT_ASIDE.total_seconds())
    assert night.publish() is PublishOutcome.NEW


def test_a_database_that_was_away_is_nobodys_death(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.publish()
    again(night)
    broken(monkeypatch, night, OperationalError("gone"))
    for _ in range(ATTEMPTS_MAX + 2):
        with pytest.raises(OperationalError):
            night.publish()
    assert (row_of(night).attempts, row_of(night).trouble) == (0, "")


def test_long_work_shows_signs_of_life(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is moved on while the work goes on, and let go by its new moment."""
    night.publish()
    ticks = itertools.count()
    moments = [night.clock() + timedelta(seconds=n) for n in range(5)]
    row = row_of(night)
    Published.objects.filter(pk=row.pk).update(due_at=moments[0])
    row.due_at = moments[0]
    waits = iter([False, False, True])
    monkeypatch.setattr("tournaments.publishing.lease.connections.close_all", lambda: None)
    renew_lease(row, lambda: moments[next(ticks)], lambda _seconds: next(waits))
    assert row_of(night).due_at == moments[1] + LEASE
    another = row_of(night)
    assert row.update_leased(due_at=None, attempts=0)
    assert not another.update_leased(attempts=1)


def test_the_version_never_goes_down_whatever_the_order(night: Night) -> None:
    seen = []
    for _ in range(3):
        night.publish()
        seen.append(night.version)
        again(night)
    assert seen == sorted(seen)
    assert list(Snapshot.objects.values_list("version", flat=True)) == [1]


def test_a_club_that_is_there_has_no_standings_of_another(night: Night) -> None:
    assert publishing.compute(Scope.EVENT, make_club().pk) is None
    assert publish(Scope.EVENT, make_club().pk, Clock()) is PublishOutcome.BUSY


def test_many_hands_while_a_worker_is_busy_make_one_more_version(night: Night) -> None:
    """What is marked while it is published waits for the next hint."""
    night.publish()
    again(night)
    Entry.objects.filter(event=night.event).update(handicap="1")

    def burst(issue: Issue, _: datetime) -> None:
        for _hand in range(5):
            again(night)
        Entry.objects.filter(event=night.event).update(handicap=str(issue.version + 1))

    for version in (2, 3):
        night.clock.pass_by(1)
        publishing.publish_due(clock=night.clock, tell=burst)
        assert night.version == version
        assert Stale.objects.filter(scope=Scope.EVENT).count() == 5
