"""Lines to count: hands really played at the table, and tables that never were."""

from collections.abc import Iterator
from functools import cache
from random import Random

from benchmarks.hands import TABLES, Table, played_out, record_of
from engine.core.ranking import places
from engine.core.seats import Seat
from engine.record.game_state import beginning
from tests.engine.table import seeded
from tournaments.statistics import PlayerHandLine, Rival, TableLine, hand_lines

PEOPLE = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo")


@cache
def hands(table: Table = TABLES[0], number: int = 60) -> tuple[PlayerHandLine, ...]:
    """The lines of hands played at one table, twenty a night."""
    luck = seeded(f"{table}")
    state = beginning(table.rules, table.players)
    lines: list[PlayerHandLine] = []
    for hand in range(number):
        if state.over is not None:
            state = beginning(table.rules, table.players, Seat(hand % table.players))
        played = played_out(table.rules, state, luck)
        settled = played.settle()
        when = (f"2026-{hand // 20:02}", hand % 20)
        record = record_of(played, state.hands + 1)
        people = luck.sample(PEOPLE, table.players)
        lines += hand_lines(table.rules, settled, people, when, record)
        state = settled.after
    return tuple(lines)


def at_table(night: str, number: int, nets: dict[str, int], **more: int) -> list[TableLine]:
    """The lines of a table from what everybody gained; ``more``: places at half-time by name."""
    ranks = dict(zip(nets, places(list(nets.values())), strict=True))
    return [
        TableLine(
            player=player,
            night=night,
            number=number,
            place=ranks[player],
            net=net,
            rivals=tuple(Rival(one, ranks[one], nets[one]) for one in nets if one != player),
            half_place=more.get(player),
        )
        for player, net in nets.items()
    ]


def evenings(luck: Random, tables: int = 30) -> Iterator[TableLine]:
    """Tables of three to six with any results."""
    for table in range(tables):
        people = luck.sample(PEOPLE, luck.randint(3, 6))
        nets = {player: luck.randint(-9, 9) for player in people}
        half = {player: luck.randint(1, len(people)) for player in people}
        yield from at_table(f"2026-{table // 7:02}", table % 7, nets, **half)
