"""Signatures beside the files of a command, and the sentence that it prints about a valid one."""

from pathlib import Path

from engine.cli.inputs import STANDARD_INPUT, TroubleError
from scoring.transfer.signatures import EXTENSION, Signature, signer_of


def read_signature(name: str) -> Signature | None:
    """The signature beside a file, if there is one. Raises SignatureError and TroubleError."""
    path = Path(f"{name}{EXTENSION}")
    if name == STANDARD_INPUT or not path.is_file():
        return None
    try:
        return Signature.read(path.read_bytes())
    except OSError as error:
        raise TroubleError(f"cannot read {path}: {error.strerror}") from error


def said_of(signature: Signature | None) -> str:
    """Whether a file was signed, and by whom; the signature was checked."""
    if signature is None:
        return "it is not signed: nobody says whose it is"
    who = signer_of(signature)
    if who is None:
        return (
            f"intact; signed with key {signature.key}, which this installation does not know"
            " (manage.py signature --trust)"
        )
    return f"intact; signed by {who} (key {signature.key})"
