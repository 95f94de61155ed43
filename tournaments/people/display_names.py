"""Display names: members with equal names are told apart by their number.

Strangers see shortened names, of which more are alike: for them it is those that count.
"""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final
from uuid import UUID

from django.db.models import Count

from tournaments.database.name_order import order_by_name
from tournaments.models import Club, Player, Shown
from tournaments.selectors import name_for, player_name, players, short_name, shown_name

PLAYERS_MAX: Final = 2000
"""The longest list of players that a form offers to choose from."""


def shared_names(club: Club, *, in_full: bool = True) -> frozenset[str]:
    """Names that several of a club have; players who were merged count once. One query.

    Unless ``in_full`` it is names as strangers see them, and who is but a number shares none.
    """
    known = Player.objects.filter(club=club, merged_into=None, person__isnull=False).order_by()
    if in_full:
        named = known.values_list("person__name")
        shared = named.annotate(many=Count("pk")).filter(many__gt=1)
        return frozenset(name for (name, *_many) in shared)
    seen = known.exclude(person__shown=Shown.HIDDEN).values_list("person__name", "person__shown")
    many = Counter(name_for(name, shown) for name, shown in seen)
    return frozenset(name for name, times in many.items() if times > 1)


def number_suffix(row: Player, shared: AbstractSet[str], *, in_full: bool = True) -> str:
    """Return the number shown behind a name that several players share, else an empty text."""
    return f"({row.number})" if shown_name(row, in_full=in_full) in shared else ""


def distinct_name(row: Player, shared: AbstractSet[str], *, in_full: bool = True) -> str:
    """Return the name of a player, with the number if it is shared. Needs the person joined."""
    return (
        f"{shown_name(row, in_full=in_full)} {number_suffix(row, shared, in_full=in_full)}".strip()
    )


def distinct_names(
    club: Club,
    players: Sequence[UUID],
    *,
    in_full: bool = True,
    shared: AbstractSet[str] | None = None,
) -> dict[str, str]:
    """Return names by player id; shared ones with the number.

    ``shared`` are the names that `shared_names` returns, if they are read already. One query then,
    else two.
    """
    if shared is None:
        shared = shared_names(club, in_full=in_full)
    about = ("number", "person__name", "person__shown")
    rows = Player.objects.filter(pk__in=players).values_list(
        "pk", "merged_into", *about, *(f"merged_into__{name}" for name in about)
    )
    names = {}
    for player, into, *both in rows:
        number, name, shown = both[:3] if into is None else both[3:]
        called = player_name(number, name, shown, in_full=in_full)
        names[str(player)] = f"{called} ({number})" if called in shared else called
    return names


def table_names(rows: Sequence[Player]) -> list[str]:
    """Return what the players of one table call each other, in their order.

    That is the first name; who shares it at the table gets an initial, then the name in full, then
    the number as well. Needs their people joined.
    """
    longer = [_names_by_length(row) for row in rows]
    shared_at = [Counter(names) for names in zip(*longer, strict=True)]
    return [
        next(
            (name for name, many in zip(names, shared_at, strict=True) if many[name] == 1),
            names[-1],
        )
        for names in longer
    ]


def _names_by_length(row: Player) -> tuple[str, str, str, str]:
    full = shown_name(row, in_full=True)
    numbered = f"{full} ({row.number})"
    short = short_name(full)
    first, _blank, initial = short.partition(" ")
    if not hasattr(row, "person") or not first.strip(".")[1:] or not initial[:1].isalpha():
        # Of "Former member 7", "J. Smith" and "Player 7" the beginning alone names nobody.
        first = short = full
    return first, short, full, numbered


def players_by_name(club: Club, shared: AbstractSet[str] | None = None) -> list[tuple[Player, str]]:
    """Players of a club who have not left, in the order of their names; at most PLAYERS_MAX.

    Those who share a name are told apart by their numbers. ``shared`` as for `distinct_names`: one
    query then, else two.
    """
    rows = players(club, left=False).exclude(person=None).order_by(*order_by_name("person"), "pk")
    if shared is None:
        shared = shared_names(club)
    return [(player, distinct_name(player, shared)) for player in rows[:PLAYERS_MAX]]
