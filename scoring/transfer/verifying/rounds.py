"""The nightly verification of all books, in parts that resume where the last one stopped."""

import time
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import structlog

from scoring.transfer.verifying.batches import (
    bundles,
    look_at_club,
    look_at_games,
    look_at_installation,
    look_at_standings,
)
from scoring.transfer.verifying.difference import Discrepancy
from tournaments import verifying as standings
from tournaments.models import Club

SECONDS: Final = 10.0
"""How long a part goes on taking games; a task must end well within its limit."""
_GAME, _CLUB, _STANDINGS = "game ", "club ", "standings "

log = structlog.get_logger(__name__)


def look_on(place: str, found: str, *, seconds: float = SECONDS) -> tuple[str, str]:
    """Look at the next games, then at clubs and standings; gives the place to go on from.

    ``found`` is the summary so far, and goes on with the place, which is empty at the end. Each
    difference is logged.

    >>> _counts("3 games, 40 hands, 1 differences.")
    (3, 40, 1)
    """
    games, hands, differing = _counts(found)
    until = time.monotonic() + seconds
    for at, more, further, wrong in _steps(place):
        games, hands, differing = games + more, hands + further, differing + wrong
        if time.monotonic() > until:
            return at, _summary(games, hands, differing)
    return "", _summary(games, hands, differing)


def _steps(place: str) -> Iterator[tuple[str, int, int, int]]:
    """One thing after another from a place on: where it was, games, hands, differences."""
    if not place.startswith((_CLUB, _STANDINGS)):
        after = UUID(place.removeprefix(_GAME)) if place else None
        for bundle in bundles(after=after):
            looked = look_at_games(bundle.games)
            yield f"{_GAME}{bundle.games[-1]}", looked.games, looked.hands, _log(looked.differences)
    if not place.startswith((_CLUB, _STANDINGS)):
        yield f"{_CLUB}{UUID(int=0)}", 0, 0, _log(look_at_installation())
    if not place.startswith(_STANDINGS):
        for club in _clubs(place):
            yield f"{_CLUB}{club}", 0, 0, _log(look_at_club(club))
    after = UUID(place.removeprefix(_STANDINGS)) if place.startswith(_STANDINGS) else None
    for number in standings.published_subjects(after=after):
        yield f"{_STANDINGS}{number}", 0, 0, _log(look_at_standings(number))


def _clubs(place: str) -> Iterator[UUID]:
    rows = Club.objects.order_by("pk").values_list("pk", flat=True)
    if place.startswith(_CLUB):
        rows = rows.filter(pk__gt=UUID(place.removeprefix(_CLUB)))
    yield from rows.iterator()


def _log(differences: tuple[Discrepancy, ...]) -> int:
    for difference in differences:
        log.error("the books differ", difference=str(difference))
    return len(differences)


def _summary(games: int, hands: int, differing: int) -> str:
    return f"{games} games, {hands} hands, {differing} differences."


def _counts(found: str) -> tuple[int, int, int]:
    numbers = [int(word) for word in found.split() if word.isdecimal()]
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else (0, 0, 0)
