"""The playing policy and the losses by decisions: how strong, how quick, how sure."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Final, NamedTuple

from benchmarks.figures import Figure, verdict
from benchmarks.hands import Table, records
from engine.analysis.account import NODES, analyse
from engine.analysis.costs import cost_table
from engine.analysis.losses import find_losses
from engine.core.seats import Seat
from engine.replay.replay import Replay, replay
from engine.rules.presets import PRESETS
from tests.engine.analysis.bots import (
    Bot,
    chance,
    first_lead,
    gains,
    play_on,
    sampler,
    thumb,
    thumb_with,
)
from tests.engine.table import record_of

_DEALS: Final = 100
_TIMED: Final = 20
_NIGHT: Final = 200
_SLOWEST: Final = 0.7


def figures(rounds: int) -> Iterator[Figure]:
    """Strength against simpler players, seconds a hand, and players told apart."""
    yield _last_tricks()
    yield _last_six()
    yield _strength()
    yield _seconds(rounds)
    yield _told_apart()


def _last_tricks() -> Figure:
    """A night of recorded hands, each as far as its last five tricks."""
    rows = []
    for table, goal in (
        (Table("bicycle", 4), 30), (Table("insurance", 4), 30), (Table("hoyle_hearts", 4), 30),
        (Table("hoyle_auction", 5), 90), (Table("sahara", 5), 90), (Table("hoyle_hearts", 6), 90),
        (Table("hoyle_auction", 6), 90),
    ):  # fmt: skip
        hands = records(table, _TIMED)
        began = time.process_time()
        found = [analyse(hand, tricks=5) for hand in hands]
        spent = (time.process_time() - began) / len(hands) * _NIGHT
        whole = sum(one.exact_from == one.until - 4 for one in found)
        reached = verdict(reached=spent <= goal)
        share = f"{whole}/{len(hands)}"
        rows.append([str(table), f"{spent:.0f}", f"<= {goal}", share, reached])
    note = f"CPU of {_NIGHT} hands, from {_TIMED}; at most {NODES} positions each."
    columns = ["last five tricks of a night", "s", "goal", "hands that far", "reached"]
    return Figure("The last tricks of a night, exactly", columns, rows, note)


def _last_six() -> Figure:
    """One hand on demand to its last six tricks."""
    rows = []
    for table in (Table("bicycle", 4), Table("insurance", 4), Table("hoyle_hearts", 4)):
        spent = []
        for hand in records(table, _TIMED // 2):
            began = time.process_time()
            analyse(hand, tricks=6, nodes=5 * NODES)
            spent.append(time.process_time() - began)
        row = [str(table), f"{sorted(spent)[len(spent) // 2]:.2f}", f"{max(spent):.2f}", "<= 3"]
        rows.append([*row, verdict(reached=max(spent) <= 3)])
    columns = ["last six tricks of a hand", "s, median", "s, most", "goal", "reached"]
    return Figure("The last six tricks, on demand", columns, rows, "CPU; all seats, every card.")


def _strength() -> Figure:
    rows = []
    for name, players, goal in (
        ("standard", 4, 4.5), ("bicycle", 4, None), ("hoyle_hearts", 3, None), ("sahara", 5, None)
    ):  # fmt: skip
        sample = gains(PRESETS[name], players, thumb, chance, _DEALS)
        rows.append(_row(f"{name} {players}, thumb against random", sample, goal))
    for name, goal in (("standard", 1.0), ("bicycle", None)):
        sample = gains(PRESETS[name], 4, sampler(30), thumb, _DEALS)
        rows.append(_row(f"{name} 4, 30 worlds against thumb", sample, goal))
    note = f"{_DEALS} deals, each once with the player in every seat; points or chips a hand."
    columns = ["one against the others", "gain", "+-", "goal", "reached"]
    return Figure("Strength of the playing policy", columns, rows, note)


def _row(name: str, sample: list[float], goal: float | None) -> list[str]:
    found, error = mean(sample), stdev(sample) / sqrt(len(sample))
    return [
        name,
        f"{found:+.2f}",
        f"{error:.2f}",
        f">= {goal}" if goal else "-",
        verdict(reached=found >= goal) if goal else "-",
    ]


def _seconds(rounds: int) -> Figure:
    rows = []
    for name, players in (("standard", 4), ("bicycle", 4), ("hoyle_auction", 3), ("sahara", 5)):
        dice = Random(name)
        opened = [first_lead(PRESETS[name], players, dice, n) for n in range(_TIMED)]
        played = [play_on(hand, [thumb] * players, dice) for hand in opened]
        hands = [replay(record_of(hand), hand.rules, hand.before) for hand in played]
        spent = min(_time_losses(hands) for _ in range(min(rounds, 2)))
        reached = verdict(reached=spent <= _SLOWEST)
        rows.append([f"{name} {players}", f"{spent:.2f}", f"<= {_SLOWEST}", reached])
    note = f"All seats of a hand, 50 + 50 worlds a card; CPU, mean of {_TIMED} hands."
    columns = ["losses by decisions", "s/hand", "goal", "reached"]
    return Figure("Seconds to find the losses of a hand", columns, rows, note)


def _time_losses(hands: list[Replay]) -> float:
    began = time.process_time()
    for hand in hands:
        _find_all(hand, 50)
    return (time.process_time() - began) / len(hands)


def _find_all(hand: Replay, half: int) -> list[float]:
    seats = range(hand.before.players)
    return [float(find_losses(hand, Seat(seat), half=half).total.mean) for seat in seats]


class _Pair(NamedTuple):
    """Two players who differ, and in how many hands that is measured.

    Losses are found in the first ``judged`` of all ``hands``, in twice ``half`` worlds a card.
    """

    name: str
    good: Bot
    bad: Bot
    hands: int
    judged: int
    half: int
    goal: float | None


_PAIRS: Final = (
    _Pair("thumb, 5 and 25 % at random", thumb_with(0.05), thumb_with(0.25), 3000, 200, 50, None),
    _Pair("8 worlds, 0 and 20 % at random", sampler(8), sampler(8, 0.2), 1400, 320, 25, 0.3),
)


def _told_apart() -> Figure:
    rows = []
    for system in ("standard", "bicycle"):
        for pair in _PAIRS:
            scores, losses = _differences(system, pair)
            (told, told_error), (lost, lost_error) = scores.effect, losses.effect
            saved = (lost / told) ** 2
            error = 2 * saved * sqrt((told_error / told) ** 2 + (lost_error / lost) ** 2)
            rows.append([
                f"{system}, {pair.name}",
                f"{scores.mean:.2f}",
                f"{told:.2f} +- {told_error:.2f}",
                f"{mean(losses.good):.2f}",
                f"{losses.mean:.2f}",
                f"{lost:.2f} +- {lost_error:.2f}",
                f"{saved:.1f} +- {error:.1f}",
                f">= {pair.goal}" if pair.goal else "-",
                verdict(reached=lost >= pair.goal) if pair.goal else "-",
            ])  # fmt: skip
    counts = " and ".join(f"{pair.hands} ({pair.judged})" for pair in _PAIRS)
    note = (
        f"Scores of {counts} hands, of those in brackets the losses too; every deal is played "
        "twice, with the players in each other's seats, two of each at the table. Differences are "
        "in points or chips a hand. An effect is the difference in standard deviations of one "
        "hand; hands saved is the square of the ratio of the effects. +- are standard errors."
    )
    columns = [
        "players told apart", "scores differ", "effect", "loss of the better", "losses differ",
        "effect", "hands saved", "goal", "reached",
    ]  # fmt: skip
    return Figure("Players told apart by scores and by losses", columns, rows, note)


@dataclass(frozen=True)
class _Sample:
    """A figure of the seats of good and of bad players, and the difference of each deal."""

    good: list[float] = field(default_factory=list)
    bad: list[float] = field(default_factory=list)
    differences: list[float] = field(default_factory=list)

    def add(self, good: list[float], bad: list[float]) -> None:
        """Count the seats of one deal."""
        self.good.extend(good)
        self.bad.extend(bad)
        self.differences.append(mean(bad) - mean(good))

    @property
    def mean(self) -> float:
        """By how much the bad ones' figure is larger."""
        return mean(self.differences)

    @property
    def effect(self) -> tuple[float, float]:
        """The same in standard deviations of one hand, and the standard error."""
        spread = sqrt((stdev(self.good) ** 2 + stdev(self.bad) ** 2) / 2)
        error = stdev(self.differences) / sqrt(len(self.differences))
        return self.mean / spread, error / spread


def _differences(system: str, pair: _Pair) -> tuple[_Sample, _Sample]:
    """The scores and the losses of two players at one table."""
    scores, losses, dice = _Sample(), _Sample(), Random("effect")
    bots, rules = (pair.good, pair.bad), PRESETS[system]
    for number in range(pair.hands // 2):
        opened = first_lead(rules, 4, dice, number)
        table = cost_table(rules, opened.before, opened.facts)
        costs: tuple[list[float], list[float]] = [], []
        found: tuple[list[float], list[float]] = [], []
        for turn in (number, number + 1):
            hand = play_on(opened, [bots[(seat + turn) % 2] for seat in range(4)], dice)
            for seat, cost in enumerate(table.costs(hand.taken)):
                costs[(seat + turn) % 2].append(cost / table.parts)
            if number < pair.judged // 2:
                judged = replay(record_of(hand), hand.rules, hand.before)
                for seat, loss in enumerate(_find_all(judged, pair.half)):
                    found[(seat + turn) % 2].append(loss)
        scores.add(*costs)
        if found[0]:
            losses.add(*found)
    return scores, losses
