from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from engine.cli.inputs import TroubleError, open_input
from engine.cli.screen import visible
from engine.cli.session import FINE, WRONG
from engine.core.messages import message_of
from scoring.management.terminal.command import TerminalCommand, said_of
from scoring.transfer.signatures import (
    EXTENSION,
    TEXT_MAX,
    Digested,
    Signature,
    SignatureError,
    key_of,
    own_key,
    signer_of,
    trust,
)

_BLOCK: Final = 1 << 20


class Command(TerminalCommand):
    """Check whose a file is that was taken away, or write down whose a key is."""

    help = (
        "Check that files which somebody took away are as they were signed, and say by whom; each"
        " has its signature beside it (FILE.sig). Without a file: show the key of this"
        " installation, which others write down with --trust KEY --name NAME. The exit status is 0"
        " if every file is intact and its signer is known here, 1 if not."
    )
    usage = "[FILE ...] [--signature FILE] [--trust KEY --name NAME]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", metavar="FILE", help="what is to be checked")
        parser.add_argument("--signature", help="where its signature is, if not beside it")
        parser.add_argument("--trust", metavar="KEY", help="the public key of somebody else")
        parser.add_argument("--name", default="", help="whose key that is")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        if options["trust"] is not None:
            return self._trust(options["trust"], options["name"])
        files, beside = options["files"], options["signature"]
        if not files:
            key = own_key()
            if key is None:
                raise TroubleError("this installation has no key; `manage.py serve` makes one")
            self.screen.line(f"{key}  (key {key_of(key)})")
            return FINE
        if beside is not None and len(files) > 1:
            raise TroubleError("--signature is that of one file")
        return max(self._check(name, beside or f"{name}{EXTENSION}") for name in files)

    def _trust(self, key: str, name: str) -> int:
        try:
            made = trust(key, name)
        except SignatureError as error:
            raise TroubleError(message_of(error)) from error
        self.screen.line(visible(f"key {made} is that of {name} from now on"))
        return FINE

    def _check(self, name: str, beside: str) -> int:
        try:
            with Path(beside).open("rb") as file:
                text = file.read(TEXT_MAX + 1)
        except OSError as error:
            raise TroubleError(f"cannot read {beside}: {error.strerror}") from error
        with open_input(name, self.gauge) as source:
            digested = Digested(source)
            while digested.read(_BLOCK):
                pass
        try:
            signature = Signature.read(text)
            signature.check(digested.digest())
        except SignatureError as error:
            self.screen.line(visible(f"{name}: {error}"))
            return WRONG
        self.screen.line(visible(f"{name}: {said_of(signature)}"))
        return WRONG if signer_of(signature) is None else FINE
