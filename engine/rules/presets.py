"""The rule systems as sets of switch values (rules.md 12 and 13), and their names in a record."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from engine.rules.rules import Rules, RulesError, change, differences

_HOYLE_STRIP = "3:C2,5:C2D2,6:C2C3D2S2"

BICYCLE: Final = Rules()
"""Auction Hearts, Bicycle style (A)."""

HOYLE_HEARTS: Final = change(
    BICYCLE,
    {
        "players": "3..6",
        "strip": _HOYLE_STRIP,
        "settlement": "average",
        "pain": "hearts",
        "first_leader": "eldest",
        "first_trick_penalty": "allowed",
        "pain_lead": "free",
        "length": "session",
    },
)
"""Hearts, Hoyle style, with average settlement (B)."""

HOYLE_AUCTION: Final = change(
    BICYCLE,
    {
        "players": "3..6",
        "strip": _HOYLE_STRIP,
        "first_leader": "eldest",
        "first_trick_penalty": "allowed",
        "pain_lead": "free",
        "bid_order": "ascending",
    },
)
"""Auction Hearts, Hoyle style (C)."""

STANDARD: Final = change(
    BICYCLE,
    {
        "settlement": "points",
        "pain": "hearts",
        "queen": "on",
        "first_leader": "low_club",
        "broken_by": "heart_or_queen",
        "moon": "add_to_others",
        "passing": "cycle",
        "length": "limit",
    },
)
"""Hearts as it is commonly played: D without its options."""

INSURANCE: Final = change(STANDARD, {"insurance": "on", "centre_auction": "on", "foot": "on"})
"""Insurance Hearts with all three options (D)."""

SAHARA: Final = change(
    STANDARD,
    {
        "players": "3..5",
        "strip": "3:D2,5:D2C2",
        "passing": "none",
        "prize": "winner_takes_all",
    },
)
"""Sahara Sands Hearts (E)."""

AUCTION_MOON: Final = change(BICYCLE, {"moon_all_tricks": "game", "tiebreak": "tricks"})
"""Source 000 read literally."""

HOWELL: Final = change(
    HOYLE_HEARTS,
    {"average_rounding": "howell_units", "average_each": "hand", "insolvency": "debt"},
)
"""Hearts with Howell's settling after every hand."""

SWEEPSTAKE: Final = change(HOYLE_AUCTION, {"pain": "hearts"})
"""Hearts is always the pain suit; a pot, no auction."""

PRESETS: Final = {
    "bicycle": BICYCLE,
    "hoyle_hearts": HOYLE_HEARTS,
    "hoyle_auction": HOYLE_AUCTION,
    "insurance": INSURANCE,
    "sahara": SAHARA,
    "auction_moon": AUCTION_MOON,
    "standard": STANDARD,
    "howell": HOWELL,
    "sweepstake": SWEEPSTAKE,
}
"""All presets by name."""

TITLES: Final = {
    "bicycle": "Auction Hearts (Bicycle)",
    "hoyle_hearts": "Hearts (Hoyle), average settlement",
    "hoyle_auction": "Auction Hearts (Hoyle)",
    "insurance": "Insurance Hearts",
    "sahara": "Sahara Sands Hearts",
    "auction_moon": "Auction Hearts with the moon of all tricks",
    "standard": "Standard Hearts",
    "howell": "Hearts with Howell's settling",
    "sweepstake": "Sweepstake Hearts",
}

VARIANTS: Final = {
    "hearts-hoyle": "hoyle_hearts",
    "auction-hoyle": "hoyle_auction",
    "auction-bicycle": "bicycle",
    "insurance": "insurance",
    "sahara": "sahara",
    "x-auction-moon": "auction_moon",
    "x-standard": "standard",
    "x-howell": "howell",
    "x-sweepstake": "sweepstake",
}
"""Presets by the value of the Variant tag (notation.md 3.3)."""


def preset(name: str) -> Rules:
    """The rules of a preset, by its name or by its name in a record. Raises RulesError.

    >>> preset("auction-bicycle") == preset("bicycle")
    True
    >>> preset("bycicle")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    engine.rules.rules.RulesError: preset: did you mean bicycle? 'bycicle' is not one of ...
    """
    key = VARIANTS.get(name, name.replace("-", "_"))
    if key not in PRESETS:
        near = _near(name, (*PRESETS, *VARIANTS))
        raise RulesError("preset", f"{near}{name!r} is not one of {', '.join(PRESETS)}")
    return PRESETS[key]


def _near(written: str, known: Sequence[str]) -> str:
    """The nearest known name as a question, or nothing."""
    near = get_close_matches(written[:40].casefold(), known, 1)
    return f"did you mean {near[0]}? " if near else ""


def rules_of_variant(variant: str, overrides: Mapping[str, str]) -> Rules:
    """The rules of a record's Variant and the overrides of its Rules tag. Raises RulesError."""
    if variant not in VARIANTS:
        near = _near(variant, tuple(VARIANTS))
        raise RulesError("variant", f"{near}{variant!r} is not one of {', '.join(VARIANTS)}")
    return change(PRESETS[VARIANTS[variant]], overrides)


RULES_CHARACTERS_MAX: Final = 4096
"""The longest text that `parse_rules` reads."""


def parse_rules(text: str) -> Rules | None:
    """The rules of ``auction-bicycle/1;min-bid=2``; None for nothing. Raises RulesError.

    >>> parse_rules("auction-bicycle/1;min-bid=2").min_bid
    2
    >>> parse_rules(" ") is None
    True
    """
    if not text.strip():
        return None
    if len(text) > RULES_CHARACTERS_MAX:
        raise RulesError("rules", f"no rule set needs more than {RULES_CHARACTERS_MAX} characters")
    profile, *pairs = text.split(";")
    name, slash, major = profile.strip().partition("/")
    if slash and major != "1":
        raise RulesError(name, f"version {major!r} is not known here; version 1 is")
    overrides = dict(_parse_override(pair) for pair in pairs if pair.strip())
    return change(preset(name), overrides)


def _parse_override(pair: str) -> tuple[str, str]:
    switch, equals, value = pair.partition("=")
    if not equals:
        raise RulesError(pair.strip(), "write switch=value")
    return switch.strip(), value.strip()


def variant_of(rules: Rules) -> tuple[str, dict[str, str]]:
    """The Variant that describes some rules with the fewest overrides, and those overrides."""
    described = ((variant, differences(rules, PRESETS[name])) for variant, name in VARIANTS.items())
    return min(described, key=lambda row: len(row[1]))
