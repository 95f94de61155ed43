"""Signing in and out, and who one is. What is sent is secret, and kept nowhere."""

from typing import TypedDict
from uuid import UUID

from django.contrib.auth import logout, update_session_auth_hash
from django.middleware.csrf import get_token
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from engine.core.messages import Message
from tournaments.access.rights import RIGHTS, Asker, Right, RoleInClub
from tournaments.api.exceptions import ProblemError
from tournaments.api.openapi import example
from tournaments.api.permissions import AskerThrottle, IsSignedIn
from tournaments.api.serializers import CharField, StrictSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.actors import ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.models import Account
from tournaments.models.limits import max_length
from tournaments.people import accounts, second_factors, sessions
from tournaments.people.known_devices import find_device, remember_device


@example({"email": "nora@example.org", "password": "seven of clubs leads first"})
class SignInSerializer(StrictSerializer):
    """An account's address and password."""

    email = CharField(max_length=max_length(Account, "email"))
    password = CharField(max_length=accounts.PASSWORD_MAX, raw=True)
    code = CharField(
        max_length=second_factors.CODE_MAX,
        required=False,
        help_text="Of the app, or a recovery code, where the account has a second factor.",
    )


@example({"password": "seven of clubs leads first", "new_password": "nobody shoots the moon twice"})
class NewPasswordSerializer(StrictSerializer):
    """The old password and the new one."""

    password = CharField(max_length=accounts.PASSWORD_MAX, raw=True)
    new_password = CharField(max_length=accounts.PASSWORD_MAX, raw=True)


class RoleIn(TypedDict):
    """What somebody is in a club; ``club`` null: in the federation."""

    club: UUID | None
    roles: list[RoleInClub]
    rights: list[Right]


class Me(TypedDict):
    """Who is asking. ``csrf_token`` goes as X-CSRFToken with everything that a session changes."""

    kind: ActorKind
    id: UUID | None
    name: str | None
    email: str | None
    scopes: list[Right] | None
    roles: list[RoleIn]
    csrf_token: str | None


class SignInThrottle(AskerThrottle):
    """Fewer than other questions; the guesses at one account are counted elsewhere."""

    scope = "sign-in"


class SessionViewSet(ApiViewSet):
    """The session of a browser."""

    permission_classes = [AllowAny]
    throttle_classes = [SignInThrottle]
    inputs = {"create": SignInSerializer}
    outputs = {"create": Me, "destroy": None}
    statuses = {"create": (200,)}

    def create(self, request: ApiRequest) -> Response:
        """Sign in."""
        plain, sent = request.django_request, self.read_body()
        address = SignInThrottle().get_ident(request)
        account = accounts.authenticate_account(
            email=sent["email"],
            password=sent["password"],
            address=address,
            request=plain,
            at=request.at,
        )
        if account is None:
            words = Message("This address and password do not match.")
            raise ProblemError("SIGN_IN", words)
        if second_factors.has_second_factor(account):
            self._check_code(account, sent.get("code", ""), address)
        sessions.sign_in(plain, account, address=address, at=request.at)
        answer = Response(me(Asker.of_account(account, Source.API), account, get_token(plain)))
        remember_device(plain, answer, account)
        return answer

    def _check_code(self, account: Account, code: str, address: str) -> None:
        if not code:
            raise ProblemError("SECOND_FACTOR", Message("Send the code of the app as well."))
        is_right = second_factors.check_code(
            account=account,
            code=code,
            address=address,
            device=find_device(self.request.django_request, account.email),
            at=self.request.at,
        )
        if not is_right:
            raise ProblemError("SECOND_FACTOR", Message("This code is not right."))

    def destroy(self, request: ApiRequest) -> Response:
        """Sign out; without a session nothing happens."""
        logout(request.django_request)
        return Response(status=204)


class MeViewSet(ApiViewSet):
    """Who is asking."""

    permission_classes = [IsSignedIn]
    outputs = {"retrieve": Me}

    def retrieve(self, request: ApiRequest) -> Response:
        """Show who is asking, and what they may do where."""
        account = request.user
        if not isinstance(account, Account):
            return Response(me(request.asker, None, None))
        return Response(me(request.asker, account, get_token(request.django_request)))


class PasswordViewSet(ApiViewSet):
    """What somebody signs in by."""

    permission_classes = [IsSignedIn]
    throttle_classes = [SignInThrottle]
    inputs = {"create": NewPasswordSerializer}
    outputs = {"create": None}

    def create(self, request: ApiRequest) -> Response:
        """Give oneself another password; all other sessions end."""
        account, plain = request.user, request.django_request
        if not isinstance(account, Account):
            raise RefusedError(Message("Only people have passwords."), "password")
        changed = accounts.replace_password(
            account=account,
            **self.read_body(),
            address=SignInThrottle().get_ident(request),
            request=plain,
            at=request.at,
        )
        update_session_auth_hash(plain, changed)
        return Response(status=204)


def me(asker: Asker, account: Account | None, token: str | None) -> Me:
    """Return the asker as data."""
    roles: list[RoleIn] = []
    for club, parts in sorted(asker.roles.items(), key=lambda pair: str(pair[0])):
        held = frozenset().union(*(RIGHTS[part] for part in parts))
        rights = held if asker.scopes is None else held & asker.scopes
        roles.append({"club": club, "roles": sorted(parts), "rights": sorted(rights)})
    return {
        "kind": asker.actor.kind,
        "id": asker.actor.id,
        "name": account.name if account else None,
        "email": account.email if account else None,
        "scopes": sorted(asker.scopes) if asker.scopes is not None else None,
        "roles": roles,
        "csrf_token": token,
    }
