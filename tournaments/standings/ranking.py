"""The standings of an event: results of tables in, ranked rows out (tournaments.md 3 and 4).

The same results give the same rows in the same order, in whatever order they arrive; every number
opens down to the games that it is made of.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from engine.rules.switches import Toggle
from tournaments.standings.choices import Method, TieBreak, Total
from tournaments.standings.exact import Value
from tournaments.standings.meetings import head_to_head
from tournaments.standings.memo import Memo
from tournaments.standings.order import (
    PLACE,
    SCORE,
    Ordering,
    RankedEntry,
    SharedRank,
    by_value,
)
from tournaments.standings.results import (
    BoardScore,
    Entrant,
    RecordedScore,
    RoundSitOut,
    ScoreAdjustment,
    TableScore,
)
from tournaments.standings.rows import EventRow, RowKind, rows_in_order
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.tallies import (
    EntryTally,
    EventTallies,
    Unseated,
    moves_places,
    tally,
)
from tournaments.standings.tie_breaks import Values, columns_of, criteria, lot, own_columns

_NOTHING: Final = Fraction(0)


@dataclass(frozen=True)
class Ranking:
    """The standings of an event.

    ``rows`` are in their order: ranked, too few games, withdrawn, not played yet, guests;
    ``house`` are the players who only filled a table. ``cut_order`` are the ranked ones with every
    tie broken, in the end by lot: for cuts and titles.
    """

    rows: tuple[EventRow, ...]
    house: tuple[EventRow, ...]
    unit: str
    keys: tuple[str, ...]
    cut_order: tuple[str, ...]
    scoring: str
    """The digest of the scoring."""

    @cached_property
    def by_entry(self) -> Mapping[str, EventRow]:
        """The row of each entry, the house's too."""
        return {row.entry: row for row in (*self.rows, *self.house)}

    def to_data(self) -> dict[str, Any]:
        """The standings as JSON; `canonical` makes the one text of it."""
        return {
            "rows": [row.to_data() for row in self.rows],
            "house": [row.to_data() for row in self.house],
            **self.about(),
        }

    def about(self) -> dict[str, Any]:
        """Return the summary without the rows."""
        return {
            "unit": self.unit,
            "keys": list(self.keys),
            "cut_order": list(self.cut_order),
            "scoring": self.scoring,
        }


def rank_event(
    tables: Iterable[TableScore],
    entries: Iterable[Entrant],
    scoring: ScoringRules,
    *,
    adjustments: Iterable[ScoreAdjustment] = (),
    boards: Iterable[BoardScore] = (),
    sit_outs: Iterable[RoundSitOut] = (),
    recorded: Iterable[RecordedScore] = (),
    memo: Memo | None = None,
) -> Ranking:
    """Rank an event. Whoever sat at a table is in it, listed among the entries or not.

    ``recorded`` are the results of an event whose games are not on record; a place that was
    written down goes before the total. ``memo`` remembers the last ranking of the event; without
    it everything is worked out anew.
    """
    memo = memo or Memo()
    unseated = Unseated(boards, sit_outs, adjustments, recorded)
    field = tally(scoring, entries, list(tables), unseated, memo)
    key = field.last_round, field.is_mixed
    own = {
        name: memo.part(("own", name), (one, *key), partial(_own, one, field))
        for name, one in field.tallies.items()
    }
    totals = {name: one.total for name, one in own.items()}
    columns = columns_of(field, totals, {name: one.columns for name, one in own.items()})
    kinds = {name: one.kind for name, one in own.items()}
    ranked = [name for name, kind in kinds.items() if kind is RowKind.RANKED]
    chain = criteria(
        scoring.tie_breaks,
        totals,
        columns,
        head_to_head(field),
        low_total=scoring.low_total,
        low_chips=scoring.low,
    )
    ordering = Ordering(ranked)
    ordering.refine(chain[0])
    by_score = ordering.ranks()
    places = {name: one.place for name, one in field.tallies.items()}
    keys: tuple[str, ...] = (SCORE, *(key.value for key in scoring.tie_breaks))
    if any(place is not None for place in places.values()):
        keys = (PLACE, *keys)
        chain = [by_value(PLACE, places, low=True), *chain]
        ordering = Ordering(ranked)
        ordering.refine(chain[0])
    for criterion in chain[1:]:
        ordering.refine(criterion)
    rows = _Rows(field, totals, columns, kinds, memo).build_rows(ordering.standings(), by_score)
    lots = {
        name: lot(scoring.lot_seed, one.entry.lot or name) for name, one in field.tallies.items()
    }
    ordering.refine(by_value(TieBreak.LOT.value, lots, low=True))
    return Ranking(
        rows=tuple(row for row in rows if row.kind is not RowKind.HOUSE),
        house=tuple(row for row in rows if row.kind is RowKind.HOUSE),
        unit=scoring.unit,
        keys=keys,
        cut_order=tuple(ordering.entries()),
        scoring=scoring.digest,
    )


class _Own(NamedTuple):
    """An entry's own values."""

    total: Fraction | None
    kind: RowKind
    columns: Mapping[TieBreak, Value]


def _own(tally: EntryTally, field: EventTallies) -> _Own:
    scoring = field.scoring
    base = _base(tally, scoring)
    scratch = None if base is None else base + _sum_adjustments(tally)
    columns = {**own_columns(tally, field), TieBreak.SCRATCH: scratch}
    return _Own(_total(tally, scratch, scoring), _kind(tally, scoring), columns)


def _base(tally: EntryTally, scoring: ScoringRules) -> Fraction | None:
    """Return the worth of the games, before the director's adjustments."""
    if scoring.total is Total.SUM:
        return Fraction(tally.value + tally.credit)
    if scoring.total is Total.GAME_AVERAGE:
        sums = tally.shares if scoring.method is Method.MATCHPOINTS else tally.value
        return Fraction(sums, tally.units) if tally.units else None
    par = scoring.par if scoring.keeps_margins else None
    hands = tally.hands + tally.missed
    return Fraction(tally.weighed * (par or 1), hands) if hands else None


def _sum_adjustments(tally: EntryTally) -> Fraction:
    """Adjustments of the total; those that move places are in the score of their table."""
    return sum((a.amount for a in tally.adjustments if not moves_places(a)), _NOTHING)


def _total(tally: EntryTally, scratch: Fraction | None, scoring: ScoringRules) -> Fraction | None:
    if scratch is None or scoring.handicaps is Toggle.OFF:
        return scratch
    handicap = Fraction(tally.entry.handicap)
    return scratch - handicap if scoring.low_total else scratch + handicap


def _kind(tally: EntryTally, scoring: ScoringRules) -> RowKind:
    if tally.entry.is_house:
        return RowKind.HOUSE
    if tally.entry.is_guest:
        return RowKind.GUEST
    if not tally.games and not tally.rounds:
        return RowKind.IDLE
    if tally.entry.withdrawn:
        return RowKind.WITHDRAWN
    lacks = _needs(tally, scoring) or _base(tally, scoring) is None
    return RowKind.UNQUALIFIED if lacks else RowKind.RANKED


def _needs(tally: EntryTally, scoring: ScoringRules) -> int:
    return max(0, scoring.least_games - (tally.games or tally.units))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Makes the rows of a field."""

    field: EventTallies
    totals: Mapping[str, Fraction | None]
    columns: Mapping[str, Values]
    kinds: Mapping[str, RowKind]
    memo: Memo

    def build_rows(
        self, standings: Sequence[RankedEntry], by_score: Mapping[str, SharedRank]
    ) -> list[EventRow]:
        """The rows in their order."""
        low = self.field.scoring.low_total
        return [
            self._row(name, one, by_score.get(name))
            for name, one in rows_in_order(standings, self.kinds, self.totals, low=low)
        ]

    def _row(
        self, name: str, standing: RankedEntry | None, by_score: SharedRank | None
    ) -> EventRow:
        one = self.field.tallies[name]
        made_of = (one, standing, by_score, *[values[name] for values in self.columns.values()])
        make = partial(self._build_row, name, standing, by_score)
        return self.memo.part(("row", name), made_of, make)

    def _build_row(
        self, name: str, standing: RankedEntry | None, by_score: SharedRank | None
    ) -> EventRow:
        one, scoring = self.field.tallies[name], self.field.scoring
        return EventRow(
            entry=name,
            kind=self.kinds[name],
            total=self.totals[name],
            columns=self._columns(name, one),
            rounds=dict(sorted(one.rounds.items())),
            contributions=tuple(one.lines),
            adjustments=tuple(sorted(one.adjustments, key=_adjustment_order)),
            rank=standing.rank if standing else None,
            by_score=by_score,
            decided=standing.decided if standing else None,
            needs=0 if one.entry.withdrawn else _needs(one, scoring),
            withdrawn=one.entry.withdrawn,
            team=one.entry.team,
        )

    def _columns(self, name: str, tally: EntryTally) -> dict[str, Value]:
        keys = {key: values[name] for key, values in self.columns.items()}
        share = tally.shares / tally.units if tally.units else None
        boards = {"share": share} if self.field.scoring.method is Method.MATCHPOINTS else {}
        return {
            "games": tally.games,
            "hands_played": tally.hands,
            "adjustments": _sum_adjustments(tally),
            "handicap": Fraction(tally.entry.handicap),
            **boards,
            **keys,
        }


def _adjustment_order(adjustment: ScoreAdjustment) -> tuple[str, Fraction, str, bool]:
    return adjustment.scope, adjustment.amount, adjustment.reason, adjustment.affects_place
