"""A full or read-only disk: what writes is refused with 507, what reads goes on."""

import json
import os
import sqlite3
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.api.asking import Asking, account_of, check_problem
from tests.api.test_permissions import ENDPOINTS, keys_of
from tests.api.world import OWN, World
from tests.disks import (
    FULL_DATABASES,
    database_that_refuses_writes,
    free_again,
    sqlite_error,
)
from tournaments.core import storage
from tournaments.core.storage import FULL_BYTES, LOW_BYTES, disk_space, is_disk_full

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    free_again(monkeypatch)


def statuses(asking: Asking, world: World, *, reading: bool) -> dict[str, int]:
    """The status of every endpoint that reads, or of every one that writes."""
    found = {}
    ids = world.corners[OWN].ids
    for (name, method), endpoint in sorted(ENDPOINTS.items()):
        if (method == "GET") is not reading:
            continue
        path = reverse(name, kwargs={key: ids[key] for key in keys_of(name)})
        block = transaction.atomic()
        block._from_testcase = True  # type: ignore[attr-defined]
        with block:
            body: dict[str, object] | None = {} if endpoint.takes_body else None
            answer = asking.ask(method, path, body, If_Match='"1"')
            found[f"{method} {name}"] = answer.status_code
            transaction.set_rollback(True)
    return found


def test_every_endpoint_that_reads_answers_as_ever(world: World) -> None:
    admin = world.askers["key"]
    before = statuses(admin, world, reading=True)
    with database_that_refuses_writes(FULL_DATABASES["SQLite is full"]):
        assert statuses(admin, world, reading=True) == before


def test_every_endpoint_that_would_write_says_so(world: World) -> None:
    """What was refused without a word of the database may be refused as before."""
    admin = world.askers["key"]
    before = statuses(admin, world, reading=False)
    with database_that_refuses_writes(FULL_DATABASES["SQLite is full"]):
        now = statuses(admin, world, reading=False)
    wrong = {
        name: (before[name], status)
        for name, status in now.items()
        if status != 507 and (status != before[name] or status < 400)
    }
    assert wrong == {"DELETE api-session": (204, 204)}  # a program has no session to end
    assert list(now.values()).count(507) > 30


@pytest.mark.parametrize("kind", FULL_DATABASES)
def test_each_way_in_which_a_database_refuses_to_write_is_told_alike(
    world: World, client: Client, kind: str
) -> None:
    path = f"/api/v1/clubs/{world.corners[OWN].ids['club_id']}/players"
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block, database_that_refuses_writes(FULL_DATABASES[kind]):
        answer = world.askers["admin"].post(path, {"name": "Ada"})
    problem = check_problem(answer, "DISK_FULL")
    assert "nothing was lost" in problem["detail"]
    assert answer["Retry-After"] == "15"
    health = client.get("/healthz")
    state = "read-only" if "read-only" in kind else "full"
    assert (health.status_code, health.json()["disk"]) == (503, state)


def test_another_trouble_of_the_disk_is_no_full_disk() -> None:
    assert not is_disk_full(sqlite_error(sqlite3.SQLITE_IOERR_READ, "disk I/O error"))
    assert not is_disk_full(sqlite_error(sqlite3.SQLITE_BUSY, "database is locked"))


def test_a_page_whose_session_cannot_be_stored_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A middleware stores it, after the view."""
    client.raise_request_exception = False
    account = account_of("nora@club.example")
    account.set_password("long enough, this")
    account.save()
    assert client.get("/desk/sign-in/").status_code == 200

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        error = FULL_DATABASES["SQLite is full"]()
        raise error

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", refuse)
    typed = {"email": "nora@club.example", "password": "long enough, this"}
    answer = client.post("/desk/sign-in/", typed)
    assert answer.status_code == 507
    assert "nothing was lost" in answer.content.decode()


def space(monkeypatch: pytest.MonkeyPatch, free: int, flag: int = 0) -> None:
    found = SimpleNamespace(f_frsize=1, f_bfree=free, f_bavail=free, f_flag=flag)
    monkeypatch.setattr(os, "statvfs", lambda _path: found)


@pytest.mark.parametrize(
    ("free", "flag", "state", "status"),
    [
        (LOW_BYTES, 0, "ok", 200),
        (LOW_BYTES - 1, 0, "low", 200),
        (FULL_BYTES - 1, 0, "full", 503),
        (LOW_BYTES, os.ST_RDONLY, "read-only", 503),
    ],
)
def test_health_tells_of_little_space_before_there_is_none(
    client: Client, monkeypatch: pytest.MonkeyPatch, free: int, flag: int, state: str, status: int
) -> None:
    space(monkeypatch, free, flag)
    answer = client.get("/healthz")
    said = json.loads(answer.content)
    assert (answer.status_code, said["disk"], said["disk_free"]) == (status, state, free)
    assert disk_space().name in {str(settings.DATA.root), str(settings.FILES)}


def test_a_refused_write_is_forgotten_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("tournaments.core.storage.time.monotonic", lambda: now)
    storage.note_refused_write(FULL_DATABASES["PostgreSQL is full"]())
    assert disk_space().state == "full"
    assert disk_space().name
    now += storage.REFUSED_FOR
    assert disk_space().state == "ok"
