"""Head to head: how a player fared against each of their rivals."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from operator import itemgetter

from tournaments.statistics.catalogue import LEAST
from tournaments.statistics.figures import NINETY
from tournaments.statistics.tally import RivalTally


@dataclass(frozen=True, slots=True)
class Opponent:
    """Common tables with somebody; ``flow`` came from them, as if every two had settled.

    At a table of n, an n-th of the difference of two gains went from one to the other. Between
    equals, chance alone keeps ``flow`` within ``chance`` of zero in nine cases of ten; None before
    there are enough tables to tell. ``flow`` is None where all of these tables were played in
    another unit than most, chips or penalty points, which are never added (DEC-16).
    """

    player: str
    tables: int
    beaten: int
    tied: int
    lost: int
    flow: Fraction | None
    chance: float | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All rivals, who was met most often first; and who took, and who brought, the most.

    Nobody is a nemesis or a best customer before ten common tables.
    """

    opponents: tuple[Opponent, ...]
    nemesis: Opponent | None
    best_customer: Opponent | None


def head_to_head(rivals: Mapping[str, RivalTally]) -> HeadToHead:
    """Return a player's record against each rival; of equal ones the first by name counts.

    How far chance goes at one table is taken from all tables with anybody.
    """
    met_at = sum(met.valued for met in rivals.values())
    squares = sum((Fraction(met.squares) for met in rivals.values()), Fraction())
    a_table = squares / met_at if met_at >= LEAST else None
    opponents = [
        Opponent(
            player=player,
            tables=met.tables,
            beaten=met.beaten,
            tied=met.tied,
            lost=met.lost,
            flow=Fraction(met.flow) if met.valued else None,
            chance=None if a_table is None else NINETY * sqrt(a_table * met.valued),
            hidden=met.tables < LEAST,
        )
        for player, met in sorted(rivals.items())
    ]
    shown = [
        (opponent.flow, opponent)
        for opponent in opponents
        if opponent.flow is not None and not opponent.hidden
    ]
    takes = min(shown, key=itemgetter(0), default=(0, None))
    brings = max(shown, key=itemgetter(0), default=(0, None))
    return HeadToHead(
        tuple(sorted(opponents, key=lambda one: -one.tables)),
        takes[1] if takes[0] < 0 else None,
        brings[1] if brings[0] > 0 else None,
    )
