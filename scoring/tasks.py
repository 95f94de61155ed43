"""The worker's doors: each does one piece of work that the database says is due.

A task carries identifiers only and is a hint: doubled, late, reordered or lost it does no harm.
The relay sends it (config/relay.py), and sends it again while the work is not done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from scoring import chores, delivering
from scoring.jobs import KINDS
from scoring.webhooks import subscriptions
from tournaments import jobs, publishing

log = structlog.get_logger(__name__)


@contextmanager
def surviving(what: str, name: str) -> Iterator[None]:
    """Outlive a want of memory: it would end the worker, and begin anew with the next one."""
    try:
        yield
    except MemoryError:
        log.exception("out of memory", task=what, of=name)


@shared_task
def deliver(*, delivery_id: str) -> None:
    """Try one message to a webhook."""
    with surviving("deliver", delivery_id):
        delivering.deliver(delivery_id=UUID(delivery_id), clock=timezone.now)


@shared_task
def do_chore(*, name: str) -> None:
    """Do one part of a nightly chore."""
    with surviving("do_chore", name):
        chores.do(name=name, clock=timezone.now)


@shared_task
def do_job(*, job_id: str) -> None:
    """Do the next parts of a long export or import."""
    with surviving("do_job", job_id):
        jobs.do(job_id=UUID(job_id), kinds=KINDS, clock=timezone.now)


@shared_task
def publish(*, hint: str) -> None:
    """Compute the standings that are behind, first those of the hint, and tell of new versions."""
    with surviving("publish", hint):
        publishing.publish_due(clock=timezone.now, hint=hint, tell=subscriptions.tell_published)
