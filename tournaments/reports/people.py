"""Columns of people: players by name and member number, actors of the trail by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.core.actors import ActorKind
from tournaments.core.language import translate
from tournaments.models import Account, ApiKey, Club, Player
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, ColumnKind

Record = TypeVar("Record")
_NOBODY: Final = UUID(int=0)


class NamedPlayer(NamedTuple):
    """A player as tables name them; the number tells namesakes apart."""

    name: str
    number: int


def named_players(club: Club, *, in_full: bool = True) -> dict[UUID, NamedPlayer]:
    """Everybody who ever played at a club; a merged duplicate has the survivor's name. One query.

    Unless ``in_full`` names are shortened as strangers see them.
    """
    rows = Player.objects.filter(club=club).select_related("person", "merged_into__person")
    whole = ((row.pk, row.merged_into or row) for row in rows)
    return {pk: NamedPlayer(shown_name(one, in_full=in_full), one.number) for pk, one in whole}


def player_columns(
    key: str,
    title: str,
    player_of: Callable[[Record], UUID | None],
    players: Mapping[UUID, NamedPlayer],
    *,
    otherwise: Callable[[Record], str] = lambda _record: "",
) -> tuple[Column[Record], Column[Record]]:
    """Columns with the name and the member number of a player.

    ``otherwise`` gives the name where there is no player, such as that of an account of the club.
    """

    def name(record: Record) -> str:
        found = players.get(player_of(record) or _NOBODY)
        return found.name if found else otherwise(record)

    def number(record: Record) -> int | None:
        found = players.get(player_of(record) or _NOBODY)
        return found.number if found else None

    return (
        Column(key=key, title=title, value=name),
        Column(
            key=f"{key}_number",
            title=_("%(title)s, member no.") % {"title": title},
            kind=ColumnKind.INTEGER,
            value=number,
        ),
    )


def actor_names(labels: Iterable[str]) -> dict[str, str]:
    """Return names by the labels of actors: names of accounts and keys. Two queries.

    An actor without a name is called by its kind: a table link, the system.
    """
    known = list(labels)
    named: dict[str, str] = {}
    for kind, model in ((ActorKind.PERSON, Account), (ActorKind.KEY, ApiKey)):
        rows = model.objects.filter(pk__in=list(_ids_of(kind, known)))
        named |= {f"{kind}:{pk}": name for pk, name in rows.values_list("pk", "name")}
    kinds = {str(kind): translate(kind.words) for kind in ActorKind}
    return {label: named.get(label) or kinds.get(label.partition(":")[0], label) for label in known}


def _ids_of(kind: ActorKind, labels: Iterable[str]) -> Iterator[UUID]:
    """The ids in labels of one kind; labels from an archive may have none."""
    for label in labels:
        if label.startswith(f"{kind}:"):
            with suppress(ValueError):
                yield UUID(label.partition(":")[2])


def actor_column(
    key: str, title: str, label_of: Callable[[Any], str], names: Mapping[str, str]
) -> Column[Any]:
    """A column with who did it."""
    return Column(key=key, title=title, value=lambda record: names.get(label_of(record), ""))
