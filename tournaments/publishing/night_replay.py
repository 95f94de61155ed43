"""The standings of an event after every hand of it, for a replay of the night."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models.functions import Coalesce

from tournaments.models import Result
from tournaments.publishing.event_inputs import (
    EventInputs,
    adjustments,
    boards,
    entrants,
    read_event_inputs,
    round_sit_outs,
    tables,
)
from tournaments.publishing.seat_decisions import HeldDecisions
from tournaments.publishing.seat_sums import SeatSum
from tournaments.standings import EventRow, Incomplete, rank_event
from tournaments.standings.memo import Memo

STEPS_MAX: Final = 96
"""A replay of more hands skips some, but no hand in which a jackpot was won."""


class _Hand(NamedTuple):
    """A seat's part of a hand, as far as standings need it."""

    game: UUID
    number: int
    seat: int
    player: UUID
    score: int
    taken: int | None
    is_played: bool
    counts: bool
    board: int | None
    won: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """The standings after a hand of all tables; ``jackpots`` are the tables that won one with it.

    ``rows`` are those of the entries that have a place.
    """

    round: int
    hand: int
    rows: list[EventRow]
    jackpots: list[int]


def replay_event(event_id: UUID) -> list[ReplayStep]:
    """Rank an event after each of its hands, by its own scoring; games count as far as they came.

    Units are those of its total, so chips and points are never added (DEC-16). Fourteen queries,
    and a ranking for every step. Raises Event.DoesNotExist.
    """
    found = read_event_inputs(event_id)
    rounds = {game.id: (game.round, game.table) for game in found.games}
    hands: dict[tuple[int, int], list[_Hand]] = defaultdict(list)
    jackpots: dict[tuple[int, int], set[int]] = defaultdict(set)
    rows = Result.objects.filter(game__event=event_id).values_list(
        "game_id", "number", "seat", Coalesce("player__merged_into_id", "player_id"), "score",
        "taken", "played", "counts", "board", "won", "jackpot",
    )  # fmt: skip
    for *values, is_jackpot in rows:
        hand = _Hand(*values)
        if hand.game not in rounds:
            continue
        round_, table = rounds[hand.game]
        hands[round_, hand.number].append(hand)
        if is_jackpot and hand.won > 0:
            jackpots[round_, hand.number].add(table)
    steps = sorted(hands)
    every = -(-len(steps) // STEPS_MAX)
    return [
        ReplayStep(
            round=at[0],
            hand=at[1],
            rows=[row for row in rank_inputs(so_far) if row.rank is not None],
            jackpots=sorted(jackpots[at]),
        )
        for place, (at, so_far) in enumerate(_inputs_by_step(found, hands), 1)
        if place % every == 0 or place == len(steps) or jackpots[at]
    ]


def _inputs_by_step(
    found: EventInputs, hands: dict[tuple[int, int], list[_Hand]]
) -> Iterator[tuple[tuple[int, int], EventInputs]]:
    """Yield the inputs of an event as they would have been after each hand, in their order."""
    last = {game.id: 0 for game in found.games}
    for (_round, number), told in hands.items():
        for hand in told:
            last[hand.game] = max(last[hand.game], number)
    sums: dict[UUID, dict[tuple[int, UUID], list[int]]] = defaultdict(dict)
    boards_told: set[tuple[UUID, int]] = set()
    scoring = replace(found.scoring, incomplete=Incomplete.COUNTS, least_games=0)
    for at in sorted(hands):
        for hand in hands[at]:
            own = sums[hand.game].setdefault((hand.seat, hand.player), [0, 0, 0])
            own[0] += hand.score
            own[1] += hand.counts
            own[2] += hand.taken == 0 and hand.is_played
            if hand.board is not None:
                boards_told.add((hand.game, hand.board))
        done = {
            game.id
            for game in found.games
            if game.round < at[0] or (game.round == at[0] and last[game.id] <= at[1])
        }
        held = found.decisions
        yield (
            at,
            replace(
                found,
                scoring=scoring,
                games=[
                    replace(
                        game,
                        seats=tuple(
                            sorted(SeatSum(*seat, *own) for seat, own in sums[game.id].items())
                        ),
                    )
                    for game in found.games
                    if game.id in sums
                ],
                boards=[one for one in found.boards if (one.game, one.board) in boards_told],
                adjustments=[
                    one for one in found.adjustments if one.round is not None and one.round <= at[0]
                ],
                sit_outs=[one for one in found.sit_outs if one[1] <= at[0]],
                # A decision on a game is known when the game is over.
                decisions=HeldDecisions(
                    {key: one for key, one in held.held.items() if key[0] in done},
                    {key: one for key, one in held.own.items() if key[0] in done},
                ),
            ),
        )


def rank_inputs(found: EventInputs) -> tuple[EventRow, ...]:
    """Rank an event from its inputs; the exact rows, those without a place last."""
    return rank_event(
        tables(found, Memo()),
        entrants(found),
        found.scoring,
        adjustments=adjustments(found),
        boards=boards(found),
        sit_outs=round_sit_outs(found),
    ).rows
