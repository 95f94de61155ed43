"""Summing: what everybody came to in every seat of an event, added up from the results alone."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from tournaments.models import Result


def sums_of(event_id: UUID) -> Iterable[tuple[UUID, int, UUID, int, int, int]]:
    """Game, seat, player (not his duplicate), score, hands, clean hands. One query."""
    player = Coalesce("player__merged_into_id", "player_id")
    return (
        Result.objects.filter(game__event=event_id)
        .values_list("game_id", "seat", player)
        .annotate(
            total=Sum("score"),
            hands=Count("pk", filter=Q(counts=True)),
            clean_hands=Count("pk", filter=Q(taken=0, played=True)),
        )
    )
