"""Prizes: how the money of an event is shared, as its organiser sets it (tournaments.md 7)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from engine.core.messages import Message
from tournaments.core.errors import RefusedError

WHOLE: Final = 10_000
"""The whole in basis points."""
MONEY_MAX: Final = 10**12
"""The highest amount that can be set, in minor units."""
PRIZES_MAX: Final = 500


class PrizeKind(StrEnum):
    """Kinds of prizes.

    PLACES: prizes in proportion (50, 30, 20 of whatever there is); FIXED: prizes of so much, the
    rest to the club; WINNER: everything to the winner; CHIPS: everybody by the chips held.
    """

    PLACES = "places"
    FIXED = "fixed"
    WINNER = "winner"
    CHIPS = "chips"


class Ties(StrEnum):
    """Ways in which players who share places share their prizes.

    AVERAGE: equal parts; NONE: each their own by the tie-break; HORT: half of it so, half so.
    """

    AVERAGE = "average"
    NONE = "none"
    HORT = "hort"


class PotLeft(StrEnum):
    """Uses of chips that lie in a pot at the end, where the pool goes by chips (Q25).

    EQUAL: everybody an equal part; PRO_RATA: by the chips held; CARRY: their worth is kept for
    the pot of the next session; HOUSE: it is the club's.
    """

    EQUAL = "equal"
    PRO_RATA = "pro_rata"
    CARRY = "carry"
    HOUSE = "house"


class OddUnits(StrEnum):
    """Uses of the odd units when tied winners share everything."""

    TIEBREAK = "tiebreak"
    CARRY = "carry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fee:
    """The club's fee from a pool before anybody else: a part of it, or so much a head.

    The part, in hundredths of a per cent, is rounded down to the minor unit, and is at least
    ``least`` and at most ``most``; no fee is more than the pool.
    """

    basis_points: int = 0
    per_head: int = 0
    least: int = 0
    most: int | None = None

    def of(self, pool: int, heads: int) -> int:
        """The fee of a pool that so many have paid into.

        >>> Fee(basis_points=500).of(8750, 7)
        437
        """
        if self.per_head:
            return min(self.per_head * heads, pool)
        part = max(pool * self.basis_points // WHOLE, self.least)
        return min(part, pool if self.most is None else self.most, pool)


@dataclass(frozen=True, kw_only=True)
class Prizes:
    """The prizes of an event; amounts in minor units.

    ``prizes`` are for the first, the second and so on: parts of the pool, or amounts if they
    are FIXED. Tied players share only where everybody gets at least ``threshold`` by it.

    Values are checked when it is made. Raises RefusedError naming the field.
    """

    kind: PrizeKind = PrizeKind.PLACES
    prizes: tuple[int, ...] = (50, 30, 20)
    ties: Ties = Ties.AVERAGE
    threshold: int = 0
    pot_left: PotLeft = PotLeft.EQUAL
    odd: OddUnits = OddUnits.TIEBREAK
    fee: Fee = Fee()

    def __post_init__(self) -> None:
        """Refuse what cannot be paid out."""
        listed = self.kind in (PrizeKind.PLACES, PrizeKind.FIXED)
        if listed and not 1 <= len(self.prizes) <= PRIZES_MAX:
            raise RefusedError(Message("There are 1 to {most} prizes.", most=PRIZES_MAX), "prizes")
        if any(below > above for above, below in pairwise(self.prizes)):
            raise RefusedError(
                Message("No place has a bigger prize than the one before it."), "prizes"
            )
        for prize in self.prizes:
            _check_money("prizes", prize, 1)
        _check_money("threshold", self.threshold)
        _check_fee(self.fee)

    @cached_property
    def digest(self) -> str:
        """A stable hash of the values: 64 hexadecimal digits."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """All values as JSON, the same bytes for the same prizes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> "Prizes":
        """The prizes that `to_json` wrote; what is not said is as usual.

        >>> Prizes.from_json('{"kind": "winner"}').kind
        <PrizeKind.WINNER: 'winner'>

        Raises RefusedError naming the field.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        return _prizes_from_json(_object("prizes", values))


_MONEY_SCHEMA: Final = {"type": "integer", "minimum": 0, "maximum": MONEY_MAX}
PRIZES_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": [str(one) for one in PrizeKind]},
        "prizes": {
            "type": "array",
            "items": {**_MONEY_SCHEMA, "minimum": 1},
            "minItems": 1,
            "maxItems": PRIZES_MAX,
            "description": "For the first, the second and so on: parts of the pool, or amounts.",
        },
        "ties": {"type": "string", "enum": [str(tie) for tie in Ties]},
        "threshold": {
            **_MONEY_SCHEMA,
            "description": "Tied players share where everybody gets at least this by it.",
        },
        "pot_left": {"type": "string", "enum": [str(one) for one in PotLeft]},
        "odd": {"type": "string", "enum": [str(odd_unit) for odd_unit in OddUnits]},
        "fee": {
            "type": "object",
            "properties": {
                "basis_points": {"type": "integer", "minimum": 0, "maximum": WHOLE},
                "per_head": _MONEY_SCHEMA,
                "least": _MONEY_SCHEMA,
                "most": {"anyOf": [_MONEY_SCHEMA, {"type": "null"}]},
            },
            "additionalProperties": False,
            "description": "What the club takes: a part of the pool, or so much a head.",
        },
    },
    "additionalProperties": False,
}
"""What `Prizes.from_json` reads (JSON Schema)."""


def _check_money(field: str, amount: int, least: int = 0) -> None:
    if not least <= amount <= MONEY_MAX:
        raise RefusedError(
            Message(
                "An amount must be {least} to {most} minor units.", least=least, most=MONEY_MAX
            ),
            field,
        )


def _check_fee(fee: Fee) -> None:
    if not 0 <= fee.basis_points <= WHOLE:
        raise RefusedError(
            Message("The part of the club is 0 to 10000 basis points."), "fee.basis_points"
        )
    if fee.per_head and (fee.basis_points or fee.least or fee.most is not None):
        raise RefusedError(
            Message("The fee is a part of the pool or so much a head."), "fee.per_head"
        )
    for field in ("per_head", "least"):
        _check_money(f"fee.{field}", getattr(fee, field))
    if fee.most is not None:
        _check_money("fee.most", fee.most)
        if fee.most < fee.least:
            raise RefusedError(Message("The most is below the least."), "fee.most")


def _prizes_from_json(values: Mapping[str, Any]) -> Prizes:
    _check_names("", values, Prizes)
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name in _CHOICES:
            made[name] = _choice(name, value, _CHOICES[name])
        elif name == "prizes":
            if not isinstance(value, list):
                raise RefusedError(Message("A list of prizes is needed."), name)
            made[name] = tuple(_whole(name, prize) for prize in value)
        elif name == "fee":
            made[name] = _fee(_object(name, value))
        else:
            made[name] = _whole(name, value)
    return Prizes(**made)


_CHOICES: Final[Mapping[str, type[StrEnum]]] = {
    "kind": PrizeKind,
    "ties": Ties,
    "pot_left": PotLeft,
    "odd": OddUnits,
}


def _fee(values: Mapping[str, Any]) -> Fee:
    _check_names("fee.", values, Fee)
    made = {
        name: None if name == "most" and value is None else _whole(f"fee.{name}", value)
        for name, value in values.items()
    }
    return Fee(**made)  # type: ignore[arg-type]


def _object(field: str, values: object) -> Mapping[str, Any]:
    if not isinstance(values, dict):
        raise RefusedError(Message("A JSON object is needed."), field)
    return values


def _check_names(inside: str, values: Mapping[str, Any], cls: type[Prizes] | type[Fee]) -> None:
    known = {item.name for item in fields(cls)}
    for name in values:
        if name not in known:
            raise RefusedError(Message("Prizes have no such setting."), f"{inside}{name}")


def _choice(field: str, value: object, kind: type[StrEnum]) -> StrEnum:
    words = [str(one) for one in kind]
    if value not in words:
        raise RefusedError(Message("Must be one of {words}.", words=", ".join(words)), field)
    return kind(value)


def _whole(field: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(Message("A whole number is needed."), field)
    return value
