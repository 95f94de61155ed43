"""Copies of backups in a bucket of an S3-compatible service, by the storage `backups` of Django.

Backups are written into a folder and rehearsed from there (`rehearsal`); a copy in the bucket
outlives the machine.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import filter as names_like
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import storages

from config.operations.rehearsal import BACKUP_NAMES

ALIAS: Final = "backups"
"""The name of the storage; `STORAGES` has it where a bucket is set."""


class BucketError(Exception):
    """The bucket could not be reached or refused something, in the words of its client."""


def copy_to_bucket(path: Path) -> None:
    """Copy a backup and the trails beside it, and delete all copies but the newest.

    As many are kept as in the folder, of those under the prefix of this installation. The backup
    comes last: where it is, all of it is.
    Raises BucketError.
    """
    with _translate_errors():
        for part in sorted(path.parent.glob(f"{path.name}*"), reverse=True):
            with part.open("rb") as file:
                storages[ALIAS].save(part.name, File(file))
        files = storages[ALIAS].listdir("")[1]
        for old in _backups_among(files)[settings.BACKUPS_KEPT :]:
            for name in (name for name in files if name.startswith(old)):
                storages[ALIAS].delete(name)


@contextmanager
def open_copy(name: str | None) -> Iterator["File[bytes]"]:
    """Open a backup in the bucket, the newest where no name is given. Raises BucketError."""
    with ExitStack() as stack:
        with _translate_errors():
            if name is None:
                known = _backups_among(storages[ALIAS].listdir("")[1])
                if not known:
                    raise BucketError(
                        "there is no backup in the bucket at"
                        f" {settings.BACKUPS_BUCKET}/{settings.BACKUPS_PREFIX}"
                    )
                name = known[0]
            file = stack.enter_context(storages[ALIAS].open(name))
            # The client of S3 downloads all of it here; without this, at the first read.
            file.open("rb")
        yield file


def _backups_among(names: list[str]) -> list[str]:
    """The backups, the newest first; their names say when they were written."""
    return sorted(names_like(names, BACKUP_NAMES), reverse=True)


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except BucketError:
        raise
    except Exception as error:  # each service's client has errors of its own
        raise BucketError(f"the bucket {settings.BACKUPS_BUCKET}: {error}") from error
