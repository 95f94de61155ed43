"""Validation of a ruling: it must concern this game and decide something."""

from collections.abc import Iterator
from typing import Final

from engine.core.cards import NAMES
from engine.core.messages import Message
from engine.record.rulings import Decision, NextHand, Ruling
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy, Toggle
from scoring.settlement.changes import RulingRequest
from tournaments.core.errors import RefusedError

_CARDS: Final = frozenset(NAMES)

Refused = tuple[bool, str, str]
"""Whether something cannot be, why, and in which field it stands."""


def check_decree(decree: RulingRequest, rules: Rules, players: int) -> None:
    """Raise RefusedError if a ruling does not fit these house rules or has no effect."""
    found = [*_check_play(decree, rules, players)]
    if decree.ruling is not None:
        found += [*_check_house_rules(decree.ruling, rules)]
        found += [*_check_amounts(decree.ruling)]
    for is_refused, words, field in found:
        if is_refused:
            raise RefusedError(words, field)


def _check_play(decree: RulingRequest, rules: Rules, players: int) -> Iterator[Refused]:
    tricks = rules.tricks(players)
    late = decree.trick is not None and decree.trick > tricks
    yield late, Message("A hand of this game has {tricks} tricks.", tricks=tricks), "trick"
    unknown = bool(decree.card) and decree.card not in _CARDS
    yield unknown, Message("This is no card; write the suit and the rank, such as SQ."), "card"


def _check_house_rules(ruling: Ruling, rules: Rules) -> Iterator[Refused]:
    then = ruling.then
    yield (
        len(set(ruling.offenders)) < len(ruling.offenders),
        Message("An offender is named once."),
        "offenders",
    )
    without = rules.queen is not Toggle.ON and ruling.queen is not None
    yield without, Message("The queen of spades does not count in this game."), "queen"
    unknown = rules.foot is not Toggle.ON and bool(then.feet)
    yield unknown, Message("Nobody can call a foot in this game."), "then.feet"
    carried = bool(then.jackpot) or (then.namer, then.pain) != (None, None)
    potless = rules.settlement is not SettledBy.POT
    yield carried and potless, Message("There is no jackpot in this game."), "then.jackpot"


def _check_amounts(ruling: Ruling) -> Iterator[Refused]:
    nothing = moves_nothing(ruling)
    chips = nothing and ruling.decision is Decision.CHIP_ADJUST
    yield chips, Message("No chip is moved; say whose chips, and how many."), "chips"
    points = nothing and ruling.decision is Decision.SCORE_ADJUST
    yield points, Message("No point is added or taken away; say whose, and how many."), "score"


def moves_nothing(ruling: Ruling) -> bool:
    """Whether an adjustment has only zeros and does not affect the next hand."""
    is_one = ruling.decision in (Decision.CHIP_ADJUST, Decision.SCORE_ADJUST)
    numbers = any((*ruling.chips, *ruling.score, ruling.pot))
    return is_one and not numbers and ruling.then == NextHand()
