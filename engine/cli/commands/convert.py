"""convert: write records in another form."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ...core.messages import PluralMessage
from ...notation import Diagnostic, RecordEntry
from ...verdicts.judge import JudgedFault
from ..diagnostics import lines_of
from ..inputs import open_input
from ..language import say
from ..outputs import open_output, refuse_overwriting
from ..profiles import (
    Record,
    Tell,
    csv_bytes,
    json_bytes,
    pbn_bytes,
    phn_bytes,
    records_of,
)
from ..screen import Screen
from ..session import FINE, WRONG, Options, Session, add_ascii

HELP: Final = "Convert a file of hand records (PHN, PBN or our JSON) to another form."
USAGE: Final = "FILE --to phn|pbn|json|csv [-o OUT] [--as-notrump]"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of this command."""
    parser.add_argument("file", metavar="FILE", help="a file of records; - for stdin")
    parser.add_argument("--to", choices=["phn", "pbn", "json", "csv"], required=True)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write (default: standard output)"
    )
    parser.add_argument(
        "--as-notrump",
        action="store_true",
        help="pbn: dress the play as a contract of 1NT, so that bridge viewers replay it",
    )
    add_ascii(parser)


def run(session: Session, options: Options) -> int:
    """Write every record of a file. May raise TroubleError."""
    target = options["output"]
    refuse_overwriting(options["file"], target)
    forms: dict[str, Callable[[Iterator[Record], Tell], Iterator[bytes]]] = {
        "phn": phn_bytes,
        "json": json_bytes,
        "csv": csv_bytes,
        "pbn": partial(pbn_bytes, as_notrump=options["as_notrump"]),
    }
    errors = 0

    def count_errors(records: Iterator[Record]) -> Iterator[Record]:
        nonlocal errors
        for record in records:
            errors += isinstance(record, RecordEntry) and not record.ok
            yield record

    with open_input(options["file"], session.gauge) as source:
        warn = partial(_warn, session, source.name)
        with open_output(target, session.out) as write:
            for piece in forms[options["to"]](count_errors(records_of(source)), warn):
                write(piece)
    if not errors:
        return FINE
    words = PluralMessage(
        "{count} record has errors; validate names them",
        "{count} records have errors; validate names them",
        count=errors,
    )
    session.err.write(f"{session.name}: {say(words)}\n")
    return WRONG


def _warn(session: Session, name: str, diagnostic: Diagnostic) -> None:
    """Say on standard error what the other form cannot hold."""
    ascii_only, make_room = session.screen.ascii_only, session.gauge.make_room
    screen = Screen(session.err, ascii_only=ascii_only, make_room=make_room)
    for line in lines_of(name, JudgedFault(diagnostic), None):
        screen.line(*line)
