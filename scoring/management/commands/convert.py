from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TextIO, cast

from engine.judge import Finding
from engine.notation import Diagnostic, Entry
from scoring.terminal.command import FINE, WRONG, TerminalCommand
from scoring.terminal.diagnostics import lines_of
from scoring.terminal.inputs import Input, opened
from scoring.terminal.outputs import refuse_overwriting, written
from scoring.terminal.profiles import (
    Record,
    Tell,
    csv_bytes,
    json_bytes,
    pbn_bytes,
    phn_bytes,
    records_of,
)
from scoring.terminal.screen import Screen


class Command(TerminalCommand):
    """Write records in another form."""

    help = "Convert a file of hand records (PHN, PBN or our JSON) to another form."
    usage = "FILE --to phn|pbn|json|csv [-o OUT] [--as-notrump]"

    def add_arguments(self, parser: ArgumentParser) -> None:
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
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        target = options["output"]
        refuse_overwriting(options["file"], target)
        self._errors = 0
        forms: dict[str, Callable[[Iterator[Record], Tell], Iterator[bytes]]] = {
            "phn": phn_bytes,
            "json": json_bytes,
            "csv": csv_bytes,
            "pbn": partial(pbn_bytes, as_notrump=options["as_notrump"]),
        }
        form = forms[options["to"]]
        with opened(options["file"], self.gauge) as source:
            tell = partial(self._tell, source)
            with written(target, self.stdout) as write:
                for piece in form(self._counted(records_of(source)), tell):
                    write(piece)
        if not self._errors:
            return FINE
        noun = "record has" if self._errors == 1 else "records have"
        self.stderr.write(f"{self.name}: {self._errors} {noun} errors; validate names them\n")
        return WRONG

    def _counted(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if isinstance(record, Entry) and not record.ok:
                self._errors += 1
            yield record

    def _tell(self, source: Input, diagnostic: Diagnostic) -> None:
        err = cast("TextIO", self.stderr)
        screen = Screen(err, ascii_only=self.screen.ascii_only, make_room=self.gauge.make_room)
        for line in lines_of(source.name, Finding(diagnostic), None):
            screen.line(*line)
