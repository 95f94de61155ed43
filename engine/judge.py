"""judge: a text in, every record judged and settled in its game (notation.md 4).

The command line, the page and the API all ask here, and so give the same answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from engine.claims import judge_totals
from engine.faults import Fault, Part, Severity
from engine.following import Games, believed, compare_totals, inherited, is_whole
from engine.game import HandResult, judge_hand
from engine.notation.diagnostics import Diagnostic, Report, Rule
from engine.notation.places import place
from engine.notation.reader import Entry, Mode, Reader
from engine.notation.source import Source
from engine.notation.values import Misread, read_date
from engine.presets import BICYCLE
from engine.record import Detail, HandRecord
from engine.rules import Rules
from engine.values import quickly_made

MOST_FINDINGS: Final = 100
"""How many faults of one record are placed in its text (notation.md 3.5)."""


class Finding(NamedTuple):
    """One thing that is wrong: where in the text, and as the engine sees it."""

    diagnostic: Diagnostic
    fault: Fault | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class Judged:
    """One record of a text with everything that was found out about it.

    ``result`` is None where there is no hand to judge: a bridge record, a rejected record, the
    record of a whole game. ``game`` numbers the games of the text from 0, ``hand`` the hands of
    a game from 0. After ``today`` no hand can have been played.
    """

    entry: Entry
    rules: Rules | None = None
    result: HandResult | None = None
    faults: tuple[Fault, ...] = ()
    game: int | None = None
    hand: int = 0
    today: date | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that is wrong, in the order of the text."""
        found = [Finding(diagnostic) for diagnostic in self.entry.diagnostics]
        if self.today is not None and self.entry.record is not None:
            found += map(Finding, _still_to_come(self.entry, self.today))
        said = {(one.diagnostic.rule, one.diagnostic.line) for one in found}
        slips = _slips(self.entry.diagnostics)
        for fault in self.faults[:MOST_FINDINGS]:
            placed = place(self.entry, fault)
            if (placed.rule, placed.line) not in said and not _comes_of(slips, fault, placed.line):
                found.append(Finding(placed, fault))
        return tuple(sorted(found, key=lambda one: (one.diagnostic.line, one.diagnostic.col)))

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, or only things that are harmless."""
        serious = (Severity.ERROR, Severity.RULING)
        return self.entry.ok and not any(fault.severity in serious for fault in self.faults)


def _still_to_come(entry: Entry, today: date) -> tuple[Diagnostic, ...]:
    """A hand cannot have been played after today; an unknown digit may be any."""
    written = entry.value("Date") or ""
    if written.replace("?", "0") <= today.isoformat().replace("-", "."):
        return ()
    try:
        read_date(written)
    except Misread:
        return ()
    tag = entry.document.tag("Date")
    assert tag is not None, "a date has a tag"
    report = Report(entry.number)
    words, hint = f"{written} is still to come", "check the year; this date is in the future"
    report.add(Rule.DATE, tag.value_spot, words, hint=hint, severity=Severity.WARNING)
    return report.diagnostics


def _slips(diagnostics: Iterable[Diagnostic]) -> frozenset[int]:
    """The lines on which a trick has a cell too many or too few."""
    odd = (one for one in diagnostics if one.rule == Rule.ROW_LENGTH and one.tag == "PlayTable")
    return frozenset(one.line for one in odd)


def _comes_of(slips: frozenset[int], fault: Fault, line: int) -> bool:
    """Whether a fault is only what such a slip makes of its trick, or of a count of tricks."""
    if not slips:
        return False
    return fault.part is Part.CLAIM or (fault.part is Part.PLAY and line in slips)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A whole text judged."""

    records: tuple[Judged, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether every record is in order and nothing is wrong with the file."""
        file_ok = all(one.severity is not Severity.ERROR for one in self.diagnostics)
        return file_ok and bool(self.records) and all(record.ok for record in self.records)


class Judge:
    """Judges a source record by record, in constant memory; iterate over it once.

    ``rules`` overrule those that the records name. Dates after ``today`` are reported, if it is
    given: the engine has no clock. ``diagnostics`` concern the whole file.
    """

    def __init__(
        self,
        source: Source,
        rules: Rules | None = None,
        *,
        mode: Mode = Mode.LENIENT,
        encoding: str | None = None,
        today: date | None = None,
    ) -> None:
        self._today = today
        self._reader = Reader(source, mode=mode, encoding=encoding)
        self._rules = rules
        self._games = Games()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file as a whole."""
        return self._reader.diagnostics

    def __iter__(self) -> Iterator[Judged]:
        for entry in self._reader:
            if entry.record is None:
                yield Judged(entry)
            else:
                yield self._judged(entry, entry.record)

    def _judged(self, entry: Entry, record: HandRecord) -> Judged:
        rules = self._rules or record.rules or BICYCLE
        key = entry.game
        if record.detail is Detail.GAME:
            hands = compare_totals(self._games.find(key), record)
            faults = (*judge_totals(record, rules), *hands)
            return Judged(entry, rules, faults=faults, today=self._today)
        game = self._games.of(key, record, rules)
        before, faults = inherited(game, record, rules)
        result = judge_hand(game.rules, before, record)
        state, differences = believed(game, record, result)
        told = judge_hand(game.rules, state, record) if state is not None else None
        if told is not None and is_whole(told.replay.before, result.replay.before, record):
            result = told
        game.note(record, result, told)
        claims = result.claims if told is None else told.claims
        found = (*faults, *differences, *result.replay.faults, *claims)
        return Judged(entry, game.rules, result, found, game.game, game.hands - 1, self._today)


def judge(
    source: Source,
    rules: Rules | None = None,
    *,
    mode: Mode = Mode.LENIENT,
    today: date | None = None,
) -> Verdict:
    """Judge a whole text. Never raises because of what it says."""
    judging = Judge(source, rules, mode=mode, today=today)
    records = tuple(judging)
    return Verdict(records, judging.diagnostics)
