"""Figures 5 and 6: a hand stored for good, and books verified, beside what the database needs."""

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from benchmarks import club
from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import TABLES
from benchmarks.ready import database
from benchmarks.records import texts
from benchmarks.server import asked, tell
from engine.games.game import judge_hand
from engine.replay.replay import replay
from engine.verdicts.judge import judge
from scoring.models import Heartbeat
from scoring.submissions.reading import read_hand
from scoring.transfer.verifying import bundles, look_at_games

_GAMES: Final = 26
_STORING: Final = 6.0
"""How many empty durable commits a stored hand may cost."""
_ENGINE: Final = 0.05
"""The engine's part of the request."""
_VERIFYING: Final = 500
"""Microseconds of a hand."""


def figures(rounds: int) -> Iterator[Figure]:
    """Storing by API on both databases, then verifying what was stored."""
    with database():
        rows = [_stored(rounds), asked("storing", rounds)]
        yield _storing(rows)
        yield verify("Books verified", [club.fill(_GAMES)], rounds)


def _stored(rounds: int) -> list[str]:
    """One request after the other, each between two empty commits of the same database."""
    client = Client(SERVER_NAME="localhost")
    commits, requests, engine = [], [], []
    for path, key, text, number in _slips(rounds):
        commits.append(_seconds(_commit))
        with _engine_timed() as spent:
            requests.append(_seconds(partial(_send, client, path, key, text, number)))
        engine.append(sum(spent))
    ratio = median(mine / theirs for mine, theirs in zip(requests, commits, strict=True))
    part = median(mine / whole for mine, whole in zip(engine, requests, strict=True))
    return [
        connection.vendor,
        f"{median(commits) * 1e6:.0f}",
        f"{median(requests) * 1e6:.0f}",
        times(ratio),
        f"<= {_STORING:.0f} x",
        verdict(reached=ratio <= _STORING),
        f"{part:.1%}",
        verdict(reached=part <= _ENGINE),
    ]


def _storing(rows: list[list[str]]) -> Figure:
    columns = ["database", "commit us", "hand us", "ratio", "goal", "reached"]
    columns += ["engine's part", "<= 5 %"]
    note = (
        "A hand of a whole deal by API: judged, settled, written with its books, its trail and its "
        "answer; and beside it a transaction that writes one small row. Wall time, medians."
    )
    return Figure("A hand stored for good", columns, rows, note)


def _slips(rounds: int) -> Iterator[tuple[str, str, str, int]]:
    """Hands of a few games: the address, the key of a program, the text, the number."""
    for number, (game, key) in enumerate(club.tables(rounds)):
        for place, text in enumerate(texts(TABLES[number % len(TABLES)], number), 1):
            yield f"/api/v1/games/{game}/hands", key, text.decode(), place


@contextmanager
def _engine_timed() -> Iterator[list[float]]:
    """What the engine takes of a request: reading the text, judging the hand, settling it."""
    spent: list[float] = []

    def timed(work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **kwargs: Any) -> Any:
            begun = time.perf_counter()
            try:
                return work(*args, **kwargs)
            finally:
                spent.append(time.perf_counter() - begun)

        return done

    with (
        patch("scoring.submissions.writing.records.read_hand", timed(read_hand)),
        patch("scoring.settlement.replay.judge_hand", timed(judge_hand)),
    ):
        yield spent
    assert len(spent) >= 2, "the engine was not asked"


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _commit() -> None:
    # Another value each time: SQLite writes nothing for a row that stays as it is.
    with transaction.atomic():
        Heartbeat.objects.update_or_create(name="benchmark", defaults={"at": timezone.now()})


def _send(client: Client, path: str, key: str, text: str, number: int) -> None:
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": str(uuid4())}
    body = json.dumps({"id": str(uuid4()), "number": number, "text": text})
    answer: Any = client.post(path, body, content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content


def verify(title: str, clubs: Sequence[UUID], rounds: int) -> Figure:
    """Verify the games of some clubs, beside replays of hands of every system."""
    parts = list(bundles(clubs))
    hands = sum(part.hands for part in parts)
    records = [record for number in range(_GAMES) for record in _records(number)]
    looked, replayed = [], []
    gc.collect()
    gc.freeze()
    for _ in range(rounds + 1):
        begun = time.process_time()
        found = [look_at_games(part.games) for part in parts]
        looked.append((time.process_time() - begun) / hands)
        assert not any(one.differences for one in found)
        begun = time.process_time()
        for record in records:
            replay(record)
        replayed.append((time.process_time() - begun) / len(records))
    gc.unfreeze()
    cost = median(looked[1:])
    ratio = median(mine / theirs for mine, theirs in zip(looked[1:], replayed[1:], strict=True))
    rows = [
        [
            str(hands),
            f"{cost * 1e6:.0f}",
            times(ratio),
            f"{2 / cost:.0f}",
            f"<= {_VERIFYING}",
            verdict(reached=cost * 1e6 <= _VERIFYING),
        ]
    ]
    columns = ["hands", "us/hand", "of a replay", "hands/s on 2 cores", "goal us", "reached"]
    note = (
        "Everything `manage.py verify` does for a game: read, folded from its texts, compared, "
        "books and trail. CPU time of one process; it starts one for each core."
    )
    return Figure(title, columns, rows, note)


def _records(number: int) -> Iterator[Any]:
    for text in texts(TABLES[number % len(TABLES)], number):
        yield judge(text).records[0].entry.record


def main() -> None:
    """Store hands in the database of this process, and tell how long it took."""
    with database():
        tell(_stored(int(sys.argv[1])))


if __name__ == "__main__":
    main()
