"""The one folder that holds what must outlive a restart: who makes it, and what lies where."""

import fcntl
import hashlib
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.core.exceptions import ImproperlyConfigured

from config.env import check_key, check_length

# A socket's path must fit into 108 bytes on Linux and 104 on macOS, end mark included.
SOCKET_PATH_MAX = 100
SECRET_KEY_MIN_LENGTH = 32
SIGNING_KEY_BYTES = 32
MIGRATING_MAX = 600.0
"""Seconds for which a command waits while another one migrates the database."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    root: Path

    @property
    def database(self) -> Path:
        return self.root / "painsuit.sqlite3"

    @property
    def secret_key(self) -> Path:
        return self.root / "secret_key"

    @property
    def signing_key(self) -> Path:
        """The key that signs the files that are taken away."""
        return self.root / "signing_key"

    @property
    def signers(self) -> Path:
        """The owners of the keys of other installations, a line each."""
        return self.root / "signers"

    @property
    def static(self) -> Path:
        return self.root / "static"

    @property
    def files(self) -> Path:
        """Files that clubs upload, and files that are made for them."""
        return self.root / "files"

    @property
    def made_files(self) -> Path:
        """Files for strangers that were made today; whoever deletes them has them made again."""
        return self.root / "made"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def tls(self) -> Path:
        """The keys and certificates of `serve --https`."""
        return self.root / "tls"

    @property
    def broker(self) -> Path:
        return self.root / "broker"

    @property
    def backups(self) -> Path:
        """The nightly backups of the whole installation."""
        return self.root / "backups"

    @property
    def serve_lock(self) -> Path:
        return self.root / "serve.lock"

    @property
    def migrate_lock(self) -> Path:
        return self.root / "migrate.lock"

    @property
    def broker_socket(self) -> Path:
        """The embedded broker's address, moved to the system's folder when ours is too deep."""
        near = self.broker / "valkey.sock"
        if len(os.fsencode(near)) <= SOCKET_PATH_MAX:
            return near
        return Path(tempfile.gettempdir()) / self._name_elsewhere / "valkey.sock"

    @property
    def metrics(self) -> Path:
        """Counts of requests of all web processes, in memory if the system can.

        The files are mapped into memory: on a full disk writing to one would end the process.
        """
        memory = Path("/dev/shm")  # noqa: S108 (a folder of ours in it, see `clear_metrics`)
        shared = memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir())
        return shared / f"{self._name_elsewhere}-metrics"

    @property
    def _name_elsewhere(self) -> str:
        """The name of a folder of ours among those of others."""
        mark = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return f"painsuit-{os.getuid()}-{mark}"

    def prepare(self) -> None:
        """Make the folder and its keys, and take everybody else's access to what it holds away.

        Harmless when they are there. Raises OSError where the folder cannot be made or changed,
        ImproperlyConfigured where somebody else owns the folder of the broker's socket.
        """
        for folder in (self.root, self.files, self.logs, self.broker, self.broker_socket.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _insist_on_ours(self.broker_socket.parent)
        _write_once(self.secret_key, secrets.token_urlsafe(50))
        _write_once(self.signing_key, secrets.token_urlsafe(SIGNING_KEY_BYTES))
        self.restrict_access()

    def clear_metrics(self) -> None:
        """Make the folder of `metrics`, and remove what processes that ended counted in it.

        Raises OSError, and ImproperlyConfigured where somebody else owns the folder.
        """
        self.metrics.mkdir(mode=0o700, exist_ok=True)
        _insist_on_ours(self.metrics)
        for path in self.metrics.glob("*.db"):
            path.unlink(missing_ok=True)

    def restrict_access(self) -> None:
        """Let only the owner read: folders 0700, files 0600. Touches nothing that is not ours.

        A folder that was there before, or files made under a generous umask, were readable for
        everybody on the machine. A shared folder such as /tmp (sticky) is left as it is.
        """
        if not self.root.stat().st_mode & stat.S_ISVTX:
            self.root.chmod(0o700)
        for folder in (self.files, self.logs, self.broker, self.tls, self.backups):
            for path in (folder, *folder.rglob("*")):
                _restrict(path)
        keys = (self.secret_key, self.signing_key, self.signers)
        locks = (self.serve_lock, self.migrate_lock)
        for path in (*keys, *locks, *self.root.glob(f"{self.database.name}*")):
            _restrict(path)

    @contextmanager
    def migrating(self) -> Iterator[None]:
        """One at a time brings the database up to date; who comes meanwhile waits for that.

        Raises TimeoutError where somebody else has been at it for `MIGRATING_MAX` seconds.
        """
        with self.migrate_lock.open("w") as handle:
            if not lock_within(handle, MIGRATING_MAX):
                raise TimeoutError(
                    "Another command has been bringing the database up to date for"
                    f" {MIGRATING_MAX:.0f} s. Wait for it, or end it, and try again."
                )
            yield

    def stored_key(self) -> str | None:
        """The secret key; None where none was made yet.

        Raises ImproperlyConfigured for one that is too short, and where it cannot be read.
        """
        key = _read_secret(self.secret_key)
        if key is not None:
            check_length(_damaged(self.secret_key), key, SECRET_KEY_MIN_LENGTH)
        return key

    def stored_signing_key(self) -> str | None:
        """An Ed25519 private key, 32 random bytes as text; None where none was made yet.

        Raises ImproperlyConfigured for anything else, and where it cannot be read.
        """
        key = _read_secret(self.signing_key)
        if key is not None:
            check_key(_damaged(self.signing_key), key, SIGNING_KEY_BYTES)
        return key


def lock_within(handle: IO[str], seconds: float) -> bool:
    """Lock an open file for this process alone; whether that was possible in so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        else:
            return True


def _read_secret(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        words = f"{path} cannot be read: run this as the user of the service."
        raise ImproperlyConfigured(words) from error
    except UnicodeDecodeError:
        return ""


def _damaged(path: Path) -> str:
    return f"{path} is damaged; put the one that you kept in its place: it"


def _insist_on_ours(folder: Path) -> None:
    # In a shared temporary folder another user may have made this name first.
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise ImproperlyConfigured(f"{folder} must be a folder that only you can write to.")


def _restrict(path: Path) -> None:
    # The broker removes files of its own while we look.
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            path.chmod(0o700)
        elif stat.S_ISREG(mode):
            path.chmod(0o600)


def _write_once(path: Path, text: str) -> None:
    """Create the file whole and private; whoever comes second finds the first one's text."""
    if path.exists():
        return
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()
