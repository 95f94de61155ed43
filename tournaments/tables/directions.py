"""The order in which a line is drawn where scripts from the right stand in it (UAX 9, for names).

Explicit marks of direction are not honoured; who reads a name should see what was written.
"""

import unicodedata
from collections.abc import Sequence
from itertools import groupby

_STRONG = {"L": 0, "R": 1, "AL": 1}
_NUMBERS = frozenset({"EN", "AN"})


def levels(text: str) -> list[int]:
    """Say for each sign how deep it is embedded: odd ones are drawn from the right.

    >>> levels("abc"), levels("אב 12")
    ([0, 0, 0], [1, 1, 1, 2, 2])
    """
    kinds = [unicodedata.bidirectional(sign) for sign in text]
    base = next((_STRONG[kind] for kind in kinds if kind in _STRONG), 0)
    if base == 0 and not any(kind in ("R", "AL") for kind in kinds):
        return [0] * len(text)
    return _resolve_levels(kinds, base)


def _resolve_levels(kinds: Sequence[str], base: int) -> list[int]:
    found: list[int | None] = []
    last = base
    for kind in kinds:
        if kind in _STRONG:
            last = _STRONG[kind]
            found.append(2 if base and not last else last)
        elif kind in _NUMBERS:
            found.append(2 if base or last else 0)
        elif kind == "NSM" and found:
            found.append(found[-1])
        else:
            found.append(None)
    return _neutrals(found, base)


def _neutrals(found: Sequence[int | None], base: int) -> list[int]:
    """Give signs without a direction that of both neighbours, where these agree."""
    result: list[int] = []
    place = 0
    for is_neutral, run in groupby(found, key=lambda level: level is None):
        length = len(list(run))
        if is_neutral:
            before = result[-1] if result else base
            after = found[place + length] if place + length < len(found) else base
            level = before if before == after else base
            result.extend([level] * length)
        else:
            result.extend(level or 0 for level in found[place : place + length])
        place += length
    return result


def drawn_order(depths: Sequence[int]) -> list[int]:
    """Order runs for drawing from the left, by how deep each is embedded.

    >>> drawn_order([0, 1, 2, 1, 0])
    [0, 3, 2, 1, 4]
    """
    order = list(range(len(depths)))
    for depth in range(max(depths, default=0), 0, -1):
        runs = groupby(order, key=lambda place: depths[place] >= depth)
        order = [
            place for is_deep, run in runs for place in (reversed(list(run)) if is_deep else run)
        ]
    return order
