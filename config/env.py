"""Typed readers of the environment; nonsense stops the start with a sentence naming it.

Every secret `NAME` may instead come from a file that `NAME_FILE` points to (Docker, systemd).
"""

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Collection
from pathlib import Path
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off", ""})


def env_bool(name: str, *, default: bool) -> bool:
    raw = os.environ.get(name)
    if raw is None:
        return default
    word = raw.strip().lower()
    if word not in YES | NO:
        raise ImproperlyConfigured(f"{name}={raw!r} is neither yes nor no; write 1 or 0.")
    return word in YES


def env_int(name: str, *, default: int, low: int, high: int) -> int:
    raw = os.environ.get(name)
    if raw is None:
        return default
    # int() alone would also take "1_000", " 7 " and other alphabets' digits.
    digits = raw.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or not low <= int(raw) <= high:
        raise ImproperlyConfigured(f"{name}={raw!r} is not a whole number from {low} to {high}.")
    return int(raw)


def env_str(name: str, *, default: str, among: Collection[str] = ()) -> str:
    value = os.environ.get(name, default)
    if among and value not in among:
        raise ImproperlyConfigured(f"{name}={value!r} is not one of: {', '.join(sorted(among))}.")
    return value


def env_zone(name: str, *, default: str) -> str:
    """Read a time zone by its IANA name."""
    value = os.environ.get(name, default)
    if value not in available_timezones() | {default}:
        raise ImproperlyConfigured(f"{name}={value!r} is no time zone; write Europe/Amsterdam.")
    return value


def env_list(name: str, *, default: Collection[str] = ()) -> list[str]:
    """Read a comma-separated list; spaces around the commas do not matter."""
    raw = os.environ.get(name)
    if raw is None:
        return list(default)
    return [part.strip() for part in raw.split(",") if part.strip()]


def env_address(name: str) -> tuple[str, int] | None:
    """Read `host:port`; None when it is not set."""
    raw = os.environ.get(name)
    if raw is None:
        return None
    host, _, port = raw.strip().rpartition(":")
    is_port = port.isascii() and port.isdecimal() and 0 < int(port[:6]) <= 65535
    if not host or not is_port or "/" in raw or "@" in raw:
        raise ImproperlyConfigured(f"{name}={raw!r} is not a host and a port; write host:3128.")
    return host.strip("[]"), int(port)


def env_uri(name: str) -> str:
    """Read a `mailto:` or `https:` address; empty when it is not set."""
    value = os.environ.get(name, "").strip()
    if value and (not value.startswith(("mailto:", "https://")) or not value.isprintable()):
        raise ImproperlyConfigured(f"{name}={value!r}: write mailto:somebody@club.example.")
    return value


def env_origin(name: str) -> str:
    """Read `https://club.example` or `http://192.168.0.7:8000`; empty when it is not set."""
    value = os.environ.get(name, "").strip().rstrip("/")
    if value and not re.fullmatch(r"https?://(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?", value):
        raise ImproperlyConfigured(f"{name}={value!r}: write https://club.example, without a path.")
    return value


def env_path(name: str, *, default: Path) -> Path:
    raw = os.environ.get(name)
    if raw is None:
        return default
    if not raw.strip():
        raise ImproperlyConfigured(f"{name} is empty; name a folder or leave it unset.")
    return Path(raw).expanduser().resolve()


def env_secret(name: str, *, least: int = 1) -> str | None:
    """Read a secret from `name` or from the file in `name`_FILE; None when neither is set."""
    direct, path = os.environ.get(name), os.environ.get(f"{name}_FILE")
    if direct is not None and path is not None:
        raise ImproperlyConfigured(f"Set {name} or {name}_FILE, not both.")
    value = direct if path is None else _read_secret(f"{name}_FILE", Path(path))
    if value is not None:
        check_length(name, value, least)
    return value


def env_key(name: str, *, size: int) -> str | None:
    """Read a secret key of so many bytes, as URL-safe base64 without its padding."""
    value = env_secret(name)
    if value is not None:
        check_key(name, value, size)
    return value


def check_length(name: str, secret: str, least: int) -> None:
    """Raise ImproperlyConfigured, naming the setting or file, for a secret that is too short."""
    if len(secret) < least:
        raise ImproperlyConfigured(f"{name} must have at least {least} characters.")


def check_key(name: str, key: str, size: int) -> None:
    """Raise ImproperlyConfigured, naming the setting or file, for no key of so many bytes."""
    try:
        is_key = len(urlsafe_b64decode(key + "=" * (-len(key) % 4))) == size
    except ValueError:
        is_key = False
    if not is_key:
        raise ImproperlyConfigured(f"{name} must be {size} bytes in URL-safe base64.")


def _read_secret(name: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}={path} cannot be read: {error}") from error
