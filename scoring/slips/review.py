"""Review of slips: the meaning and the questions of each, and what a person decides about it.

Whatever is accepted goes the way of any result (`scoring.hands.recording.enter_hand`), with the
source `Source.SLIP`: a second record confirms or contradicts the first one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from engine.record.game_state import GameState
from engine.rules.rules import Rules
from scoring.hands.recording import enter_hand, means_the_same
from scoring.hands.submission import HandSubmission
from scoring.models import Form, Game, Hand, Slip, SlipState, State
from scoring.models.states import dumps
from scoring.settlement import plan
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.slips.codes import SlipCode, read_code
from scoring.slips.interpretation import (
    Answer,
    Interpretation,
    Marks,
    Question,
    interpret,
    row_name,
)
from scoring.slips.layout import CircleMark, Mark, RowKey, SlipLayout, lay_out
from scoring.slips.matching import ForeignSlipError, SlipMatcher
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, Source
from tournaments.core.errors import NotThereError, RefusedError, StaleError
from tournaments.core.ids import new_id
from tournaments.events.events import lock as lock_event
from tournaments.events.events import note
from tournaments.models import Event, Table

REASON_MAX: Final = 300
"""Characters of the reason for which a slip is set aside."""


@dataclass(frozen=True, kw_only=True)
class SlipView:
    """A slip as somebody reviews it: its hand, its meaning, and its questions.

    ``game`` is None before its round has begun, and where it is not known which it is.
    ``interpretation`` is None for a slip that is not ours. ``recorded_hand`` is its hand where that
    is on record already. ``obstacle`` says why it cannot be accepted as things are, whatever is
    answered. ``further_questions`` do not come from its marks: the round of a blank slip, and
    another record or another slip of the same hand that contradicts it.
    """

    slip: Slip
    code: SlipCode
    rules: Rules | None = None
    layout: SlipLayout | None = None
    table: Table | None = None
    game: Game | None = None
    interpretation: Interpretation | None = None
    recorded_hand: Hand | None = None
    obstacle: str = ""
    further_questions: tuple[Question, ...] = ()

    @property
    def marks(self) -> Marks:
        """The circles as they were read."""
        return parse_marks(self.slip)

    @property
    def seats(self) -> tuple[str, ...]:
        """The letters of the seats."""
        return DEFAULT_SEATS[self.code.players]

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions to answer."""
        asked = () if self.interpretation is None else self.interpretation.questions
        return (*asked, *self.further_questions)

    @property
    def is_clean(self) -> bool:
        """Whether it can be accepted as it is, without a question."""
        return (
            self.slip.state == SlipState.READ
            and not self.obstacle
            and not self.further_questions
            and self.interpretation is not None
            and self.interpretation.is_clean
        )


def parse_marks(slip: Slip) -> dict[str, dict[str, CircleMark]]:
    """The circles of a slip as it was read."""
    return {
        row: {value: CircleMark(Mark(mark), dark) for value, (mark, dark) in circles.items()}
        for row, circles in slip.marks.items()
    }


def list_slips(event: Event) -> list[SlipView]:
    """All slips of an event, by round, table and hand; those that are not ours come last.

    A slip is judged in the state that the slips before it leave, as far as those are clean.
    """
    rows = Slip.objects.filter(event=event).defer("crop").select_related("table__round", "hand")
    matcher = SlipMatcher(event)
    return _review(matcher, [locate_slip(matcher, slip) for slip in rows])


def review_slip(slip: Slip) -> SlipView:
    """Review one slip as it is in memory, saved or not, after the others of its table."""
    matcher = SlipMatcher(slip.event)
    view = locate_slip(matcher, slip)
    others: list[SlipView] = []
    if slip.table_id is not None:
        may_be_of_table = Q(table=slip.table_id) | Q(table=None, state=SlipState.READ)
        rows = Slip.objects.filter(may_be_of_table, event=slip.event).exclude(pk=slip.pk)
        rows = rows.defer("crop").select_related("table__round", "hand")
        others = [locate_slip(matcher, other) for other in rows]
    return next(each for each in _review(matcher, [*others, view]) if each.slip is slip)


def find_slip(event: Event, slip_id: UUID) -> Slip:
    """A slip of an event. Raises NotThereError."""
    rows = Slip.objects.select_related("event__club", "table__round", "hand")
    slip = rows.filter(event=event, pk=slip_id).first()
    if slip is None:
        raise NotThereError
    return slip


def locate_slip(matcher: SlipMatcher, slip: Slip) -> SlipView:
    """Find the table and the hand of a slip; those that are marked on a blank one are set on it."""
    code = read_code(slip.code)
    view = SlipView(slip=slip, code=code, table=slip.table)
    if slip.state == SlipState.FOREIGN or not slip.marks:
        return replace(view, obstacle=slip.reason)
    try:
        view = replace(view, rules=matcher.find_rules(code))
    except ForeignSlipError as error:
        return replace(view, obstacle=error.message)
    if code.is_blank:
        view = _locate_blank_slip(matcher, view)
        slip.table = view.table
    return view


def _locate_blank_slip(matcher: SlipMatcher, view: SlipView) -> SlipView:
    """Find the table and the hand that are marked on a blank slip, or say why they are unknown."""
    slip, code, before = view.slip, view.code, view.slip.table
    number = _marked_number(slip, RowKey.TABLE, RowKey.TABLE_TENS)
    slip.number = _marked_number(slip, RowKey.HAND, RowKey.HAND_TENS)
    round_number = code.round or int(slip.changes.get(RowKey.ROUND) or 0)
    if not number:
        return replace(view, table=None, obstacle=Message("Say for which table this slip is."))
    obstacle = "" if slip.number else Message("Say for which hand this slip is.")
    if before is not None and before.number == number and round_number in (0, before.round.number):
        return replace(view, obstacle=obstacle)
    try:
        tables = matcher.find_tables(code, number, round_number or None)
    except ForeignSlipError as error:
        return replace(view, table=None, obstacle=error.message)
    if len(tables) == 1:
        return replace(view, table=tables[0], obstacle=obstacle)
    question = Question(
        rows=(RowKey.ROUND,),
        message=Message("Say for which round this slip is."),
        answers=tuple(Answer(row=RowKey.ROUND, value=str(each.round.number)) for each in tables),
    )
    return replace(view, table=None, obstacle=obstacle, further_questions=(question,))


def _review(matcher: SlipMatcher, views: Iterable[SlipView]) -> list[SlipView]:
    """Interpret slips that were located, and compare those of one hand."""
    hands = Hand.objects.filter(game__table__round__event=matcher.event, rival=None)
    recorded = {(hand.game_id, hand.number): hand for hand in hands.exclude(state=State.TAKEN_BACK)}
    reviewer = _Reviewer(matcher, recorded)
    ordered = sorted(views, key=lambda view: _sort_key(view.slip))
    reviewed = [reviewer.review(view) for view in ordered]
    by_hand: dict[tuple[UUID, int], list[Interpretation]] = {}
    for view in reviewed:
        if (hand := _hand_to_enter(view)) is not None and view.interpretation is not None:
            by_hand.setdefault(hand, []).append(view.interpretation)
    return [_compare(view, by_hand) for view in reviewed]


def _hand_to_enter(view: SlipView) -> tuple[UUID, int] | None:
    """The table and the number of the hand of a slip that is still open, where they are known."""
    slip = view.slip
    if slip.state != SlipState.READ or slip.table_id is None or not slip.number:
        return None
    return slip.table_id, slip.number


def _compare(
    view: SlipView, by_hand: Mapping[tuple[UUID, int], Sequence[Interpretation]]
) -> SlipView:
    """Ask about a slip where another one of the same hand says otherwise, or may."""
    hand, own = _hand_to_enter(view), view.interpretation
    found = () if hand is None else by_hand.get(hand, ())
    if own is None or all(other.fields == own.fields for other in found):
        return view
    is_open = any(other.questions for other in found)
    words = (
        Message("There is another slip of this hand.")
        if is_open
        else Message("Another slip of this hand says otherwise.")
    )
    return replace(
        view, further_questions=(*view.further_questions, Question(rows=(), message=words))
    )


def _sort_key(slip: Slip) -> tuple[Any, ...]:
    table = slip.table
    where = (table is None, 0 if table is None else table.round.number)
    return (*where, 0 if table is None else table.number, slip.number or 0, slip.read_at, slip.pk)


@dataclass
class _Reviewer:
    """Reviews slips one after the other, each in the state that those before it leave.

    ``recorded`` are the hands on record by game and number; ``states`` are the states before hands
    that are not on record, as slips leave them.
    """

    matcher: SlipMatcher
    recorded: Mapping[tuple[UUID, int], Hand]
    states: dict[tuple[UUID, int], GameState] = field(default_factory=dict)

    def review(self, view: SlipView) -> SlipView:
        """Review the next slip."""
        table = view.table
        if view.rules is None:
            return view
        game, obstacle = self.matcher.game_at(table), view.obstacle
        if table is not None and game is None:
            obstacle = obstacle or Message("Round {round} has not begun.", round=table.round.number)
        return self._interpret(replace(view, game=game, obstacle=obstacle), view.rules)

    def _interpret(self, view: SlipView, rules: Rules) -> SlipView:
        """Interpret a slip whose place is known as far as it can be."""
        slip, game, number = view.slip, view.game, view.slip.number
        is_read = slip.state == SlipState.READ
        layout = lay_out(rules, view.code.players, is_blank=view.code.is_blank)
        judge, before, recorded_hand = None, None, None
        if game is not None and number:
            recorded_hand = self.recorded.get((game.pk, number))
            carried = self._carried(game, number)
            if carried is not None and is_read:
                judge = partial(_judge, game, number, carried)
            if carried is not None:
                is_due = number <= game.hands + 1
                state_after = plan.next_state
                before = plan.state_before(game, number) if is_due else state_after(game, carried)
        context = GameContext(rules=rules, seats=view.seats, number=number or 1, before=before)
        found = interpret(layout, view.marks, slip.changes, context, judge)
        more = tuple(self._ask(view, found, recorded_hand)) if is_read else ()
        if game is not None and number and found.is_clean and found.played is not None:
            self.states[game.pk, number + 1] = found.played.carried
        return replace(
            view,
            layout=layout,
            interpretation=found,
            recorded_hand=recorded_hand,
            further_questions=(*view.further_questions, *more),
        )

    def _carried(self, game: Game, number: int) -> GameState | None:
        """The state carried over to a hand; None where a hand before it is not known."""
        if number <= game.hands + 1:
            return plan.read_carried_state_before(game, number)
        return self.states.get((game.pk, number))

    def _ask(
        self, view: SlipView, found: Interpretation, recorded: Hand | None
    ) -> Iterator[Question]:
        """The question that another record of the same hand raises."""
        if recorded is not None and view.game is not None and found.played is not None:
            text = bytes(recorded.versions.get(number=recorded.current).text)
            if not means_the_same(view.game, recorded.number, text, found.played.entered.record):
                words = Message("This hand is on record already, and says otherwise.")
                yield Question(rows=(), message=words)


def _marked_number(slip: Slip, *keys: RowKey) -> int | None:
    """The number that some rows of a blank slip say, units first; None unless all are sure."""
    marks, found = parse_marks(slip), []
    for key in keys:
        if key in slip.changes:
            value = slip.changes[key]
        else:
            circles = marks.get(key, {})
            said = [value for value, one in circles.items() if one.mark is Mark.MARKED]
            if len(said) > 1 or any(one.mark is Mark.UNSURE for one in circles.values()):
                return None
            value = said[0] if said else None
        if value is not None:
            found.append(int(value))
        elif key == keys[0] and key not in slip.changes:  # the 0 of the units is marked, too
            return None
    return sum(found) if found else None


def _judge(game: Game, number: int, carried: GameState, record: SubmittedRecord) -> JudgedHand:
    """Judge a record as the next one of a game would be."""
    entered = HandInput(
        number=number,
        record=record,
        board=plan.board_of(game, number),
        boards=plan.boards_alike(game),
        deals=plan.deals_of(game),
        opened=plan.opened_papers(game, [number]).get(number),
        old_law=bool(game.old_law),
    )
    return judge_entered(plan.rules_of(game), carried, entered)


# Decisions of a person


@transaction.atomic
def answer_slip(
    *,
    event_id: UUID,
    slip_id: UUID,
    changes: Mapping[str, str | None],
    revision: int | None = None,
    by: Actor,
    at: datetime,
) -> Slip:
    """Give rows of a slip their values, whatever was read; None for no mark.

    Raises NotThereError, StaleError for another revision, and RefusedError for a row or value that
    the slip does not have, and for a slip that is accepted or not ours.
    """
    event = lock_event(event_id)
    slip = find_slip(event, slip_id)
    _check(slip, revision, SlipState.READ)
    view = review_slip(slip)
    if view.layout is None:
        raise RefusedError(slip.reason or _FOREIGN, "slip")
    _check_changes(view, changes)
    slip.changes = {**slip.changes, **changes}
    locate_slip(SlipMatcher(event), slip)  # a blank one may be for another hand now
    _save(slip, "changes", "table", "number")
    return slip


def _check_changes(view: SlipView, changes: Mapping[str, str | None]) -> None:
    rows = () if view.layout is None else view.layout.rows
    known = {row_name(row, view.seats): {one.value for one in row.circles} for row in rows}
    if view.code.is_blank and not view.code.round:
        known[RowKey.ROUND] = {str(number) for number in range(1, view.slip.event.rounds + 1)}
    for name, value in changes.items():
        if name not in known:
            raise RefusedError(Message("This slip has no such row."), "changes")
        if value is not None and value not in known[name]:
            raise RefusedError(Message("This row has no such circle."), f"changes.{name}")


@transaction.atomic
def accept_slip(
    *,
    event_id: UUID,
    slip_id: UUID,
    revision: int | None = None,
    force: bool = False,
    by: Actor,
    at: datetime,
) -> Slip:
    """Enter the hand of a slip, ``slip.hand``; one that is accepted already changes nothing.

    ``force``: enter it although there is a question about the hand as a whole: it will be disputed,
    or a rival of the hand on record. Questions about rows have to be answered first.

    Raises NotThereError, StaleError, RefusedError where something is asked, a hand before it is not
    on record, the round has not begun or no record can be made, GameOverError where the game is
    closed.
    """
    event = lock_event(event_id)
    slip = find_slip(event, slip_id)
    if slip.state == SlipState.ACCEPTED:
        return slip
    _check(slip, revision, SlipState.READ)
    view = review_slip(slip)
    if view.obstacle:
        raise RefusedError(view.obstacle, "slip")
    for question in view.questions:
        if question.rows or not force:
            raise RefusedError(question.message, question.rows[0] if question.rows else "force")
    assert view.game is not None, "there is no obstacle"
    assert slip.number is not None, "there is no obstacle"
    if slip.number > view.game.hands + 1:
        words = Message("Record hand {hand} of this table first.", hand=view.game.hands + 1)
        raise RefusedError(words, "slip")
    assert view.interpretation is not None, "there is no obstacle"
    sent = HandSubmission(
        id=new_id(),
        number=slip.number,
        form=Form.RESULT,
        sent=dumps(view.interpretation.fields).encode(),
    )
    entered = replace(by, source=Source.SLIP)
    slip.hand = enter_hand(game_id=view.game.pk, sent=sent, by=entered, at=at).hand
    details = {"slip": slip.pk, "hand": slip.hand.pk, "changed": sorted(slip.changes)}
    return _decide(slip, SlipState.ACCEPTED, AuditRecord(_ACCEPTED, details=details), by, at)


@transaction.atomic
def set_slip_aside(
    *,
    event_id: UUID,
    slip_id: UUID,
    why: str = "",
    revision: int | None = None,
    by: Actor,
    at: datetime,
) -> Slip:
    """Set a slip aside that nothing is entered of, also one that is not ours; it can be put back.

    Raises NotThereError, StaleError, and RefusedError for one that is accepted.
    """
    slip = find_slip(lock_event(event_id), slip_id)
    if slip.state == SlipState.ASIDE:
        return slip
    _check(slip, revision, SlipState.READ, SlipState.FOREIGN)
    slip.reason = why.strip()[:REASON_MAX]
    action = AuditRecord(Message("slip set aside"), slip.reason, {"slip": slip.pk})
    return _decide(slip, SlipState.ASIDE, action, by, at)


@transaction.atomic
def put_slip_back(
    *, event_id: UUID, slip_id: UUID, revision: int | None = None, by: Actor, at: datetime
) -> Slip:
    """Have a slip looked at again that was set aside.

    Raises NotThereError, StaleError, RefusedError for one whose hand is on record.
    """
    slip = find_slip(lock_event(event_id), slip_id)
    if slip.state in (SlipState.READ, SlipState.FOREIGN):
        return slip
    _check(slip, revision, SlipState.ASIDE)
    slip.reason, state = "", SlipState.READ
    if not slip.marks:  # nothing was read of it, as it was not ours
        state, slip.reason = SlipState.FOREIGN, _why_foreign(slip)
    action = AuditRecord(Message("slip put back"), details={"slip": slip.pk})
    return _decide(slip, state, action, by, at)


def _why_foreign(slip: Slip) -> Message:
    """The reason why nothing was read of a slip, as things are now."""
    try:
        SlipMatcher(slip.event).find_rules(read_code(slip.code))
    except ForeignSlipError as error:
        return error.message
    return Message("This slip was not of this night when it was read; take its picture again.")


_ACCEPTED: Final = Message("slip accepted")
_FOREIGN: Final = Message("This slip is not of this night.")
_REFUSALS: Final = {
    SlipState.READ: Message("This slip is still to be looked at."),
    SlipState.ACCEPTED: Message("This slip is accepted: correct its hand instead."),
    SlipState.ASIDE: Message("This slip is set aside; put it back first."),
    SlipState.FOREIGN: _FOREIGN,
}


def _decide(slip: Slip, state: SlipState, action: AuditRecord, by: Actor, at: datetime) -> Slip:
    slip.state, slip.decided_by, slip.decided_at = state, by.label, at
    names = ("state", "reason", "hand", "decided_by", "decided_at", "table", "number")
    _save(slip, *names)
    note(slip.event, action, by, at)
    return slip


def _save(slip: Slip, *names: str) -> None:
    slip.revision += 1
    slip.save(update_fields=["revision", *names])


def _check(slip: Slip, revision: int | None, *states: SlipState) -> None:
    """Raise StaleError for another revision, RefusedError in another state."""
    if revision is not None and revision != slip.revision:
        words = Message("This slip has been changed in the meantime.")
        raise StaleError(words, slip.revision, {"state": slip.state})
    if slip.state not in states:
        raise RefusedError(_REFUSALS[SlipState(slip.state)], "slip")
