"""Report the results of hands to standings, in the same transaction.

Result rows are derived from judged hands alone: chips or points, and facts of the hand such as
bids and captures. `manage.py verify` derives them again and compares.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection

from engine.analysis.worth import replayed_worths
from engine.record.facts import Facts
from engine.record.record import PASS_CALL, HandRecord
from engine.rules.rules import Rules, plays_for_chips
from engine.settlement.settlement import Kind
from scoring.models import NOT_COUNTED, Game, State
from scoring.settlement.replay import JudgedHand
from tournaments import invalidation
from tournaments.core.deals import find_dealt_board, write_deal
from tournaments.database.sql import uuid_parameter, uuid_value
from tournaments.invalidation import GameReport, OpenedGame
from tournaments.models import Board, Result

_BROUGHT: Final = (Kind.BUYIN, Kind.REBUY)
"""Chips that came from the bank: nobody won them."""
NO_BOARDS: Final[Mapping[int, Board]] = {}
_CARDS: Final = (State.ACCEPTED, State.RULED)


@dataclass(frozen=True, slots=True)
class SeatTenure:
    """A sitter of a seat, from hand ``first`` to hand ``last`` inclusive."""

    seat: int
    player: UUID
    first: int
    last: int | None


def report_new_game(game: Game, rules: Rules, at: datetime) -> None:
    """Announce a new game, so that its results can be reported."""
    invalidation.open_game(
        OpenedGame(
            game=game.pk,
            club=game.club_id,
            size=game.players,
            low=not plays_for_chips(rules),
            table=game.table,
            at=at,
        )
    )


@dataclass(frozen=True, slots=True)
class ReportedProgress:
    """The phase of a game and how many of its hands are booked, as standings know it."""

    phase: str
    is_open: bool
    booked: int

    @classmethod
    def of(cls, game: Game) -> "ReportedProgress":
        """Return the progress of ``game``."""
        return cls(str(game.phase), game.booked < game.hands, game.booked)


def report(
    game: Game, hands: Sequence[JudgedHand], *, first: int, before: ReportedProgress, at: datetime
) -> None:
    """Report the results from hand ``first`` on; ``before`` is the progress before the change."""
    now = ReportedProgress.of(game)
    sure = [played for played in hands if played.entered.number <= game.booked]
    in_event = game.table_id is not None
    rows = list(build_results(game, sure, list_tenures(game), boards_in(game))) if sure else []
    had = before.booked >= first
    is_phase_new = (now.phase, now.is_open) != (before.phase, before.is_open)
    if rows or had or is_phase_new:
        phase = (
            invalidation.GamePhase(now.phase, now.is_open, game.closed_at) if is_phase_new else None
        )
        invalidation.report(
            GameReport(
                game=game.pk,
                first=first,
                rows=rows,
                had=had,
                in_event=in_event,
                at=at,
                phase=phase,
            )
        )


def report_phases(games: Iterable[Game], at: datetime) -> None:
    """Report that games were closed, reopened or made official."""
    found: dict[invalidation.GamePhase, list[UUID]] = {}
    for game in games:
        now = ReportedProgress.of(game)
        phase = invalidation.GamePhase(now.phase, now.is_open, game.closed_at)
        found.setdefault(phase, []).append(game.pk)
    for phase, some in found.items():
        invalidation.report_phase(phase, some, at)


def list_tenures(game: Game) -> list[SeatTenure]:
    """List who sat where in a game. One query."""
    return [SeatTenure(*row) for row in find_sittings(game.pk)]


def find_sittings(game_id: UUID) -> list[tuple[int, UUID, int, int | None]]:
    """``Sitting.objects.filter(game=game_id)``: seat, player, first and last hand."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seat, player_id, first, last FROM scoring_sitting WHERE game_id = %s",
            [uuid_parameter(game_id)],
        )
        rows = cursor.fetchall()
    return [(seat, uuid_value(player), first, last) for seat, player, first, last in rows]


def boards_in(game: Game) -> dict[int, Board]:
    """The prepared deals of a game's round, by their numbers."""
    return {} if game.table is None else invalidation.boards_of(game.table)


def build_results(
    game: Game,
    hands: Iterable[JudgedHand],
    sat: Sequence[SeatTenure],
    boards: Mapping[int, Board] = NO_BOARDS,
) -> Iterator[Result]:
    """Build unsaved result rows for booked hands, seat by seat."""
    for values in build_result_values(game, hands, sat, boards):
        yield Result(**values)


def build_result_values(
    game: Game,
    hands: Iterable[JudgedHand],
    sat: Sequence[SeatTenure],
    boards: Mapping[int, Board] = NO_BOARDS,
) -> Iterator[dict[str, Any]]:
    """Build the same rows as dictionaries by column name."""
    for played in hands:
        number = played.entered.number
        assert played.judged.rules is not None
        by_chips = plays_for_chips(played.judged.rules)
        scores = _chips_by_seat(played) if by_chips else _points_by_seat(played)
        if not (played.state in (*_CARDS, State.PASSED_OUT, State.FOOT) or any(scores)):
            continue
        who = {one.seat: one.player for one in sat if _is_seated(one, number)}
        board = None if played.board is None else boards.get(played.board)
        settled = SettledHand.of(played)
        common = _hand_values(game, settled, board)
        for seat, score in enumerate(scores):
            own = _seat_values(settled, seat)
            yield {"seat": seat, "player_id": who.get(seat), "score": score, **common, **own}


@dataclass(frozen=True, slots=True)
class SettledHand:
    """A judged hand with the chips won by each seat and each seat's highest bid.

    ``bids`` is empty unless the whole auction is on record, and ``worths`` unless all cards are.
    """

    played: JudgedHand
    facts: Facts
    won: tuple[int, ...]
    bids: Mapping[int, int]
    worths: Sequence[int]

    @classmethod
    def of(cls, played: JudgedHand) -> "SettledHand":
        """Collect the values of a judged hand."""
        facts, record = _facts_and_record(played)
        won = [0] * played.before.players
        for posting in played.postings:
            if posting.kind is Kind.AWARD and isinstance(posting.payee, int):
                won[posting.payee] += posting.amount
        worths: Sequence[int] = ()
        if played.result is not None and played.state in _CARDS:
            worths = replayed_worths(played.result.replay)
        return cls(played, facts, tuple(won), _bids(record), worths)

    @property
    def second(self) -> int | None:
        """The second-highest bid; 0 if only one seat bid, None if the auction is unknown."""
        highest = sorted(bid for bid in self.bids.values() if bid)
        return None if not self.bids else highest[-2] if len(highest) > 1 else 0


def _is_seated(tenure: SeatTenure, number: int) -> bool:
    return tenure.first <= number and (tenure.last is None or number <= tenure.last)


def _chips_by_seat(played: JudgedHand) -> list[int]:
    """Chips won or lost by seat, without those that were bought."""
    scores = [0] * played.before.players
    for posting in played.postings:
        if posting.kind not in _BROUGHT:
            if isinstance(posting.payer, int):
                scores[posting.payer] -= posting.amount
            if isinstance(posting.payee, int):
                scores[posting.payee] += posting.amount
    return scores


def _points_by_seat(played: JudgedHand) -> list[int]:
    pairs = zip(played.after.totals, played.before.totals, strict=True)
    return [after - before for after, before in pairs]


def _hand_values(game: Game, settled: SettledHand, board: Board | None) -> dict[str, object]:
    """Return the columns that are equal for all seats of a hand."""
    played, facts = settled.played, settled.facts
    settlement = played.result.settlement if played.result is not None else None
    return {
        "game_id": game.pk,
        "number": played.entered.number,
        "whole": facts.whole,
        "bid": facts.bid if facts.bidder is not None else None,
        "second": settled.second,
        "pain": facts.pain.letter if facts.pain is not None else "",
        "pot": sum(settled.won) + played.after.pot,
        "sharers": 0 if settlement is None else len(settlement.winners),
        "jackpot": played.before.jackpot > 0,
        "played": played.state in _CARDS,
        "counts": played.state not in NOT_COUNTED,
        "board": None if board is None else board.number,
        "fits": None if board is None else matches_deal(board.deal, played),
        "dealt": "" if board is None or board.source_table is None else format_dealt_cards(played),
    }


def _seat_values(settled: SettledHand, seat: int) -> dict[str, object]:
    """Return the columns of one seat."""
    facts, before = settled.facts, settled.played.before
    players = len(settled.won)
    return {
        "taken": facts.taken[seat] if facts.taken else None,
        "queen": None if facts.queen is None else facts.queen == seat,
        "to_dealer": (seat - before.dealer - 1) % players,
        "from_namer": None if facts.namer is None else (seat - facts.namer) % players,
        "own_bid": settled.bids.get(seat),
        "won": settled.won[seat],
        "insured": facts.papers[seat] if facts.papers else None,
        "foot": seat in facts.feet,
        "worth": settled.worths[seat] if settled.worths else None,
    }


def _facts_and_record(played: JudgedHand) -> tuple[Facts, HandRecord | None]:
    if played.result is None:
        return Facts(), played.judged.entry.record
    return played.result.facts, played.result.replay.record


def _bids(record: HandRecord | None) -> dict[int, int]:
    """The highest bid of each seat that called, 0 where it only passed."""
    if record is None or record.auction is None or record.first_caller is None:
        return {}
    found: dict[int, int] = {}
    for turn, call in enumerate(record.auction):
        if call is None:
            return {}
        seat = (record.first_caller + turn) % record.players
        found[seat] = max(found.get(seat, 0), 0 if call == PASS_CALL else call)
    return found


def format_dealt_cards(played: JudgedHand) -> str:
    """Return the dealt cards in the stored form of a board; empty if the record lacks them."""
    held = played.result.replay.dealt if played.result is not None else None
    return "" if held is None else write_deal(held, played.before.dealer)


def matches_deal(deal: str, played: JudgedHand) -> bool | None:
    """Whether a hand was played with the cards of ``deal``; None if either is unknown."""
    cards = format_dealt_cards(played) if deal else ""
    return cards == deal if cards else None


def find_played_board(played: JudgedHand) -> tuple[int, int | None] | None:
    """The board of the event whose cards a hand was played with, and by how many seats turned."""
    return find_dealt_board(played.entered.deals, format_dealt_cards(played))
