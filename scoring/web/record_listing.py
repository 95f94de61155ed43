"""The text of a record with its lines numbered and its defects marked in place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from scoring.presentation.checks import Finding, Severity
from scoring.web.engine_wording import with_cards_of
from tournaments.core.language import translate

LINES_MAX = 1500
"""More lines than a person reads are not drawn; those around the record are."""
CHARACTERS_MAX = 400
ORDER: tuple[Severity, ...] = ("error", "ruling", "warning", "info")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class ListedPiece:
    """A stretch of a line, marked or plain."""

    text: str
    severity: str


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A line of a text; of each of its ``findings`` the severity, the rule and the message."""

    number: int
    pieces: list[ListedPiece]
    severity: str
    findings: Sequence[tuple[str, str, SafeString]]


@dataclass(frozen=True, slots=True)
class Listing:
    lines: list[ListedLine]
    above: int
    below: int


def decode(text: bytes) -> str:
    """Characters to show; the judge reads the bytes themselves."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if text.startswith(mark):
            return text.decode(encoding, "replace")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def worst(findings: list[Finding]) -> str:
    """The gravest severity; empty for none."""
    return min((finding["severity"] for finding in findings), key=ORDER.index, default="")


def listing(text: str, findings: list[Finding], *, start: int = 1) -> Listing:
    """The lines from ``start`` on, or all where they are few."""
    lines = _LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    by_line: dict[int, list[Finding]] = {}
    for finding in findings:
        by_line.setdefault(finding["line"], []).append(finding)
    first = max(start - 3, 1) if len(lines) > LINES_MAX else 1
    shown = lines[first - 1 : first - 1 + LINES_MAX]
    return Listing(
        [_line(number, line, by_line.get(number, [])) for number, line in enumerate(shown, first)],
        above=first - 1,
        below=len(lines) - (first - 1) - len(shown),
    )


def _line(number: int, text: str, findings: list[Finding]) -> ListedLine:
    cut = text[:CHARACTERS_MAX] + ("…" if len(text) > CHARACTERS_MAX else "")
    pieces, place = [], 0
    for finding in sorted(findings, key=lambda found: (found["col"], found["end_col"])):
        start, end = max(finding["col"] - 1, place), min(max(finding["end_col"] - 1, 0), len(cut))
        if start < end:
            pieces += [
                ListedPiece(cut[place:start], ""),
                ListedPiece(cut[start:end], finding["severity"]),
            ]
            place = end
    pieces.append(ListedPiece(cut[place:], ""))
    remarks = [
        (one["severity"], one["rule"], with_cards_of(one, translate(one["message"])))
        for one in findings
    ]
    return ListedLine(number, [piece for piece in pieces if piece.text], worst(findings), remarks)
