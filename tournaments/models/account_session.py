from collections.abc import Sequence
from typing import Any

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.crypto import salted_hmac

from tournaments.models.account import Account

USER_AGENT_MAX = 300


class StoredKey(str):
    """The digest of the key of a session, as it stands in the database."""

    __slots__ = ()


class SessionKeyField(models.CharField):  # type: ignore[type-arg]  # Django's takes one only in stubs
    """The key of a session: the browser has it, the database only its digest.

    Whoever reads the database or a backup can sign in with nothing that stands there.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the digest of a key; one that came from the database stays what it is."""
        if value is None or isinstance(value, StoredKey):
            return value
        digest = salted_hmac("the key of a session", str(value), algorithm="sha256").hexdigest()
        return StoredKey(digest)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """To migrations it is a text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def from_db_value(self, value: str | None, *_args: object) -> StoredKey | None:
        return None if value is None else StoredKey(value)


class AccountSession(AbstractBaseSession):
    """A session of a browser; where somebody signed in, their account and how the device looks.

    ``network`` is the network that it came from at first, not exactly; ``used_at`` is exact to
    an hour.
    """

    session_key = SessionKeyField(max_length=64, primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    user_agent = models.CharField(max_length=USER_AGENT_MAX, blank=True, default="")
    network = models.CharField(max_length=64, blank=True, default="")
    made_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"session of {self.account_id} until {self.expire_date:%Y-%m-%d}"
