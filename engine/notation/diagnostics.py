"""Diagnostics: what is wrong with a text, where, and what was probably meant (notation.md 3.5).

The rules with L, S, T and W are defined here, each once. The rules with D, A, P and C are the
engine's; `notation.fault_places` gives their faults a place in the text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple

from ..core.faults import Code, Severity
from ..core.messages import NO_MESSAGE, Message

DIAGNOSTICS_MAX: Final = 100
"""How many diagnostics one record may have; the last one says that there were more."""


class NotationRule(StrEnum):
    """The rules of the text itself: lexical, structure, values, portability."""

    BAD_BYTE = "L01"
    ENCODING_FALLBACK = "L02"
    CONTROL_CHARACTER = "L03"
    UNCLOSED_COMMENT = "L04"
    UNCLOSED_STRING = "L05"
    BAD_ESCAPE = "L06"
    LONG_LINE = "L07"
    STRAY_TEXT = "L08"
    UNQUOTED_VALUE = "L09"

    NO_VERSION = "S10"
    UNKNOWN_MAJOR = "S11"
    TAG_TWICE = "S12"
    TAG_AFTER_TABLE = "S13"
    ROW_LENGTH = "S14"
    COMMENT_IN_TABLE = "S15"
    NO_BLANK_LINE = "S16"
    TAG_MISSING = "S17"
    DETAIL_TOO_HIGH = "S18"
    NOT_CANONICAL = "S19"

    DATE = "T20"
    BOARD = "T21"
    SEAT = "T22"
    PLAYERS = "T23"
    MONEY = "T24"
    TERMINATION = "T25"
    VARIANT = "T26"
    CARD = "T27"
    NUMBER = "T28"
    VALUE = "T29"

    NAME = "W90"
    NOT_LATIN = "W91"
    PRIVATE_TAG = "W92"
    VALUE_LOST = "W93"
    PASTED = "W94"


class Meaning(NamedTuple):
    """The meaning of a rule: how bad a breach is, a short title, and what to do."""

    severity: Severity
    title: Message
    hint: Message


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES: Final = {
    NotationRule.BAD_BYTE: Meaning(
        _ERROR,
        Message("a byte that is no character"),
        Message("save the file as UTF-8, or name its encoding"),
    ),
    NotationRule.ENCODING_FALLBACK: Meaning(
        _INFO,
        Message("not UTF-8, read as Latin-1"),
        Message("check the accented letters; name the encoding if wrong"),
    ),
    NotationRule.CONTROL_CHARACTER: Meaning(
        _ERROR, Message("a control or hidden character"), Message("delete the character")
    ),
    NotationRule.UNCLOSED_COMMENT: Meaning(
        _ERROR, Message("a comment without its }"), Message("close the comment with }")
    ),
    NotationRule.UNCLOSED_STRING: Meaning(
        _ERROR,
        Message("a string or tag without its end"),
        Message('end the tag with "] on the same line'),
    ),
    NotationRule.BAD_ESCAPE: Meaning(
        _WARNING, Message("a bad escape in a string"), Message('inside a string write \\" and \\\\')
    ),
    NotationRule.LONG_LINE: Meaning(
        _WARNING,
        Message("a line longer than 255 bytes"),
        Message("other programs may cut the line"),
    ),
    NotationRule.STRAY_TEXT: Meaning(
        _ERROR,
        Message("text that belongs to nothing"),
        Message("remove it, or make it a comment in braces"),
    ),
    NotationRule.UNQUOTED_VALUE: Meaning(
        _WARNING, Message("a tag value without quotes"), Message("put the value in double quotes")
    ),
    NotationRule.NO_VERSION: Meaning(
        _INFO, Message("no version line"), Message('begin the file with "% PHN 1.0"')
    ),
    NotationRule.UNKNOWN_MAJOR: Meaning(
        _ERROR,
        Message("a version this program does not know"),
        Message("read the file with a newer program"),
    ),
    NotationRule.TAG_TWICE: Meaning(
        _WARNING, Message("a tag twice"), Message("keep one of them; the first counts")
    ),
    NotationRule.TAG_AFTER_TABLE: Meaning(
        _INFO, Message("a tag after a table"), Message("write all tags before the first table")
    ),
    NotationRule.ROW_LENGTH: Meaning(
        _ERROR,
        Message("a row that does not fit its columns"),
        Message("write one cell for each column; - is empty"),
    ),
    NotationRule.COMMENT_IN_TABLE: Meaning(
        _WARNING,
        Message("a comment inside a table"),
        Message("write the comment after the table's tag"),
    ),
    NotationRule.NO_BLANK_LINE: Meaning(
        _WARNING,
        Message("no blank line between records, or one inside a record"),
        Message("put a blank line before this tag"),
    ),
    NotationRule.TAG_MISSING: Meaning(_ERROR, Message("a tag is missing"), Message("add the tag")),
    NotationRule.DETAIL_TOO_HIGH: Meaning(
        _WARNING,
        Message("Detail promises more than there is"),
        Message("write the level that the record has"),
    ),
    NotationRule.NOT_CANONICAL: Meaning(
        _ERROR,
        Message("not canonical, or too large"),
        Message("write the record with this program"),
    ),
    NotationRule.DATE: Meaning(
        _ERROR, Message("a date that is none"), Message("write YYYY.MM.DD, ? for unknown digits")
    ),
    NotationRule.BOARD: Meaning(
        _ERROR, Message("a hand number that is none"), Message("write a whole number from 1")
    ),
    NotationRule.SEAT: Meaning(
        _ERROR, Message("a seat that is not at this table"), Message("use a seat of the Seats tag")
    ),
    NotationRule.PLAYERS: Meaning(
        _ERROR, Message("too few or too many players"), Message("check Seats and Variant")
    ),
    NotationRule.MONEY: Meaning(
        _ERROR, Message("an amount of money that is none"), Message("write an amount such as 5.00")
    ),
    NotationRule.TERMINATION: Meaning(
        _ERROR,
        Message("an unknown Termination"),
        Message(
            "use normal, claim, foot, passed-out, redeal, abandoned, adjudicated or unterminated"
        ),
    ),
    NotationRule.VARIANT: Meaning(
        _ERROR,
        Message("an unknown variant or house rule"),
        Message("use a known variant, rule and value"),
    ),
    NotationRule.CARD: Meaning(
        _ERROR, Message("not a card"), Message("write suit and rank, such as SQ")
    ),
    NotationRule.NUMBER: Meaning(
        _ERROR, Message("not a number"), Message("write a whole number with the digits 0 to 9")
    ),
    NotationRule.VALUE: Meaning(
        _ERROR, Message("a value of the wrong kind"), Message("see the notation, section 3.3")
    ),
    NotationRule.NAME: Meaning(
        _WARNING,
        Message('a name that is not "Last, First"'),
        Message("write the family name, a comma, the given name"),
    ),
    NotationRule.NOT_LATIN: Meaning(
        _WARNING,
        Message("a character that PBN cannot hold"),
        Message("it is written as ? in the pbn profile"),
    ),
    NotationRule.PRIVATE_TAG: Meaning(
        _INFO,
        Message("a private tag"),
        Message("other programs keep X_ tags without understanding them"),
    ),
    NotationRule.VALUE_LOST: Meaning(
        _WARNING,
        Message("a value that the pbn profile loses"),
        Message("keep the phn file as the original"),
    ),
    NotationRule.PASTED: Meaning(
        _WARNING,
        Message("a text out of a mail, a chat or a word processor"),
        Message("attach the file itself instead of pasting it"),
    ),
}
"""Every rule of the text with its meaning."""


class Spot(NamedTuple):
    """A place in the text: line and columns from 1, the end not included."""

    line: int
    col: int
    end: int
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding in a text.

    ``rule`` is the id of notation.md 3.5; ``line``, ``col`` and ``end_col`` count from 1 in the
    file, the end not included; ``record`` counts the records of the file from 1 (0: the file).
    """

    rule: str
    severity: Severity
    line: int
    col: int
    end_col: int
    record: int
    tag: str
    message: Message
    hint: Message


class DiagnosticCollector:
    """Collects the diagnostics of one record, a hundred at most."""

    def __init__(self, record: int = 0) -> None:
        self.record = record
        self.found: list[Diagnostic] = []
        self.full = False

    def add(
        self,
        rule: NotationRule,
        spot: Spot,
        message: Message,
        *,
        hint: Message = NO_MESSAGE,
        severity: Severity | None = None,
    ) -> None:
        """Note a breach of a rule at a place."""
        if self.full:
            return
        if len(self.found) >= DIAGNOSTICS_MAX - 1:
            self.full = True
            rule, message, hint, severity = (
                NotationRule.NOT_CANONICAL,
                Message(
                    "more than {most} defects in this record; the rest is not listed",
                    most=DIAGNOSTICS_MAX,
                ),
                Message("mend these first"),
                None,
            )
        meaning = RULES[rule]
        self._keep(rule.value, severity or meaning.severity, spot, message, hint or meaning.hint)

    def card_twice(self, spot: Spot, message: Message) -> None:
        """Note D30: a set cannot hold a card twice, so the engine would never see it."""
        if not self.full:
            hint = Message("a card twice: remove one of them")
            self._keep(Code.CARD_TWICE.value, Severity.ERROR, spot, message, hint)

    def _keep(
        self, rule: str, severity: Severity, spot: Spot, message: Message, hint: Message
    ) -> None:
        line, col, end, tag = spot
        place = (line, col, max(end, col + 1), self.record, tag)
        self.found.append(Diagnostic(rule, severity, *place, message, hint))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Findings, in the order of the text."""
        return tuple(sorted(self.found, key=lambda found: (found.line, found.col)))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(found.severity is Severity.ERROR for found in diagnostics)


def did_you_mean(written: str, known: Iterable[str]) -> Message:
    """A hint naming the nearest known word, or nothing.

    >>> did_you_mean("Deeler", ["Dealer", "Deal"])
    'did you mean Dealer?'
    """
    size = len(written)
    by_fold = {word.casefold(): word for word in known if abs(len(word) - size) <= 3}
    near = get_close_matches(written[:40].casefold(), by_fold, 1, 0.7)
    return Message("did you mean {near}?", near=by_fold[near[0]]) if near else NO_MESSAGE
