"""Words for what standings and events are made of."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from tournaments.core.language import translate
from tournaments.models import DecisionKind
from tournaments.standings.choices import SPECS
from tournaments.standings.order import reason_for

Words = Mapping[str, object]

UNITS: Final[Words] = {
    "chips": _("Chips"),
    "points": _("Points"),
    "penalty points": _("Penalty points"),
    "share": _("Share"),
    "matchpoints": _("Matchpoints"),
    "wins": _("Wins"),
}
COUNTS: Final[Mapping[str, tuple[object, object]]] = {
    "hands_played": (_("Hands"), _("hands played")),
    "adjustments": (_("Adjusted"), _("penalties and bonuses by the director")),
    "handicap": (_("Handicap"), _("the handicap in the total")),
    "games": (_("Games"), _("games played")),
}
"""Columns of standings that are no tie-breaks: the heading and its meaning."""
KINDS: Final[Words] = {
    "unqualified": _("Too few games for a rank"),
    "withdrawn": _("Have withdrawn"),
    "idle": _("Have not played yet"),
    "guest": _("Guests, not ranked"),
}
COUNTED: Final[Words] = {
    "fixed": DecisionKind.SCORE.label,
    "forfeit": DecisionKind.FORFEIT.label,
    "substitute": _("a substitute sat there"),
    "credited away": _("credited to the substitute"),
    "incomplete": _("too few hands"),
    "not played": _("not played"),
    "sit-out": _("sat out"),
    "recorded": _("as it was written down"),
}
SOURCES: Final[Words] = {
    "substitute": _("a substitute played"),
    "as substitute": _("as a substitute"),
}


def label_for(words: Words, key: str) -> str:
    """Return the label of a key; the key itself where nobody gave it a name."""
    return str(words.get(key, key))


def unit_at_tables(data: Mapping[str, Any]) -> str:
    """Return the key in `UNITS` of what the games of published standings of an event count."""
    return "penalty points" if data["low"] else "chips"


def heading_for(key: str) -> tuple[str, str]:
    """Return the heading of a column of standings and its meaning; of an unknown key the key."""
    spec = SPECS.get(key)
    if spec and spec.column:
        return translate(spec.column), translate(spec.meaning)
    title, meaning = COUNTS.get(key, (translate(reason_for(key)), key))
    return str(title), str(meaning)
