"""Replay a game: judge and settle its hands in order with the engine.

Pure: takes records, rulings and the seats' confirmations and objections; returns judged hands. A
game's chips, pot and books are derived by this fold alone (docs/adr/0004).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Final

from engine.core.faults import Code, Fault, Part, Severity
from engine.core.messages import Message, join_with_and
from engine.core.seats import DEFAULT_SEATS, left_of
from engine.games.board_states import finish_board, start_board, start_next_board
from engine.games.game import HandResult, judge_hand
from engine.notation.diagnostics import Diagnostic, NotationRule
from engine.notation.document import NOWHERE
from engine.notation.reader import RecordEntry
from engine.record.facts import Status
from engine.record.game_state import GameState
from engine.record.rulings import NO_RESULT, Decision, Ruling, decides, inherit
from engine.rules.rules import Rules
from engine.settlement.settlement import Posting
from engine.verdicts.judge import Judged
from engine.verdicts.sentences import sentence
from scoring.models import State
from scoring.settlement.sealed_papers import OpenPapers, contradictions
from scoring.submissions.reading import SubmittedRecord
from tournaments.core.deals import find_dealt_board, write_deal

QUESTION_MAX: Final = 280
"""So many letters of a question are the reason of a hand."""
NOT_CONFIRMED: Final = Message("It waits for a second seat to confirm.")
OPEN_QUESTIONS = (Severity.ERROR, Severity.RULING)
KNOWN_TAGS = frozenset(("Dealer", "Declarer", "PainSuit"))
"""Tags that a record may lack: the game knows them, or the engine says what it misses."""
_STATES = {
    Status.PASSED_OUT: State.PASSED_OUT,
    Status.FOOT: State.FOOT,
    Status.VOID_REDEAL: State.VOID,
    Status.VOID_NO_REPLAY: State.VOID,
    Status.NOT_PLAYED: State.NOT_PLAYED,
    Status.DRAFT: State.DRAFT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInput:
    """The file on one hand: its record, the rulings on it, what the seats said.

    ``objection`` is why a seat objects, or empty; ``contested`` that another record of the hand
    says otherwise; ``confirmed`` that a second seat agreed; ``must_confirm`` that one has to;
    ``opened`` are the secret papers of the hand, once everybody knows them. ``board`` is the number
    of the prepared deal that the hand is played with, if it is one. ``boards`` are those of a round
    in which each begins alike at all tables: there the hand begins as board ``slot``, None for the
    one that is due. ``deals`` are those of the event's boards, by number. ``old_law`` is its
    game's.
    """

    number: int
    record: SubmittedRecord
    rulings: tuple[Ruling, ...] = ()
    objection: str = ""
    contested: bool = False
    confirmed: bool = False
    must_confirm: bool = False
    opened: OpenPapers | None = None
    board: int | None = None
    boards: tuple[int, ...] = ()
    slot: int | None = None
    deals: Mapping[int, str] = field(default_factory=dict)
    old_law: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedHand:
    """One hand of a game, judged: ``judged`` is what the engine found, ``after`` what it leaves.

    ``carried`` is what the game has come to: ``after`` itself, but for prepared boards that begin
    alike (`engine.games.board_states`); ``slot`` is the number of such a board.
    ``reason`` says why the hand is not simply accepted. ``is_sure``: it can go into the books, if
    all before it have.
    """

    entered: HandInput
    judged: Judged
    before: GameState
    after: GameState
    state: State
    carried: GameState
    slot: int | None = None
    reason: str = ""

    @property
    def board(self) -> int | None:
        """The number of the prepared deal that was played, if it was one."""
        if self.slot is None:
            return self.entered.board
        return self.slot if self.slot in self.entered.boards else None

    @property
    def is_sure(self) -> bool:
        """Whether nothing about this hand is open."""
        return self.state not in (State.DRAFT, State.DISPUTED)

    @property
    def result(self) -> HandResult | None:
        """The engine's result, where there was a hand to judge."""
        return self.judged.result

    @property
    def sentence(self) -> str:
        """The outcome of the hand; empty where there was none to judge."""
        result, rules = self.result, self.judged.rules
        return "" if result is None or rules is None else sentence(result, rules)

    @property
    def postings(self) -> tuple[Posting, ...]:
        """The chips that this hand moves."""
        settled = self.result.settlement if self.result is not None else None
        return settled.postings if settled is not None else ()


def fold(rules: Rules, start: GameState, hands: Iterable[HandInput]) -> Iterator[JudgedHand]:
    """Judge hands in order, each in the state that the one before it left."""
    state = start
    for entered in hands:
        played = judge_entered(rules, state, entered)
        yield played
        state = played.carried


def judge_entered(rules: Rules, carried: GameState, entered: HandInput) -> JudgedHand:
    """Judge one hand in the state carried over to it. Raises RulingError."""
    if not entered.boards:
        return _judge_in(rules, carried, entered)
    slot = entered.slot or carried.deals + 1
    start = start_board(rules, carried, slot)
    board = slot if slot in entered.boards else None
    played = _judge_in(rules, start, replace(entered, board=board))
    again = played.state in (State.FOOT, State.VOID) and not _is_skipped(played, start)
    left = finish_board(carried, start, played.after, is_behind=not again)
    judged = played.judged
    if judged.result is not None:
        following = replace(judged.result, after=start_next_board(rules, left))
        judged = Judged(
            judged.entry,
            rules=judged.rules,
            result=following,
            faults=judged.faults,
            game=0,
            hand=judged.hand,
        )
    return replace(played, judged=judged, carried=left, slot=slot)


def _is_skipped(played: JudgedHand, start: GameState) -> bool:
    """Whether a board without a result is not dealt again: void, and the deal has passed on."""
    return played.state is State.VOID and played.after.deals != start.deals


def _judge_in(rules: Rules, before: GameState, entered: HandInput) -> JudgedHand:
    """Judge one hand in the state in which it is played."""
    said = entered.record
    entry, own, record = said.entry, list(said.faults), said.entry.record
    if record is None:
        judged = Judged(entry, rules=rules, faults=said.faults, game=0, hand=entered.number - 1)
        return _unreadable(judged, before, entered)
    if record.number not in (None, entered.number, entered.board):
        entry = copy(entry)
        entry.diagnostics = (*entry.diagnostics, _number_fault(entry, entered))
    if record.rules is not None and record.rules.digest != rules.digest:
        own.append(_rules_fault())
    result = judge_hand(rules, before, record, entered.rulings, old_law=entered.old_law)
    if (foreign := _deal_fault(entry, entered, result)) is not None:
        entry = copy(entry)
        entry.diagnostics = (*entry.diagnostics, foreign)
    own += _paper_faults(entered.opened, rules, result)
    faults = (*own, *(fault for fault in result.faults if not _is_club_pot(before, fault)))
    judged = Judged(
        entry, rules=rules, result=result, faults=faults, game=0, hand=entered.number - 1
    )
    if result.faults:
        judged.search(result, before)
    state, reason = _state(entered, judged, result)
    return JudgedHand(
        entered=entered,
        judged=judged,
        before=result.replay.before,
        after=result.after,
        carried=result.after,
        state=state,
        reason=reason,
    )


def find_paper_faults(hand: JudgedHand | None) -> tuple[Fault, ...]:
    """Return where the record of a hand says otherwise than its sealed papers."""
    if hand is None or hand.result is None or hand.judged.rules is None:
        return ()
    return _paper_faults(hand.entered.opened, hand.judged.rules, hand.result)


def _paper_faults(opened: OpenPapers | None, rules: Rules, result: HandResult) -> tuple[Fault, ...]:
    replay = result.replay
    if opened is None or replay.record.players != replay.before.players:
        return ()
    return tuple(contradictions(opened, rules, replay.before, replay.record, replay.facts))


def _unreadable(judged: Judged, before: GameState, entered: HandInput) -> JudgedHand:
    """Return an unreadable record as a disputed hand; a director can only void it."""
    void = [ruling for ruling in entered.rulings if ruling.decision in NO_RESULT]
    moves = any(ruling.chips or ruling.score or ruling.pot for ruling in entered.rulings)
    again = bool(void) and void[-1].decision is Decision.VOID_REDEAL
    after = before if again else _pass_deal(before)
    for ruling in entered.rulings:
        after = inherit(after, ruling)
    is_void = bool(void) and not moves and not entered.contested
    return JudgedHand(
        entered=entered,
        judged=judged,
        before=before,
        after=after,
        carried=after,
        state=State.VOID if is_void else State.DISPUTED,
        reason="" if is_void else Message("This is no record of a hand."),
    )


def _rules_fault() -> Fault:
    words = Message(
        "the record names other house rules than this game; those of the game are applied"
    )
    return Fault(
        code=Code.RULES, rule="Q68", message=words, severity=Severity.WARNING, part=Part.HEADER
    )


def _number_fault(entry: RecordEntry, entered: HandInput) -> Diagnostic:
    """Return a warning that the record's number differs from the hand's number in its game."""
    tag = entry.document.tag("Board")
    spot = NOWHERE if tag is None else tag.value_spot
    words = Message(
        "this is hand {number} of the game, not {written}",
        number=entered.number,
        written=str(entry.required_record.number),
    )
    if entered.board is not None:
        words = Message("{message}; its board is {board}", message=words, board=entered.board)
    hint = Message("look whether the record is of another hand")
    place = (spot.line, spot.col, spot.end, entry.number, "Board")
    return Diagnostic(NotationRule.BOARD.value, Severity.WARNING, *place, words, hint)


def _deal_fault(entry: RecordEntry, entered: HandInput, result: HandResult) -> Diagnostic | None:
    """Return a warning that the hand was not played with the cards of its board (DEC-15)."""
    board, held = entered.board, result.replay.dealt
    if board is None or board not in entered.deals or held is None:
        return None
    dealt = write_deal(held, result.replay.before.dealer)
    if dealt == entered.deals[board]:
        return None
    words = describe_cards(board, find_dealt_board(entered.deals, dealt))
    tag = entry.document.tag("Deal")
    spot = NOWHERE if tag is None else tag.value_spot
    hint = Message("the director decides what the hand counts for")
    place = (spot.line, spot.col, spot.end, entry.number, "Deal")
    return Diagnostic(NotationRule.BOARD.value, Severity.WARNING, *place, words, hint)


def describe_cards(board: int, dealt: tuple[int, int | None] | None) -> Message:
    """Say whose cards were played as ``board``; ``dealt`` is what `find_dealt_board` returned."""
    if dealt is None:
        return Message("these are not the cards of board {board}", board=board)
    if dealt[0] == board:
        return Message("these are the cards of board {board}, in other seats", board=board)
    return Message(
        "these are the cards of board {number}, not of board {board}",
        number=dealt[0],
        board=board,
    )


def _is_club_pot(before: GameState, fault: Fault) -> bool:
    """Whether a fault only reports the club's jackpot lying in the pot at the first auction."""
    return before.hands == 0 and fault.code is Code.POT and fault.rule == "11.3"


def _pass_deal(before: GameState) -> GameState:
    """Return the state after an unreadable hand: it was dealt, so the deal passes left (K4)."""
    dealer = left_of(before.dealer, before.players)
    return replace(before, dealer=dealer, deals=before.deals + 1)


def open_questions(judged: Judged, rulings: Sequence[Ruling]) -> list[Message]:
    """List what a director still has to decide about a record."""
    decided = [ruling for ruling in rulings if ruling.decision is not Decision.WARNING]
    if any(ruling.code is None for ruling in decided):
        return []
    written = [
        diagnostic.message
        for diagnostic in judged.entry.diagnostics
        if diagnostic.severity is Severity.ERROR
        and not (diagnostic.rule == NotationRule.TAG_MISSING and diagnostic.tag in KNOWN_TAGS)
    ]
    faults = [
        fault.message
        for fault in judged.faults
        if fault.severity in OPEN_QUESTIONS and not decides(decided, fault)
    ]
    return written + faults


def _state(entered: HandInput, judged: Judged, result: HandResult) -> tuple[State, str]:
    """Return the state of a hand, and the reason if it is not simply accepted."""
    decided = any(ruling.decision is not Decision.WARNING for ruling in entered.rulings)
    questions = open_questions(judged, entered.rulings)
    if questions:
        return State.DISPUTED, _reason(questions)
    if entered.contested:
        return State.DISPUTED, Message("Another record of this hand says otherwise.")
    if entered.objection:
        return State.DISPUTED, entered.objection
    if result.settlement is None:
        return State.DISPUTED, Message("What was captured is not known.")
    found = _STATES.get(result.facts.status)
    if found is State.DRAFT:
        return State.DRAFT, Message("The record is not finished.")
    waits = "" if decided else _waits(entered, result.after.players)
    if waits:
        return State.DRAFT, waits
    if found is not None:
        return found, ""
    return (State.RULED if decided else State.ACCEPTED), ""


def _reason(questions: Sequence[str]) -> str:
    """Return the first question, truncated if too long, and the number of others."""
    question, more = questions[0], len(questions) - 1
    if len(question) > QUESTION_MAX:
        question = question[:QUESTION_MAX]
    if not more:
        return question
    return Message("{question} (and {count} more)", question=question, count=more)


def _waits(entered: HandInput, players: int) -> str:
    """Say what keeps a settled hand a draft; empty if nothing does."""
    if entered.opened is not None and entered.opened.waits:
        names = [DEFAULT_SEATS[players][seat] for seat in sorted(entered.opened.waiting)]
        return Message("It waits for the sealed papers of {seats}.", seats=join_with_and(names))
    if entered.must_confirm and not entered.confirmed:
        return NOT_CONFIRMED
    return ""
