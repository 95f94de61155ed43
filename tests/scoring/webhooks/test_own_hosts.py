"""Webhooks to hosts that the operator allows, and the receiver of the docs that listens there."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scoring.models import Delivery, Webhook
from scoring.webhooks import queue, subscriptions
from scoring.webhooks.addresses import UrlError, parse_url
from scoring.webhooks.client import NotSentError, WebhookClient
from scoring.webhooks.queue import deliver
from scoring.webhooks.subscriptions import WebhookEvent, add_webhook, send_test
from tests.scoring.club import DIRECTOR, make_club
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id

DOCS = Path(__file__).parents[3] / "docs" / "webhooks.md"
HOSTS = frozenset({"localhost", "scores.lan", "receiver", "127.0.0.1", "::1"})


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://LOCALHOST:8787/hook?x=1",
        "https://scores.lan:4430/",
        "http://receiver:80/",
        "http://127.0.0.1:1/",
        "http://[::1]:8787/",
    ],
)
def test_an_allowed_host_may_be_anywhere_and_told_by_http(url: str) -> None:
    assert parse_url(url, hosts=HOSTS).port
    with pytest.raises(UrlError):
        parse_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.club.example/",
        "http://localhost.evil.example/",
        "http://evil@localhost/",
        "http://localhost@evil.example/",
        "http://sub.scores.lan/",
        "http://127.0.0.2/",
        "http://127.1/",
        "http://localhost:0/",
        "http://localhost:/",
        "http://localhost%2e/",
        "ftp://localhost/",
        "file://localhost/etc/passwd",
        "http:localhost/",
        "https://10.0.0.1/",
    ],
)
def test_no_other_host_is_allowed_with_it(url: str) -> None:
    with pytest.raises(UrlError):
        parse_url(url, hosts=HOSTS)


def test_an_allowed_host_is_reached_without_the_proxy_and_no_other_private_one_is() -> None:
    client = WebhookClient(hosts=frozenset({"localhost"}), proxy=("127.0.0.1", 9), seconds=2)
    with pytest.raises(NotSentError, match="No connection"):
        client.post("http://localhost:1/", b"{}", {})
    other = WebhookClient(
        hosts=frozenset({"localhost"}), resolve=lambda _host, _port: ["127.0.0.1"], seconds=2
    )
    with pytest.raises(NotSentError, match="no public address"):
        other.post("https://hooks.club.example/", b"{}", {})


@pytest.fixture
def webhook(settings: Any, unused_port: int) -> Webhook:
    settings.WEBHOOK_HOSTS = frozenset({"localhost"})
    return add_webhook(
        club_id=make_club().pk,
        url=f"http://localhost:{unused_port}/",
        events=[WebhookEvent.HAND_ENTERED],
        by=DIRECTOR,
        at=datetime.now(UTC),
    )


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def receiver(webhook: Webhook, unused_port: int) -> Iterator["subprocess.Popen[str]"]:
    (program,) = re.findall(r"```python\n(import os\n.*?)```", DOCS.read_text(), re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={"WEBHOOK_SECRET": webhook.secret, "PORT": str(unused_port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        yield running
        running.kill()


def post(delivery: Delivery) -> Delivery:
    client = WebhookClient(hosts=frozenset({"localhost"}))
    for _try in range(100):
        Webhook.objects.update(quiet_until=None)
        Delivery.objects.filter(pk=delivery.pk, done_at=None).update(due_at=delivery.created_at)
        deliver(delivery_id=delivery.pk, clock=lambda: datetime.now(UTC), client=client)
        delivery.refresh_from_db()
        if "No connection" not in delivery.last_answer:
            break
    return delivery


@pytest.mark.django_db
def test_a_test_message_comes_to_the_receiver_of_the_docs(
    webhook: Webhook, receiver: "subprocess.Popen[str]"
) -> None:
    now = datetime.now(UTC)
    delivery = post(send_test(webhook_id=webhook.pk, by=DIRECTOR, at=now))
    assert (delivery.last_answer, delivery.event) == ("Status 204.", "webhook.test")
    assert delivery.done_at is not None
    assert receiver.stdout is not None
    assert receiver.stdout.readline().startswith("webhook.test {'club': ")
    Webhook.objects.update(secret="whsec_" + "QUJD" * 8)
    forged = post(send_test(webhook_id=webhook.pk, by=DIRECTOR, at=now))
    assert forged.last_answer == "Status 401."


@pytest.mark.django_db
def test_a_test_message_does_not_wait_while_the_webhook_rests(webhook: Webhook) -> None:
    later = datetime(2999, 1, 1, tzinfo=UTC)
    Webhook.objects.update(failures=9, quiet_until=later)
    row = send_test(webhook_id=webhook.pk, by=DIRECTOR, at=datetime.now(UTC))
    deliver(
        delivery_id=row.pk,
        clock=lambda: datetime.now(UTC),
        client=WebhookClient(hosts=frozenset({"localhost"}), seconds=2),
    )
    row.refresh_from_db()
    assert row.tries == 1


@pytest.mark.django_db
def test_what_is_not_allowed_is_refused_where_it_is_added() -> None:
    for url in ("http://localhost:8787/", "http://scores.lan/"):
        with pytest.raises(RefusedError):
            add_webhook(
                club_id=make_club(f"Club {new_id()}").pk,
                url=url,
                events=[WebhookEvent.HAND_ENTERED],
                by=DIRECTOR,
                at=datetime.now(UTC),
            )
    assert queue.given_up().count() == 0
    assert subscriptions.TEST not in set(WebhookEvent)
