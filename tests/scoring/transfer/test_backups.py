"""Backups: everything comes back, and nothing that was changed or is of another kind."""

import gzip
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader

from config.operations.backups import BackupError, _frame, _Reader, back_up, restore
from config.operations.bucket import copy_to_bucket
from scoring.models import Webhook
from scoring.transfer.bundling import write
from tests.committing import shared_database
from tests.migrated import copy_migrated
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import make_club
from tests.unguarded import unguarded
from tournaments.core.encryption import UnreadableValue
from tournaments.models import Account, BackupReport, Club, Result, TableGame

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


@pytest.fixture
def unpacked(backup: bytes) -> bytes:
    return gzip.decompress(backup)


def empty(tmp_path: Path) -> None:
    if connection.vendor == "sqlite":
        connections["default"].close()
        connections["default"].settings_dict["NAME"] = str(tmp_path / "new.sqlite3")
        copy_migrated(tmp_path / "new.sqlite3")
    else:
        with unguarded():
            call_command("flush", verbosity=0, interactive=False)


def test_the_newest_copy_of_the_bucket_is_restored(
    backup: bytes, tmp_path: Path, settings: Any
) -> None:
    in_memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "backups": in_memory}
    settings.BACKUPS_BUCKET, settings.BACKUPS_KEPT = "copies", 1
    path = tmp_path / "painsuit-2026-01-01T030000Z.backup"
    path.write_bytes(backup)
    copy_to_bucket(path)
    before = b"".join(write(Club.objects.get()))
    empty(tmp_path)
    call_command("restore", "--bucket")
    assert b"".join(write(Club.objects.get())) == before


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


def test_a_backup_that_an_older_version_wrote_unpacked_is_restored(
    unpacked: bytes, tmp_path: Path
) -> None:
    before = b"".join(write(Club.objects.get()))
    empty(tmp_path)
    restore(io.BytesIO(unpacked))
    assert b"".join(write(Club.objects.get())) == before


def test_what_is_no_backup_or_was_changed_is_refused(
    backup: bytes, unpacked: bytes, tmp_path: Path
) -> None:
    empty(tmp_path)
    middle = len(backup) // 2
    zeros = bytes(100)
    other = b'"of": "sqlite"' if connection.vendor == "postgresql" else b'"of": "postgresql"'
    mine = f'"of": "{connection.vendor}"'.encode()
    for damaged, why in [
        (b"", "breaks off"),
        (b"\x00" * 100, "breaks off|no backup"),
        (b"{}\n" + unpacked, "no backup"),
        (backup[:middle] + zeros + backup[middle + 100 :], "damaged|another one"),
        (backup[:-1], "breaks off"),
        (backup[:middle], "breaks off"),
        (unpacked[:-1], "breaks off"),
        (unpacked.replace(b'"version": 1', b'"version": 2', 1), "newer"),
        (unpacked.replace(mine, other, 1), "and this is"),
        (unpacked.replace(b"nora@club", b"evil@club"), "another one"),
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


SECRET = "whsec_" + "A" * 43 + "="


def webhook(club: Club) -> Webhook:
    url, at = "https://club.example/hook", club.created_at
    return Webhook.objects.create(club=club, url=url, secret=SECRET, created_at=at)


def test_a_backup_tells_no_secret_without_the_key_of_the_installation(
    tmp_path: Path, settings: Any
) -> None:
    webhook(make_club())
    out = io.BytesIO()
    back_up(out.write)
    unpacked = gzip.decompress(out.getvalue())
    assert SECRET.encode() not in unpacked
    assert settings.SECRET_KEY.encode() not in unpacked
    empty(tmp_path)
    assert restore(io.BytesIO(out.getvalue())) == []
    assert Webhook.objects.get().secret == SECRET


def test_restore_says_what_it_means_to_have_another_key(tmp_path: Path, settings: Any) -> None:
    webhook(make_club())
    out = io.BytesIO()
    back_up(out.write)
    empty(tmp_path)
    first = settings.SECRET_KEY
    settings.SECRET_KEY = "another key, of another installation"
    (words,) = restore(io.BytesIO(out.getvalue()))
    assert "another secret key" in words
    row = Webhook.objects.get()
    assert isinstance(row.secret, UnreadableValue)
    row.save()
    settings.SECRET_KEY = first
    assert Webhook.objects.get().secret == SECRET


def as_before(backup: bytes, migration: tuple[str, str]) -> bytes:
    """The same as the version before a migration wrote it: none of its tables and columns."""
    loader = MigrationLoader(connection)
    reader = _Reader(io.BytesIO(backup))
    head = reader.head()
    # Those that newer ones replace are not in the graph.
    applied = {(app, name) for app, name in head["migrations"]}
    earlier = [
        node
        for node in sorted(applied & set(loader.graph.nodes))
        if migration not in loader.graph.forwards_plan(node)
    ]
    models = loader.project_state(earlier).apps.get_models(include_auto_created=True)
    known = {
        one._meta.db_table: {str(field.column) for field in one._meta.concrete_fields}
        for one in models
    }
    head["migrations"] = [list(node) for node in earlier]
    columns = head["columns"]
    head["columns"] = {
        table: [name for name in names if name in known[table]]
        for table, names in columns.items()
        if table in known
    }
    assert head["columns"] != columns
    found = json.dumps(head).encode() + b"\n"
    for table, blocks in reader.parts():
        lines = b"".join(blocks).splitlines(keepends=False)
        if table in known:
            kept = [place for place, name in enumerate(columns[table]) if name in known[table]]
            cells = [line.split(b"\t") for line in lines]
            rows = [b"\t".join([row[place] for place in kept]) + b"\n" for row in cells]
            found += _frame(table.encode()) + b"".join(map(_frame, rows)) + _frame(b"")
    found += _frame(b"")
    return found + hashlib.sha256(found).digest()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's backup has its schema")
def test_a_backup_of_an_older_version_is_restored_and_brought_up_to_date(
    unpacked: bytes, tmp_path: Path
) -> None:
    TableGame.objects.update(worth_version=0)  # That version did not value the cards of a hand.
    Result.objects.update(worth=None)
    before = b"".join(write(Club.objects.get()))
    empty(tmp_path)
    restore(io.BytesIO(as_before(unpacked, ("tournaments", "0048_backup_reports"))))
    assert b"".join(write(Club.objects.get())) == before
    assert BackupReport.objects.count() == 0
    make_club("one more")
    newer = unpacked.replace(b"0048_backup_reports", b"9948_backup_reports", 1)
    with pytest.raises(BackupError, match="not empty"):
        restore(io.BytesIO(newer))
    empty(tmp_path)
    with pytest.raises(BackupError, match="newer version"):
        restore(io.BytesIO(newer))
