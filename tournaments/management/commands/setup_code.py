from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.core.errors import GoneError
from tournaments.management.database import require_database
from tournaments.people.setup_code import make_setup_code, setup_address


class Command(BaseCommand):
    """Print the address of the page that makes the first account, with a new code in it."""

    help = (
        "Print the address at which the first account, its club and the first night are made in a"
        " browser. It holds for a day and is used once; `serve` prints one by itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--site",
            metavar="URL",
            help="where people find the service, such as https://hearts.example",
        )

    def handle(self, *, site: str | None, **_options: Any) -> None:
        require_database()
        try:
            code = make_setup_code(at=timezone.now())
        except GoneError as error:
            raise CommandError(
                f"{error} Sign in, or give an account a new password:"
                " manage.py account EMAIL --new-password"
            ) from error
        self.stdout.write(setup_address(site or _usual_site(), code))


def _usual_site() -> str:
    """The first name by which browsers may call the service."""
    scheme = "https" if settings.HTTPS else "http"
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
    return f"{scheme}://{host}/"
