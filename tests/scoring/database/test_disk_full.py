"""A full disk: whoever writes is told so in plain words, and nothing is lost."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tests.committing import shared_database
from tests.scoring.archives import file, in_turn, night
from tests.web.desk import Director, give_role
from tournaments.models import Account, Club, Job, Player

__all__ = ["shared_database"]
# A database that is full takes a whole transaction back: none may be around a test.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def club() -> Club:
    return club_of(account_of("admin@club.example"))


@pytest.fixture
def admin(club: Club) -> Asking:
    return signed_in(Account.objects.get(email="admin@club.example"))


@contextmanager
def full_disk_for_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        yield


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
