import importlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.utils import ConnectionHandler
from django.test import Client, override_settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.operations import health
from config.running import children, limits
from config.running.data_folder import DataFolder


class Forgetful(APIView):
    """A view whose author said nothing about permissions."""

    def get(self, _request: Request) -> Response:
        return Response({"seen": True})


urlpatterns = [path("forgetful", Forgetful.as_view())]


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A real embedded broker on a socket of its own."""
    data = DataFolder(tmp_path / "data")
    data.prepare()
    monkeypatch.setattr(settings, "DATA", data)
    monkeypatch.setattr(settings, "REDIS_URL", f"unix://{data.broker_socket}?db=0")
    child = children.broker()
    with (tmp_path / "broker.log").open("wb") as log:
        process = subprocess.Popen(child.command, stdout=log, stderr=log)
    deadline = time.monotonic() + 10
    while not child.is_ready():
        assert time.monotonic() < deadline, (tmp_path / "broker.log").read_text(encoding="utf-8")
        time.sleep(0.02)
    yield settings.REDIS_URL
    process.terminate()
    process.wait(timeout=10)


@pytest.mark.django_db
def test_health_tells_the_parts_apart_and_a_lost_broker_is_no_outage(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    parts = answer.json()
    assert parts.pop("disk_free") > 0
    assert parts == {
        "web": "ok",
        "disk": "ok",
        "database": "ok",
        "broker": "down",
        "relay": "down",
        "worker": "down",
        "waiting": 0.0,
    }
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_health_sees_the_embedded_broker(client: Client, broker: str) -> None:
    assert broker.startswith("unix://")
    assert client.get("/healthz").json()["broker"] == "ok"


def test_health_is_503_when_the_database_is_away(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("disk I/O error")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "down"


@pytest.mark.django_db
def test_health_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def test_a_frozen_broker_does_not_hold_the_answer_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(tmp_path / "s"))
        mute.listen()
        begun = time.monotonic()
        assert health.broker_state(f"unix://{tmp_path}/s") == "down"
        assert time.monotonic() - begun < 2.5


@pytest.mark.django_db
def test_every_answer_carries_the_strict_headers(client: Client) -> None:
    answer = client.get("/healthz")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Permissions-Policy"].startswith("camera=(), geolocation=()")
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


@override_settings(PUBLIC_ADDRESS="https://hearts.example:8443")
def test_a_port_that_is_not_ours_is_refused(client: Client) -> None:
    for port, is_ours in ((":8443", True), (":80", True), (":9999", False), (":0", False)):
        answer = client.get("/check/", headers={"host": f"testserver{port}"})
        assert answer.status_code == (200 if is_ours else 400), port
    answer = client.get("/check/", headers={"host": "testserver:8000"}, SERVER_PORT="8000")
    assert answer.status_code == 200


def test_an_unknown_host_name_is_refused(client: Client) -> None:
    assert client.get("/healthz", HTTP_HOST="evil.example").status_code == 400


@override_settings(ROOT_URLCONF=__name__)
def test_an_api_view_that_says_nothing_lets_nobody_in(client: Client) -> None:
    answer = client.get("/forgetful")
    assert answer.status_code == 403
    assert answer["Content-Type"] == "application/problem+json"


def test_the_api_describes_itself(client: Client) -> None:
    answer = client.get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert answer.json()["info"]["title"] == "Painsuit"


def test_the_apis_page_keeps_to_our_own_strict_policy(client: Client) -> None:
    answer = client.get("/api/v1/docs")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "<style" not in page
    assert page.count("<script") == page.count("<script src=") > 0
    assert "//" not in page  # nothing comes from elsewhere


@pytest.mark.django_db
def test_sqlite_waits_writes_ahead_and_syncs_fully(tmp_path: Path) -> None:
    handler = ConnectionHandler(
        {"default": {**settings.DATABASES["default"], "NAME": tmp_path / "x.sqlite3"}}
    )
    with handler["default"].cursor() as cursor:
        seen = {}
        for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys"):
            cursor.execute(f"PRAGMA {name}")
            seen[name] = cursor.fetchone()[0]
    handler.close_all()
    assert seen == {
        "journal_mode": "wal",
        "synchronous": 2,
        "busy_timeout": 20_000,
        "foreign_keys": 1,
    }
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_a_task_can_never_outlive_its_visibility() -> None:
    """Otherwise the broker would hand a running task out a second time."""
    timeouts = {
        settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"],
        settings.CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS["visibility_timeout"],
        settings.CELERY_VISIBILITY_TIMEOUT,
    }
    assert len(timeouts) == 1
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    assert soft < hard < timeouts.pop()


def test_web_processes_without_a_kept_key_refuse_to_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "SECRET_KEY_IS_KEPT", False)
    monkeypatch.delitem(sys.modules, "config.wsgi", raising=False)
    with pytest.raises(ImproperlyConfigured, match="PAINSUIT_SECRET_KEY"):
        importlib.import_module("config.wsgi")


@pytest.mark.django_db
def test_what_is_longer_than_anybody_needs_is_refused_in_words(client: Client) -> None:
    name = "x" * limits.ADDRESS_MAX
    cookie = {"Cookie": "a=" + "x" * limits.HEADERS_MAX}
    for address, headers, status, code in (
        (f"/api/v1/limits?{name}", {}, 414, "ADDRESS_TOO_LONG"),
        ("/api/v1/limits", cookie, 431, "HEADERS_TOO_LONG"),
    ):
        answer = client.get(address, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer["Content-Type"] == "application/problem+json"
    for address, headers, status in (
        (f"/{name}", {}, 414),
        ("/", cookie, 431),
        ("/check", {"Content-Length": str(limits.BODY_MAX + 1)}, 413),
    ):
        answer = client.post(address, headers=headers)
        assert answer.status_code == status
        assert "<h1" in answer.content.decode()


def test_links_that_leave_the_service_are_written_at_one_place() -> None:
    """A host that a request names must not get into a mail or onto paper."""
    folders = [Path(settings.BASE_DIR) / name for name in ("config", "scoring", "tournaments")]
    writers = {
        path.name
        for folder in folders
        for path in folder.rglob("*.py")
        if "build_absolute_uri" in path.read_text(encoding="utf-8")
    }
    assert writers == {"public_address.py"}
