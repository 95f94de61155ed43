"""Facts that answers about published standings depend on, read without the standings themselves.

An entity tag is made of them (`tournaments.core.entity_tags`): who has the answer gets 304 before
anything is ranked, translated or drawn, and what was made once is found again by it. Whatever is
shown must be among the facts: names as they are shown today, too.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from tournaments.core.time_zones import day
from tournaments.models import Club, Player, Published, Scope, StandingsDecision


def list_club_facts(club: Club) -> list[Any]:
    """Return all settings of a club."""
    return [getattr(club, column.attname) for column in Club._meta.concrete_fields]


def list_name_facts(club: UUID) -> list[tuple[Any, ...]]:
    """Return what the names of everybody in a club depend on, as anybody may see them. One query.

    Names that several have are told apart by numbers, so the name of one depends on all others.
    """
    players = Player.objects.filter(club=club).order_by("number")
    return list(players.values_list("number", "person__name", "person__shown", "merged_into"))


def list_published_facts(club: Club, scope: Scope, subjects: Collection[UUID]) -> Sequence[Any]:
    """Return which versions hold, whether they are official, and what failed. Two queries.

    Today is among them while one is provisional: then it tells whether tables are late.
    """
    rows = list(
        Published.objects.filter(scope=scope, subject__in=subjects)
        .order_by("subject")
        .values_list("subject", "version", "official", "trouble")
    )
    # Decisions are only added, so their number changes with what is official.
    decisions = StandingsDecision.objects.filter(
        published__scope=scope, published__subject__in=subjects
    ).count()
    is_final = all(official is not None for _subject, _version, official, _trouble in rows)
    return rows, decisions, None if is_final else day(timezone.now(), club.time_zone)
