"""The answers' shapes as OpenAPI components, read off the types that the code is checked by."""

import inspect
from datetime import date, datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict
from uuid import UUID

Schema = dict[str, Any]
PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    UUID: {"type": "string", "format": "uuid"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Any: {},
}
PROBLEM: Schema = {
    "type": "object",
    "description": "A request that could not be answered (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "where", "hint"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "where": {"type": ["object", "null"]},
        "hint": {"type": ["string", "null"]},
    },
}


_referred: dict[str, type] = {}


def reference(kind: type) -> Schema:
    """Where the schema of a type stands; a type that is referred to gets one."""
    assert _referred.setdefault(kind.__name__, kind) is kind, kind
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def components() -> dict[str, Schema]:
    """The schemas of all answers and of everything in them."""
    found: dict[str, Schema] = {"Problem": PROBLEM}
    for kind in tuple(_referred.values()):
        _collect(kind, found)
    return found


def _collect(kind: Any, found: dict[str, Schema]) -> None:
    if kind.__name__ in found:
        return
    hints = get_type_hints(kind)
    schema: Schema = {
        "type": "object",
        "required": [name for name in hints if name in kind.__required_keys__],
        "properties": {name: _schema(hint, found) for name, hint in hints.items()},
    }
    if words := inspect.getdoc(kind):
        schema["description"] = words
    found[kind.__name__] = schema


def _schema(hint: Any, found: dict[str, Schema]) -> Schema:
    if hint in PLAIN:
        return PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [str(one.value) for one in hint]}
    if is_typeddict(hint):
        found.setdefault(hint.__name__, {})  # holds the place while it is looked at
        if not found[hint.__name__]:
            del found[hint.__name__]
            _collect(hint, found)
        return reference(hint)
    return _compound(get_origin(hint), get_args(hint), found)


def _compound(origin: Any, arguments: tuple[Any, ...], found: dict[str, Schema]) -> Schema:
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], found)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], found)}
    assert origin in (UnionType, Union), origin
    schemas = [_schema(one, found) for one in arguments if one is not NoneType]
    return {"anyOf": [*schemas, {"type": "null"}]}


def add_components(result: Schema, **_generator: object) -> Schema:
    """Put the schemas where the operations refer to them; a hook of drf-spectacular."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result
