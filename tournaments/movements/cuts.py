"""Cuts: who plays on in the final, and what they take along (tournaments.md 2.8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from engine.core.messages import Message
from tournaments.movements.orders import draw_order, lots_of
from tournaments.movements.seating import SeatingError

Score = int | Fraction


class CutPolicy(StrEnum):
    """Policies where more are tied for the last places than there are places."""

    TIEBREAK = "TIEBREAK"
    EXTEND = "EXTEND"
    PLAYOFF = "PLAYOFF"
    LOT = "LOT"
    NO_SPLIT = "NO_SPLIT"


class CarryOver(StrEnum):
    """Parts of their score that finalists keep."""

    ALL = "ALL"
    HALF = "HALF"
    NONE = "NONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The people who go on.

    ``sure`` are strictly above the score of the last place, ``tied`` have it. ``chosen`` go on;
    ``still_open`` places are for a play-off of the tied. ``reserves`` are the others, the next in
    line first.
    """

    places: int
    sure: tuple[int, ...]
    tied: tuple[int, ...]
    chosen: tuple[int, ...]
    still_open: int = 0
    reserves: tuple[int, ...] = ()

    def without(self, entrant: int) -> "Cut":
        """The cut after a finalist withdrew: the next in line takes their place.

        Raises SeatingError for somebody who is not in it.
        """
        if entrant in self.reserves:
            return replace(self, reserves=_less(self.reserves, entrant))
        if entrant not in self.chosen:
            raise SeatingError(Message("They are not in this cut."), (entrant,))
        chosen = _less(self.chosen, entrant) + self.reserves[:1]
        return replace(self, chosen=chosen, reserves=self.reserves[1:])


def cut(
    order: Sequence[tuple[int, Score]],
    places: int,
    policy: CutPolicy = CutPolicy.TIEBREAK,
    *,
    table: int = 4,
    seed: int | str = 0,
) -> Cut:
    """Cut a ranking to so many places.

    ``order``: entrants with their scores, best first, ties in the order of the tie-breaks.
    ``table``: the size of a table in the final, for EXTEND (all the tied go on, and the next in
    line until the tables are full) and NO_SPLIT (the line moves to the nearest one that parts no
    tied players and fills the tables); ``seed`` is for LOT. Raises SeatingError.

    >>> ranking = list(enumerate([30, 28, 27, 25, 25, 25, 20, 18]))
    >>> found = cut(ranking, 4)
    >>> found.sure, found.tied, found.chosen
    ((0, 1, 2), (3, 4, 5), (0, 1, 2, 3))
    """
    _check(order, places)
    ranked = [one for one, _ in order]
    last = order[places - 1][1]
    sure = tuple(one for one, score in order if score > last)
    tied = tuple(one for one, score in order if score == last)
    if policy is CutPolicy.LOT:
        ranked = [*sure, *draw_order(tied, lots_of(seed)), *ranked[len(sure) + len(tied) :]]
    line, still_open = places, 0
    if policy is CutPolicy.NO_SPLIT:
        line = _whole_groups([score for _, score in order], places, table)
    elif len(sure) + len(tied) > places:
        if policy is CutPolicy.PLAYOFF:
            line, still_open = len(sure), places - len(sure)
        elif policy is CutPolicy.EXTEND:
            line = min(-(-(len(sure) + len(tied)) // table) * table, len(ranked))
    return Cut(
        places=places, sure=sure, tied=tied, chosen=tuple(ranked[:line]), still_open=still_open,
        reserves=tuple(ranked[line:]),
    )  # fmt: skip


def _check(order: Sequence[tuple[int, Score]], places: int) -> None:
    entrants = [one for one, _ in order]
    scores = [score for _, score in order]
    if places < 1:
        raise SeatingError(Message("A final has at least one place."))
    if places > len(order):
        raise SeatingError(
            Message(
                "There are {count} players for {places} places.", count=len(order), places=places
            )
        )
    if len(set(entrants)) < len(entrants) or scores != sorted(scores, reverse=True):
        raise SeatingError(Message("A ranking has everybody once, the highest score first."))


def _whole_groups(scores: Sequence[Score], places: int, table: int) -> int:
    """The line nearest to so many places that parts nobody tied; full tables before others."""
    lines = [line for line in range(1, len(scores)) if scores[line - 1] != scores[line]]
    lines.append(len(scores))
    full = [line for line in lines if line % table == 0]
    return min(full or lines, key=lambda line: (abs(line - places), -line))


def carry_over(score: Score, policy: CarryOver) -> Fraction:
    """Return the worth of a score in the final, exactly."""
    match policy:
        case CarryOver.ALL:
            return Fraction(score)
        case CarryOver.HALF:
            return Fraction(score) / 2
        case CarryOver.NONE:
            return Fraction(0)


def final_ranking(qualifying: Sequence[int], final: Sequence[int]) -> tuple[int, ...]:
    """The order of an event: finalists by the final, the others by the qualifying rounds.

    Raises SeatingError where somebody was in the final only.
    """
    finalists = set(final)
    if len(finalists) < len(final) or not finalists <= set(qualifying):
        raise SeatingError(Message("A finalist has qualified, and is ranked once."))
    return (*final, *(one for one in qualifying if one not in finalists))


def team_score(scores: Sequence[Score], best: int | None = None) -> Fraction:
    """A team's score: the sum of its members' scores, or of the best so many of them.

    >>> team_score([7, 3, 5, 1], best=3)
    Fraction(15, 1)
    """
    counted = sorted(scores, reverse=True)[:best]
    return sum((Fraction(score) for score in counted), Fraction(0))


def _less(entrants: Sequence[int], gone: int) -> tuple[int, ...]:
    return tuple(entrant for entrant in entrants if entrant != gone)
