"""One long night: so many submissions while servers of pages and the database server are killed.

    python -m tests.chaos.endurance                      10,000 under 100 and 10 kills
    python -m tests.chaos.endurance --submissions 500 --web 5 --database 1 --seed 7

A submission is a request that was taken (2xx); what was cut off or sent away (503) comes on top.
Phones lose every fifth answer and send again; each kill comes when its share of the submissions has
been taken. Prints what was kept, killed and answered as JSON, after everything was compared; fails
where anything is lost or doubled.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.hands import TABLES
from benchmarks.records import texts
from tests import postgresql
from tests.chaos.house import House, standing
from tests.chaos.phones import PATIENCE, Phone, Slip, at_work
from tests.chaos.test_chaos import PHONES_A_GAME, assert_all_is_there

TABLES_AT_ONCE: Final = 24
_SENT_A_GAME: Final = 12
"""At least so many submissions come of a game, however early it ends."""


def main() -> None:
    """Run the night that the command line describes."""
    options = _options()
    dice = random.Random(options.seed)
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-night-") as folder,
        postgresql.running(postgresql.SAFE) as server,
        standing(Path(folder), DATABASE_URL=server.url) as house,
    ):
        phones = _phones(house, options.submissions, options.seed)
        threads = at_work(phones)
        killed = _kill_all_along(house, server, phones, options, dice)
        _until(phones, options.submissions)
        for phone in phones:
            phone.deadline = 0
        for thread in threads:
            thread.join()
        assert taken(phones) >= options.submissions
        assert_all_is_there(house, phones, killed)


def _kill_all_along(
    house: House,
    server: postgresql.Server,
    phones: Sequence[Phone],
    options: argparse.Namespace,
    dice: random.Random,
) -> Counter[str]:
    """Kill as often as was asked for, evenly over the submissions, in an order of the dice."""
    whom = ["web"] * options.web + ["postgresql"] * options.database
    dice.shuffle(whom)
    killed: Counter[str] = Counter()
    for place, what in enumerate(whom, 1):
        _until(phones, options.submissions * place // (len(whom) + 1))
        if what == "postgresql":
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
    for place in house.desk("prepare", str(submissions // _SENT_A_GAME + TABLES_AT_ONCE)):
        number = place["number"]
        first = number % TABLES_AT_ONCE * PHONES_A_GAME
        for hand, text in enumerate(texts(TABLES[number % len(TABLES)], number), 1):
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


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.endurance", description=__doc__)
    parser.add_argument("--submissions", type=int, default=10_000, help="(%(default)s)")
    parser.add_argument("--web", type=int, default=100, help="kills of it (%(default)s)")
    parser.add_argument("--database", type=int, default=10, help="kills of it (%(default)s)")
    parser.add_argument("--seed", type=int, default=20261121, help="(%(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
