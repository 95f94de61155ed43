"""What a text holds, found without the reader: to see that nothing gets lost between two texts."""

import re
from collections import Counter

_PARTS = re.compile(
    r"""
      ^%(?P<escape>[^\n]*)
    | \{(?P<comment>[^}]*)\}
    | ;(?P<rest>[^\n]*)
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\]
    | (?P<string>"(?:\\.|[^"\\\n])*")
    | (?P<word>[^\s\[\]{};"]+)
    | (?P<odd>\S)
    """,
    re.VERBOSE | re.MULTILINE,
)

Inventory = Counter[tuple[str, ...]]


def inventory(text: str) -> Inventory:
    """The tag pairs, comments, escapes and section tokens of a text, with their numbers."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Counter(_part(found) for found in _PARTS.finditer(text))


def _part(found: re.Match[str]) -> tuple[str, ...]:
    if found["name"] is not None:
        return ("tag", found["name"], re.sub(r"\\(.)", r"\1", found["value"]))
    if found["comment"] is not None:
        return ("comment", found["comment"])
    if found["rest"] is not None:
        return ("comment", found["rest"].replace("}", ")"))
    kind = found.lastgroup
    assert kind is not None
    return (kind, found[0])


def lost(source: str, written: str) -> Inventory:
    """What stands in the source and not in what was written."""
    return inventory(source) - inventory(written)


def gained(source: str, written: str) -> Inventory:
    """What was written and does not stand in the source, but for what every file gets."""
    added = inventory(written) - inventory(source)
    return Counter(
        {
            part: number
            for part, number in added.items()
            if part != ("escape", "% PHN 1.0") and (part[0] != "tag" or part[2] not in ("", "?"))
        }
    )
