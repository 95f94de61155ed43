"""Messages, and the files that hold them: .po for people, .mo for the service (GNU gettext)."""

import ast
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

_MAGIC: Final = 0x950412DE
_FIELD: Final = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?) (".*")')


class Key(NamedTuple):
    """By which a message is found; ``context`` is empty where its words say enough."""

    id: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that is said. ``texts`` has a form for each kind of number; ``places`` are files.

    ``is_fuzzy``: somebody has to look at it again.
    """

    key: Key
    plural: str = ""
    texts: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    is_fuzzy: bool = False

    @property
    def is_translated(self) -> bool:
        """Whether every form is there."""
        return bool(self.texts) and all(self.texts)


Messages = Mapping[Key, Message]
HEAD: Final = Key("")


def read(path: Path) -> dict[Key, Message]:
    """The messages of a .po file, with its head. Raises ValueError for a line that is none."""
    found = {}
    if path.exists():
        for block in path.read_text("utf-8").split("\n\n"):
            message = _read(block)
            if message is not None:
                found[message.key] = message
    return found


def _read(block: str) -> Message | None:
    fields: dict[str, str] = {}
    places: list[str] = []
    name, is_fuzzy = "", False
    for line in block.splitlines():
        begun = _FIELD.fullmatch(line)
        if begun:
            name = begun[1]
            fields[name] = ast.literal_eval(begun[2])
        elif line.startswith('"'):
            fields[name] += ast.literal_eval(line)
        elif line.startswith("#: "):
            places.append(line[3:])
        elif line.startswith("#,"):
            is_fuzzy = "fuzzy" in line
        elif line and not line.startswith("#"):
            raise ValueError(line)
    if "msgid" not in fields:
        return None
    key = Key(fields["msgid"], fields.get("msgctxt", ""))
    texts = tuple(text for name, text in fields.items() if name.startswith("msgstr"))
    return Message(key, fields.get("msgid_plural", ""), texts, tuple(places), is_fuzzy)


def written(messages: Messages) -> str:
    """A .po file: the head, then by what is said."""
    return "\n".join("\n".join(_lines(messages[key])) + "\n" for key in sorted(messages))


def _lines(message: Message) -> Iterator[str]:
    yield from (f"#: {place}" for place in message.places)
    if message.key.context:
        yield f"msgctxt {_quoted(message.key.context)}"
    yield f"msgid {_quoted(message.key.id)}"
    if message.plural:
        yield f"msgid_plural {_quoted(message.plural)}"
        yield from (f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(message.texts))
    else:
        yield f"msgstr {_quoted(message.texts[0] if message.texts else '')}"


def _quoted(text: str) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return _literal(text)
    return "\n".join(['""', *map(_literal, lines)])


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def compiled(messages: Iterable[Message]) -> bytes:
    """A .mo file of what is translated; the same messages, the same bytes."""
    pairs = sorted(
        (_bytes_of(one), "\0".join(one.texts).encode()) for one in messages if one.is_translated
    )
    offset = 7 * 4
    start = offset + 16 * len(pairs)
    tables: list[list[int]] = [[], []]
    texts = b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += [len(pair[column]), start + len(texts)]
            texts += pair[column] + b"\0"
    numbers = [*tables[0], *tables[1]]
    head = (_MAGIC, 0, len(pairs), offset, offset + 8 * len(pairs), 0, start)
    return struct.pack(f"<7I{len(numbers)}I", *head, *numbers) + texts


def _bytes_of(message: Message) -> bytes:
    context = f"{message.key.context}\x04" if message.key.context else ""
    plural = f"\0{message.plural}" if message.plural else ""
    return f"{context}{message.key.id}{plural}".encode()
