"""Management commands as sessions of the engine's command line."""

import sys
from argparse import ArgumentParser
from enum import Enum, auto
from gettext import translation
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.db.models import Model, QuerySet
from django.utils import timezone

from engine.cli import session
from engine.cli.gauge import Gauge
from engine.cli.inputs import STANDARD_INPUT, TroubleError
from engine.cli.language import languages
from engine.cli.screen import Screen
from engine.cli.session import MISUSED, Session, add_ascii
from engine.core.messages import message_of
from engine.verdicts.judge import latest_date
from scoring.transfer.signatures import EXTENSION, Signature, signer_of
from tournaments.management.database import (
    prepare_database,
    require_database,
    require_migrated_database,
)
from tournaments.models import Club


class Database(Enum):
    """The command's needs of the database before it begins."""

    UNUSED = auto()
    EXISTING = auto()
    MIGRATED = auto()
    """It exists, and no migration is missing."""
    CREATED = auto()
    """It is created, or migrated, where that is not done yet."""


class TerminalCommand(BaseCommand):
    """A command that answers in lines; a subclass says what to `answer`."""

    requires_system_checks = ()
    database: ClassVar[Database] = Database.UNUSED
    usage = ""
    session: Session

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """The parser, with a usage that names our own options only."""
        self.name = subcommand
        usage = f"manage.py {subcommand} {self.usage}"
        return super().create_parser(prog_name, subcommand, usage=usage, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_ascii(parser)

    def handle(self, **options: Any) -> None:
        self.stdout.ending = self.stderr.ending = ""
        self.stderr.style_func = None
        if sys.stdout is None and not options.get("stdout"):
            sys.exit(MISUSED)  # standard output is closed, and so is the answer
        self.session = Session.open(
            self.name,
            options,
            out=cast("Any", self.stdout),
            err=cast("Any", self.stderr),
            today=latest_date(timezone.now()),
        )
        catalogue = translation("django", settings.LOCALE_PATHS[0], languages(), fallback=True)
        status = self.session.run(lambda: self._answer(options), catalogue)
        if status:
            sys.exit(status)

    def answer(self, **options: Any) -> int:
        """Do what was asked and return the exit status. May raise TroubleError."""
        raise NotImplementedError

    @property
    def screen(self) -> Screen:
        """Return the stream for the command's lines."""
        return self.session.screen

    @property
    def gauge(self) -> Gauge:
        """The progress bar."""
        return self.session.gauge

    def _answer(self, options: dict[str, Any]) -> int:
        try:
            self._open_database()
            return self.answer(**options)
        except DatabaseError as error:
            raise TroubleError(f"the database cannot be used: {error}") from error

    def _open_database(self) -> None:
        """Raise TroubleError where the database that the command needs is not to be had."""
        try:
            match self.database:
                case Database.CREATED:
                    prepare_database()
                case Database.EXISTING:
                    require_database()
                case Database.MIGRATED:
                    require_migrated_database()
                case Database.UNUSED:
                    pass
        except CommandError as error:
            raise TroubleError(message_of(error)) from error


class RecordCommand(TerminalCommand):
    """A command of the engine's command line, as a management command."""

    command: session.Command

    def __init_subclass__(cls) -> None:
        cls.help, cls.usage = cls.command.HELP, cls.command.USAGE

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.command.add_arguments(parser)

    def answer(self, **options: Any) -> int:
        """Run the command."""
        return self.command.run(self.session, options)


Named = TypeVar("Named", bound=Model)


def club_of(word: str) -> Club:
    """Find a club. Raises TroubleError where there is none, or more than one."""
    return find_named(Club.objects.all(), word)


def find_named(rows: QuerySet[Named], word: str) -> Named:
    """Find a row. Raises TroubleError where there is none, or more than one."""
    kind = rows.model._meta.verbose_name
    try:
        found = list(rows.filter(pk=UUID(word)))
    except ValueError:
        found = list(rows.filter(name=word)[:2])
    if not found:
        raise TroubleError(f"there is no {kind} {word}")
    if len(found) > 1:
        raise TroubleError(f"more than one {kind} is called {word}; give its identifier")
    return found[0]


def read_signature(name: str) -> Signature | None:
    """The signature beside a file, if there is one. Raises SignatureError and TroubleError."""
    path = Path(f"{name}{EXTENSION}")
    if name == STANDARD_INPUT or not path.is_file():
        return None
    try:
        return Signature.read(path.read_bytes())
    except OSError as error:
        raise TroubleError(f"cannot read {path}: {error.strerror}") from error


def said_of(signature: Signature | None) -> str:
    """Whether a file was signed, and by whom; the signature was checked."""
    if signature is None:
        return "it is not signed: nobody says whose it is"
    who = signer_of(signature)
    if who is None:
        return (
            f"intact; signed with key {signature.key}, which this installation does not know"
            " (manage.py signature --trust)"
        )
    return f"intact; signed by {who} (key {signature.key})"
