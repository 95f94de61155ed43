import fcntl
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from config import addresses, children, static_files
from config.env import env_list
from config.supervisor import Supervisor
from tournaments.management.database import prepare_database

ALL_INTERFACES = "0.0.0.0"  # noqa: S104 (the phones at the tables must reach it)
FIRST_STEPS = (
    "Nobody can sign in yet. In another window, python3 manage.py demo makes a club to try, and"
    '\npython3 manage.py account you@example.org --name "You" makes your own account.'
)
MOMENT = 1.0  # seconds: what was killed with -9 is gone by then


class Command(BaseCommand):
    help = "Start everything on this machine: database, broker, worker, relay and web server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")
        parser.add_argument(
            "--host",
            default=ALL_INTERFACES,
            help="address to listen on; 127.0.0.1 keeps other devices out (default: all)",
        )

    def handle(self, *, host: str, port: int, **_options: Any) -> None:
        os.umask(0o077)  # what is written from now on, by the children too, is for us alone
        try:
            listener = addresses.listen(host, port)
        except addresses.CannotListenError as error:
            raise CommandError(f"{error} Another one: manage.py serve --port 8001") from error
        try:
            settings.DATA.prepare()
        except OSError as error:
            raise CommandError(f"Cannot use the data folder: {error}") from error
        with listener, alone() as lock:
            self._prepare()
            hosts = env_list("PAINSUIT_HOSTS") or addresses.allowed_hosts(
                settings.ALLOWED_HOSTS, host
            )
            wanted = [children.worker(), children.relay(), children.web(listener, hosts=hosts)]
            if settings.EMBEDDED_BROKER:
                wanted.insert(0, children.broker(locks=[lock]))
            line = addresses.announcement(host, listener.getsockname()[1])
            Supervisor(
                wanted,
                say=self._say,
                when_ready=lambda: self._say(f"{line}  Ctrl-C stops it."),
            ).run()
        self._say("Stopped.")

    def _prepare(self) -> None:
        self._say(f"Starting Painsuit; its data lies in {settings.DATA.root}")
        prepare_database()
        if not get_user_model()._default_manager.exists():
            self._say(FIRST_STEPS)
        connections.close_all()
        static_files.collect()

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()


@contextmanager
def alone() -> Iterator[int]:
    """Let one service at a time use the data folder; a killed one lets go of it by itself.

    Its broker may need a moment for that.
    """
    with settings.DATA.serve_lock.open("w") as handle:
        patience = time.monotonic() + MOMENT
        while not _locks(handle):
            if time.monotonic() > patience:
                raise CommandError(
                    f"Painsuit already runs on {settings.DATA.root}. Stop that one first,"
                    " or set PAINSUIT_DATA to another folder."
                )
            time.sleep(MOMENT / 20)
        yield handle.fileno()


def _locks(handle: IO[str]) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
