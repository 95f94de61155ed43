"""A disk that is really full: hands are refused in words, nothing is lost, nothing is restarted.

The disk is a small one in memory, which only root may mount.
"""

import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.hands import TABLES
from benchmarks.records import texts
from tests import postgresql
from tests.chaos.house import House, standing
from tests.chaos.phones import Phone, Slip

RECOVERY = 45.0
"""Seconds in which all parts are to be well again."""

pytestmark = pytest.mark.xdist_group("chaos")


@pytest.fixture
def small_disk() -> Iterator[Path]:
    # Not below pytest's own folder, which only root may enter: PostgreSQL runs as somebody else.
    folder = Path(tempfile.mkdtemp(prefix="painsuit-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", "size=96m,mode=755", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        folder.rmdir()
        pytest.skip(f"NOT TESTED, only root may mount a small disk: {mounted.stderr}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


def fill(disk: Path) -> Path:
    """Use every byte up."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1):
            with suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return filler


def health(house: House) -> tuple[int, dict[str, Any]]:
    address = f"http://127.0.0.1:{house.port}/healthz"
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def enter_until_refused_and_go_on(house: House, disk: Path) -> None:
    (place,) = house.desk("prepare", "1")
    written = texts(TABLES[place["number"] % len(TABLES)], place["number"])
    slips = [
        Slip(place["game"], place["key"], number, text.decode())
        for number, text in enumerate(written, 1)
    ]
    phone = Phone(house.port, slips, seed=1, deadline=0)
    waiting = list(slips)
    assert phone._send(waiting.pop(0), "00000000-0000-4000-8000-000000000000")[0] == 201
    filler = fill(disk)
    status, body = 0, b""
    for slip in slips[1:]:  # some may still fit where there was room before
        status, body = phone._send(slip, slip.id)
        if status != 201:
            break
        waiting.remove(slip)
    assert status == 507, body
    assert b"nothing was lost" in body
    assert [phone._send(waiting[0], waiting[0].id)[0] for _ in range(5)] == [507] * 5
    # Each process of the web server knows of the writes that it was refused itself.
    codes = {(status, parts["disk"]) for status, parts in (health(house) for _ in range(20))}
    assert (503, "full") in codes
    filler.unlink()
    deadline = time.monotonic() + RECOVERY
    while (sent := phone._send(waiting[0], waiting[0].id))[0] != 201:
        assert time.monotonic() < deadline, sent
        time.sleep(0.5)
    for slip in waiting[1:]:
        assert phone._send(slip, slip.id)[0] == 201
    assert {row["id"] for row in house.desk("kept")} == {slip.id for slip in slips}
    deadline = time.monotonic() + 2 * RECOVERY
    while True:
        status, parts = health(house)
        if status == 200 and "down" not in parts.values() and parts["waiting"] < 10:
            break
        assert time.monotonic() < deadline, parts
        time.sleep(0.5)
    found = house.manage("verify")
    assert found.returncode == 0, found.stdout


def test_sqlite_on_a_full_disk_refuses_in_words_and_goes_on(small_disk: Path) -> None:
    with standing(small_disk) as house:
        enter_until_refused_and_go_on(house, small_disk)
        assert "keeps dying" not in house.log.read_text(encoding="utf-8")


def test_postgresql_on_a_full_disk_refuses_in_words_and_goes_on(
    small_disk: Path, tmp_path: Path
) -> None:
    """Its log of writes lies on another disk: without it the server itself ends."""
    tables = small_disk / "tables"
    tables.mkdir(mode=0o700)
    with (
        postgresql.running(postgresql.SAFE, tables) as server,
        standing(tmp_path, DATABASE_URL=server.url) as house,
    ):
        enter_until_refused_and_go_on(house, small_disk)
