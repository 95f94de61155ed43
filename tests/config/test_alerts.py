"""Operators are told once that something is wrong and once that it is over, and nobody waits."""

import json
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from django.db import DatabaseError
from django.utils import timezone, translation
from pytest_django import Settings

from config.operations import alerts, health
from config.operations.alerts import FAILING_MIN, LOOK_EVERY, REPEAT_AFTER, Alert, Cause, Watch
from config.operations.health import RELAY, WORKER, record_heartbeat
from config.operations.relay import Relay
from config.running import counters
from scoring.models import Delivery, Heartbeat, Incident, Webhook
from scoring.webhooks import queue
from scoring.webhooks.client import NotSentError
from tests.scoring.club import make_club

ROOT = Path(__file__).parents[2]
NIGHT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
Told = list[tuple[str, bool]]


class House:
    """A service whose parts can be stopped, and a watch with its clock."""

    def __init__(self) -> None:
        self.at = NIGHT
        self.told: Told = []
        self.alive = {RELAY, WORKER}
        self.is_reachable = True
        self.watch = Watch(self.send, clock=lambda: self.at, read=health.read_state)

    def send(self, alert: Alert) -> bool:
        if self.is_reachable:
            self.told.append((str(alert.cause), alert.is_over))
        return self.is_reachable

    def pass_time(self, time: timedelta) -> None:
        """Let the parts that live give their signs of life, and the watch look."""
        for _ in range(int(time.total_seconds() / LOOK_EVERY)):
            self.at += timedelta(seconds=LOOK_EVERY)
            for name in self.alive:
                record_heartbeat(name, self.at)
            self.watch.look()


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(health, "broker_state", lambda _url: "ok")
    house = House()
    house.pass_time(timedelta(minutes=1))
    return house


@pytest.mark.django_db
def test_nothing_is_told_while_all_is_well(house: House) -> None:
    house.pass_time(timedelta(minutes=10))
    assert house.told == []
    assert not Incident.objects.exists()


@pytest.mark.django_db
def test_a_dead_worker_is_told_once_and_once_that_it_is_over(house: House) -> None:
    house.alive = {RELAY}
    house.pass_time(FAILING_MIN)
    assert house.told == []
    house.pass_time(timedelta(seconds=20))
    assert house.told == [("worker", False)]
    house.pass_time(timedelta(minutes=30))
    assert house.told == [("worker", False)]
    house.alive = {RELAY, WORKER}
    house.pass_time(timedelta(minutes=5))
    assert house.told == [("worker", False), ("worker", True)]


@pytest.mark.django_db
def test_a_worker_that_dies_again_and_again_is_told_every_15_minutes(house: House) -> None:
    for _ in range(10):
        house.alive = {RELAY}
        house.pass_time(timedelta(minutes=2))
        house.alive = {RELAY, WORKER}
        house.pass_time(timedelta(minutes=1))
    begun = [one for one in house.told if one == ("worker", False)]
    assert len(begun) == 30 * 60 / REPEAT_AFTER.total_seconds()
    assert house.told == [("worker", False), ("worker", True)] * len(begun)


@pytest.mark.django_db
def test_of_two_relays_one_tells(house: House) -> None:
    other = Watch(house.send, clock=lambda: house.at, read=health.read_state)
    house.alive = {RELAY}
    for _ in range(12):
        house.pass_time(timedelta(seconds=LOOK_EVERY))
        other.look()
    assert house.told == [("worker", False)]


@pytest.mark.django_db
def test_an_alert_that_reached_nobody_is_sent_again(house: House) -> None:
    house.alive, house.is_reachable = {RELAY}, False
    house.pass_time(timedelta(minutes=5))
    house.is_reachable = True
    house.pass_time(timedelta(seconds=LOOK_EVERY))
    assert house.told == [("worker", False)]


@pytest.mark.django_db
def test_work_that_waits_is_told_only_while_nothing_else_explains_it(house: House) -> None:
    hook = Webhook.objects.create(club=make_club(), url="", secret="", created_at=NIGHT)
    Delivery.objects.create(webhook=hook, event="x", body="", due_at=house.at, created_at=NIGHT)
    house.pass_time(FAILING_MIN)
    assert house.told == []
    house.pass_time(timedelta(seconds=20))
    assert house.told == [("waiting", False)]
    Delivery.objects.update(due_at=None)
    house.pass_time(timedelta(seconds=LOOK_EVERY))
    assert house.told.pop() == ("waiting", True)
    house.at += REPEAT_AFTER
    house.alive = {RELAY}
    house.pass_time(timedelta(seconds=30))
    Delivery.objects.update(due_at=house.at)
    house.pass_time(timedelta(minutes=5))
    house.alive = {RELAY, WORKER}
    house.pass_time(timedelta(seconds=LOOK_EVERY))
    assert house.told[1:] == [("worker", False), ("worker", True)]


@pytest.mark.django_db
def test_a_machine_that_was_off_or_asleep_is_no_incident(house: House) -> None:
    house.at += timedelta(hours=9)
    house.watch.look()
    house.pass_time(timedelta(minutes=5))
    assert house.told == []


@pytest.mark.django_db
def test_a_database_that_is_away_is_told_by_whoever_still_can(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {"alert:database:False"}

    def is_first(key: str, *, keep: int) -> bool:
        assert keep == REPEAT_AFTER.total_seconds()
        is_new = key not in seen
        seen.add(key)
        return is_new

    monkeypatch.setattr(counters, "is_first", is_first)
    other = Watch(house.send, clock=lambda: house.at, read=health.read_state)
    with monkeypatch.context() as away:
        away.setattr(Heartbeat.objects, "in_bulk", _refuse)
        away.setattr("tests.config.test_alerts.record_heartbeat", lambda *_: None)
        house.pass_time(timedelta(minutes=2))
        assert house.told == []  # another relay had told
        seen.clear()
        other.look()
        for _ in range(12):
            house.pass_time(timedelta(seconds=LOOK_EVERY))
            other.look()
    assert house.told == [("database", False)]
    house.pass_time(timedelta(seconds=LOOK_EVERY))
    other.look()
    assert house.told == [("database", False), ("database", True)]


def _refuse(*_: object) -> None:
    raise DatabaseError("gone")


@pytest.mark.django_db
def test_a_worker_tells_of_a_relay_that_is_down(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    looks: list[str] = []

    class Thread:
        def __init__(self, *, target: Callable[[], None], daemon: bool) -> None:
            assert daemon
            looks.append(target.__name__)

        def start(self) -> None:
            pass

    monkeypatch.setattr(threading, "Thread", Thread)
    alerts.watch_relay()
    assert looks == []  # nobody is to be told
    settings.ALERT_EMAILS = ["it@club.example"]
    record_heartbeat(RELAY, timezone.now())
    alerts.watch_relay()
    assert looks == []
    Heartbeat.objects.update(at=timezone.now() - FAILING_MIN)
    alerts.watch_relay()
    assert looks == ["_look_once"]


@pytest.mark.django_db
def test_a_relay_that_is_down_is_all_that_a_worker_tells(house: House) -> None:
    house.watch = Watch(
        house.send, causes=frozenset({Cause.RELAY}), clock=lambda: house.at, read=health.read_state
    )
    house.alive = set()
    house.pass_time(timedelta(minutes=5))
    assert house.told == [("relay", False)]


@pytest.mark.django_db
def test_a_mail_says_what_happened_and_what_to_do(settings: Settings) -> None:
    settings.ALERT_EMAILS = ["it@club.example", "ann@club.example"]
    settings.ALLOWED_HOSTS = ["localhost", "hearts.example"]
    assert alerts.send(Alert(Cause.WORKER, NIGHT))
    assert mail.outbox[0].to == ["it@club.example", "ann@club.example"]
    assert mail.outbox[0].subject == "Painsuit: something is wrong (worker)"
    assert mail.outbox[0].body.startswith(
        "hearts.example: no worker has been heard of since 2026-11-20 19:30 UTC."
    )
    assert mail.outbox[0].message()["Message-ID"].endswith("@hearts.example>")
    assert mail.outbox[0].message()["Auto-Submitted"] == "auto-generated"
    settings.ALERT_LANGUAGE = "de"
    assert alerts.send(Alert(Cause.WORKER, NIGHT, is_over=True))
    assert mail.outbox[1].subject == "Painsuit: vorbei (worker)"


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_is_told_in_german_too(cause: Cause) -> None:
    for is_over in (False, True):
        english = Alert(cause, NIGHT, is_over).text
        with translation.override("de"):
            assert Alert(cause, NIGHT, is_over).text != english


def test_a_webhook_is_posted_with_its_guards(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALERT_WEBHOOK = "https://chat.example/hook"
    posted: list[dict[str, str]] = []
    answers: list[int | Exception] = [200, 500, NotSentError("No answer within 5 s.")]

    class Client:
        def post(self, url: str, body: bytes, _headers: dict[str, str]) -> int:
            assert url == settings.ALERT_WEBHOOK
            posted.append(json.loads(body))
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

    monkeypatch.setattr(queue, "production_client", Client)
    assert [alerts.send(Alert(Cause.DISK, NIGHT)) for _ in range(3)] == [True, False, False]
    assert posted[0].keys() == {"text", "cause", "state", "since"}
    assert (posted[0]["cause"], posted[0]["state"]) == ("disk", "failing")
    monkeypatch.undo()
    settings.ALERT_WEBHOOK = "https://localhost/hook"
    assert not alerts.send(Alert(Cause.DISK, NIGHT))


def test_a_mail_server_that_never_answers_ends_at_its_deadline(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = mute.getsockname()
        settings.EMAIL_TIMEOUT = 0.2
        settings.ALERT_EMAILS = ["it@club.example"]
        assert not alerts.send(Alert(Cause.WORKER, NIGHT))


@pytest.mark.django_db
def test_the_relay_goes_on_while_an_alert_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the command each has a thread of its own, and stops with the relay."""
    stop, is_hanging, is_over = threading.Event(), threading.Event(), threading.Event()

    def hang(_watch: Watch, _stop: threading.Event) -> None:
        is_hanging.set()
        is_over.wait(30)

    def relay(_relay: Relay, stopping: threading.Event) -> None:
        assert is_hanging.wait(10)
        stop.set()
        assert not stopping.is_set()

    monkeypatch.setattr(settings, "ALERT_EMAILS", ["it@club.example"])
    monkeypatch.setattr(Watch, "run", hang)
    monkeypatch.setattr(Relay, "run", relay)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    call_command("relay")
    assert stop.is_set()
    is_over.set()


@pytest.mark.django_db
def test_since_when_a_process_lives_begins_anew_after_a_silence() -> None:
    record_heartbeat(WORKER, NIGHT)
    record_heartbeat(WORKER, NIGHT + timedelta(seconds=30))
    assert Heartbeat.objects.get().since == NIGHT
    later = NIGHT + timedelta(minutes=5)
    record_heartbeat(WORKER, later)
    assert (Heartbeat.objects.get().since, Heartbeat.objects.get().at) == (later, later)
