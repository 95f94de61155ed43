"""Analyses of hands: who may see which part of one, when it is made, and how long it holds."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import engine
from engine.analysis.account import AnalysisError, analyse_hand, find_regular_tricks
from engine.analysis.report import analysis_to_json
from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from engine.replay.replay import Replay
from scoring.hands.recording import judge_current_hand
from scoring.models import Game, Hand, HandAnalysis, Phase
from scoring.models.states import write_state
from scoring.selectors import queries
from tournaments.core.errors import ConflictError
from tournaments.models import ATTEMPTS_MAX, Analysis, Stage, Table

FAILED: Final = Message("This hand could not be analysed: every try was broken off.")


def is_open_to_analysis(game: Game, number: int) -> bool:
    """Whether a hand may be analysed: its round is closed, or its game where there is no round.

    In a duplicate event all tables have played its board as well. At most four queries.
    """
    if game.table_id is None:
        return game.phase in (Phase.CLOSED, Phase.OFFICIAL)
    stages = Table.objects.filter(pk=game.table_id).values_list("round__stage", flat=True)
    return stages.get() == Stage.CLOSED and not queries.is_still_played(game, number)


def find_analysis(hand: Hand) -> HandAnalysis:
    """The analysis of a hand as it stands now: kept, being made, or new and not yet asked for.

    A new one is not saved. Raises ConflictError for a hand that cannot be analysed.
    """
    digest = _digest_of(_current_replay(hand))
    kept = HandAnalysis.objects.filter(hand=hand, digest=digest).first()
    return kept or HandAnalysis(hand=hand, digest=digest)


def request_analysis(analysis: HandAnalysis, *, at: datetime) -> None:
    """Have a worker make an analysis that is new; one that is kept, failed or being made stays."""
    if analysis.outcome is None and analysis.due_at is None:
        work = {"digest": analysis.digest, "outcome": None, "due_at": at, "attempts": 0}
        HandAnalysis.objects.update_or_create(hand=analysis.hand, defaults=work)


def make_analysis(*, hand_id: UUID, clock: Callable[[], datetime]) -> None:
    """Make the analysis of a hand if it is due, of the hand as it is by now."""
    row = HandAnalysis.objects.claim(hand_id, clock())
    if row is None:
        return
    hand, made = queries.hand(hand_id), dict[str, Any]()
    if row.attempts > ATTEMPTS_MAX:
        made = {"outcome": HandAnalysis.FAILED}
    elif hand is not None:
        with suppress(ConflictError):
            replay = _current_replay(hand)
            outcome = analysis_to_json(analyse_hand(replay), DEFAULT_SEATS[hand.game.players])
            made = {"digest": _digest_of(replay), "outcome": outcome}
    row.update_leased(due_at=None, attempts=0, **made)


def visible_outcome(outcome: dict[str, Any], seat: str | None) -> dict[str, Any]:
    """An outcome, or as much of it as is about one seat: its account, its cards, gifts to it.

    Of another seat's card only the gift is told, and not what that seat was sure of or could play.
    """
    if seat is None:
        return outcome
    cards = []
    for row in outcome["cards"]:
        gifts = [gift for gift in row["gifts"] if gift["to"] == seat]
        if row["seat"] == seat:
            cards.append({**row, "gifts": []})
        elif gifts:
            cards.append(
                {**row, "sure": None, "legal": [], "slip": None, "kept": [], "gifts": gifts}
            )
    return {
        **outcome,
        "seats": [row for row in outcome["seats"] if row["seat"] == seat],
        "cards": cards,
    }


def may_see(shown: str, *, is_at_the_table: bool, is_staff: bool) -> bool:
    """Whether somebody who may see the cards of a hand may see anything of its analysis."""
    if shown == Analysis.OFF:
        return False
    return shown == Analysis.TABLE or is_staff or is_at_the_table


def _current_replay(hand: Hand) -> Replay:
    """The hand as it was played, with what was decided on it. Raises ConflictError."""
    played = judge_current_hand(hand.game, hand)
    if played is None:
        words = Message("This record is not part of the game (yet); its versions can be read.")
        raise ConflictError(words)
    if played.result is None:
        raise ConflictError(Message("This hand cannot be judged as it is written."))
    replay = replace(played.result.replay, facts=played.result.facts)
    try:
        find_regular_tricks(replay)
    except AnalysisError as error:
        words = Message("This hand cannot be analysed: {why}.", why=error.message)
        raise ConflictError(words) from error
    return replay


def _digest_of(hand: Replay) -> str:
    """The SHA-256 of all that the analysis of a hand follows from, the program included."""
    state, played = write_state(hand.before), repr((hand.record, hand.facts))
    parts = (engine.__version__, hand.rules.digest, state, played)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
