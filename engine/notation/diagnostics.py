"""Diagnostics: what is wrong with a text, where, and what was probably meant (notation.md 3.5).

The rules with L, S, T and W are defined here, each once. The rules with D, A, P and C are the
engine's; `engine.notation.fault_places` gives their faults a place in the text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple

from engine.faults import TITLES, Code, Severity

MOST_DIAGNOSTICS: Final = 100
"""How many diagnostics one record may have; the last one says that there were more."""


class Rule(StrEnum):
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


class Meaning(NamedTuple):
    """What a rule asks for: how bad a breach is, a short title, and what to do."""

    severity: Severity
    title: str
    hint: str


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES: Final = {
    Rule.BAD_BYTE: Meaning(
        _ERROR, "a byte that is no character", "save the file as UTF-8, or name its encoding"
    ),
    Rule.ENCODING_FALLBACK: Meaning(
        _INFO,
        "not UTF-8, read as Latin-1",
        "check the accented letters; name the encoding if wrong",
    ),
    Rule.CONTROL_CHARACTER: Meaning(
        _ERROR, "a control or hidden character", "delete the character"
    ),
    Rule.UNCLOSED_COMMENT: Meaning(_ERROR, "a comment without its }", "close the comment with }"),
    Rule.UNCLOSED_STRING: Meaning(
        _ERROR, "a string or tag without its end", 'end the tag with "] on the same line'
    ),
    Rule.BAD_ESCAPE: Meaning(
        _WARNING, "a bad escape in a string", 'inside a string write \\" and \\\\'
    ),
    Rule.LONG_LINE: Meaning(
        _WARNING, "a line longer than 255 bytes", "other programs may cut the line"
    ),
    Rule.STRAY_TEXT: Meaning(
        _ERROR, "text that belongs to nothing", "remove it, or make it a comment in braces"
    ),
    Rule.UNQUOTED_VALUE: Meaning(
        _WARNING, "a tag value without quotes", "put the value in double quotes"
    ),
    Rule.NO_VERSION: Meaning(_INFO, "no version line", 'begin the file with "% PHN 1.0"'),
    Rule.UNKNOWN_MAJOR: Meaning(
        _ERROR, "a version this program does not know", "read the file with a newer program"
    ),
    Rule.TAG_TWICE: Meaning(_WARNING, "a tag twice", "keep one of them; the first counts"),
    Rule.TAG_AFTER_TABLE: Meaning(
        _INFO, "a tag after a table", "write all tags before the first table"
    ),
    Rule.ROW_LENGTH: Meaning(
        _ERROR, "a row that does not fit its columns", "write one cell for each column; - is empty"
    ),
    Rule.COMMENT_IN_TABLE: Meaning(
        _WARNING, "a comment inside a table", "write the comment after the table's tag"
    ),
    Rule.NO_BLANK_LINE: Meaning(
        _WARNING, "no blank line between records", "put a blank line before this tag"
    ),
    Rule.TAG_MISSING: Meaning(_ERROR, "a tag is missing", "add the tag"),
    Rule.DETAIL_TOO_HIGH: Meaning(
        _WARNING, "Detail promises more than there is", "write the level that the record has"
    ),
    Rule.NOT_CANONICAL: Meaning(
        _ERROR, "not canonical, or too large", "write the record with this program"
    ),
    Rule.DATE: Meaning(_ERROR, "a date that is none", "write YYYY.MM.DD, ? for unknown digits"),
    Rule.BOARD: Meaning(_ERROR, "a hand number that is none", "write a whole number from 1"),
    Rule.SEAT: Meaning(_ERROR, "a seat that is not at this table", "use a seat of the Seats tag"),
    Rule.PLAYERS: Meaning(_ERROR, "too few or too many players", "check Seats and Variant"),
    Rule.MONEY: Meaning(_ERROR, "an amount of money that is none", "write an amount such as 5.00"),
    Rule.TERMINATION: Meaning(
        _ERROR,
        "an unknown Termination",
        "use normal, claim, foot, passed-out, redeal, abandoned, adjudicated or unterminated",
    ),
    Rule.VARIANT: Meaning(
        _ERROR, "an unknown variant or house rule", "use a known variant, rule and value"
    ),
    Rule.CARD: Meaning(_ERROR, "not a card", "write suit and rank, such as SQ"),
    Rule.NUMBER: Meaning(_ERROR, "not a number", "write a whole number with the digits 0 to 9"),
    Rule.VALUE: Meaning(_ERROR, "a value of the wrong kind", "see the notation, section 3.3"),
    Rule.NAME: Meaning(
        _WARNING,
        'a name that is not "Last, First"',
        "write the family name, a comma, the given name",
    ),
    Rule.NOT_LATIN: Meaning(
        _WARNING, "a character that PBN cannot hold", "it is written as ? in the pbn profile"
    ),
    Rule.PRIVATE_TAG: Meaning(
        _INFO, "a private tag", "other programs keep X_ tags without understanding them"
    ),
    Rule.VALUE_LOST: Meaning(
        _WARNING, "a value that the pbn profile loses", "keep the phn file as the original"
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
    message: str
    hint: str


class Report:
    """Collects the diagnostics of one record, a hundred at most."""

    def __init__(self, record: int = 0) -> None:
        self.record = record
        self.found: list[Diagnostic] = []
        self.full = False

    def add(
        self,
        rule: Rule,
        spot: Spot,
        message: str,
        *,
        hint: str = "",
        severity: Severity | None = None,
    ) -> None:
        """Note a breach of a rule at a place."""
        if self.full:
            return
        if len(self.found) >= MOST_DIAGNOSTICS - 1:
            self.full = True
            rule, message, hint, severity = (
                Rule.NOT_CANONICAL,
                f"more than {MOST_DIAGNOSTICS} defects in this record; the rest is not listed",
                "mend these first",
                None,
            )
        meaning = RULES[rule]
        self._keep(rule.value, severity or meaning.severity, spot, message, hint or meaning.hint)

    def card_twice(self, spot: Spot, message: str) -> None:
        """Note D30: a set cannot hold a card twice, so the engine would never see it."""
        if not self.full:
            hint = f"{TITLES[Code.CARD_TWICE]}: remove one of them"
            self._keep(Code.CARD_TWICE.value, Severity.ERROR, spot, message, hint)

    def _keep(self, rule: str, severity: Severity, spot: Spot, message: str, hint: str) -> None:
        line, col, end, tag = spot
        place = (line, col, max(end, col + 1), self.record, tag)
        self.found.append(Diagnostic(rule, severity, *place, message, hint))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found, in the order of the text."""
        return tuple(sorted(self.found, key=lambda found: (found.line, found.col)))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error."""
    return any(found.severity is Severity.ERROR for found in diagnostics)


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """A hint naming the nearest known word, or nothing.

    >>> did_you_mean("Deeler", ["Dealer", "Deal"])
    'did you mean Dealer?'
    """
    size = len(written)
    by_fold = {word.casefold(): word for word in known if abs(len(word) - size) <= 3}
    near = get_close_matches(written[:40].casefold(), by_fold, 1, 0.7)
    return f"did you mean {by_fold[near[0]]}?" if near else ""
