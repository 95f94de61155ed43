"""What a game brings each seat, by the sums of its seats alone, for scorings in which that is so.

The worth of a game is told by `tournaments.standings` like that of any other, and remembered by the
text of its sums: a hand changes one game of an event, and the others are worth what they were.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine.rules.switches import Toggle
from tournaments.standings import Entry, Scoring, SeatScore, TableScore
from tournaments.standings.choices import (
    Credit,
    Direction,
    GuestPolicy,
    Incomplete,
    Total,
)
from tournaments.standings.exact import Exact, plain
from tournaments.standings.scoring import BY_BOARD
from tournaments.standings.tables import Played, Valuer

_KEPT: Final = 20_000


Sat = tuple[int, int]
"""What a seat came to: its score, from so many hands."""


class Seat(NamedTuple):
    """What a game brings an entry by its number; ``value`` is None while it does not count."""

    number: int
    value: Exact | None
    score: int
    hands: int


class Worth:
    """A scoring in which a game counts by itself: no boards, no means of rounds, no substitutes."""

    def __init__(self, scoring: Scoring, planned: int | None) -> None:
        """``planned`` is how many hands a game has."""
        self.scoring = scoring
        self.planned = planned
        self._known: dict[str, tuple[Seat, ...]] = {}

    def game(self, text: str) -> tuple[Seat, ...]:
        """What a game brings; its text is the entry's number, score and hands of every sum."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[text] = self._read(text)
        return found

    def _read(self, text: str) -> tuple[Seat, ...]:
        numbers = iter(map(int, text.split(",")))
        sat: dict[int, Sat] = {}
        for number, score, hands in zip(numbers, numbers, numbers, strict=True):
            # A seat in which two people sat in turn has two sums.
            before = sat.get(number, (0, 0))
            sat[number] = (before[0] + score, before[1] + hands)
        values = self.of(tuple(sat.values())) or (None,) * len(sat)
        return tuple(
            Seat(number, value, *one)
            for (number, one), value in zip(sat.items(), values, strict=True)
        )

    def of(self, seats: Sequence[Sat]) -> tuple[Exact, ...] | None:
        """What a game brings its seats; None while it does not count."""
        names = [str(number) for number in range(len(seats))]
        table = TableScore(
            id="",
            round=1,
            table=1,
            game=1,
            hands=max(hands for _, hands in seats),
            seats=tuple(
                SeatScore(name, score, hands)
                for name, (score, hands) in zip(names, seats, strict=True)
            ),
            planned=self.planned,
        )
        valued = Valuer(self.scoring, {name: Entry(name) for name in names}, {}).value(table)
        if valued.played is not Played.WHOLE:
            return None
        return tuple(plain(value) for value in valued.values if value is not None)


@lru_cache(maxsize=512)
def worth_of(settings: str, hands: int, *, low: bool, guests: bool) -> Worth | None:
    """The worth of games by the settings of an event, as they are stored; None: not by itself.

    ``hands`` is how many a game is to have (0: not said), ``low`` whether its games count penalty
    points, ``guests`` whether there are any who are not ranked.
    """
    scoring = Scoring.from_data(json.loads(settings))
    if scoring.par is None:
        scoring = replace(scoring, par=hands or None)
    if scoring.direction is Direction.NATURAL:
        way = Direction.LOW if low else Direction.HIGH
        scoring = replace(scoring, direction=way)
    return Worth(scoring, hands or None) if _counts_by_game(scoring, guests=guests) else None


def _counts_by_game(scoring: Scoring, *, guests: bool) -> bool:
    return (
        scoring.method not in BY_BOARD
        and scoring.total is not Total.HAND_AVERAGE
        and scoring.incomplete is not Incomplete.NEUTRAL
        and scoring.substitute_credit is Credit.ENTRY
        and not (guests and scoring.guest_policy is GuestPolicy.RE_RANK)
    )


def has_handicaps(scoring: Scoring) -> bool:
    """Whether handicaps are in the totals."""
    return scoring.handicaps is Toggle.ON
