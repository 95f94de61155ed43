"""Diagnostics as a compiler prints them: the place, what is wrong, the line, what was legal."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ..core.cards import show
from ..core.faults import Fault, Severity, without_legal
from ..core.messages import Message, PluralMessage, join_items
from ..notation import Diagnostic
from ..verdicts.judge import JudgedFault
from .cards import names
from .language import say
from .screen import Line, count_columns, visible

STYLES: Final = {
    Severity.ERROR: "bold red",
    Severity.RULING: "bold magenta",
    Severity.WARNING: "bold yellow",
    Severity.INFO: "bold cyan",
}
_SHOWN_MAX: Final = 70
_BEFORE_CARET: Final = 30


@dataclass(slots=True)
class FaultTally:
    """The amount that was read, and the part of it that was wrong."""

    records: int = 0
    found: Counter[Severity] = field(default_factory=Counter)
    no_records: int = 0
    """Files that are empty, or no text at all."""

    @property
    def wrong(self) -> bool:
        """Whether anything is an error or waits for a ruling."""
        return bool(self.no_records or self.found[Severity.ERROR] or self.found[Severity.RULING])

    @property
    def words(self) -> str:
        """The summary, for instance "8 records, no errors, 1 warning"."""
        errors, rulings = self.found[Severity.ERROR], self.found[Severity.RULING]
        warnings, notes = self.found[Severity.WARNING], self.found[Severity.INFO]
        parts: list[str] = [
            PluralMessage("{count} record", "{count} records", count=self.records)
            if self.records
            else Message("no records"),
            PluralMessage("{count} error", "{count} errors", count=errors)
            if errors
            else Message("no errors"),
        ]
        if rulings:
            parts.append(
                PluralMessage("{count} ruling needed", "{count} rulings needed", count=rulings)
            )
        parts.append(
            PluralMessage("{count} warning", "{count} warnings", count=warnings)
            if warnings
            else Message("no warnings")
        )
        if notes:
            parts.append(PluralMessage("{count} note", "{count} notes", count=notes))
        return join_items(parts)


def lines_of(name: str, finding: JudgedFault, source: str | None) -> Iterator[Line]:
    """One finding; ``source`` is its line in the file, if that is at hand."""
    said, fault = finding
    place = f"{visible(name)}:{said.line}:{said.col}:"
    style = STYLES[said.severity]
    yield [
        (place, "bold"),
        (" ", ""),
        (f"{say(said.severity.words)} {said.rule}:", style),
        (f" {visible(say(without_legal(said.message)))}", ""),
    ]
    if source is not None:
        yield from _quote_source(said, source, style)
    for words in _advice(said, fault):
        yield [("      = ", "cyan"), (visible(say(words)), "")]


def format_finding(diagnostic: Diagnostic) -> str:
    """A finding in one line, with the line of the file, without the legal cards."""
    message = Message(
        "{severity} {rule}, line {line}: {message}",
        severity=diagnostic.severity.words,
        rule=diagnostic.rule,
        line=diagnostic.line,
        message=without_legal(diagnostic.message),
    )
    return visible(say(message))


def _advice(diagnostic: Diagnostic, fault: Fault | None) -> Iterator[str]:
    if fault is None:
        yield from filter(None, [diagnostic.hint])
        return
    if fault.legal:
        yield Message("legal: {cards}", cards=" ".join(names(show(fault.legal))))
    elif diagnostic.hint:
        yield diagnostic.hint
    title = Message("{title} ({rule})", title=fault.code.words, rule=fault.rule)
    if fault.established:
        title = Message("{title}; play went on after it", title=title)
    yield title


def _quote_source(diagnostic: Diagnostic, source: str, style: str) -> Iterator[Line]:
    """The line of the file and a caret under every column meant; a long line is cut."""
    start = max(diagnostic.col - 1 - _BEFORE_CARET, 0) if len(source) > _SHOWN_MAX else 0
    shown = source[start : start + _SHOWN_MAX]
    left, right = ("…" if start else ""), ("…" if len(source) > start + _SHOWN_MAX else "")
    before = left + visible(shown[: diagnostic.col - 1 - start])
    meant = visible(shown[diagnostic.col - 1 - start : diagnostic.end_col - 1 - start])
    gutter = f"{diagnostic.line:>5} "
    yield [(gutter, "cyan"), ("│ ", "cyan"), (left + visible(shown) + right, "")]
    carets = "^" * max(count_columns(meant), 1)
    blank = " " * len(gutter)
    yield [(f"{blank}│ ", "cyan"), (" " * count_columns(before), ""), (carets, style)]
