"""The write lock of one SQLite file: one writer at a time, in every thread and process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import OperationalError, connection, connections

from tests.committing import shared_database
from tournaments.database import sqlite_write_lock as lock

__all__ = ["shared_database"]

ROOT = Path(__file__).parents[2]
HOLDER = """
import fcntl, os, sys, time
line = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(line, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""

pytestmark = pytest.mark.skipif(
    "TEST_DATABASE_URL" in os.environ, reason="a server has a queue of its own"
)


def place() -> str:
    return str(connection.settings_dict["NAME"]) + lock.LOCK_FILE_SUFFIX


def closing(work: Callable[[], None]) -> None:
    try:
        work()
    finally:
        connections.close_all()


def test_of_many_threads_one_holds_the_lock(shared_database: None) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(20):
            with lock.sqlite_write_lock():
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0005)
                inside.pop()

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(closing, work) for _ in range(8)]:
            done.result()
    assert len(most) == 160
    assert max(most) == 1


def test_the_lock_ends_with_the_process_that_holds_it(shared_database: None) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, place()], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        began: list[float] = []

        def work() -> None:
            with lock.sqlite_write_lock():
                began.append(time.monotonic())

        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(closing, work)
            time.sleep(0.3)
            assert not began
            holder.send_signal(signal.SIGKILL)
            waiting.result(10)
        assert began
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_a_lock_that_is_not_released_is_a_busy_database(
    shared_database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "TIMEOUT_S", 0.1)

    def work() -> None:
        with pytest.raises(OperationalError, match="locked"), lock.sqlite_write_lock():
            pass

    with lock.sqlite_write_lock(), ThreadPoolExecutor(1) as pool:
        pool.submit(closing, work).result()
    with lock.sqlite_write_lock():
        pass


def test_a_failure_releases_the_lock(shared_database: None) -> None:
    with pytest.raises(ZeroDivisionError), lock.sqlite_write_lock():
        raise ZeroDivisionError
    with lock.sqlite_write_lock():
        assert Path(place()).exists()


@pytest.mark.django_db
def test_in_memory_nobody_waits() -> None:
    with lock.sqlite_write_lock(), lock.sqlite_write_lock():
        pass
