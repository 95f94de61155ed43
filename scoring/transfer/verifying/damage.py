"""Damaged rows: database values that cannot be read back.

Only looked for once reading has failed: every field of every row is read on its own.
"""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.db import DatabaseError
from django.db.models import Model, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.models import Decided, Game, Hand, HandVersion, SealedPaper, Sitting, Word
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.models import AuditEntry, Club, Published, Result, Snapshot, TableGame

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
    """What makes a game unreadable; the error itself where every value of its own can be read.

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
    """What makes the books or the trail of a club unreadable, beside its games."""
    own = (
        Club.objects.filter(pk=club),
        Game.all_objects.filter(club=club),
        LedgerAccount.objects.filter(club=club),
        Transfer.objects.filter(payer__club=club),
        Transfer.objects.filter(payee__club=club),
        AuditEntry.objects.filter(club_id=club),
        Published.objects.filter(club=club),
    )
    found = tuple(dict.fromkeys(one for rows in own for one in damage_in_rows(rows, club)))
    return found or (_unexplained_error(club, None, "books and trail", error),)


def damage_in_standings(number: UUID, error: Exception) -> tuple[Discrepancy, ...]:
    """What makes published standings unreadable; the error itself where it is something else."""
    own = (Published.objects.filter(pk=number), Snapshot.objects.filter(published=number))
    found = tuple(one for rows in own for one in damage_in_rows(rows))
    return found or (_unexplained_error(None, None, f"standings {number}", error),)


def damage_in_rows(
    rows: QuerySet[Any], club: UUID | None = None, game: UUID | None = None
) -> Iterator[Discrepancy]:
    """Each value of these rows that cannot be read: table, identifier and field are named."""
    # A damaged identifier is still text.
    identified = rows.annotate(row_key=Cast("pk", TextField()))
    for key in list(identified.order_by("row_key").values_list("row_key", flat=True)):
        for field in rows.model._meta.concrete_fields:
            try:
                list(identified.filter(row_key=key).values_list(field.attname))
            except Exception as error:  # the driver and each field have errors of their own
                where = f"table {rows.model._meta.db_table}, row {key}, field {field.column}"
                kept, right = _words(error), "a value that can be read"
                yield Discrepancy(club=club, game=game, what=where, kept=kept, right=right)


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
