"""Auction value: what it is worth to name the suit, hands that are alike compared with each other.

Without duplicate deals hands are alike by table, seat and pot; strong hands are bid on, so some of
the value is the cards'. With duplicate deals they are alike by deal and seat, and it is not.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tournaments.statistics.catalogue import LEAST
from tournaments.statistics.figures import USUAL
from tournaments.statistics.lines import Exact
from tournaments.statistics.sums import Sum

AlikeT = TypeVar("AlikeT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class AuctionValue:
    """The mean gain when naming, less that of like hands when not.

    ``named`` and ``other`` are the two means, each weighed by the hands in which they named;
    ``n`` are those hands, as far as there are others like them. ``shrunk`` is the value drawn
    towards 0.
    """

    n: int
    named: Fraction
    other: Fraction

    @property
    def value(self) -> Fraction:
        """The worth of naming."""
        return self.named - self.other

    @property
    def shrunk(self) -> Fraction:
        """The value, as if twenty more hands had brought nothing."""
        return self.n * self.value / (self.n + USUAL)

    @property
    def hidden(self) -> bool:
        """Whether these are too few hands to tell."""
        return self.n < LEAST


def auction_value(sums: Mapping[tuple[AlikeT, bool], Sum]) -> AuctionValue | None:
    """The value of naming, from gains by what was alike and whether they named.

    None where no hand with naming has one without that is like it.
    """
    n, named, other = 0, Fraction(0), Fraction(0)
    for (alike, naming), one in sums.items():
        rest = sums.get((alike, False))
        if naming and rest is not None:
            n += one.n
            named += one.total
            other += one.n * rest.mean
    return AuctionValue(n, named / n, other / n) if n else None


def of_deals(rows: Iterable[tuple[Hashable, bool, Exact]]) -> AuctionValue | None:
    """The value of naming in duplicate deals: rows of deal and seat, whether named, gain."""
    sums: dict[tuple[Hashable, bool], Sum] = {}
    for alike, naming, net in rows:
        sums.setdefault((alike, naming), Sum()).add(net)
    return auction_value(sums)
