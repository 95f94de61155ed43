"""Fields of a request: strict readers of one value each, which also describe themselves.

A value has the type that is asked for, or the request is refused: no number for a text, no "7"
for a 7, no truth value for a 1. A form takes the keys that it knows and no others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final
from uuid import UUID

from tournaments.api.problems import ProblemError
from tournaments.api.schema import Schema

ERRORS_MOST: Final = 20
_UNSEEN: Final = frozenset("\u200b\u200e\u200f\u2028\u2029\u2060\ufeff") | frozenset(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters that nobody sees and that let one name look like another."""


def refuse(code: str, key: str, words: str, hint: str = "") -> ProblemError:
    """What is wrong with the value under a key."""
    return ProblemError(code, f"{key!r} {words}" if key else words, where={"key": key}, hint=hint)


@dataclass(frozen=True, kw_only=True)
class Field:
    """One value of a request.

    ``required``: it must be there. ``nullable``: null is a value. ``words`` describe it.
    """

    required: bool = True
    nullable: bool = False
    words: str = ""

    def read(self, value: Any, key: str) -> Any:
        """The value, of the right type. Raises ProblemError naming the key."""
        if value is None and self.nullable:
            return None
        return self._read(value, key)

    def of_text(self, text: str, key: str) -> Any:
        """The value that stands in an address."""
        return self.read(text, key)

    @property
    def schema(self) -> Schema:
        """The field as JSON Schema."""
        found = dict(self._schema)
        if self.nullable:
            found = {**found, "type": [found["type"], "null"]}
            if "enum" in found:
                found["enum"] = [*found["enum"], None]
        return {**found, "description": self.words} if self.words else found

    def _read(self, value: Any, key: str) -> Any:
        raise NotImplementedError

    @property
    def _schema(self) -> Schema:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Text(Field):
    """A line of text (``lines``: or many), at most so long, blanks around it left out.

    ``raw`` leaves it as it is: a password, a record.
    """

    most: int = 200
    least: int = 1
    lines: bool = False
    raw: bool = False

    def _read(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise refuse("TYPE", key, "must be a string.")
        text = value if self.raw else value.strip()
        _check_characters(text, key, lines=self.lines, raw=self.raw)
        if len(text) > self.most:
            raise refuse("VALUE", key, f"has {len(text):,} characters; {self.most:,} are possible.")
        if len(text) < self.least:
            least = "must not be empty." if self.least == 1 else f"needs {self.least} characters."
            raise refuse("VALUE", key, least)
        return text

    @property
    def _schema(self) -> Schema:
        schema: Schema = {"type": "string", "maxLength": self.most}
        return {**schema, "minLength": self.least} if self.least else schema


def _check_characters(text: str, key: str, *, lines: bool, raw: bool) -> None:
    if text.isprintable() or (raw and _is_clean(text)):
        return  # nearly all texts, and every long one
    for at, sign in enumerate(text):
        if "\ud800" <= sign <= "\udfff":
            words = f"holds half a surrogate pair at character {at}."
            raise refuse("ENCODING", key, words)
        if sign == "\0":
            raise refuse("VALUE", key, f"holds a NUL at character {at}.")
        if raw or (lines and sign in "\n\r\t"):
            continue
        if sign < " " or "\x7f" <= sign <= "\x9f" or sign in _UNSEEN:
            raise refuse("VALUE", key, f"holds U+{ord(sign):04X} at character {at}.")


def _is_clean(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


@dataclass(frozen=True, kw_only=True)
class Whole(Field):
    """A whole number in a range."""

    least: int = 0
    most: int = 10**15

    def _read(self, value: Any, key: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise refuse("TYPE", key, "must be a whole number.")
        if not self.least <= value <= self.most:
            raise refuse("NUMBER_RANGE", key, f"must be from {self.least} to {self.most}.")
        return value

    def of_text(self, text: str, key: str) -> int:
        digits = text.removeprefix("-")
        # int() would also take "1_000", " 7 " and the digits of other alphabets.
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
            raise refuse("VALUE", key, "must be a whole number.")
        return self._read(int(text), key)

    @property
    def _schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    """Yes or no."""

    def _read(self, value: Any, key: str) -> bool:
        if not isinstance(value, bool):
            raise refuse("TYPE", key, "must be true or false.")
        return value

    def of_text(self, text: str, key: str) -> bool:
        if text not in ("true", "false"):
            raise refuse("VALUE", key, "must be true or false.")
        return text == "true"

    @property
    def _schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, kw_only=True)
class Identifier(Field):
    """A UUID, written with hyphens."""

    def _read(self, value: Any, key: str) -> UUID:
        if not isinstance(value, str):
            raise refuse("TYPE", key, "must be a string.")
        found = uuid_of(value)
        if found is None:
            raise refuse("VALUE", key, "is not a UUID.")
        return found

    @property
    def _schema(self) -> Schema:
        return {"type": "string", "format": "uuid"}


def uuid_of(text: str) -> UUID | None:
    """The UUID that is written so, with hyphens and nothing around it."""
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.lower() else None


@dataclass(frozen=True, kw_only=True)
class OneOf(Field):
    """One of some words."""

    of: tuple[str, ...]

    def _read(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise refuse("TYPE", key, "must be a string.")
        if value not in self.of:
            words = f"cannot be {value[:40]!a}."
            raise refuse("VALUE", key, words, _near(value, self.of))
        return value

    @property
    def _schema(self) -> Schema:
        return {"type": "string", "enum": list(self.of)}


def _near(written: str, known: Iterable[str]) -> str:
    words = [str(word) for word in known]
    near = get_close_matches(written[:60], words, 1)
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(words) or 'none'}."


@dataclass(frozen=True, kw_only=True)
class Moment(Field):
    """A date and a time that says its zone, as 2026-11-21T20:15:00Z."""

    def _read(self, value: Any, key: str) -> datetime:
        if not isinstance(value, str):
            raise refuse("TYPE", key, "must be a string.")
        try:
            found = datetime.fromisoformat(value) if value.isascii() else None
        except ValueError:
            found = None
        # The first and the last year have no room for a time zone.
        if found is None or found.tzinfo is None or not 1 < found.year < 9999 or "T" not in value:
            hint = "As 2026-11-21T20:15:00Z."
            raise refuse("VALUE", key, "is not a time with its zone.", hint)
        return found

    @property
    def _schema(self) -> Schema:
        return {"type": "string", "format": "date-time"}


@dataclass(frozen=True, kw_only=True)
class ListOf(Field):
    """A list of values of one kind."""

    of: Field
    most: int = 100
    least: int = 0

    def _read(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list):
            raise refuse("TYPE", key, "must be a list.")
        if not self.least <= len(value) <= self.most:
            words = f"has {len(value):,} entries; {self.least} to {self.most:,} are possible."
            raise refuse("VALUE", key, words)
        return [self.of.read(one, f"{key}.{at}") for at, one in enumerate(value)]

    @property
    def _schema(self) -> Schema:
        schema = {"type": "array", "items": self.of.schema, "maxItems": self.most}
        return {**schema, "minItems": self.least} if self.least else schema


@dataclass(frozen=True, kw_only=True)
class Mapped(Field):
    """An object whose keys are free and whose values are of one kind."""

    of: Field
    most: int = 100
    keys: Text = Text(most=60)

    def _read(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise refuse("TYPE", key, "must be an object.")
        if len(value) > self.most:
            raise refuse("VALUE", key, f"has {len(value):,} entries; {self.most:,} are possible.")
        return {
            self.keys.read(name, f"{key}.{name[:60]}"): self.of.read(one, f"{key}.{name[:60]}")
            for name, one in value.items()
        }

    @property
    def _schema(self) -> Schema:
        schema = {"type": "object", "additionalProperties": self.of.schema}
        return {**schema, "maxProperties": self.most}


@dataclass(frozen=True, kw_only=True)
class Form(Field):
    """An object with certain keys. A key that is left out is left out of what is read."""

    fields: Mapping[str, Field] = field(default_factory=dict)

    def _read(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise refuse("TYPE", key, "must be an object.")
        return self._fields(value, f"{key}." if key else "", written=False)

    def of_query(self, pairs: Mapping[str, list[str]]) -> dict[str, Any]:
        """What stands in the address after the question mark, each key once."""
        for key, texts in pairs.items():
            if len(texts) > 1:
                raise refuse("KEY_TWICE", key[:60], "stands twice in the address.")
        return self._fields({key: texts[0] for key, texts in pairs.items()}, "", written=True)

    def _fields(self, value: Mapping[str, Any], path: str, *, written: bool) -> dict[str, Any]:
        faults = list(self._keys(value, path))
        found = {}
        for name, kind in self.fields.items():
            if name not in value:
                continue
            try:
                read = kind.of_text if written else kind.read
                found[name] = read(value[name], path + name)
            except ProblemError as error:
                faults.append(error)
        if faults:
            raise _all_of(faults)
        return found

    def _keys(self, value: Mapping[str, Any], path: str) -> Iterable[ProblemError]:
        for name in value:
            if name not in self.fields:
                shown = path + name[:60].encode("ascii", "backslashreplace").decode()
                yield refuse("KEY_UNKNOWN", shown, "is not known.", _near(name, self.fields))
        for name, kind in self.fields.items():
            if kind.required and name not in value:
                yield refuse("KEY_REQUIRED", path + name, "is missing.")

    @property
    def _schema(self) -> Schema:
        schema: Schema = {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: kind.schema for name, kind in self.fields.items()},
        }
        required = [name for name, kind in self.fields.items() if kind.required]
        return {**schema, "required": required} if required else schema


def _all_of(faults: list[ProblemError]) -> ProblemError:
    """The first, with all of them by field where there are several."""
    first = faults[0]
    if len(faults) > 1:
        first.more["errors"] = [
            {"code": one.code, "detail": one.words, "where": one.where, "hint": one.hint or None}
            for one in faults[:ERRORS_MOST]
        ]
    return first


def form(**fields: Field) -> Form:
    """A form with these keys.

    >>> form(name=Text()).read({"name": " Nora "}, "")
    {'name': 'Nora'}
    """
    return Form(fields=fields)


def changes(whole: Form) -> Form:
    """The same form for a change: every key may be left out."""
    loose = {name: replace(kind, required=False) for name, kind in whole.fields.items()}
    return Form(fields=loose)
