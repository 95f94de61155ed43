"""Roles in a club."""

from uuid import UUID

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from engine.core.messages import Message
from tournaments import selectors
from tournaments.access.rights import Right, admit
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    CharField,
    ChoiceField,
    EmailField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.errors import NotAllowedError
from tournaments.models import Account, Role, RoleKind
from tournaments.models.limits import max_length
from tournaments.people import roles

CLUB_ROLES = tuple(choice for choice in RoleKind.choices if choice[0] != RoleKind.FEDERATION)


class RoleSerializer(StrictModelSerializer):
    """What somebody is in a club."""

    name = CharField(source="account.name")
    email = CharField(source="account.email")

    class Meta:
        model = Role
        fields = ["id", "account", "name", "email", "kind", "player", "created_at"]


@example({"email": "ben@example.org", "kind": "director"})
class NewRoleSerializer(StrictSerializer):
    """A role for somebody who has an account."""

    email = EmailField(max_length=max_length(Account, "email"), help_text="Of an account.")
    kind = ChoiceField(choices=CLUB_ROLES)
    player = UUIDField(required=False, allow_null=True, help_text="Who this is at the tables.")


class RoleViewSet(ListModelMixin, ApiViewSet):
    """List the roles in a club."""

    queryset = Role.objects.all()
    serializer_class = RoleSerializer
    lookup_url_kwarg = "role_id"
    lookup_value_converter = "uuid"
    inputs = {"create": NewRoleSerializer}
    outputs = {"destroy": None}
    rights = {"list": Right.ROLES_READ, "create": Right.ROLES_EDIT, "destroy": None}

    def get_queryset(self) -> QuerySet[Role]:
        return selectors.roles(self.request.club)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Grant a role to somebody who has an account."""
        role = roles.grant_role(
            club_id=club_id, **self.validated_data, by=request.by, at=request.at
        )
        return self.answer(role)

    @idempotent
    def destroy(self, request: ApiRequest, club_id: UUID, role_id: UUID) -> Response:
        """Revoke a role, or give up one's own; the last admin must stay.

        Whoever may see the club may give up their role in it. They may know of a private club no
        longer then, but a repeated request is answered alike: only here the right is not checked
        before the response is looked up, which says nothing.
        """
        rights = admit(request.asker, self.get_place(), Right.CLUB_READ)
        if Right.ROLES_EDIT not in rights and not selectors.is_own_role(role_id, request.asker):
            raise NotAllowedError(
                Message("You need the right {right} for this.", right=Right.ROLES_EDIT)
            )
        roles.revoke_role(club_id=club_id, role_id=role_id, by=request.by, at=request.at)
        return Response(status=204)
