"""Delivering: what webhooks are to be told is taken there, each message at least once.

The row says everything: whoever wants to send a message moves its moment on first, and only one
can. A worker that dies meanwhile leaves the row as it is, and the message is due again. So
a message may come twice, always under the same id, but is never lost and never sent by two at
the same time.
"""

import base64
import hashlib
import hmac
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from uuid import UUID

from django.conf import settings

from scoring.courier import Courier, NotSentError, UrlError
from scoring.models import Delivery, Webhook
from scoring.webhooks.subscriptions import SECRET_MARK
from tournaments.models import ATTEMPTS_MAX

FIRST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
GIVEN_UP_AFTER: Final = timedelta(hours=24)
"""No try is made later than this after the event, save a first one."""
KEPT: Final = timedelta(days=30)
"""How long what was taken or given up can be looked at."""
_DOUBLINGS: Final = 12

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a try ended; ``is_quiet``: nobody is there, or he asked for a pause."""

    taken: bool
    answer: str
    is_quiet: bool = False


@cache
def courier() -> Courier:
    """The one that goes out into the world; made when the first message is sent."""
    return Courier(proxy=settings.EGRESS_PROXY)


def deliver(*, delivery_id: UUID, clock: Clock, by: Courier | None = None) -> Outcome | None:
    """Try a message, if it is due and nobody else does; None if not.

    Done twice, in any order or late it does no more than once.
    """
    delivery = _claim(delivery_id, clock())
    if delivery is None:
        return None
    outcome = _try(delivery, clock(), by or courier())
    _write_down(delivery, outcome, clock())
    return outcome


def _claim(delivery_id: UUID, at: datetime) -> Delivery | None:
    """Take a message for this worker alone, unless it should not be sent now."""
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


def _try(delivery: Delivery, at: datetime, by: Courier) -> Outcome:
    webhook, body = delivery.webhook, delivery.body.encode()
    headers = headers_for(delivery.pk, body, secret=webhook.secret, at=at)
    try:
        status = by.post(webhook.url, body, headers)
    except (NotSentError, UrlError) as error:
        return Outcome(taken=False, answer=str(error), is_quiet=True)
    is_quiet = status >= 500 or status in (408, 425, 429)
    return Outcome(taken=200 <= status < 300, answer=f"Status {status}.", is_quiet=is_quiet)


def headers_for(delivery_id: UUID, body: bytes, *, secret: str, at: datetime) -> dict[str, str]:
    """What says whose message it is, which, and when it was sent (standardwebhooks.com)."""
    stamp = str(int(at.timestamp()))
    return {
        "Idempotency-Key": str(delivery_id),
        "Webhook-Id": str(delivery_id),
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": signature(str(delivery_id), stamp, body, secret=secret),
    }


def signature(message: str, stamp: str, body: bytes, *, secret: str) -> str:
    """HMAC-SHA256 over id, time and body, as its header has it."""
    key = base64.b64decode(secret.removeprefix(SECRET_MARK))
    signed = f"{message}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _write_down(delivery: Delivery, outcome: Outcome, at: datetime) -> None:
    tries = delivery.tries + 1
    said = {"tries": tries, "attempts": 0, "last_answer": outcome.answer}
    webhook = Webhook.objects.filter(pk=delivery.webhook_id)
    if outcome.taken:
        delivery.update_leased(due_at=None, done_at=at, **said)
        if webhook.filter(failures__gt=0).update(failures=0, quiet_until=None):
            _wake(delivery.webhook_id, at)
        return
    then = at + pause(tries)
    if outcome.is_quiet:
        failures = delivery.webhook.failures + 1
        quiet_until = at + pause(failures)
        webhook.update(failures=failures, quiet_until=quiet_until)
        then = max(then, quiet_until)
    is_over = at - delivery.created_at >= GIVEN_UP_AFTER
    if is_over:
        said["last_answer"] = f"{outcome.answer} Given up after {tries} tries."
    delivery.update_leased(due_at=None if is_over else then, **said)


def _wake(webhook_id: UUID, at: datetime) -> None:
    """Somebody answers again: what waited for that is due at once."""
    waiting = Delivery.objects.filter(webhook_id=webhook_id, attempts=0, due_at__gt=at)
    waiting.update(due_at=at)


def pause(tries: int) -> timedelta:
    """How long to wait after so many tries in vain: twice as long each time, about.

    >>> 7 < pause(1).total_seconds() < 13 and 45 < pause(99).total_seconds() / 60 <= 60
    True
    """
    whole = min(FIRST_PAUSE * (1 << min(tries - 1, _DOUBLINGS)), LONGEST_PAUSE)
    # Not all that failed together shall come again together.
    return min(whole * random.uniform(0.75, 1.25), LONGEST_PAUSE)  # noqa: S311 (no secret)


def forget(*, at: datetime) -> int:
    """Remove the messages that were taken or given up long ago; how many that were."""
    return Delivery.objects.filter(due_at=None, created_at__lt=at - KEPT).delete()[0]
