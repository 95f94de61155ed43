"""The record of a submission, both as stored text and as parsed values.

Submitted text is parsed once; a record built from moves or a result is formatted once and not
parsed again.
"""

from dataclasses import dataclass, field
from typing import Final

from engine.core.faults import Code, Fault, Part, Severity
from engine.core.messages import Message
from engine.core.values import maker
from engine.notation.reader import Reader, RecordEntry, read_canonical
from engine.notation.writer import VERSION_LINE, build_entry
from engine.record.record import HandRecord


@dataclass(frozen=True, slots=True)
class SubmittedRecord:
    """A text and its first record; ``faults`` report that it has none, or more than one.

    ``entry`` carries the diagnostics of the whole text.
    """

    text: bytes
    entry: RecordEntry = field(compare=False, repr=False)
    faults: tuple[Fault, ...] = ()

    @property
    def is_one(self) -> bool:
        """Whether the text is one record and nothing else."""
        return not self.faults


_submitted: Final = maker(SubmittedRecord)


def write_hand(record: HandRecord) -> SubmittedRecord:
    """Format a record; equal to `read_hand` of that text, without parsing it."""
    entry = build_entry(record)
    return _submitted((VERSION_LINE + entry.text).encode(), entry)


def read_hand(text: bytes, entry: RecordEntry | None = None) -> SubmittedRecord:
    """Parse a whole text and collect all of its diagnostics.

    ``entry`` is the text as it was read already among others, without a line of its version: it is
    not parsed again where nothing is wrong with it.
    """
    alone = read_canonical(text) if entry is None else entry.as_only_one()
    if alone is not None:
        return _submitted(text, alone)
    reader = Reader(text)
    entries = reader.records()
    first = next(entries, None)
    faults: tuple[Fault, ...] = ()
    if first is None:
        first = RecordEntry(text.decode("utf-8", "replace"), 1, 1)
        faults = (_fault(Message("there is no record in this text")),)
    elif next(entries, None) is not None:
        words = Message("more than one record is written; a hand has one, and the first is taken")
        faults = (_fault(words),)
    for _ in entries:
        pass
    first.diagnostics = (*reader.diagnostics, *first.diagnostics)
    return SubmittedRecord(text, first, faults)


def _fault(words: Message) -> Fault:
    return Fault(
        code=Code.RULES, rule="K6", message=words, severity=Severity.ERROR, part=Part.HEADER
    )
