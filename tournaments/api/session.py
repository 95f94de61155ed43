"""Signing in and out, and who one is."""

from collections.abc import Iterable
from typing import TypedDict
from uuid import UUID

from django.contrib.auth import login, logout, update_session_auth_hash
from django.middleware.csrf import get_token

from tournaments.access.rights import RIGHTS, Asker, Right, RoleInClub
from tournaments.api.authentication import person
from tournaments.api.doors import Answer, Anyone, Ask, Door, open_door, read
from tournaments.api.fields import Text, form
from tournaments.api.problems import ProblemError
from tournaments.api.throttles import AskerThrottle
from tournaments.core.actors import ActorKind
from tournaments.core.errors import RefusedError
from tournaments.models import Account
from tournaments.people import accounts
from tournaments.people.accounts import NewPassword

_PASSWORD = Text(most=accounts.PASSWORD_MOST, raw=True)
SIGN_IN = form(email=Text(most=254), password=_PASSWORD)
NEW_PASSWORD = form(password=_PASSWORD, new_password=_PASSWORD)


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


class Session(Door):
    """The session of a browser."""

    throttle_classes = [SignInThrottle]

    @open_door(takes=SIGN_IN, gives=Me)
    def post(self, ask: Ask) -> Answer:
        """Sign in."""
        plain = ask.request._request  # noqa: SLF001 (Django's own, with its session)
        account = accounts.known(
            email=ask.values["email"],
            password=ask.values["password"],
            address=SignInThrottle().get_ident(ask.request),
            request=plain,
            at=ask.at,
        )
        if account is None:
            raise ProblemError("SIGN_IN", "Nobody is known by this address and password.")
        login(plain, account)
        return Answer(me(person(account), account, get_token(plain)))

    @open_door(status=204)
    def delete(self, ask: Ask) -> Answer:
        """Sign out; without a session nothing happens."""
        logout(ask.request._request)  # noqa: SLF001 (as above)
        return Answer()


class Password(Door):
    """What somebody signs in by."""

    throttle_classes = [SignInThrottle]

    @open_door(Anyone.SIGNED_IN, takes=NEW_PASSWORD, status=204)
    def post(self, ask: Ask) -> Answer:
        """Give oneself another password; all other sessions end."""
        account = ask.request.user
        if not isinstance(account, Account):
            raise RefusedError("Only people have passwords.", "password")
        plain = ask.request._request  # noqa: SLF001 (Django's own, with its session)
        changed = accounts.replace_password(
            account=account,
            new=NewPassword(**ask.values),
            address=SignInThrottle().get_ident(ask.request),
            request=plain,
            at=ask.at,
        )
        update_session_auth_hash(plain, changed)
        return Answer()


class WhoAmI(Door):
    """Who is asking."""

    @read(Anyone.SIGNED_IN, gives=Me)
    def get(self, ask: Ask) -> Answer:
        """Who is asking, and what he may do where."""
        account = ask.request.user
        if not isinstance(account, Account):
            return Answer(me(ask.asker, None, None))
        return Answer(me(ask.asker, account, get_token(ask.request._request)))  # noqa: SLF001


def me(asker: Asker, account: Account | None, token: str | None) -> Me:
    """The asker as data."""
    return {
        "kind": asker.actor.kind,
        "id": asker.actor.id,
        "name": account.name if account else None,
        "email": account.email if account else None,
        "scopes": sorted(asker.scopes) if asker.scopes is not None else None,
        "roles": [
            {"club": club, "roles": sorted(parts), "rights": sorted(_rights(parts, asker))}
            for club, parts in sorted(asker.roles.items(), key=lambda pair: str(pair[0]))
        ],
        "csrf_token": token,
    }


def _rights(parts: Iterable[RoleInClub], asker: Asker) -> frozenset[Right]:
    held = frozenset().union(*(RIGHTS[part] for part in parts))
    return held if asker.scopes is None else held & asker.scopes
