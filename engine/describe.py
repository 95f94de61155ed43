"""The house-rule sheet: every switch and its value in plain English (rules.md 7)."""

from typing import Final

from engine.catalogue import SWITCHES
from engine.presets import PRESETS, TITLES, VARIANTS, variant_of
from engine.rules import Rules, differences
from engine.switches import PainBy, Passing, SettledBy, Toggle

_AUCTION: Final = frozenset(["bid_order", "min_bid", "max_bid", "all_pass", "jackpot_namer", "jackpot_suit"])
_POT: Final = frozenset(
    ["zero_clean", "three_player_sweep", "odd_chip", "jackpot_split", "moon_all_tricks", "tiebreak", "end_pot", "spare_units", "buy_in", "revoke_law"]
)
_POINTS: Final = frozenset(["moon", "passing", "pass_cycle", "pass_count", "foot", "limit", "prize", "ante"])
_AVERAGE: Final = frozenset(["average_each", "average_rounding", "unit"])


def title_of(rules: Rules) -> str:
    """The name of the preset that comes nearest, with a note where the club differs."""
    variant, overrides = variant_of(rules)
    title = TITLES[VARIANTS[variant]]
    return f"{title}, with house rules" if overrides else title


def sheet(rules: Rules) -> list[tuple[str, str]]:
    """Questions and answers for every switch that matters under these rules."""
    return [
        (switch.question, switch.say(getattr(rules, name)))
        for name, switch in SWITCHES.items()
        if name not in _idle(rules)
    ]


def _idle(rules: Rules) -> set[str]:
    """Switches that change nothing, as the others stand."""
    idle: set[str] = set()
    if rules.pain is not PainBy.AUCTION:
        idle |= _AUCTION
    if rules.settlement is not SettledBy.POT:
        idle |= _POT - {"revoke_law"}
    if rules.settlement is not SettledBy.POINTS:
        idle |= _POINTS
    if rules.settlement is not SettledBy.AVERAGE:
        idle |= _AVERAGE
    if rules.settlement is SettledBy.POINTS:
        idle |= {"starting_chips", "insolvency"}
    if rules.passing is Passing.NONE:
        idle |= {"pass_cycle", "pass_count"}
    if rules.queen is Toggle.OFF:
        idle.add("hearts_plus_queen")
    if rules.insurance is Toggle.OFF:
        idle |= {"insurance", "bad_paper", "moon_own_insurance"}
    if rules.centre_auction is Toggle.OFF:
        idle |= {"centre_auction", "bad_bid", "max_centre_bid", "bid_points_on_moon"}
    return idle


def describe(rules: Rules) -> str:
    """The house-rule sheet of a club as readable text.

    >>> print(describe(PRESETS["bicycle"]).splitlines()[0])
    Auction Hearts (Bicycle)
    """
    variant, overrides = variant_of(rules)
    base = PRESETS[VARIANTS[variant]]
    special = differences(rules, base)
    lines = [title_of(rules), "=" * len(title_of(rules)), ""]
    for name, switch in SWITCHES.items():
        if name in _idle(rules):
            continue
        mark = "*" if name in special else " "
        lines += [f"{mark} {switch.question}", f"    {switch.say(getattr(rules, name))}"]
    if overrides:
        lines += ["", f"* differs from {TITLES[VARIANTS[variant]]}"]
    lines += ["", f"Rule set {rules.digest[:12]}"]
    return "\n".join(lines) + "\n"
