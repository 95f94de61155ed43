"""The results of a game: what was told of it for standings is what its hands come to."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

from engine.analysis.worth import worth_version
from scoring.models import Game, Phase
from scoring.models.states import read_state
from scoring.settlement.replay import JudgedHand
from scoring.settlement.reporting import build_result_values
from scoring.transfer.verifying.difference import Discrepancy
from scoring.transfer.verifying.stored_games import COLUMNS, Kept

_columns: Final = itemgetter(*COLUMNS)


def find_differences(
    kept: Kept, played: Sequence[JudgedHand], booked: int
) -> Iterator[Discrepancy]:
    """Hand by hand and seat by seat; ``booked`` hands stand in the books."""
    game, table_game, sure = kept.game, kept.table_game, played[:booked]
    if table_game is None:
        yield _of(game, None, "results", "nothing", "a game")
        return
    pairs = (
        ("phase in the results", table_game.phase, _phase(game, played)),
        ("open in the results", table_game.is_open, len(sure) < len(played)),
        ("closing in the results", table_game.closed_at, game.closed_at),
        ("table in the results", table_game.table_id, game.table_id),
    )
    for what, mine, right in pairs:
        if mine != right:
            yield _of(game, None, what, mine, right)
    yield from _hands(kept, sure)


def _phase(game: Game, played: Sequence[JudgedHand]) -> str:
    """The director's word, or where the hands have brought the game."""
    if game.phase not in (Phase.OPEN, Phase.OVER):
        return game.phase
    state = played[-1].carried if played else read_state(game.start)
    return Phase.OPEN if state.over is None else Phase.OVER


def _hands(kept: Kept, sure: Sequence[JudgedHand]) -> Iterator[Discrepancy]:
    table_game, right = kept.table_game, dict[int, list[tuple[Any, ...]]]()
    for values in build_result_values(kept.game, sure, kept.sat, kept.boards):
        right.setdefault(values["number"], []).append(_columns(values))
    stored = kept.results
    if table_game is not None and table_game.worth_version != worth_version():
        # Other coefficients valued these cards, or none yet: tonight's work (`value_cards`).
        stored, right = _without_worths(stored), _without_worths(right)
    if stored == right:
        return
    for number in sorted(stored.keys() | right.keys()):
        mine, theirs = stored.get(number, []), right.get(number, [])
        if mine != theirs:
            yield from _rows(partial(_of, kept.game, number), mine, theirs)


def _without_worths(
    rows: Mapping[int, Sequence[tuple[Any, ...]]],
) -> dict[int, list[tuple[Any, ...]]]:
    place = COLUMNS.index("worth")
    return {
        number: [(*row[:place], None, *row[place + 1 :]) for row in found]
        for number, found in rows.items()
    }


def _rows(
    differs: Any, mine: Sequence[tuple[Any, ...]], theirs: Sequence[tuple[Any, ...]]
) -> Iterator[Discrepancy]:
    if len(mine) != len(theirs):
        yield differs("results", f"{len(mine)} seats", f"{len(theirs)} seats")
        return
    for seat, (row, right) in enumerate(zip(mine, theirs, strict=True), 1):
        for name, one, other in zip(COLUMNS, row, right, strict=True):
            if one != other:
                yield differs(
                    f"{name.removesuffix('_id')} in the result of seat {seat}", one, other
                )


def _of(game: Game, hand: int | None, what: str, kept: object, right: object) -> Discrepancy:
    return Discrepancy(
        club=game.club_id, game=game.pk, hand=hand, what=what, kept=str(kept), right=str(right)
    )
