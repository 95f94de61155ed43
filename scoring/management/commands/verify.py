from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

from django.db.models import Q, Sum
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scoring.models import Game
from scoring.terminal.command import FINE, WRONG, Database, TerminalCommand
from scoring.terminal.inputs import TroubleError
from scoring.verifying import (
    Difference,
    bundles,
    look_at_all,
    look_at_club,
    look_at_standings,
    processes,
)
from tournaments.models import Club
from tournaments.verifying import published


class Command(TerminalCommand):
    """Recompute every game from its records, and compare it with what is kept."""

    help = (
        "Recompute games, books, trails, results and standings from the records; one line for"
        " each difference."
        " The exit status is 0 if there is none, 1 otherwise."
    )
    database = Database.EXISTING
    usage = "[CLUB_OR_GAME ...] [--processes N] [--quiet]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "scope", nargs="*", metavar="CLUB_OR_GAME", help="identifiers (default: everything)"
        )
        parser.add_argument(
            "--processes", type=int, choices=range(1, 65), metavar="N", help="default: every core"
        )
        parser.add_argument("--quiet", action="store_true", help="say nothing but differences")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        scope = list(_known(options["scope"]))
        games = _games(scope)
        total = games.aggregate(hands=Sum("hands"))["hands"] or 0
        count = differing = 0
        with self._bar(total) as bar:
            for looked in look_at_all(bundles(scope), processes(total, options["processes"])):
                count += looked.games
                differing += self._tell(looked.differences, bar)
                bar.advance(bar.task_ids[0], looked.hands)
            for club in _clubs(scope):
                differing += self._tell(look_at_club(club), bar)
                for number in published(club):
                    differing += self._tell(look_at_standings(number), bar)
        if not options["quiet"]:
            found = _many(differing, "difference") if differing else "no difference"
            scanned = f"{_many(count, 'game')}, {_many(total, 'hand')}"
            self.stdout.write(f"{scanned}: {found}.\n")
        return WRONG if differing else FINE

    @contextmanager
    def _bar(self, hands: int) -> Iterator[Progress]:
        err = cast("Any", self.stderr)
        columns = (
            TextColumn("verifying"),
            BarColumn(None),
            MofNCompleteColumn(),
            TextColumn("hands"),
            TimeRemainingColumn(),
        )
        console = Console(file=err, force_terminal=err.isatty())
        with Progress(*columns, console=console, transient=True, disable=not err.isatty()) as bar:
            bar.add_task("", total=hands)
            yield bar

    def _tell(self, differences: Sequence[Difference], bar: Progress) -> int:
        if differences:
            # Where both go to one terminal the bar would run through the lines.
            bar.stop()
            self.stdout.write("".join(f"{one}\n" for one in differences))
            bar.start()
        return len(differences)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _known(words: Sequence[str]) -> Iterator[UUID]:
    for word in words:
        try:
            number = UUID(word)
        except ValueError:
            raise TroubleError(f"{word} is no identifier of a club or a game") from None
        if not (_games([number]).exists() or Club.objects.filter(pk=number).exists()):
            raise TroubleError(f"there is no club and no game {word}")
        yield number


def _games(scope: Sequence[UUID]) -> Any:
    return Game.objects.filter(Q(pk__in=scope) | Q(club__in=scope)) if scope else Game.objects


def _clubs(scope: Sequence[UUID]) -> Iterator[UUID]:
    """The clubs to look at as a whole: not those of which single games were asked for."""
    clubs = Club.objects.filter(pk__in=scope) if scope else Club.objects.all()
    yield from clubs.order_by("pk").values_list("pk", flat=True).iterator()
