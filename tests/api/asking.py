"""Asking the API as somebody, in as few words as a test can bear."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.test import Client

from tournaments.api.exceptions import KINDS, MEDIA_TYPE
from tournaments.models import Account, Club, Role, RoleKind

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
PASSWORD = "a shuffled pack of cards"  # nobody's


@dataclass
class Asking:
    """A client that asks with JSON, a new key for each write, and perhaps a key of a program."""

    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, **headers)

    def post(self, path: str, values: Any = None, **headers: str) -> Any:
        return self.ask("POST", path, values, **headers)

    def put(self, path: str, values: Any = None, **headers: str) -> Any:
        return self.ask("PUT", path, values, **headers)

    def patch(self, path: str, values: Any = None, **headers: str) -> Any:
        return self.ask("PATCH", path, values, **headers)

    def delete(self, path: str, values: Any = None, **headers: str) -> Any:
        return self.ask("DELETE", path, values, **headers)

    def ask(self, method: str, path: str, values: Any = None, **headers: str) -> Any:
        """Headers as words: ``If_Match='"1"'``; an empty one is left out."""
        body = values if isinstance(values, str | bytes) else json.dumps(values)
        sent = {"Idempotency-Key": str(uuid.uuid4())} if method != "GET" else {}
        sent |= self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        kind = sent.pop("Content-Type", "application/json")
        return self.client.generic(
            method,
            path,
            b"" if values is None else body,
            content_type=kind,
            CONTENT_TYPE=kind,  # the client leaves it out for an empty body
            headers={name: value for name, value in sent.items() if value},
        )


def account_of(email: str, name: str = "Nora Adams") -> Account:
    """An account with no password: its tests are let in by the cookie."""
    return Account.objects.create(email=email, name=name, created_at=NOW)


def signed_in(account: Account) -> Asking:
    """Somebody with a session."""
    asking = Asking()
    asking.client.force_login(account)
    return asking


def club_of(admin: Account, *, name: str = "Hearts", is_public: bool = False) -> Club:
    club = Club.objects.create(name=name, is_public=is_public, created_at=NOW)
    role_of(admin, club, RoleKind.ADMIN)
    return club


def role_of(account: Account, club: Club | None, kind: str) -> Role:
    return Role.objects.create(account=account, club=club, kind=kind, created_at=NOW)


def check_problem(answer: Any, code: str) -> Mapping[str, Any]:
    """The answer is this problem, with all that belongs to one."""
    assert answer.status_code == KINDS[code].status, answer.content
    assert answer["Content-Type"] == MEDIA_TYPE
    found: Mapping[str, Any] = answer.json()
    assert found["code"] == code, found
    assert found["status"] == answer.status_code
    assert found["type"] == f"/api/v1/problems#{code}"
    assert found["detail"]
    assert answer["Cache-Control"] == "private, no-store"
    return found
