"""The text in the two codes of a slip: for which table and which hand it was printed.

38 characters, all in a QR code of version 2 (25 squares a side), so that its squares are
large. Nothing personal is in it. Of identifiers and digests it has as many bits as tell apart what
one club could mix up.
"""

import hashlib
from base64 import b32decode, b32encode
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final
from uuid import UUID

from engine.core.messages import Message, MessageError
from engine.core.seats import DEFAULT_SEATS
from engine.rules.rules import Rules

FORMAT: Final = 1
"""The version of codes and layouts; another one is printed when either changes."""
_PREFIX = "PS"
_ID_BITS, _RULES_BITS = 40, 24
_FIELDS: Final = {
    "corner": 1,
    "players": 3,
    "installation": 16,
    "event": _ID_BITS,
    "table": _ID_BITS,
    "round": 8,
    "number": 12,
    "hand": 11,
    "rules": _RULES_BITS,
}
_CHECK_BITS = 20
_BITS = sum(_FIELDS.values()) + _CHECK_BITS
_SIGNS = _BITS // 5
_BYTES = 25
"""Those of 40 characters of base 32, which come without padding."""


class SlipCodeError(MessageError):
    """A code that cannot be read: of something else, of another version, or damaged."""


class OtherCodeError(SlipCodeError):
    """A code that is on something else than a score slip."""


class Corner(IntEnum):
    """The place of a code on its slip."""

    FIRST = 0
    """Above on the left."""
    LAST = 1
    """Below on the right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipCode:
    """A slip's origin; `short_id` gives ``event`` and ``table``, `short_digest` gives ``rules``.

    A blank slip has neither table nor hand: ``table``, ``number`` and ``hand`` are 0; so is
    ``round`` where nobody knows it. ``number`` is that of the table in its round, and ``hand`` that
    of the hand in its round. ``installation`` tells a slip of another club from one of a night that
    was removed.
    """

    installation: int
    event: int
    players: int
    rules: int
    table: int = 0
    round: int = 0
    number: int = 0
    hand: int = 0
    corner: Corner = Corner.FIRST

    @property
    def is_list(self) -> bool:
        """Whether this is no slip, but a page of a check-in list (`scoring.slips.check_in`)."""
        return not self.players

    @property
    def is_blank(self) -> bool:
        """Whether table and hand are marked on the slip."""
        return not self.hand

    def at(self, corner: Corner) -> "SlipCode":
        """The code at a corner of the same slip."""
        return replace(self, corner=corner)


def short_id(identifier: UUID) -> int:
    """The bits of an identifier that are in a code, which are random."""
    return identifier.int & (1 << _ID_BITS) - 1


def short_digest(rules: Rules) -> int:
    """The bits of the digest of rules that are in a code."""
    return int(rules.digest[: _RULES_BITS // 4], 16)


def write_code(code: SlipCode) -> str:
    """The text of a code. Raises ValueError for a number that has no room in it."""
    bits = 0
    for name, size in _FIELDS.items():
        value = int(getattr(code, name))
        if not 0 <= value < 1 << size:
            raise ValueError(f"{name} does not fit into {size} bits: {value}")
        bits = bits << size | value
    bits = bits << _CHECK_BITS | _check(bits)
    data = (bits << 8 * _BYTES - _BITS).to_bytes(_BYTES, "big")
    return f"{_PREFIX}{FORMAT}{b32encode(data).decode()[:_SIGNS]}"


def read_code(text: str) -> SlipCode:
    """Read what `write_code` wrote. Raises SlipCodeError."""
    version = text[len(_PREFIX) : len(_PREFIX) + 1]
    if not text.startswith(_PREFIX) or not version.isdecimal():
        raise OtherCodeError(Message("This is not the code of a score slip."))
    if version != str(FORMAT):
        raise SlipCodeError(
            Message(
                "This slip is of version {version}, and version {known} is read here. "
                "Print new slips.",
                version=version,
                known=FORMAT,
            )
        )
    damaged = Message("The code of this slip is damaged.")
    payload = text[len(_PREFIX) + 1 :]
    if len(payload) != _SIGNS:
        raise SlipCodeError(damaged)
    try:
        data = b32decode(payload + "A" * (8 * _BYTES // 5 - _SIGNS))
    except ValueError:
        raise SlipCodeError(damaged) from None
    bits = int.from_bytes(data, "big") >> 8 * _BYTES - _BITS
    bits, check = bits >> _CHECK_BITS, bits & (1 << _CHECK_BITS) - 1
    if check != _check(bits):
        raise SlipCodeError(damaged)
    values: dict[str, int] = {}
    for name, size in reversed(_FIELDS.items()):
        values[name] = bits & (1 << size) - 1
        bits >>= size
    if values["players"] and values["players"] not in DEFAULT_SEATS:  # nobody printed it
        raise SlipCodeError(damaged)
    corner = Corner(values.pop("corner"))
    return SlipCode(corner=corner, **values)


def _check(bits: int) -> int:
    digest = hashlib.sha256(f"{_PREFIX}{FORMAT}:{bits:x}".encode()).digest()
    return int.from_bytes(digest, "big") >> 256 - _CHECK_BITS
