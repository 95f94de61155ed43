"""Invitations of people who have no account yet, and their acceptance."""

from uuid import UUID

from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.roles import CLUB_ROLES, RoleSerializer
from tournaments.api.serializers import (
    CharField,
    ChoiceField,
    EmailField,
    StrictModelSerializer,
    StrictSerializer,
)
from tournaments.api.session import SignInThrottle
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import Account, Invitation
from tournaments.models.limits import max_length
from tournaments.people import accounts, invitations
from tournaments.people.invitations import TOKEN_MAX, Acceptance


class InvitationSerializer(StrictModelSerializer):
    """An invitation; what opens it is shown this once."""

    invitation = CharField(allow_null=True, default=None)

    class Meta:
        model = Invitation
        fields = ["email", "kind", "ends_at", "invitation"]


@example({"email": "ben@example.org", "kind": "director"})
class GuestSerializer(StrictSerializer):
    """Who is invited."""

    email = EmailField(max_length=max_length(Invitation, "email"))
    kind = ChoiceField(choices=CLUB_ROLES)


@example(
    {
        "invitation": "QmV0dGVyIHBsYXkgaGVhcnRz",
        "name": "Ben Hill",
        "password": "seven of clubs leads first",
    }
)
class AcceptanceSerializer(StrictSerializer):
    """An invitation, and what its guest adds."""

    invitation = CharField(max_length=TOKEN_MAX)
    name = CharField(max_length=accounts.NAME_MAX)
    password = CharField(max_length=accounts.PASSWORD_MAX, raw=True)
    email = EmailField(max_length=max_length(Account, "email"), required=False)


class InvitationViewSet(ApiViewSet):
    """The guests of a club."""

    serializer_class = InvitationSerializer
    inputs = {"create": GuestSerializer}
    rights = {"create": Right.ROLES_EDIT}

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Invite somebody to make an account, and to be something in the club with it."""
        made = invitations.invite(
            club_id=club_id, by=request.by, at=request.at, **self.validated_data
        )
        return self.answer(made, secrets={"invitation": invitations.invitation_token(made)})


class AcceptanceViewSet(ApiViewSet):
    """The way in for guests. What is sent is secret, and kept nowhere."""

    permission_classes = [AllowAny]
    throttle_classes = [SignInThrottle]
    serializer_class = RoleSerializer
    inputs = {"create": AcceptanceSerializer}

    def create(self, request: ApiRequest) -> Response:
        """Accept an invitation: an account with a name and a password, and the role promised."""
        acceptance = Acceptance(**self.read_body())
        return self.answer(invitations.accept(acceptance=acceptance, at=request.at))
