"""Ports: the part of the books that clubs and events need, which a package above this one keeps.

The setting ``BOOKS`` names the class that does it (`scoring.books.GameBooks`). Types of the layers
above are imported for type checkers alone.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import models
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from tournaments.core.actors import Actor
    from tournaments.imports.undo import Undoer
    from tournaments.models import Entry, Event, Player
    from tournaments.people.erasure import Erasure
    from tournaments.publishing.publisher import Issue

Keys = dict[str, set[Any]]
"""Primary keys of the rows that go, by the label of their model."""
BlockedFinder = Callable[["models.QuerySet[Any]", str, Keys], Iterable[Any]]
"""Finds the rows that block undoing, among those of a model whose rows belong to games or books.

It gets rows of that model, the column in which they refer to what would go, and the keys of all
that goes. It yields the values of the column in the rows that stay; other rows go with their game,
or were reversed and stay in the books only.
"""
_FITS: Final = "The setting names a class that has what tournaments.core.ports.Books has."


class Books(Protocol):
    """Games and money, as clubs and events see them."""

    @property
    def undoers(self) -> "Mapping[str, Undoer]":
        """Undoers of imported rows of games and books, by the label of their model."""

    @property
    def blocked_finders(self) -> Mapping[str, BlockedFinder]:
        """Finders of rows of games and books that block undoing, by the label of their model."""

    def charge_fees(
        self, event: "Event", entries: "Sequence[Entry]", by: "Actor", at: datetime
    ) -> None:
        """Bring the entry fees of some entries up to date; the event is locked."""

    def remove_event(self, event: "Event") -> None:
        """Remove what games and books keep of an event before it is removed itself; it is locked.

        Raises RefusedError for what has to stay on record.
        """

    def announce_event(self, event: "Event", change: str, at: datetime) -> None:
        """Announce that an event was called off, reinstated, moved or removed."""

    def find_calling_tables(self, event: "Event") -> list[str]:
        """Return the tables that call the director now, the first call first.

        Each is its number, with its round where that is not being played.
        """

    def objection_to_merger(self, duplicate: "Player", survivor: "Player") -> str:
        """Return why one player cannot be the other; empty if nothing is known against it."""

    def erase_person(self, erasure: "Erasure") -> None:
        """Erase a person from everything that the upper layers keep; the club is locked."""

    def announce_standings(self, issue: "Issue", at: datetime) -> None:
        """Announce a new official version of standings."""


@cache
def books() -> Books:
    """Return the books that the setting ``BOOKS`` names; models must be loaded."""
    return cast("Books", import_string(settings.BOOKS)())


def check_books(**_options: object) -> list[CheckMessage]:
    """Report a setting ``BOOKS`` that names no class with everything that `Books` asks for."""
    try:
        named = import_string(settings.BOOKS)
    except ImportError as error:
        problems = [str(error)]
    else:
        members = {name: _signature(Books, name) for name in vars(Books) if name[0] != "_"}
        problems = [
            f"{settings.BOOKS} has no {name}{signature}"
            for name, signature in members.items()
            if _signature(named, name) != signature
        ]
    return [Error(f"BOOKS: {problem}.", hint=_FITS, id="tournaments.E001") for problem in problems]


def _signature(owner: object, name: str) -> str | None:
    """The names of a method's arguments; empty for another attribute, None if there is none."""
    member = getattr(owner, name, None)
    if not callable(member):
        return None if member is None else ""
    return f"({', '.join(inspect.signature(member).parameters)})"
