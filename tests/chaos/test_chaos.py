"""Processes are killed at random moments while phones send: what was acknowledged is there, once.

CHAOS_SECONDS=600 in the environment makes each storm that long; CHAOS_SEED chooses another one.
"""

import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.hands import TABLES
from benchmarks.records import texts
from tests import postgresql
from tests.chaos.house import House, standing
from tests.chaos.phones import Phone, Slip, at_work
from tests.migrated import make_data_folder

SECONDS = float(os.environ.get("CHAOS_SECONDS", "8"))
SEED = int(os.environ.get("CHAOS_SEED", "20261121"))
GAMES = max(12, int(SECONDS))
PHONES_A_GAME = 2
# What phones talk to dies most often.
TARGETS = {"web": 12, "master": 1, "worker": 2, "relay": 1, "broker": 1}

pytestmark = pytest.mark.xdist_group("chaos")


def phones_of(house: House) -> list[Phone]:
    """Two phones at each table, one with the odd hands and one with the even: any order."""
    found = []
    for place in house.desk("prepare", str(GAMES)):
        number = place["number"]
        written = texts(TABLES[number % len(TABLES)], number)
        slips = [
            Slip(place["game"], place["key"], hand, text.decode())
            for hand, text in enumerate(written, 1)
        ]
        for phone in range(PHONES_A_GAME):
            seed = SEED + number * PHONES_A_GAME + phone
            found.append(Phone(house.port, slips[phone::PHONES_A_GAME], seed, deadline=0))
    return found


def storm(house: House, phones: list[Phone], more: Callable[[random.Random], str]) -> Counter[str]:
    """Kill until the phones are done or the time is over; then let them see their hands through."""
    dice = random.Random(SEED)
    killed: Counter[str] = Counter()
    end = time.monotonic() + SECONDS
    for phone in phones:  # preparing them takes as long as the machine is slow
        phone.deadline = end
    threads = at_work(phones)
    while time.monotonic() < end and any(thread.is_alive() for thread in threads):
        time.sleep(dice.uniform(0.1, 0.6))
        what = more(dice) or dice.choices([*TARGETS], [*TARGETS.values()])[0]
        killed[what] += house.kill(what, dice) if what in TARGETS else 1
    for thread in threads:
        thread.join(180)
        assert not thread.is_alive()
    return killed


def assert_all_is_there(house: House, phones: list[Phone], killed: Counter[str]) -> None:
    answers: Counter[str] = sum((phone.answers for phone in phones), Counter())
    told = f"seed {SEED}, killed {dict(killed)}, answers {dict(answers)}"
    refused = [words for phone in phones for words in phone.refused]
    assert not refused, f"{told}\n" + "\n".join(refused[:10])
    acknowledged = {id_: slip for phone in phones for id_, slip in phone.acknowledged.items()}
    kept = {row["id"]: row for row in house.desk("kept")}
    lost = [slip for id_, slip in acknowledged.items() if id_ not in kept]
    assert not lost, f"{told}\nlost {len(lost)}: {lost[:3]}"
    for id_, slip in acknowledged.items():
        row = kept[id_]
        assert (row["game"], int(row["number"]), row["rival"]) == (slip.game, slip.number, None)
    places = Counter((row["game"], row["number"]) for row in kept.values())
    assert max(places.values()) == 1, told
    verified = house.manage("verify")
    assert verified.returncode == 0, f"{told}\n{verified.stdout}{verified.stderr}"
    assert len(acknowledged) >= GAMES, told
    assert answers["500"] == 0, told
    print(json.dumps({"hands": len(acknowledged), "killed": killed, "answers": answers}))  # noqa: T201


def test_no_hand_is_lost_or_doubled_when_our_processes_are_killed(tmp_path: Path) -> None:
    make_data_folder(tmp_path / "data")
    with standing(tmp_path) as house:
        phones = phones_of(house)
        killed = storm(house, phones, lambda _dice: "")
        assert killed["web"] >= 3
        assert_all_is_there(house, phones, killed)


def test_no_hand_is_lost_or_doubled_when_the_server_of_the_database_is_killed(
    tmp_path: Path,
) -> None:
    with (
        postgresql.running(postgresql.SAFE) as server,
        standing(tmp_path, DATABASE_URL=server.url) as house,
    ):
        phones = phones_of(house)

        def more(dice: random.Random) -> str:
            if dice.random() > 0.2:
                return ""
            server.kill()
            time.sleep(dice.uniform(0, 0.5))
            server.start()
            return "postgresql"

        killed = storm(house, phones, more)
        assert killed["postgresql"] >= 1
        assert_all_is_there(house, phones, killed)
