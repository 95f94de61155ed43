"""The queries of every API write, as SQL text.

The ORM takes two to five times as long to make the SQL of such a query as the database to answer
it: 270 to 500 us, where these take 20 to 150 us on SQLite.
Each function returns the same as the queryset in its docstring; a test compares the two on both
databases. Whatever is asked less often is a queryset.
"""

from datetime import datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import AutoField, DateTimeField, Field, Model, UUIDField
from django.db.models.query import RawQuerySet

from tournaments.models import AnsweredRequest, ApiKey, Scope

M = TypeVar("M", bound=Model)
_UUID_FIELD: "UUIDField[UUID, UUID]" = UUIDField()
_MOMENT_FIELD: "DateTimeField[datetime, datetime]" = DateTimeField()


def uuid_parameter(value: UUID) -> Any:
    """An identifier as the database at hand takes it as a parameter of SQL text."""
    return _UUID_FIELD.get_db_prep_value(value, connection)


def moment_parameter(value: datetime) -> Any:
    """A moment as the database at hand takes it as a parameter of SQL text."""
    return _MOMENT_FIELD.get_db_prep_value(value, connection)


def uuid_value(value: Any) -> UUID:
    """An identifier from the database at hand, as a cursor gives it."""
    return value if isinstance(value, UUID) else UUID(value)


def first_row(rows: "RawQuerySet[M]") -> M | None:
    """The first row of a raw query; None where it has none."""
    return next(iter(rows), None)


def insert_row(row: Model) -> None:
    """``row.save(force_insert=True)``, but a number that the database gives it stays unknown.

    Raises IntegrityError.
    """
    sql, fields = _insert_statement(type(row))
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    # What save() leaves in this documented attribute: a later save() updates the row.
    row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001


@cache
def _insert_statement(model: type[Model]) -> "tuple[str, list[Field[Any, Any]]]":
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = quote(model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES ({places})", fields  # noqa: S608 (our own names)


def find_api_key(digest: str) -> ApiKey | None:
    """``ApiKey.objects.filter(digest=digest, revoked_at=None).first()``."""
    return first_row(
        ApiKey.objects.raw(
            "SELECT * FROM tournaments_apikey WHERE digest = %s AND revoked_at IS NULL", [digest]
        )
    )


def find_answered_request(asker: str, key: str) -> AnsweredRequest | None:
    """``AnsweredRequest.objects.filter(asker=asker, key=key).first()``."""
    return first_row(
        AnsweredRequest.objects.raw(
            "SELECT * FROM tournaments_answeredrequest WHERE asker = %s AND key = %s", [asker, key]
        )
    )


def last_number_and_digest(chain: UUID) -> tuple[int, str] | None:
    """The length and the last digest of ``Trail.objects.get(chain=chain)``.

    Of the last audit entry where that has a higher number: entries go on after every one there is.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT length, digest FROM tournaments_trail WHERE chain = %s"
            " UNION ALL SELECT number, digest FROM"
            " (SELECT number, digest FROM tournaments_auditentry"
            " WHERE chain = %s ORDER BY number DESC LIMIT 1) last_entry"
            " ORDER BY 1 DESC LIMIT 1",
            [uuid_parameter(chain)] * 2,
        )
        found: tuple[int, str] | None = cursor.fetchone()
    return found


def write_trail(chain: UUID, club: UUID | None, length: int, digest: str) -> None:
    """``Trail.objects.bulk_create([...], update_conflicts=True)`` of one row, but for its club."""
    club_parameter = None if club is None else uuid_parameter(club)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournaments_trail (chain, club_id, length, digest)"
            " VALUES (%s, %s, %s, %s) ON CONFLICT (chain)"
            " DO UPDATE SET length = EXCLUDED.length, digest = EXCLUDED.digest",
            [uuid_parameter(chain), club_parameter, length, digest],
        )


def mark_players_of_game(game_id: UUID, since: datetime) -> None:
    """``invalidation.mark_players(TableGame.objects.filter(pk=game_id), since)``."""
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
