"""The worker's only task, for all background work.

A task carries identifiers only and is a hint: doubled, late, reordered or lost it does no harm.
The relay sends it (config/operations/relay.py), and sends it again while the work is not done.
"""

import structlog
from celery import shared_task
from django.utils import timezone

from scoring.jobs.kinds import WORK

log = structlog.get_logger(__name__)


@shared_task
def run(*, kind: str, name: str) -> None:
    """Do work that the database says is due; without a want of memory ending the worker.

    A worker that it ended would be given the same task again.
    """
    try:
        WORK[kind].run(name, timezone.now)
    except MemoryError:
        log.exception("out of memory", kind=kind, of=name)
