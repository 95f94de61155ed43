"""Payments where the end of a game is settled by averages (rules.md B6, Q31)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypedDict

from engine.games.game import final
from scoring.ledger.payouts import currency_of
from scoring.models import Game, Phase
from scoring.models.states import read_state
from scoring.settlement.plan import rules_of
from tournaments.web.number_format import format_exact, format_number, money


class AverageSettlement(TypedDict):
    """By seat, in the language of the reader: points, and money where points are worth some.

    ``left`` is what stays in the pot, empty for nothing.
    """

    points: dict[str, str]
    money: dict[str, str] | None
    left: str


def average_settlement(game: Game, seats: Sequence[str]) -> AverageSettlement | None:
    """Return the settlement of a finished game; None while it is played, and by other rules."""
    rules, state = rules_of(game), read_state(game.state)
    if state.over is None and game.phase not in (Phase.CLOSED, Phase.OFFICIAL):
        return None
    found = final(rules, state)
    if found.net is None:
        return None
    currency = currency_of(game.club.currency, rules)
    paid = None if found.payout is None else found.payout.amounts
    return {
        "points": dict(zip(seats, map(_points, found.net), strict=True)),
        "money": None if paid is None else _by_seat(seats, paid, currency),
        "left": str(found.left) if found.left else "",
    }


def _by_seat(seats: Sequence[str], paid: Sequence[int], currency: str) -> dict[str, str]:
    return {seat: _money(minor, currency) for seat, minor in zip(seats, paid, strict=True)}


def _points(net: Fraction) -> str:
    exact = format_exact(str(net))
    said = format_number(str(net), signed=True)
    return f"{said} ({exact})" if exact else said


def _money(minor: int, currency: str) -> str:
    sign = "\N{MINUS SIGN}" if minor < 0 else "+" if minor else ""
    return f"{sign}{money(abs(minor), currency)} {currency}"
