"""The score table and the pot table of a settled hand (notation.md 3.3)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ..core.seats import Seat
from ..record.record import PotRow, ScoreRow
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import SettledBy, Toggle
from .settlement import POT, Kind, Settlement

CHIP_COLUMNS: Final = ("Pain", "Before", "Bid", "Paid", "Won", "After")

# An enumeration takes long to find a member by its name, and these are asked of every hand.
_FOR_POT: Final = SettledBy.POT
_BID, _AWARD = Kind.BID, Kind.AWARD
_PENALTY, _CAPTURE, _ADJUST = Kind.PENALTY, Kind.CAPTURE, Kind.ADJUST
_PAID: Final = (_CAPTURE, _PENALTY, _ADJUST)
_WON: Final = (_AWARD, _ADJUST)


def score_columns(rules: Rules) -> tuple[str, ...]:
    """The columns that a score table has under some rules."""
    return CHIP_COLUMNS if rules.settlement is _FOR_POT else _point_columns(rules)


@lru_cache(maxsize=256)
def _point_columns(rules: Rules) -> tuple[str, ...]:
    queen = ("Queen",) if rules.queen is Toggle.ON else ()
    insurance = ("Insurance",) if rules.insurance is Toggle.ON else ()
    centre = ("Centre",) if rules.centre_auction is Toggle.ON else ()
    chips = ("Before", "Paid", "Won", "After") if plays_for_chips(rules) else ()
    return ("Hearts", *queen, *insurance, *centre, "Adjust", "Moon", "Points", "Total", *chips)


def score_rows(rules: Rules, settled: Settlement) -> tuple[ScoreRow, ...]:
    """One row a seat, with every column of `score_columns`."""
    columns, rows = score_table(rules, settled)
    return tuple(
        [
            ScoreRow(Seat(seat), dict(zip(columns, values, strict=True)))
            for seat, values in enumerate(rows)
        ]
    )


def score_table(rules: Rules, settled: Settlement) -> tuple[tuple[str, ...], list[tuple[int, ...]]]:
    """The `score_columns`, and the numbers in them seat by seat."""
    if rules.settlement is _FOR_POT:
        return CHIP_COLUMNS, list(zip(*_chips(settled), strict=True))
    columns, lines = _point_columns(rules), _points(settled)
    if plays_for_chips(rules):
        lines |= zip(CHIP_COLUMNS, _chips(settled), strict=True)
    return columns, list(zip(*map(lines.__getitem__, columns), strict=True))


def _points(settled: Settlement) -> dict[str, Sequence[int]]:
    """The columns of points, each by seat."""
    score = settled.score
    if score is None:
        nothing = (0,) * settled.before.players
        totals = zip(settled.before.totals, settled.after.totals, strict=True)
        adjust = [after - before for before, after in totals]
        lines = dict.fromkeys(("Hearts", "Queen", "Insurance", "Centre", "Moon"), nothing)
        return {**lines, "Adjust": adjust, "Points": adjust, "Total": settled.after.totals}
    return {
        "Hearts": score.hearts,
        "Queen": score.queen,
        "Insurance": score.insurance,
        "Centre": score.centre,
        "Adjust": score.adjust,
        "Moon": score.moon,
        "Points": score.points,
        "Total": settled.after.totals,
    }


def _chips(settled: Settlement) -> tuple[Sequence[int], ...]:
    """The `CHIP_COLUMNS`, each by seat."""
    players = len(settled.before.chips)
    bid, paid, won = [0] * players, [0] * players, [0] * players
    for kind, payer, payee, amount in settled.postings:
        if isinstance(payer, int):
            if kind is _CAPTURE or kind is _PENALTY:
                paid[payer] += amount
            elif kind is _BID:
                bid[payer] += amount
        elif kind is _AWARD and isinstance(payee, int):
            won[payee] += amount
    taken = settled.facts.taken or (0,) * players
    return (taken, settled.before.chips, bid, paid, won, settled.after.chips)


def pot_row(settled: Settlement) -> PotRow:
    """The pot of a hand: before + bid + paid = won + after.

    What rulings moved counts as paid or won.
    """
    return PotRow(*pot_values(settled))


def pot_values(settled: Settlement) -> tuple[int, int, int, int, int]:
    """The numbers of the pot table, in the order of its columns."""
    bid = paid = won = 0
    for kind, payer, payee, amount in settled.postings:
        if payee == POT:
            if kind is _BID:
                bid += amount
            elif kind in _PAID:
                paid += amount
        elif payer == POT and kind in _WON:
            won += amount
    return settled.before.pot, bid, paid, won, settled.after.pot
