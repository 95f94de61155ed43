"""Duplicate deals: what the cards gave, and what the player made of them (tournaments.md 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tournaments.statistics.lines import Exact

SeatT = TypeVar("SeatT")


@dataclass(frozen=True, slots=True)
class Parted:
    """One score of a deal: the mean of the deal, luck and skill sum to it exactly.

    ``unbiased`` is the skill against the mean of the other tables alone; None at a single table.
    """

    score: Exact
    deal_mean: Fraction
    luck: Fraction
    skill: Fraction
    unbiased: Fraction | None


def split_deal_scores(deal: Mapping[SeatT, Sequence[Exact]]) -> dict[SeatT, list[Parted]]:
    """Part all scores of one deal, by seat and then by table.

    Luck is the mean of a seat over all tables less the mean of the deal, skill a score less the
    mean of its seat. Seats may have been scored at different numbers of tables; the mean of the
    deal is that of its seats.

    Raises ValueError for a seat without scores.
    """
    if not all(deal.values()):
        raise ValueError("every seat of a deal needs a score")
    means = {seat: Fraction(sum(scores)) / len(scores) for seat, scores in deal.items()}
    middle = Fraction(sum(means.values())) / max(len(means), 1)
    return {
        seat: [_split_score(score, middle, means[seat], len(scores)) for score in scores]
        for seat, scores in deal.items()
    }


def _split_score(score: Exact, middle: Fraction, mean: Fraction, tables: int) -> Parted:
    skill = score - mean
    unbiased = skill * tables / (tables - 1) if tables > 1 else None
    return Parted(score, middle, mean - middle, skill, unbiased)
