"""The relay: hints at what is due, again while it is not done, and lives through every outage."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis import Redis
from redis.exceptions import ConnectionError as BrokerError

from config.celery import app
from config.management.commands.relay import send
from config.operations import relay
from config.operations.health import (
    HEARTBEAT_INTERVAL,
    RELAY,
    SILENCE_MAX,
    WORKER,
    read_state,
    record_heartbeat,
)
from config.operations.relay import BATCH_MAX, BROKER_AWAY, Hint, Relay
from config.running import children
from config.running.data_folder import DataFolder
from scoring.jobs.kinds import WORK, Work
from scoring.jobs.nightly import TASKS
from scoring.models import Delivery, Heartbeat, NightlyTask, Webhook
from tests.migrated import make_data_folder
from tests.scoring.club import at, make_club
from tournaments.publishing.lease import LEASE

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


class Desk:
    """What is due, the time, and what the relay sent."""

    def __init__(self) -> None:
        self.due: list[str] = []
        self.seconds = 0.0
        self.sent: list[str] = []
        self.is_away = False
        self.asked = 0

    def find(self, _at: datetime, most: int) -> Sequence[tuple[str, datetime]]:
        self.asked += 1
        return [(name, NOW) for name in self.due[:most]]

    def send(self, hints: Sequence[Hint]) -> None:
        if self.is_away:
            raise BrokerError
        self.sent += [hint.name for hint in hints]

    def relay(self) -> Relay:
        return Relay(
            self.send,
            work={
                "some kind": Work(
                    self.find, lambda _name, _clock: None, count=lambda _at: len(self.due)
                )
            },
            clock=lambda: NOW + timedelta(seconds=self.seconds),
            ticks=lambda: self.seconds,
        )

    def take(self) -> list[str]:
        sent, self.sent = self.sent, []
        return sent


@pytest.mark.django_db
def test_what_is_due_is_hinted_at_once_and_again_ever_more_rarely() -> None:
    desk = Desk()
    desk.due = ["a", "b"]
    keeper = desk.relay()
    moments = []
    for _ in range(100):
        keeper.look()
        if "a" in desk.take():
            moments.append(desk.seconds)
        desk.seconds += 1
    assert moments == [0, 5, 15, 35, 75]


@pytest.mark.django_db
def test_standings_are_hinted_at_again_as_soon_as_the_lease_of_a_killed_worker_ends() -> None:
    desk = Desk()
    work = replace(WORK["standings"], due=desk.find)
    keeper = Relay(
        desk.send, work={"standings": work}, clock=lambda: NOW, ticks=lambda: desk.seconds
    )
    desk.due = ["a"]
    for second in range(60):
        desk.seconds = second
        keeper.look()
    assert len(desk.sent) == 30
    assert LEASE.total_seconds() + work.longest <= 5


@pytest.mark.django_db
def test_a_relay_that_stands_by_works_once_the_other_one_is_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay, "_take_lock", lambda: False)
    desk = Desk()
    desk.due = ["a"]
    standing_by = desk.relay()
    record_heartbeat(RELAY, NOW)
    for second in range(2 * int(HEARTBEAT_INTERVAL)):
        desk.seconds = second
        standing_by.look()
    assert desk.take() == []
    desk.seconds = relay.SILENT.total_seconds()
    standing_by.look()
    assert desk.take() == ["a"]


@pytest.mark.django_db
def test_what_is_done_is_forgotten_and_due_anew_is_new() -> None:
    desk = Desk()
    desk.due = ["a"]
    keeper = desk.relay()
    keeper.look()
    desk.due = []
    desk.seconds = 1
    keeper.look()
    desk.due = ["a", "b"]
    desk.seconds = 2
    keeper.look()
    assert desk.sent == ["a", "a", "b"]


@pytest.mark.django_db
def test_no_more_than_some_are_on_their_way() -> None:
    desk = Desk()
    desk.due = [str(number) for number in range(10 * BATCH_MAX)]
    keeper = desk.relay()
    keeper.look()
    desk.seconds = 1
    keeper.look()
    assert desk.sent == desk.due[:BATCH_MAX]
    desk.due = desk.due[BATCH_MAX:]
    keeper.look()
    assert len(desk.sent) == 2 * BATCH_MAX


@pytest.mark.django_db
def test_a_broker_that_comes_back_is_told_everything_anew() -> None:
    desk = Desk()
    desk.due = ["a"]
    keeper = desk.relay()
    assert keeper._looks()
    desk.due, desk.is_away, desk.seconds = ["a", "b"], True, 1
    assert not keeper._looks()
    desk.is_away, desk.seconds = False, 2
    assert keeper._looks()
    assert desk.sent == ["a", "a", "b"]


@pytest.mark.django_db
def test_after_a_failure_of_the_database_all_that_is_due_is_hinted_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The workers that were told of it before could not do it."""
    desk = Desk()
    desk.due = ["a"]
    keeper = desk.relay()
    assert keeper._looks()
    monkeypatch.setattr("config.operations.relay.connections.close_all", lambda: None)
    with monkeypatch.context() as failing:
        failing.setattr(desk, "find", _refuse)
        failing.setattr(keeper, "_work", desk.relay()._work)
        assert not keeper._looks()
    assert keeper._looks()
    assert desk.sent == ["a", "a"]


@pytest.mark.django_db
def test_a_connection_that_is_refused_for_its_limits_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody changes the role or the pooler while the relay runs."""

    def refuse(_at: datetime, _most: int) -> Sequence[tuple[str, datetime]]:
        raise ImproperlyConfigured("The database does not keep our limits")

    monkeypatch.setattr("config.operations.relay.connections.close_all", lambda: None)
    desk = Desk()
    desk.due = ["a"]
    keeper = desk.relay()
    with monkeypatch.context() as failing:
        failing.setattr(desk, "find", refuse)
        failing.setattr(keeper, "_work", desk.relay()._work)
        assert not keeper._looks()
    assert keeper._looks()
    assert desk.sent == ["a"]


@pytest.mark.django_db
def test_behind_a_pooler_by_transactions_every_relay_works_and_none_takes_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lock would stay with a session of the pooler, which no relay holds."""
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    monkeypatch.setattr(connection, "vendor", "postgresql")
    with CaptureQueriesContext(connection) as queries:
        assert relay._take_lock()
    assert len(queries) == 0


def _refuse(_at: datetime, _most: int) -> Sequence[tuple[str, datetime]]:
    raise OperationalError("server closed the connection")


@pytest.mark.django_db
def test_a_database_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    keeper = desk.relay()
    stop = threading.Event()
    waits: list[float | None] = []

    def wait(seconds: float | None = None) -> bool:
        waits.append(seconds)
        if len(waits) == 8:
            stop.set()
        return True

    monkeypatch.setattr("config.operations.relay.connections.close_all", lambda: None)
    monkeypatch.setattr(desk, "find", _refuse)
    keeper = desk.relay()
    monkeypatch.setattr(stop, "wait", wait)
    keeper.run(stop)
    assert waits == [1, 2, 2, 2, 2, 2, 2, 2]


@pytest.mark.django_db
def test_when_nothing_is_due_a_look_costs_one_query_for_each_kind() -> None:
    keeper = Relay(send, ticks=lambda: 0.0)
    keeper.look()
    with CaptureQueriesContext(connection) as queries:
        keeper.look()
    assert len(queries) == len(WORK)
    assert sorted(NightlyTask.objects.values_list("name", flat=True)) == sorted(TASKS)


@pytest.mark.django_db
def test_the_search_for_messages_uses_its_index() -> None:
    query = Delivery.objects.due(NOW)
    if connection.vendor == "sqlite":
        assert "delivery_is_due" in query.explain()


@pytest.mark.django_db
@pytest.mark.parametrize("name", [RELAY, WORKER])
def test_health_says_whether_relay_and_worker_live(client: Client, name: str) -> None:
    now = datetime.now(UTC)
    assert client.get("/healthz").json()[name] == "down"
    record_heartbeat(name, now - SILENCE_MAX - timedelta(seconds=1))
    assert client.get("/healthz").json()[name] == "down"
    record_heartbeat(name, now)
    assert Heartbeat.objects.count() == 1
    assert client.get("/healthz").json()[name] == "ok"


@pytest.mark.django_db
def test_health_says_how_long_work_waits(client: Client) -> None:
    now = datetime.now(UTC)
    assert client.get("/healthz").json()["waiting"] == 0.0
    hook = Webhook.objects.create(club=make_club(), url="", secret="", created_at=at())
    Delivery.objects.create(
        webhook=hook, event="x", body="", due_at=now - timedelta(seconds=90), created_at=at()
    )
    assert 90 <= client.get("/healthz").json()["waiting"] < 120
    assert read_state(now).waiting == 90


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[bytes]"]:
    """A real embedded broker that hints are sent to."""
    data = DataFolder(tmp_path / "data")
    data.prepare()
    monkeypatch.setattr(settings, "DATA", data)
    monkeypatch.setattr(settings, "REDIS_URL", f"unix://{data.broker_socket}?db=0")
    monkeypatch.setenv("CELERY_BROKER_URL", f"redis+socket://{data.broker_socket}?virtual_host=0")
    child = children.broker()
    with (tmp_path / "broker.log").open("wb") as log:
        process = subprocess.Popen(child.command, stdout=log, stderr=log)
    deadline = time.monotonic() + 10
    while not child.is_ready():
        assert time.monotonic() < deadline, (tmp_path / "broker.log").read_text(encoding="utf-8")
        time.sleep(0.02)
    yield process
    process.send_signal(signal.SIGCONT)
    process.terminate()
    process.wait(timeout=10)


HINTS = [Hint("delivery", str(number)) for number in range(3)]


def queued(name: str = "deliveries") -> int:
    with Redis.from_url(settings.REDIS_URL) as client:
        length = client.llen(name)
    assert isinstance(length, int)
    return length


def test_hints_reach_the_queue(broker: "subprocess.Popen[bytes]") -> None:
    assert broker.poll() is None
    send(HINTS)
    send(HINTS)
    assert (queued(), queued("painsuit")) == (6, 0)
    # Slow strangers hold up nothing else: a worker takes from the queues by turns.
    send([Hint("nightly", "tidy")])
    assert (queued(), queued("painsuit")) == (6, 1)
    assert set(app.amqp.queues.consume_from) == {"painsuit", "deliveries", "standings"}


@pytest.mark.slow
def test_a_frozen_broker_holds_the_relay_up_for_a_bounded_time(
    broker: "subprocess.Popen[bytes]",
) -> None:
    broker.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    with pytest.raises(BROKER_AWAY):
        send(HINTS)
    assert time.monotonic() - begun < 20 < SILENCE_MAX.total_seconds() - HEARTBEAT_INTERVAL
    broker.send_signal(signal.SIGCONT)
    before = queued()
    send(HINTS)
    assert queued() == before + 3


def test_a_broker_that_is_gone_is_noticed_quickly(broker: "subprocess.Popen[bytes]") -> None:
    broker.kill()
    broker.wait()
    begun = time.monotonic()
    with pytest.raises(BROKER_AWAY):
        send(HINTS)
    assert time.monotonic() - begun < 20


@pytest.mark.slow
def test_the_command_ends_at_once_when_asked(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "PAINSUIT_DATA": str(tmp_path)}
    manage = [sys.executable, str(ROOT / "manage.py")]
    make_data_folder(tmp_path)
    process = subprocess.Popen([*manage, "relay"], env=environ, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    with closing(sqlite3.connect(tmp_path / "painsuit.sqlite3", timeout=20)) as database:
        while not database.execute("SELECT at FROM scoring_pulse").fetchall():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    process.terminate()
    _, said = process.communicate(timeout=5)
    assert (process.returncode, said) == (0, b"")
