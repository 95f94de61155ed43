"""Nightly tasks: every night, in parts, one at a time, and never the same crash for ever."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.jobs import nightly, tasks
from scoring.jobs.nightly import TASKS, NightlyStep, due, next_night, plan, run
from scoring.models import NightlyTask
from tests.scoring.club import at, chip_hand, enter, make_game, state_of
from tournaments.models import ATTEMPTS_MAX, LEASE

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)


class Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task of three parts instead of those there are."""

    def count(place: str, found: str, _at: datetime) -> NightlyStep:
        number = int(place or 0) + 1
        return NightlyStep(found + str(number), "" if number == 3 else str(number))

    monkeypatch.setattr(nightly, "TASKS", {"count": count})


def test_every_task_is_planned_once_for_the_next_night() -> None:
    plan(at=at())
    plan(at=at(600))
    assert dict(NightlyTask.objects.values_list("name", "due_at")) == dict.fromkeys(TASKS, NIGHT)
    assert due(NIGHT - timedelta(seconds=1), 10) == []
    assert sorted(name for name, _ in due(NIGHT, 10)) == sorted(TASKS)


def test_a_machine_that_was_off_at_night_does_them_when_it_starts() -> None:
    plan(at=at())
    assert len(due(NIGHT + timedelta(days=3, hours=16), 10)) == len(TASKS)


@pytest.mark.usefixtures("counting")
def test_a_long_task_is_done_part_by_part() -> None:
    plan(at=at())
    clock = Clock(NIGHT)
    for _ in range(3):
        assert due(clock.now, 10)
        assert run("count", clock)
        clock.now += timedelta(minutes=1)
    task = NightlyTask.objects.get()
    assert (task.outcome, task.place, task.found) == ("123", "", "")
    assert (task.done_at, task.due_at) == (NIGHT + timedelta(minutes=2), next_night(NIGHT))
    assert not run("count", clock)


@pytest.mark.usefixtures("counting")
def test_while_one_is_at_it_it_is_not_due() -> None:
    plan(at=at())
    assert NightlyTask.objects.claim("count", NIGHT) is not None
    assert not run("count", Clock(NIGHT))
    assert due(NIGHT, 10) == []
    assert due(NIGHT + LEASE, 10)


def test_a_task_that_kills_its_worker_waits_for_another_night(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run_out(*_: object) -> NightlyStep:
        raise MemoryError

    monkeypatch.setattr(nightly, "TASKS", {"burst": run_out})
    plan(at=at())
    now = NIGHT
    for _ in range(ATTEMPTS_MAX + 1):
        monkeypatch.setattr("django.utils.timezone.now", Clock(now))
        tasks.run(kind="nightly", name="burst")
        now += LEASE
    task = NightlyTask.objects.get()
    assert "Put aside" in task.outcome
    assert (task.due_at, task.attempts) == (next_night(NIGHT), 0)


def test_all_that_there_are_come_to_an_end() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    plan(at=at())
    clock = Clock(NIGHT)
    while waiting := due(clock(), 10):
        assert run(waiting[0][0], clock)
        clock.now += timedelta(seconds=1)
    outcomes = dict(NightlyTask.objects.values_list("name", "outcome"))
    assert outcomes["tidy"].startswith("0 messages")
    assert "1 hands, 0 differences" in outcomes["verify books"]


def test_a_place_fits_into_its_column() -> None:
    most = NightlyTask._meta.get_field("place").max_length
    assert most is not None
    assert most >= len("game ") + 36
