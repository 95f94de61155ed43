"""Deals of boards that are taken from the records of one table.

Nothing of it is stored twice: each hand keeps its own cards, and who plays a board with others is
found when it is asked. So a corrected record of that table is heeded everywhere at once.
"""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from tournaments.models import Board, BoardDecision, BoardVerdict, Result

Deals = Mapping[int, str]
"""The deals of boards, by number; empty where the record of the table is awaited."""


def find_table_deals(event_id: UUID) -> Deals:
    """Return tables' deals of the boards of an event whose deals come from them. Two queries.

    Where a table played a board in several games of a round, the first that tells the cards counts.
    """
    sources = dict(
        Board.objects.filter(event=event_id, source_table__isnull=False).values_list(
            "number", "source_table"
        )
    )
    if not sources:
        return {}
    rows = (
        Result.objects.filter(game__event=event_id, board__in=sources, seat=0)
        .exclude(dealt="")
        .order_by("game__opened_at", "game_id")
        .values_list("board", "game__table__number", "dealt")
    )
    found = dict.fromkeys(sources, "")
    for board, table, dealt in rows:
        if board is not None and sources[board] == table and not found[board]:
            found[board] = dealt
    return found


def fits(deals: Deals, board: int | None, dealt: str) -> bool | None:
    """Whether a hand was played with the cards that a table tells; None where nobody can say."""
    deal = deals.get(board, "") if board is not None else ""
    return dealt == deal if dealt and deal else None


class HeldVerdict(NamedTuple):
    """The verdict that holds on a hand with other cards than its board (DEC-15)."""

    verdict: str
    other_board: int | None = None
    turn: int = 0

    def place(self, board: int, to_dealer: int, size: int) -> tuple[int, int] | None:
        """The board and the seat of it for which a result counts; None for no board."""
        if self.verdict == BoardVerdict.FOULED:
            return None
        if self.other_board is None:
            return board, to_dealer
        return self.other_board, (to_dealer + self.turn) % size


def find_verdicts(event_id: UUID) -> dict[tuple[UUID, int], HeldVerdict]:
    """Return the verdicts on hands with other cards, by game and hand. One query."""
    rows = BoardDecision.objects.filter(game__event=event_id, cancelled_at=None)
    columns = ("game_id", "number", "verdict", "other_board", "turn")
    return {
        (game, number): HeldVerdict(*rest) for game, number, *rest in rows.values_list(*columns)
    }


class Misfit(NamedTuple):
    """A hand that was not played with the cards of its ``board``."""

    game: UUID
    number: int
    round: int
    table: int
    board: int


def find_misfits(event_id: UUID) -> list[Misfit]:
    """The hands of an event with other cards than their boards, decided or not. Three queries."""
    rows = Result.objects.filter(game__event=event_id, seat=0, board__isnull=False)
    rows = rows.filter(Q(fits=False) | ~Q(dealt=""))
    places = ("game__table__round__number", "game__table__number")
    columns = ("game_id", "number", *places, "board", "fits", "dealt")
    found = list(rows.order_by(*places, "game_id", "number").values_list(*columns))
    deals = find_table_deals(event_id) if any(dealt for *_, dealt in found) else {}
    return [
        Misfit(game, number, row, table, board)
        for game, number, row, table, board, stored, dealt in found
        if stored is False or fits(deals, board, dealt) is False
    ]


def find_undecided(event_id: UUID) -> list[Misfit]:
    """The hands with other cards than their boards on which nothing is decided. Four queries."""
    misfits = find_misfits(event_id)
    decided = find_verdicts(event_id) if misfits else {}
    return [misfit for misfit in misfits if (misfit.game, misfit.number) not in decided]
