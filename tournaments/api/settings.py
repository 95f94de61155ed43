"""A field that takes settings: an object whose meaning somebody further in checks."""

import json
from dataclasses import dataclass
from typing import Any, Final

from tournaments.api.fields import Field, refuse
from tournaments.api.schema import Schema

LETTERS_MOST: Final = 20_000


@dataclass(frozen=True, kw_only=True)
class Settings(Field):
    """An object of settings by name, as JSON; the use case says what is wrong with one."""

    def _read(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise refuse("TYPE", key, "must be an object.")
        if len(json.dumps(value)) > LETTERS_MOST:
            raise refuse("VALUE", key, f"is longer than {LETTERS_MOST:,} characters.")
        return value

    @property
    def _schema(self) -> Schema:
        return {"type": "object", "additionalProperties": True}
