"""Passkeys as second factors (WebAuthn): the device shows that it has a key of the account.

Browsers offer them on pages with https and on localhost, under a name, not a bare address.
"""

import base64
import json
from contextlib import suppress
from datetime import datetime
from ipaddress import ip_address
from typing import Final
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.http.request import split_domain_port
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from engine.core.messages import Message
from tournaments.core.actors import Actor
from tournaments.core.encryption import UnreadableSecretError, decrypt_text, encrypt_text
from tournaments.core.errors import RefusedError
from tournaments.models import Account, FactorKind, SecondFactor
from tournaments.people.second_factors import add_factor

RESPONSE_MAX: Final = 20_000
"""Characters of what a browser answers that are looked at."""
_STATE: Final = "passkey"
"""Where a session keeps what was asked of the browser; it holds for one answer."""
_FAILED: Final = Message("That did not work. Try again, or take another way.")


def can_use(request: HttpRequest) -> bool:
    """Whether browsers know passkeys at the address of this page."""
    host = split_domain_port(request.get_host())[0]
    if host == "localhost":
        return True
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return request.is_secure()
    return False


def ask_to_register(request: HttpRequest, account: Account) -> str:
    """Return what the browser is asked for (JSON) to make a passkey for an account."""
    options, state = _server(request).register_begin(
        PublicKeyCredentialUserEntity(
            name=account.email, id=account.pk.bytes, display_name=account.name
        ),
        credentials=[credential for _, credential in _credentials(account)],
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    request.session[_STATE] = state
    return json.dumps(dict(options.public_key))


def ask_to_sign_in(request: HttpRequest, account: Account) -> str:
    """Return what the browser is asked for (JSON) to show a passkey; empty where there is none."""
    credentials = [credential for _, credential in _credentials(account)]
    if not credentials or not can_use(request):
        return ""
    options, state = _server(request).authenticate_begin(
        credentials, user_verification=UserVerificationRequirement.PREFERRED
    )
    request.session[_STATE] = state
    return json.dumps(dict(options.public_key))


@transaction.atomic
def add_passkey(
    *,
    account_id: UUID,
    response: str,
    name: str,
    request: HttpRequest,
    by: Actor,
    at: datetime,
) -> list[str]:
    """Store the passkey that the browser made; returns recovery codes if it is the first factor.

    Raises RefusedError.
    """
    account = Account.objects.select_for_update(no_key=True).get(pk=account_id)
    state = request.session.pop(_STATE, None)
    try:
        made = _server(request).register_complete(state, json.loads(response[:RESPONSE_MAX]))
        credential = made.credential_data
        assert credential is not None
    except Exception as error:  # whatever strangers' bytes make of a parser that is not ours
        raise RefusedError(_FAILED) from error
    factor = SecondFactor(
        account=account,
        kind=FactorKind.PASSKEY,
        name=name,
        secret=encrypt_text(base64.b64encode(credential).decode("ascii")),
        made_at=at,
    )
    return add_factor(factor, session=request.session, by=by)


def check_passkey(*, account: Account, response: str, request: HttpRequest, at: datetime) -> bool:
    """Whether the browser showed a passkey of the account. Its use is noted."""
    known = _credentials(account)
    state = request.session.pop(_STATE, None)
    try:
        shown = _server(request).authenticate_complete(
            state, [credential for _, credential in known], json.loads(response[:RESPONSE_MAX])
        )
    except Exception:  # as above
        return False
    used = [pk for pk, one in known if one.credential_id == shown.credential_id]
    SecondFactor.objects.filter(pk__in=used).update(used_at=at)
    return True


def _credentials(account: Account) -> list[tuple[UUID, AttestedCredentialData]]:
    rows = SecondFactor.objects.filter(account=account, kind=FactorKind.PASSKEY)
    found = []
    for pk, secret in rows.order_by("made_at", "pk").values_list("pk", "secret"):
        # One of a backup without its key is passed over: an operator takes it off.
        with suppress(UnreadableSecretError):
            found.append((pk, AttestedCredentialData(base64.b64decode(decrypt_text(secret)))))
    return found


def _server(request: HttpRequest) -> Fido2Server:
    host = split_domain_port(request.get_host())[0]
    return Fido2Server(PublicKeyCredentialRpEntity(name="Painsuit", id=host))
