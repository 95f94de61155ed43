"""Build `.venv` from the hash-locked requirements, once, with the standard library alone.

`manage.py` calls `ensure` before it imports anything that must first be installed. Inside a
virtual environment, or with PAINSUIT_NO_BOOTSTRAP=1 (a container that brings its own packages),
nothing is built and nothing is changed.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
RUNTIME_LOCK = "requirements.lock"
S3_LOCK = "requirements-s3.lock"
DEV_LOCK = "requirements-dev.lock"

WAIT_MAX = 1800.0
"""Seconds for which a run waits while another one installs the packages."""

PROGRESS_INTERVAL = 8.0
"""Seconds after which a long step says again that it still runs."""

INSTALL = ("install", "--quiet", "--no-deps", "--require-hashes", "-r")
"""pip takes what the lock names and looks for nothing else: a lock is complete (ADR 1)."""

EMPTY_ENVIRONMENT = (
    "This Python environment does not have Painsuit's packages.\n"
    "Either leave it (deactivate) and run the same command again, which builds ./.venv by itself,\n"
    f"or fill it: python -m pip install --no-deps --require-hashes -r {RUNTIME_LOCK}\n"
    f"(for the tests: -r {DEV_LOCK})"
)
NO_VENV = (
    "Python's venv module is not complete on this machine, so ./.venv cannot be built.\n"
    "On Debian and Ubuntu: sudo apt install python3-venv"
)


class BootstrapError(Exception):
    """The environment could not be built; the text says why, for a person."""


@dataclass(frozen=True, slots=True)
class House:
    """The checkout: where its lock files are and where `.venv` is built."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def stamp(self) -> Path:
        """Names what is installed; written last, so its absence means: not finished."""
        return self.venv / "painsuit-stamp.json"

    def digest(self, lock: str) -> str:
        return hashlib.sha256((self.root / lock).read_bytes()).hexdigest()

    def installed_stamps(self) -> Mapping[str, str]:
        """Return the stamp's content, or nothing when there is no whole environment."""
        try:
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        # A system upgrade can put another Python behind the same link: then begin anew.
        alive = isinstance(stamp, dict) and stamp.get("python") == os.path.realpath(self.python)
        return stamp if alive else {}

    def is_ready(self, lock: str) -> bool:
        return self.installed_stamps().get(lock) == self.digest(lock)


def wanted_lock(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the lock file to install: the development one for tests, else the runtime one.

    The one for S3 contains the runtime one, and is for who keeps copies of backups in a bucket.

    >>> wanted_lock(["manage.py", "serve"], {})
    'requirements.lock'
    >>> wanted_lock(["manage.py", "serve"], {"PAINSUIT_BACKUPS_BUCKET": "copies"})
    'requirements-s3.lock'
    >>> wanted_lock(["manage.py", "test", "-q"], {})
    'requirements-dev.lock'
    """
    if argv[1:2] == ["test"]:
        return DEV_LOCK
    return S3_LOCK if environ.get("PAINSUIT_BACKUPS_BUCKET") else RUNTIME_LOCK


def stands_aside(environ: Mapping[str, str], *, prefix: str, base_prefix: str) -> bool:
    """Whether a virtual environment or a container already provides the packages."""
    return prefix != base_prefix or environ.get("PAINSUIT_NO_BOOTSTRAP") == "1"


def ensure(argv: Sequence[str]) -> None:
    """Return if the environment fits; else build `.venv` and re-execute the command in it."""
    if stands_aside(os.environ, prefix=sys.prefix, base_prefix=sys.base_prefix):
        return
    house, lock = House(ROOT), wanted_lock(argv, os.environ)
    try:
        build(house, lock)
    except BootstrapError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The next run begins the environment anew.")
    os.execv(house.python, [str(house.python), *argv])  # noqa: S606 (no shell is the point)


def build(house: House, lock: str) -> None:
    """Install the packages of `lock` into `.venv`; concurrent runs wait for each other."""
    if house.is_ready(lock):
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise BootstrapError(NO_VENV)
    with _alone(house.root / ".venv.lock"):
        if not house.is_ready(lock):
            _install(house, lock)


def _install(house: House, lock: str) -> None:
    installed = house.installed_stamps()
    if installed:
        _say(f"{lock} has changed or is not installed yet: bringing ./.venv up to date ...")
    else:
        _say("Building the Python environment in ./.venv (once) ...")
        _run([sys.executable, "-m", "venv", "--clear", str(house.venv)])
    if lock == RUNTIME_LOCK or not house.is_ready(RUNTIME_LOCK):
        house.stamp.unlink(missing_ok=True)  # else the service still runs if this fails
    pip = [str(house.python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    if pip_requirement := os.environ.get("PAINSUIT_PIP"):
        _run([*pip, "install", "--quiet", "--upgrade", pip_requirement])
    _say(f"Installing the packages of {lock}, each checked by its hash; this may take minutes ...")
    _run([*pip, *INSTALL, str(house.root / lock)])
    _run([*pip, "check"])
    stamp = {
        "python": os.path.realpath(house.python),
        RUNTIME_LOCK: house.digest(RUNTIME_LOCK),  # the larger lock contains the smaller
        lock: house.digest(lock),
    }
    _write_whole(house.stamp, json.dumps(stamp, indent=1))
    _say("The environment is ready.")


def _run(command: Sequence[str]) -> None:
    # A personal pip configuration (user = true) would install outside the environment.
    environ = {**os.environ, "PIP_USER": "0"}
    with report_progress(_say):
        done = subprocess.run(command, env=environ, stdout=sys.stderr, check=False)  # noqa: S603
    if done.returncode:
        raise BootstrapError(
            f"This step failed (status {done.returncode}): {' '.join(command)}\n"
            "Its own message stands above. Nothing was started; run the command again to retry,"
            " and if that fails in the same way, remove ./.venv first."
        )


def _write_whole(path: Path, text: str) -> None:
    """Put the file there complete or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the lock file; the system lets go of it even when this process is killed."""
    try:
        handle = path.open("w", encoding="utf-8")
    except OSError as error:
        raise BootstrapError(f"Cannot write in {path.parent}: {error.strerror}") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("Another run is building the environment; waiting for it ...")
            _wait_for(handle)
        yield


def _wait_for(handle: IO[str]) -> None:
    """Lock the file. Raises BootstrapError where another run holds it for `WAIT_MAX` seconds."""
    deadline = time.monotonic() + WAIT_MAX
    while time.monotonic() < deadline:
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(0.1)
    raise BootstrapError(
        f"Another run has been building the environment for {WAIT_MAX / 60:.0f} minutes."
        " Wait for it, or end it, and try again."
    )


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)  # noqa: T201 (no logging exists yet)


@contextmanager
def report_progress(say: Callable[[str], object]) -> Iterator[None]:
    """Call ``say`` with a sentence every `PROGRESS_INTERVAL` seconds until the block ends."""
    begun, is_over = time.monotonic(), threading.Event()

    def report() -> None:
        while not is_over.wait(PROGRESS_INTERVAL):
            say(f"... still at it after {time.monotonic() - begun:.0f} seconds")

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        is_over.set()
        reporter.join()
