"""Real records to begin with: one for each system and level of detail."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FOLDER = Path(__file__).parent / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    slug: str
    title: str | Promise
    note: str | Promise


EXAMPLES = (
    Example("1-bicycle-auction-full", _("Auction Hearts"), _("four players, one clean")),
    Example("2-hoyle-hearts-5p-play", _("Hearts, Hoyle"), _("five players, the play")),
    Example("3-hoyle-auction-6p-jackpot", _("Hoyle's auction"), _("six players, a jackpot")),
    Example("4-insurance-centre-full", _("Insurance Hearts"), _("papers and a blind auction")),
    Example("5-sahara-3p-claim-ruling", _("Sahara Sands"), _("three players, claim and ruling")),
    Example("6-bicycle-score-only-split", _("A jackpot won"), _("only the result, pot split")),
    Example("7-hoyle-game-settlement", _("A game's end"), _("average settlement")),
    Example("8-insurance-foot", _("A foot"), _("a hand cancelled")),
)


@cache
def example_text(slug: str) -> bytes | None:
    """The bytes of an example; None for a name that is not one."""
    if slug not in {example.slug for example in EXAMPLES}:
        return None
    return (FOLDER / f"{slug}.phn").read_bytes()
