"""Copies of backups in a bucket, by whatever storage is set."""

from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from config.operations.bucket import BucketError, copy_to_bucket, open_copy


@pytest.fixture(autouse=True)
def bucket(settings: Any) -> None:
    settings.BACKUPS_KEPT = 2
    settings.BACKUPS_BUCKET = "copies"
    in_memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "backups": in_memory}


def write_backup(folder: Path, day: int) -> Path:
    path = folder / f"painsuit-2026-01-{day:02}T030000Z.backup"
    path.write_text(f"night {day}")
    for name in (f"{path.name}.trails", f"{path.name}.trails.sig"):
        (folder / name).write_text("heads")
    return path


def test_copies_of_as_many_nights_are_kept_as_in_the_folder(tmp_path: Path) -> None:
    for day in (1, 2, 3):
        copy_to_bucket(write_backup(tmp_path, day))
    assert sorted(storages["backups"].listdir("")[1]) == [
        f"painsuit-2026-01-{day:02}T030000Z.backup{rest}"
        for day in (2, 3)
        for rest in ("", ".trails", ".trails.sig")
    ]
    assert len(list(tmp_path.iterdir())) == 9, "the folder is tidied by whoever writes into it"


def test_files_of_other_names_in_the_bucket_are_left_alone(tmp_path: Path) -> None:
    others = [
        "another.backup",
        "painsuit-north.backup",
        "painsuit-2026-01-01T030000Z.backup.old.backup",
    ]
    for name in others:
        storages["backups"].save(name, ContentFile(b"of somebody else"))
    for day in (2, 3, 4):
        copy_to_bucket(write_backup(tmp_path, day))
    assert set(others) <= set(storages["backups"].listdir("")[1])
    with open_copy(None) as file:
        assert file.read() == b"night 4"


def test_a_download_that_fails_is_told_like_any_failure_of_the_bucket(settings: Any) -> None:
    """The client of S3 finds the file when it is opened, and downloads it later."""
    options = {"bucket_name": "copies", "access_key": "key", "secret_key": "secret"}
    settings.STORAGES = {
        **settings.STORAGES,
        "backups": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options},
    }
    storage: Any = storages["backups"]
    with Stubber(storage.connection.meta.client) as stub:
        for _ in ("opened", "downloaded"):
            stub.add_response("head_object", {"ContentLength": 7})
        stub.add_client_error("get_object", "AccessDenied", "the key may not read")
        with (
            pytest.raises(BucketError, match=r"the bucket copies: .*may not read"),
            open_copy("painsuit-2026-01-01T030000Z.backup"),
        ):
            pytest.fail("a copy that was not downloaded is handed out")
        stub.assert_no_pending_responses()


def test_the_newest_copy_or_one_that_is_named_is_read(tmp_path: Path) -> None:
    paths = [write_backup(tmp_path, day) for day in (1, 2)]
    with pytest.raises(BucketError, match="no backup"), open_copy(None):
        pass
    for path in paths:
        copy_to_bucket(path)
    for name, text in ((None, b"night 2"), (paths[0].name, b"night 1")):
        with open_copy(name) as file:
            assert file.read() == text
    with pytest.raises(BucketError, match="the bucket copies: "), open_copy("another"):
        pass
