"""The score table and the pot table of a settled hand (notation.md 3.3)."""

from typing import Final

from engine.carried import plays_for_chips
from engine.record import PotRow, ScoreRow
from engine.rules import Rules
from engine.seats import Seat
from engine.settlement import POT, Kind, Settlement
from engine.switches import SettledBy, Toggle

CHIP_COLUMNS: Final = ("Pain", "Before", "Bid", "Paid", "Won", "After")


def score_columns(rules: Rules) -> tuple[str, ...]:
    """The columns that a score table has under some rules."""
    if rules.settlement is SettledBy.POT:
        return CHIP_COLUMNS
    queen = ("Queen",) if rules.queen is Toggle.ON else ()
    insurance = ("Insurance",) if rules.insurance is Toggle.ON else ()
    centre = ("Centre",) if rules.centre_auction is Toggle.ON else ()
    chips = ("Before", "Paid", "Won", "After") if plays_for_chips(rules) else ()
    return ("Hearts", *queen, *insurance, *centre, "Adjust", "Moon", "Points", "Total", *chips)


def score_rows(rules: Rules, settled: Settlement) -> tuple[ScoreRow, ...]:
    """One row a seat, with every column of `score_columns`."""
    return tuple(
        ScoreRow(Seat(seat), _values(rules, settled, Seat(seat)))
        for seat in range(settled.before.players)
    )


def _values(rules: Rules, settled: Settlement, seat: Seat) -> dict[str, int]:
    values = _chips(settled, seat)
    if rules.settlement is SettledBy.POT:
        return {column: values[column] for column in CHIP_COLUMNS}
    points = {
        "Hearts": 0,
        "Queen": 0,
        "Insurance": 0,
        "Centre": 0,
        "Adjust": settled.facts.adjust[seat] if settled.facts.adjust else 0,
        "Moon": 0,
    }
    if settled.score is not None:
        score = settled.score
        points = {
            "Hearts": score.hearts[seat],
            "Queen": score.queen[seat],
            "Insurance": score.insurance[seat],
            "Centre": score.centre[seat],
            "Adjust": score.adjust[seat],
            "Moon": score.moon[seat],
        }
    points["Points"] = sum(points.values())
    points["Total"] = settled.after.totals[seat]
    return {column: (points | values)[column] for column in score_columns(rules)}


def _chips(settled: Settlement, seat: Seat) -> dict[str, int]:
    taken = settled.facts.taken
    return {
        "Pain": taken[seat] if taken else 0,
        "Before": settled.before.chips[seat],
        "Bid": settled.moved(Kind.BID, payer=seat),
        "Paid": settled.moved(Kind.CAPTURE, Kind.PENALTY, payer=seat),
        "Won": settled.moved(Kind.AWARD, payer=POT, payee=seat),
        "After": settled.after.chips[seat],
    }


def pot_row(settled: Settlement) -> PotRow:
    """The pot of a hand: before + bid + paid = won + after.

    What rulings moved counts as paid or won.
    """
    return PotRow(
        before=settled.before.pot,
        bid=settled.moved(Kind.BID, payee=POT),
        paid=settled.moved(Kind.CAPTURE, Kind.PENALTY, Kind.ADJUST, payee=POT),
        won=settled.moved(Kind.AWARD, Kind.ADJUST, payer=POT),
        after=settled.after.pot,
    )
