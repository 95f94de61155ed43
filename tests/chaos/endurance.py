"""One long night: so many submissions while processes of the service and the database are killed.

    python -m tests.chaos.endurance                          on SQLite
    python -m tests.chaos.endurance --database postgresql    with a server that is killed, too
    python -m tests.chaos.endurance --submissions 500 --kills 8 --seed 7

A submission is a request that was taken (2xx); what was cut off or sent away (503) comes on top.
Phones lose every fifth answer and send again. Web server, worker, relay and broker are killed in
turn by SIGKILL, each when its share of the submissions has been taken. The hands belong to events
of a season, whose standings are published meanwhile. Prints what was kept, killed and answered as
JSON, how long a phone waited until its hand was kept, and how far standings were behind; fails
where anything is lost or doubled, or where the standings are not right in the end.
"""

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.hands import TABLES
from benchmarks.records import texts
from tests import postgresql
from tests.chaos.house import House, standing
from tests.chaos.phones import PATIENCE, Phone, Slip, at_work
from tests.chaos.staleness import StalenessMonitor, postgresql_staleness, sqlite_staleness
from tests.chaos.test_chaos import PHONES_A_GAME, assert_all_is_there

NIGHT_DESK: Final = "tests.chaos.night_desk"
TABLES_AT_ONCE: Final = 24
GAMES_A_NIGHT: Final = 4 * TABLES_AT_ONCE
_SENT_A_GAME: Final = 12
"""At least so many submissions come of a game, however early it ends."""
TARGETS: Final = ("web", "worker", "relay", "broker")
SOON: Final = 60.0
"""Seconds within which standings are right after the last hand."""


def main() -> None:
    """Run the night that the command line describes."""
    options = _options()
    with _service(options.database) as (house, server, monitor):
        phones = _phones(house, options.submissions, options.seed)
        with monitor:
            threads = at_work(phones)
            killed = _kill_all_along(house, server, phones, options)
            _until(phones, options.submissions)
            for phone in phones:
                phone.deadline = 0
            for thread in threads:
                thread.join()
            _until_right(monitor)
        assert taken(phones) >= options.submissions
        assert house.desk("wrong", module=NIGHT_DESK) == []
        assert_all_is_there(house, phones, killed)
        print(json.dumps(_times(phones, monitor)))  # noqa: T201 (the outcome of the command)


@contextmanager
def _service(
    database: str,
) -> Iterator[tuple[House, postgresql.Server | None, StalenessMonitor]]:
    with tempfile.TemporaryDirectory(prefix="painsuit-night-") as name:
        folder = Path(name)
        if database == "sqlite":
            with standing(folder) as house:
                look = partial(sqlite_staleness, folder / "data" / "painsuit.sqlite3")
                yield house, None, StalenessMonitor(look)
        else:
            with (
                postgresql.running(postgresql.SAFE) as server,
                standing(folder, DATABASE_URL=server.url) as house,
            ):
                look = partial(postgresql_staleness, server.url)
                yield house, server, StalenessMonitor(look)


def _kill_all_along(
    house: House,
    server: postgresql.Server | None,
    phones: Sequence[Phone],
    options: argparse.Namespace,
) -> Counter[str]:
    """Kill as often as was asked for, evenly over the submissions, in an order of the dice."""
    dice = random.Random(options.seed)
    whom = [TARGETS[number % len(TARGETS)] for number in range(options.kills)]
    if server is not None:
        whom += ["postgresql"] * options.server_kills
    dice.shuffle(whom)
    killed: Counter[str] = Counter()
    for place, what in enumerate(whom, 1):
        _until(phones, options.submissions * place // (len(whom) + 1))
        if what == "postgresql":
            assert server is not None
            server.kill()
            time.sleep(dice.uniform(0, 0.5))
            server.start()
        else:
            while not house.kill(what, dice):
                time.sleep(0.05)
        killed[what] += 1
    return killed


def _phones(house: House, submissions: int, seed: int) -> list[Phone]:
    """Two phones at each table, which plays one game after the other."""
    shares: list[list[Slip]] = [[] for _ in range(TABLES_AT_ONCE * PHONES_A_GAME)]
    games = submissions // _SENT_A_GAME + TABLES_AT_ONCE
    nights = -(-games // GAMES_A_NIGHT)
    for place in house.desk("prepare", str(nights), str(GAMES_A_NIGHT), module=NIGHT_DESK):
        number = place["number"]
        first = number % TABLES_AT_ONCE * PHONES_A_GAME
        for hand, text in enumerate(texts(TABLES[0], number), 1):
            slip = Slip(place["game"], place["key"], hand, text.decode())
            shares[first + hand % PHONES_A_GAME].append(slip)
    return [
        Phone(house.port, slips, seed + number, float("inf")) for number, slips in enumerate(shares)
    ]


def taken(phones: Sequence[Phone]) -> int:
    """How many submissions were taken so far."""
    return sum(phone.answers["200"] + phone.answers["201"] for phone in phones)


def _until(phones: Sequence[Phone], submissions: int) -> None:
    quiet_since, before = time.monotonic(), -1
    while (now := taken(phones)) < submissions:
        if now != before:
            quiet_since, before = time.monotonic(), now
        assert time.monotonic() < quiet_since + PATIENCE, f"nothing after {now} submissions"
        time.sleep(0.02)


def _until_right(monitor: StalenessMonitor) -> None:
    begun = time.monotonic()
    while monitor.staleness():
        assert time.monotonic() < begun + SOON, "standings are still behind"
        time.sleep(0.05)


def _times(phones: Sequence[Phone], monitor: StalenessMonitor) -> dict[str, float]:
    """In seconds: how long phones waited until a hand was kept, and how far standings were back."""
    waits = sorted(wait for phone in phones for wait in phone.waits)
    return {
        "wait p50": round(waits[len(waits) // 2], 2),
        "wait p99": round(waits[len(waits) * 99 // 100], 2),
        "wait max": round(waits[-1], 2),
        "behind p50": round(monitor.percentile(50), 2),
        "behind p99": round(monitor.percentile(99), 2),
        "behind max": round(max(monitor.seen), 2),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.endurance", description=__doc__)
    parser.add_argument("--submissions", type=int, default=10_000, help="(%(default)s)")
    parser.add_argument("--kills", type=int, default=100, help="of our processes (%(default)s)")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument(
        "--server-kills", type=int, default=10, help="of the database's server (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=20261121, help="(%(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
