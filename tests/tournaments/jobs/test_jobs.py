"""Jobs: in parts, each exactly once, whatever dies; cancelled, given up and forgotten."""

import os
import signal
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DataError, IntegrityError, OperationalError
from structlog.testing import capture_logs

from engine.core.messages import Message
from tests.children import run_main
from tests.committing import shared_database
from tests.scoring.club import DIRECTOR, at, make_club
from tournaments import jobs
from tournaments.core.errors import (
    ConflictError,
    NotThereError,
    RefusedError,
    TooOftenError,
)
from tournaments.jobs import JobRequest, JobType, Part
from tournaments.jobs.requests import AT_ONCE_MAX, KEPT
from tournaments.jobs.runner import RETRY_WAIT
from tournaments.models import ATTEMPTS_MAX, LEASE, Club, Job, JobState, LeasedQuerySet, Player

__all__ = ["shared_database"]
PARTS = 4


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path / "files"


class Clock:
    def __init__(self) -> None:
        self.now = at()

    def __call__(self) -> Any:
        return self.now


def count(job: Job, moment: datetime) -> Part:
    """A kind of job that adds a player a part, and a line to its file."""
    number = job.place.get("number", 0) + 1
    Player.objects.create(club_id=job.club_id, number=number, created_at=moment)
    with job.result_path.open("a") as file:
        file.write(f"{number}\n")
    return Part(
        done=number,
        total=PARTS,
        place={} if number == PARTS else {"number": number},
        outcome={"players": number},
        problems=({"line": number, "message": "odd"},),
        file_name="players.txt" if number == PARTS else "",
    )


TYPES = {"count": JobType(count)}


def asked(club: Club, **more: Any) -> Job:
    wanted = JobRequest(kind="count", **more)
    return jobs.create(club_id=club.pk, request=wanted, by=DIRECTOR, at=at())


def run(job: Job, clock: Clock, types: Mapping[str, JobType] = TYPES, seconds: float = 0) -> Job:
    jobs.run(job_id=job.pk, types=types, clock=clock, seconds=seconds)
    return Job.objects.get(pk=job.pk)


@pytest.mark.django_db
def test_a_job_is_done_part_by_part_and_leaves_a_file() -> None:
    clock, job = Clock(), asked(make_club())
    for number in range(1, PARTS + 1):
        assert Job.objects.due_names(clock.now, 10) == [(str(job.pk), Job.objects.get().due_at)]
        job = run(job, clock)
        assert (job.done, job.total, len(job.problems)) == (number, PARTS, number)
    assert (job.state, job.outcome["players"]) == (JobState.DONE, PARTS)
    assert Job.objects.due_names(clock.now + LEASE * 2, 10) == []
    assert jobs.find_result(job).read_text() == "1\n2\n3\n4\n"


@pytest.mark.django_db
def test_many_parts_are_done_at_once_while_there_is_time() -> None:
    job = run(asked(make_club()), Clock(), seconds=60)
    assert (job.state, job.done) == (JobState.DONE, PARTS)


@pytest.mark.django_db
def test_a_club_has_so_many_jobs_at_once() -> None:
    club = make_club()
    rows = [asked(club) for _ in range(AT_ONCE_MAX)]
    with pytest.raises(TooOftenError):
        asked(club)
    asked(make_club("another"))
    jobs.cancel(job_id=rows[0].pk, at=at())
    asked(club)


@pytest.mark.django_db(transaction=True)
def test_a_cancelled_job_goes_no_further_and_undoes_the_part_it_is_in(files: Path) -> None:
    clock, club = Clock(), make_club()
    job = run(asked(club, upload=b"text"), clock)

    def stopped(job: Job, moment: datetime) -> Part:
        part = count(job, moment)
        jobs.cancel(job_id=job.pk, at=moment)
        return part

    job = run(job, clock, {"count": JobType(stopped)}, seconds=60)
    # The cancelling here is part of what is undone; it is done again from outside.
    jobs.cancel(job_id=job.pk, at=at())
    job = run(job, clock, seconds=60)
    assert (job.state, job.done, Player.objects.count()) == (JobState.CANCELLED, 1, 1)
    assert not list(files.iterdir())
    assert jobs.cancel(job_id=job.pk, at=at()).state == JobState.CANCELLED


@pytest.mark.django_db
def test_what_has_ended_or_is_not_there_cannot_be_cancelled() -> None:
    job = run(asked(make_club()), Clock(), seconds=60)
    with pytest.raises(ConflictError):
        jobs.cancel(job_id=job.pk, at=at())
    with pytest.raises(NotThereError):
        jobs.cancel(job_id=make_club().pk, at=at())


@pytest.mark.django_db
def test_a_job_that_is_refused_has_failed_and_says_why() -> None:
    def refused(_job: Job, _moment: datetime) -> Part:
        raise RefusedError("This is no archive.")

    job = run(asked(make_club()), Clock(), {"count": JobType(refused)})
    assert (job.state, job.outcome["why"]) == (JobState.FAILED, "This is no archive.")
    job = run(asked(make_club()), Clock(), {})
    assert job.state == JobState.FAILED


@pytest.mark.django_db
@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError(), MemoryError(), RecursionError(), KeyError("x"), FileNotFoundError(),
     DataError("not a date"), IntegrityError("twice")],
)  # fmt: skip
@pytest.mark.parametrize("is_read_only", [False, True])
def test_an_error_that_nobody_foresaw_ends_a_job_at_once_with_a_number(
    error: Exception, is_read_only: bool
) -> None:
    def broken(_job: Job, _moment: datetime) -> Part:
        raise error

    types = {"count": JobType(broken, is_read_only=is_read_only)}
    with capture_logs() as logged:
        job = run(asked(make_club()), Clock(), types, seconds=60)
    assert (job.state, job.due_at) == (JobState.FAILED, None)
    reference = job.outcome["why"].arguments["reference"]
    assert reference in job.outcome["why"]
    assert [one["reference"] for one in logged] == [reference]


@pytest.mark.django_db
def test_a_refusal_that_cannot_be_stored_ends_a_job_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_job: Job, _moment: datetime) -> Part:
        raise RefusedError(Message("There is no {name}.", name="\ud800"))

    write = Job.update_leased

    def refuse_surrogates(job: Job, **fields: Any) -> bool:
        if "\ud800" in fields["outcome"]["why"]:
            raise DataError("unsupported Unicode escape sequence")  # as PostgreSQL does
        return write(job, **fields)

    monkeypatch.setattr(Job, "update_leased", refuse_surrogates)
    with capture_logs():  # what is written in a log by a test has to be UTF-8
        job = run(asked(make_club()), Clock(), {"count": JobType(refused)})
    assert job.state == JobState.FAILED
    assert "An error in the program" in job.outcome["why"]


@pytest.mark.django_db
def test_a_job_that_is_broken_off_from_outside_is_tried_again_and_given_up_in_the_end() -> None:
    def broken(_job: Job, _moment: datetime) -> Part:
        raise OperationalError("deadlock")

    clock, job = Clock(), asked(make_club())
    for _ in range(ATTEMPTS_MAX):
        job = run(job, clock, {"count": JobType(broken)})
        assert job.state == JobState.WAITING
        assert not jobs.run(job_id=job.pk, types=TYPES, clock=clock)
        clock.now += RETRY_WAIT
    job = run(job, clock, {"count": JobType(broken)})
    assert job.state == JobState.FAILED
    assert job.outcome["why"].arguments["reference"]


@pytest.mark.django_db
def test_a_job_whose_workers_die_ends_with_a_number() -> None:
    clock, job = Clock(), asked(make_club())
    for _ in range(ATTEMPTS_MAX):
        assert Job.objects.claim(job.pk, clock(), state=JobState.RUNNING)
        clock.now += LEASE
    job = run(job, clock)
    assert (job.state, Player.objects.count()) == (JobState.FAILED, 0)
    assert job.outcome["why"].arguments["reference"]


@pytest.mark.django_db
def test_a_worker_that_comes_back_too_late_changes_nothing() -> None:
    clock, job = Clock(), asked(make_club())

    def slow(job: Job, moment: datetime) -> Part:
        clock.now += LEASE
        Job.objects.filter(pk=job.pk).update(due_at=clock.now + LEASE)  # another's by now
        return count(job, moment)

    job = run(job, clock, {"count": JobType(slow)})
    assert (job.done, Player.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_a_worker_that_comes_back_too_late_leaves_the_file_that_another_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, job = Clock(), asked(make_club())
    mine = Job.objects.claim(job.pk, clock())
    clock.now += LEASE
    assert run(job, clock, seconds=60).state == JobState.DONE
    late = Part(done=1, file_name="late.txt")
    monkeypatch.setattr(LeasedQuerySet, "claim", lambda *_, **__: mine)
    job = run(job, clock, {"count": JobType(lambda _job, _moment: late)})
    assert (job.state, job.file_name) == (JobState.DONE, "players.txt")
    assert jobs.find_result(job).read_text() == "1\n2\n3\n4\n"


@pytest.mark.django_db
def test_of_a_file_that_is_made_in_one_go_one_sees_how_long_it_is() -> None:
    job, seen = asked(make_club()), []

    def whole(job: Job, moment: datetime) -> Part:
        for size in (1, 2, 3):
            job.result_path.write_bytes(b"x" * size)
            seen.append(Job.objects.get().progress)
        return Part(done=3, total=3, file_name="x.txt")

    assert job.progress == 0
    job = run(job, Clock(), {"count": JobType(whole)})
    assert (seen, job.progress) == ([1, 2, 3], 3)


@pytest.mark.django_db
def test_old_jobs_are_forgotten_with_their_files(files: Path) -> None:
    job = run(asked(make_club()), Clock(), seconds=60)
    stray = files / "0193f000-0000-7000-8000-000000000000.out"
    stray.write_text("nobody's")
    os.utime(stray, (0, 0))
    os.utime(files / job.file, (at().timestamp(), at().timestamp()))
    assert jobs.delete_old(at=at() + KEPT) == 0
    assert [path.name for path in files.iterdir()] == [job.file]
    assert jobs.delete_old(at=at() + KEPT + timedelta(minutes=1)) == 1
    assert not list(files.iterdir())


@pytest.mark.django_db
def test_with_a_person_go_the_files_and_words_of_jobs() -> None:
    job = run(asked(make_club()), Clock(), seconds=60)
    jobs.forget_names(job.club_id)
    job = Job.objects.get()
    assert not job.problems
    with pytest.raises(NotThereError):
        jobs.find_result(job)


def test_whoever_asked_is_told_of_again() -> None:
    for label in (DIRECTOR.label, "system"):
        assert Job(by=label).actor.label == label


@pytest.mark.slow
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_killed_inside_any_part_a_job_still_does_each_part_once(part: int, files: Path) -> None:
    clock, job = Clock(), asked(make_club())
    status = run_main("tests.tournaments.jobs.count_and_die", str(job.pk), str(files), str(part))
    assert status == -signal.SIGKILL
    job = Job.objects.get()
    assert (job.done, Player.objects.count()) == (part - 1, part - 1)
    assert job.due_at is not None
    clock.now = job.due_at
    job = run(job, clock, seconds=60)
    assert (job.state, Player.objects.count()) == (JobState.DONE, PARTS)
