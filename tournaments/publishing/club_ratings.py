"""The ratings of a club: its closed games at events, in the order of play, from the first on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Sum

from tournaments.core.time_zones import day
from tournaments.models import (
    Club,
    DecisionKind,
    Entry,
    EntryStanding,
    LeagueEvent,
    PlayerKind,
    Result,
    Scope,
    SeatDecision,
    TableGame,
    TableSeat,
)
from tournaments.publishing.documents import StandingsDocument, digest_of
from tournaments.publishing.event_inputs import CLOSED
from tournaments.ratings import (
    PredictiveLoss,
    RatedGame,
    Rating,
    Ratings,
    RatingSettings,
    Strength,
    measure_loss,
    rate_with_fitted_beta,
    strengths,
)
from tournaments.standings.exact import Fragment, Json
from tournaments.standings.program import PROGRAM
from tournaments.standings.scales import placing

_LEAST: Final = 2
"""So many rated players make a game."""
_IN_UNRATED: Final = LeagueEvent.objects.filter(event=OuterRef("event"), league__rated=False)
_LEFT: Final = SeatDecision.objects.filter(
    game=OuterRef("pk"), kind=DecisionKind.FORFEIT, cancelled_at=None
)


class FinishedGame(NamedTuple):
    """A closed game: when it was played, and where."""

    id: UUID
    low: bool
    day: str
    round: int
    table: int
    table_id: UUID
    opened_at: datetime


def compute_ratings(club_id: UUID) -> StandingsDocument:
    """The ratings of a club from its results alone. Six queries. Raises Club.DoesNotExist."""
    club = Club.objects.only("id").get(pk=club_id)
    games = rated_games(club.pk)
    return StandingsDocument(digest_of(games), partial(_standings_of, club.pk, games))


def rated_games(club_id: UUID) -> list[RatedGame]:
    """The games of a club that count, in the order of play.

    Only games that are closed count, of events that are rated. Guests are left out of their tables;
    a table at which a substitute played or that somebody left is not rated, nor one with fewer
    than two to rate.
    """
    games = _games(club_id)
    seats, guests = _seats(club_id), _guests(club_id)
    sums = _sums(club_id)
    numbers: dict[UUID, int] = defaultdict(int)
    found = []
    for game in sorted(games, key=lambda one: (one.opened_at, one.id)):
        numbers[game.table_id] += 1
        places = _places(game, sums.get(game.id, {}), seats.get(game.table_id, {}), guests)
        if len(places) >= _LEAST:
            order = (game.day, game.round, game.table, numbers[game.table_id])
            found.append(RatedGame(str(game.id), order, places))
    return sorted(found, key=lambda one: (one.order, one.game))


def compute_strengths(club_id: UUID) -> StandingsDocument:
    """Compute the strengths of a club's players by all its games. Raises Club.DoesNotExist."""
    club = Club.objects.only("id").get(pk=club_id)
    games = rated_games(club.pk)
    return StandingsDocument(
        digest_of((Scope.STRENGTH, games)), partial(_strengths_of, club.pk, games)
    )


def _strengths_of(club_id: UUID, games: Iterable[RatedGame]) -> Fragment:
    return Fragment.of(
        {
            "scope": Scope.STRENGTH.value,
            "program": PROGRAM,
            "subject": str(club_id),
            "rows": [_strength(strength) for strength in strengths(games).values()],
        }
    )


def _strength(strength: Strength) -> Json:
    return {
        "player": strength.player,
        "games": strength.games,
        "value": format_rating(strength.value),
        "low": format_rating(strength.low),
        "high": format_rating(strength.high),
        "hidden": strength.hidden,
    }


Held = tuple[UUID, UUID]
"""An entry of a seat, and who that is."""


def _places(
    game: FinishedGame,
    sums: Mapping[int, Mapping[UUID, int]],
    held: Mapping[int, Held],
    guests: set[UUID],
) -> tuple[tuple[str, int], ...]:
    """Return places among those who are rated; nobody's where a seat had a substitute."""
    if not sums or any(set(sums.get(seat, {})) != {who} for seat, (_, who) in held.items()):
        return ()
    seats = sorted(held)
    scores = [sum(sums[seat].values()) for seat in seats]
    placed = placing([-score for score in scores] if game.low else scores)
    return tuple(
        (str(held[seat][1]), place.place)
        for seat, place in zip(seats, placed, strict=True)
        if held[seat][0] not in guests
    )


def _games(club_id: UUID) -> list[FinishedGame]:
    rows = TableGame.objects.filter(
        club=club_id, event__rated=True, table__isnull=False, phase__in=CLOSED
    ).exclude(Exists(_LEFT) | Exists(_IN_UNRATED)).values_list(
        "id", "low", "event__starts_at", "club__time_zone", "table__round__number",
        "table__number", "table_id", "opened_at",
    )  # fmt: skip
    return [
        FinishedGame(pk, low, str(day(starts_at, clock)), number, table, table_id, opened_at)
        for pk, low, starts_at, clock, number, table, table_id, opened_at in rows
    ]


def _seats(club_id: UUID) -> dict[UUID, dict[int, Held]]:
    found: dict[UUID, dict[int, Held]] = defaultdict(dict)
    rows = TableSeat.objects.filter(round__event__club=club_id).values_list(
        "table_id", "seat", "entry_id", "entry__player_id", "entry__player__merged_into_id"
    )
    for table, seat, entry, player, survivor in rows:
        found[table][seat] = (entry, survivor or player)
    return found


def _guests(club_id: UUID) -> set[UUID]:
    rows = Entry.objects.filter(event__club=club_id).values_list(
        "id", "standing", "player__kind", "player__merged_into__kind"
    )
    return {
        pk
        for pk, standing, kind, turned in rows
        if standing != EntryStanding.PLAYER or (turned or kind) == PlayerKind.GUEST
    }


def _sums(club_id: UUID) -> dict[UUID, dict[int, dict[UUID, int]]]:
    """Scores by game, seat and player."""
    found: dict[UUID, dict[int, dict[UUID, int]]] = defaultdict(lambda: defaultdict(dict))
    rows = (
        Result.objects.filter(game__club=club_id, game__event__isnull=False, game__phase__in=CLOSED)
        .values("game_id", "seat", "player_id", "player__merged_into_id")
        .annotate(total=Sum("score"))
        .order_by()
        .values_list("game_id", "seat", "player_id", "player__merged_into_id", "total")
    )
    for game, seat, player, survivor, total in rows:
        who = survivor or player
        found[game][seat][who] = found[game][seat].get(who, 0) + total
    return found


def _standings_of(club_id: UUID, games: Iterable[RatedGame]) -> Fragment:
    ratings = rate_with_fitted_beta(games)
    loss = measure_loss(ratings)
    return Fragment.of(
        {
            "scope": Scope.RATINGS.value,
            "program": PROGRAM,
            "subject": str(club_id),
            "games": len(ratings.games),
            "settings": ratings.settings.digest,
            "prediction": None if loss is None else _prediction(loss, ratings),
            "rows": [_row(rating, ratings) for rating in ratings.players.values()],
        }
    )


def _prediction(loss: PredictiveLoss, ratings: Ratings) -> Json:
    """The log loss of winners, for those who look after the ratings."""
    return {
        "nights": loss.nights,
        "games": loss.games,
        "own": f"{loss.own:.4f}",
        "elo": f"{loss.elo:.4f}",
        "even": f"{loss.even:.4f}",
        "gain": f"{loss.gain:.4f}",
        "error": f"{loss.error:.4f}",
        "beta": str(ratings.settings.beta),
        "is_own_beta": ratings.settings.beta != RatingSettings().beta,
    }


def _row(rating: Rating, ratings: Ratings) -> Json:
    """A player with their graph: their rating after the last game of each day."""
    days = {point.order[0]: point for point in ratings.history(rating.player)}
    return {
        "player": rating.player,
        "rating": format_rating(rating.shown),
        "band": format_rating(rating.band),
        "mu": format_rating(rating.mu),
        "sigma": format_rating(rating.sigma),
        "games": rating.games,
        "provisional": rating.provisional,
        "hidden": rating.hidden,
        "history": [
            {
                "day": day,
                "rating": format_rating(point.rating.shown),
                "band": format_rating(point.rating.band),
                "games": point.rating.games,
                "game": point.game,
            }
            for day, point in sorted(days.items())
        ],
    }


def format_rating(number: float) -> str:
    """A rating as text: no more digits than every machine agrees on.

    >>> format_rating(512.34567)
    '512.346'
    """
    return f"{number:.3f}"
