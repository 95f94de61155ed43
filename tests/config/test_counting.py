"""Counters that all processes share, and that nobody waits for."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from config.running import counters
from config.running.children import valkey_server
from config.running.counters import SILENCE, CountingCache, _Store

COUNTER = """
import sys
from config.running import counters
from config.running.counters import CountingCache
counters._store = lambda url, kept=counters._Store(sys.argv[1], patience=20): kept
cache = CountingCache("own", {"OPTIONS": {"COUNTERS": sys.argv[1]}})
print(sum(cache.count("k:1", before="k:0", keep=60)[0] > 0 for _ in range(50)))
"""


@pytest.fixture(scope="module")
def broker() -> Iterator[tuple[str, int]]:
    """The embedded store on a socket of its own: its address and the id of its process."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        socket = Path(folder) / "s"
        words = ("--port", "0", "--unixsocket", str(socket), "--dir", folder, "--save", "")
        process = subprocess.Popen(
            [str(valkey_server()), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            url = f"unix://{socket}?db=0"
            with redis.Redis.from_url(url) as client:
                for _ in range(100):
                    try:
                        client.ping()
                        break
                    except redis.ConnectionError:
                        time.sleep(0.05)
                yield url, process.pid
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def cache_of(url: str, name: str = "own") -> CountingCache:
    cache = CountingCache(name, {"OPTIONS": {"COUNTERS": url} if url else {}})
    cache.clear()
    return cache


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all tests of a machine run at once, an answer may be late."""
    monkeypatch.setattr(counters, "_store", lambda url: _Store(url, patience=20))


@pytest.mark.usefixtures("patient")
def test_processes_count_together(broker: tuple[str, int]) -> None:
    url, _ = broker
    crew = [
        subprocess.Popen([sys.executable, "-c", COUNTER, url], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [process.communicate()[0] for process in crew] == [b"50\n"] * 3
    cache = cache_of(url)
    assert cache.count("k:1", before="k:0", keep=60) == (151, 0)
    assert cache.count("k:2", before="k:1", keep=60) == (1, 151)
    cache.take_back("k:2")
    assert cache.count("k:2", before="k:1", keep=60) == (1, 151)


@pytest.mark.usefixtures("patient")
def test_counters_do_not_live_for_ever(broker: tuple[str, int]) -> None:
    url, _ = broker
    cache_of(url).count("short", before="none", keep=60)
    with redis.Redis.from_url(url) as client:
        assert 0 < int(client.ttl("painsuit:short")) <= 60


@pytest.mark.parametrize("url", ["", "unix:///nonexistent/painsuit?db=0", "redis://127.0.0.1:1/0"])
def test_without_a_store_a_process_counts_by_itself(url: str) -> None:
    cache = cache_of(url, "alone")
    assert [cache.count("a:1", before="a:0", keep=60) for _ in range(3)] == [(1, 0), (2, 0), (3, 0)]
    cache.take_back("a:1")
    cache.take_back("never counted")
    assert cache.count("a:2", before="a:1", keep=60) == (1, 2)


def test_a_frozen_store_is_asked_once_and_then_left_alone(broker: tuple[str, int]) -> None:
    url, process = broker
    now = [100.0]
    store = _Store(url, lambda: now[0], patience=0.5)
    assert store.ask(("INCR", "x"), ("GET", "x")) == [1, b"1"]
    os.kill(process, signal.SIGSTOP)
    try:
        assert store.ask(("INCR", "x")) is None
    finally:
        os.kill(process, signal.SIGCONT)
    assert store.ask(("GET", "never asked")) is None
    now[0] += SILENCE
    found = store.ask(("GET", "never set"))
    for _ in range(20):  # it may still be waking up
        if found is None:
            now[0] += SILENCE
            time.sleep(0.05)
            found = store.ask(("GET", "never set"))
    assert found == [None]
