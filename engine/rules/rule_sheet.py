"""The house-rule sheet: every switch and its value in plain English (rules.md 7)."""

from typing import Final

from ..core.messages import Message
from .presets import PRESETS, TITLES, VARIANTS, variant_of
from .rules import Rules, find_differences, plays_for_chips
from .switch_specs import SWITCHES
from .switches import PainBy, Passing, SettledBy, Toggle

_AUCTION: Final = frozenset(
    ["bid_order", "min_bid", "max_bid", "all_pass", "jackpot_namer", "jackpot_suit"],
)
_POT: Final = frozenset(
    [
        "zero_clean",
        "three_player_sweep",
        "odd_chip",
        "jackpot_split",
        "moon_all_tricks",
        "winner",
        "tiebreak",
        "end_pot",
        "spare_units",
        "buy_in",
    ],
)
_POINTS: Final = frozenset(["moon", "foot", "limit", "prize", "ante", "passing"])
_AVERAGE: Final = frozenset(["average_each", "average_rounding", "unit"])
_CHIPS: Final = frozenset(["starting_chips", "insolvency"])
_PASSING: Final = frozenset(["pass_cycle", "pass_count"])
_QUEEN: Final = frozenset(["hearts_plus_queen"])
_INSURANCE: Final = frozenset(["insurance", "bad_paper", "moon_own_insurance"])
_CENTRE: Final = frozenset(["centre_auction", "bad_bid", "max_centre_bid", "bid_points_on_moon"])


def title_of(rules: Rules) -> Message:
    """The name of the preset that comes nearest, with a note where the club differs."""
    variant, overrides = variant_of(rules)
    title = TITLES[VARIANTS[variant]]
    return Message("{title}, with house rules", title=title) if overrides else title


def sheet(rules: Rules) -> list[tuple[Message, Message]]:
    """Questions and answers for every switch that matters under these rules."""
    idle = idle_switches(rules)
    return [
        (switch.question, switch.say(getattr(rules, name)))
        for name, switch in SWITCHES.items()
        if name not in idle
    ]


def idle_switches(rules: Rules) -> set[str]:
    """Return the names of switches that change nothing, as the others stand."""
    settled = rules.settlement
    idle = (
        (rules.pain is not PainBy.AUCTION, _AUCTION),
        (settled is not SettledBy.POT, _POT),
        (settled is not SettledBy.POINTS, _POINTS),
        (settled is not SettledBy.AVERAGE, _AVERAGE),
        (not plays_for_chips(rules), _CHIPS),
        (rules.passing is Passing.NONE, _PASSING),
        (rules.queen is Toggle.OFF, _QUEEN),
        (rules.insurance is Toggle.OFF, _INSURANCE),
        (rules.centre_auction is Toggle.OFF, _CENTRE),
    )
    return {name for does_nothing, names in idle if does_nothing for name in names}


def describe(rules: Rules) -> str:
    """The house-rule sheet of a club as readable text.

    >>> print(describe(PRESETS["bicycle"]).splitlines()[0])
    Auction Hearts (Bicycle)
    """
    variant, overrides = variant_of(rules)
    base = PRESETS[VARIANTS[variant]]
    special, idle = find_differences(rules, base), idle_switches(rules)
    lines = [title_of(rules), "=" * len(title_of(rules)), ""]
    for name, switch in SWITCHES.items():
        if name in idle:
            continue
        mark = "*" if name in special else " "
        lines += [f"{mark} {switch.question}", f"    {switch.say(getattr(rules, name))}"]
    if overrides:
        lines += ["", f"* differs from {TITLES[VARIANTS[variant]]}"]
    lines += ["", f"Rule set {rules.digest[:12]}"]
    return "\n".join(lines) + "\n"
