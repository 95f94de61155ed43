"""Play games of bots by the rules that clubs choose between, and write what becomes of them."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import engine
from engine.analysis import lab
from engine.analysis.worth_fit import WorthFit, play_and_count
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
_FITTED: Final[tuple[tuple[str, tuple[int, ...]], ...]] = (
    ("hoyle_hearts", (3, 5, 6)),
    ("hoyle_auction", (3, 5, 6)),
    ("sahara", (3, 5)),
)
"""Presets and numbers of players of which the worth of cards is fitted."""
_POT_SHARE: Final = 4
"""In games for a pot, where bots think about every bid, so much fewer hands are played."""
_Task = tuple[str, str, int, int, int]


class Command(TerminalCommand):
    """Measure what a game becomes under the rules that clubs choose between."""

    help = (
        "Play games of bots by the presets and by the switches that matter most, and write the"
        " figures that the desk shows beside house rules (engine/analysis/rules_lab.json). With"
        " --fit, fit what cards are worth at tables of three, five and six players instead"
        " (engine/analysis/worth_of_cards.json), as another version."
    )
    usage = "[FILE] [--fit] [--hands N] [--games N] [--points-games N] [--seed N] [--jobs N]"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", type=Path)
        parser.add_argument("--fit", action="store_true", help="fit the worth of cards")
        parser.add_argument(
            "--hands", type=int, default=12_000, help="hands to fit each table on (12000)"
        )
        parser.add_argument("--games", type=int, default=80, help="games a line, for a pot (80)")
        parser.add_argument(
            "--points-games", type=int, default=400, help="games a line, for points (400)"
        )
        parser.add_argument("--seed", type=int, default=1, help="of all dice (1)")
        parser.add_argument("--jobs", type=int, default=1, help="processes at once (1)")
        super().add_arguments(parser)

    def answer(self, **options: Any) -> int:
        shipped = Path(lab.__file__).parent
        if options["fit"]:
            self._fit(shipped / "worth_of_cards.json", **options)
            return FINE
        with ProcessPoolExecutor(options["jobs"]) as pool:
            lines = []
            for words, line in pool.map(_play_line, _tasks(**options)):
                self.screen.line(f"{words}: {line['games']} games, {line['hands']} hands")
                lines.append(line)
        text = json.dumps({"lines": lines}, indent=1)
        file = options["file"] or shipped / "rules_lab.json"
        file.write_text(f"{text}\n", encoding="utf-8")
        return FINE

    def _fit(
        self, shipped: Path, *, file: Path | None, hands: int, seed: int, jobs: int, **_: Any
    ) -> None:
        """Write the shipped coefficients again, with those of the fitted tables in them."""
        data = json.loads(shipped.read_text(encoding="utf-8"))
        data["version"] += 1
        tasks = [(name, size, hands, seed) for name, sizes in _FITTED for size in sizes]
        with ProcessPoolExecutor(jobs) as pool:
            for key, model in pool.map(_fit_table, tasks):
                self.screen.line(f"{key}: {model['hands']} hands, R2 {model['r2']}")
                data["models"][key] = model
        text = json.dumps(data, indent=2)
        (file or shipped).write_text(f"{text}\n", encoding="utf-8")


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


def _fit_table(task: tuple[str, int, int, int]) -> tuple[str, dict[str, Any]]:
    """Fit the worth of cards of a preset with so many players; its key, and the model."""
    name, players, hands, seed = task
    rules, fit = PRESETS[name], WorthFit()
    if rules.settlement is SettledBy.POT:
        hands //= _POT_SHARE
    for _ in play_and_count(rules, players, hands=hands, seed=seed, fit=fit):
        pass
    return f"{name} {players}", fit.to_json()
