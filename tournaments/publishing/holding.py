"""Holding: standings stay with the worker that computes them for as long as it lives."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Final, Self

import structlog
from django.db import DatabaseError, connections

from tournaments.models import Published

LEASE: Final = timedelta(seconds=3)
"""So long after a worker's last sign of life another one may take its place."""
BEAT: Final = 1.0
"""Seconds from one sign of life to the next."""

Clock = Callable[[], datetime]
log = structlog.get_logger(__name__)


class Holding:
    """Shows signs of life while something is computed; what is quick needs none."""

    def __init__(self, row: Published, clock: Clock) -> None:
        self.row = row
        self._until = row.due_at
        self._clock = clock
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show_life, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _show_life(self) -> None:
        has_looked = False
        try:
            while not self._done.wait(BEAT):
                has_looked = True
                until = self._clock() + LEASE
                if not self._mine().update(due_at=until):
                    return
                self._until = until
        except DatabaseError as error:
            log.warning("no sign of life", error=str(error))
        finally:
            if has_looked:
                connections.close_all()

    def _mine(self) -> Any:
        return Published.objects.filter(pk=self.row.pk, due_at=self._until)

    def let_go(self, **fields: Any) -> bool:
        """Write to the row, unless the time ran out and it is another worker's."""
        self._done.set()
        if threading.current_thread() is not self._thread and self._thread.is_alive():
            self._thread.join()
        return bool(self._mine().update(**fields))
