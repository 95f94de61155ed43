"""A full disk: whoever writes is told so in plain words, and nothing is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from scoring.jobs.kinds import JOB_TYPES
from scoring.models import Hand
from scoring.transfer.exporting import ExportRequest, create_job
from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tests.committing import shared_database
from tests.disks import (
    FULL_DATABASES,
    database_that_refuses_writes,
    free_again,
    full_disk_for_files,
)
from tests.scoring.archives import file, in_turn, night
from tests.web.desk import Director, give_role
from tournaments import jobs
from tournaments.core import storage
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.models import Account, Club, Job, Player

__all__ = ["shared_database"]
# A database that is full takes a whole transaction back: none may be around a test.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture(autouse=True)
def _forget_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    free_again(monkeypatch)


@pytest.fixture
def club() -> Club:
    return club_of(account_of("admin@club.example"))


@pytest.fixture
def admin(club: Club) -> Asking:
    return signed_in(Account.objects.get(email="admin@club.example"))


@contextmanager
def full_disk_for_the_database() -> Iterator[None]:
    """SQLite itself says that the disk is full once its file may have no further page."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count")
        (before,) = cursor.fetchone()
        cursor.execute("PRAGMA max_page_count = 1")  # no lower than what is used
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA max_page_count = {before}")


def test_an_upload_on_a_full_disk_is_refused_and_leaves_nothing(
    admin: Asking, club: Club, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, text = f"/api/v1/clubs/{club.pk}/imports?kind=archive", file(in_turn(night(1, hands=2)))
    with full_disk_for_files(monkeypatch):
        problem = check_problem(admin.post(path, text), "DISK_FULL")
    assert (problem["status"], "nothing was lost" in problem["detail"]) == (507, True)
    assert not Job.objects.exists()
    assert list(files.iterdir()) == []
    assert admin.post(path, text).status_code == 202


def test_an_upload_by_the_desk_is_refused_on_a_page(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"/desk/clubs/{club.pk}/import/"
    director = Director(account_of("nora@club.example"))
    give_role(Account.objects.get(email="nora@club.example"), club, "admin")
    form = director.form(page)
    archive = SimpleUploadedFile("night.phn", file(in_turn(night(1, hands=2))))
    with full_disk_for_files(monkeypatch):
        answer = director.send(form, kind="archive", file=archive)
    assert answer.status_code == 507
    assert "The disk is full" in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL cannot be told to be full")
def test_a_full_database_refuses_a_write_and_takes_it_later(admin: Asking, club: Club) -> None:
    path = f"/api/v1/clubs/{club.pk}/players"
    with full_disk_for_the_database():
        answers = [
            admin.post(path, {"name": f"Nora {number}", "note": "x" * 400}) for number in range(60)
        ]
        refused = [answer for answer in answers if answer.status_code != 201]
        stored = Player.objects.count()
        check_problem(refused[0], "DISK_FULL")
        assert stored == len(answers) - len(refused)
    assert admin.post(path, {"name": "Nora"}).status_code == 201
    assert Player.objects.count() == stored + 1


def export_of(club: Club) -> Job:
    wanted = ExportRequest(what="members", format="csv")
    by = Actor(ActorKind.SYSTEM, Source.COMMAND)
    return create_job(club, wanted, by=by, at=timezone.now())


def do(job: Job, minutes: int) -> Job:
    """What a worker does so many minutes later."""
    at = timezone.now() + timedelta(minutes=minutes)
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at)
    job.refresh_from_db()
    return job


def test_an_export_waits_for_space_as_long_as_it_takes(
    club: Club, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than three tries, after which a job that fails is put aside."""
    job = export_of(club)
    with full_disk_for_files(monkeypatch):
        for minute in range(1, 6):
            free_again(monkeypatch)
            assert do(job, minute).state == "waiting"
            assert list(files.iterdir()) == []
    assert job.attempts == 0
    free_again(monkeypatch)
    assert do(job, 10).state == "done"


def test_an_import_stops_at_a_full_database_and_goes_on_where_it_was(
    admin: Asking, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = file(in_turn(night(1, hands=2)))
    admin.post(f"/api/v1/clubs/{club.pk}/imports?kind=archive", text)
    job = Job.objects.get()
    full = FULL_DATABASES["PostgreSQL is full"]
    for minute in range(1, 6):
        free_again(monkeypatch)
        # What changes a row finds room where the old one was; what is new does not.
        with database_that_refuses_writes(full, ("INSERT",)):
            assert do(job, 3 * minute).state == "waiting"
        assert not Hand.objects.exists()
        assert job.upload_path.is_file()
    free_again(monkeypatch)
    assert do(job, 60).state == "done"
    assert Hand.objects.count() == 2


def test_no_job_is_begun_while_the_disk_is_known_to_be_full(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = export_of(club)
    monkeypatch.setattr(storage, "FULL_BYTES", 1 << 62)
    assert (do(job, 1).state, job.attempts) == ("waiting", 0)
