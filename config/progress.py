"""Say every few seconds that a long step still runs; uses the standard library alone."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERVAL = 8.0
"""Seconds."""


@contextmanager
def report_progress(say: Callable[[str], object]) -> Iterator[None]:
    """Call ``say`` with a sentence every `INTERVAL` seconds until the block ends."""
    begun, is_over = time.monotonic(), threading.Event()

    def report() -> None:
        while not is_over.wait(INTERVAL):
            say(f"... still at it after {time.monotonic() - begun:.0f} seconds")

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        is_over.set()
        reporter.join()
