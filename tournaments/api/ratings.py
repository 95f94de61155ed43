"""Ratings of a club's players, and what statistics say of one of them."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.access.visibility import hides_games
from tournaments.api.players import get_player
from tournaments.api.serializers import IntegerField, StrictSerializer, UUIDField
from tournaments.api.standings import WhichSerializer, chosen, visible_names
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.entity_tags import tag_of
from tournaments.core.errors import NotThereError
from tournaments.models import Player, Scope
from tournaments.publishing import versions
from tournaments.publishing.club_ratings import format_rating
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import PlayerStatistics, find_statistics
from tournaments.ratings import RatingSettings
from tournaments.statistics import Figure, Opponent, figures, head_to_head


class StatisticsQuerySerializer(StrictSerializer):
    """Which games are counted."""

    event = UUIDField(required=False)
    league = UUIDField(required=False)
    size = IntegerField(required=False, min_value=3, max_value=6, help_text="Tables of so many.")
    opponent = UUIDField(required=False, help_text="Games in which this player sat too.")


class RatedDay(TypedDict):
    """A point of a graph: the rating after the last game of a day, and how far its band reaches."""

    day: str
    rating: str
    band: str
    games: int
    game: UUID


class RatingOut(TypedDict):
    """The rating of a player; to strangers it is not told before it is sure enough.

    The true value is at most ``band`` above or below ``rating`` in nine cases of ten; it is
    ``provisional`` while that is more than seven tenths of the band of a newcomer.
    ``band`` is empty in versions of before 0.3.0, whose ``rating`` is lower by two sigma.
    """

    player: UUID
    name: str
    rating: str
    band: str
    mu: str
    sigma: str
    games: int
    provisional: bool
    history: list[RatedDay]


class StrengthOut(TypedDict):
    """How strong a player is by all games at once; 0 is the middle of the club.

    ``low`` to ``high`` is its 90 % interval by a normal approximation (Laplace).
    """

    player: UUID
    name: str
    games: int
    value: str
    low: str
    high: str


class PredictionOut(TypedDict):
    """The mean log loss of the winners of the last ``games``; less is better.

    ``own`` is that of these ratings, ``elo`` of Elo (K = 16), ``even`` of equal chances; ``gain``
    is even less own, with its standard ``error``. ``beta`` is the luck of a game in the model;
    ``is_own_beta``: another than the usual one, since that predicted the winners of this club's
    first 600 games better, or of its first 1200, 1800 and so on. Only games after those had no
    part in the choice: just after it the losses of the last ``games`` flatter it.
    """

    nights: int
    games: int
    own: str
    elo: str
    even: str
    gain: str
    error: str
    beta: str
    is_own_beta: bool


class RatingsOut(TypedDict):
    """The ratings of a club, the highest first; ``strengths`` are those of last night.

    ``prediction`` is for directors, null of fewer than 20 games.
    """

    version: int
    latest: int
    computed_at: datetime | None
    behind_since: datetime | None
    trouble: str
    games: int
    rows: list[RatingOut]
    strengths: list[StrengthOut]
    prediction: PredictionOut | None


class FigureOut(TypedDict):
    """A number with what it says, how much it is based on, and its 90 % interval.

    ``error`` is the standard error of ``mean``. Both and the interval are null below ten lines,
    of papers and bids below twenty.
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
    error: str | None


class OpponentOut(TypedDict):
    """What happened at tables together; ``flow`` is what came from them, null in another unit."""

    player: UUID
    name: str
    tables: int
    beaten: int
    tied: int
    lost: int
    flow: str | None


class EarnedOut(TypedDict):
    """An achievement, how often, and in which night first."""

    key: str
    title: str
    definition: str
    times: int
    first: str


class StatisticsOut(TypedDict):
    """What is known of a player, each number with its definition.

    ``behind_since``: hands have changed since then that are not counted yet; they are within a
    quarter of an hour.
    """

    player: UUID
    name: str
    behind_since: datetime | None
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


class RatingViewSet(ApiViewSet):
    """The ratings of a club."""

    parameters = {"retrieve": WhichSerializer}
    outputs = {"retrieve": RatingsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> Response:
        """Show the ratings, with the graph of each player.

        Strangers see none while games of the club are hidden: they are in all ratings.
        """
        if not request.sees_hidden and hides_games(request.club.pk):
            raise NotThereError
        found = chosen(request, self.read_parameters(), Scope.RATINGS, club_id)
        in_full = Right.NAMES_READ in request.rights
        rows = [row for row in found.data.get("rows", ()) if in_full or not row["hidden"]]
        strengths = [
            row
            for row in versions.find_latest(Scope.STRENGTH, club_id).data.get("rows", ())
            if in_full or not row["hidden"]
        ]
        names = visible_names([row["player"] for row in (*rows, *strengths)], request)
        prediction: PredictionOut | None = found.data.get("prediction")
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
                    "band": row.get("band", ""),
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
            "prediction": {
                "beta": str(RatingSettings().beta),
                "is_own_beta": False,
                **prediction,
            }
            if prediction and Right.EVENTS_EDIT in request.rights
            else None,
        }
        return self.answer_document(data, tag_of(data))


class PlayerStatisticsViewSet(ApiViewSet):
    """What is known of how somebody plays."""

    parameters = {"retrieve": StatisticsQuerySerializer}
    outputs = {"retrieve": StatisticsOut}
    rights = {"retrieve": Right.NAMES_READ}

    def retrieve(self, request: ApiRequest, club_id: UUID, player_id: UUID) -> Response:
        """Count what a player did, in all games or in some; usual is what their tables did."""
        player = get_player(request, player_id)
        statistics = find_statistics(player, GameSelection(**self.read_parameters()))
        return Response(_statistics(player, statistics, request))


def _statistics(player: Player, statistics: PlayerStatistics, request: ApiRequest) -> StatisticsOut:
    summary = statistics.summary
    met = head_to_head(summary.rivals)
    names = visible_names(
        [str(player.pk), *(opponent.player for opponent in met.opponents)], request
    )
    return {
        "player": player.pk,
        "name": names[str(player.pk)],
        "behind_since": statistics.behind_since,
        "games": sum(opponent.tables for opponent in met.opponents),
        "figures": [_figure(figure) for figure in figures(summary.sums, summary.usual)],
        "opponents": [_opponent(opponent, names) for opponent in met.opponents],
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
            for one in summary.earned
        ],
        "clean_now": summary.clean.now,
        "clean_longest": summary.clean.longest,
        "best_night": None if summary.best is None else summary.best.night,
        "worst_night": None if summary.worst is None else summary.worst.night,
    }


def _figure(figure: Figure) -> FigureOut:
    return {
        "key": figure.statistic.key,
        "title": figure.statistic.title,
        "definition": figure.statistic.definition,
        "unit": figure.statistic.unit.value,
        "group": [str(part) for part in figure.group],
        "n": figure.n,
        "total": str(figure.total),
        "mean": None if figure.hidden else str(figure.mean),
        "shrunk": None if figure.hidden else str(figure.shrunk),
        "low": None if figure.hidden or figure.low is None else format_rating(figure.low),
        "high": None if figure.hidden or figure.high is None else format_rating(figure.high),
        "error": None if figure.hidden or figure.error is None else format_rating(figure.error),
    }


def _opponent(opponent: Opponent, names: dict[str, str]) -> OpponentOut:
    return {
        "player": UUID(opponent.player),
        "name": names.get(opponent.player, ""),
        "tables": opponent.tables,
        "beaten": opponent.beaten,
        "tied": opponent.tied,
        "lost": opponent.lost,
        "flow": None if opponent.flow is None else str(opponent.flow),
    }
