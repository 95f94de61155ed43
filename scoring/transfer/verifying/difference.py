import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """A stored value, and what it should be; ``game`` and ``hand`` where it is about one.

    ``club`` is None where that is what cannot be read, and beyond clubs.
    """

    club: UUID | None
    game: UUID | None = None
    hand: int | None = None
    what: str
    kept: str
    right: str

    def __str__(self) -> str:
        where = ["no club" if self.club is None else f"club {self.club}"]
        if self.game is not None:
            where.append(f"game {self.game}")
        if self.hand is not None:
            where.append(f"hand {self.hand}")
        return f"{', '.join(where)}: {self.what}: kept {self.kept}, right {self.right}"


def states_differ(kept: str, right: str) -> Iterator[tuple[str, str, str]]:
    """Yield differences of two states: the name, what is kept, what is right.

    >>> list(states_differ('{"pot": 3, "deals": 1}', '{"pot": 4, "deals": 1}'))
    [('pot', '3', '4')]
    >>> list(states_differ("nonsense", "{}"))
    [('state', "'nonsense'", "'{}'")]
    """
    if kept == right:
        return
    mine, theirs = _parse_object(kept), _parse_object(right)
    if mine is None or theirs is None or mine == theirs:
        yield "state", repr(kept), repr(right)
        return
    for name in sorted(mine.keys() | theirs.keys()):
        values = mine.get(name), theirs.get(name)
        if values[0] != values[1]:
            yield name, str(values[0]), str(values[1])


def _parse_object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
