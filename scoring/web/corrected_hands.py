"""Corrections of hands as public pages show them: when, and why (DEC-7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.models import Hand, HandVersion
from tournaments.models import Club
from tournaments.selectors import hide_names


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A correction of a hand; ``is_undo``: one that took another back."""

    at: datetime
    why: str
    is_undo: bool


def corrections_shown(
    hands: Sequence[Hand], club: Club, *, in_full: bool
) -> dict[UUID, list[CorrectionRow]]:
    """The corrections of some hands of a club, by hand; unless ``in_full`` names are hidden.

    No query where no hand was corrected, else one, and one for names.
    """
    corrected = [hand.pk for hand in hands if hand.current > 1]
    if not corrected:
        return {}
    rows = HandVersion.objects.filter(hand__in=corrected, number__gt=1).order_by("hand", "number")
    found: dict[UUID, list[CorrectionRow]] = {}
    for hand, at, why, restores in rows.values_list("hand", "at", "why", "restores"):
        words = why if in_full else hide_names(club, why)
        found.setdefault(hand, []).append(CorrectionRow(at, words, restores is not None))
    return found
