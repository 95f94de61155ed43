"""Settings and hooks of gunicorn."""

import gc
import os
import resource
from typing import Final, Protocol

from config.running.supervisor import die_with

worker_class: Final = "config.running.gunicorn_worker.BufferingWorker"
OPEN_FILES_MAX: Final = 4096
"""The limit of open files of a process, connections included, where the system allows so many."""
worker_connections: Final = 2048
"""Of each process; phones keep one or two open for some seconds."""
timeout: Final = 60
"""Seconds after which a process whose event loop stands still is replaced."""
graceful_timeout: Final = 5
loglevel: Final = "warning"
control_socket_disable: Final = True
preload_app: Final = True
"""Everything is loaded once, before the workers begin: none does it while a room full of phones
waits for its first answer, and what is loaded is in memory once."""


class Master(Protocol):
    """The process that listens and starts the workers."""

    pid: int


def on_starting(server: Master) -> None:
    """Make new files private, and raise the limit of open files: each connection is one."""
    del server
    os.umask(0o077)  # clubs upload files
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES_MAX if hard == resource.RLIM_INFINITY else min(OPEN_FILES_MAX, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def when_ready(server: Master) -> None:
    """Before the first worker: nobody need look through what is loaded for garbage again."""
    del server
    gc.collect()
    gc.freeze()


def post_fork(server: Master, worker: object) -> None:
    """In a new worker: end with the master, even when that is killed."""
    die_with(server.pid)
