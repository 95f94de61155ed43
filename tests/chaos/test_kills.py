"""What was killed is back soon, however often and whatever else was killed."""

import random
import re
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.chaos.house import House, standing
from tests.migrated import make_data_folder

KILLS = 6
"""Of each process, one more than what counts as dying often."""


def test_a_process_that_served_is_back_within_a_second_however_often_it_is_killed(
    tmp_path: Path,
) -> None:
    make_data_folder(tmp_path / "data")
    dice = random.Random(17)
    with standing(tmp_path) as house:
        kills = 0
        for what in ("broker", "worker", "relay", "master"):
            for _kill in range(KILLS):
                wait_for(partial(house.pids, what), house)
                time.sleep(2.5)  # until a worker or a relay counts as one that does its work
                kills += house.kill(what, dice)
                wait_for(partial(came_back, house, kills), house)
        with urllib.request.urlopen(f"http://127.0.0.1:{house.port}/healthz", timeout=60) as answer:
            assert answer.status == 200
        said = house.log.read_text(encoding="utf-8")
    assert said.count("was killed (SIGKILL)") == 4 * KILLS, said
    assert [int(wait) for wait in re.findall(r"again in (\d+) s", said) if int(wait) > 1] == []


def came_back(house: House, times: int) -> bool:
    return house.log.read_bytes().count(b"runs again") == times


def wait_for(seen: Callable[[], object], house: House) -> None:
    deadline = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < deadline, house.log.read_text(encoding="utf-8")
        time.sleep(0.02)
