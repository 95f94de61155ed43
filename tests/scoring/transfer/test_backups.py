"""Backups: everything comes back, and nothing that was changed or is of another kind."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, connections

from config.backups import BackupError, back_up, restore
from scoring.transfer.bundling import write
from tests.committing import shared_database
from tests.migrated import copy_migrated
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import make_club
from tests.unguarded import unguarded
from tournaments.models import Account, Club

__all__ = ["shared_database"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


@pytest.fixture
def backup() -> bytes:
    club = make_club()
    bring(club, file(in_turn(night(3, hands=2))))
    Account.objects.create(email="nora@club.example", name="Nora", created_at=club.created_at)
    out = io.BytesIO()
    back_up(out.write)
    return out.getvalue()


def empty(tmp_path: Path) -> None:
    if connection.vendor == "sqlite":
        connections["default"].close()
        connections["default"].settings_dict["NAME"] = str(tmp_path / "new.sqlite3")
        copy_migrated(tmp_path / "new.sqlite3")
    else:
        with unguarded():
            call_command("flush", verbosity=0, interactive=False)


def test_everything_comes_back(backup: bytes, tmp_path: Path) -> None:
    before = b"".join(write(Club.objects.get()))
    empty(tmp_path)
    assert not Club.objects.exists()
    restore(io.BytesIO(backup))
    assert b"".join(write(Club.objects.get())) == before
    assert Account.objects.get().email == "nora@club.example"
    make_club("one more")
    bring(Club.objects.get(name="one more"), file(in_turn(night(1, hands=1))))
    with pytest.raises(BackupError, match="not empty"):
        restore(io.BytesIO(backup))


def test_what_is_no_backup_or_was_changed_is_refused(backup: bytes, tmp_path: Path) -> None:
    empty(tmp_path)
    middle = len(backup) // 2
    other = b'"of": "sqlite"' if connection.vendor == "postgresql" else b'"of": "postgresql"'
    mine = f'"of": "{connection.vendor}"'.encode()
    for damaged, why in [
        (b"", "breaks off"),
        (b"\x00" * 100, "breaks off|no backup"),
        (b"{}\n" + backup, "no backup"),
        (backup[:-1], "breaks off"),
        (backup[:middle], "breaks off"),
        (backup.replace(b'"version": 1', b'"version": 2', 1), "newer"),
        (backup.replace(mine, other, 1), "and this is"),
        (backup.replace(b"nora@club", b"evil@club"), "another one"),
    ]:
        with pytest.raises(BackupError, match=why):
            restore(io.BytesIO(damaged))
        assert not Club.objects.exists()


def test_the_commands_write_and_read_a_file(tmp_path: Path) -> None:
    make_club("Leiden")
    out, path = io.StringIO(), tmp_path / "backup"
    call_command("backup", str(path), stdout=out)
    empty(tmp_path)
    call_command("restore", str(path), stdout=out)
    assert Club.objects.get().name == "Leiden"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(SystemExit) as exit_:
        call_command("restore", str(path), stdout=out)
    assert exit_.value.code == 1
