from argparse import ArgumentParser
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import get_supported_language_variant, override

from engine.cli.inputs import STANDARD_INPUT, TroubleError
from engine.cli.language import languages
from engine.cli.outputs import open_output
from engine.cli.screen import visible
from engine.cli.session import FINE
from engine.core.messages import message_of
from scoring.management.terminal.command import Database, TerminalCommand, club_of, find_named
from scoring.transfer.exporting import BUNDLE, FORMATS, KINDS, ExportRequest, export
from scoring.transfer.signatures import EXTENSION, Signing
from tournaments.core.errors import RefusedError
from tournaments.database.transactions import read_snapshot
from tournaments.models import Club, Event, League

_ENDINGS: Final = {f".{key}": key for key in FORMATS}


class Command(TerminalCommand):
    """Write a whole club, or one of its tables, into a file."""

    help = (
        "Write a whole club into one file (a bundle), from which `manage.py import` builds the"
        " same club elsewhere, or a table of it with --what. Sign-ins, roles and keys are in none"
        " of them. The signature of the file is put beside it."
    )
    database = Database.MIGRATED
    usage = "--club CLUB [--what KIND] [--format FORMAT] [--event E | --league L] [--ids] [FILE]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            nargs="?",
            help="where to; - for standard output; without it the name says what is in the file",
        )
        parser.add_argument("--club", required=True, help="its identifier, or its name")
        parser.add_argument(
            "--what", choices=KINDS, default="club", help="what is written (default: club)"
        )
        parser.add_argument(
            "--format", choices=FORMATS, help="of the file; without it as FILE ends, or else xlsx"
        )
        parser.add_argument("--event", help="only of this one: its identifier, or its name")
        parser.add_argument("--league", help="only of this one: its identifier, or its name")
        parser.add_argument("--ids", action="store_true", help="with identifiers in a table")
        parser.add_argument("--site", default="", help="where the pages are: https://club.example")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        club = club_of(options["club"])
        signing = Signing()
        with override(_find_language()), read_snapshot(is_long=True):
            try:
                made = export(club, _request_of(club, options), timezone.now())
            except RefusedError as error:
                raise TroubleError(message_of(error)) from error
            target = options["file"] or made.name
            to_file = None if target == STANDARD_INPUT else target
            with open_output(to_file, self.stdout, private=True) as put:
                for piece in signing.passing(made.pieces):
                    put(piece)
        if to_file is not None:
            self.screen.line(f"{club.name}: written to {to_file}")
            for words in made.notices:
                self.screen.line(visible(words))
            self._sign(signing, to_file)
        return FINE

    def _sign(self, signing: Signing, target: str) -> None:
        """Put the signature beside the file, if this installation has a key."""
        signature = signing.sign()
        if signature is not None:
            with open_output(f"{target}{EXTENSION}", self.stdout) as put:
                put(f"{signature.text()}\n".encode())
            self.screen.line(f"signed with key {signature.key}: {target}{EXTENSION}")


def _request_of(club: Club, options: dict[str, Any]) -> ExportRequest:
    """Return the export that is asked for. Raises TroubleError without such an event or league."""
    what, wanted = options["what"], options["format"]
    if wanted is None:
        ending = next(
            (key for end, key in _ENDINGS.items() if (options["file"] or "").endswith(end)), ""
        )
        usual = BUNDLE if what == "club" else "xlsx"
        wanted = ending if ending in KINDS[what].formats else usual
    event, league = options["event"], options["league"]
    return ExportRequest(
        what=what,
        format=wanted,
        event=find_named(Event.objects.filter(club=club), event).pk if event else None,
        league=find_named(League.objects.filter(club=club), league).pk if league else None,
        ids=options["ids"],
        site=options["site"].rstrip("/"),
    )


def _find_language() -> str:
    """The language that the environment names, as far as there is one; else English."""
    for name in languages():
        try:
            return get_supported_language_variant(name.split(".")[0].replace("_", "-").lower())
        except LookupError:
            continue
    return "en"
