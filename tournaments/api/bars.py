"""Bars of a player: made with a reason and lifted; for those who may edit players alone."""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.filters import FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.players import get_player
from tournaments.api.serializers import DateField, StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import PlayerBar
from tournaments.people import bars


class BarSerializer(StrictModelSerializer):
    """A bar. Both days are part of it; ``reason`` is empty once the person was erased."""

    lifted_by = serializers.SerializerMethodField()

    class Meta:
        model = PlayerBar
        fields = [
            "id",
            "player",
            "since",
            "until",
            "reason",
            "by",
            "at",
            "lifted_by",
            "lifted_at",
        ]

    def get_lifted_by(self, bar: PlayerBar) -> str | None:
        """Return who lifted the bar, None while it holds."""
        return bar.lifted_by or None


@example({"reason": "Has not paid since March.", "until": "2026-12-31"})
class NewBarSerializer(StrictModelSerializer):
    """A bar that is made."""

    since = DateField(
        required=False, help_text="The first day by the club's calendar; without it, today."
    )

    class Meta:
        model = PlayerBar
        fields = ["reason", "since", "until"]
        extra_kwargs = {
            "reason": {
                "required": True,
                "allow_blank": False,
                "help_text": "Why; told to nobody but those who may edit players.",
            },
            "until": {"help_text": "The last day; without it, until the bar is lifted."},
        }


class BarFilter(FilterSet):
    """Filters of the list of bars."""

    lifted = MomentFilter("lifted_at", help_text="Only lifted ones, or only the others.")


class BarViewSet(ListModelMixin, ApiViewSet):
    """List the bars of a player, lifted ones too."""

    queryset = PlayerBar.objects.all()
    serializer_class = BarSerializer
    filterset_class = BarFilter
    lookup_url_kwarg = "bar_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewBarSerializer}
    rights = {
        "list": Right.PLAYERS_EDIT,
        "create": Right.PLAYERS_EDIT,
        "destroy": Right.PLAYERS_EDIT,
    }

    def get_queryset(self) -> QuerySet[PlayerBar]:
        return bars.bars_of(get_player(self.request, self.kwargs["player_id"]))

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID, player_id: UUID) -> Response:
        """Bar a player: they are not entered, checked in, seated or substituted until it ends.

        Hands that were played stay.
        """
        player = get_player(request, player_id)
        bar = bars.bar_player(
            club_id=club_id,
            player_id=player.pk,
            **self.validated_data,
            by=request.by,
            at=request.at,
        )
        return self.answer(bar, location=f"{request.path}/{bar.pk}")

    @idempotent
    def destroy(
        self, request: ApiRequest, club_id: UUID, player_id: UUID, bar_id: UUID
    ) -> Response:
        """Lift a bar; it stays on record."""
        get_object_or_404(self.get_queryset(), pk=bar_id)
        bar = bars.lift_bar(club_id=club_id, bar_id=bar_id, by=request.by, at=request.at)
        return self.answer(bar)
