"""The record of a submission: what was sent, as text for the books and as values to be judged.

A text is read once, a record made of moves or of a result is written once; nothing is written to
be read again.
"""

from dataclasses import dataclass, field
from typing import Final

from engine.faults import Code, Fault, Part, Severity
from engine.messages import Message
from engine.notation.reader import Reader, RecordEntry, read_canonical
from engine.notation.writer import VERSION_LINE, build_entry
from engine.record.record import HandRecord
from engine.values import maker


@dataclass(frozen=True, slots=True)
class SubmittedRecord:
    """A text and the first record in it; ``faults`` say that there is none, or another one.

    ``entry`` has the diagnostics of the whole text.
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
    """The text of a record in hand: what `read_hand` finds in it is known without reading it."""
    entry = build_entry(record)
    return _submitted((VERSION_LINE + entry.text).encode(), entry)


def read_hand(text: bytes) -> SubmittedRecord:
    """Read a text to its end, so that everything that is wrong with it is known."""
    alone = read_canonical(text)
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
