"""A thousand connections that never become a request: nobody else waits for one of them."""

import http.client
import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.crowd import hand_request
from config.running.gunicorn_worker import HEADER_SECONDS
from tests.chaos.house import House, standing
from tests.chaos.slow_clients import slow_clients
from tests.migrated import make_data_folder

CLIENTS = 1000
ROUNDS = 20
SECONDS_MAX = HEADER_SECONDS / 2
"""Who has to wait for a slow client waits until the server ends it."""
PATIENCE = 60.0

pytestmark = pytest.mark.xdist_group("chaos")


def ask(
    house: House,
    tls: ssl.SSLContext | None,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, float]:
    """Return the status of an answer, and after how many seconds it was there."""
    begun = time.monotonic()
    if tls is None:
        connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE)
    else:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", house.port, timeout=PATIENCE, context=tls
        )
    connection.request("GET" if body is None else "POST", path, body, headers or {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, time.monotonic() - begun


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_thousand_unfinished_requests_hold_up_neither_health_nor_hands(
    scheme: str, tmp_path: Path
) -> None:
    make_data_folder(tmp_path / "data")
    with standing(tmp_path, *(["--https"] if scheme == "https" else [])) as house:
        tls = None
        if scheme == "https":
            tls = ssl.create_default_context(cafile=tmp_path / "data" / "tls" / "authority.pem")
        hands = [hand_request(game) for game in house.desk("prepare", str(ROUNDS))]
        threads = count_threads(house)
        with slow_clients(house.port, CLIENTS, tls=tls) as clients:
            deadline = time.monotonic() + PATIENCE
            while clients.open < CLIENTS:
                assert time.monotonic() < deadline, clients
                time.sleep(0.1)
            found = []
            for path, shown, body in hands:
                found.append(ask(house, tls, "/healthz"))
                headers = {
                    "Authorization": f"Bearer {shown}",
                    "Content-Type": "application/json",
                    "Idempotency-Key": str(uuid4()),
                }
                found.append(ask(house, tls, path, body, headers))
                time.sleep(0.5)
            assert clients.ended > 0, "connections have a deadline"
            assert count_threads(house) <= threads + 16, "no thread for each connection"
        assert {status for status, _seconds in found} == {200, 201}
        assert max(seconds for _status, seconds in found) <= SECONDS_MAX, found
        assert "Traceback" not in (tmp_path / "data/logs/web.log").read_text(encoding="utf-8")


def count_threads(house: House) -> int:
    return sum(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in house.pids("web"))
