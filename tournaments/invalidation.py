"""Write the results of hands, and mark the standings that depend on them as stale.

They are derived: scoring writes those of a game anew from the first hand that changed. Whatever
is ranked by them is marked stale at the same time (`mark`), and computed later by a worker.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from engine.analysis.worth import worth_version
from tournaments.database.sql import bulk_insert, moment_parameter, uuid_parameter
from tournaments.models import (
    Board,
    Entry,
    LeagueEvent,
    LeagueMember,
    Player,
    Result,
    Scope,
    Stale,
    Table,
    TableGame,
)

_FIELDS: Final = [field for field in Result._meta.concrete_fields if not field.primary_key]
_COLUMNS: Final = [str(field.column) for field in _FIELDS]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedGame:
    """A new game, as results know it; ``low``: a low score is a good one."""

    game: UUID
    club: UUID
    size: int
    low: bool
    table: Table | None
    at: datetime


def open_game(opened: OpenedGame) -> TableGame:
    """Let results of a game be reported."""
    table = opened.table
    return TableGame.objects.create(
        id=opened.game,
        club_id=opened.club,
        table=table,
        event_id=None if table is None else table.round.event_id,
        phase="open",
        low=opened.low,
        size=opened.size,
        opened_at=opened.at,
        worth_version=worth_version(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReport:
    """The report of scoring on a game settled again from hand ``first`` on.

    ``rows`` are the results of all hands from there that are sure. ``had`` tells whether there
    may be rows from ``first`` on already. ``phase`` and ``is_open`` are given where they changed.
    """

    game: UUID
    first: int
    rows: Sequence[Result]
    had: bool
    in_event: bool
    at: datetime
    phase: "GamePhase | None" = None


@dataclass(frozen=True, slots=True)
class GamePhase:
    """The progress of a game, whether something of it is undecided, and when it was closed."""

    name: str
    is_open: bool
    closed_at: datetime | None

    def write_to(self, games: "QuerySet[TableGame]") -> None:
        """Let games be in this phase. One statement."""
        games.update(phase=self.name, is_open=self.is_open, closed_at=self.closed_at)


def report(what: GameReport) -> None:
    """Write what a game's hands gave, and mark what is ranked or counted by them.

    Three statements for a new hand of an event, two more for a corrected one, one for a new phase.
    """
    if what.had:
        # Whoever has no result in this game any more is another player now too.
        mark_players_of_game(what.game, what.at)
        Result.objects.filter(game=what.game, number__gte=what.first).delete()
    if what.rows:
        bulk_insert(Result, _COLUMNS, map(_plain_values, what.rows))
        mark_players_of_game(what.game, what.at)
    if what.in_event:
        # Who changes a phase may have changed more: the seats of the table, or its round.
        mark_event_of_game(what.game, what.at, is_hands_only=what.phase is None)
    if what.phase is not None:
        what.phase.write_to(TableGame.objects.filter(pk=what.game))


def report_phase(phase: GamePhase, game_ids: Sequence[UUID], at: datetime) -> None:
    """Write that games have come to one phase, and mark what is ranked by them."""
    games = TableGame.objects.filter(pk__in=game_ids)
    phase.write_to(games)
    for event in sorted(set(games.filter(event__isnull=False).values_list("event_id", flat=True))):
        mark_event(event, at)


def _plain_values(row: Result) -> list[object]:
    values = (getattr(row, field.attname) for field in _FIELDS)
    return [value.hex if isinstance(value, UUID) else value for value in values]


def mark(scope: Scope, subjects: Iterable[UUID], at: datetime) -> None:
    """Mark standings as behind."""
    Stale.objects.bulk_create(Stale(scope=scope, subject=subject, since=at) for subject in subjects)


def mark_players(games: "QuerySet[TableGame]", at: datetime) -> None:
    """Mark the statistics of all who have results in some games."""
    rows = Result.objects.filter(game__in=games).order_by()
    survivors = rows.annotate(survivor=Coalesce("player__merged_into", "player"))
    mark(Scope.STATISTICS, survivors.values_list("survivor", flat=True).distinct(), at)


def mark_players_of_game(game_id: UUID, since: datetime) -> None:
    """``mark_players(TableGame.objects.filter(pk=game_id), since)``."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_stale (scope, subject, since, game)"
            " SELECT DISTINCT %s, COALESCE(p.merged_into_id, p.id), %s, r.game_id"
            " FROM tournaments_result r JOIN tournaments_player p ON p.id = r.player_id"
            " WHERE r.game_id = %s",
            [Scope.STATISTICS, moment_parameter(since), uuid_parameter(game_id)],
        )


def mark_event_of_game(game_id: UUID, since: datetime, *, is_hands_only: bool) -> None:
    """``Stale.objects.bulk_create(...)`` for the event of a game and the leagues it counts for.

    ``is_hands_only``: nothing but hands of the game changed, and the marks name it.
    """
    game, moment = uuid_parameter(game_id), moment_parameter(since)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_stale (scope, subject, since, game)"
            " SELECT %s, event_id, %s, CASE WHEN %s THEN id END FROM tournaments_tablegame"
            " WHERE id = %s"
            " UNION ALL"
            " SELECT %s, l.league_id, %s, CASE WHEN %s THEN g.id END FROM tournaments_tablegame g"
            " JOIN tournaments_leagueevent l ON l.event_id = g.event_id WHERE g.id = %s",
            [Scope.EVENT, moment, is_hands_only, game, Scope.LEAGUE, moment, is_hands_only, game],
        )


def mark_event(event: UUID, at: datetime) -> None:
    """Mark an event and the leagues that it counts for."""
    mark(Scope.EVENT, [event], at)
    mark(Scope.LEAGUE, leagues_of(event), at)


def mark_player(player: Player, at: datetime) -> None:
    """Mark whatever a player is ranked in: who they are, or how they count, is another now."""
    everybody = [player.pk, *player.duplicates.values_list("pk", flat=True)]
    events = set(Entry.objects.filter(player__in=everybody).values_list("event_id", flat=True))
    events |= set(
        TableGame.objects.filter(event__isnull=False, results__player__in=everybody)
        .values_list("event_id", flat=True)
        .distinct()
    )
    leagues = set(LeagueEvent.objects.filter(event__in=events).values_list("league_id", flat=True))
    leagues |= set(
        LeagueMember.objects.filter(player__in=everybody).values_list("league_id", flat=True)
    )
    mark(Scope.EVENT, sorted(events), at)
    mark(Scope.LEAGUE, sorted(leagues), at)
    if events:
        mark(Scope.RATINGS, [player.club_id], at)
    # Everybody who met them counts their tables together; a duplicate has no statistics any more.
    mark(Scope.STATISTICS, everybody, at)
    mark_players(TableGame.objects.filter(results__player__in=everybody), at)


def leagues_of(event: UUID) -> list[UUID]:
    """The leagues that an event counts for. One query."""
    return list(LeagueEvent.objects.filter(event=event).values_list("league_id", flat=True))


def boards_of(table: Table) -> dict[int, Board]:
    """The prepared deals of a table, by their numbers. One query, none without such deals."""
    if not table.boards:
        return {}
    known = Board.objects.filter(event__round_rows__tables=table, number__in=table.boards)
    return {board.number: board for board in known}
