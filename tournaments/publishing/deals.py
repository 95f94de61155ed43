"""Deals of boards that are taken from the records of one table.

Nothing of it is stored twice: each hand keeps its own cards, and who plays a board with others is
found when it is asked. So a corrected record of that table is heeded everywhere at once.
"""

from collections.abc import Mapping
from uuid import UUID

from tournaments.models import Board, Result

Deals = Mapping[int, str]
"""The deals of boards, by number; empty where the record of the table is awaited."""


def find_table_deals(event_id: UUID) -> Deals:
    """What tables tell of the boards of an event whose deals come from them. Two queries.

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
