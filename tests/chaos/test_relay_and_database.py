"""The relay when PostgreSQL is killed under it: it waits, and goes on by itself."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from tests import postgresql

ROOT = Path(__file__).parents[2]


def test_a_relay_outlives_its_database(tmp_path: Path) -> None:
    with postgresql.running() as server:
        environ = {
            "PATH": os.environ["PATH"],
            "PAINSUIT_DATA": str(tmp_path),
            "DATABASE_URL": server.url,
        }
        manage = [sys.executable, str(ROOT / "manage.py")]
        subprocess.run([*manage, "migrate", "--verbosity", "0"], env=environ, check=True)
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen([*manage, "relay"], env=environ, stdout=log, stderr=log)
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


def pulse(url: str) -> object:
    with psycopg.connect(url, connect_timeout=2) as line:
        return line.execute("SELECT at FROM scoring_pulse").fetchone()


def until(seen: Callable[[], object]) -> object:
    deadline = time.monotonic() + 30
    while not (found := seen()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found
