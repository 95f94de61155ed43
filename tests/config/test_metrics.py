"""What Prometheus is told: by route and never by address, and to nobody in the world."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from config.celery import _count_task
from config.operations.health import WORKER, record_heartbeat
from config.running import counters
from config.running.data_folder import DataFolder
from config.running.middleware import DURATION, REQUESTS, UNMATCHED, method_label, route_family
from scoring.models import Delivery, Webhook
from tests.api.test_permissions import patterns
from tests.migrated import make_data_folder
from tests.scoring.club import make_club
from tournaments.models import Job, JobKind, JobState, Published, Scope, Stale

ROOT = Path(__file__).parents[2]
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(client: Client, **headers: str) -> Samples:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    return {
        (one.name, frozenset(one.labels.items())): one.value
        for family in text_string_to_metric_families(answer.content.decode())
        for one in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    return found[f"painsuit_{name}", frozenset(labels.items())]


@pytest.mark.django_db
def test_requests_are_counted_by_route_method_and_status(client: Client) -> None:
    labels = {"route": "robots", "method": "GET", "status": "200"}
    client.get("/robots.txt")
    before = value(samples(client), "http_requests_total", **labels)
    client.get("/robots.txt")
    found = samples(client)
    assert value(found, "http_requests_total", **labels) == before + 1
    buckets = {"route": "robots", "method": "GET", "le": "+Inf"}
    assert value(found, "http_request_duration_seconds_bucket", **buckets) >= 2


@pytest.mark.django_db
def test_labels_hold_no_address_and_no_word_that_a_stranger_chose(client: Client) -> None:
    client.get("/t/xyzzy-code/")
    client.get("/nowhere/xyzzy-page")
    client.generic("XYZZY", "/robots.txt")
    text = client.get("/metrics").content.decode()
    assert "xyzzy" not in text.lower()
    assert f'route="{UNMATCHED}"' in text
    assert 'method="other"' in text


@pytest.mark.django_db
def test_without_a_token_only_this_machine_reads_the_metrics(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="::1").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="192.168.1.7").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404
    for header in ("X-Forwarded-For", "Forwarded"):
        assert client.get("/metrics", headers={header: "for=127.0.0.1"}).status_code == 404


@pytest.mark.django_db
def test_with_a_token_only_its_owner_reads_the_metrics(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "METRICS_TOKEN", "a token of this test")
    right = {"Authorization": "Bearer a token of this test"}
    assert client.get("/metrics", headers=right, REMOTE_ADDR="192.168.1.7").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 404
    for wrong in ("Bearer another", "a token of this test", "Bearer ä"):
        assert client.get("/metrics", headers={"Authorization": wrong}).status_code == 404
    assert client.post("/metrics", headers=right).status_code == 405


@pytest.mark.django_db
def test_what_waits_was_put_aside_or_is_behind_is_told_by_kind(client: Client) -> None:
    now, club = datetime.now(UTC), make_club()
    hook = Webhook.objects.create(club=club, url="", secret="", created_at=now, failures=2)
    for ago, done in ((90, None), (30, None), (-600, None), (None, None), (None, now)):
        Delivery.objects.create(
            webhook=hook,
            event="x",
            body="",
            due_at=None if ago is None else now - timedelta(seconds=ago),
            done_at=done,
            created_at=now,
        )
    Job.objects.create(
        club=club, kind=JobKind.EXPORT, state=JobState.FAILED, by="", source="", created_at=now
    )
    Stale.objects.create(scope=Scope.EVENT, subject=club.pk, since=now - timedelta(seconds=40))
    Published.objects.create(
        club=club,
        scope=Scope.EVENT,
        subject=club.pk,
        due_at=now + timedelta(minutes=9),
        trouble="Put aside after 3 tries. KeyError",
    )
    found = samples(client)
    assert value(found, "queue_length", kind="delivery") == 2
    assert 90 <= value(found, "queue_age_seconds", kind="delivery") < 120
    assert 90 <= value(found, "relay_lag_seconds") < 120
    assert value(found, "queue_length", kind="standings") == 0
    assert value(found, "queue_age_seconds", kind="standings") == 0
    assert 40 <= value(found, "standings_staleness_seconds") < 70
    assert value(found, "webhook_deliveries_waiting") == 3
    assert value(found, "webhooks_failing") == 1
    assert value(found, "work_put_aside", kind="delivery") == 1
    assert value(found, "work_put_aside", kind="job") == 1
    assert value(found, "work_put_aside", kind="standings") == 1
    assert value(found, "work_put_aside", kind="nightly") == 0


@pytest.mark.django_db
def test_the_parts_the_room_and_the_version_are_told(client: Client) -> None:
    record_heartbeat(WORKER, datetime.now(UTC) - timedelta(seconds=20))
    found = samples(client)
    assert value(found, "up", part="database") == 1
    assert value(found, "up", part="worker") == 1
    assert value(found, "up", part="relay") == 0
    assert value(found, "up", part="broker") == 0
    assert 20 <= value(found, "heartbeat_age_seconds", process="worker") < 50
    assert value(found, "database_bytes") > 100_000
    assert value(found, "disk_free_bytes") > 0
    if sys.platform == "linux":
        assert value(found, "web_resident_bytes", pid=str(os.getpid())) > 10_000_000
    (info,) = [dict(labels) for name, labels in found if name == "painsuit_info"]
    assert info["database"] == connection.vendor
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", info["version"])


def test_metrics_answer_while_the_database_is_away(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("disk I/O error")

    monkeypatch.setattr(connection, "cursor", refuse)
    found = samples(client)
    assert value(found, "up", part="database") == 0
    assert not any(name.startswith("painsuit_queue") for name, _labels in found)


@pytest.mark.django_db
def test_ended_tasks_of_all_workers_are_told(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    monkeypatch.setattr(counters, "_store", lambda _url: store)
    for state in ("SUCCESS", "SUCCESS", "FAILURE"):
        _count_task(kwargs={"kind": "sign-in link", "name": "1"}, state=state)
    found = samples(client)
    assert value(found, "tasks_total", kind="sign-in link", outcome="done") == 2
    assert value(found, "tasks_total", kind="sign-in link", outcome="failed") == 1


class Store:
    """A store in memory that knows the two commands."""

    def __init__(self) -> None:
        self.counts: dict[bytes, bytes] = {}

    def ask(self, command: tuple[Any, ...]) -> list[Any]:
        if command[0] == "HGETALL":
            return [self.counts]
        name, step = command[2].encode(), command[3]
        self.counts[name] = str(int(self.counts.get(name, 0)) + step).encode()
        return [1]


ASK = """
import os, sys, django
django.setup()
from django.test import Client
client = Client(SERVER_NAME="localhost")
client.get("/robots.txt")
if sys.argv[1:]:
    print(client.get("/metrics").content.decode())
"""


def test_processes_count_requests_together_and_a_start_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_data_folder(tmp_path / "data")
    data = DataFolder(tmp_path / "data")
    data.clear_metrics()
    environ = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAINSUIT_DATA": str(data.root),
        "PROMETHEUS_MULTIPROC_DIR": str(data.metrics),
    }
    try:
        told = [
            subprocess.run(
                [sys.executable, "-c", ASK, *words],
                cwd=ROOT,
                env=environ,
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for words in ([], [], ["tell"])
        ]
        line = 'painsuit_http_requests_total{method="GET",route="robots",status="200"} 3.0'
        assert line in told[-1]
        assert list(data.metrics.iterdir())
        data.clear_metrics()
        assert not list(data.metrics.iterdir())
    finally:
        data.clear_metrics()
        data.metrics.rmdir()


def test_every_metric_is_explained_in_the_documents() -> None:
    page = (ROOT / "docs" / "operate" / "monitoring.md").read_text(encoding="utf-8")
    modules = ("operations/metrics.py", "running/middleware.py")
    code = "".join((ROOT / "config" / one).read_text(encoding="utf-8") for one in modules)
    names = set(re.findall(r'_gauges?\(\s*"(\w+)"', code))
    names |= {name.removeprefix("painsuit_") for name in re.findall(r'"(painsuit_\w+)"', code)}
    assert len(names) > 14
    assert [name for name in sorted(names) if f"`painsuit_{name}" not in page] == []


@pytest.mark.django_db
def test_there_are_few_series_however_many_addresses_were_asked_for(client: Client) -> None:
    for pattern in patterns():
        methods = getattr(pattern.callback, "actions", {"get": "", "post": "", "head": ""})
        for method in {method_label(word.upper()) for word in methods}:
            route = route_family(pattern.name)
            for status in (200, 304, 400, 401, 403, 404, 409, 422):
                REQUESTS.labels(route, method, status).inc()
            DURATION.labels(route, method).observe(0.1)
    lines = client.get("/metrics").content.decode().splitlines()
    assert len([line for line in lines if not line.startswith("#")]) < 1500
