"""Damaged rows: database values that cannot be read back.

Only looked for once reading has failed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import DatabaseError
from django.db.models import Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

from scoring.models import Decided, Game, Hand, HandVersion, SealedPaper, Sitting, Word
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.models import (
    Account,
    AuditEntry,
    Club,
    PlayerBar,
    Published,
    Result,
    Role,
    RuleSet,
    Snapshot,
    TableGame,
)

ROWS_MAX: Final = 5000
"""How many rows are read at a time."""
DAMAGE_MAX: Final = 100
"""How many damaged values of a table are named."""
READABLE: Final = "a value that can be read"
OF_GAME: Final[tuple[tuple[type[Model], str], ...]] = (
    (Game, "pk"),
    (Hand, "game"),
    (HandVersion, "hand__game"),
    (Decided, "hand__game"),
    (Word, "version__hand__game"),
    (SealedPaper, "game"),
    (Sitting, "game"),
    (LedgerAccount, "game"),
    (Transfer, "game"),
    (TableGame, "pk"),
    (Result, "game"),
    (AuditEntry, "chain"),
)
"""The tables in which something of a game stands, and the path from their rows to the game."""


def damage_in_game(game: UUID, error: Exception) -> tuple[Discrepancy, ...]:
    """Return the damage of a game; the error itself where every value of its own can be read.

    Raises ``error`` where it is the database that refused, not a value.
    """
    club = _club_of(game)
    found = tuple(
        one
        for model, path in OF_GAME
        for one in damage_in_rows(model._default_manager.filter(**{path: game}), club, game)
    )
    return found or (_unexplained_error(club, game, "records", error),)


def damage_in_club(club: UUID, error: Exception) -> tuple[Discrepancy, ...]:
    """Return the damage of the books or the trail of a club, beside its games."""
    own = (
        Club.objects.filter(pk=club),
        Game.all_objects.filter(club=club),
        LedgerAccount.objects.filter(club=club),
        Transfer.objects.filter(payer__club=club),
        Transfer.objects.filter(payee__club=club),
        AuditEntry.objects.filter(club_id=club),
        Published.objects.filter(club=club),
        Role.objects.filter(club=club),
        RuleSet.objects.filter(club=club),
        PlayerBar.objects.filter(player__club=club),
    )
    found = tuple(dict.fromkeys(one for rows in own for one in damage_in_rows(rows, club)))
    return found or (_unexplained_error(club, None, "books and trail", error),)


def damage_in_installation(error: Exception) -> tuple[Discrepancy, ...]:
    """Find what makes accounts, or the trails of no club, unreadable."""
    own = (Account.objects.all(), Role.objects.all(), AuditEntry.objects.filter(club_id=None))
    found = tuple(one for rows in own for one in damage_in_rows(rows))
    return found or (_unexplained_error(None, None, "accounts and roles", error),)


def damage_in_standings(number: UUID, error: Exception) -> tuple[Discrepancy, ...]:
    """Return the damage of published standings; the error itself where it is something else."""
    own = (Published.objects.filter(pk=number), Snapshot.objects.filter(published=number))
    found = tuple(one for rows in own for one in damage_in_rows(rows))
    return found or (_unexplained_error(None, None, f"standings {number}", error),)


def damage_in_rows(
    rows: QuerySet[Any], club: UUID | None = None, game: UUID | None = None
) -> Iterator[Discrepancy]:
    """Each value of these rows that cannot be read: table, identifier and field are named.

    All fields are read together, by ranges of the key; a range that cannot be read is halved until
    a single row is left. After `DAMAGE_MAX` values of a table the search ends, and says so.
    """
    key_field = rows.model._meta.pk
    names = [field.attname for field in rows.model._meta.concrete_fields]
    # A damaged identifier is still text.
    ordered = rows.annotate(row_key=Cast("pk", TextField())).order_by("pk")
    needed = [
        place for place, field in enumerate(rows.model._meta.concrete_fields) if not field.null
    ]
    later, size, count = ordered, ROWS_MAX, 0
    while keys := list(later.values_list("row_key", flat=True)[: min(size, ROWS_MAX)]):
        is_readable = _is_readable(later.values_list(*names)[: len(keys)], needed)
        if not is_readable and len(keys) > 1:
            size = len(keys) // 2
            continue
        if not is_readable:
            for where, kept in _damaged_fields(later[:1]):
                count += 1
                what = f"table {rows.model._meta.db_table}, row {keys[0]}, field {where}"
                yield Discrepancy(club=club, game=game, what=what, kept=kept, right=READABLE)
        if count >= DAMAGE_MAX:
            what = f"table {rows.model._meta.db_table}, rows after {keys[0]}"
            yield Discrepancy(club=club, game=game, what=what, kept="unread", right=READABLE)
            return
        after = Cast(Value(keys[-1], output_field=TextField()), key_field)
        later, size = ordered.filter(pk__gt=after).exclude(row_key=keys[-1]), size * 2


def _is_readable(rows: Iterable[tuple[Any, ...]], needed: Sequence[int]) -> bool:
    """Whether every value can be read; a moment in bad form is read as None."""
    try:
        return all(row[place] is not None for row in rows for place in needed)
    except Exception:  # the driver and each field have errors of their own
        return False


def _damaged_fields(row: QuerySet[Any]) -> Iterator[tuple[str, str]]:
    """The column of each value of a row that cannot be read, and what is wrong with it."""
    for field in row.model._meta.concrete_fields:
        try:
            (value,) = row.values_list(field.attname, flat=True)
        except Exception as error:  # as above
            yield field.column, _words(error)
        else:
            if value is None and not field.null:
                yield field.column, "nothing that is a value of this kind"


def _club_of(game: UUID) -> UUID | None:
    try:
        return Game.all_objects.values_list("club", flat=True).filter(pk=game).first()
    except ValueError:
        return None  # the identifier of the club is what is damaged


def _unexplained_error(
    club: UUID | None, game: UUID | None, what: str, error: Exception
) -> Discrepancy:
    """An error that no damaged value explains. Raises it where the database itself refused."""
    if isinstance(error, DatabaseError):
        raise error
    return Discrepancy(club=club, game=game, what=what, kept=_words(error), right="readable")


def _words(error: Exception) -> str:
    return f"{type(error).__name__} ({error})"
