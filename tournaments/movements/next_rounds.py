"""Round by round: the next round from what was played and how everybody stands (2.7)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

from engine.core.messages import Message
from tournaments.movements import orders
from tournaments.movements.one_round import in_places, seat_orders, set_apart
from tournaments.movements.orders import Tables, draw_order, lots_of
from tournaments.movements.planning import ALGORITHM, plan
from tournaments.movements.search import check_apart, weights
from tournaments.movements.seating import RoundSeating, SeatingError, check_entrants
from tournaments.movements.sizes import choose, odd_games, sizes, with_latecomers
from tournaments.movements.swiss import Pairing, swiss
from tournaments.movements.wishes import Wishes

_EFFORT: Final = 200_000
"""Moves for one round by lot; there is little to choose from."""
Standing = Sequence[int | Sequence[int]]
"""Who is there, the best first; those who share a place may be given together."""


class Movement(StrEnum):
    """Ways to find the next round."""

    RANDOM = "RANDOM"
    SWISS = "SWISS"
    DANISH = "DANISH"
    INTERVAL = "INTERVAL"
    LADDER = "LADDER"
    SNAKE = "SNAKE"
    FIXED = "FIXED"


def next_round(
    movement: Movement,
    n: int,
    standing: Standing,
    history: Sequence[RoundSeating] = (),
    wishes: Wishes | None = None,
    *,
    seed: int | str,
    step: int = 1,
    repeat_cost: int | None = None,
) -> RoundSeating:
    """Seat who is in the standing for one more round after those of ``history``.

    ``standing``: for the ladder, the results of the last round. ``step`` is for INTERVAL: how many
    places apart; Danish (Mexicano) is step 1. ``repeat_cost`` is for SWISS: what a repeat weighs
    in places, None for "only where there is no other way". Raises SeatingError.
    """
    kept = wishes or Wishes()
    check_entrants(n, history)
    kept.check(n)
    lots = lots_of(f"{ALGORITHM}/{movement}/{len(history)}/{seed}")
    order = _order_standing(n, standing, lots)
    if step < 1:
        raise SeatingError(Message("Steps in the standings are at least 1."))
    if movement is Movement.RANDOM:
        present = {one: () for one in range(n) if one not in set(order)}
        drawn_by_lot = plan(
            n, 1, kept, seed=seed, history=history, present=present, effort=_EFFORT
        ).rounds[0]
        tables, outs = [list(table) for table in drawn_by_lot.tables], drawn_by_lot.sit_outs
    else:
        cut = sizes(len(order), kept.allowed, byes=kept.byes)
        outs = choose(len(order) - sum(cut), order[::-1], history, kept.volunteers)
        playing = Playing(tuple(one for one in order if one not in outs), cut, tuple(history))
        dear = weights(kept)
        if movement is Movement.SWISS:
            met = Counter(pair for seating in history for pair in seating.meetings())
            pairing = Pairing(met=met, extra=dear, repeat=repeat_cost, top_first=kept.top_first)
            tables = swiss(playing.order, playing.table_sizes, pairing, lots)
        else:
            tables = _by_order(movement, playing, step)
        tables = set_apart(tables, dear)
        check_apart(tables, dear)
    placed = in_places(tables, kept)
    return RoundSeating(tuple(seat_orders(placed, history, kept, lots)), outs)


@dataclass(frozen=True, slots=True)
class Playing:
    """The players, the best first, the sizes of the tables, and what was played before."""

    order: tuple[int, ...]
    sizes: tuple[int, ...]
    history: tuple[RoundSeating, ...]

    @property
    def table_sizes(self) -> list[int]:
        """The sizes from the top table down: odd ones where they have been least."""
        burdens = with_latecomers(odd_games(self.history), self.history, self.order)
        return orders.arrange_odd_sizes(self.order, self.sizes, burdens)


def _by_order(movement: Movement, playing: Playing, step: int) -> Tables:
    last = playing.history[-1] if playing.history else None
    if movement is Movement.LADDER and last:
        climbing = orders.climb_ladder(last, playing.order, playing.order)
        return orders.in_steps(climbing, _like_last(last, playing.sizes), 1)
    if movement is Movement.FIXED and last:
        return orders.kept_together(last, playing.sizes, playing.order)
    if movement is Movement.SNAKE:
        return orders.snake(playing.order, playing.sizes)
    if movement is Movement.INTERVAL:
        return orders.in_steps(playing.order, playing.sizes, step)
    return orders.in_steps(playing.order, playing.table_sizes, 1)


def _order_standing(n: int, standing: Standing, lots: Random) -> list[int]:
    """The standing as one order, by lot where places are shared."""
    order: list[int] = []
    for place in standing:
        order += [place] if isinstance(place, int) else draw_order(place, lots)
    if len(set(order)) < len(order):
        twice = sorted(one for one, count in Counter(order).items() if count > 1)
        raise SeatingError(Message("The standing names somebody twice."), twice)
    if any(not 0 <= one < n for one in order):
        raise SeatingError(Message("The standing names players who are not entered."))
    return order


def _like_last(last: RoundSeating, cut: Sequence[int]) -> Sequence[int]:
    """The sizes in the order that they had, where they are the same ones."""
    return last.sizes if sorted(last.sizes) == sorted(cut) else cut
