"""Chores: every night, in parts, one at a time, and never the same crash for ever."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring import chores, tasks
from scoring.chores import CHORES, DEATHS_MAX, LEASE, Part, do, due, next_night, plan
from scoring.models import Chore
from tests.scoring.club import at, chip_hand, enter, make_game, state_of

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)


class Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chore of three parts instead of those there are."""

    def count(place: str, found: str, _at: datetime) -> Part:
        number = int(place or 0) + 1
        return Part(found + str(number), "" if number == 3 else str(number))

    monkeypatch.setattr(chores, "CHORES", {"count": count})


def test_every_chore_is_planned_once_for_the_next_night() -> None:
    plan(at=at())
    plan(at=at(600))
    assert dict(Chore.objects.values_list("name", "due_at")) == dict.fromkeys(CHORES, NIGHT)
    assert due(NIGHT - timedelta(seconds=1), 10) == []
    assert sorted(name for name, _ in due(NIGHT, 10)) == sorted(CHORES)


def test_a_machine_that_was_off_at_night_does_them_when_it_starts() -> None:
    plan(at=at())
    assert len(due(NIGHT + timedelta(days=3, hours=16), 10)) == len(CHORES)


@pytest.mark.usefixtures("counting")
def test_a_long_chore_is_done_part_by_part() -> None:
    plan(at=at())
    clock = Clock(NIGHT)
    for _ in range(3):
        assert due(clock.now, 10)
        assert do(name="count", clock=clock)
        clock.now += timedelta(minutes=1)
    chore = Chore.objects.get()
    assert (chore.outcome, chore.place, chore.found) == ("123", "", "")
    assert (chore.done_at, chore.due_at) == (NIGHT + timedelta(minutes=2), next_night(NIGHT))
    assert not do(name="count", clock=clock)


@pytest.mark.usefixtures("counting")
def test_while_one_is_at_it_it_is_not_due() -> None:
    plan(at=at())
    assert chores._claim("count", NIGHT) is not None
    assert not do(name="count", clock=Clock(NIGHT))
    assert due(NIGHT, 10) == []
    assert due(NIGHT + LEASE, 10)


def test_a_chore_that_kills_its_worker_waits_for_another_night(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run_out(*_: object) -> Part:
        raise MemoryError

    monkeypatch.setattr(chores, "CHORES", {"burst": run_out})
    plan(at=at())
    now = NIGHT
    for _ in range(DEATHS_MAX + 1):
        monkeypatch.setattr("django.utils.timezone.now", Clock(now))
        tasks.do_chore(name="burst")
        now += LEASE
    chore = Chore.objects.get()
    assert "Put aside" in chore.outcome
    assert (chore.due_at, chore.begun) == (next_night(NIGHT), 0)


def test_all_that_there_are_come_to_an_end() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    plan(at=at())
    clock = Clock(NIGHT)
    while waiting := due(clock(), 10):
        assert do(name=waiting[0][0], clock=clock)
        clock.now += timedelta(seconds=1)
    outcomes = dict(Chore.objects.values_list("name", "outcome"))
    assert outcomes["tidy"].startswith("0 messages")
    assert "1 hands, 0 differences" in outcomes["verify books"]


def test_a_place_fits_into_its_column() -> None:
    most = Chore._meta.get_field("place").max_length
    assert most is not None
    assert most >= len("game ") + 36
