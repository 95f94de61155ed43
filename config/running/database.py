"""The database that an address names: PostgreSQL in production, SQLite where none is given."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.base import BaseDatabaseWrapper

SCHEMES: Final = ("postgres", "postgresql")
OPTIONS: Final = frozenset(
    {
        *("host", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout"),
        *("application_name", "schema", "pool_mode"),
    }
)
"""What may follow the question mark: libpq's names, the schema where it is not the usual, and how a
pooler between us and the server keeps connections, where that is not by session."""
LIMITS: Final = {
    # A request that waits longer for a game's lock is told to come again (docs/locks.md).
    "lock_timeout": "3s",
    "statement_timeout": "15s",
    # Whoever holds a lock and hangs must not hold up a table for long.
    "idle_in_transaction_session_timeout": "30s",
    # What the lock protocol is written for, whatever the server's own default is.
    "default_transaction_isolation": r"read\ committed",
}

POOL_MODES: Final = ("session", "transaction")

_COMMON: Final = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, "ATOMIC_REQUESTS": False}


def database(url: str | None, *, file: Path) -> dict[str, Any]:
    """Django's settings for an address, or for the embedded file without one.

    Raises ImproperlyConfigured for an address that cannot be understood; it never shows the
    password that may stand in it.
    """
    return _sqlite_settings(file) if url is None else _postgresql(url)


def _sqlite_settings(file: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        **_COMMON,
        "OPTIONS": {
            # IMMEDIATE: sixteen writers wait for each other instead of failing at once.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: NORMAL may lose the last commits when the power goes.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
            # What is erased is overwritten in the file as well.
            "PRAGMA secure_delete=ON;",
        },
    }


def _postgresql(url: str) -> dict[str, Any]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        # The error itself may show a part of a password that was written wrongly.
        raise _refuse("its host or its port cannot be read") from None
    if parts.scheme not in SCHEMES:
        raise _refuse("it does not begin with postgres://")
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name:
        raise _refuse("it names no database; write postgres://user@host/name")
    options = _options(parts)
    limits = dict(LIMITS)
    pool_mode = options.pop("pool_mode", "session")
    if pool_mode not in POOL_MODES:
        raise _refuse(f"its pool_mode is none of {', '.join(POOL_MODES)}")
    schema = options.pop("schema", "")
    if schema:
        if not (schema.isascii() and schema.isidentifier()):
            raise _refuse("its schema may have letters, digits and _ only")
        limits["search_path"] = schema
    if pool_mode == "session":
        options["options"] = " ".join(f"-c {name}={value}" for name, value in limits.items())
    elif schema:
        raise _refuse("a pooler by transactions keeps no schema apart; leave out schema")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        # A folder is the place of a server's socket.
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": str(port or ""),
        **_COMMON,
        "SCHEMA": schema,
        # A cursor of the server lives between two transactions, which may be of two servers.
        "DISABLE_SERVER_SIDE_CURSORS": pool_mode == "transaction",
        # A server that does not answer is away; libpq itself would wait for minutes.
        "OPTIONS": {"connect_timeout": "5", **options},
    }


def check_limits(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Check that the limits hold on a new connection: a pooler may have kept them back.

    Raises ImproperlyConfigured with what to do, and closes the connection, which Django would use
    for the next query.
    """
    if connection.vendor != "postgresql":
        return
    try:
        _check_settings(connection)
    except Exception:  # whatever it was, the connection was not found to be right
        connection.close()
        raise


def _check_settings(connection: BaseDatabaseWrapper) -> None:
    """Compare the server's settings with ours. Raises ImproperlyConfigured with what to do."""
    schema = connection.settings_dict.get("SCHEMA", "")
    wanted = {name: value.replace("\\", "") for name, value in LIMITS.items()}
    wanted |= {"search_path": schema} if schema else {}
    (found,) = connection.connection.execute(
        "SELECT array_agg(current_setting(name)) FROM unnest(%s::text[]) name", [[*wanted]]
    ).fetchone()
    wrong = {
        name: value
        for (name, value), is_there in zip(wanted.items(), found, strict=True)
        if value != is_there
    }
    if "search_path" in wrong:
        raise ImproperlyConfigured(
            f"A pooler such as PgBouncer holds back the schema {schema} of DATABASE_URL; take the"
            " address of the server itself."
        )
    if wrong:
        role = connection.settings_dict["USER"] or "painsuit"
        commands = " ".join(
            f"ALTER ROLE {role} SET {name} = '{value}';" for name, value in wrong.items()
        )
        raise ImproperlyConfigured(
            "The database does not keep our limits; a pooler such as PgBouncer holds them back."
            f" Set them for the role: {commands}"
        )


def _options(parts: SplitResult) -> dict[str, str]:
    found = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(set(found) - OPTIONS)
    if unknown:
        raise _refuse(f"it has the unknown option {unknown[0]!r}")
    if parts.fragment:
        raise _refuse("a # in a password is written %23")
    return found


def _refuse(why: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"DATABASE_URL is no address of a database: {why}.")
