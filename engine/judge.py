"""judge: a text in, every record judged and settled in its game (notation.md 4).

The command line, the page and the API all ask here, and so give the same answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from engine.carried import Carried
from engine.claims import judge_totals
from engine.faults import Fault, Part, Severity
from engine.following import Followed, Games, believed, compare_totals, inherited, is_whole
from engine.game import HandResult, judge_hand
from engine.glance import glance
from engine.notation.diagnostics import Diagnostic, Report, Rule
from engine.notation.places import place
from engine.notation.quick_tables import Found
from engine.notation.reader import Entry, Mode, Reader
from engine.notation.source import Source
from engine.notation.values import Misread, read_date
from engine.presets import BICYCLE
from engine.record import Detail, HandRecord
from engine.rules import Rules
from engine.told import opening

MOST_FINDINGS: Final = 100
"""How many faults of one record are placed in its text (notation.md 3.5)."""


class Finding(NamedTuple):
    """One thing that is wrong: where in the text, and as the engine sees it."""

    diagnostic: Diagnostic
    fault: Fault | None = None


class Glanced(NamedTuple):
    """A hand in which nothing is wrong, seen at a glance: the state before and after it."""

    before: Carried | None
    after: Carried


class Judged:
    """One record of a text with everything that was found out about it.

    ``result`` is None where there is no hand to judge: a bridge record, a rejected record, the
    record of a whole game. ``game`` numbers the games of the text from 0, ``hand`` the hands of
    a game from 0. After ``today`` no hand can have been played.
    """

    __slots__ = ("_glanced", "_result", "entry", "faults", "game", "hand", "rules", "today")

    def __init__(  # noqa: PLR0913, PLR0917 - what was found out, most of it by keyword
        self,
        entry: Entry,
        rules: Rules | None = None,
        result: HandResult | None = None,
        faults: tuple[Fault, ...] = (),
        game: int | None = None,
        hand: int = 0,
        today: date | None = None,
        glanced: Glanced | None = None,
    ) -> None:
        self.entry = entry
        self.rules = rules
        self.faults = faults
        self.game = game
        self.hand = hand
        self.today = today
        self._result = result
        self._glanced = glanced

    @property
    def after(self) -> Carried | None:
        """The state that the hand left."""
        if self._glanced is not None:
            return self._glanced.after
        return None if self._result is None else self._result.after

    @property
    def result(self) -> HandResult | None:
        """The hand with all that came of it; what a glance told of it is worked out when asked."""
        if self._result is None and self._glanced is not None:
            assert self.rules is not None
            self._result = judge_hand(self.rules, self._glanced.before, self.entry.known)
        return self._result

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
        harmless = not self.faults or all(fault.severity not in serious for fault in self.faults)
        return harmless and self.entry.ok


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
        for batch in self._reader.in_batches():
            yield from map(self._judged, batch)

    def _judged(self, entry: Entry) -> Judged:
        if (hand := entry.hand) is not None:
            return self._played(entry, hand)
        if entry.record is not None:
            return self._other(entry, entry.record)
        return Judged(entry)

    def _played(self, entry: Entry, hand: Found) -> Judged:
        """A hand played to its end: where a glance does not tell that it is right, a long look."""
        rules = self._rules or hand.setting.rules
        game = self._games.of(entry.game, hand.number, rules)
        glanced = _glanced(hand, game, rules)
        if glanced is None:
            return self._looked_at(entry, entry.known, game, rules)
        game.go_on(hand.number, glanced.after)
        hands = game.hands - 1
        return Judged(entry, game.rules, None, (), game.game, hands, self._today, glanced)

    def _other(self, entry: Entry, record: HandRecord) -> Judged:
        rules = self._rules or record.rules or BICYCLE
        if record.detail is Detail.GAME:
            hands = compare_totals(self._games.find(entry.game), record)
            faults = (*judge_totals(record, rules), *hands)
            return Judged(entry, rules, faults=faults, today=self._today)
        game = self._games.of(entry.game, record.number, rules)
        return self._looked_at(entry, record, game, rules)

    def _looked_at(self, entry: Entry, record: HandRecord, game: Followed, rules: Rules) -> Judged:
        before, faults = inherited(game, record, rules)
        result = judge_hand(game.rules, before, record)
        state, differences = believed(game, record, result)
        told = judge_hand(game.rules, state, record) if state is not None else None
        if told is not None and is_whole(told.replay.before, result.replay.before, record):
            result = told
        game.note(record, result, told)
        claims = result.claims if told is None else told.claims
        found = (*faults, *differences, *result.replay.faults, *claims)
        hands = game.hands - 1
        return Judged(entry, game.rules, result, found, game.game, hands, self._today)


def _glanced(hand: Found, game: Followed, rules: Rules) -> Glanced | None:
    """A hand in which nothing is wrong, in its game; None where something may be."""
    players = len(hand.setting.seats)
    if game.comes_next(hand.number, players, rules):
        before = start = game.state
    elif game.begins and rules.players.least <= players <= rules.players.most:
        before, start = None, opening(hand, rules)
    else:
        return None
    after = None if start is None else glance(game.rules, start, hand)
    return None if after is None else Glanced(before, after)


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
