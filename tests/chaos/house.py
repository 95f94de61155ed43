"""A whole service in processes of its own, and the hands that kill them; only its own, by id."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from config.running.supervisor import die_with

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE: Final = 180.0


class House:
    """`manage.py serve` on a free port of this machine, with a data folder of its own."""

    def __init__(self, folder: Path, *options: str, **environ: str) -> None:
        """``options`` are those of ``serve``."""
        self.options = options
        self.environ: Mapping[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PAINSUIT_DATA": str(folder / "data"),
            "PYTHONPATH": str(ROOT),
            **environ,
        }
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self.log = folder / "serve.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        parent = os.getpid()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*_manage("serve", *self.options), "--host=127.0.0.1", f"--port={self.port}"],
                env=self.environ,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (before there are threads)
            )
        deadline = time.monotonic() + PATIENCE
        while b"is ready" not in self.log.read_bytes():
            assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            time.sleep(0.1)

    def stop(self) -> None:
        """End it in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def pids(self, what: str) -> list[int]:
        """The processes of one kind: "web" serves, "master", "worker", "relay", "broker"."""
        assert self.process is not None
        tops = {_kind(pid): pid for pid in _children(self.process.pid)}
        if what == "web":
            return _children(tops["master"]) if "master" in tops else []
        return [tops[what]] if what in tops else []

    def kill(self, what: str, dice: random.Random) -> bool:
        """kill -9 one process of a kind, if there is one at this moment."""
        found = self.pids(what)
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(dice.choice(found), signal.SIGKILL)
        return True

    def manage(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of ours on the same database."""
        return _run(_manage(*words), self.environ)

    def desk(self, *words: str, module: str = "tests.chaos.desk") -> list[dict[str, Any]]:
        """Ask the desk."""
        done = _run([sys.executable, "-m", module, *words], self.environ)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found


@contextmanager
def standing(folder: Path, *options: str, **environ: str) -> Iterator[House]:
    """A house that serves; it is empty afterwards."""
    house = House(folder, *options, **environ)
    try:
        house.start()
        yield house
    finally:
        house.stop()


def _manage(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *words]


def _run(command: Sequence[str], environ: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False
    )


def _children(pid: int) -> list[int]:
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    except OSError:  # it has just ended
        return []
    return [int(word) for word in listed.split()]


def _kind(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return "gone"
    kinds = {b"gunicorn": "master", b"celery": "worker", b"relay": "relay", b"valkey": "broker"}
    return next((kind for word, kind in kinds.items() if word in command), "other")
