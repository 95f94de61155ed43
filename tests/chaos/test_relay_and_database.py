"""The relay when PostgreSQL is killed under it: it waits, and goes on by itself."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import psycopg

from tests import postgresql

MANAGE = [sys.executable, str(Path(__file__).parents[2] / "manage.py")]


def test_a_relay_outlives_its_database(tmp_path: Path) -> None:
    with postgresql.running() as server, log(tmp_path) as written:
        process = start_relay(migrated(server, tmp_path), written)
        try:
            first = until(lambda: pulse(server.url))
            server.kill()
            time.sleep(2.5)
            assert process.poll() is None
            server.start()
            until(lambda: pulse(server.url) != first)
            assert process.poll() is None
        finally:
            process.terminate()
            process.wait(10)
        assert process.returncode == 0
        said = (tmp_path / "log").read_text(encoding="utf-8")
        assert "the database is away" in said
        assert "Traceback" not in said


def test_of_two_relays_one_stands_by_until_the_other_is_gone(tmp_path: Path) -> None:
    with postgresql.running() as server, log(tmp_path) as written:
        environ = migrated(server, tmp_path)
        first = start_relay(environ, written)
        second = None
        try:
            (working,) = until(lambda: working_relays(server.url))
            second = start_relay(environ, written)
            until(lambda: count_connections(server.url) == 2)
            time.sleep(2)
            assert working_relays(server.url) == [working]
            first.kill()
            until(lambda: set(working_relays(server.url)) - {working})
            assert second.poll() is None
        finally:
            for process in filter(None, (first, second)):
                process.kill()
                process.wait(10)


def migrated(server: postgresql.Server, folder: Path) -> dict[str, str]:
    """The environment of an installation on a new database."""
    environ = {
        "PATH": os.environ["PATH"],
        "PAINSUIT_DATA": str(folder),
        "DATABASE_URL": server.url,
    }
    subprocess.run([*MANAGE, "migrate", "--verbosity", "0"], env=environ, check=True)
    return environ


def log(folder: Path) -> BinaryIO:
    return (folder / "log").open("wb")


def start_relay(environ: dict[str, str], written: BinaryIO) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([*MANAGE, "relay"], env=environ, stdout=written, stderr=written)


def working_relays(url: str) -> list[int]:
    """The connections that hold the lock of the relay that works."""
    with psycopg.connect(url, connect_timeout=2) as line:
        found = line.execute("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted")
        return [pid for (pid,) in found]


def count_connections(url: str) -> int:
    """The connections of others."""
    with psycopg.connect(url, connect_timeout=2) as line:
        ours = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        (number,) = line.execute(f"{ours} AND pid <> pg_backend_pid()").fetchone() or (0,)
        return int(number)


def pulse(url: str) -> object:
    with psycopg.connect(url, connect_timeout=2) as line:
        return line.execute("SELECT at FROM scoring_pulse").fetchone()


def until(seen: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 30
    while not (found := seen()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found
