from argparse import ArgumentParser
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from scoring.importing import Archive, Options, Report
from scoring.ledger import Stamp
from scoring.terminal.clubs import club_of
from scoring.terminal.command import FINE, WRONG, TerminalCommand, rules_of
from scoring.terminal.inputs import TroubleError, opened
from scoring.terminal.screen import visible
from tournaments.actors import Actor, ActorKind, Source
from tournaments.models import PlayerKind


class Command(TerminalCommand):
    """Bring archives of records into a club."""

    help = (
        "Bring archives of records (PHN or PBN) into a club: every game settled, booked and"
        " counted. The same archive again changes nothing, and one that broke off goes on where it"
        " was. The exit status is 0 if all is in order, 1 if something is wrong with a record."
    )
    usage = "--club CLUB [--dry-run] [--rules RULES] [--new KIND] FILE ..."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="an archive; - for stdin")
        parser.add_argument("--club", required=True, help="its identifier, or its name")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--rules", default="", help="instead of what the records name")
        parser.add_argument(
            "--new",
            choices=[str(PlayerKind.GUEST), str(PlayerKind.VISITOR)],
            default=str(PlayerKind.GUEST),
            help="what players are whom the club does not know (default: guest)",
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        club = club_of(options["club"])
        wishes = Options(
            rules=rules_of(options["rules"]), kind=options["new"], dry_run=options["dry_run"]
        )
        stamp = Stamp(Actor(ActorKind.SYSTEM, Source.IMPORT), timezone.now())
        wrong = 0
        for name in options["files"]:
            with opened(name, self.gauge) as source:
                archive = Archive(club.pk, source, wishes, stamp)
                self._take_all(archive, source.name)
            wrong += archive.report.problem_count
            self._tell(source.name, archive.report, dry_run=wishes.dry_run)
        return WRONG if wrong else FINE

    def _take_all(self, archive: Archive, name: str) -> None:
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

    def _tell(self, name: str, report: Report, *, dry_run: bool) -> None:
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
