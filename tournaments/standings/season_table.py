"""The members of a season counted and put in order, as they stand after some events."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from tournaments.standings.exact import total_of
from tournaments.standings.order import SCORE, RankedEntry, SharedRank, by_value, order
from tournaments.standings.ranking import RowKind
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import Books, next_handicap
from tournaments.standings.season_choices import CountingRule
from tournaments.standings.season_counting import (
    CountedEvent,
    CountedTotal,
    SeasonProgress,
    count_events,
)
from tournaments.standings.season_results import SeasonEvent, SeasonMember
from tournaments.standings.season_rows import SeasonRow
from tournaments.standings.season_ties import MemberRecord, season_columns, season_criteria

_NOTHING: Final = Fraction(0)


class SeasonTable:
    """The members of a season after some events, with their totals."""

    def __init__(
        self,
        season: SeasonRules,
        members: Mapping[str, SeasonMember],
        held: Sequence[SeasonEvent],
        books: Books,
        adjustments: Sequence[ScoreAdjustment],
    ) -> None:
        self.season = season
        self.members = members
        self.held = held
        self.calendar = SeasonProgress(season, tuple(event.number for event in held))
        self._books = books
        ids = {event.id for event in held}
        self.lines = {name: [line for line in books[name] if line.event in ids] for name in members}
        self._given = adjustments
        self.adjustments: dict[str, list[ScoreAdjustment]] = {name: [] for name in members}
        for one in sorted(adjustments, key=lambda one: (one.amount, one.reason)):
            self.adjustments[one.entry].append(one)
        self._counts = self._count_all(net=season.net)
        scratch = self._count_all(net=False) if season.net else self._counts
        self.totals = {name: self._total(name, count) for name, count in self._counts.items()}
        self.scratch = {name: self._total(name, count) for name, count in scratch.items()}
        last = held[-1].id if held else None
        self.accounts = {
            name: MemberRecord(
                member, self.lines[name], self.scratch[name], self.adjustments[name], last
            )
            for name, member in members.items()
        }
        self.columns = season_columns(self.accounts, season)
        self.kinds = {name: self._kind(name) for name in members}

    def after(self, events: int) -> "SeasonTable":
        """The table as it was after the first so many events."""
        return SeasonTable(self.season, self.members, self.held[:events], self._books, self._given)

    def _count_all(self, *, net: bool) -> dict[str, CountedTotal]:
        parts = {name: [line.part(net=net) for line in lines] for name, lines in self.lines.items()}
        prior = self._prior(parts)
        return {
            name: count_events(parts[name], member, self.calendar, prior)
            for name, member in self.members.items()
        }

    def _prior(self, parts: Mapping[str, Sequence[CountedEvent]]) -> Fraction:
        """The mean of a game in the whole league, where the season names none."""
        if self.season.rule is not CountingRule.SHRUNK or self.season.prior is not None:
            return self.season.prior or _NOTHING
        everything = [part for one in parts.values() for part in one]
        games = sum(part.games for part in everything)
        total = total_of(part.points for part in everything)
        return total / games if games else _NOTHING

    def _total(self, name: str, count: CountedTotal) -> Fraction | None:
        if count.total is None:
            return None
        extra = self.season.attendance * len(self.lines[name])
        return count.total + extra + sum((one.amount for one in self.adjustments[name]), _NOTHING)

    def needs(self, name: str) -> tuple[int, int]:
        """How many events and games are missing for a rank."""
        member, lines = self.members[name], self.lines[name]
        events = self.calendar.due(member, self.season.least_events)
        games = self.calendar.due(member, self.season.least_games)
        played = sum(line.games for line in lines) + member.opening_games
        return (
            max(0, events - len(lines) - member.opening_events),
            max(0, games - played),
        )

    def _kind(self, name: str) -> RowKind:
        if not self.lines[name] and not self.members[name].opening:
            return RowKind.IDLE
        if self.members[name].withdrawn:
            return RowKind.WITHDRAWN
        if self.totals[name] is None or any(self.needs(name)):
            return RowKind.UNQUALIFIED
        return RowKind.RANKED

    def division(self, name: str) -> str | None:
        """The division in which a member is ranked."""
        return self.members[name].division if self.season.divisions else None

    def divisions(self) -> list[list[str]]:
        """The members by division, the highest first, those of none last."""
        places = {name: number for number, name in enumerate(self.season.divisions)}
        found: dict[tuple[int, str], list[str]] = {}
        for name in self.members:
            own = self.division(name) or ""
            found.setdefault((places.get(own, len(places) + (not own)), own), []).append(name)
        return [found[key] for key in sorted(found)]

    def standings(self, names: Iterable[str]) -> list[RankedEntry]:
        """Some members in their places."""
        ranked = [name for name in names if self.kinds[name] is RowKind.RANKED]
        return order(ranked, season_criteria(self.totals, self.accounts, self.columns, self.season))

    def ranks(self) -> dict[str, SharedRank]:
        """The place of every ranked member in his division."""
        return {one.entry: one.rank for names in self.divisions() for one in self.standings(names)}

    def rows(self) -> list[SeasonRow]:
        """All rows, division by division."""
        return [row for names in self.divisions() for row in self._division_rows(names)]

    def _division_rows(self, names: Sequence[str]) -> list[SeasonRow]:
        standings = self.standings(names)
        ranked = [one.entry for one in standings]
        low = self.season.low
        scores = _ranks(ranked, self.totals, low=low)
        scratch = _ranks(ranked, self.scratch, low=low)
        rows = [
            self._row(one.entry, one, scores[one.entry], scratch[one.entry]) for one in standings
        ]
        for kind in (RowKind.UNQUALIFIED, RowKind.WITHDRAWN, RowKind.IDLE):
            others = [name for name in names if self.kinds[name] is kind]
            rows += [self._row(name) for name in _ranks(others, self.totals, low=low)]
        return rows

    def _row(
        self,
        name: str,
        standing: RankedEntry | None = None,
        by_score: SharedRank | None = None,
        scratch_rank: SharedRank | None = None,
    ) -> SeasonRow:
        lines, member = self.lines[name], self.members[name]
        events, games = (0, 0) if member.withdrawn else self.needs(name)
        return SeasonRow(
            entry=name,
            division=self.division(name),
            kind=self.kinds[name],
            total=self.totals[name],
            scratch=self.scratch[name],
            handicap=next_handicap(lines, member, self.season) if self.season.net else _NOTHING,
            lines=tuple(lines),
            counted=frozenset(lines[number].event for number in self._counts[name].kept),
            adjustments=tuple(self.adjustments[name]),
            columns={key: values[name] for key, values in self.columns.items()},
            needs_events=events,
            needs_games=games,
            withdrawn=member.withdrawn,
            rank=standing.rank if standing else None,
            by_score=by_score,
            scratch_rank=scratch_rank,
            decided=standing.decided if standing else None,
        )


def _ranks(
    names: Sequence[str], totals: Mapping[str, Fraction | None], *, low: bool
) -> dict[str, SharedRank]:
    return {one.entry: one.rank for one in order(names, [by_value(SCORE, totals, low=low)])}
