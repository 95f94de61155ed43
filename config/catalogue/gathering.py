"""Gathering: what is said now, with what is translated of it already."""

from collections.abc import Iterable
from dataclasses import replace

from config.catalogue.messages import HEAD, Key, Message, Messages


def gathered(found: Iterable[Message], known: Messages) -> dict[Key, Message]:
    """Every message once, with all its places; nothing that is not said any longer."""
    said: dict[Key, Message] = {HEAD: known[HEAD]} if HEAD in known else {}
    for one in found:
        before = said.get(one.key, one)
        places = tuple(sorted({*before.places, *one.places}))
        said[one.key] = replace(before, plural=before.plural or one.plural, places=places)
    return {key: one if key == HEAD else _kept(one, known.get(key)) for key, one in said.items()}


def _kept(one: Message, known: Message | None) -> Message:
    forms = 2 if one.plural else 1
    if known is None or known.plural != one.plural or len(known.texts) != forms:
        return replace(one, texts=("",) * forms)
    return replace(one, texts=known.texts, is_fuzzy=known.is_fuzzy)
