from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict
from typing import Any, Final

from django.db import DatabaseError
from django.utils import timezone

from engine.cli.inputs import TroubleError
from engine.cli.session import FINE
from engine.core.messages import message_of
from scoring.management.demo import NIGHTS, TABLES, Founded, Size, build, tell
from scoring.management.terminal.command import Database, TerminalCommand
from tournaments.core.errors import RefusedError
from tournaments.publishing import STANDINGS, publish_due

_SEED_MAX: Final = 999_999_999


class Command(TerminalCommand):
    """Make a club as it stands after three nights and a season, from real play."""

    help = (
        "Make a club as it stands after three nights in all five rule systems, with rulings,"
        " corrections and a carried jackpot, and a season of twelve league nights in two divisions."
        " The same seed gives the same club."
    )
    database = Database.CREATED
    usage = "[--seed N] [--name NAME] [--small] [--nights N]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--seed", type=_parse_seed, default=1, metavar="N", help="another club (default: 1)"
        )
        parser.add_argument("--name", metavar="NAME", help="of the club (default: Demo Club N)")
        parser.add_argument("--small", action="store_true", help="fewer hands at every table")
        parser.add_argument(
            "--nights",
            type=int,
            choices=range(NIGHTS + 1),
            default=NIGHTS,
            metavar="N",
            help=f"nights of the season, 0 to {NIGHTS} (default: {NIGHTS})",
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        seed: int = options["seed"]
        name = options["name"] if options["name"] is not None else f"Demo Club {seed}"
        try:
            size = Size.SMALL if options["small"] else Size.FULL
            club = self._built(seed, name, size, options["nights"])
        except RefusedError as error:
            raise TroubleError(message_of(error)) from error
        except DatabaseError as error:
            raise TroubleError(f"the database cannot be written: {error}") from error
        while publish_due(clock=timezone.now, scopes=STANDINGS):
            pass  # statistics of players come from the worker; until then their pages count hands
        self._tell(club)
        return FINE

    def _built(self, seed: int, name: str, size: Size, nights: int) -> Founded:
        with self.gauge.counting("playing", TABLES + nights, "tables and nights"):
            return build(
                seed=seed,
                name=name,
                size=size,
                nights=nights,
                on_table=lambda _table: self.gauge.advance(1),
            )

    def _tell(self, club: Founded) -> None:
        """Tell of the club, where to look, and how to sign in: the password is shown this once."""
        counted = ", ".join(f"{number} {noun}" for noun, number in asdict(tell(club.club)).items())
        lines = (
            f"{club.name}, from {club.chance.night(1):%Y-%m-%d} on: {counted} balances.",
            f"club      {club.club}",
            f"sign in   {club.sign_in.email}",
            f"password  {club.sign_in.password}",
            f"look      /c/{club.club}/ (and /desk/, /api/v1/docs) while `manage.py serve` runs",
        )
        for line in lines:
            self.screen.line(line)


def _parse_seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:12]) <= _SEED_MAX):
        raise ArgumentTypeError(f"a whole number from 0 to {_SEED_MAX} is needed")
    return int(text)
