"""Keys of programs; the key itself is shown only when it is made."""

from uuid import UUID

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import NOT_FOR_KEYS, Right
from tournaments.api.filters import FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.roles import CLUB_ROLES
from tournaments.api.serializers import CharField, ChoiceField, ListField, StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import ApiKey
from tournaments.people import api_keys

SCOPES = [str(right) for right in Right if right not in NOT_FOR_KEYS]


class KeySerializer(StrictModelSerializer):
    """A key. ``key`` is what the program shows; it is told once, then null."""

    scopes = ListField(child=CharField())
    key = CharField(allow_null=True, default=None)

    class Meta:
        model = ApiKey
        fields = [
            "id",
            "name",
            "kind",
            "scopes",
            "created_at",
            "expires_at",
            "revoked_at",
            "key",
        ]


@example({"name": "Score board in the hall", "kind": "director", "scopes": ["club.read"]})
class NewKeySerializer(StrictModelSerializer):
    """A key that is made."""

    kind = ChoiceField(choices=CLUB_ROLES, help_text="The role that the program acts in.")
    scopes = ListField(child=ChoiceField(choices=SCOPES), min_length=1, max_length=len(SCOPES))

    class Meta:
        model = ApiKey
        fields = ["name", "kind", "scopes", "expires_at"]


class KeyFilter(FilterSet):
    """Filters of the list of keys."""

    revoked = MomentFilter("revoked_at", help_text="Only revoked ones, or only the others.")


class KeyViewSet(ListModelMixin, ApiViewSet):
    """List keys, revoked ones too."""

    queryset = ApiKey.objects.all()
    serializer_class = KeySerializer
    filterset_class = KeyFilter
    lookup_url_kwarg = "key_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewKeySerializer}
    rights = {"list": Right.KEYS_EDIT, "create": Right.KEYS_EDIT, "destroy": Right.KEYS_EDIT}

    def get_queryset(self) -> QuerySet[ApiKey]:
        return selectors.api_keys(self.request.club)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Make a key; it is shown this once.

        Whoever repeats the request gets the same answer without it, and makes another.
        """
        key, secret = api_keys.make_key(
            club_id=club_id, **self.validated_data, by=request.by, at=request.at
        )
        return self.answer(key, location=f"{request.path}/{key.pk}", secrets={"key": secret})

    @idempotent
    def destroy(self, request: ApiRequest, club_id: UUID, key_id: UUID) -> Response:
        """Revoke a key, for ever."""
        key = api_keys.revoke_key(club_id=club_id, key_id=key_id, by=request.by, at=request.at)
        return self.answer(key)
