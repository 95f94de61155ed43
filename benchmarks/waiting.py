"""Phones that wait: what five hundred of them cost the service while nothing happens.

They ask as the page does (static/js/phone/polling.js): at first every four seconds, a minute later
every twelve. Beside it the same phones asking for the game and for the drafts every four seconds,
as programs of a table may do. Processor time is that of the web processes, from the kernel.
"""

import http.client
import json
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import uuid4

from benchmarks.figures import Figure, verdict
from tests.chaos.house import House, standing

PHONES: Final = 500
TABLES_AT_ONCE: Final = 125
EVERY, SELDOM = 4, 12
"""Seconds between two looks: while something happens, and while nothing does."""
PART_MAX: Final = 0.25
"""Of one core, for all phones while nothing happens."""
_SPAN: Final = 36.0
"""Seconds that are measured."""
_HANDS: Final = 20
"""Threads that speak for the phones."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Waiting:
    """A phone: whom it speaks for, what it asks for in one look, and what it knows of each."""

    shown: str
    paths: Sequence[str]
    tags: dict[str, str] = field(default_factory=dict)

    def look(self, port: int) -> Iterator[int]:
        """Ask once, on a connection of its own: a browser's is closed by then. Gives statuses."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            for path in self.paths:
                known = self.tags.get(path)
                more = {} if known is None else {"If-None-Match": known}
                line.request("GET", path, headers={"Authorization": self.shown, **more})
                answer = line.getresponse()
                answer.read()
                self.tags[path] = answer.headers.get("ETag") or ""
                yield answer.status
        finally:
            line.close()


def figures(_rounds: int) -> Iterator[Figure]:
    """The page's own look in both its rhythms, and two doors of the API."""
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-waiting-") as folder,
        standing(Path(folder)) as house,
    ):
        games = house.desk("prepare", str(TABLES_AT_ONCE))
        links = [(game["game"], _links(house, game)) for game in games]
        news = [Waiting(shown, ["/t/news"]) for _game, phones in links for shown in phones]
        doors = [
            Waiting(shown, [f"/api/v1/games/{game}", f"/api/v1/games/{game}/drafts"])
            for game, phones in links
            for shown in phones
        ]
        rows = [
            _row(house, "nothing happens", news, SELDOM, PART_MAX),
            _row(house, "something happened just now", news, EVERY, None),
            _row(house, "two doors of the API, to compare", doors, EVERY, None),
        ]
    yield Figure(
        f"{PHONES} phones that wait",
        ["what", "every s", "answers", "requests a second", "of one core", "goal", "reached"],
        rows,
        f"Phones at {TABLES_AT_ONCE} tables for {_SPAN:.0f} s; processor time of the web processes "
        "of `manage.py serve`, the phones' own not counted.",
    )


def _links(house: House, game: dict[str, str]) -> list[str]:
    """What the phones of a table show, each for the first seat."""
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    headers = {
        "Authorization": f"Bearer {game['key']}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid4()),
    }
    body = json.dumps({"seats": ["table"] * (PHONES // TABLES_AT_ONCE)})
    line.request("POST", f"/api/v1/games/{game['game']}/links", body, headers)
    tokens = json.loads(line.getresponse().read())["tokens"].split("\n")
    line.request("GET", "/t/seating", headers={"Authorization": f"Seat {tokens[0]}"})
    seats = json.loads(line.getresponse().read())["seats"]
    line.close()
    return [f"Seat {token} {seats[0]}" for token in tokens]


def _row(
    house: House, what: str, phones: Sequence[Waiting], every: int, most: float | None
) -> list[str]:
    _look_around(house, phones, every, every)  # what a phone finds out at first
    before, begun = _seconds(house), time.monotonic()
    seen = _look_around(house, phones, every, _SPAN)
    part = (_seconds(house) - before) / (time.monotonic() - begun)
    return [
        what,
        str(every),
        ", ".join(f"{count} x {status}" for status, count in sorted(seen.items())),
        f"{seen.total() / _SPAN:.0f}",
        f"{part:.2f}",
        "" if most is None else f"<= {most}",
        "" if most is None else verdict(reached=part <= most),
    ]


def _look_around(house: House, phones: Sequence[Waiting], every: int, span: float) -> Counter[int]:
    """Let every phone look once in ``every`` seconds, one after the other, for some seconds."""
    begun, heard = time.monotonic(), list[int]()

    def some(first: int) -> None:
        mine = phones[first::_HANDS]
        for turn in range(round(span / every)):
            for place, phone in enumerate(mine):
                due = begun + (turn + place / len(mine)) * every
                time.sleep(max(0.0, due - time.monotonic()))
                heard.extend(phone.look(house.port))

    hands = [threading.Thread(target=some, args=(first,)) for first in range(_HANDS)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    return Counter(heard)


def _seconds(house: House) -> float:
    """Processor seconds of the web processes until now."""
    return sum(map(_used, house.pids("web")))


def _used(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS
