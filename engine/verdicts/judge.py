"""Judge a text: parse its records, then judge and settle each within its game (notation.md 4).

The command line, the web pages and the API share this module, so they give the same answers.
"""

from bisect import insort
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, timezone
from typing import Final, NamedTuple

from ..core.cards import NAMES
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..games.board_states import finish_board, first_state, start_board
from ..games.game import HandResult, Row, judge_hand
from ..games.game_grouping import (
    VOID_ENDINGS,
    GameProgress,
    OpenGame,
    OpenGames,
    Placement,
    RecordOrder,
)
from ..games.hand_sequence import compare_totals, first_hand_faults, judge_next
from ..notation.diagnostics import Diagnostic, DiagnosticCollector, NotationRule
from ..notation.document import NOWHERE
from ..notation.fast import FastHand
from ..notation.fault_places import place
from ..notation.meaning import is_hearts
from ..notation.names import CLUB_RECORD
from ..notation.reader import Mode, Reader, RecordEntry
from ..notation.source import Source
from ..notation.values import WordError, read_date
from ..record.facts import Status
from ..record.game_state import GameState
from ..record.record import Detail, HandRecord
from ..replay.claims import judge_totals
from ..replay.opening_state import opening
from ..rules.presets import BICYCLE
from ..rules.rules import Rules
from .repairs import Repair, find_repair

HELD_MAX: Final = 256
"""How many records wait, at most, for hands that should have come before one of them."""
FINDINGS_MAX: Final = 100
"""How many faults of one record are placed in its text (notation.md 3.5)."""
SEARCHES_MAX: Final = 100
"""For how many records of one text a repair is looked for: each search replays the hand often."""


class JudgedFault(NamedTuple):
    """A fault with the diagnostic that locates it in the text."""

    diagnostic: Diagnostic
    fault: Fault | None = None


class CleanHand(NamedTuple):
    """A hand that the fast path accepted: the game states before and after it."""

    before: GameState | None
    after: GameState


class Judged:
    """One record of a text with everything that was found out about it.

    ``result`` is None where there is no hand to judge: a bridge record, a rejected record, the
    record of a whole game. ``game`` numbers the games of the text from 0, ``hand`` the hands of
    a game from 0. After ``today`` no hand can have been played. ``order`` is how the record stands
    to those of its game that came before; one that is repeated or in conflict does not count.
    After `search` a repair that explains the faults is shown in place of what it explains.
    """

    __slots__ = (
        *("_counted", "_faults", "_clean", "_placed", "_repair", "_result"),
        *("entry", "game", "hand", "rules", "today"),
    )

    def __init__(  # noqa: PLR0913, PLR0917 - what was found out, most of it by keyword
        self,
        entry: RecordEntry,
        rules: Rules | None = None,
        result: HandResult | None = None,
        faults: tuple[Fault, ...] = (),
        game: int | None = None,
        hand: int = 0,
        today: date | None = None,
        clean: CleanHand | None = None,
        placed: Placement | None = None,
    ) -> None:
        self.entry = entry
        self.rules = rules
        self.game = game
        self.hand = hand
        self.today = today
        self._result = result
        self._faults = faults
        self._clean = clean
        self._placed = placed
        self._counted: tuple[HandResult, GameState | None] | None = None
        self._repair: Repair | None = None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Faults of the hand, and of its place in its game."""
        return self._faults if self._placed is None else (*self._placed.faults, *self._faults)

    @property
    def order(self) -> RecordOrder:
        """The order of the record among those of its game that came before it."""
        return RecordOrder.NEXT if self._placed is None else self._placed.order

    @property
    def counts(self) -> bool:
        """Whether the record is a hand of its game, not a repetition, nor in conflict with one."""
        return self.order in (RecordOrder.NEXT, RecordOrder.LATE)

    @property
    def is_open(self) -> bool:
        """Whether a later record of the text may still change what is found here."""
        return self._placed is not None and self._placed.is_open

    def judge_again(self, result: HandResult, faults: tuple[Fault, ...]) -> None:
        """Replace the result and faults once a missing earlier hand has arrived."""
        self._result, self._clean, self._faults = result, None, faults
        self._counted = self._repair = None

    @property
    def after(self) -> GameState | None:
        """The state that the hand left."""
        if self._clean is not None:
            return self._clean.after
        return None if self._result is None else self._result.after

    @property
    def result(self) -> HandResult | None:
        """The engine's result; a hand from the fast path is judged fully on first access."""
        if self._result is None and self._clean is not None:
            assert self.rules is not None
            self._result = judge_hand(self.rules, self._clean.before, self.entry.required_record)
        return self._result

    def search(self, result: HandResult, before: GameState | None) -> None:
        """Look for a repair as soon as somebody asks what is wrong.

        ``result`` is the hand from which the written numbers were judged, in the state ``before``.
        """
        self._counted = (result, before)

    @property
    def repair(self) -> Repair | None:
        """The one slip of the pen that explains the faults; None where no slip does."""
        if self._counted is not None:
            self._repair = find_repair(*self._counted)
            self._counted = None
        return self._repair

    @property
    def findings(self) -> tuple[JudgedFault, ...]:
        """Everything that is wrong, in the order of the text.

        A repair that explains some of it stands first, and what it explains is left out.
        """
        found = [JudgedFault(diagnostic) for diagnostic in self.entry.diagnostics]
        if self.today is not None and self.entry.record is not None:
            found += map(JudgedFault, _find_future_date(self.entry, self.today))
        repair = self.repair
        first = () if repair is None else self._found_at((repair.finding,))
        mended = {(one.diagnostic.rule, one.diagnostic.line) for one in first}
        if repair is not None and repair.finding.code is Code.HAND_SIZE:
            first = _with_doubled_card(first, self.entry.diagnostics)
            mended |= {(Code.CARD_TWICE.value, one.diagnostic.line) for one in first}
        found = [one for one in found if (one.diagnostic.rule, one.diagnostic.line) not in mended]
        said = {(one.diagnostic.rule, one.diagnostic.line) for one in found}
        slips = _slips(self.entry.diagnostics)
        errors = [
            diagnostic
            for diagnostic in self.entry.diagnostics
            if diagnostic.severity is Severity.ERROR
        ]
        faults = self.faults if repair is None else _remaining_faults(self.faults, repair)
        for one in self._found_at(faults[:FINDINGS_MAX]):
            placed, fault = one
            assert fault is not None, "it was placed"
            known = (placed.rule, placed.line) in said or _is_reported(errors, fault, placed)
            if not known and not _comes_of(slips, fault, placed.line):
                found.append(one)
        found.sort(key=lambda one: (one.diagnostic.line, one.diagnostic.col))
        return (*first, *found)

    def _found_at(self, faults: Iterable[Fault]) -> tuple[JudgedFault, ...]:
        """Faults at their places in the text."""
        return tuple(JudgedFault(place(self.entry, fault), fault) for fault in faults)

    def to_rows(self) -> list[Row]:
        """A row of plain values for each seat, for a data frame.

        There is none for a record that is no settled hand of its game. ``Record``, ``Game`` and
        ``Hand`` are numbers from 1, ``Ok`` whether nothing serious is wrong.
        """
        if self.result is None or not self.counts:
            return []
        place: Row = {
            "Record": self.entry.number,
            "Game": None if self.game is None else self.game + 1,
            "Hand": self.hand + 1,
            "Ok": self.ok,
        }
        return [place | row for row in self.result.to_rows()]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, or only things that are harmless."""
        serious = (Severity.ERROR, Severity.RULING)
        harmless = not self.faults or all(fault.severity not in serious for fault in self.faults)
        return harmless and self.entry.ok


def _with_doubled_card(
    first: tuple[JudgedFault, ...], diagnostics: Iterable[Diagnostic]
) -> tuple[JudgedFault, ...]:
    """A card that is missing in a holding, with the one that is written twice there instead."""
    (missing,) = first
    said, fault = missing
    card = None if fault is None else fault.card
    for doubled in diagnostics:
        if doubled.rule == Code.CARD_TWICE and doubled.line == said.line and card is not None:
            words = Message("{twice}; {missing}", twice=doubled.message, missing=said.message)
            hint = Message("write {card} for one of the two", card=NAMES[card])
            return (JudgedFault(replace(said, message=words, hint=hint), fault),)
    return first


def _find_future_date(entry: RecordEntry, today: date) -> tuple[Diagnostic, ...]:
    """A hand cannot have been played after today; an unknown digit may be any."""
    written = entry.value("Date") or ""
    if written.replace("?", "0") <= today.isoformat().replace("-", "."):
        return ()
    try:
        read_date(written)
    except WordError:
        return ()
    tag = entry.document.tag("Date")
    assert tag is not None, "a date has a tag"
    report = DiagnosticCollector(entry.number)
    words = Message("{date} is still to come", date=written)
    hint = Message("check the year; this date is in the future")
    report.add(NotationRule.DATE, tag.value_spot, words, hint=hint, severity=Severity.WARNING)
    return report.diagnostics


def _remaining_faults(faults: tuple[Fault, ...], repair: Repair) -> tuple[Fault, ...]:
    """The faults of a record that a repair leaves; those that nobody is told of stay untold."""
    untold = set(repair.replaced) - set(faults)
    others = [fault for fault in faults if fault not in repair.replaced]
    return (*others, *(fault for fault in repair.remaining if fault not in untold))


_READ_FROM: Final[Mapping[Part, frozenset[str]]] = {
    Part.HEADER: frozenset(("Variant", "Rules", "Seats")),
    Part.NAMER: frozenset(("Declarer",)),
    Part.PAIN: frozenset(("PainSuit", "Declarer")),
    Part.CLAIM: frozenset(("Claim",)),
    Part.ENDING: frozenset(("Termination", "Claim")),
}
"""The tags that say all there is to a part: where one is missing or unreadable, that is said."""
_TABLES: Final = {
    Code.TRICK_COUNT: frozenset(("PlayTable", "Play")),
    Code.POINTS: frozenset(("ScoreTable",)),
}
"""Tables of which a cell that cannot be read is missing in a count, or a row has no seat."""


def _is_reported(errors: Iterable[Diagnostic], fault: Fault, placed: Diagnostic) -> bool:
    """Whether a fault says of a missing or unreadable word what the reader has said already."""
    tags = _READ_FROM.get(fault.part, frozenset())
    if fault.column is None:
        tags |= _TABLES.get(fault.code, frozenset())
    return any(error.tag in tags or _overlap(error, placed) for error in errors)


def _overlap(error: Diagnostic, placed: Diagnostic) -> bool:
    """Whether both are about the same word; what is missing stands nowhere."""
    here = error.line == placed.line and error.rule != NotationRule.TAG_MISSING
    return here and error.col < placed.end_col and placed.col < error.end_col


def _slips(diagnostics: Iterable[Diagnostic]) -> frozenset[int]:
    """The lines on which a trick has a cell too many or too few."""
    odd = (
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.rule == NotationRule.ROW_LENGTH and diagnostic.tag == "PlayTable"
    )
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
        file_ok = all(diagnostic.severity is not Severity.ERROR for diagnostic in self.diagnostics)
        return file_ok and bool(self.records) and all(record.ok for record in self.records)

    def to_rows(self) -> list[Row]:
        """A row of plain values for each seat of each settled hand, for a data frame."""
        return [row for record in self.records for row in record.to_rows()]


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
        self._games = OpenGames()
        self._held: deque[Judged] = deque()
        self._waiting: dict[int, _Waiting] = {}
        self._searches = SEARCHES_MAX
        self._remarks: list[Diagnostic] = []
        self._records = self._others = 0
        self._first_other = NOWHERE

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Findings about the file as a whole, and about the remarks between its records."""
        return (*self._reader.diagnostics, *self._remarks, *self._no_hands())

    def __iter__(self) -> Iterator[Judged]:
        for batch in self._reader.in_batches():
            for entry in batch:
                if entry.is_remark:
                    self._remarks += entry.diagnostics[: FINDINGS_MAX - len(self._remarks)]
                    continue
                self._records += 1
                judged = self._judge_entry(entry)
                if not self._held and not judged.is_open:
                    yield judged
                    continue
                self._held.append(judged)
                yield from self._release()
        yield from self._held
        self._held.clear()

    def _no_hands(self) -> tuple[Diagnostic, ...]:
        """Report records of another game, such as bridge, which were not judged."""
        report = DiagnosticCollector()
        if self._others:
            words = Message(
                "no Hearts hand was judged in {_others} of {_records} records",
                _others=self._others,
                _records=self._records,
            )
            hint = Message("they may be bridge; a record of Hearts names its Variant")
            report.add(
                NotationRule.VARIANT, self._first_other, words, hint=hint, severity=Severity.INFO
            )
        return report.diagnostics

    def _count_other(self, entry: RecordEntry) -> None:
        """Count a record of another game; those of a club beside its hands are none."""
        tags = entry.document.tags
        is_other = not is_hearts(entry.document) and entry.document.tag(CLUB_RECORD) is None
        if tags and is_other:
            self._first_other = self._first_other if self._others else tags[0].spot
            self._others += 1

    def _release(self) -> Iterator[Judged]:
        """Yield the records that no longer wait for an earlier hand, in text order."""
        held = self._held
        while held and (len(held) > HELD_MAX or not held[0].is_open):
            judged = held.popleft()
            if judged.is_open and judged.order is RecordOrder.NEXT and judged.game is not None:
                self._waiting.pop(judged.game, None)
            yield judged
        if not held:
            self._waiting.clear()

    def _judge_entry(self, entry: RecordEntry) -> Judged:
        hand, named = entry.hand, self._rules or entry.game_rules
        if hand is not None:
            rules, number, is_void = named or hand.setting.rules, hand.number, False
            rulings = hand.rulings
        elif entry.record is None:
            self._count_other(entry)
            return Judged(entry)
        else:
            record = entry.record
            rules, number = named or record.rules or BICYCLE, record.number
            if record.detail is Detail.GAME:
                return self._whole_game(entry, record, rules)
            is_void, rulings = record.ending in VOID_ENDINGS, record.rulings
        placed = self._games.place(
            entry.identity, number, entry.content, rules, is_void=is_void, rulings=rulings
        )
        if placed.order is not RecordOrder.NEXT:
            return self._out_of_turn(entry, placed)
        before = placed.game.progress
        judged = self._next(entry, hand, rules, placed)
        self._wait(judged, before, placed)
        return judged

    def _whole_game(self, entry: RecordEntry, record: HandRecord, rules: Rules) -> Judged:
        hands = compare_totals(self._games.find(entry.identity), record)
        faults = (*judge_totals(record, rules), *hands)
        return Judged(entry, rules, faults=faults, today=self._today)

    def _next(
        self, entry: RecordEntry, hand: FastHand | None, rules: Rules, placed: Placement
    ) -> Judged:
        """The next hand of a game, judged the complete way where the fast path cannot tell."""
        game, number, carried = placed.game, placed.number, placed.game.progress
        game.progress = _begin_board(game, carried, entry, number)
        clean = None if hand is None else _find_clean_hand(entry, hand, placed, rules)
        if clean is not None:
            begun = game.progress
            game.go_on(number, clean.after)
            game.progress = _finish_board(carried, begun, game.progress, is_behind=True)
            return self._make_judged(entry, placed, clean=clean)
        step = judge_next(game, game.progress, number, entry.required_record, rules)
        is_behind = step.result.facts.status not in _DEALT_AGAIN
        game.progress = _finish_board(carried, game.progress, step.progress, is_behind=is_behind)
        judged = self._make_judged(entry, placed, step.result, step.faults)
        self._search(judged, *step.counted)
        return judged

    def _search(self, judged: Judged, result: HandResult, before: GameState | None) -> None:
        """Let a repair be looked for where something is wrong, in so many records of a text."""
        if not judged.ok and self._searches:
            self._searches -= 1
            judged.search(result, before)

    def _make_judged(
        self,
        entry: RecordEntry,
        placed: Placement,
        result: HandResult | None = None,
        faults: tuple[Fault, ...] = (),
        *,
        clean: CleanHand | None = None,
    ) -> Judged:
        game = placed.game
        odd = placed if placed.notes or placed.gap or placed.order is not RecordOrder.NEXT else None
        at = game.game, max(game.hands - 1, 0), self._today
        return Judged(entry, game.rules, result, faults, *at, clean, odd)

    def _wait(self, judged: Judged, before: GameProgress, placed: Placement) -> None:
        """Keep what is judged after a gap, so that it can be judged again when the gap is filled.

        ``before`` is where the game stood before this record.
        """
        waiting = self._waiting.get(placed.game.game)
        if waiting is None:
            if not judged.is_open:
                return
            waiting = self._waiting[placed.game.game] = _Waiting(before)
        waiting.hands.append(_hand(placed.number, judged))

    def _out_of_turn(self, entry: RecordEntry, placed: Placement) -> Judged:
        """A record that is late, repeated or in conflict; a late one is counted in its place."""
        game, waiting = placed.game, self._waiting.get(placed.game.game)
        if placed.order is not RecordOrder.LATE or waiting is None:
            result = judge_hand(game.rules, None, entry.required_record)
            faults = () if placed.order is RecordOrder.REPEATED else result.faults
            judged = self._make_judged(entry, placed, result, faults)
            self._search(judged, result, None)
            return judged
        judged = self._make_judged(entry, placed)
        insort(waiting.hands, _hand(placed.number, judged))
        progress = waiting.before
        for number, _, _, one in waiting.hands:
            record = one.entry.required_record
            own = self._rules or one.entry.game_rules or record.rules or BICYCLE
            begun = _begin_board(game, progress, one.entry, number)
            step = judge_next(game, begun, number, record, own)
            one.judge_again(step.result, step.faults)
            self._search(one, *step.counted)
            is_behind = step.result.facts.status not in _DEALT_AGAIN
            progress = _finish_board(progress, begun, step.progress, is_behind=is_behind)
        game.progress = progress
        return judged


class _OrderedHand(NamedTuple):
    """A judged record in the order of its game; of one number, void hands come first."""

    number: int
    is_played: bool
    turn: int
    judged: Judged


def _hand(number: int, judged: Judged) -> _OrderedHand:
    entry = judged.entry
    return _OrderedHand(
        number, entry.required_record.ending not in VOID_ENDINGS, entry.number, judged
    )


@dataclass(slots=True)
class _Waiting:
    """The hands of a game since the first one that is missing, and how the game stood before."""

    before: GameProgress
    hands: list[_OrderedHand] = field(default_factory=list)


def _find_clean_hand(
    entry: RecordEntry, hand: FastHand, placed: Placement, rules: Rules
) -> CleanHand | None:
    """Return the hand if the fast path finds nothing wrong with it, otherwise None."""
    game, players = placed.game, len(hand.setting.seats)
    progress, state = game.progress, game.progress.state
    if state is None:
        before, start = None, _find_first_state(hand, placed, rules)
    elif progress.comes_next(placed.number, players) and _is_same_rules(rules, game.rules):
        before = start = state
    else:
        return None
    after = None if start is None else entry.state_after(game.rules, start)
    return None if after is None else CleanHand(before, after)


_DEALT_AGAIN: Final = (Status.VOID_REDEAL, Status.FOOT)


def _begin_board(
    game: OpenGame, carried: GameProgress, entry: RecordEntry, number: int
) -> GameProgress:
    """Return the progress from which a hand begins: that of its prepared board, if any (DEC-6)."""
    board = entry.board_start
    players = 0 if board is None else entry.required_record.players
    if board is None or not game.rules.players.least <= players <= game.rules.players.most:
        return carried
    state = carried.state
    if state is None or state.players != players:
        state = first_state(game.rules, players, board)
    start = start_board(game.rules, state, board)
    return GameProgress(number - 1, start, is_settled=True, last=(start, None))


def _finish_board(
    carried: GameProgress, begun: GameProgress, after: GameProgress, *, is_behind: bool
) -> GameProgress:
    """Return the progress after a hand, with what the game carried before the board."""
    if begun is carried or begun.state is None or after.state is None:
        return after
    state = carried.state if carried.state is not None else begun.state
    left = finish_board(state, begun.state, after.state, is_behind=is_behind)
    return replace(after, state=left, last=(left, None))


def _is_same_rules(rules: Rules, others: Rules) -> bool:
    return rules is others or rules.digest == others.digest


def _find_first_state(hand: FastHand, placed: Placement, rules: Rules) -> GameState | None:
    """The state in which the first hand of a game is played, if it tells nothing else."""
    players = len(hand.setting.seats)
    if placed.game.hands > 1 or not rules.players.least <= players <= rules.players.most:
        return None
    start = opening(hand, rules)
    odd = placed.number == 1 and first_hand_faults(rules, start)
    return None if odd else start


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


_LATEST: Final = timezone(timedelta(hours=14))


def latest_date(now: datetime) -> date:
    """The date where it is latest on earth: no hand anywhere has been played after it.

    >>> from datetime import UTC
    >>> latest_date(datetime(2025, 12, 31, 11, 30, tzinfo=UTC))
    datetime.date(2026, 1, 1)
    """
    return now.astimezone(_LATEST).date()
