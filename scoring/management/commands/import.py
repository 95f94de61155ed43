from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from django.utils import timezone

from engine.cli.inputs import STANDARD_INPUT, TroubleError, open_input
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG, rules_of
from engine.messages import message_of
from scoring.ledger.transfers import Stamp
from scoring.management.terminal.clubs import club_of
from scoring.management.terminal.command import Database, TerminalCommand
from scoring.management.terminal.signatures import said_of
from scoring.transfer.bundling import BundleError, restore
from scoring.transfer.importing import (
    AS_WRITTEN,
    ArchiveImport,
    ImportReport,
    Options,
    event_in,
    place_all,
)
from scoring.transfer.signatures import EXTENSION, Digested, Signature, SignatureError
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.models import PlayerKind


class Command(TerminalCommand):
    """Bring archives of records into a club, or build a club of a bundle."""

    help = (
        "Bring archives of records (PHN or PBN) into a club: every game settled, booked and"
        " counted. The same archive again changes nothing, and one that broke off goes on where it"
        " was. Without --club: build the club of a bundle that `manage.py export` wrote, if the"
        " signature beside it is right, and say whose that is. The exit"
        " status is 0 if all is in order, 1 if something is wrong with a record or a bundle."
    )
    database = Database.CREATED
    usage = "[--club CLUB] [--event EVENT] [--dry-run] [--rules RULES] [--new KIND] FILE ..."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="an archive; - for stdin")
        parser.add_argument("--club", help="its identifier, or its name; none for a bundle")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--rules", default="", help="instead of what the records name")
        parser.add_argument(
            "--new",
            choices=[str(PlayerKind.GUEST), str(PlayerKind.VISITOR), AS_WRITTEN],
            default=str(PlayerKind.GUEST),
            help="what players are whom the club does not know; written: what an archive of a club"
            " says of them (default: guest)",
        )
        parser.add_argument(
            "--event",
            default="",
            help="the event that the games become part of; tags: the one that their tags name",
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        if options["club"] is None:
            bundles = options["files"]
            return max(self._restore(name, dry_run=options["dry_run"]) for name in bundles)
        club = club_of(options["club"])
        try:
            event = event_in(options["event"])
        except RefusedError as error:
            raise TroubleError(message_of(error)) from error
        wishes = Options(
            rules=rules_of(options["rules"]),
            kind=options["new"],
            dry_run=options["dry_run"],
            event=event,
        )
        stamp = Stamp(Actor(ActorKind.SYSTEM, Source.IMPORT), timezone.now())
        wrong = 0
        for name in options["files"]:
            with open_input(name, self.gauge) as source:
                archive = ArchiveImport(club.pk, source, wishes, stamp)
                self._take_all(archive, source.name)
            if event is not None:
                self._place(archive, source.name, club.pk, wishes, stamp)
            wrong += archive.report.problem_count
            self._tell(source.name, archive.report, dry_run=wishes.dry_run)
        return WRONG if wrong else FINE

    def _restore(self, name: str, *, dry_run: bool) -> int:
        signature: Signature | None = None
        with open_input(name, self.gauge) as source:
            digested = Digested(source)

            def check() -> None:
                if signature is not None:
                    signature.check(digested.digest())

            try:
                signature = self._signature(name)
                found = restore(digested, dry_run=dry_run, check=check)
            except (BundleError, SignatureError) as error:
                self.screen.line(visible(f"{source.name}: {error}"))
                return WRONG
        self.screen.line(visible(f"{name}: {said_of(signature)}"))
        if found.was_there:
            self.screen.line(visible(f"{found.name}: is here already, exactly so"))
            return FINE
        rows = ", ".join(f"{count} {name}" for name, count in found.rows.items() if count)
        verb = "would be" if dry_run else "is"
        self.screen.line(visible(f"{found.name} {found.club}: {verb} here now; rows: {rows}"))
        if found.sealed:
            words = "deals were sealed by another installation; prepare those boards again"
            self.screen.line(f"{found.sealed} secret rows are left out: {words}")
        if not dry_run:
            self.screen.line("Nobody has a role in it yet: manage.py account --help")
        return FINE

    def _signature(self, name: str) -> Signature | None:
        """What is beside a bundle. Raises SignatureError and TroubleError."""
        path = Path(f"{name}{EXTENSION}")
        if name == STANDARD_INPUT or not path.is_file():
            return None
        try:
            return Signature.read(path.read_bytes())
        except OSError as error:
            raise TroubleError(f"cannot read {path}: {error.strerror}") from error

    def _take_all(self, archive: ArchiveImport, name: str) -> None:
        told, more = 0, True
        try:
            while more:
                with transaction.atomic():
                    more = archive.take()
                problems = archive.report.problems
                for problem in problems[told:]:
                    self.screen.line(visible(f"{name}:{problem}"))
                told = len(problems)
        except DatabaseError as error:
            words = f"the database refused record {archive.records} or one before: {error}"
            raise TroubleError(f"{words}; what came before it is stored") from error

    def _place(
        self, archive: ArchiveImport, name: str, club: UUID, wishes: Options, stamp: Stamp
    ) -> None:
        """Put the games into events; one that has no place stays a game of the club."""
        assert wishes.event is not None
        told = len(archive.report.problems)
        verb = "would be" if wishes.dry_run else "is"
        places = place_all(archive, wishes.event, club, None if wishes.dry_run else stamp)
        for one in places:
            where = f"round {one['round']}, table {one['table']} of event {one['event']}"
            self.screen.line(visible(f"{name}: {one['name']}: {verb} {where}"))
        for problem in archive.report.problems[told:]:
            self.screen.line(visible(f"{name}:{problem}"))
        self.screen.line(visible(f"{name}: {verb} in events: {archive.report.placed} games"))

    def _tell(self, name: str, report: ImportReport, *, dry_run: bool) -> None:
        untold = report.problem_count - len(report.problems)
        if untold:
            self.screen.line(visible(f"{name}: {untold} more problems"))
        verb = "would be " if dry_run else ""
        counts = (
            f"{name}: {report.records} records; {verb}stored: {report.hands} hands of "
            f"{report.games} new games, {report.players} new players; there already: "
            f"{report.known}; disputed: {report.disputed}; left out: {report.left_out}"
        )
        self.screen.line(visible(counts))
