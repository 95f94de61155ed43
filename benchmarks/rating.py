"""Figure: games rated, corrected and evaluated, and lines of players counted, in a second."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from benchmarks.figures import Figure, verdict
from benchmarks.hands import TABLES, dice, played_out, record_of
from benchmarks.timing import Runner, race
from engine.core.seats import Seat
from engine.record.game_state import beginning
from tournaments.ratings import STEP, RatedGame, rate, rate_with_fitted_beta, strengths
from tournaments.statistics import Book, PlayerHandLine, hand_lines

GAMES: Final = 20_000
LINES: Final = 20_000
_PLAYERS: Final = 400
_GOAL: Final = 60_000
_NIGHTLY: Final = 5.0


def figures(rounds: int) -> Iterator[Figure]:
    """Games of four by four hundred players, from zero and after a correction; hands counted."""
    luck = dice("ratings")
    games = [_game(number, luck) for number in range(GAMES)]
    kept = rate(games).checkpoints
    late, early = _corrected(games, GAMES - 10), _corrected(games, GAMES // 2)
    lines = _lines()
    runners = {
        "rated from zero": Runner("zero", lambda: len(rate_with_fitted_beta(games).games)),
        "the last ones corrected": Runner("late", lambda: len(rate(late, checkpoints=kept).games)),
        "one half-way corrected": Runner("half", lambda: len(rate(early, checkpoints=kept).games)),
        "strengths, all at once": Runner("strength", lambda: _evaluated(games)),
        "lines of hands counted": Runner("lines", lambda: _counted(lines)),
    }
    result = race(list(runners.values()), rounds)
    cost = {name: result.cost(runner.name) for name, runner in runners.items()}
    yield _figure(cost)


def _game(number: int, luck: Random) -> RatedGame:
    """A game of four: eight tables a round, four rounds a night, a tie now and then."""
    night, table = divmod(number, 32)
    people = luck.sample(range(_PLAYERS), 4)
    third = 2 if luck.random() < 0.1 else 3
    places = zip((f"player {person}" for person in people), (1, 2, third, 4), strict=True)
    order = (f"{2000 + night // 300}-{night % 300:03}", table // 8, table % 8, 1)
    return RatedGame(f"game {number}", order, tuple(places))


def _corrected(games: list[RatedGame], number: int) -> list[RatedGame]:
    """The same games, with the first and the last of one of them changed round."""
    first, *middle, last = games[number].places
    places = ((last[0], first[1]), *middle, (first[0], last[1]))
    return [*games[:number], replace(games[number], places=places), *games[number + 1 :]]


def _evaluated(games: list[RatedGame]) -> int:
    assert len(strengths(games)) == _PLAYERS
    return len(games)


def _lines() -> list[PlayerHandLine]:
    """Lines of hands that were really played, over and over on other nights."""
    table, luck = TABLES[0], dice("lines")
    state = beginning(table.rules, table.players)
    played: list[PlayerHandLine] = []
    for number in range(200):
        if state.over is not None:
            state = beginning(table.rules, table.players, Seat(number % table.players))
        hand = played_out(table.rules, state, luck)
        settled = hand.settle()
        people = [f"player {one}" for one in luck.sample(range(40), table.players)]
        record = record_of(hand, state.hands + 1)
        played += hand_lines(table.rules, settled, people, ("", number % 20), record)
        state = settled.after
    return [
        replace(played[number % len(played)], night=f"{number // len(played):03}")
        for number in range(LINES)
    ]


def _counted(lines: list[PlayerHandLine]) -> int:
    assert Book().add(lines).everybody()["net"].n == len(lines)
    return len(lines)


def _figure(cost: dict[str, float]) -> Figure:
    rows = []
    for name, microseconds in cost.items():
        goal, reached = "", ""
        if name == "rated from zero":
            goal, reached = f">= {_GOAL:,} / s", verdict(reached=1e6 / microseconds >= _GOAL)
        if name == "strengths, all at once":
            goal = f"<= {_NIGHTLY:.0f} s for all"
            reached = verdict(reached=microseconds * GAMES / 1e6 <= _NIGHTLY)
        rows.append([name, f"{1e6 / microseconds:,.0f}", f"{microseconds:.2f}", goal, reached])
    columns = ["what", "a second", "us each", "goal", "reached"]
    note = (
        f"{GAMES:,} games of four among {_PLAYERS} players, in the order of play and hashed by "
        f"the {STEP:,}; "
        f"{LINES:,} lines of Auction Hearts, one core."
    )
    return Figure("Ratings and statistics", columns, rows, note)
