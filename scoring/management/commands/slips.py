from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import sleep
from typing import Any, Final

from django.utils import timezone

from engine.cli.inputs import TroubleError
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG
from engine.core.messages import message_of
from scoring.management.terminal.command import Database, TerminalCommand, find_named
from scoring.models import SlipPicture, SlipState
from scoring.presentation.seat_names import name_people, names_at_table
from scoring.slips.intake import PICTURES_MAX, read_picture, take_pictures
from scoring.slips.review import SlipView, accept_slip, list_slips
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.models import Event

WAIT_SECONDS: Final = 0.5
"""Between two looks at a picture that a worker reads."""
_BY = Actor(ActorKind.SYSTEM, Source.COMMAND)


class Command(TerminalCommand):
    """Read pictures of score slips, and say what each slip says and asks."""

    help = (
        "Read pictures or scans of the score slips of an event (JPEG, PNG, WebP, TIFF, PDF) and say"
        " of each slip what it says and what is asked. --accept-clean enters those of which nothing"
        " is asked; all others wait at the desk. The same picture again changes nothing. The exit"
        " status is 0 if nothing is asked and every picture was read, 1 otherwise."
    )
    database = Database.MIGRATED
    usage = "--event EVENT [--accept-clean] FILE ..."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a picture, or a PDF")
        parser.add_argument("--event", required=True, help="its identifier, or its name")
        parser.add_argument(
            "--accept-clean", action="store_true", help="enter the hands that leave no question"
        )
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        event = find_named(Event.objects.select_related("club", "rule_set"), options["event"])
        files = options["files"]
        problems = [
            problem
            for first in range(0, len(files), PICTURES_MAX)
            for problem in _read_files(event, files[first : first + PICTURES_MAX])
        ]
        for problem in problems:
            self.screen.line(visible(problem))
        views = list_slips(event)
        if options["accept_clean"]:
            views = [self._accept(view) for view in views]
        for view in views:
            for line in _describe(view):
                self.screen.line(visible(line))
        is_open = any(view.slip.state in (SlipState.READ, SlipState.FOREIGN) for view in views)
        return WRONG if problems or is_open else FINE

    def _accept(self, view: SlipView) -> SlipView:
        """Enter the hand of a clean slip; one that is refused after all is left for the desk."""
        slip = view.slip
        if view.is_clean:
            try:
                event, at = slip.event_id, timezone.now()
                slip.state = accept_slip(event_id=event, slip_id=slip.pk, by=_BY, at=at).state
            except RefusedError as error:
                self.screen.line(visible(message_of(error)))
        return view


def _read_files(event: Event, names: Sequence[str]) -> Iterator[str]:
    """Read some files at once; what in them could not be read."""
    try:
        data = [Path(name).read_bytes() for name in names]
        pictures = take_pictures(event_id=event.pk, files=data, by=_BY, at=timezone.now())
    except OSError as error:
        raise TroubleError(f"cannot read {error.filename}: {error.strerror}") from error
    except RefusedError as error:
        raise TroubleError(message_of(error)) from error
    for name, picture in zip(names, pictures, strict=True):
        for problem in _read(picture).problems:
            yield f"{Path(name).name}: {problem}"


def _read(picture: SlipPicture) -> SlipPicture:
    """Read a picture, or wait for the worker that does; as it is then.

    The picture of a worker that died is due again after a while.
    """
    while True:
        read_picture(picture_id=picture.pk, clock=timezone.now)
        row = SlipPicture.objects.defer("original").get(pk=picture.pk)
        if row.read_at is not None:
            return row
        sleep(WAIT_SECONDS)


def _describe(view: SlipView) -> Iterator[str]:
    """What a slip says, and below it what is asked."""
    slip, found, names = view.slip, view.interpretation, {}
    table = view.code.number or (view.table.number if view.table else "?")
    number = view.code.round or (view.table.round.number if view.table else "?")
    if view.game is not None and slip.number:
        names = names_at_table(view.game, slip.number)
    said = "" if found is None or found.played is None else found.played.sentence
    words = view.obstacle or name_people(said, names)
    state = "" if slip.state == SlipState.READ else f"{slip.state}: "
    yield f"round {number}, table {table}, hand {slip.number or '?'}: {state}{words}".rstrip(": ")
    for asked in view.questions:
        yield f"  {name_people(asked.message, names)}"
