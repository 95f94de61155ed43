import gc
import os
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from config import addresses, children, static_files
from config.certificate import OwnCertificate, ensure_certificate
from config.data_folder import lock_within
from config.env import env_list
from config.lifeline import die_with
from config.supervisor import CAN_COPY, Supervisor
from tournaments.core.errors import GoneError
from tournaments.management.database import prepare_database
from tournaments.management.setup_address import setup_address
from tournaments.people.setup_code import make_setup_code

ALL_INTERFACES = "0.0.0.0"  # noqa: S104 (the phones at the tables must reach it)
FIRST_STEPS = (
    "Nobody has an account yet. This address makes yours, your club and its first night;"
    "\nit works once, within a day:\n\n    {address}\n\n"
    "To try everything with a club that is there, in another window: python3 manage.py demo"
)
KEEP_OPEN = (
    "Without https a browser cannot open the page of a table again while there is no network:"
    "\nkeep it open on the phones, or start with --https (docs/operate/https.md)."
)
TRUST = (
    "Phones trust the certificate of this club once; {address} says how.\nIts fingerprint"
    " (SHA-256): {fingerprint}"
)
NEW_AUTHORITY = "It is new: each phone has to trust it, also those that trusted one before."
MOMENT = 1.0  # seconds: what was killed with -9 is gone by then


class Command(BaseCommand):
    help = "Start everything on this machine: database, broker, worker, relay and web server."
    # They import every view, and are for who changes the code: `manage.py check`, `make check`.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")
        parser.add_argument(
            "--host",
            default=ALL_INTERFACES,
            help="address to listen on; 127.0.0.1 keeps other devices out (default: all)",
        )
        parser.add_argument(
            "--https",
            action="store_true",
            help="serve https, with a certificate that this installation makes for itself",
        )

    def handle(self, *, host: str, port: int, https: bool, **_options: Any) -> None:
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
            self._say(f"Starting Painsuit; its data lies in {settings.DATA.root}")
            port = listener.getsockname()[1]
            hosts = env_list("PAINSUIT_HOSTS") or addresses.allowed_hosts(
                settings.ALLOWED_HOSTS, host
            )
            with _copy() as copy:
                certificate = copy.submit(_prepare, hosts if https else []).result()
                words = copy.submit(_announcement, host, port, certificate).result()
            web = children.web(listener, hosts=hosts, certificate=certificate)
            wanted = [children.worker(), children.relay(), web]
            if settings.EMBEDDED_BROKER:
                wanted.insert(0, children.broker(locks=[lock]))
            _preload()
            Supervisor(
                wanted,
                say=self._say,
                when_ready=lambda: self._say(words),
                upkeep=lambda: self._renew(hosts) if https else None,
            ).run()
            shutil.rmtree(settings.DATA.metrics, ignore_errors=True)
        self._say("Stopped.")

    def _renew(self, hosts: list[str]) -> None:
        """Make another certificate before the one in use ends, which the web server reads."""
        try:
            _own_certificate(hosts)
        except OSError as error:
            self._say(f"The certificate cannot be renewed: {error}")

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()


def _copy() -> Executor:
    """A copy of this process, with which everything goes that was loaded only to prepare."""
    if not CAN_COPY:
        return ThreadPoolExecutor(1)
    # It ends with us even when we are killed: it has the lock of the data folder, too.
    return ProcessPoolExecutor(
        1, get_context("fork"), initializer=die_with, initargs=(os.getpid(),)
    )


def _prepare(hosts: list[str]) -> OwnCertificate | None:
    """Bring database and static files up to date; return a certificate for the hosts, if any."""
    prepare_database()
    connections.close_all()
    static_files.collect()
    try:
        return _own_certificate(hosts) if hosts else None
    except OSError as error:
        raise CommandError(f"Cannot write the certificate: {error}") from error


def _announcement(host: str, port: int, certificate: OwnCertificate | None) -> str:
    """Say where to go; while nobody has an account, also how to make the first."""
    scheme = "https" if certificate else "http"
    near = addresses.nearest(host, port, scheme)
    words = [f"{addresses.announcement(host, port, scheme)}  Ctrl-C stops it."]
    if certificate is None:
        words.append(KEEP_OPEN)
    else:
        page = urljoin(near, reverse("trust"))
        words.append(TRUST.format(address=page, fingerprint=certificate.fingerprint))
        if certificate.is_new_authority:
            words.append(NEW_AUTHORITY)
    try:
        code = make_setup_code(at=timezone.now())
    except GoneError:
        return "\n".join(words)
    finally:
        connections.close_all()
    return "\n".join([*words, FIRST_STEPS.format(address=setup_address(near, code))])


def _preload() -> None:
    """Load what worker and relay use, which are copies of this process, before there are any."""
    import config.relay  # noqa: F401, PLC0415 (not before the environment is known to be right)
    import scoring.jobs.tasks  # noqa: F401, PLC0415

    gc.collect()
    gc.freeze()  # the collector would write to memory that the copies share


def _own_certificate(hosts: list[str]) -> OwnCertificate:
    # By "localhost" we look ourselves whether the web server answers, whatever PAINSUIT_HOSTS says.
    return ensure_certificate(settings.DATA.tls, ["localhost", *hosts], at=timezone.now())


@contextmanager
def alone() -> Iterator[int]:
    """Let one service at a time use the data folder; a killed one lets go of it by itself.

    Its broker may need a moment for that.
    """
    with settings.DATA.serve_lock.open("w") as handle:
        if not lock_within(handle, MOMENT):
            raise CommandError(
                f"Painsuit already runs on {settings.DATA.root}. Stop that one first,"
                " or set PAINSUIT_DATA to another folder."
            )
        yield handle.fileno()
