"""The engine's values as the database keeps them: short JSON, and back, exactly.

What is kept is derived, or a decision; records themselves are kept as text.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from engine.core.cards import Suit
from engine.core.seats import Seat
from engine.record.game_state import EndReason, GameState
from engine.record.irregularities import find_by_name
from engine.record.rulings import Decision, NextHand, Ruling

Plain = dict[str, Any]
_SHORT: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def dumps(value: Mapping[str, Any]) -> str:
    """JSON in its one short form, so that equal values are equal texts."""
    return _SHORT.encode(value)


def digest(text: str | bytes) -> str:
    """SHA-256, as 64 letters."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def write_state(state: GameState) -> str:
    """Return the state that the next hand inherits."""
    return dumps(
        {
            "dealer": state.dealer,
            "chips": state.chips,
            "bought": state.bought,
            "totals": state.totals,
            "tricks": state.tricks,
            "dealt": state.dealt,
            "pot": state.pot,
            "jackpot": state.jackpot,
            "namer": state.namer,
            "pain": None if state.pain is None else state.pain.letter,
            "deals": state.deals,
            "hands": state.hands,
            "feet": sorted(state.feet),
            "due": state.due,
            "over": state.over,
            "winner": state.winner,
        }
    )


def read_state(text: str) -> GameState:
    """The state that `write_state` wrote."""
    found: dict[str, Any] = json.loads(text)
    for name in ("chips", "totals", "tricks", "dealt"):
        found[name] = tuple(found[name])
    found["pain"] = _suit(found["pain"])
    found["feet"] = frozenset(Seat(seat) for seat in found["feet"])
    found["due"], found["over"] = _reason(found["due"]), _reason(found["over"])
    return GameState(**found)


def write_ruling(ruling: Ruling, *, text: str = "") -> str:
    """Return a decision as JSON, without what is at its default and without the director's words.

    Those stand where they can be erased (`Decided.facts`). ``text`` is a sentence of ours.
    """
    return dumps(ruling_data(replace(ruling, text=text)))


def ruling_data(ruling: Ruling) -> Plain:
    """A decision as plain data, without what is at its default."""
    differences = _differences(ruling, Ruling(decision=ruling.decision))
    differences["decision"] = str(ruling.decision)
    if ruling.code is not None:
        differences["code"] = ruling.code.name
    if ruling.then != NextHand():
        differences["then"] = _differences(ruling.then, NextHand())
        if ruling.then.feet is not None:
            differences["then"]["feet"] = sorted(ruling.then.feet)
        if ruling.then.pain is not None:
            differences["then"]["pain"] = ruling.then.pain.letter
    return differences


def read_ruling(text: str) -> Ruling:
    """The decision that `write_ruling` wrote."""
    return ruling_of(json.loads(text))


def ruling_of(found: Mapping[str, Any]) -> Ruling:
    """The decision of plain data."""
    values = dict(found)
    then = dict(values.pop("then", {}))
    if "feet" in then:
        then["feet"] = frozenset(Seat(seat) for seat in then["feet"])
    if "pain" in then:
        then["pain"] = _suit(then["pain"])
    code = values.pop("code", None)
    for name in ("offenders", "taken", "score", "chips"):
        if name in values:
            values[name] = tuple(values[name])
    decision = Decision.of(values.pop("decision"))
    return Ruling(
        decision=decision,
        code=None if code is None else find_by_name(code),
        then=NextHand(**then),
        **values,
    )


def _differences(value: Any, base: Any) -> Plain:
    found = {field.name: getattr(value, field.name) for field in fields(base)}
    return {name: mine for name, mine in found.items() if mine != getattr(base, name)}


def _suit(letter: str | None) -> Suit | None:
    return next((suit for suit in Suit if suit.letter == letter), None)


def _reason(word: str | None) -> EndReason | None:
    return None if word is None else EndReason(word)
