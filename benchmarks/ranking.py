"""Standings of a large event from the results of its tables, and how sure a season's table is."""

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from statistics import median
from typing import Final

from benchmarks.figures import Figure, verdict
from tournaments.standings import (
    Entrant,
    ScoringRules,
    SeatScore,
    TableScore,
    TieBreak,
    canonical,
    rank_event,
)
from tournaments.standings.choices import TieBreakScope
from tournaments.statistics import measure_certainty
from tournaments.statistics.certainty import DRAWS

_TABLES: Final = 5000
_PLAYERS: Final = 1000
_SEATS: Final = 4
_HANDS: Final = 20
_SLOWEST: Final = 0.5
_MEMBERS: Final = 40
_NIGHTS: Final = 12
_SLOWEST_SEASON: Final = 0.05


def figures(rounds: int) -> Iterator[Figure]:
    """The usual scoring, chips, every tie-break there is, and the snapshot that is stored."""
    names = [f"p{number:04}" for number in range(_PLAYERS)]
    entries, tables = [Entrant(name) for name in names], list(_tables(names))
    assert len(tables) == _TABLES
    usual, chips = ScoringRules(), ScoringRules.from_data({"method": "chips"})
    every = ScoringRules.from_data(
        {
            "tie_breaks": [
                key.value
                for key in TieBreak
                if TieBreakScope.EVENT in key.spec.scopes and key is not TieBreak.SHARED
            ]
        }
    )
    ranking = rank_event(tables, entries, usual)
    work: dict[str, Callable[[], object]] = {
        "place points, the usual tie-breaks": lambda: rank_event(tables, entries, usual),
        "chips, the usual tie-breaks": lambda: rank_event(tables, entries, chips),
        "place points, every tie-break": lambda: rank_event(tables, entries, every),
        "the snapshot of one as JSON": lambda: canonical(ranking.to_data()),
    }
    rows = [_row(name, done, rounds, _SLOWEST) for name, done in work.items()]
    note = f"{_TABLES} tables of {_SEATS}, {_PLAYERS} players; nothing is kept from run to run."
    columns = ["standings", "median ms", "slowest ms", "goal", "reached"]
    yield Figure("Standings of an event in memory", columns, rows, note)
    season = _season()
    size = f"{_MEMBERS} members, {_NIGHTS} nights"
    row = _row(size, lambda: measure_certainty(season), rounds, _SLOWEST_SEASON)
    note = f"{DRAWS} tables are drawn for the likely places; points of nights are exact fractions."
    yield Figure("How sure a season's table is", ["season", *columns[1:]], [row], note)


def _season() -> dict[str, list[Fraction]]:
    """Points of nights with halves and thirds, as shared places bring them."""
    random = Random(1)
    return {
        f"p{number:02}": [Fraction(random.randrange(-40, 41), 6) for _ in range(_NIGHTS)]
        for number in range(_MEMBERS)
    }


def _tables(names: list[str]) -> Iterator[TableScore]:
    """As many rounds as make the number of tables; what was scored is random, its sum is 0."""
    random = Random(1)
    for number in range(1, _TABLES * _SEATS // _PLAYERS + 1):
        order = sorted(names, key=lambda _: random.random())
        for table in range(_PLAYERS // _SEATS):
            seated = order[_SEATS * table : _SEATS * (table + 1)]
            scores = [random.randrange(-60, 60) for _ in seated[1:]]
            seats = tuple(
                SeatScore(name, score, _HANDS, random.randrange(_HANDS))
                for name, score in zip(seated, [*scores, -sum(scores)], strict=True)
            )
            yield TableScore(f"{number}-{table}", number, table + 1, 1, _HANDS, seats)


def _seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def _row(name: str, work: Callable[[], object], rounds: int, most: float) -> list[str]:
    seconds = [_seconds(work) for _ in range(rounds)]
    slowest = max(seconds)
    return [
        name,
        f"{median(seconds) * 1e3:.0f}",
        f"{slowest * 1e3:.0f}",
        f"<= {most * 1e3:.0f}",
        verdict(reached=slowest <= most),
    ]
