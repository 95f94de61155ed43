"""Figure 7: five hundred phones at once, and one request five hundred times, over HTTP."""

import http.client
import json
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from benchmarks.figures import Figure, verdict
from benchmarks.hands import TABLES, Table
from benchmarks.records import texts
from tests import postgresql
from tests.chaos.house import House, standing

TABLES_AT_ONCE: Final = 125
PHONES: Final = 500
NIGHTS: Final = 5
"""Of one season, played at once; a table for each phone."""
_CALM: Final = 25
_SLOWER: Final = 0.05
SLOWEST: Final = 3.0
"""Seconds within which 99 of 100 answers must come."""

Answer = tuple[int, float, bytes]


def figures(_rounds: int) -> Iterator[Figure]:
    """One service with its usual processes, and everybody in the same second."""
    with tempfile.TemporaryDirectory(prefix="painsuit-crowd-") as folder:
        with standing(Path(folder)) as house:
            games = house.desk("prepare", str(TABLES_AT_ONCE))
            # Memory that no process has touched yet makes the first answers after a start slower.
            first, crowd = (_crowd(house, games, number) for number in (1, 2))
            path, shown, body = hand_request(games[0], number=3)
            copies = _at_once(house, [(path, shown, body, str(uuid4()))] * PHONES)
            calm, frozen = _with_broker(house)
            verified = house.manage("verify", "--quiet")
        kept = f"verify says {'no difference' if verified.returncode == 0 else 'DIFFERENCES'}"
        yield _figure(first, crowd, copies, kept)
        yield _frozen_figure(calm, frozen)


def night_figures(_rounds: int) -> Iterator[Figure]:
    """Five hundred different hands of events with standings, on SQLite and on PostgreSQL."""
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-crowd-") as folder,
        standing(Path(folder)) as house,
    ):
        rows = _night_rows(house, "SQLite")
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-crowd-") as folder,
        postgresql.running(postgresql.SAFE) as server,
        standing(Path(folder), DATABASE_URL=server.url) as house,
    ):
        rows += _night_rows(house, "PostgreSQL")
    yield Figure(
        f"{PHONES} different hands at once",
        ["what", "answers", "p50 s", "p99 s", "web CPU ms a hand", "goal", "reached"],
        rows,
        f"{NIGHTS} nights of one league with {PHONES // NIGHTS} tables each: every table sends its "
        "first hand in one moment, then its second; the phones, the worker and the database run "
        "beside the web server on the same machine.",
    )


def _night_rows(house: House, database: str) -> list[list[str]]:
    games = house.desk(
        "prepare", str(NIGHTS), str(PHONES // NIGHTS), module="tests.chaos.night_desk"
    )
    rows = []
    for number, when in ((1, "just started"), (2, "the next hand")):
        hands = [hand_request(game, number, TABLES[0]) for game in games]
        before = _web_seconds(house)
        answers = _at_once(house, [(*hand, str(uuid4())) for hand in hands])
        taken = (_web_seconds(house) - before) / len(answers)
        row = _row(f"{database}, {when}", answers)
        rows.append([*row[:4], f"{taken * 1e3:.1f}", *row[4:]])
    return rows


def _web_seconds(house: House) -> float:
    """The processor time that the web server's processes have used."""
    ticks = 0
    for pid in house.pids("web"):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])  # utime and stime, see proc(5)
    return ticks / os.sysconf("SC_CLK_TCK")


def _crowd(house: House, games: Sequence[dict[str, Any]], number: int) -> list[Answer]:
    """The four phones of every table send the same hand."""
    hands = [hand_request(game, number) for game in games]
    phones = [hands[phone % TABLES_AT_ONCE] for phone in range(PHONES)]
    return _at_once(house, [(*phone, str(uuid4())) for phone in phones])


def _with_broker(house: House) -> tuple[list[Answer], list[Answer]]:
    """Hands one after the other while the broker serves, and while it is frozen."""
    requests = [
        (*hand_request(game), str(uuid4())) for game in house.desk("prepare", str(2 * _CALM))
    ]
    calm = [answer for request in requests[:_CALM] for answer in _at_once(house, [request])]
    (broker,) = house.pids("broker")
    os.kill(broker, signal.SIGSTOP)
    try:
        frozen = [answer for request in requests[_CALM:] for answer in _at_once(house, [request])]
    finally:
        os.kill(broker, signal.SIGCONT)
    return calm, frozen


def _frozen_figure(calm: Sequence[Answer], frozen: Sequence[Answer]) -> Figure:
    before, after = (sorted(answer[1] for answer in answers) for answers in (calm, frozen))
    slower = after[len(after) // 2] - before[len(before) // 2]
    fine = slower <= _SLOWER and all(200 <= one[0] < 300 for one in frozen)
    row = [
        f"{before[len(before) // 2] * 1e3:.1f}",
        f"{after[len(after) // 2] * 1e3:.1f}",
        f"{after[-1] * 1e3:.1f}",
        f"<= {_SLOWER * 1e3:.0f} ms slower",
        verdict(reached=fine),
    ]
    return Figure(
        "A frozen broker",
        ["calm, median ms", "frozen, median ms", "frozen, slowest ms", "goal", "reached"],
        [row],
        f"{_CALM} hands one after the other, and {_CALM} while the broker is stopped (SIGSTOP).",
    )


def hand_request(
    game: dict[str, Any], number: int = 1, table: Table | None = None
) -> tuple[str, str, bytes]:
    """The address, the key and the body of one hand of a game, of all systems in turn."""
    table = table or TABLES[game["number"] % len(TABLES)]
    text = texts(table, game["number"])[number - 1]
    body = {"id": str(uuid4()), "number": number, "text": text.decode()}
    return f"/api/v1/games/{game['game']}/hands", game["key"], json.dumps(body).encode()


def _at_once(house: House, requests: Sequence[tuple[str, str, bytes, str]]) -> list[Answer]:
    """Send all requests in the same moment, each on a connection of its own."""
    start, answers = threading.Barrier(len(requests)), list[Answer]()
    threads = [
        threading.Thread(
            target=send_request, args=(house.port, request, start.wait, answers.append)
        )
        for request in requests
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def send_request(
    port: int,
    request: tuple[str, str, bytes, str],
    wait: Callable[[], int],
    done: Callable[[Answer], None],
) -> None:
    path, shown, body, key = request
    headers = {
        "Authorization": f"Bearer {shown}",
        "Content-Type": "application/json",
        "Idempotency-Key": key,
    }
    wait()
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        done((response.status, time.perf_counter() - begun, response.read()))
    except OSError:
        done((0, time.perf_counter() - begun, b""))
    finally:
        connection.close()


def _figure(
    first: Sequence[Answer], crowd: Sequence[Answer], copies: Sequence[Answer], kept: str
) -> Figure:
    rows = [
        _row(f"{PHONES} phones at {TABLES_AT_ONCE} tables, just started", first),
        _row(f"{PHONES} phones at {TABLES_AT_ONCE} tables, the next hand", crowd),
        _row(f"{PHONES} copies of one request", copies),
    ]
    same = Counter(body for _status, _seconds, body in copies)
    return Figure(
        f"{PHONES} phones at once",
        ["what", "answers", "p50 s", "p99 s", "goal", "reached"],
        rows,
        "Hands over HTTP to `manage.py serve` on the same machine, everybody in one moment, four "
        f"phones of a table with the same hand; the phones run beside it. Afterwards {kept}; the "
        f"copies had {len(same)} different answer{'s' * (len(same) != 1)}.",
    )


def _row(what: str, answers: Sequence[Answer]) -> list[str]:
    seconds = sorted(taken for _status, taken, _body in answers)
    statuses = Counter(status for status, _taken, _body in answers)
    p99 = seconds[int(len(seconds) * 0.99) - 1]
    fine = all(200 <= status < 300 for status in statuses) and p99 <= SLOWEST
    shown = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    p50 = seconds[len(seconds) // 2]
    return [what, shown, f"{p50:.2f}", f"{p99:.2f}", f"<= {SLOWEST:.0f}", verdict(reached=fine)]
