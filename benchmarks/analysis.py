"""The playing policy and the losses by decisions: how strong, how quick, how sure."""

import time
from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Final

from benchmarks.figures import Figure, verdict
from benchmarks.hands import Table, records
from engine.analysis.account import NODES, analyse
from engine.analysis.losses import find_losses
from engine.core.seats import Seat
from engine.replay.replay import Replay, replay
from engine.rules.presets import PRESETS
from tests.engine.analysis.bots import chance, first_lead, gains, play_on, sampler, thumb
from tests.engine.table import record_of

_DEALS: Final = 100
_TIMED: Final = 20
_NIGHT: Final = 200
_SLOWEST: Final = 0.7
_HANDS: Final = 500
_EFFECT: Final = 0.3
_RANDOM: Final = 0.2


def figures(rounds: int) -> Iterator[Figure]:
    """Strength against simpler players, seconds a hand, and players told apart."""
    yield _last_tricks()
    yield _last_six()
    yield _strength()
    yield _seconds(rounds)
    yield _effect()


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


def _effect() -> Figure:
    rows = []
    for name in ("standard", "bicycle"):
        losses: dict[float, list[float]] = {0: [], _RANDOM: []}
        dice = Random("effect")
        for number in range(_HANDS):
            shares = [(0, _RANDOM)[(seat + number) % 2] for seat in range(4)]
            opened = first_lead(PRESETS[name], 4, dice, number)
            hand = play_on(opened, [sampler(8, share) for share in shares], dice)
            found = _find_all(replay(record_of(hand), hand.rules, hand.before), 25)
            for share, loss in zip(shares, found, strict=True):
                losses[share].append(loss)
        good, bad = losses[0], losses[_RANDOM]
        effect = (mean(bad) - mean(good)) / sqrt((stdev(good) ** 2 + stdev(bad) ** 2) / 2)
        reached = verdict(reached=effect >= _EFFECT)
        cells = [f"{mean(good):.2f}", f"{mean(bad):.2f}", f"{effect:.2f}", f">= {_EFFECT}"]
        rows.append([name, *cells, reached])
    note = (
        f"{_HANDS} hands; two seats choose in 8 worlds, two play every fifth card at random. The "
        "effect is the difference of the means in standard deviations of one hand."
    )
    columns = ["losses a hand", "sampler", "20 % at random", "effect", "goal", "reached"]
    return Figure("Players told apart by their losses", columns, rows, note)
