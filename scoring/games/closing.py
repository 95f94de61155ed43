"""Closing a game: chips go back, money is paid out; opening it again takes exactly that back.

A game is closed when it is over by its rules, or by the director's word (Q66, `length=session`).
All its accounts are at zero then, but for the bank, which has what the club's jackpot gave or took.
Whoever closes holds the lock of the club and of the game (`opening.lock_with_club`): a pot that is
kept goes to the club's jackpot, which only one game may draw on.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Coalesce

from engine.core.messages import Message, Sentence, joined_by_semicolons
from engine.record.rulings import Decision, Ruling
from scoring.games.closing_postings import build_closing_transfers, compute_outcomes
from scoring.games.opening import corrections_until, freeze, lock_with_club, touch, touch_all
from scoring.ledger import transfers
from scoring.ledger.payouts import GamePayout
from scoring.ledger.transfers import Stamp
from scoring.models import Appeal, AppealStep, EntryKind, Game, Hand, Phase, State
from scoring.models.states import read_state
from scoring.settlement import reporting
from scoring.settlement.changes import (
    RulingRequest,
    draft_decision,
    plan_change,
    save_ruling,
    write_change,
)
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import Draft, carry_out, lock_all, plan
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.time_zones import format_day, format_moment, local
from tournaments.models import Club

LEFT_OUT = Message("The game was closed without it.")
REOPENED = "opened again"
CLOSED_ANEW = "closed anew"
"""What the books say, which may be public: what people wrote is in the trail alone."""
_APPEALED = ("ruling", "ruling__hand__number", "step")


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Options of closing a game; ``reason`` is needed where its rules do not end it.

    ``leave_out``: hands that are still open are void by the director's word, for this reason.
    """

    reason: str = ""
    leave_out: bool = False
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A closed game, what it came to in money, and the numbers of the hands that were left out."""

    game: Game
    outcome: GamePayout
    left_out: tuple[int, ...] = ()


@transaction.atomic
def close_game(*, game_id: UUID, closing: Closing, by: Actor, at: datetime) -> Closed:
    """Close a game: chips to the bank, the pot by the rules, the pool to whom it belongs.

    Hands that are left out get a ruling that they are void; one that waits for a hand that never
    came stays as it is, outside the game.

    Raises StaleError, and RefusedError: closed already, hands open (it says which), no reason.
    """
    game = lock_with_club(game_id)
    _check_version(game, closing.version)
    if game.phase in (Phase.CLOSED, Phase.OFFICIAL):
        raise RefusedError(Message("This game is closed already."), "phase")
    if game.phase == Phase.OPEN and not closing.reason.strip():
        raise RefusedError(
            Message("By its rules this game is not over; say why it ends."), "reason"
        )
    if closing.leave_out and not closing.reason.strip():
        raise RefusedError(Message("Say why open hands are left out."), "reason")
    stamp = Stamp(by, at)
    waiting = open_hands([game])
    if waiting and not closing.leave_out:
        raise RefusedError(_still_open(waiting), "leave_out")
    left_out = tuple(_leave_out(game, closing.reason, stamp)) if waiting else ()
    result = _close({game: left_out}, closing.reason, stamp)[game]
    return Closed(game=game, outcome=result, left_out=left_out)


@transaction.atomic
def close_games(
    *, club_id: UUID, game_ids: Collection[UUID], reason: str, by: Actor, at: datetime
) -> dict[UUID, Sentence]:
    """Close games of a club at once; return why others stay open, which have open hands.

    Those that were closed before stay as they are. Uses a constant number of queries.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    games = lock_all(club_id, game_ids)
    played = [game for game in games if game.phase in (Phase.OPEN, Phase.OVER)]
    waiting: defaultdict[UUID, list[Hand]] = defaultdict(list)
    for hand in open_hands(played):
        waiting[hand.game_id].append(hand)
    ended = {game: () for game in played if game.pk not in waiting}
    if ended:
        _close(ended, reason, Stamp(by, at))
    return {game: _still_open(hands) for game, hands in waiting.items()}


def _close(
    games: Mapping[Game, Sequence[int]], reason: str, stamp: Stamp
) -> dict[Game, GamePayout]:
    """Close locked games of one club; given are the numbers of the hands that were left out."""
    for game in games:
        freeze(game, stamp.at)
        game.phase, game.closed_at = Phase.CLOSED, stamp.at
    Game.objects.filter(pk__in=[game.pk for game in games]).update(
        phase=Phase.CLOSED, closed_at=stamp.at, frozen_at=Coalesce("frozen_at", Value(stamp.at))
    )
    results = compute_outcomes(games)
    dues = build_closing_transfers(results)
    transfers.post_all(transfers.moves_of_games(dues), stamp=stamp)
    reporting.report_phases(games, stamp.at)
    actions = {}
    for game, left_out in games.items():
        pool = results[game].pool
        details = {"hands": game.hands, "left out": list(left_out), "pool": pool}
        actions[game] = AuditRecord(Message("game closed"), reason, details)
    touch_all(actions, stamp)
    return results


def _check_version(game: Game, version: int | None) -> None:
    if version is not None and version != game.version:
        current = {"phase": game.phase, "hands": game.hands, "version": game.version}
        raise StaleError(
            Message("The game has been changed in the meantime."), game.version, current
        )


def open_hands(games: Collection[Game]) -> list[Hand]:
    """The hands of games on which something has still to be decided, by number. One query."""
    states = (State.DRAFT, State.DISPUTED)
    hands = Hand.objects.filter(game__in=games, state__in=states, rival=None)
    return list(hands.order_by("number"))


def _still_open(hands: Sequence[Hand]) -> Sentence:
    found = [
        Message("hand {number} is open ({reason})", number=hand.number, reason=hand.reason)
        for hand in hands
    ]
    return Sentence(joined_by_semicolons(found))


def _leave_out(game: Game, reason: str, stamp: Stamp) -> Iterator[int]:
    """Let hands be void in order, until none is open; one may be right without those before it."""
    rivals = Hand.objects.filter(game=game, rival__isnull=False, state=State.DISPUTED)
    contested = set(rivals.values_list("number", flat=True))
    rivals.update(state=State.VOID, reason=LEFT_OUT)
    while waiting := contested | {hand.number for hand in open_hands([game])}:
        number = min(waiting)
        if number > game.hands:
            return
        _make_void(game, number, reason, stamp)
        contested.discard(number)
        yield number


def _make_void(game: Game, number: int, reason: str, stamp: Stamp) -> None:
    ruling = Ruling(decision=Decision.VOID_NO_REPLAY, text=LEFT_OUT)
    row = Hand.objects.get(game=game, number=number, rival=None)
    decided = draft_decision(row, RulingRequest(ruling=ruling, facts=reason), stamp)
    changed = plan_change(game, row, Draft(rulings=(decided,)), Policy.RESETTLE)
    played = changed.plan.hands[0]
    if not played.is_sure:
        words = Message(
            "Hand {number} cannot be left out, correct it first: {reason}",
            number=number,
            reason=played.reason,
        )
        raise RefusedError(words, "leave_out")
    save_ruling(decided, played)
    write_change(changed, row, stamp)


@transaction.atomic
def reopen_game(
    *, game_id: UUID, why: str, by: Actor, at: datetime, version: int | None = None
) -> Game:
    """Open a closed or official game again; everything that its closing moved goes back.

    Hands that were left out stay void until the director rules otherwise. Raises StaleError, and
    RefusedError: not closed, no reason, a pot that another game has drawn on since.
    """
    game = lock_with_club(game_id)
    _check_version(game, version)
    if game.phase not in (Phase.CLOSED, Phase.OFFICIAL):
        raise RefusedError(Message("This game is not closed."), "phase")
    if not why.strip():
        raise RefusedError(Message("Say why the game is opened again."), "why")
    stamp = Stamp(by, at)
    _take_back(game, stamp, REOPENED)
    touch(game, AuditRecord(Message("game reopened"), why, {"hands": game.hands}), stamp)
    return game


def _take_back(game: Game, stamp: Stamp, note: str) -> None:
    rows = transfers.closing(game)
    _refuse_drawn(transfers.drawn_since(transfers.transfers_to_club(rows)))
    transfers.reverse(rows, stamp=stamp, note=note)
    was_official = game.phase == Phase.OFFICIAL
    game.phase = Phase.OPEN if read_state(game.state).over is None else Phase.OVER
    game.closed_at = None
    game.save(update_fields=["phase", "closed_at"])
    reporting.report_phases([game], stamp.at)
    if was_official:
        carry_out(plan(game, 1), stamp=stamp)


def _refuse_drawn(other: Game | None) -> None:
    if other is not None:
        words = Message(
            "What this game left in the club's jackpot lies in the game {name} now,"
            " opened on {day}.",
            name=repr(other.name),
            day=format_day(local(other.opened_at, other.club.time_zone)),
        )
        raise RefusedError(words, "jackpot")


@transaction.atomic
def make_official(*, game_id: UUID, by: Actor, at: datetime) -> Game:
    """Let a closed game be official once its correction period is over (Q64).

    Raises RefusedError: not closed, too early, or an appeal that nobody has answered.
    """
    game = lock_with_club(game_id)
    if game.phase != Phase.CLOSED or game.closed_at is None:
        raise RefusedError(Message("Only a closed game becomes official."), "phase")
    until = corrections_until(game)
    if until is not None and at < until:
        words = Message(
            "The game can be corrected until {time}.",
            time=format_moment(until, game.club.time_zone),
        )
        raise RefusedError(words, "phase")
    _refuse_appealed(game)
    stamp = Stamp(by, at)
    game.phase = Phase.OFFICIAL
    game.save(update_fields=["phase"])
    reporting.report_phases([game], at)
    carry_out(plan(game, 1), stamp=stamp)
    touch(game, AuditRecord(Message("game official"), details={"hands": game.hands}), stamp)
    return game


def _refuse_appealed(game: Game) -> None:
    steps = Appeal.objects.filter(ruling__hand__game=game).order_by("id")
    last = {ruling: (hand, step) for ruling, hand, step in steps.values_list(*_APPEALED)}
    open_now = sorted({hand for hand, step in last.values() if step == AppealStep.PENDING})
    if open_now:
        found = [
            Message("an appeal on hand {number} is pending", number=number) for number in open_now
        ]
        raise RefusedError(Sentence(joined_by_semicolons(found)), "phase")


def close_if_closed(game: Game, stamp: Stamp) -> bool:
    """After a change of one of its hands, let a closed game be closed by what they come to now.

    Tells whether it could not be, and the game is open again.
    """
    return game.phase == Phase.CLOSED and not close_again(game, stamp)


def close_again(game: Game, stamp: Stamp) -> bool:
    """Let the closing of a closed game say what its hands come to now, after a correction.

    The caller holds the locks of club and game, and has settled the game. Where a hand is open
    now, the closing is taken back and the game is open again: False then, else True. A hand that
    waits for one that never came stays outside, as it did when the game was closed.

    Raises RefusedError where that would change a pot that another game has drawn on since.
    """
    # Hands beyond wait for one that never came.
    if any(hand.number <= game.hands for hand in open_hands([game])):
        _take_back(game, stamp, CLOSED_ANEW)
        touch(
            game,
            AuditRecord(Message("game reopened"), "A hand is open.", {"hands": game.hands}),
            stamp,
        )
        return False
    now = transfers.closing(game)
    dues = build_closing_transfers(compute_outcomes([game]))[game]
    moves = transfers.moves(game, dues)
    left = {(row.payer_id, row.amount) for row in transfers.transfers_to_club(now)}
    if left != {(move.payer, move.amount) for move in moves if move.kind == EntryKind.JACKPOT}:
        _refuse_drawn(transfers.drawn_since(transfers.transfers_to_club(now)))
    transfers.let_be(now, moves, game=game, stamp=stamp, note=CLOSED_ANEW)
    return True
