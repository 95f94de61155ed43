"""Compare the totals and places that a table of nights states with those that its nights come to.

The nights are ranked as they would be once they are brought in, by the rules of events and leagues
themselves; nothing is written.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from engine.core.messages import Message
from tournaments.core.time_zones import day as day_of
from tournaments.events.events import scoring_of
from tournaments.events.recorded_results import NewResult
from tournaments.imports.numbers import is_close
from tournaments.imports.planned_nights import NightsPlan, PlannedNight, StatedStanding
from tournaments.models import Adjustment, Club, League, LeagueMember, Status
from tournaments.publishing.event_summaries import EventSummary, summarize_event
from tournaments.publishing.league_standings import (
    LeagueInputs,
    LeagueSession,
    rank_league,
    read_league_inputs,
)
from tournaments.standings import rank_event
from tournaments.standings.results import Entrant, RecordedScore, ScoreAdjustment
from tournaments.standings.rows import SeasonRow
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_ranking import SeasonRanking
from tournaments.standings.settings import exact
from tournaments.tables.cells import decimal_text
from tournaments.tables.input_model import CellRemark

_WHOLE: Final = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightComparison:
    """Totals and places of the nights of a table.

    ``differences``: totals and places that are others than those in the file.
    ``has_compared_places``: places in the league are known, because all of its nights are in the
    table; ``ranking`` is the league then.
    """

    differences: Sequence[CellRemark]
    has_compared_places: bool = False
    ranking: SeasonRanking | None = None


def compare_nights(club: Club, plan: NightsPlan, at: datetime) -> NightComparison:
    """Rank the nights as they will count, and compare them with the totals and places stated."""
    stated, in_nights = plan.stated, list(_compare_places(plan))
    if plan.league is None and plan.new_league is None:
        differing = [
            _differing_total(one, one.possible_totals[0])
            for one in stated
            if one.total is not None
            and not any(is_close(one.total, each) for each in one.possible_totals)
        ]
        return NightComparison(differences=[*in_nights, *differing])
    inputs, is_whole = _league_of(club, plan, at)
    ranking = rank_league(inputs, history=False)
    rows = ranking.by_entry
    differing = [
        remark
        for one in stated
        if str(one.person) in rows
        for remark in _compare(one, rows[str(one.person)], is_whole=is_whole)
    ]
    return NightComparison(
        differences=[*in_nights, *differing],
        has_compared_places=is_whole,
        ranking=ranking if is_whole else None,
    )


def _compare_places(plan: NightsPlan) -> Iterator[CellRemark]:
    """The places in a night that contradict its points; they may break ties."""
    order: dict[UUID, list[Fraction]] = {}
    for one in plan.stated_places:
        night = one.night
        rules = scoring_of(night.event) if night.event else ScoringRules.from_data(plan.scoring)
        sign = 1 if rules.low_total else -1
        if night.id not in order:
            results = (*night.known.values(), *night.results.values())
            order[night.id] = sorted(
                sign * Fraction(result.points) for result in results if result.points
            )
        mine, stated = night.results[one.person], night.results[one.person].place or 0
        points = sign * Fraction(mine.points)
        place = 1 + bisect_left(order[night.id], points)
        if not place <= stated <= bisect_right(order[night.id], points):
            words = Message(
                "place {place} by the points of {night}, {stated} in the file",
                place=str(place),
                night=night.name,
                stated=str(stated),
            )
            yield CellRemark(one.line, one.column, words)


def _compare(
    stated_standing: StatedStanding, row: SeasonRow, *, is_whole: bool
) -> Iterator[CellRemark]:
    total = row.total or Fraction()
    if stated_standing.total is not None and not is_close(stated_standing.total, total):
        yield _differing_total(stated_standing, total)
    place = row.rank.first if row.rank is not None else None
    if is_whole and stated_standing.place is not None and stated_standing.place != place:
        words = Message(
            "place {place} in the league, {stated} in the file",
            place=str(place or "-"),
            stated=str(stated_standing.place),
        )
        yield CellRemark(stated_standing.line, stated_standing.place_column, words)


def _differing_total(stated_standing: StatedStanding, total: Fraction) -> CellRemark:
    assert stated_standing.total is not None
    words = Message(
        "the nights come to {sum}, not {total}",
        sum=decimal_text(total),
        total=decimal_text(stated_standing.total),
    )
    return CellRemark(stated_standing.line, stated_standing.total_column, words)


def _league_of(club: Club, plan: NightsPlan, at: datetime) -> tuple[LeagueInputs, bool]:
    """The league as it will be of the nights in the file, and whether these are all of it."""
    new = plan.new_league
    nights = sorted([*plan.nights, *plan.known_nights], key=lambda night: night.starts_at)
    if plan.league is not None:
        known = read_league_inputs(plan.league.pk)
        league, roll = plan.league, list(known.roll)
        weights = {session.event: session.weight for session in known.sessions}
        is_whole = weights.keys() <= {night.id for night in nights}
    else:
        assert new is not None
        league = League(club=club, created_at=at, **new)
        roll, weights, is_whole = [], {}, True
    enrolled = {row.player_id for row in roll}
    divisions = plan.divisions
    roll += [
        LeagueMember(
            league=league,
            player_id=person,
            division=divisions.get(person, 1),
            opening=str(plan.openings.get(person, "")),
            joined_at=at,
        )
        for person in {who.id for night in nights for who in night.results} - enrolled
        if divisions or person in plan.openings or not league.is_open or plan.kind != "member"
    ]
    sessions = [
        LeagueSession(
            night.id,
            number,
            weights.get(night.id, _WHOLE),
            None,
            str(day_of(night.starts_at, club.time_zone)),
            Status.FINISHED,
        )
        for number, night in enumerate(nights, 1)
    ]
    return LeagueInputs(
        league=league,
        season=SeasonRules.from_data({"planned": league.planned or None, **league.season}),
        roll=roll,
        sessions=sessions,
        planned=[],
        nights={night.id: _summarize_night(night, plan) for night in nights},
        survivors={},
    ), is_whole


def _summarize_night(night: PlannedNight, plan: NightsPlan) -> EventSummary:
    """Summarize a night with its results on record and those of the file."""
    results: dict[UUID, NewResult] = dict(night.known)
    results |= {who.id: one for who, one in night.results.items()}
    scoring: Mapping[str, Any] = plan.scoring
    rules = ScoringRules.from_data(scoring) if night.event is None else scoring_of(night.event)
    given = [
        ScoreAdjustment(entry=str(adjustment.person.id), amount=adjustment.amount)
        for adjustment in plan.adjustments
        if adjustment.night is night
    ]
    if night.event is not None:
        rows = Adjustment.objects.filter(entry__event=night.event, cancelled_at=None)
        given += [
            ScoreAdjustment(entry=str(player), amount=Fraction(exact(amount)))
            for player, amount in rows.values_list("entry__player_id", "amount")
        ]
    ranking = rank_event(
        (),
        [Entrant(id=str(person)) for person in results],
        rules,
        adjustments=given,
        recorded=[
            RecordedScore(
                str(person), exact(one.points) if one.points else None, one.place, one.games
            )
            for person, one in results.items()
        ],
    )
    return summarize_event(str(night.id), {**ranking.to_data(), "entries": {}, "low": rules.low})
