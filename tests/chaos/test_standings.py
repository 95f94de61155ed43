"""Workers, relays, brokers and web servers killed while tables play: standings are right in the
end, and soon. CHAOS_SECONDS=60 in the environment makes the storm that long.
"""

import json
import os
import random
import secrets
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from benchmarks.hands import TABLES
from benchmarks.records import texts
from config.running import children
from config.running.data_folder import DataFolder
from tests.chaos.phones import Phone, Slip, at_work
from tests.chaos.staleness import StalenessMonitor, sqlite_staleness
from tests.chaos.test_hints import House, flush, freeze
from tests.migrated import make_data_folder

SEED = int(os.environ.get("CHAOS_SEED", "0")) or secrets.randbelow(10**6) + 1
SECONDS = float(os.environ.get("CHAOS_SECONDS", "10"))
NIGHTS, TABLES_A_NIGHT = 3, 4
PATIENCE = 60.0
PAUSE = 0.5
"""Seconds between two hands of a table: people play faster nowhere."""

pytestmark = pytest.mark.xdist_group("chaos")


class SlowPhone(Phone):
    """A phone at a table where cards are played between two hands."""

    def _see_through(self, slip: Slip, dice: random.Random) -> None:
        super()._see_through(slip, dice)
        time.sleep(PAUSE * dice.uniform(0.5, 1.5))


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    data = DataFolder(tmp_path / "data")
    make_data_folder(data.root)
    monkeypatch.setattr(settings, "DATA", data)
    monkeypatch.setattr(settings, "REDIS_URL", f"unix://{data.broker_socket}?db=0")
    root = Path(__file__).parents[2]
    environ = {
        "PATH": os.environ["PATH"],
        "PAINSUIT_DATA": str(data.root),
        "PYTHONPATH": str(root),
    }
    with socket.create_server(("127.0.0.1", 0)) as probe:
        environ["PORT"] = str(probe.getsockname()[1])
    manage = [sys.executable, str(root / "manage.py")]
    celery = [sys.executable, "-m", "celery", "--app", "config.celery", "--quiet", "worker"]
    web = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--config",
        "python:config.gunicorn_config",
    ]
    commands = {
        "broker": children.broker().command,
        "worker": [*celery, "--without-gossip", "--without-mingle", "--concurrency", "2"],
        "relay": [*manage, "relay"],
        "web": [*web, f"--bind=127.0.0.1:{environ['PORT']}", "--workers=2", "--threads=8"],
    }
    subprocess.run([*manage, "collectstatic", "--noinput", "-v", "0"], env=environ, check=True)
    found = House(tmp_path, environ, commands)
    for name in commands:
        found.start(name)
    yield found
    for name in list(found.running):
        found.kill(name)


def desk(house: House, *words: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.night_desk", *words],
        env=house.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def phones_of(house: House) -> list[Phone]:
    found: list[Phone] = []
    for place in desk(house, "prepare", str(NIGHTS), str(TABLES_A_NIGHT)):
        number = place["number"]
        slips = [
            Slip(place["game"], place["key"], hand, text.decode())
            for hand, text in enumerate(texts(TABLES[0], number), 1)
        ]
        deadline = time.monotonic() + 1000
        found.append(SlowPhone(int(house.environ["PORT"]), slips, SEED + number, deadline))
    return found


def held_back(phone: Phone) -> Phone:
    """The last hand of a table, on a phone of its own."""
    *before, slip = phone.slips
    phone.slips = before
    return Phone(phone.port, [slip], phone.seed + 1, phone.deadline)


def faults(house: House, dice: random.Random) -> dict[str, Callable[[], None]]:
    return {
        "worker killed": lambda: house.restart("worker"),
        "relay killed": lambda: house.restart("relay"),
        "broker killed": lambda: house.restart("broker"),
        "web killed": lambda: house.restart("web"),
        "worker frozen": lambda: freeze(house, "worker", dice.uniform(0.5, 4)),
        "broker emptied": flush,
    }


def after_the_last_fault(house: House, last: Sequence[Phone], storm: StalenessMonitor) -> float:
    """Seconds until nothing is behind, once everything stands again.

    Nothing but the web server stands while every table enters one more hand.
    """
    for name in ("worker", "relay", "broker"):
        house.kill(name)
    for thread in at_work(last):
        thread.join(PATIENCE)
    assert storm.staleness() > 0
    for name in ("broker", "worker", "relay"):
        house.start(name)
    begun = time.monotonic()
    while storm.staleness():
        assert time.monotonic() - begun < PATIENCE, house.log("worker")
        time.sleep(0.05)
    return time.monotonic() - begun


def test_standings_are_right_soon_after_the_last_fault(house: House) -> None:
    phones = phones_of(house)
    database = Path(house.environ["PAINSUIT_DATA"]) / "painsuit.sqlite3"
    staleness = partial(sqlite_staleness, database)
    half = len(phones) // 2
    last = [held_back(phone) for phone in phones[half:]]
    with StalenessMonitor(staleness) as calm:
        for thread in at_work(phones[:half]):
            thread.join(PATIENCE * 5)
    dice = random.Random(SEED)
    done: Counter[str] = Counter()
    with StalenessMonitor(staleness) as storm:
        threads = at_work(phones[half:])
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            name, fault = dice.choice(list(faults(house, dice).items()))
            fault()
            done[name] += 1
            time.sleep(dice.uniform(0.2, 1.2))
        for thread in threads:
            thread.join(PATIENCE * 5)
            assert not thread.is_alive()
        converged = after_the_last_fault(house, last, storm)
    told = (
        f"seed {SEED}: {dict(done)}; calm {calm.told}; storm {storm.told}; "
        f"converged {converged:.1f} s after the last fault"
    )
    assert not [words for phone in (*phones, *last) for words in phone.refused], told
    assert desk(house, "wrong") == [], told
    manage = [sys.executable, str(Path(__file__).parents[2] / "manage.py")]
    verified = subprocess.run(
        [*manage, "verify"], env=house.environ, capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, f"{told}\n{verified.stdout}{verified.stderr}"
    sys.stdout.write(f"{told}\n")
