"""Settings of ratings: numbers of the model, exact, as a club keeps them (tournaments.md 6)."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from engine.core.messages import Message
from tournaments.core.errors import RefusedError

_NUMBER: Final = re.compile(r"\d{1,6}(?:[./]\d{1,6})?", re.ASCII)
_GAMES_MAX: Final = 1000


@dataclass(frozen=True, kw_only=True)
class RatingSettings:
    """A newcomer's rating, the amount of luck, and the way a rating is shown.

    ``mu`` and ``sigma`` are a newcomer's skill and its uncertainty, ``beta`` the luck of one
    game, ``tau`` the uncertainty that every game adds, ``kappa`` the least part of a variance
    that a game leaves. Shown is ``base + scale * mu`` with its 90 % band, as provisional while the
    band is wider than the ``provisional`` part of a newcomer's, and to others only after
    ``shown_after`` games.

    Values are checked when it is made. Raises RefusedError naming the field.
    """

    mu: Fraction = Fraction(25)
    sigma: Fraction = Fraction(25, 3)
    beta: Fraction = Fraction(10)
    tau: Fraction = Fraction(1, 12)
    kappa: Fraction = Fraction(1, 10_000)
    base: Fraction = Fraction(500)
    scale: Fraction = Fraction(40)
    provisional: Fraction = Fraction(7, 10)
    shown_after: int = 10

    def __post_init__(self) -> None:
        """Refuse what would divide by zero, or run away within a season of games."""
        for field, bad, message in (
            ("beta", self.beta <= 0, Message("Luck must be above 0.")),
            (
                "mu",
                not 0 <= self.mu <= 100 * self.beta,
                Message("Skill must be 0 to 100 times the luck."),
            ),
            (
                "sigma",
                not 0 < self.sigma <= 10 * self.beta,
                Message("Must be above 0, to 10 times beta."),
            ),
            ("tau", not 0 <= self.tau <= self.sigma, Message("Must be 0 to sigma.")),
            ("kappa", not 0 < self.kappa < 1, Message("Must be between 0 and 1.")),
            ("base", self.base < 0, Message("Must not be below 0.")),
            ("scale", self.scale <= 0, Message("Must be above 0.")),
            ("provisional", self.provisional < 0, Message("Must not be below 0.")),
            (
                "shown_after",
                not 0 <= self.shown_after <= _GAMES_MAX,
                Message("Must be 0 to 1000 games."),
            ),
        ):
            if bad:
                raise RefusedError(message, field)

    @cached_property
    def digest(self) -> str:
        """A stable hash of the values: 64 hexadecimal digits."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """All values as JSON, the same bytes for the same settings."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        written = {name: one if name in _WHOLE else str(one) for name, one in values.items()}
        return json.dumps(written, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> "RatingSettings":
        """The settings that `to_json` wrote; what is not said is as usual.

        >>> RatingSettings.from_json('{"beta": "25/6"}').beta
        Fraction(25, 6)

        Raises RefusedError naming the field.
        """
        try:
            values = json.loads(text, parse_float=str)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise RefusedError(Message("Settings of ratings are a JSON object."), "ratings")
        return settings_from_json(values)


def settings_from_json(values: Mapping[str, Any]) -> RatingSettings:
    """Settings from what JSON holds. Raises RefusedError naming the field."""
    known = {item.name for item in fields(RatingSettings)}
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise RefusedError(Message("Ratings have no such setting."), name)
        made[name] = _whole(name, value) if name in _WHOLE else _exact(name, value)
    return RatingSettings(**made)


_WHOLE: Final = ("shown_after",)


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(Message("A whole number is needed."), name)
    return value


def _exact(name: str, value: object) -> Fraction:
    """A number from 7, "7", "0.5" or "25/3"."""
    text = str(value)
    if isinstance(value, bool) or not _NUMBER.fullmatch(text):
        raise RefusedError(Message('A number like 7, "0.5" or "25/3" is needed.'), name)
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise RefusedError(Message("Nothing is divided by 0."), name) from None
