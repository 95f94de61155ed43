"""Play games of bots by the rules that clubs choose between, and write what becomes of them."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import engine
from engine.analysis import lab
from engine.cli.session import FINE
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules, change
from engine.rules.switches import SettledBy
from scoring.management.terminal.command import TerminalCommand

_LINES: Final[tuple[tuple[str, tuple[int, ...], tuple[str, ...]], ...]] = (
    (
        "bicycle",
        (4,),
        (
            "",
            "jackpot_split=sole_winner_only",
            "zero_clean=carry_with_auction",
            "jackpot_suit=same",
            "bid_order=ascending",
            "first_trick_penalty=allowed",
            "pain_lead=free",
            "starting_chips=30",
            "starting_chips=100",
        ),
    ),
    ("hoyle_auction", (3,), ("", "jackpot_split=sole_winner_only", "three_player_sweep=divide")),
    ("hoyle_auction", (4, 5, 6), ("", "jackpot_split=sole_winner_only")),
    ("sweepstake", (4,), ("",)),
    ("hoyle_hearts", (3, 4, 5, 6), ("",)),
    (
        "standard",
        (4,),
        (
            "",
            "limit=50",
            "moon=none",
            "moon=subtract_from_self",
            "passing=none",
            "queen=off",
            "first_trick_penalty=allowed",
            "pain_lead=free",
        ),
    ),
    ("sahara", (3, 4, 5), ("", "limit=50")),
)
"""Presets, numbers of players, and switches that are changed one at a time."""
_Task = tuple[str, str, int, int, int]


class Command(TerminalCommand):
    """Measure what a game becomes under the rules that clubs choose between."""

    help = (
        "Play games of bots by the presets and by the switches that matter most, and write the"
        " figures that the desk shows beside house rules (engine/analysis/rules_lab.json)."
    )
    usage = "[FILE] [--games N] [--points-games N] [--seed N] [--jobs N]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        shipped = Path(lab.__file__).with_name("rules_lab.json")
        parser.add_argument("file", metavar="FILE", nargs="?", type=Path, default=shipped)
        parser.add_argument("--games", type=int, default=80, help="games a line, for a pot (80)")
        parser.add_argument(
            "--points-games", type=int, default=400, help="games a line, for points (400)"
        )
        parser.add_argument("--seed", type=int, default=1, help="of all dice (1)")
        parser.add_argument("--jobs", type=int, default=1, help="processes at once (1)")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        with ProcessPoolExecutor(options["jobs"]) as pool:
            lines = []
            for words, line in pool.map(_play_line, _tasks(**options)):
                self.screen.line(f"{words}: {line['games']} games, {line['hands']} hands")
                lines.append(line)
        text = json.dumps({"lines": lines}, indent=1)
        options["file"].write_text(f"{text}\n", encoding="utf-8")
        return FINE


def _tasks(*, games: int, points_games: int, seed: int, **_: Any) -> Iterator[_Task]:
    for name, sizes, overrides in _LINES:
        many = games if PRESETS[name].settlement is SettledBy.POT else points_games
        yield from ((name, one, size, many, seed) for size in sizes for one in overrides)


def _play_line(task: _Task) -> tuple[str, dict[str, Any]]:
    """Play the games of one line; what it is, and its figures."""
    name, override, players, games, seed = task
    rules: Rules = PRESETS[name]
    if override:
        switch, _, value = override.partition("=")
        rules = change(rules, {switch: value})
    counts = lab.GameCounts()
    for _ in lab.play_games(rules, players, games=range(games), seed=seed, counts=counts):
        pass
    line = counts.line(rules, players, seed, engine.__version__)
    return f"{name} {players} {override}".strip(), line.to_json()
