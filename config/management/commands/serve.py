import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from config.env import env_list
from config.running import addresses, children, service, static_files
from config.running.bootstrap import report_progress
from config.running.certificate import OwnCertificate, own_certificate
from config.running.data_folder import lock_within
from tournaments.core.errors import GoneError
from tournaments.management.database import prepare_database
from tournaments.people.setup_code import make_setup_code, setup_address

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
        settings.DATA.prepare()
        with listener, alone() as lock:
            self._prepare()
            hosts = env_list("PAINSUIT_HOSTS") or addresses.allowed_hosts(
                settings.ALLOWED_HOSTS, host
            )
            certificate = self._certificate(hosts) if https else None
            port = listener.getsockname()[1]
            address = settings.PUBLIC_ADDRESS or addresses.public(
                host, port, "https" if certificate else "http", env_list("PAINSUIT_HOSTS")
            )
            web = children.web(listener, hosts=hosts, address=address, certificate=certificate)
            wanted = [children.worker(), children.relay(), web]
            if settings.EMBEDDED_BROKER:
                wanted.insert(0, children.broker(locks=[lock]))
            words = "\n".join(announcement(host, port, certificate, hosts))
            renew = children.manage("renew_certificate", *hosts) if https else []
            connections.close_all()
            service.replace_process(
                service.Service(wanted, words, upkeep=renew, scratch=settings.DATA.metrics),
                keep_fds=[listener.fileno(), lock],
                environ=children.python_environ(),
            )

    def _prepare(self) -> None:
        self._say(f"Starting Painsuit; its data lies in {settings.DATA.root}")
        with report_progress(self._say):
            self._say("Preparing the database ...")
            prepare_database()
            self._say("Preparing the pages ...")
            static_files.collect()
            self._say("Starting the broker, the worker, the relay and the web server ...")

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()

    def _certificate(self, hosts: list[str]) -> OwnCertificate:
        try:
            return own_certificate(hosts)
        except OSError as error:
            raise CommandError(f"Cannot write the certificate: {error}") from error


def announcement(
    host: str, port: int, certificate: OwnCertificate | None, hosts: Sequence[str]
) -> Iterator[str]:
    """Say where to go; while nobody has an account, also how to make the first.

    ``hosts`` are the names by which the service may be called; the first is that of the proxy,
    where one stands in front.
    """
    scheme = "https" if certificate else "http"
    near = addresses.nearest(host, port, scheme)
    if settings.HTTPS:
        near = addresses.url(hosts[0], 443, "https")
        yield f"Painsuit is ready: {near} (through the proxy).  Ctrl-C stops it."
    else:
        yield f"{addresses.announcement(host, port, scheme)}  Ctrl-C stops it."
    if certificate is None and not settings.HTTPS:
        yield KEEP_OPEN
    elif certificate is not None:
        page = urljoin(near, reverse("trust"))
        yield TRUST.format(address=page, fingerprint=certificate.fingerprint)
        if certificate.is_new_authority:
            yield NEW_AUTHORITY
    with suppress(GoneError):
        code = make_setup_code(at=timezone.now())
        yield FIRST_STEPS.format(address=setup_address(near, code))


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
