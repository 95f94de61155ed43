"""Drafts of hands: entered on one phone, stored so that another can continue.

Only the phone that began a draft writes to it; another phone continues in a draft of its own. A
draft is not part of the record; the table sees it until its hand is on record.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from engine.core.cards import CardSet
from engine.core.messages import Message
from scoring.games.opening import check_open
from scoring.hands.recording import HANDS_AHEAD_MAX
from scoring.models import Game, Hand, HandDraft, State
from scoring.settlement.plan import board_due, lock, state_before
from scoring.settlement.reporting import boards_in
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.deals import read_deal
from tournaments.core.errors import ConflictError, NotAllowedError, RefusedError

DRAFTS_MAX: Final = 300
"""Drafts per game; beyond that, the oldest whose hand is on record is deleted."""
DRAFT_LIFETIME: Final = timedelta(days=60)
"""How long a draft is kept: much longer than a link lives that could still send it."""
ANSWERS_MAX: Final = 120
"""More than a hand has questions, every card included."""
_WORD_MAX: Final = 20
_WORDS_MAX: Final = 12
_NUMBER_MAX: Final = 100_000
_SECRET: Final = frozenset({"paper", "pass"})
_QUESTION: Final = re.compile(r"[a-z]{1,12}( [A-Z0-9]{1,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftState:
    """The progress of a phone in entering a hand, question by question; see `HandDraft`."""

    id: UUID
    number: int
    change: int
    answers: Mapping[str, Any]
    continues: UUID | None = None
    seen: int = 0


@transaction.atomic
def save_draft(*, game_id: UUID, state: DraftState, by: Actor, at: datetime) -> HandDraft:
    """Save a phone's draft; a state older than the stored one changes nothing.

    Raises ConflictError for another state of the same age (two windows of one phone),
    NotAllowedError for the draft of another phone, RefusedError for what is no draft of this game.
    """
    game = lock(game_id)
    check_open(game)
    _check(game, state)
    answers = json.dumps(dict(state.answers), separators=(",", ":"))
    kept = HandDraft.objects.filter(pk=state.id).first()
    if kept is None:
        _make_room(game)
        return HandDraft.objects.create(
            id=state.id,
            game=game,
            number=state.number,
            seat=by.seat,
            by=by.label,
            change=state.change,
            answers=answers,
            continues=state.continues,
            seen=state.seen,
            kept_at=at,
        )
    if kept.game_id != game.pk or kept.number != state.number:
        raise RefusedError(Message("This id belongs to another hand."), "id")
    if kept.by != by.label:
        raise NotAllowedError(Message("Another phone tells this draft; go on in one of your own."))
    if state.change == kept.change and answers != kept.answers:
        raise ConflictError(Message("This draft was entered in two ways at once."), "change")
    if state.change > kept.change:
        kept.answers, kept.change, kept.seat, kept.kept_at = answers, state.change, by.seat, at
        kept.save(update_fields=["answers", "change", "seat", "kept_at"])
    return kept


@transaction.atomic
def show_deal(*, game_id: UUID, draft_id: UUID, by: Actor, at: datetime) -> tuple[CardSet, ...]:
    """Return the prepared deal of a draft's hand, by seat.

    For a hand that was just played, so that the phone need not ask for cards that follow from the
    deal. The look is noted in the audit trail and on the draft, where the whole table sees it.
    Raises HandDraft.DoesNotExist, RefusedError for the draft of another phone, for a hand without
    a prepared deal, and for one that is not the next of its game.
    """
    game = lock(game_id)
    check_open(game)
    draft = HandDraft.objects.get(game=game, pk=draft_id)
    if draft.by != by.label:
        raise RefusedError(Message("Another phone tells this draft."), "draft_id")
    if draft.number != game.hands + 1:
        raise RefusedError(
            Message("The next hand of this game is number {number}.", number=game.hands + 1),
            "number",
        )
    due = board_due(game)
    board = None if due is None else boards_in(game).get(due)
    if board is None or not board.deal:
        raise RefusedError(Message("This hand has no prepared deal."), "number")
    if not draft.sees_deal:
        draft.sees_deal = True
        draft.save(update_fields=["sees_deal"])
        details = {"hand": draft.number, "board": board.number, "seat": by.seat}
        action = AuditRecord(Message("deal shown"), details=details)
        audit.note(action, chain=game.pk, club=game.club_id, by=by, at=at)
    return read_deal(board.deal, state_before(game, draft.number).dealer)


def list_drafts(game: Game) -> list[HandDraft]:
    """List the drafts of hands not yet on record, oldest first. One query."""
    on_record = Hand.objects.filter(game=game).exclude(state=State.TAKEN_BACK).values("number")
    return list(unsent_drafts(game).exclude(number__in=on_record).order_by("kept_at", "id"))


def unsent_drafts(game: Game) -> QuerySet[HandDraft]:
    """Select the drafts that were not sent as a hand, which would have the draft's id.

    A hand that was taken back counts as sent.
    """
    hands = Hand.objects.filter(game=game)
    return HandDraft.objects.filter(game=game).exclude(pk__in=hands.values("pk"))


def delete_old_drafts(*, at: datetime) -> int:
    """Delete drafts untouched for `DRAFT_LIFETIME`; return how many."""
    return HandDraft.objects.filter(kept_at__lt=at - DRAFT_LIFETIME).delete()[0]


def _make_room(game: Game) -> None:
    mine = HandDraft.objects.filter(game=game)
    if mine.count() < DRAFTS_MAX:
        return
    oldest = mine.filter(number__lte=game.hands).order_by("kept_at").first()
    if oldest is None:
        raise RefusedError(Message("A game keeps {most} drafts at most.", most=DRAFTS_MAX), "id")
    oldest.delete()


def _check(game: Game, state: DraftState) -> None:
    if state.number > game.hands + HANDS_AHEAD_MAX:
        raise RefusedError(
            Message("The next hand of this game is number {number}.", number=game.hands + 1),
            "number",
        )
    if len(state.answers) > ANSWERS_MAX:
        raise RefusedError(
            Message("A hand has {most} answers at most.", most=ANSWERS_MAX), "answers"
        )
    for question, answer in state.answers.items():
        field = f"answers.{question[:_WORD_MAX]}"
        if not _QUESTION.fullmatch(question):
            raise RefusedError(Message("This is no question of a hand."), field)
        if question.partition(" ")[0] in _SECRET:
            words = Message(
                "What other seats may not know yet stays on the phone on which it was entered."
            )
            raise RefusedError(words, field)
        if not _is_answer(answer):
            raise RefusedError(Message("This is no answer to a question of a hand."), field)


def _is_answer(answer: object) -> bool:
    if isinstance(answer, list):
        return len(answer) <= _WORDS_MAX and all(_is_word(one) for one in answer)
    return _is_word(answer) or (isinstance(answer, int) and abs(answer) <= _NUMBER_MAX)


def _is_word(answer: object) -> bool:
    return isinstance(answer, str) and len(answer) <= _WORD_MAX and answer.isprintable()
