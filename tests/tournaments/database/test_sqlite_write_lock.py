"""The queue of writers in front of SQLite's own lock: nobody waits for ever in it."""

import fcntl
import threading
import time
from pathlib import Path

import pytest
from django.db import OperationalError

from tournaments.database import sqlite_write_lock as module
from tournaments.database.sqlite_write_lock import sqlite_write_lock


@pytest.fixture
def lock_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "painsuit.sqlite3-turn"
    monkeypatch.setattr(module, "_lock_file", lambda: str(path))
    return path


def test_a_process_that_hangs_with_the_lock_stops_nobody_for_ever(
    lock_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.2)
    with lock_file.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for _ in range(3):
            begun = time.monotonic()
            with pytest.raises(OperationalError, match="database is locked"), sqlite_write_lock():
                pass
            assert time.monotonic() - begun < 5
        waiting = [one for one in threading.enumerate() if one.name == "sqlite write lock"]
        assert len(waiting) == 1
    # Nobody wanted the turn of the one that was left waiting.
    waiting[0].join(timeout=10)
    monkeypatch.setattr(module, "TIMEOUT_S", 20.0)
    with sqlite_write_lock(), lock_file.open("w") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_whoever_waits_gets_the_lock_once_it_is_free(lock_file: Path) -> None:
    with lock_file.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        threading.Timer(0.2, lambda: fcntl.flock(other, fcntl.LOCK_UN)).start()
        with sqlite_write_lock(), pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_many_threads_take_turns(lock_file: Path) -> None:
    inside = 0
    most = 0

    def write() -> None:
        nonlocal inside, most
        for _ in range(20):
            with sqlite_write_lock():
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert most == 1
    assert lock_file.exists()
