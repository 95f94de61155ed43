import hashlib
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from django.utils import timezone

from engine.cli.inputs import STANDARD_INPUT, TroubleError, open_input
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG, rules_of
from engine.core.messages import Message, message_of
from engine.notation.foreign_files import describe_foreign
from scoring.ledger.transfers import Stamp
from scoring.management.terminal.command import (
    Database,
    TerminalCommand,
    club_of,
    read_signature,
    said_of,
)
from scoring.management.terminal.table_imports import (
    add_table_arguments,
    bring_tables,
    read_people,
)
from scoring.transfer.bundling import BundleError, restore
from scoring.transfer.importing import (
    AS_WRITTEN,
    ArchiveImport,
    ImportReport,
    Options,
    event_in,
    place_all,
)
from scoring.transfer.signatures import Digested, Signature, SignatureError
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.ids import parse_id
from tournaments.imports import (
    TABLE_IMPORTS,
    ImportLog,
    ObstaclesError,
    undo_import,
    undoer_of,
)
from tournaments.models import Club, Import, ImportKind, PlayerKind


class Command(TerminalCommand):
    """Bring archives of records or tables into a club, or build a club of a bundle."""

    help = (
        "Bring archives of records (PHN or PBN) into a club: every game settled, booked and"
        " counted. The same archive again changes nothing, and one that broke off goes on where it"
        " was. A table has its kind before it (`import members list.xlsx`) and comes in whole or"
        " not at all. --list names what was brought into a club, --undo undoes one of these imports"
        " as one step. Without --club: build the club of a bundle that `manage.py export` wrote, if"
        " the signature beside it is right, and say whose that is. The exit status is 0 if all is"
        " in order, 1 if something is wrong with a record, a row or a bundle."
    )
    database = Database.CREATED
    usage = "[--club CLUB] [--event EVENT] [--dry-run] [--rules RULES] [--new KIND] FILE ..., or"
    usage += " --club CLUB [--dry-run] [--map COLUMN=FIELD ...] KIND FILE ..., or"
    usage += " --club CLUB --list, or --undo IMPORT [--rest]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", metavar="FILE", help="an archive; - for stdin")
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
        parser.add_argument(
            "--person",
            action="append",
            default=[],
            metavar="NAME=NUMBER",
            help="who a name is that is like a member's: the member's number, or new; rows and"
            " hands with such a name are left out until that is said",
        )
        parser.add_argument("--list", action="store_true", help="name what was brought in")
        parser.add_argument("--undo", metavar="IMPORT", help="undo an import, by its identifier")
        parser.add_argument(
            "--rest",
            action="store_true",
            help="with --undo: let stay what was built upon the import since",
        )
        add_table_arguments(parser)
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        if options["undo"]:
            return self._undo(options["undo"], leaves=options["rest"], dry_run=options["dry_run"])
        if options["list"] and options["club"] is not None:
            return self._list(club_of(options["club"]))
        if not options["files"]:
            raise TroubleError("say which file is to be imported")
        is_table = options["files"][0] in TABLE_IMPORTS
        if options["club"] is None:
            if is_table:
                raise TroubleError("say into which club: --club CLUB")
            bundles = options["files"]
            return max(self._restore(name, dry_run=options["dry_run"]) for name in bundles)
        club = club_of(options["club"])
        stamp = Stamp(Actor(ActorKind.SYSTEM, Source.IMPORT), timezone.now())
        if is_table:
            return bring_tables(club, options, stamp, screen=self.screen, gauge=self.gauge)
        return self._bring_archives(club, options, stamp)

    def _bring_archives(self, club: Club, options: dict[str, Any], stamp: Stamp) -> int:
        try:
            event = event_in(options["event"])
        except RefusedError as error:
            raise TroubleError(message_of(error)) from error
        wishes = Options(
            rules=rules_of(options["rules"]),
            kind=options["new"],
            dry_run=options["dry_run"],
            event=event,
            people=read_people(options),
        )
        wrong = 0
        for name in options["files"]:
            with open_input(name, self.gauge) as source:
                if foreign := describe_foreign(source.peek()):
                    raise TroubleError(Message("{file}: {why}", file=source.name, why=foreign))
                log = None
                if not wishes.dry_run:
                    log = ImportLog.begin(
                        club_id=club.pk,
                        kind=ImportKind.ARCHIVE,
                        by=stamp.by,
                        at=stamp.at,
                        file_name=Path(source.name).name,
                        file_digest=_digest_of(name),
                    )
                archive = ArchiveImport(club.pk, source, wishes, stamp, log)
                self._take_all(archive, source.name, log)
            if event is not None:
                self._place(archive, source.name, club.pk, wishes, stamp, log)
            if log is not None:
                log.note_progress(archive.report.as_data(), timezone.now())
            wrong += archive.report.problem_count
            if wishes.dry_run:
                self._preview(source.name, archive.preview())
            for words in archive.list_notices():
                self.screen.line(visible(f"{source.name}: {words}"))
            self._tell(source.name, archive.report, dry_run=wishes.dry_run)
            if log is not None:
                self.screen.line(f"import {log.row.pk}: manage.py import --undo takes it back")
        return WRONG if wrong else FINE

    def _restore(self, name: str, *, dry_run: bool) -> int:
        signature: Signature | None = None
        with open_input(name, self.gauge) as source:
            digested = Digested(source)

            def check() -> None:
                if signature is not None:
                    signature.check(digested.digest())

            try:
                signature = read_signature(name)
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
        if found.left_out:
            words = "deals that nobody has played were encrypted; prepare those boards again"
            self.screen.line(f"{found.left_out} rows are left out: {words}")
        if not dry_run:
            self.screen.line("Nobody has a role in it yet: manage.py account --help")
        return FINE

    def _list(self, club: Club) -> int:
        for row in Import.objects.filter(club=club).order_by("created_at", "pk"):
            counts = ", ".join(
                f"{name} {count}" for name, count in sorted(row.counts.items()) if count
            )
            state = "undone" if row.undone_at else "done" if row.finished_at else "not finished"
            words = f"{row.pk}  {row.created_at:%Y-%m-%d %H:%M}  {row.kind}  {state}"
            self.screen.line(visible(f"{words}  {row.file_name}: {counts or 'nothing new'}"))
        return FINE

    def _undo(self, text: str, *, leaves: bool, dry_run: bool) -> int:
        actor = Actor(ActorKind.SYSTEM, Source.COMMAND)
        try:
            with transaction.atomic():
                plan = undo_import(
                    import_id=parse_id(text),
                    by=actor,
                    at=timezone.now(),
                    leave_obstacles=leaves or dry_run,
                )
                transaction.set_rollback(dry_run)
        except NotThereError as error:
            raise TroubleError(f"there is no import {text}") from error
        except ObstaclesError as error:
            for obstacle in error.obstacles:
                self.screen.line(visible(str(obstacle.message)))
            words = (
                "something was built upon it since, and nothing was undone; --rest undoes the rest"
            )
            raise TroubleError(words) from error
        except RefusedError as error:
            raise TroubleError(message_of(error)) from error
        for obstacle in plan.obstacles:
            verb = "is in the way" if dry_run else "stays"
            self.screen.line(visible(f"{obstacle.message} ({verb})"))
        counts = ", ".join(
            f"{count} {undoer_of(label).title}" for label, count in plan.counts.items() if count
        )
        self.screen.line(f"{'would go' if dry_run else 'undone'}: {counts or 'nothing'}")
        return FINE

    def _take_all(self, archive: ArchiveImport, name: str, log: ImportLog | None) -> None:
        shown, more = 0, True
        try:
            while more:
                with transaction.atomic():
                    more = archive.take()
                    if log is not None:
                        log.note_progress(archive.report.as_data())
                problems = archive.report.problems
                for problem in problems[shown:]:
                    self.screen.line(visible(f"{name}:{problem}"))
                shown = len(problems)
        except DatabaseError as error:
            words = f"the database refused record {archive.records} or one before: {error}"
            raise TroubleError(f"{words}; what came before it is stored") from error

    def _place(
        self,
        archive: ArchiveImport,
        name: str,
        club: UUID,
        wishes: Options,
        stamp: Stamp,
        log: ImportLog | None,
    ) -> None:
        """Put the games into events; one that has no place stays a game of the club."""
        assert wishes.event is not None
        shown = len(archive.report.problems)
        verb = "would be" if wishes.dry_run else "is"
        places = place_all(archive, wishes.event, club, None if wishes.dry_run else stamp, log)
        for place in places:
            where = f"round {place['round']}, table {place['table']} of event {place['event']}"
            self.screen.line(visible(f"{name}: {place['name']}: {verb} {where}"))
        for problem in archive.report.problems[shown:]:
            self.screen.line(visible(f"{name}:{problem}"))
        self.screen.line(visible(f"{name}: {verb} in events: {archive.report.placed} games"))

    def _preview(self, name: str, preview: Mapping[str, Any]) -> None:
        """Name the games of an archive and the people in them, as they are understood."""
        for game in preview["games"]:
            words = "; ".join(game["players"])
            counts = f"{game['new_hands']} new hands"
            if game["known_hands"]:
                counts += f", {game['known_hands']} there already"
            self.screen.line(
                visible(f"{name}:{game['line']}: {game['name']}, {game['date']}: {words}: {counts}")
            )
        for one in preview["new_people"]:
            similar = ", ".join(f"{two['name']} ({two['number']})" for two in one["similar"])
            hint = f"; is this {similar}? (--person)" if similar else ""
            self.screen.line(visible(f"{name}: new: {one['name']}{hint}"))
        for one in preview["known_people"]:
            self.screen.line(visible(f"{name}: known: {one['name']} ({one['number']})"))

    def _tell(self, name: str, report: ImportReport, *, dry_run: bool) -> None:
        untold = report.problem_count - len(report.problems)
        if untold:
            self.screen.line(visible(f"{name}: {untold} more problems"))
        verb = "would be " if dry_run else ""
        counts = (
            f"{name}: {report.records} records; {verb}stored: {report.hands} hands of "
            f"{report.games} new games, {report.players} new players; there already: "
            f"{report.known}; disputed: {report.disputed}; left out: {report.left_out}"
            f" (conflicts: {report.conflicts})"
        )
        self.screen.line(visible(counts))


def _digest_of(name: str) -> str:
    """SHA-256 of a file, by which an import that broke off is taken up; nothing of stdin."""
    path = Path(name)
    if name == STANDARD_INPUT or not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
