"""The lease of standings: short, and renewed for as long as the worker that computes them lives."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import DatabaseError, connections

from tournaments.models import Published

LEASE: Final = timedelta(seconds=3)
"""So long after a worker's last sign of life another one may take its place."""
RENEWAL_INTERVAL: Final = 1.0
"""Seconds between two signs of life."""

log = structlog.get_logger(__name__)


@contextmanager
def lease_renewal(row: Published, clock: Callable[[], datetime]) -> Iterator[None]:
    """Renew the lease of a row from a thread until the block ends."""
    done = threading.Event()
    thread = threading.Thread(target=renew_lease, args=(row, clock, done.wait), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def renew_lease(
    row: Published, clock: Callable[[], datetime], wait: Callable[[float], bool]
) -> None:
    """Renew a lease until ``wait`` says that it is over, or another worker has the row."""
    try:
        while not wait(RENEWAL_INTERVAL) and row.update_leased(due_at=clock() + LEASE):
            pass
    except DatabaseError as error:
        log.warning("a lease was not renewed", error=str(error))
    finally:
        connections.close_all()
