"""The members of a season counted and put in order, as they stand after some events."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Final, NamedTuple

from tournaments.standings.exact import total_of
from tournaments.standings.meetings import versus
from tournaments.standings.memo import Memo
from tournaments.standings.order import (
    SCORE,
    Ordering,
    RankedEntry,
    SharedRank,
    TieSplit,
    by_value,
)
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.rows import (
    Prospect,
    Prospects,
    RowKind,
    SeasonRow,
    StandingAfterEvent,
    rows_in_order,
)
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import Books, SeasonEventLine, next_handicap
from tournaments.standings.season_choices import CountingRule
from tournaments.standings.season_results import SeasonEvent, SeasonMember
from tournaments.standings.season_totals import SeasonProgress, count_events
from tournaments.standings.tie_breaks import MemberRecord, common_events, criteria, season_columns

_NOTHING: Final = Fraction(0)


class _Place(NamedTuple):
    """A member's place: in all, by the score alone, and without handicaps."""

    standing: RankedEntry | None = None
    by_score: SharedRank | None = None
    scratch: SharedRank | None = None


Division = tuple[Sequence[str], Sequence[RankedEntry], Mapping[str, SharedRank]]
"""The members of a division, those of them who have a rank in their places, and these by score."""


class SeasonTable:
    """The members of a season after some events, with their totals."""

    def __init__(
        self,
        season: SeasonRules,
        members: Mapping[str, SeasonMember],
        held: Sequence[SeasonEvent],
        books: Books,
        adjustments: Sequence[ScoreAdjustment],
        memo: Memo,
    ) -> None:
        self.season = season
        self.members = members
        self.held = held
        self.lines = books
        self.calendar = SeasonProgress(season, tuple(event.number for event in held))
        self._memo = memo
        self._given = adjustments
        self.adjustments: dict[str, list[ScoreAdjustment]] = {name: [] for name in members}
        for adjustment in sorted(adjustments, key=lambda one: (one.amount, one.reason)):
            self.adjustments[adjustment.entry].append(adjustment)
        self._priors = self._prior(net=season.net), self._prior(net=False)
        self.records = {
            name: memo.part(
                ("record", name),
                (books[name], self._priors, *self._progress(name)),
                partial(self._record, name),
            )
            for name in members
        }
        self.totals = {name: one.total for name, one in self.records.items()}
        self.columns = season_columns(self.records, season)

    def after(self, events: int, memo: Memo) -> "SeasonTable":
        """The table as it was after the first so many events.

        ``memo`` remembers it after other events, of which most members need not be counted again.
        """
        held = self.held[:events]
        ids = {event.id for event in held}
        books = {
            name: [line for line in lines if line.event in ids]
            for name, lines in self.lines.items()
        }
        memo.begin(None)
        return SeasonTable(self.season, self.members, held, books, self._given, memo)

    def _prior(self, *, net: bool) -> Fraction:
        """The mean of a game in the whole league, where the season names none."""
        if self.season.rule is not CountingRule.SHRUNK or self.season.prior is not None:
            return self.season.prior or _NOTHING
        everything = [line.part(net=net) for lines in self.lines.values() for line in lines]
        games = sum(part.games for part in everything)
        total = total_of(part.points for part in everything)
        return total / games if games else _NOTHING

    def _progress(self, name: str) -> tuple[object, ...]:
        """Return what a member's record takes of the calendar: nothing else of it changes one."""
        member, season = self.members[name], self.season
        return (
            self.calendar.best(member) if season.rule is CountingRule.BEST_N else None,
            self.calendar.due(member, season.least_events),
            self.calendar.due(member, season.least_games),
            self._played_last(name),
        )

    def _played_last(self, name: str) -> bool:
        lines = self.lines[name]
        return bool(lines) and lines[-1].event == self.held[-1].id

    def _record(self, name: str) -> MemberRecord:
        member, lines, adjustments = self.members[name], self.lines[name], self.adjustments[name]
        extra = sum(
            (adjustment.amount for adjustment in adjustments), self.season.attendance * len(lines)
        )

        def count(*, net: bool) -> tuple[frozenset[int], Fraction | None]:
            parts = [line.part(net=net) for line in lines]
            events = count_events(parts, member, self.calendar, self._priors[0 if net else 1])
            total = events.total
            return events.kept, total + extra if extra and total is not None else total

        counted, total = count(net=self.season.net)
        needs = self._needs(member, lines)
        return MemberRecord(
            member=member,
            lines=lines,
            counted=counted,
            total=total,
            scratch=count(net=False)[1] if self.season.net else total,
            adjustments=adjustments,
            needs=needs,
            kind=_kind(member, lines, is_ranked=total is not None and not any(needs)),
            played_last=self._played_last(name),
        )

    def _needs(self, member: SeasonMember, lines: Sequence[SeasonEventLine]) -> tuple[int, int]:
        """Return the events and games that are missing for a rank."""
        events = self.calendar.due(member, self.season.least_events)
        games = self.calendar.due(member, self.season.least_games)
        played = sum(line.games for line in lines) + member.opening_games
        return (
            max(0, events - len(lines) - member.opening_events),
            max(0, games - played),
        )

    def division(self, name: str) -> str | None:
        """The division in which a member is ranked."""
        return self.members[name].division if self.season.divisions else None

    @cached_property
    def divisions(self) -> list[Division]:
        """The members by division, the highest first, those of none last."""
        places = {name: number for number, name in enumerate(self.season.divisions)}
        found: dict[tuple[int, str], list[str]] = {}
        for name in self.members:
            own = self.division(name) or ""
            found.setdefault((places.get(own, len(places) + (not own)), own), []).append(name)
        return [self._rank(found[key]) for key in sorted(found)]

    def _rank(self, names: Sequence[str]) -> Division:
        """Put members in order; those whose totals are tied only if one of them has changed."""
        season, records = self.season, self.records
        met = versus(lambda tied: common_events(records, tied, season))
        score, *others = criteria(
            season.tie_breaks, self.totals, self.columns, met, low_total=season.low
        )

        def break_tie(tied: Sequence[str]) -> TieSplit:
            ordering = Ordering(tied)
            for criterion in others:
                ordering.refine(criterion)
            return ordering.to_split()

        ordering = Ordering([name for name in names if records[name].kind is RowKind.RANKED])
        ordering.refine(score)
        by_score = ordering.ranks()
        ordering.refine_each(
            lambda tied: self._memo.part(
                ("tied", *tied), [records[name] for name in tied], partial(break_tie, tied)
            )
        )
        return names, ordering.standings(), by_score

    def standings_after(self, events: int, memo: Memo) -> dict[str, StandingAfterEvent]:
        """Return everybody's place after the first so many events, each within their division."""
        then = self.after(events, memo)
        places = (one for _, ranked, _ in then.divisions for one in ranked)
        return then.after_last_event({place.entry: place.rank for place in places})

    def after_last_event(self, ranks: Mapping[str, SharedRank]) -> dict[str, StandingAfterEvent]:
        """Everybody with the place that ``ranks`` gives, and the total."""
        event = self.held[-1].id
        return {
            name: StandingAfterEvent(event, ranks.get(name), total)
            for name, total in self.totals.items()
        }

    def rows(
        self,
        past: Mapping[str, tuple[StandingAfterEvent, ...]] | None,
        prospects: Prospects,
    ) -> list[SeasonRow]:
        """All rows, division by division.

        ``past`` is where everybody stood after each event but the last; None: that is not told.
        """
        ranks = {one.entry: one.rank for _, ranked, _ in self.divisions for one in ranked}
        now = {} if past is None or not self.held else self.after_last_event(ranks)
        rows = []
        for division in self.divisions:
            for name, place in self._places(division):
                before = past.get(name, ()) if past else ()
                prospect = prospects.of(name)
                made_of = (self.records[name], place, before, now.get(name), prospect)
                make = partial(self._row, name, *made_of[1:])
                rows.append(self._memo.part(("row", name), made_of, make))
        return rows

    def _places(self, division: Division) -> Iterator[tuple[str, _Place]]:
        """Members in the order of their rows, each with its place."""
        low = self.season.low
        names, ranked, scores = division
        scratch = scores
        if self.season.net:
            without = Ordering(scores.keys())
            values = {name: self.records[name].scratch for name in scores}
            without.refine(by_value(SCORE, values, low=low))
            scratch = without.ranks()
        kinds = {name: self.records[name].kind for name in names}
        for name, one in rows_in_order(ranked, kinds, self.totals, low=low):
            yield name, _Place() if one is None else _Place(one, scores[name], scratch[name])

    def _row(
        self,
        name: str,
        place: _Place,
        before: tuple[StandingAfterEvent, ...],
        now: StandingAfterEvent | None,
        prospect: Prospect,
    ) -> SeasonRow:
        history = before if now is None else (*before, now)
        one, member, lines = self.records[name], self.members[name], self.lines[name]
        events, games = (0, 0) if member.withdrawn else one.needs
        return SeasonRow(
            entry=name,
            division=self.division(name),
            kind=one.kind,
            total=one.total,
            scratch=one.scratch,
            handicap=next_handicap(lines, member, self.season) if self.season.net else _NOTHING,
            lines=tuple(lines),
            counted=frozenset(lines[number].event for number in one.counted),
            adjustments=tuple(one.adjustments),
            columns={key: values[name] for key, values in self.columns.items()},
            needs_events=events,
            needs_games=games,
            withdrawn=member.withdrawn,
            rank=place.standing.rank if place.standing else None,
            by_score=place.by_score,
            scratch_rank=place.scratch,
            decided=place.standing.decided if place.standing else None,
            history=history,
            delta=_delta(history),
            clinched=prospect.has_won,
            safe=prospect.is_safe,
            possible=prospect.is_possible,
            opening=member.opening,
            attendance=self.season.attendance * len(lines),
        )


def _kind(member: SeasonMember, lines: Sequence[SeasonEventLine], *, is_ranked: bool) -> RowKind:
    if not lines and not member.opening:
        return RowKind.IDLE
    if member.withdrawn:
        return RowKind.WITHDRAWN
    return RowKind.RANKED if is_ranked else RowKind.UNQUALIFIED


def _delta(history: Sequence[StandingAfterEvent]) -> int | None:
    """Return the number of places a member went up with the last event."""
    known = [after.rank for after in history[-2:] if after.rank is not None]
    return known[0].first - known[1].first if len(known) == 2 else None
