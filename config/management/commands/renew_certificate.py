from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.running.certificate import own_certificate


class Command(BaseCommand):
    help = (
        "Make another certificate for `serve --https` if the one in use ends soon; `serve` does so"
        " itself, and the web server reads it without a restart."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("hosts", nargs="*", help="names and addresses that browsers use")

    def handle(self, *, hosts: list[str], **_options: Any) -> None:
        try:
            own_certificate(hosts)
        except OSError as error:
            raise CommandError(f"The certificate cannot be renewed: {error}") from error
