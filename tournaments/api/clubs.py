"""Clubs: founded, listed, read and changed."""

from typing import Any, ClassVar
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
from tournaments.models import Club
from tournaments.people import clubs
from tournaments.people.clubs import NewClub


class ClubSerializer(StrictModelSerializer):
    """A club. ``version`` is its ETag."""

    class Meta:
        model = Club
        fields = [
            "id",
            "name",
            "is_public",
            "currency",
            "confirming",
            "time_zone",
            "venue",
            "about",
            "admins_need_second_factor",
            "version",
            "created_at",
        ]


@example({"name": "Leiden Hearts", "is_public": True, "venue": "The Blue Room"})
class ClubChangeSerializer(StrictModelSerializer):
    """What may be changed of a club; its currency stays, for its books are kept in it."""

    class Meta:
        model = Club
        fields = [
            "name",
            "is_public",
            "confirming",
            "time_zone",
            "venue",
            "about",
            "admins_need_second_factor",
        ]
        extra_kwargs: ClassVar[dict[str, dict[str, Any]]] = {
            "venue": {"help_text": "Where it usually plays: a name, an address."},
            "about": {"help_text": "What it says of itself on its page, in plain text."},
            "admins_need_second_factor": {
                "help_text": "Whether admins without a second factor may do nothing in the club."
            },
        }


@example(
    {"name": "Leiden Hearts", "is_public": True, "currency": "EUR", "time_zone": "Europe/Amsterdam"}
)
class NewClubSerializer(ClubChangeSerializer):
    """A club that is founded."""

    class Meta(ClubChangeSerializer.Meta):
        fields = [*ClubChangeSerializer.Meta.fields, "currency"]
        extra_kwargs = {
            **ClubChangeSerializer.Meta.extra_kwargs,
            "currency": {"min_length": 3},
        }


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
        """Found a club; whoever does is its admin."""
        new = NewClub(**self.validated_data)
        club = clubs.found_club(new=new, by=request.by, at=request.at)
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
