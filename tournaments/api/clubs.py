"""Clubs: founded, listed, read and changed."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.filters import BooleanFilter, CharFilter, FilterSet
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet, RetrieveModelMixin
from tournaments.models import CLUB_SETTINGS, Club
from tournaments.people import clubs


class ClubSerializer(StrictModelSerializer):
    """A club. ``version`` is its ETag."""

    class Meta:
        model = Club
        fields = ["id", *CLUB_SETTINGS, "currency", "version", "created_at"]


@example({"name": "Leiden Hearts", "is_public": True, "venue": "The Blue Room"})
class ClubChangeSerializer(StrictModelSerializer):
    """What may be changed of a club; its currency stays, for its books are kept in it."""

    class Meta:
        model = Club
        fields = [*CLUB_SETTINGS]


@example(
    {"name": "Leiden Hearts", "is_public": True, "currency": "EUR", "time_zone": "Europe/Amsterdam"}
)
class NewClubSerializer(ClubChangeSerializer):
    """A club that is founded."""

    class Meta(ClubChangeSerializer.Meta):
        fields = [*CLUB_SETTINGS, "currency"]


class ClubFilter(FilterSet):
    """Filters of the list of clubs."""

    mine = BooleanFilter(
        method="filter_own",
        help_text="Only clubs in which the asker has a role, or only the others.",
    )
    search = CharFilter(method="filter_name", max_length=100, help_text="A part of the name.")

    def filter_own(self, rows: QuerySet[Club], _name: str, value: bool) -> QuerySet[Club]:  # noqa: FBT001 (as django-filter calls it)
        """Filter by whether the asker has a role in the club."""
        own = [club for club in self.request.asker.roles if club is not None]
        return rows.filter(pk__in=own) if value else rows.exclude(pk__in=own)

    def filter_name(self, rows: QuerySet[Club], _name: str, value: str) -> QuerySet[Club]:
        """Filter by a part of the name, without case and accents."""
        return selectors.clubs_named(rows, value)


class ClubViewSet(ListModelMixin, RetrieveModelMixin, ApiViewSet):
    """List clubs: the asker's own and the public ones."""

    queryset = Club.objects.all()
    serializer_class = ClubSerializer
    filterset_class = ClubFilter
    lookup_url_kwarg = "club_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"create": NewClubSerializer, "partial_update": ClubChangeSerializer}
    rights = {
        "list": None,
        "create": None,
        "retrieve": Right.CLUB_READ,
        "partial_update": Right.CLUB_EDIT,
    }

    def get_queryset(self) -> QuerySet[Club]:
        return selectors.clubs(self.request.asker)

    def get_object(self) -> Any:
        return self.request.club

    @idempotent
    def create(self, request: ApiRequest) -> Response:
        """Create a club; the account that does is its admin."""
        club = clubs.create_club(new=self.validated_data, by=request.by, at=request.at)
        return self.answer(club, location=f"{request.path}/{club.pk}")

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, club_id: UUID) -> Response:
        """Change a club."""
        club = clubs.change_club(
            club_id=club_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(club)
