"""Things that a command names: by identifier, or by name if only one has it."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from engine.cli.inputs import TroubleError
from tournaments.models import Club

Named = TypeVar("Named", bound=Model)


def club_of(word: str) -> Club:
    """Find a club. Raises TroubleError where there is none, or more than one."""
    return find_named(Club.objects.all(), word)


def find_named(rows: QuerySet[Named], word: str) -> Named:
    """Find a row. Raises TroubleError where there is none, or more than one."""
    kind = rows.model._meta.verbose_name
    try:
        found = list(rows.filter(pk=UUID(word)))
    except ValueError:
        found = list(rows.filter(name=word)[:2])
    if not found:
        raise TroubleError(f"there is no {kind} {word}")
    if len(found) > 1:
        raise TroubleError(f"more than one {kind} is called {word}; give its identifier")
    return found[0]
