"""Rulings of a director as texts, for archives of clubs (notation.md 10).

A ruling is written as house rules are: the decision, then what is not at its default as pairs.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from ..core.cards import SUIT_OF_LETTER
from ..core.messages import Message
from ..core.seats import Seat
from ..record.irregularities import find_by_name
from ..record.rulings import Decision, NextHand, Ruling, RulingError

_NEXT: Final = "next-"


def format_ruling(ruling: Ruling, seats: Sequence[str]) -> str:
    """A ruling in one line; `parse_ruling` gives it back.

    >>> then = NextHand(jackpot=0)
    >>> ruling = Ruling(decision=Decision.REVOKE_LAW, offenders=(Seat(2),), then=then)
    >>> format_ruling(ruling, "NESW")
    'REVOKE_LAW;offenders=S;next-jackpot=0'
    >>> parse_ruling(format_ruling(ruling, "NESW"), "NESW") == ruling
    True
    """
    pairs = _pairs(ruling, Ruling(decision=ruling.decision), seats)
    pairs |= {_NEXT + name: text for name, text in _pairs(ruling.then, NextHand(), seats).items()}
    text = pairs.pop("text", None)
    if text is not None:
        # It may have any letters, and stands at the end.
        pairs["text"] = text
    return ";".join([ruling.decision, *(f"{name}={value}" for name, value in pairs.items())])


def _pairs(
    value: Ruling | NextHand, base: Ruling | NextHand, seats: Sequence[str]
) -> dict[str, str]:
    found = {}
    for field in fields(value):
        mine = getattr(value, field.name)
        if field.name not in ("decision", "then") and mine != getattr(base, field.name):
            found[field.name.replace("_", "-")] = _format(field.name, mine, seats)
    return found


def _format(name: str, value: Any, seats: Sequence[str]) -> str:
    match name:
        case "code":
            return str(value.name)
        case "offenders" | "feet":
            return " ".join(seats[seat] for seat in sorted(value)) or "-"
        case "queen" | "dealer" | "namer":
            return str(seats[value])
        case "taken" | "score" | "chips":
            return " ".join(map(str, value))
        case "pain":
            return str(value.letter)
        case "play_on":
            return "yes"
        case _:
            return str(value)


def parse_ruling(text: str, seats: Sequence[str]) -> Ruling:
    """The ruling of a text that `format_ruling` wrote. Raises RulingError for any other."""
    text, _, words = text.partition(";text=")
    decision, *pairs = text.split(";")
    try:
        made: dict[str, Any] = {"decision": Decision.of(decision)}
        then: dict[str, Any] = {}
        for pair in pairs:
            name, _, value = pair.partition("=")
            target, field = (then, name[len(_NEXT) :]) if name.startswith(_NEXT) else (made, name)
            field = field.replace("-", "_")
            target[field] = _parse(field, value, list(seats))
        return Ruling(**made, then=NextHand(**then), text=words)
    except (ValueError, KeyError, TypeError) as error:
        words = Message("{text} is no ruling that this program knows", text=repr(text))
        raise RulingError(words) from error


def _parse(name: str, value: str, seats: list[str]) -> object:
    match name:
        case "code":
            found = find_by_name(value)
            if found is None:
                raise RulingError(Message("{name} is no irregularity.", name=repr(value)))
            return found
        case "offenders" | "feet":
            some = [Seat(seats.index(seat)) for seat in value.split() if seat != "-"]
            return tuple(some) if name == "offenders" else frozenset(some)
        case "queen" | "dealer" | "namer":
            return Seat(seats.index(value))
        case "taken" | "score" | "chips":
            return tuple(map(int, value.split()))
        case "pain":
            return SUIT_OF_LETTER[value]
        case "play_on":
            return value == "yes"
        case _:
            return int(value)
