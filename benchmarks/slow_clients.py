"""A thousand clients that never finish a request, and how fast others are answered meanwhile."""

import http.client
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from uuid import uuid4

from benchmarks.crowd import Answer, hand_request, send_request
from benchmarks.figures import Figure, verdict
from tests.chaos.house import House, standing
from tests.chaos.slow_clients import slow_clients

CLIENTS: Final = 1000
HANDS: Final = 60
SLOWEST: Final = 1.0
"""Seconds within which every answer must come."""
_TEXT: Final = json.dumps({"text": "%" + 40_000 * "x"}).encode()
_SETTLED: Final = 15.0
"""Seconds until the clients are connected and the first deadlines of the server are over."""


def figures(_rounds: int) -> Iterator[Figure]:
    """One service with its usual processes, without and with the slow clients."""
    with (
        tempfile.TemporaryDirectory(prefix="painsuit-slow-") as folder,
        standing(Path(folder)) as house,
    ):
        requests = [hand_request(game) for game in house.desk("prepare", str(3 * HANDS))]
        _answers(house, requests[:HANDS])
        quiet, memory = _answers(house, requests[HANDS : 2 * HANDS]), _memory(house)
        with slow_clients(house.port, CLIENTS) as clients:
            time.sleep(_SETTLED)
            slow, most = _answers(house, requests[2 * HANDS :]), _memory(house)
            held = f"{clients.open} of them were connected at the end"
    rows = [
        row
        for name, answers in (("nobody else", quiet), (f"{CLIENTS} slow clients", slow))
        for row in _rows(name, answers)
    ]
    yield Figure(
        "Clients that never finish a request",
        ["beside", "request", "answers", "p50 ms", "slowest ms", "goal", "reached"],
        rows,
        f"`/healthz`, a hand and a text of 40 kB to check by turns, {HANDS} times each, one after "
        "the other. A fifth of the slow clients each says nothing, sends half a header, a line of "
        "a header each second, or a byte a second of a body of 4 kB or of 900 kB; "
        f"{held}. The web server's processes took {memory} MB "
        f"without and {most} MB with them.",
    )


def _answers(house: House, requests: Sequence[tuple[str, str, bytes]]) -> dict[str, list[Answer]]:
    """Ask for the health of the service, send a hand and have a long text checked, by turns."""
    found: dict[str, list[Answer]] = {"/healthz": [], "a hand": [], "40 kB": []}
    for request in requests:
        found["/healthz"].append(_ask(house.port, "GET", "/healthz"))
        found["40 kB"].append(_ask(house.port, "POST", "/api/v1/check", _TEXT))
        send_request(house.port, (*request, str(uuid4())), lambda: 0, found["a hand"].append)
        time.sleep(0.1)
    return found


def _ask(port: int, method: str, path: str, body: bytes | None = None) -> Answer:
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, time.perf_counter() - begun, response.read()
    except OSError:
        return 0, time.perf_counter() - begun, b""
    finally:
        connection.close()


def _rows(beside: str, answers: dict[str, list[Answer]]) -> Iterator[list[str]]:
    for request, found in answers.items():
        seconds = sorted(taken for _status, taken, _body in found)
        good = sum(200 <= status < 300 for status, _taken, _body in found)
        fine = good == len(found) and seconds[-1] <= SLOWEST
        yield [
            beside,
            request,
            f"{good} of {len(found)}",
            f"{seconds[len(seconds) // 2] * 1e3:.0f}",
            f"{seconds[-1] * 1e3:.0f}",
            f"<= {SLOWEST * 1e3:.0f}",
            verdict(reached=fine),
        ]


def _memory(house: House) -> int:
    """The private memory of the web server's processes and their share of the rest, in MB."""
    kilobytes = 0
    for pid in [*house.pids("master"), *house.pids("web")]:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        kilobytes += next(int(line.split()[1]) for line in rollup.splitlines() if "Pss:" in line)
    return kilobytes // 1024
