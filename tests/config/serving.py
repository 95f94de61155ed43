"""`manage.py serve` as a process of its own, for tests of what it starts."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest

ROOT = Path(__file__).resolve().parents[2]
Serve = Callable[..., "subprocess.Popen[str]"]


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start services on this machine's own address; they end with the test."""
    running: list[subprocess.Popen[str]] = []

    def start(
        *options: str, data: Path = tmp_path / "data", hosts: str = ""
    ) -> "subprocess.Popen[str]":
        environ = {"PATH": os.environ["PATH"], "PAINSUIT_DATA": str(data), "HOME": str(tmp_path)}
        environ["TMPDIR"] = gettempdir()  # where we look for the socket too
        if hosts:
            environ["PAINSUIT_HOSTS"] = hosts
        command = [sys.executable, str(ROOT / "manage.py"), "serve", "--host", "127.0.0.1"]
        process = subprocess.Popen(
            [*command, *options],
            cwd=tmp_path,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.terminate()
        process.communicate(timeout=60)


def read_until(words: str, process: "subprocess.Popen[str]") -> str:
    """What a process says, up to a line with these words."""
    assert process.stdout is not None
    said = ""
    while words not in said:
        line = process.stdout.readline()
        assert line, said
        said += line
    return said
