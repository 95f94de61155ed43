"""The nightly round through all books, in parts: each knows where the one before it stopped."""

import time
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import structlog

from scoring.verifying.difference import Difference
from scoring.verifying.looking import bundles, look_at_club, look_at_games
from tournaments.models import Club

SECONDS: Final = 10.0
"""How long a part goes on taking games; a task must end well within its limit."""
_GAME, _CLUB = "game ", "club "

log = structlog.get_logger(__name__)


def look_on(place: str, found: str, *, seconds: float = SECONDS) -> tuple[str, str]:
    """Look at the next games, then at the clubs; gives the place to go on from and a summary.

    ``found`` is the summary so far. The place is empty at the end. Each difference is logged.

    >>> _counts("3 games, 40 hands, 1 differences.")
    (3, 40, 1)
    """
    games, hands, differing = _counts(found)
    until = time.monotonic() + seconds
    if not place.startswith(_CLUB):
        after = UUID(place.removeprefix(_GAME)) if place else None
        for bundle in bundles(after=after):
            looked = look_at_games(bundle.games)
            games, hands = games + looked.games, hands + looked.hands
            differing += _log(looked.differences)
            place = f"{_GAME}{bundle.games[-1]}"
            if time.monotonic() > until:
                return place, _summary(games, hands, differing)
    for club in _clubs(place):
        differing += _log(look_at_club(club))
        if time.monotonic() > until:
            return f"{_CLUB}{club}", _summary(games, hands, differing)
    return "", _summary(games, hands, differing)


def _clubs(place: str) -> Iterator[UUID]:
    rows = Club.objects.order_by("pk").values_list("pk", flat=True)
    if place.startswith(_CLUB):
        rows = rows.filter(pk__gt=UUID(place.removeprefix(_CLUB)))
    yield from rows.iterator()


def _log(differences: tuple[Difference, ...]) -> int:
    for one in differences:
        log.error("the books differ", difference=str(one))
    return len(differences)


def _summary(games: int, hands: int, differing: int) -> str:
    return f"{games} games, {hands} hands, {differing} differences."


def _counts(found: str) -> tuple[int, int, int]:
    numbers = [int(word) for word in found.split() if word.isdecimal()]
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else (0, 0, 0)
