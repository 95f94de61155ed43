import sys
from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.utils import timezone

from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.management.database import prepare_database
from tournaments.people import accounts, second_factors
from tournaments.people.accounts import NewAccount

STDIN = "-"


class Command(BaseCommand):
    """Make an account, give one a new password, or let one into the admin."""

    help = "Make an account, so that somebody can sign in; the password is asked for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL", help="the address to sign in with")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--name", metavar="NAME", help="make an account for this name")
        what.add_argument(
            "--new-password",
            action="store_true",
            help="give the account another password; it is signed out everywhere and unlocked",
        )
        what.add_argument(
            "--unlock", action="store_true", help="let it sign in after too many wrong passwords"
        )
        what.add_argument(
            "--admin",
            choices=("on", "off"),
            help="let the account look at everything in the admin, or no longer",
        )
        what.add_argument(
            "--no-second-step",
            action="store_true",
            help="let somebody who lost their second step sign in by the password alone, and"
            " sign them out everywhere",
        )
        parser.add_argument(
            "--federation", action="store_true", help="an admin of all clubs, not of one"
        )
        parser.add_argument(
            "--password-file", metavar="FILE", help="read the password there; - is standard input"
        )

    def handle(self, *_args: str, **options: Any) -> None:
        email: str = options["email"]
        prepare_database()
        try:
            validate_email(email)
            self.stdout.write(self._done(email, options))
        except ValidationError as error:
            raise CommandError(f"{email!r} is not an e-mail address.") from error
        except RefusedError as error:
            raise CommandError(str(error)) from error

    def _done(self, email: str, options: dict[str, Any]) -> str:
        if options["unlock"]:
            accounts.unlock(email=email)
            return f"{email} may try again."
        if options["admin"]:
            is_superuser = options["admin"] == "on"
            by, at = Actor(ActorKind.SYSTEM, Source.COMMAND), timezone.now()
            accounts.set_superuser(email=email, is_superuser=is_superuser, by=by, at=at)
            return f"{email} may {'now' if is_superuser else 'no longer'} use the admin."
        if options["no_second_step"]:
            by = Actor(ActorKind.SYSTEM, Source.COMMAND)
            second_factors.remove_all_factors(email=email, by=by, at=timezone.now())
            return f"{email} signs in by the password alone, and can set a second step up again."
        password = _password(options["password_file"])
        if options["new_password"]:
            accounts.change_password(email=email, password=password)
            return f"{email} has a new password."
        new = NewAccount(email=email, name=options["name"].strip(), password=password)
        accounts.make_account(new=new, federation=options["federation"], at=timezone.now())
        return f"{email} can sign in."


def _password(path: str | None) -> str:
    """The password, without the line's end. Raises CommandError."""
    try:
        if path == STDIN:
            return sys.stdin.readline().rstrip("\r\n")
        if path is not None:
            return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The password cannot be read: {error}") from error
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask on; use --password-file.")
    password = getpass("Password: ")
    if getpass("Once more: ") != password:
        raise CommandError("The two are not the same.")
    return password
