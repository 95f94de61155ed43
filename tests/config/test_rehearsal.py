"""Nightly backups and rehearsals of a restore: the real commands, on a database of their own."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from config.operations import rehearsal
from scoring.jobs import nightly
from tests import postgresql
from tests.migrated import make_data_folder
from tests.web.desk import Director, give_role, make_account
from tournaments.models import BackupKind, BackupReport, Club

ROOT = Path(__file__).resolve().parents[2]
REPORTS = """
import json
from tournaments.models import BackupReport
rows = BackupReport.objects.order_by("kind").values("kind", "is_good", "file_name", "outcome")
print(json.dumps(list(rows)))
"""


class Installation:
    """A data folder, and commands on it."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.data = folder / "data"
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PAINSUIT_DATA": str(self.data),
            "PAINSUIT_BACKUPS": "2",
            "PAINSUIT_NO_BOOTSTRAP": "1",
            "PYTHONPATH": str(ROOT),
            **environ,
        }

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *words],
            env=self.environ,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    def manage(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return self.run("manage.py", *words)

    def reports(self) -> list[dict[str, Any]]:
        done = self.manage("shell", "--no-imports", "-c", REPORTS)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    def backups(self) -> list[Path]:
        return sorted((self.data / "backups").glob("*.backup"))


@pytest.fixture(scope="module")
def first_night(
    tmp_path_factory: pytest.TempPathFactory,
) -> "tuple[Installation, subprocess.CompletedProcess[str]]":
    """A club with a game, of which the first nightly backup was written, and what that said."""
    found = Installation(tmp_path_factory.mktemp("first-night"))
    make_data_folder(found.data)
    assert found.run("-m", "tests.chaos.desk", "prepare", "1").returncode == 0
    return found, found.manage("rehearse", "--nightly")


@pytest.fixture
def installation(first_night: tuple[Installation, object], tmp_path: Path) -> Installation:
    """A copy of it for one test."""
    first, _said = first_night
    found = Installation(tmp_path)
    shutil.copytree(first.data, found.data)
    return found


def test_the_night_writes_a_backup_and_restores_it_beside_the_database(
    first_night: "tuple[Installation, subprocess.CompletedProcess[str]]",
    installation: Installation,
) -> None:
    _installation, first = first_night
    assert first.returncode == 0, first.stderr
    assert "can be restored: 1 game" in first.stdout
    (path,) = installation.backups()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    for report in installation.reports():
        assert (report["is_good"], report["file_name"]) == (True, path.name)
    assert not (installation.data / "rehearsal").exists()
    again = installation.manage("rehearse", "--nightly")
    assert again.returncode == 0
    assert "can be restored" not in again.stdout  # once a week
    left, written = (
        path.parent / ".painsuit-1.backup.a.part",
        path.parent / ".painsuit-2.backup.b.part",
    )
    left.touch()
    written.touch()
    os.utime(left, (0, 0))
    time.sleep(1)  # a backup is named by its second
    installation.manage("rehearse", "--nightly")
    assert len(installation.backups()) == 2
    assert (left.exists(), written.exists()) == (False, True), "a power cut left one of them"
    assert not list(path.parent.glob(f"{path.name}*"))  # the trails beside it went, too


def test_a_damaged_backup_is_named(installation: Installation) -> None:
    (path,) = installation.backups()
    written = bytearray(path.read_bytes())
    written[len(written) // 2] ^= 1
    path.write_bytes(written)
    found = installation.manage("rehearse")
    assert found.returncode == 1
    assert path.name in found.stdout
    # It depends on the bit whether the packing, the frames or the digest tell it.
    assert re.search("is damaged|breaks off|was changed", found.stdout)
    _backup, report = installation.reports()
    assert (report["kind"], report["is_good"]) == ("rehearsal", False)
    assert re.search("is damaged|breaks off|was changed", report["outcome"])


@pytest.fixture(scope="module")
def server() -> Iterator[postgresql.Server]:
    with postgresql.running() as found:
        yield found


@pytest.mark.slow
def test_a_backup_of_postgresql_is_rehearsed_in_a_schema_of_its_own(
    server: postgresql.Server, tmp_path: Path
) -> None:
    installation = Installation(tmp_path, DATABASE_URL=server.url)
    assert installation.manage("migrate", "--verbosity=0").returncode == 0
    assert installation.run("-m", "tests.chaos.desk", "prepare", "1").returncode == 0
    found = installation.manage("rehearse", "--nightly")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "can be restored: 1 game" in found.stdout
    assert installation.manage("verify").returncode == 0
    assert [report["is_good"] for report in installation.reports()] == [True, True]


def test_a_rehearsal_asks_for_as_much_space_as_the_unpacked_backup_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large database with much that repeats it is far more than six times the file."""
    asked: list[int] = []

    def refuse(needed: int) -> None:
        asked.append(needed)
        raise rehearsal.RehearsalError("the disk has too little space")

    monkeypatch.setattr(rehearsal, "_require_space", refuse)
    packed, older, damaged = (tmp_path / f"{name}.backup" for name in ("new", "old", "bad"))
    packed.write_bytes(gzip.compress(b"0" * 3_000_000))
    older.write_bytes(b"{}" * 1000)
    damaged.write_bytes(b"\x1f\x8b damaged")
    for path in (packed, older, damaged):
        with pytest.raises(rehearsal.RehearsalError, match="too little space"):
            rehearsal.rehearse(path)
    assert asked == [6_000_000, 4000, 0]


def test_what_is_missing_is_said_in_a_sentence(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    make_data_folder(installation.data)
    for words, said in [
        (("rehearse",), "there is no backup in"),
        (("rehearse", "nowhere.backup"), "there is no file nowhere.backup"),
    ]:
        done = installation.manage(*words)
        assert done.returncode in {1, 2}
        assert said in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_nothing_is_written_where_there_is_little_space(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rehearsal, "LOW_BYTES", 1 << 62)
    source = tmp_path / "a.backup"
    source.write_bytes(b"x")
    with pytest.raises(rehearsal.RehearsalError, match="too little space"):
        rehearsal.rehearse(source)


def test_the_nightly_task_begins_it_unless_it_is_switched_off(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_options: begun.append(command))
    at = timezone.now()
    assert "PAINSUIT_BACKUPS is 0" in nightly.TASKS["back up"]("", "", at).found
    assert begun == []
    settings.BACKUPS_KEPT = 7
    nightly.TASKS["back up"]("", "", at)
    assert begun[0][-2:] == ["rehearse", "--nightly"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("is_good", "days", "words"),
    [
        (True, 7, "Last rehearsal of a restore"),
        (True, 9, "more than a week ago"),
        (False, 0, "The rehearsal of a restore failed"),
    ],
)
def test_the_desk_shows_how_the_last_ones_went(is_good: bool, days: int, words: str) -> None:
    at = timezone.now() - timedelta(days=days)
    rehearsal.report(BackupKind.REHEARSAL, Path("a.backup"), "damaged", is_good=is_good, at=at)
    club = Club.objects.create(name="Hearts", created_at=at)
    director = Director(give_role(make_account(), club, "admin"))
    page = director.get(f"/desk/clubs/{club.pk}/backup/").content.decode()
    assert words in page
    assert "No backup of all clubs was made yet" in page
    assert ("damaged" in page) is not is_good
    home = director.get("/desk/").content.decode()
    assert "rehearsal" not in home  # of the installation, for those who look after all clubs


def test_a_failure_keeps_the_date_of_the_last_good_one(db: None) -> None:
    at = timezone.now()
    rehearsal.report(BackupKind.BACKUP, Path("a"), "written", is_good=True, at=at)
    later = at + timedelta(days=1)
    rehearsal.report(BackupKind.BACKUP, Path("b"), "no space", is_good=False, at=later)
    report = BackupReport.objects.get()
    assert (report.is_good, report.at, report.good_at) == (False, later, at)


def test_a_backup_that_cannot_be_copied_into_the_bucket_stays_and_is_reported(
    installation: Installation,
) -> None:
    """With the client of the real service, at an address where nobody answers."""
    installation.environ |= {
        "PAINSUIT_BACKUPS_BUCKET": "copies",
        "PAINSUIT_BACKUPS_PREFIX": "north",
        "PAINSUIT_S3_ENDPOINT": "http://127.0.0.1:9",
        "PAINSUIT_S3_ACCESS_KEY": "key",
        "PAINSUIT_S3_SECRET_KEY": "secret",
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    time.sleep(1)  # a backup is named by its second
    done = installation.manage("rehearse", "--nightly")
    assert done.returncode == 1, done.stderr
    assert "written, but not copied: the bucket copies: Could not connect" in done.stdout
    assert "/copies/north/painsuit-" in done.stdout
    assert len(installation.backups()) == 2
    (backup,) = (one for one in installation.reports() if one["outcome"].startswith("written"))
    assert (backup["is_good"], backup["file_name"]) == (False, installation.backups()[-1].name)
    restored = installation.manage("restore", "--bucket")
    assert restored.returncode == 2
    assert "the bucket copies: Could not connect" in restored.stderr
    assert "prefix=north%2F" in restored.stderr
    kept_in_memory = "print(storages['backups'].max_memory_size)"
    asked = f"from django.core.files.storage import storages; {kept_in_memory}"
    printed = installation.manage("shell", "--no-imports", "-c", asked).stdout
    assert 0 < int(printed) <= 8 * 1024 * 1024, "0 would be all of it"
    del installation.environ["PAINSUIT_S3_SECRET_KEY"]
    assert "or neither" in installation.manage("check").stderr
