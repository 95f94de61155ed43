"""The pace of tables: which are slow compared with the others of their round."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

BEHIND: Final = 2
"""Hands behind the middle table that make a table slow."""
PATIENCE: Final = timedelta(minutes=10)
"""Nobody is slow who entered something so shortly ago."""


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The progress of a table: hands entered, since when it plays, when it last entered one."""

    hands: int
    began_at: datetime
    last_at: datetime | None
    is_done: bool


def find_slow(tables: Sequence[TableProgress], at: datetime) -> list[bool]:
    """For each table whether it needs a look: it is behind, or silent for twice the usual time.

    >>> from datetime import UTC
    >>> start = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
    >>> now = start + timedelta(minutes=40)
    >>> find_slow([TableProgress(4, start, now, False), TableProgress(4, start, now, False),
    ...       TableProgress(1, start, start + timedelta(minutes=15), False)], now)
    [False, False, True]
    """
    if not tables:
        return []
    middle = median(one.hands for one in tables)
    paces = [
        (one.last_at - one.began_at) / one.hands for one in tables if one.last_at and one.hands
    ]
    usual = sorted(paces)[len(paces) // 2] if paces else PATIENCE
    limit = max(PATIENCE, 2 * usual)
    return [
        not one.is_done
        and (one.hands + BEHIND <= middle or (one.last_at or one.began_at) < at - limit)
        for one in tables
    ]
