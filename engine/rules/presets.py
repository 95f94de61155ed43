"""The rule systems as sets of switch values (rules.md 12 and 13), and their names in a record."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from ..core.messages import Message
from .rules import Rules, RulesError, change, find_differences

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
    "bicycle": Message("Auction Hearts (Bicycle)"),
    "hoyle_hearts": Message("Hearts (Hoyle), average settlement"),
    "hoyle_auction": Message("Auction Hearts (Hoyle)"),
    "insurance": Message("Insurance Hearts"),
    "sahara": Message("Sahara Sands Hearts"),
    "auction_moon": Message("Auction Hearts with the moon of all tricks"),
    "standard": Message("Standard Hearts"),
    "howell": Message("Hearts with Howell's settling"),
    "sweepstake": Message("Sweepstake Hearts"),
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
    >>> preset("bycicle")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    RulesError: preset: did you mean bicycle? 'bycicle' is not one of ...
    """
    key = VARIANTS.get(name, name.replace("-", "_"))
    if key not in PRESETS:
        raise RulesError("preset", _unknown(name, (*PRESETS, *VARIANTS), ", ".join(PRESETS)))
    return PRESETS[key]


def _unknown(written: str, known: Sequence[str], names: str) -> Message:
    """That a name is none of some, with the nearest that is known."""
    near = get_close_matches(written[:40].casefold(), known, 1)
    if near:
        return Message(
            "did you mean {near}? {written} is not one of {names}",
            near=near[0],
            written=repr(written),
            names=names,
        )
    return Message("{written} is not one of {names}", written=repr(written), names=names)


def rules_of_variant(variant: str, overrides: Mapping[str, str]) -> Rules:
    """The rules of a record's Variant and the overrides of its Rules tag. Raises RulesError."""
    if variant not in VARIANTS:
        raise RulesError("variant", _unknown(variant, tuple(VARIANTS), ", ".join(VARIANTS)))
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
        words = Message("no rule set needs more than {most} characters", most=RULES_CHARACTERS_MAX)
        raise RulesError("rules", words)
    profile, *pairs = text.split(";")
    name, slash, major = profile.strip().partition("/")
    if slash and major != "1":
        words = Message("version {version} is not known here; version 1 is", version=repr(major))
        raise RulesError(name, words)
    overrides = dict(_parse_override(pair) for pair in pairs if pair.strip())
    return change(preset(name), overrides)


def _parse_override(pair: str) -> tuple[str, str]:
    switch, equals, value = pair.partition("=")
    if not equals:
        raise RulesError(pair.strip(), Message("write switch=value"))
    return switch.strip(), value.strip()


def variant_of(rules: Rules) -> tuple[str, dict[str, str]]:
    """The Variant that describes some rules with the fewest overrides, and those overrides."""
    described = (
        (variant, find_differences(rules, PRESETS[name])) for variant, name in VARIANTS.items()
    )
    return min(described, key=lambda row: len(row[1]))
