"""Every member's events of a season, one by one, with its handicaps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import TypedDict

from tournaments.standings.choices import Credit
from tournaments.standings.exact import Exact, plain, total_of
from tournaments.standings.memo import Memo
from tournaments.standings.scales import SharedPlace
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_results import EventResult, SeasonEvent, SeasonMember
from tournaments.standings.season_totals import CountedEvent, handicap_of


class PointsSource(StrEnum):
    """Owners of an event's points."""

    PLAYED = "played"
    SUBSTITUTE = "substitute"
    """Somebody else played for them."""
    AS_SUBSTITUTE = "as substitute"
    """They played for somebody else."""


class SeasonLineData(TypedDict, total=False):
    """A member's line of one event; ``counted``: it is in the total."""

    event: str
    number: int
    points: str
    handicap: str
    net: str
    games: int
    weight: str
    source: str
    rank_from: int | None
    tied: int | None
    counted: bool


@dataclass(frozen=True, slots=True)
class SeasonEventLine:
    """One event of a member. ``net`` is with the handicap that they had then."""

    event: str
    number: int
    points: Exact
    handicap: Exact
    net: Exact
    games: int
    weight: Fraction
    source: PointsSource
    place: SharedPlace | None
    chips: Exact | None
    clean: int

    def part(self, *, net: bool) -> CountedEvent:
        """The event as it is counted."""
        return CountedEvent(self.net if net else self.points, self.games, self.weight)

    def to_data(self, *, counted: bool) -> SeasonLineData:
        """The line as JSON."""
        return {
            "event": self.event,
            "number": self.number,
            "points": str(self.points),
            "handicap": str(self.handicap),
            "net": str(self.net),
            "games": self.games,
            "weight": str(self.weight),
            "source": self.source.value,
            "rank_from": self.place.place if self.place else None,
            "tied": self.place.tied if self.place else None,
            "counted": counted,
        }


Books = Mapping[str, Sequence[SeasonEventLine]]
"""The lines of each member in the order of the events."""


EventCredit = tuple[SeasonEvent, list[tuple[EventResult, PointsSource]]]
"""An event, without its results, and those of one member."""


def write_books(
    events: Sequence[SeasonEvent],
    members: Mapping[str, SeasonMember],
    season: SeasonRules,
    memo: Memo,
) -> Books:
    """The lines of all members, of events in their order; who is none (a guest) has no lines."""
    by_member: dict[str, list[EventCredit]] = {name: [] for name in members}
    for event in events:
        made = partial(_credits, event, season)
        for name, credit in memo.part(("event", event.id), (event,), made).items():
            if name in by_member:
                by_member[name].append(credit)
    return {
        name: memo.part(("lines", name), own, partial(_lines, own, members[name], season))
        for name, own in by_member.items()
    }


def _credits(event: SeasonEvent, season: SeasonRules) -> dict[str, EventCredit]:
    """Return the points of an event, by their owner."""
    found: dict[str, EventCredit] = {}
    about = replace(event, results=())
    for result in event.results:
        owner, source = _find_owner(result, season)
        found.setdefault(owner, (about, []))[1].append((result, source))
    return found


def _lines(
    held: Iterable[EventCredit], member: SeasonMember, season: SeasonRules
) -> list[SeasonEventLine]:
    played: list[SeasonEventLine] = []
    for event, results in held:
        handicap = next_handicap(played, member, season) if season.net else 0
        played.append(_line(event, results, handicap, season))
    return played


def next_handicap(
    played: Sequence[SeasonEventLine], member: SeasonMember, season: SeasonRules
) -> Fraction:
    """The handicap of a member for the next event, a game where games are averaged."""
    games = sum(line.games for line in played)
    if len(played) < season.handicap_after or (season.by_game and not games):
        return Fraction(member.handicap)
    total = total_of(line.points for line in played)
    return handicap_of(total / (games if season.by_game else len(played)), season)


def _find_owner(result: EventResult, season: SeasonRules) -> tuple[str, PointsSource]:
    if result.substitute is None:
        return result.member, PointsSource.PLAYED
    if season.substitute_credit is Credit.PERSON:
        return result.substitute, PointsSource.AS_SUBSTITUTE
    return result.member, PointsSource.SUBSTITUTE


def _line(
    event: SeasonEvent,
    results: Sequence[tuple[EventResult, PointsSource]],
    handicap: Exact,
    season: SeasonRules,
) -> SeasonEventLine:
    """One line of an event, of two results where somebody also played for another."""
    points = plain(sum(_points(one, season) for one, _ in results))
    games = sum(one.games for one, _ in results)
    fixed = next((one.handicap for one, _ in results if one.handicap is not None), None)
    each = handicap if fixed is None else fixed
    whole = plain(each * games if season.by_game else each)
    own = min(results, key=lambda one: (one[1] is not PointsSource.PLAYED, one[0].rank_from or 0))
    at = own[0]
    chips = [one.chips for one, _ in results]
    return SeasonEventLine(
        event=event.id,
        number=event.number,
        points=points,
        handicap=whole,
        net=plain(points - whole if season.low else points + whole),
        games=games,
        weight=event.weight,
        source=own[1],
        place=SharedPlace(at.rank_from, max(1, at.tied)) if at.rank_from else None,
        chips=None if None in chips else sum(one for one in chips if one is not None),
        clean=sum(one.clean for one, _ in results),
    )


def _points(result: EventResult, season: SeasonRules) -> Exact:
    if result.substitute is not None and season.substitute_credit is Credit.FIXED:
        return season.substitute_points
    return result.points
