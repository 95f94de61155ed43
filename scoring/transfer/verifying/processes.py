"""Verify games in several processes; findings arrive in any order."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Final
from uuid import UUID

import django
from django.db import connection, connections

from scoring.transfer.verifying.batches import Bundle, Looked, look_at_games

WORTHWHILE: Final = 10_000
"""From how many hands on more than one process is quicker: each needs a second to begin."""


def processes(hands: int, asked: int | None) -> int:
    """Return the number of processes; one where the others could not see the same database."""
    if connection.in_atomic_block or (connection.vendor == "sqlite" and _in_memory()):
        return 1
    if asked is not None:
        return asked
    return os.cpu_count() or 1 if hands >= WORTHWHILE else 1


def _in_memory() -> bool:
    name = str(connection.settings_dict["NAME"])
    return name == ":memory:" or "mode=memory" in name


def look_at_all(bundles: Iterable[Bundle], jobs: int) -> Iterator[Looked]:
    """Look at every bundle; never more than a few are on their way."""
    if jobs == 1:
        yield from (look_at_games(bundle.games) for bundle in bundles)
        return
    connections.close_all()  # a connection serves one process
    # A process that is a copy of this one would share its locks and its open files.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=django.setup)
    with pool:
        running: set[Future[Looked]] = set()
        try:
            for bundle in bundles:
                running.add(pool.submit(_look, bundle.games))
                if len(running) >= 2 * jobs:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (one.result() for one in done)
            yield from (one.result() for one in wait(running).done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _look(games: tuple[UUID, ...]) -> Looked:
    return look_at_games(games)
