"""The queue of messages to webhooks: each is posted at least once, by one worker at a time.

A worker that dies with a message leaves its row as it is, and the message is due again when the
lease is over. So a message may come twice, always under the same id, but is never lost and never
posted by two at the same time.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from scoring.models import Delivery, Webhook
from scoring.webhooks.addresses import UrlError
from scoring.webhooks.client import NotSentError, WebhookClient, signed_headers
from tournaments.core.encryption import UnreadableValue
from tournaments.models import ATTEMPTS_MAX

FIRST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
GIVEN_UP_AFTER: Final = timedelta(hours=24)
"""No try is made later than this after the event, save a first one."""
KEPT: Final = timedelta(days=30)
"""How long what was taken or given up can be looked at."""
_DOUBLINGS: Final = 12
_BUSY: Final = (408, 425, 429)
"""Statuses that ask for a pause, as 5xx do."""

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a delivery attempt; ``is_quiet``: unreachable, or the server asked to wait."""

    taken: bool
    answer: str
    is_quiet: bool = False


@cache
def production_client() -> WebhookClient:
    """The client that posts to the internet; made when the first message is sent."""
    return WebhookClient(proxy=settings.EGRESS_PROXY, hosts=settings.WEBHOOK_HOSTS)


def deliver(*, delivery_id: UUID, clock: Clock, client: WebhookClient | None = None) -> None:
    """Try a message, if it is due and no other worker does.

    Done twice, in any order or late it does no more than once.
    """
    delivery = _claim(delivery_id, clock())
    if delivery is not None:
        outcome = _post(delivery, clock(), client or production_client())
        _record(delivery, outcome, clock())


def _claim(delivery_id: UUID, at: datetime) -> Delivery | None:
    """Lease a message for this worker; None if it is leased, stopped, given up or paused."""
    delivery = Delivery.objects.select_related("webhook").claim(delivery_id, at)
    if delivery is None:
        return None
    webhook = delivery.webhook
    if webhook.stopped_at is not None:
        delivery.update_leased(due_at=None, last_answer="The webhook was stopped.")
    elif delivery.attempts > ATTEMPTS_MAX:
        words = f"Put aside: {ATTEMPTS_MAX} tries ended with the end of the worker."
        delivery.update_leased(due_at=None, last_answer=words)
    elif webhook.quiet_until is not None and webhook.quiet_until > at:
        delivery.update_leased(due_at=webhook.quiet_until, attempts=delivery.attempts - 1)
    else:
        return delivery
    return None


def _post(delivery: Delivery, at: datetime, client: WebhookClient) -> Outcome:
    webhook, body = delivery.webhook, delivery.body.encode()
    if isinstance(webhook.secret, UnreadableValue):
        words = "Its secret was stored under another secret key of this installation: renew it."
        return Outcome(taken=False, answer=words, is_quiet=True)
    headers = signed_headers(delivery.pk, body, secret=webhook.secret, at=at)
    try:
        status = client.post(webhook.url, body, headers)
    except (NotSentError, UrlError) as error:
        return Outcome(taken=False, answer=str(error), is_quiet=True)
    is_quiet = status >= 500 or status in _BUSY
    return Outcome(taken=200 <= status < 300, answer=f"Status {status}.", is_quiet=is_quiet)


def _record(delivery: Delivery, outcome: Outcome, at: datetime) -> None:
    """Record an attempt: mark the message done, given up or due again, and pause its webhook."""
    tries = delivery.tries + 1
    fields = {"tries": tries, "attempts": 0, "last_answer": outcome.answer}
    webhook = Webhook.objects.filter(pk=delivery.webhook_id)
    if outcome.taken:
        delivery.update_leased(due_at=None, done_at=at, **fields)
        if webhook.filter(failures__gt=0).update(failures=0, quiet_until=None):
            # The receiver answers again: messages held back by the pause are due at once.
            waiting = Delivery.objects.filter(webhook=delivery.webhook, attempts=0, due_at__gt=at)
            waiting.update(due_at=at)
        return
    then = at + pause(tries)
    if outcome.is_quiet:
        failures = delivery.webhook.failures + 1
        quiet_until = at + pause(failures)
        webhook.update(failures=failures, quiet_until=quiet_until)
        then = max(then, quiet_until)
    is_over = at - delivery.created_at >= GIVEN_UP_AFTER
    if is_over:
        fields["last_answer"] = f"{outcome.answer} Given up after {tries} tries."
    delivery.update_leased(due_at=None if is_over else then, **fields)


def given_up() -> QuerySet[Delivery]:
    """Messages that were not taken and are not tried any more. By index."""
    return Delivery.objects.filter(due_at=None, done_at=None)


def pause(tries: int) -> timedelta:
    """Return the pause after ``tries`` failures: exponential backoff with jitter.

    >>> 7 < pause(1).total_seconds() < 13 and 45 < pause(99).total_seconds() / 60 <= 60
    True
    """
    whole = min(FIRST_PAUSE * (1 << min(tries - 1, _DOUBLINGS)), LONGEST_PAUSE)
    # Jitter: messages that failed together must not all be retried at the same moment.
    return min(whole * random.uniform(0.75, 1.25), LONGEST_PAUSE)  # noqa: S311 (no secret)


def delete_old(*, at: datetime) -> int:
    """Delete messages delivered or given up longer than `KEPT` ago; return how many."""
    return Delivery.objects.filter(due_at=None, created_at__lt=at - KEPT).delete()[0]
