"""Gathering: what is said now, with what is translated of it already."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from config.catalogue.messages import HEAD, Key, Message, Messages

_FIELD: Final = re.compile(r"\{(\w*)(?:![rs])?\}")


def carried(known: Messages) -> dict[str, Message]:
    """Translations of patterns with numbered fields, by the template with the fields counted."""
    return {_counted(key.id): one for key, one in known.items() if one.is_translated}


def gathered(
    found: Iterable[Message], known: Messages, old: Mapping[str, Message] | None = None
) -> dict[Key, Message]:
    """Every message once, with all its places; nothing that is not said any longer.

    ``old`` are translations of the numbered pattern that a named template was.
    """
    said: dict[Key, Message] = {HEAD: known[HEAD]} if HEAD in known else {}
    for one in found:
        before = said.get(one.key, one)
        places = tuple(sorted({*before.places, *one.places}))
        said[one.key] = replace(before, plural=before.plural or one.plural, places=places)
    return {
        key: one if key == HEAD else _carried(_kept(one, known.get(key)), old or {})
        for key, one in said.items()
    }


def _counted(template: str) -> str:
    count = iter(range(len(template)))
    return _FIELD.sub(lambda _field: f"{{{next(count)}}}", template)


def _carried(one: Message, old: Mapping[str, Message]) -> Message:
    if one.is_translated or one.key.context:
        return one
    forms = (one.key.id, one.plural) if one.plural else (one.key.id,)
    texts = [_renamed(form, old.get(_counted(form))) for form in forms]
    return replace(one, texts=tuple(texts)) if all(texts) else one


def _renamed(template: str, known: Message | None) -> str:
    """The translation of a pattern with the fields of the template that took its place."""
    if known is None:
        return ""
    was = _FIELD.findall(known.key.id)
    fields = dict(zip(was, (found[0] for found in _FIELD.finditer(template)), strict=False))
    return _FIELD.sub(lambda field: fields.get(field[1], field[0]), known.texts[0])


def _kept(one: Message, known: Message | None) -> Message:
    forms = 2 if one.plural else 1
    if known is None or known.plural != one.plural or len(known.texts) != forms:
        return replace(one, texts=("",) * forms)
    return replace(one, texts=known.texts, is_fuzzy=known.is_fuzzy)
