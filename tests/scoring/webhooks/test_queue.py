"""Delivering: each message is taken at least once, by one at a time, and by nobody for ever."""

import base64
import hashlib
import hmac
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from django.db import connection

from scoring.jobs import tasks
from scoring.models import Delivery, Webhook
from scoring.webhooks import queue, subscriptions
from scoring.webhooks.addresses import is_public
from scoring.webhooks.client import WebhookClient, resolve, sign
from scoring.webhooks.queue import GIVEN_UP_AFTER, deliver, pause
from scoring.webhooks.subscriptions import WebhookEvent
from tests.scoring.club import DIRECTOR, at, make_club
from tests.scoring.listener import Listener, client_to, listening
from tournaments.models import ATTEMPTS_MAX, LEASE

SECRET = "whsec_" + base64.b64encode(b"a secret of 32 bytes for testing").decode()


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as found:
        yield found


@pytest.fixture
def hook(db: None, listener: Listener) -> Webhook:
    """A webhook of the listener; its port is one that no club could name."""
    return Webhook.objects.create(
        club=make_club(),
        url=listener.url,
        secret=SECRET,
        events=[str(WebhookEvent.HAND_ENTERED)],
        created_at=at(),
    )


def write(hook: Webhook, count: int = 1, minutes: int = 0) -> list[Delivery]:
    before = set(Delivery.objects.values_list("pk", flat=True))
    for number in range(count):
        data = {"number": number}
        subscriptions.enqueue_event(
            club_id=hook.club_id, event=WebhookEvent.HAND_ENTERED, data=data, at=at(minutes)
        )
    return list(Delivery.objects.exclude(pk__in=before).order_by("pk"))


class Clock:
    """Tells the time that it is set to."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def send(delivery: Delivery, now: datetime, client: WebhookClient) -> Delivery:
    deliver(delivery_id=delivery.pk, clock=Clock(now), client=client)
    delivery.refresh_from_db()
    delivery.webhook.refresh_from_db()
    return delivery


def test_a_message_is_taken_once_and_the_same_hint_again_does_nothing(
    hook: Webhook, listener: Listener
) -> None:
    (delivery,) = write(hook)
    client = client_to(listener.port)
    assert Delivery.objects.due_names(at(), 10) == [(str(delivery.pk), at())]
    for _ in range(3):
        send(delivery, at(1), client)
    assert (delivery.done_at, delivery.due_at, delivery.tries) == (at(1), None, 1)
    assert delivery.last_answer == "Status 204."
    assert len(listener.heard) == 1
    assert Delivery.objects.due_names(at(60), 10) == []


def test_it_is_signed_so_that_the_listener_can_tell(hook: Webhook, listener: Listener) -> None:
    (delivery,) = write(hook)
    send(delivery, at(1), client_to(listener.port))
    (heard,) = listener.heard
    stamp = heard.headers["webhook-timestamp"]
    signed = f"{delivery.pk}.{stamp}.".encode() + heard.body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert heard.headers["webhook-signature"] == f"v1,{wanted}"
    assert heard.headers["webhook-id"] == heard.headers["idempotency-key"] == str(delivery.pk)
    assert int(stamp) == int(at(1).timestamp())
    assert heard.body == delivery.body.encode()


def test_the_signature_is_that_of_the_published_example() -> None:
    message, secret = "msg_p5jXN8AQM9LWM0D4loKWxJek", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    found = sign(message, "1614265330", b'{"test": 2432232314}', secret=secret)
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("status", [301, 400, 404, 410, 429, 500, 503])
def test_what_is_not_taken_comes_again_later(
    hook: Webhook, listener: Listener, status: int
) -> None:
    (delivery,) = write(hook)
    listener.status = lambda _heard: status
    send(delivery, at(1), client_to(listener.port))
    assert delivery.due_at is not None
    assert 7 < (delivery.due_at - at(1)).total_seconds() < 13
    assert (delivery.done_at, delivery.attempts) == (None, 0)
    assert delivery.last_answer == f"Status {status}."
    assert (delivery.webhook.failures == 1) == (status in (429, 500, 503))
    listener.status = lambda _heard: 200
    send(delivery, delivery.due_at, client_to(listener.port))
    assert delivery.done_at is not None
    assert delivery.webhook.failures == 0


def test_the_pauses_double_up_to_an_hour_and_end_after_a_day(
    hook: Webhook, listener: Listener
) -> None:
    (delivery,) = write(hook)
    listener.status = lambda _heard: 404
    client = client_to(listener.port)
    moments = [at()]
    while delivery.due_at is not None:
        moments.append(delivery.due_at)
        send(delivery, delivery.due_at, client)
    pauses = [(b - a).total_seconds() for a, b in pairwise(moments[1:])]
    for tries, seconds in enumerate(pauses, start=1):
        whole = min(10 * 2 ** (tries - 1), 3600)
        assert 0.75 * whole <= seconds <= min(1.25 * whole, 3600), tries
    assert GIVEN_UP_AFTER <= moments[-1] - at() < GIVEN_UP_AFTER + timedelta(hours=1)
    assert delivery.done_at is None
    assert 25 < delivery.tries < 50
    assert "Given up after" in delivery.last_answer


def test_after_a_week_switched_off_it_is_still_tried_once(
    hook: Webhook, listener: Listener
) -> None:
    (delivery,) = write(hook)
    send(delivery, at() + timedelta(days=7), client_to(listener.port))
    assert delivery.done_at is not None


def test_a_dead_listener_costs_one_try_for_all_that_waits(
    hook: Webhook, listener: Listener
) -> None:
    deliveries = write(hook, 20)
    tried = []

    def refuse(_host: str, _port: int) -> list[str]:
        tried.append(1)
        return []

    dead = WebhookClient(resolve=refuse, ports=frozenset({listener.port}))
    now = at(1)
    for failures in range(1, 4):
        for delivery in deliveries:
            send(delivery, now, dead)
        hook.refresh_from_db()
        assert hook.failures == len(tried) == failures
        assert hook.quiet_until is not None
        waiting = [one.due_at for one in deliveries if one.due_at is not None]
        assert min(waiting) == hook.quiet_until
        assert {one.attempts for one in deliveries} == {0}
        now = max(waiting)
    # One answer wakes all the others.
    alive = client_to(listener.port)
    send(deliveries[0], now, alive)
    woken = Delivery.objects.due_names(now, 100)
    assert len(woken) == 19
    for name, _since in woken:
        deliver(delivery_id=UUID(name), clock=Clock(now), client=alive)
    assert len(listener.done) == 20


def test_a_message_that_kills_its_worker_is_put_aside_and_the_others_go_on(
    hook: Webhook, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison, healthy = write(hook, 2)

    def run_out(*_: object) -> int:
        raise MemoryError

    now = at(1)
    for death in range(1, ATTEMPTS_MAX + 1):
        with monkeypatch.context() as patch:
            patch.setattr(WebhookClient, "post", run_out)
            patch.setattr("django.utils.timezone.now", Clock(now))
            tasks.run(kind="delivery", name=str(poison.pk))  # outlives it
        poison.refresh_from_db()
        assert (poison.attempts, poison.due_at, poison.tries) == (death, now + LEASE, 0)
        now += LEASE
    send(poison, now, client_to(listener.port))
    assert (poison.due_at, poison.done_at) == (None, None)
    assert "Put aside" in poison.last_answer
    send(healthy, now, client_to(listener.port))
    assert healthy.done_at is not None
    assert [heard.id for heard in listener.heard] == [str(healthy.pk)]
    subscriptions.send_again(delivery_id=poison.pk, by=DIRECTOR, at=now)
    send(poison, now, client_to(listener.port))
    assert poison.done_at is not None


def test_a_worker_that_comes_back_too_late_writes_nothing(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    (delivery,) = write(hook)
    clock = Clock(at(1))

    def sleep(*_: object) -> int:
        clock.now += LEASE * 2
        # Meanwhile another worker found it due, and is at it.
        Delivery.objects.update(due_at=clock.now + LEASE, attempts=2)
        return 404

    monkeypatch.setattr(WebhookClient, "post", sleep)
    deliver(delivery_id=delivery.pk, clock=clock)
    delivery.refresh_from_db()
    assert (delivery.attempts, delivery.tries) == (2, 0)
    assert delivery.due_at == clock.now + LEASE


@pytest.mark.skipif(connection.vendor == "sqlite", reason="in memory its threads share locks")
@pytest.mark.django_db(transaction=True)
def test_two_workers_never_send_the_same_message_at_once(listener: Listener) -> None:
    hook = Webhook.objects.create(
        club=make_club(), url=listener.url, secret=SECRET, events=["hand.entered"], created_at=at()
    )
    deliveries = write(hook, 8)
    client, barrier = client_to(listener.port), threading.Barrier(4)
    failed: list[BaseException] = []

    def work() -> None:
        try:
            barrier.wait(10)
            for delivery in deliveries:
                deliver(delivery_id=delivery.pk, clock=Clock(at(1)), client=client)
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert sorted(heard.id for heard in listener.heard) == sorted(str(d.pk) for d in deliveries)


def test_what_was_taken_long_ago_is_forgotten(hook: Webhook, listener: Listener) -> None:
    old, waiting = write(hook, 2)
    send(old, at(1), client_to(listener.port))
    assert queue.delete_old(at=at() + timedelta(days=29)) == 0
    assert queue.delete_old(at=at() + timedelta(days=31)) == 1
    assert list(Delivery.objects.all()) == [waiting]


def test_an_unknown_message_is_no_work(hook: Webhook) -> None:
    nobody = UUID(int=7)
    deliver(delivery_id=nobody, clock=Clock(at()), client=WebhookClient())
    assert not Delivery.objects.exists()


def test_no_pause_is_longer_than_an_hour() -> None:
    assert all(pause(tries) <= timedelta(hours=1) for tries in range(1, 5000, 7))


def test_the_client_that_goes_out_is_that_of_production(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in the settings can let a message into our own house."""
    used: list[WebhookClient] = []

    def post(client: WebhookClient, *_: object) -> int:
        used.append(client)
        return 204

    monkeypatch.setattr(WebhookClient, "post", post)
    (delivery,) = write(hook)
    deliver(delivery_id=delivery.pk, clock=Clock(at(1)))
    assert used[0].permits is is_public
    assert used[0].resolve is resolve
    assert used[0].ports == {443, 8443}
