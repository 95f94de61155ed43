"""Figures of standings: after one new hand, and a league of a million results from nothing.

They need a server that writes to the disk: one is started, and asked by a process of its own.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.figures import Figure, times, verdict
from benchmarks.season_words import BARE, EVENT, EXPLAINED, LEAGUE
from benchmarks.server import asked

FEW: Final = 100_000
MANY: Final = 1_000_000
_AFTER_A_HAND: Final = {EVENT: 10, LEAGUE: 15}
"""How many empty durable commits a hand may cost until its standings are published."""
_GROWTH: Final = 1.2
"""How much more they may cost among so many more results."""
_FROM_NOTHING: Final = 4.0
"""Seconds in which a league is computed from a million results."""


def figures(rounds: int, sizes: Sequence[int] = (FEW, MANY)) -> Iterator[Figure]:
    """One new hand among few and many results; then a whole league of the most."""
    found = {results: asked("seasons", results, rounds) for results in sizes}
    yield _one_hand(found)
    yield _versions(found[FEW]["versions"])
    yield _from_nothing(found[sizes[-1]])


def _one_hand(found: dict[int, dict[str, Any]]) -> Figure:
    rows = []
    for what, goal in _AFTER_A_HAND.items():
        few = found[FEW]["hand"][what]
        for results, answer in found.items():
            mine = answer["hand"][what]
            grown = mine["ratio"] / few["ratio"]
            rows.append(
                [
                    f"{answer['results']:,}",
                    what,
                    f"{mine['commit'] * 1e3:.2f}",
                    f"{mine['seconds'] * 1e3:.2f}",
                    f"{mine['processor'] * 1e3:.1f}",
                    times(mine["ratio"]),
                    f"<= {goal} x",
                    verdict(reached=mine["ratio"] <= goal),
                    "" if results == FEW else times(grown),
                    "" if results == FEW else verdict(reached=grown <= _GROWTH),
                ]
            )
    columns = ["results", "published", "commit ms", "hand ms", "of it processor"]
    columns += ["ratio", "goal", "reached"]
    columns += ["growth", f"<= {_GROWTH} x"]
    note = (
        "PostgreSQL, durable; beside each hand an empty commit. The results of a hand and their "
        "marks are committed, then a worker takes the standings, computes them with their reasons "
        "and commits a version: two durable commits for an event, three with its league. The night "
        "has 10 tables and 40 players, the season 52 nights and 397 players, all published before. "
        "Wall time, medians; beside it the processor time of the worker."
    )
    return Figure("Standings after one new hand", columns, rows, note)


def _versions(found: list[dict[str, int]]) -> Figure:
    """What the versions of a season and its nights take."""
    rows = [
        [when, str(one["versions"]), f"{one['text'] / 1e6:.1f}", f"{one['stored'] / 1e6:.1f}"]
        for when, one in zip(("at the night", "a month later"), found, strict=True)
    ]
    note = (
        "All versions of the season above and of its nights: one of each night, and one of the "
        "last night and of the season after each hand that was measured. In the database they are "
        "compressed; a week later only the last of a day is kept, and what something counts."
    )
    columns = ["when", "versions", "MB of JSON", "MB in the database"]
    return Figure("Versions of standings", columns, rows, note)


def _from_nothing(answer: dict[str, Any]) -> Figure:
    whole = answer["whole"]
    base = whole[BARE]
    rows = []
    for name, seconds in whole.items():
        of_million = seconds * MANY / answer["results"]
        is_measured = name == EXPLAINED
        rows.append(
            [
                name,
                f"{seconds:.3f}",
                f"{answer['results'] / seconds:,.0f}",
                f"{base / seconds:.2f}",
                f"{of_million:.1f}",
                f"<= {_FROM_NOTHING:g}" if is_measured else "-",
                verdict(reached=of_million <= _FROM_NOTHING) if is_measured else "",
            ]
        )
    columns = ["computed from", "seconds", "results/s", "rate beside GROUP BY"]
    columns += ["s for a million", "goal", "reached"]
    note = (
        f"A league of {answer['results']:,} results in {answer['events']:,} events, on "
        "PostgreSQL: the bare query adds scores up by player and ranks them, and knows of no "
        "games, places, best nights or ties. 'Explained' is the whole table, down to every game: "
        "nights as published is what a worker does that has just been started; the last line is "
        "one that knows the nights already."
    )
    return Figure("A league from nothing", columns, rows, note)
