"""What gunicorn calls in its processes."""

from typing import Protocol

from config.lifeline import die_with


class Master(Protocol):
    """The process that listens and starts the workers."""

    pid: int


def post_fork(server: Master, worker: object) -> None:
    """In a new worker: end with the master, even when that is killed."""
    die_with(server.pid)
