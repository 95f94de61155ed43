"""Settings and hooks of gunicorn."""

import gc
import os
from typing import Final, Protocol

from config.lifeline import die_with

preload_app: Final = True
"""Everything is loaded once, before the workers begin: none does it while a room full of phones
waits for its first answer, and what is loaded is in memory once."""


class Master(Protocol):
    """The process that listens and starts the workers."""

    pid: int


def on_starting(server: Master) -> None:
    """Before anything is written: files that clubs upload are for the service alone."""
    del server
    os.umask(0o077)


def when_ready(server: Master) -> None:
    """Before the first worker: nobody need look through what is loaded for garbage again."""
    del server
    gc.collect()
    gc.freeze()


def post_fork(server: Master, worker: object) -> None:
    """In a new worker: end with the master, even when that is killed."""
    die_with(server.pid)
