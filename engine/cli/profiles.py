"""Profiles: records of any readable file as a stream of bytes in another form."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ..core.messages import Message, message_of
from ..notation import (
    PBN_HEAD,
    Diagnostic,
    Document,
    JsonError,
    Reader,
    RecordEntry,
    csv_lines,
    json_records,
    pbn_records,
    pieces,
    write_json,
)
from .inputs import Input, TroubleError

Record = RecordEntry | Document
Tell = Callable[[Diagnostic], None]
"""What to do with a warning."""

_RECORDS_IN_JSON: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:phn|records)"\s*:')
_JSON: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"')
_COULD_BE_JSON: Final = re.compile(rb"(?:\xef(?:\xbb(?:\xbf)?)?)?\s*(?:\{\s*)?\Z")
_OPENING, _CLOSING = write_json([]).split("[]")


def records_of(source: Input) -> Iterator[Record]:
    """The records of a PHN, PBN or JSON file, one by one.

    Raises TroubleError for JSON that is no file of ours.
    """
    if not _JSON.match(source.peek(_COULD_BE_JSON)):
        yield from Reader(source)
        return
    try:
        yield from json_records(source)
    except JsonError as error:
        raise TroubleError(
            Message("cannot read {file}: {why}", file=source.name, why=message_of(error))
        ) from error


def refuse_json(source: Input) -> None:
    """Raise TroubleError for a file of our JSON, which `convert` alone reads."""
    if _RECORDS_IN_JSON.match(source.peek(_COULD_BE_JSON)):
        raise TroubleError(
            Message("{file} is JSON; convert it first, with --to phn", file=source.name)
        )


def phn_bytes(records: Iterable[Record], _tell: Tell) -> Iterator[bytes]:
    """The canonical form."""
    return (piece.encode("utf-8", "replace") for piece in pieces(records))


def json_bytes(records: Iterable[Record], _tell: Tell) -> Iterator[bytes]:
    """JSON, one record after the other, as `write_json` writes them all at once."""
    yield f"{_OPENING}[".encode()
    gap = "\n"
    for record in records:
        body = write_json([record])[len(_OPENING) + len("[\n") : -len("\n ]" + _CLOSING)]
        yield (gap + body).encode("utf-8", "replace")
        gap = ",\n"
    yield (("]" if gap == "\n" else "\n ]") + _CLOSING).encode()


def csv_bytes(records: Iterable[Record], _tell: Tell) -> Iterator[bytes]:
    """CSV, one row for each seat."""
    return (line.encode("utf-8", "replace") for line in csv_lines(records))


def pbn_bytes(
    records: Iterable[Record], tell: Tell, *, as_notrump: bool = False
) -> Iterator[bytes]:
    """PBN 2.1 for bridge programs; what it cannot hold is told."""
    yield PBN_HEAD
    for record in pbn_records(records, as_notrump=as_notrump):
        yield record.data
        for diagnostic in record.diagnostics:
            tell(diagnostic)
