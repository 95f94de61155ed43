"""Ratings of a club's players, and what statistics say of one of them."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import hides_games
from tournaments.api.doors import Answer, Ask, Door, read
from tournaments.api.fields import Identifier, Moment, Whole, form
from tournaments.api.standings import chosen, named, tag
from tournaments.core.errors import NotThereError
from tournaments.models import Player, Scope
from tournaments.publishing import reading
from tournaments.publishing.club_ratings import format_rating
from tournaments.publishing.lines import Chosen, games_of, lines_of
from tournaments.statistics import (
    Book,
    Figure,
    Opponent,
    PlayerTally,
    earned_achievements,
    figures,
    head_to_head,
)
from tournaments.statistics import (
    form as form_of,
)

WHICH = form(
    version=Whole(required=False, least=1, most=10**9, words="This version."),
    at=Moment(required=False, words="What stood published at this moment."),
)
FILTERS = form(
    event=Identifier(required=False),
    league=Identifier(required=False),
    size=Whole(required=False, least=3, most=6, words="Tables of so many."),
    opponent=Identifier(required=False, words="Games in which this player sat too."),
)


class RatedDay(TypedDict):
    """A point of a graph: the rating after the last game of a day."""

    day: str
    rating: str
    games: int
    game: UUID


class RatingOut(TypedDict):
    """The rating of a player; to strangers it is not told before it is sure enough."""

    player: UUID
    name: str
    rating: str
    mu: str
    sigma: str
    games: int
    provisional: bool
    history: list[RatedDay]


class StrengthOut(TypedDict):
    """How strong a player is by all games at once, with its 90 % interval; 0 is the middle."""

    player: UUID
    name: str
    games: int
    value: str
    low: str
    high: str


class RatingsOut(TypedDict):
    """The ratings of a club, the highest first; ``strengths`` are those of last night."""

    version: int
    latest: int
    computed_at: datetime | None
    behind_since: datetime | None
    trouble: str
    games: int
    rows: list[RatingOut]
    strengths: list[StrengthOut]


class FigureOut(TypedDict):
    """A number with what it says, how much it is based on, and its 90 % interval.

    ``mean`` and the interval are null below ten lines.
    """

    key: str
    title: str
    definition: str
    unit: str
    group: list[str]
    n: int
    total: str
    mean: str | None
    shrunk: str | None
    low: str | None
    high: str | None


class OpponentOut(TypedDict):
    """What happened at tables together; ``flow`` is what came from him."""

    player: UUID
    name: str
    tables: int
    beaten: int
    tied: int
    lost: int
    flow: str


class EarnedOut(TypedDict):
    """A deed, how often, and in which night first."""

    key: str
    title: str
    definition: str
    times: int
    first: str


class StatisticsOut(TypedDict):
    """What is known of a player, each number with its definition."""

    player: UUID
    name: str
    games: int
    figures: list[FigureOut]
    opponents: list[OpponentOut]
    nemesis: UUID | None
    best_customer: UUID | None
    achievements: list[EarnedOut]
    clean_now: int
    clean_longest: int
    best_night: str | None
    worst_night: str | None


class ClubRatings(Door):
    """The ratings of a club."""

    @read(Right.CLUB_READ, gives=RatingsOut, query=WHICH)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Show the ratings, with the graph of each player.

        Strangers see none while games of the club are hidden: they are in all ratings.
        """
        if not ask.sees_hidden and hides_games(ask.club.pk):
            raise NotThereError
        found = chosen(ask, Scope.RATINGS, club_id)
        in_full = Right.NAMES_READ in ask.rights
        rows = [row for row in found.rows if in_full or not row["hidden"]]
        strengths = [
            row
            for row in reading.latest(Scope.STRENGTH, club_id).rows
            if in_full or not row["hidden"]
        ]
        names = named([row["player"] for row in (*rows, *strengths)], ask)
        data: RatingsOut = {
            "version": found.version,
            "latest": found.latest,
            "computed_at": None if found.snapshot is None else found.snapshot.computed_at,
            "behind_since": found.behind_since,
            "trouble": found.row.trouble,
            "games": found.data.get("games", 0),
            "rows": [
                {
                    "player": row["player"],
                    "name": names.get(row["player"], ""),
                    "rating": row["rating"],
                    "mu": row["mu"],
                    "sigma": row["sigma"],
                    "games": row["games"],
                    "provisional": row["provisional"],
                    "history": row["history"],
                }
                for row in rows
            ],
            "strengths": [
                {
                    "player": row["player"],
                    "name": names.get(row["player"], ""),
                    "games": row["games"],
                    "value": row["value"],
                    "low": row["low"],
                    "high": row["high"],
                }
                for row in strengths
            ],
        }
        return Answer(data, version=tag(data))


class PlayerStatistics(Door):
    """What is known of how somebody plays."""

    @read(Right.NAMES_READ, gives=StatisticsOut, query=FILTERS)
    def get(self, ask: Ask, club_id: UUID, player_id: UUID) -> Answer:
        """Count what a player did, in all games or in some; usual is what his tables did."""
        player = selectors.player(ask.club, player_id)
        if player is None:
            raise NotThereError
        games = games_of(player, Chosen(**ask.query))
        book = Book().add(lines_of(games))
        tally = book.players.get(str(player.pk), PlayerTally())
        return Answer(_statistics(player, tally, book, ask))


def _statistics(player: Player, tally: PlayerTally, book: Book, ask: Ask) -> StatisticsOut:
    met = head_to_head(tally.rivals)
    names = named([str(player.pk), *(one.player for one in met.opponents)], ask)
    shape = form_of(tally)
    return {
        "player": player.pk,
        "name": names[str(player.pk)],
        "games": sum(one.tables for one in met.opponents),
        "figures": [_figure(one) for one in figures(tally.sums, book.everybody())],
        "opponents": [_opponent(one, names) for one in met.opponents],
        "nemesis": None if met.nemesis is None else UUID(met.nemesis.player),
        "best_customer": None if met.best_customer is None else UUID(met.best_customer.player),
        "achievements": [
            {
                "key": one.achievement.key,
                "title": one.achievement.title,
                "definition": one.achievement.definition,
                "times": one.times,
                "first": one.first,
            }
            for one in earned_achievements(tally)
        ],
        "clean_now": shape.clean.now,
        "clean_longest": shape.clean.longest,
        "best_night": None if shape.best is None else shape.best.night,
        "worst_night": None if shape.worst is None else shape.worst.night,
    }


def _figure(one: Figure) -> FigureOut:
    return {
        "key": one.statistic.key,
        "title": one.statistic.title,
        "definition": one.statistic.definition,
        "unit": one.statistic.unit.value,
        "group": [str(part) for part in one.group],
        "n": one.n,
        "total": str(one.total),
        "mean": None if one.hidden else str(one.mean),
        "shrunk": None if one.hidden else str(one.shrunk),
        "low": None if one.hidden or one.low is None else format_rating(one.low),
        "high": None if one.hidden or one.high is None else format_rating(one.high),
    }


def _opponent(one: Opponent, names: dict[str, str]) -> OpponentOut:
    return {
        "player": UUID(one.player),
        "name": names.get(one.player, ""),
        "tables": one.tables,
        "beaten": one.beaten,
        "tied": one.tied,
        "lost": one.lost,
        "flow": str(one.flow),
    }
