"""Keys that programs show: made once, kept as a digest, limited by scopes, revoked at any time."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from tournaments import audit
from tournaments.access.rights import NOT_FOR_KEYS, RIGHTS, Asker, Right, RoleInClub
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import NotSignedInError, NotThereError, RefusedError
from tournaments.database.sql import first_row
from tournaments.models import ApiKey, Club

PREFIX: Final = "psk_"
_BYTES: Final = 32


def digest_of(secret: str) -> str:
    """Return the digest of a secret that was made at random; a slow hash would add nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def find_api_key(digest: str) -> ApiKey | None:
    """``ApiKey.objects.filter(digest=digest, revoked_at=None).first()``."""
    return first_row(
        ApiKey.objects.raw(
            "SELECT * FROM tournaments_apikey WHERE digest = %s AND revoked_at IS NULL", [digest]
        )
    )


def asker_of(secret: str, *, at: datetime) -> Asker:
    """Whoever holds this key. One query. Raises NotSignedInError."""
    key = None
    if secret.startswith(PREFIX) and secret.isascii():
        key = find_api_key(digest_of(secret))
    if key is None or (key.expires_at is not None and key.expires_at <= at):
        raise NotSignedInError(Message("This key is not known, or no longer."))
    return Asker(
        Actor(ActorKind.KEY, Source.API, key.pk),
        {key.club_id: frozenset({RoleInClub(key.kind)})},
        frozenset(map(Right, key.scopes)),
    )


@transaction.atomic
def make_key(
    *,
    club_id: UUID,
    name: str,
    kind: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    by: Actor,
    at: datetime,
) -> tuple[ApiKey, str]:
    """Make a key that acts in a role, within ``scopes``; the secret is shown this once.

    Raises RefusedError.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    possible = RIGHTS[RoleInClub(kind)] - NOT_FOR_KEYS
    for scope in scopes:
        if scope not in possible:
            words = Message(
                "A key that acts as {kind} cannot have the scope {scope}.",
                kind=kind,
                scope=scope,
            )
            raise RefusedError(words, "scopes")
    if expires_at is not None and expires_at <= at:
        raise RefusedError(Message("This time has passed."), "expires_at")
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    key = ApiKey.objects.create(
        club=club,
        kind=kind,
        name=name,
        digest=digest_of(secret),
        scopes=sorted(set(scopes)),
        made_by_id=by.id if by.kind is ActorKind.PERSON else None,
        created_at=at,
        expires_at=expires_at,
    )
    details = {"key": key.pk, "kind": key.kind, "scopes": key.scopes}
    audit.note(
        AuditRecord(Message("key made"), details=details), chain=club.pk, club=club.pk, by=by, at=at
    )
    return key, secret


@transaction.atomic
def revoke_key(*, club_id: UUID, key_id: UUID, by: Actor, at: datetime) -> ApiKey:
    """Revoke a key, for ever; a second time changes nothing. Raises NotThereError."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    key = ApiKey.objects.filter(club=club, pk=key_id).first()
    if key is None:
        raise NotThereError
    if key.revoked_at is None:
        key.revoked_at = at
        key.save(update_fields=["revoked_at"])
        action = AuditRecord(Message("key revoked"), details={"key": key.pk})
        audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)
    return key
