"""Namesakes: people of one club who share a name, told apart by the member's number."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from uuid import UUID

from django.db.models import Count

from tournaments.models import Club, Player
from tournaments.queries import shown_name


def shared_names(club: Club) -> frozenset[str]:
    """Names that several of a club have; players who were merged count once. One query."""
    known = Player.objects.filter(club=club, merged_into=None, person__isnull=False)
    named = known.order_by().values_list("person__name")
    return frozenset(name for (name, *_many) in named.annotate(many=Count("pk")).filter(many__gt=1))


def mark_of(row: Player, shared: AbstractSet[str]) -> str:
    """His number, as it stands behind the name of a player who shares it; else nothing."""
    return f"({row.number})" if shown_name(row, in_full=True) in shared else ""


def name_apart(row: Player, shared: AbstractSet[str]) -> str:
    """The full name of a player whose person was read with him; a shared one with his number."""
    return f"{shown_name(row, in_full=True)} {mark_of(row, shared)}".strip()


def told_apart(club: Club, players: Sequence[UUID]) -> dict[str, str]:
    """Full names by the ids of players of a club; shared ones with the number. Two queries."""
    shared = shared_names(club)
    rows = Player.objects.filter(pk__in=players).select_related("person", "merged_into__person")
    return {str(row.pk): name_apart(row.merged_into or row, shared) for row in rows}
