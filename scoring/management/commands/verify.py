from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import Q, Sum

from engine.cli.inputs import TroubleError, open_input
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG
from engine.core.messages import message_of
from scoring.management.terminal.command import Database, TerminalCommand, read_signature, said_of
from scoring.models import Game
from scoring.transfer.bundling import BundleError, TrailEnd, read_trails
from scoring.transfer.signatures import Digested, SignatureError
from scoring.transfer.verifying import (
    Discrepancy,
    bundles,
    compare_with_earlier,
    look_at_all,
    look_at_club,
    look_at_installation,
    look_at_standings,
    processes,
)
from tournaments.models import Club
from tournaments.verifying import published_subjects


class Command(TerminalCommand):
    """Recompute every game from its records, and compare it with what is kept."""

    help = (
        "Recompute games, books, trails, results and standings from the records; one line for"
        " each difference."
        " With --against: compare the audit trails with those in an older bundle of a club, or in"
        " the file of trails beside an older backup, too. The exit status is 0 if there is none,"
        " 1 otherwise."
    )
    database = Database.MIGRATED
    usage = "[CLUB_OR_GAME ...] [--against FILE] [--processes N] [--quiet]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "scope", nargs="*", metavar="CLUB_OR_GAME", help="identifiers (default: everything)"
        )
        parser.add_argument(
            "--against",
            metavar="FILE",
            help="an older bundle or file of trails; looks at its clubs by default",
        )
        parser.add_argument(
            "--processes", type=int, choices=range(1, 65), metavar="N", help="default: every core"
        )
        parser.add_argument("--quiet", action="store_true", help="say nothing but differences")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        scope = list(_parse_club_ids(options["scope"]))
        count = differing = 0
        if options["against"] is not None:
            earlier = self._read_earlier(options["against"], quiet=options["quiet"])
            scope = scope or sorted(_here(earlier))
            for club, trails in earlier.items():
                differing += self._tell(tuple(compare_with_earlier(club, trails)))
        games = _games(scope)
        total = games.aggregate(hands=Sum("hands"))["hands"] or 0
        with self.gauge.counting("verifying", total, "hands"):
            for looked in look_at_all(bundles(scope), processes(total, options["processes"])):
                count += looked.games
                differing += self._tell(looked.differences)
                self.gauge.advance(looked.hands)
            if not scope:
                differing += self._tell(look_at_installation())
            for club in _clubs(scope):
                differing += self._tell(look_at_club(club))
                for number in published_subjects(club):
                    differing += self._tell(look_at_standings(number))
        if not options["quiet"]:
            found = _many(differing, "difference") if differing else "no difference"
            scanned = f"{_many(count, 'game')}, {_many(total, 'hand')}"
            self.stdout.write(f"{scanned}: {found}.\n")
        return WRONG if differing else FINE

    def _read_earlier(self, name: str, *, quiet: bool) -> dict[UUID, dict[UUID, TrailEnd]]:
        """The trails of a file by their clubs; its signature is checked if it lies beside it."""
        with open_input(name, self.gauge) as source:
            digested = Digested(source)
            try:
                signature = read_signature(name)
                earlier = read_trails(digested)
                if signature is not None:
                    signature.check(digested.digest())
            except (BundleError, SignatureError) as error:
                words = f"{source.name}: {message_of(error)}"
                if Path(f"{name}.trails").is_file():
                    words += f"; what belongs to a backup is {source.name}.trails"
                raise TroubleError(words) from error
        if earlier and not _here(earlier):
            raise TroubleError(f"{source.name}: no club of it is here")
        if not quiet:
            self.screen.line(visible(f"{name}: {said_of(signature)}"))
        return earlier

    def _tell(self, differences: Sequence[Discrepancy]) -> int:
        self.screen.raw("".join(f"{difference}\n" for difference in differences))
        return len(differences)


def _here(clubs: Iterable[UUID]) -> set[UUID]:
    """Those of some clubs that are in the database."""
    return set(Club.objects.filter(pk__in=list(clubs)).values_list("pk", flat=True))


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _parse_club_ids(words: Sequence[str]) -> Iterator[UUID]:
    for word in words:
        try:
            number = UUID(word)
        except ValueError:
            raise TroubleError(f"{word} is no identifier of a club or a game") from None
        if not (_games([number]).exists() or Club.objects.filter(pk=number).exists()):
            raise TroubleError(f"there is no club and no game {word}")
        yield number


def _games(scope: Sequence[UUID]) -> Any:
    games = Game.all_objects
    return games.filter(Q(pk__in=scope) | Q(club__in=scope)) if scope else games


def _clubs(scope: Sequence[UUID]) -> Iterator[UUID]:
    """The clubs to look at as a whole: not those of which single games were asked for."""
    clubs = Club.objects.filter(pk__in=scope) if scope else Club.objects.all()
    yield from clubs.order_by("pk").values_list("pk", flat=True).iterator()
