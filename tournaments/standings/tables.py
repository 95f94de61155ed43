"""Each seat's worth of a game at a table (tournaments.md 3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from engine.rules.switches import Toggle
from tournaments.standings.choices import ForfeitPolicy, GuestPolicy, Incomplete, Method
from tournaments.standings.exact import Exact, plain
from tournaments.standings.results import Entrant, SeatScore, TableScore
from tournaments.standings.scales import NO_PLACE, Placing, SharedPlace, placing, points_for, share
from tournaments.standings.scoring import ScoringRules

_NOTHING: Final = Fraction(0)
_WHOLE: Final = 1


class GameExtent(StrEnum):
    """The extent to which a game was played."""

    WHOLE = "whole"
    INCOMPLETE = "incomplete"
    NOT_PLAYED = "not played"


Parts = tuple[tuple[Exact, Placing], ...]
"""Placings of a table with their shares of the hands: more than one if somebody left early."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A game with the values of its seats; ``placing`` is that of its end.

    A value is None where the method looks at boards only, and for a guest among ranked members.
    ``margins`` are chips or penalty points, made comparable.
    """

    table: TableScore
    played: GameExtent
    parts: Parts
    margins: tuple[Exact, ...]
    values: tuple[Exact | None, ...]

    @property
    def placing(self) -> Placing:
        """The place of each seat."""
        return self.parts[-1][1]


class Valuer:
    """Values the tables of one event."""

    def __init__(
        self,
        scoring: ScoringRules,
        entries: Mapping[str, Entrant],
        shifts: Mapping[tuple[str, str], Fraction],
    ) -> None:
        """``shifts`` are adjustments that affect places, by table and entry."""
        self._scoring = scoring
        self._entries = entries
        self._shifts = shifts
        self._tables_shifted = {table for table, _ in shifts}
        self._re_ranks = scoring.guest_policy is GuestPolicy.RE_RANK
        self._points: dict[Placing, tuple[Exact | None, ...]] = {}
        self._worth = _WORTH.get(scoring.method)

    def value(self, table: TableScore) -> Valued:
        """One game with what it brings."""
        scores = self._scores(table)
        even = all(seat.hands == table.hands and not seat.forfeit for seat in table.seats)
        played = self._extent_of(table, table.hands if even else _played_by_others(table))
        ranked = self._ranked_seats(table)
        if even and len(ranked) == len(scores):
            parts: Parts = ((_WHOLE, placing(self._falling(table, scores))),)
        else:
            parts = self._parts(table, scores, ranked)
        margins = self._margins(table, scores)
        return Valued(table, played, parts, margins, self._values(table, parts, margins))

    def _extent_of(self, table: TableScore, hands: int) -> GameExtent:
        if hands <= 0:
            return GameExtent.NOT_PLAYED
        if self._scoring.incomplete is Incomplete.COUNTS:
            return GameExtent.WHOLE
        planned = table.planned or self._scoring.par
        below = self._scoring.incomplete_below
        if planned and hands * below.denominator < planned * below.numerator:
            return GameExtent.INCOMPLETE
        return GameExtent.WHOLE

    def outlasts(self, seat: SeatScore, table: TableScore) -> bool:
        """Whether what a seat lost by leaving counts, even if the game of the others does not.

        The chips of a game that does not count are nobody's; the last place is theirs all the same.
        """
        filled = self._scoring.forfeit_policy is ForfeitPolicy.AVERAGE_LESS
        return left_early(seat, table) and (filled or self._worth is not None)

    def _scores(self, table: TableScore) -> list[Exact]:
        scores = [seat.score for seat in table.seats]
        if table.id in self._tables_shifted:
            pairs = zip(table.seats, scores, strict=True)
            scores = [score + self._shifts.get((table.id, seat.entry), 0) for seat, score in pairs]
        if self._scoring.forfeit_policy is ForfeitPolicy.AVERAGE_LESS:
            penalty = self._scoring.forfeit_penalty
            return _fill_missed_hands(table, scores, penalty if self._is_low(table) else -penalty)
        return scores

    def _is_low(self, table: TableScore) -> bool:
        """Whether the lowest score at a table is best."""
        return self._scoring.low if table.low is None else table.low

    def _ranked_seats(self, table: TableScore) -> list[int]:
        """The seats among whom places are told."""
        seats = range(len(table.seats))
        if not self._re_ranks:
            return list(seats)
        return [seat for seat in seats if not self._entries[table.seats[seat].entry].is_guest]

    def _falling(self, table: TableScore, scores: Sequence[Exact]) -> Sequence[Exact]:
        return [-score for score in scores] if self._is_low(table) else scores

    def _parts(self, table: TableScore, scores: Sequence[Exact], ranked: Sequence[int]) -> Parts:
        policy = self._scoring.forfeit_policy
        rates = self._rates(table, scores)
        left = [seat for seat in ranked if left_early(table.seats[seat], table)]
        if policy is ForfeitPolicy.AVERAGE_LESS or not left:
            return ((_WHOLE, _among(rates, ranked, ())),)
        if policy is ForfeitPolicy.LAST:
            return ((_WHOLE, _among(rates, ranked, left)),)
        return tuple(self._stretches(table, rates, ranked, left))

    def _stretches(
        self,
        table: TableScore,
        rates: Sequence[tuple[int, Exact]],
        ranked: Sequence[int],
        left: Sequence[int],
    ) -> list[tuple[Exact, Placing]]:
        """The hands from one leaving to the next; who has left is last in those after."""
        moments = sorted({max(0, table.seats[seat].hands) for seat in left})
        total = max(table.hands, 1)
        found: list[tuple[Exact, Placing]] = []
        for begin, end in zip([0, *moments], [*moments, total], strict=True):
            gone = [seat for seat in left if table.seats[seat].hands <= begin < end]
            if end > begin:
                found.append((Fraction(end - begin, total), _among(rates, ranked, gone)))
        return found

    def _rates(self, table: TableScore, scores: Sequence[Exact]) -> list[tuple[int, Exact]]:
        """Scores to be compared: by the hand where seats played different numbers of hands."""
        falling = self._falling(table, scores)
        filled = self._scoring.forfeit_policy is ForfeitPolicy.AVERAGE_LESS
        hands = [
            table.hands if filled and left_early(seat, table) else seat.hands
            for seat in table.seats
        ]
        if len(set(hands)) == 1:
            return [(1, score) for score in falling]
        return [
            (1, Fraction(score) / number) if number > 0 else (0, 0)
            for score, number in zip(falling, hands, strict=True)
        ]

    def _margins(self, table: TableScore, scores: Sequence[Exact]) -> tuple[Exact, ...]:
        par = self._scoring.par
        if self._scoring.per_hand is Toggle.OFF or par is None:
            return tuple(scores)
        return tuple(
            score
            if seat.hands <= 0 or left_early(seat, table)
            else Fraction(score) * par / seat.hands
            for seat, score in zip(table.seats, scores, strict=True)
        )

    def _values(
        self, table: TableScore, parts: Parts, margins: Sequence[Exact]
    ) -> tuple[Exact | None, ...]:
        method = self._scoring.method
        if method in (Method.CHIPS, Method.POINTS):
            return tuple(margins)
        if method is Method.SETTLEMENT:
            return tuple(_settle_by_average(margins, low=self._is_low(table)))
        if self._worth is None:
            return (None,) * len(margins)
        points = self._place_points(parts)
        if method is not Method.UMA:
            return points
        unit = self._scoring.uma_unit
        signed = [-margin for margin in margins] if self._is_low(table) else margins
        pairs = zip(points, signed, strict=True)
        return tuple(
            None if place is None else plain(place + Fraction(margin) / unit)
            for place, margin in pairs
        )

    def _place_points(self, parts: Parts) -> tuple[Exact | None, ...]:
        if len(parts) == 1:
            return self._points_of(parts[0][1])
        columns = zip(*(self._points_of(places) for _, places in parts), strict=True)
        weights = [weight for weight, _ in parts]
        return tuple(
            sum((w * p for w, p in zip(weights, column, strict=True) if p is not None), _NOTHING)
            if column[0] is not None
            else None
            for column in columns
        )

    def _points_of(self, places: Placing) -> tuple[Exact | None, ...]:
        known = self._points.get(places)
        if known is None:
            assert self._worth is not None
            players = sum(1 for placed in places if placed.place)
            worth = self._worth(self._scoring, players)
            known = tuple(plain(worth(at)) if at.place else None for at in places)
            self._points[places] = known
        return known


def left_early(seat: SeatScore, table: TableScore) -> bool:
    """Whether hands of a game are missing because this player left, or never came."""
    return seat.forfeit and seat.hands < table.hands


def _played_by_others(table: TableScore) -> int:
    """Count the hands really played, where some were missed because somebody left."""
    hands = [seat.hands for seat in table.seats]
    stayed = [seat.hands for seat in table.seats if not left_early(seat, table)]
    return table.hands if len(stayed) == len(hands) else max(stayed or hands)


def _among(
    rates: Sequence[tuple[int, Exact]], ranked: Sequence[int], last: Sequence[int]
) -> Placing:
    """Places among some of the seats, of which some share the last ones."""
    falling = [(-1, 0) if seat in last else rates[seat] for seat in ranked]
    order = sorted(falling, reverse=True)
    placed = dict.fromkeys(range(len(rates)), NO_PLACE)
    for seat, rate in zip(ranked, falling, strict=True):
        placed[seat] = SharedPlace(order.index(rate) + 1, order.count(rate))
    return tuple(placed.values())


def _fill_missed_hands(
    table: TableScore, scores: Sequence[Exact], penalty: Fraction
) -> list[Exact]:
    """Scores in which each hand missed counts the others' average and the ``penalty``."""
    stayed = [seat for seat, score in enumerate(table.seats) if not left_early(score, table)]
    hands = sum(table.seats[seat].hands for seat in stayed)
    mean = sum((Fraction(scores[seat]) for seat in stayed), _NOTHING) / hands if hands else 0
    each = mean + penalty
    return [
        score + each * (table.hands - seat.hands) if left_early(seat, table) else score
        for seat, score in zip(table.seats, scores, strict=True)
    ]


def _settle_by_average(scores: Sequence[Exact], *, low: bool) -> list[Fraction]:
    """Everybody pays or gets their distance from the average."""
    mean = Fraction(sum(scores)) / max(len(scores), 1)
    return [mean - score if low else score - mean for score in scores]


def _scale_points(scoring: ScoringRules, players: int) -> Callable[[SharedPlace], Fraction]:
    points = points_for(scoring.scale, players)
    return lambda placed: share(points, placed)


def _percent(_: ScoringRules, players: int) -> Callable[[SharedPlace], Fraction]:
    if players < 2:
        return lambda _: Fraction(1, 2)
    top = 2 * (players - 1)
    return lambda at: Fraction(2 * (players - at.place - at.tied + 1) + at.tied - 1, top)


def _wins(_: ScoringRules, __: int) -> Callable[[SharedPlace], Fraction]:
    return lambda placed: Fraction(1, placed.tied) if placed.place == 1 else _NOTHING


def _antes(scoring: ScoringRules, players: int) -> Callable[[SharedPlace], Fraction]:
    won = _wins(scoring, players)
    return lambda placed: scoring.ante * (players * won(placed) - 1)


_WORTH: Final[Mapping[Method, Callable[[ScoringRules, int], Callable[[SharedPlace], Fraction]]]] = {
    Method.PLACES: _scale_points,
    Method.UMA: _scale_points,
    Method.PERCENT: _percent,
    Method.WINS: _wins,
    Method.WINNER_TAKES_ALL: _antes,
}
