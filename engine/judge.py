"""judge: a text in, every record judged and settled in its game (notation.md 4).

The command line, the page and the API all ask here, and so give the same answer.
"""

import re
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.carried import Carried, plays_for_chips
from engine.chips import in_words
from engine.claims import judge_totals
from engine.faults import Code, Fault, Part, Severity
from engine.game import HandResult, judge_hand
from engine.notation.diagnostics import Diagnostic
from engine.notation.places import place
from engine.notation.reader import Entry, Mode, Reader
from engine.notation.source import Source
from engine.presets import BICYCLE
from engine.record import Detail, HandRecord
from engine.replay import opening
from engine.rules import Rules

OPEN_GAMES: Final = 1024
"""How many games are followed at once; the one that rested longest is forgotten first."""


class Finding(NamedTuple):
    """One thing that is wrong: where in the text, and as the engine sees it."""

    diagnostic: Diagnostic
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """One record of a text with everything that was found out about it.

    ``result`` is None where there is no hand to judge: a bridge record, a rejected record, the
    record of a whole game. ``game`` numbers the games of the text from 0, ``hand`` the hands of
    a game from 0.
    """

    entry: Entry
    rules: Rules | None = None
    result: HandResult | None = None
    faults: tuple[Fault, ...] = ()
    game: int | None = None
    hand: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that is wrong, in the order of the text."""
        found = [Finding(diagnostic) for diagnostic in self.entry.diagnostics]
        said = {(one.diagnostic.rule, one.diagnostic.line) for one in found}
        for fault in self.faults:
            placed = place(self.entry, fault)
            if (placed.rule, placed.line) not in said:
                found.append(Finding(placed, fault))
        return tuple(sorted(found, key=lambda one: (one.diagnostic.line, one.diagnostic.col)))

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, or only things that are harmless."""
        serious = (Severity.ERROR, Severity.RULING)
        return self.entry.ok and not any(fault.severity in serious for fault in self.faults)


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


@dataclass(slots=True)
class _Open:
    """A game while its records are read."""

    game: int
    number: int | None
    hands: int
    state: Carried | None


class Judge:
    """Judges a source record by record, in constant memory; iterate over it once.

    ``rules`` overrule those that the records name. ``diagnostics`` concern the whole file.
    """

    def __init__(
        self,
        source: Source,
        rules: Rules | None = None,
        *,
        mode: Mode = Mode.LENIENT,
        encoding: str | None = None,
    ) -> None:
        self._reader = Reader(source, mode=mode, encoding=encoding)
        self._rules = rules
        self._open: OrderedDict[Hashable, _Open] = OrderedDict()
        self._games = 0

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
        if record.detail is Detail.GAME:
            return Judged(entry, rules, faults=judge_totals(record, rules))
        key = _identity(entry, record, rules)
        game = self._open.pop(key, None)
        if game is None or not _follows(game, record):
            game = _Open(self._games, None, 0, None)
            self._games += 1
        before, faults = _inherited(game, record, rules)
        result = judge_hand(rules, before, record)
        game.number, game.hands = record.number, game.hands + 1
        game.state = None if result.settlement is None else result.after
        self._open[key] = game
        if len(self._open) > OPEN_GAMES:
            self._open.popitem(last=False)
        found = (*faults, *result.replay.faults, *result.claims)
        return Judged(entry, rules, result, found, game.game, game.hands - 1)


def judge(source: Source, rules: Rules | None = None, *, mode: Mode = Mode.LENIENT) -> Verdict:
    """Judge a whole text. Never raises because of what it says."""
    judging = Judge(source, rules, mode=mode)
    records = tuple(judging)
    return Verdict(records, judging.diagnostics)


_SAME_GAME: Final = ("Event", "Site", "Date", "Round", "Table")
_TAGS_OF_GAME: Final = re.compile(rf'^\[({"|".join(_SAME_GAME)}) "(.*)"\]$', re.MULTILINE)


def _identity(entry: Entry, record: HandRecord, rules: Rules) -> Hashable:
    """What the hands of one game have in common (notation.md 4)."""
    if entry.canonical:
        # Every tag has its own line there and nothing is escaped: no need to take it all apart.
        tags = tuple(_TAGS_OF_GAME.findall(entry.text))
    else:
        named = ((name, entry.document.value(name)) for name in _SAME_GAME)
        tags = tuple((name, value) for name, value in named if value is not None)
    return (tags, record.seats, record.names, rules.digest)


def _follows(game: _Open, record: HandRecord) -> bool:
    """Whether a record can belong to the same game: its number is higher than the last."""
    if game.number is None or record.number is None:
        return game.number is None and record.number is None
    return record.number > game.number


def _inherited(game: _Open, record: HandRecord, rules: Rules) -> tuple[Carried, tuple[Fault, ...]]:
    """The state before a hand, and where the record says that it was another.

    What the table wrote is believed after it has been noted, so that one wrong pot is reported
    once and not at every later hand.
    """
    if game.state is None or game.state.players != len(record.seats):
        return opening(record, rules), ()
    if game.number is not None and record.number != game.number + 1:
        told = replace(opening(record, rules), feet=game.state.feet)
        return told, (_gap(game.number, record),)
    faults = tuple(_differences(game.state, record, rules))
    if not faults:
        return game.state, ()
    told = opening(record, rules)
    state = replace(
        game.state,
        chips=told.chips,
        pot=told.pot,
        bought=sum(told.chips) + told.pot,
        totals=told.totals,
    )
    return state, faults


def _gap(last: int, record: HandRecord) -> Fault:
    return Fault(
        code=Code.RUNNING_TOTAL,
        rule="11.12",
        message=f"hand {last} comes before hand {record.number} here; the hands between are "
        "missing, so this one is believed",
        severity=Severity.INFO,
        part=Part.NUMBER,
    )


def _differences(state: Carried, record: HandRecord, rules: Rules) -> Iterator[Fault]:
    chips = plays_for_chips(rules)
    if chips and record.pot is not None and record.pot.before != state.pot:
        words = f"the last hand left {in_words(state.pot)} in the pot, not {record.pot.before}"
        yield _wrong(Code.POT, words, Part.POT, "Before")
    for row in record.scores or ():
        seat, name = row.seat, record.seats[row.seat]
        before = row.values.get("Before")
        if chips and before is not None and before != state.chips[seat]:
            words = f"{name}: the last hand left {in_words(state.chips[seat])}, not {before}"
            yield replace(_wrong(Code.CHIPS, words, Part.SCORES, "Before"), seat=seat)
        total = row.values.get("Total")
        if not chips and total is not None:
            due, value = state.totals[seat], total - row.values.get("Points", 0)
            if value != due:
                words = f"{name}: the total before this hand is {due}, not {value}"
                yield replace(_wrong(Code.RUNNING_TOTAL, words, Part.SCORES, "Total"), seat=seat)


def _wrong(code: Code, words: str, part: Part, column: str) -> Fault:
    return Fault(code=code, rule="11.1", message=words, part=part, column=column)
