"""The worker's doors for standings; what holds for those of scoring holds here too.

A task is a hint that something is due: what it is, and whether it still is, the rows say.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from celery import shared_task
from django.utils import timezone

from tournaments import publishing

log = structlog.get_logger(__name__)


@contextmanager
def surviving(what: str, name: str) -> Iterator[None]:
    """Outlive a want of memory: it would end the worker, and begin anew with the next one."""
    try:
        yield
    except MemoryError:
        log.exception("out of memory", task=what, of=name)


@shared_task
def publish(*, hint: str) -> None:
    """Compute the standings that are behind, first those of the hint."""
    with surviving("publish", hint):
        publishing.publish_due(clock=timezone.now, hint=hint)
