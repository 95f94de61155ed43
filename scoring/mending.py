"""Mending: kept sums that are not those of their results are made anew, and the trail says so."""

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction

from scoring.settlement.plan import lock
from tournaments import audit, kept
from tournaments.audit import Deed
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.models import Event

SECONDS: Final = 10.0
"""How long a part goes on taking events; a task must end well within its limit."""
MENDED: Final = "sums added up anew"
"""The deed of the trail of a game whose sums were wrong."""
_WHY: Final = "They were not those of the results."
_AT_ONCE: Final = 500
_SYSTEM: Final = Actor(ActorKind.SYSTEM, Source.COMMAND)

log = structlog.get_logger(__name__)


def mend_on(place: str, found: str, *, at: datetime, seconds: float = SECONDS) -> tuple[str, str]:
    """Look at the next events and mend what is wrong; gives the place to go on from.

    ``found`` is the summary so far, and goes on with the place, which is empty at the end.
    """
    events, games = _counts(found)
    until = time.monotonic() + seconds
    for event in _events(UUID(place) if place else None):
        wrong = {game for game, *_ in kept.differing(event)}
        mended = [mend_sums(game_id=game, event_id=event, at=at) for game in sorted(wrong)]
        events, games = events + 1, games + sum(mended)
        if time.monotonic() > until:
            return str(event), _summary(events, games)
    return "", _summary(events, games)


@transaction.atomic
def mend_sums(*, game_id: UUID, event_id: UUID, at: datetime) -> bool:
    """Add the sums of a game of an event up anew if they are wrong; whether they were."""
    game = lock(game_id)
    wrong = [one for one in kept.differing(event_id) if one[0] == game_id]
    if not wrong:
        return False
    kept.renew(game_id)
    seats = [
        {"seat": seat + 1, "score": score, "hands": hands, "clean_hands": clean}
        for _, seat, score, hands, clean in wrong
    ]
    details = {"event": event_id, "too_many": seats}
    audit.note(Deed(MENDED, _WHY, details), chain=game_id, club=game.club_id, by=_SYSTEM, at=at)
    log.error("sums were wrong", game=str(game_id), of=str(event_id), seats=seats)
    return True


def _events(after: UUID | None) -> Iterator[UUID]:
    """All events, page by page: one long read would keep a snapshot open all the time."""
    rows = Event.objects.order_by("pk").values_list("pk", flat=True)
    while page := list((rows.filter(pk__gt=after) if after else rows)[:_AT_ONCE]):
        yield from page
        after = page[-1]


def _summary(events: int, games: int) -> str:
    return f"{events} events, {games} games mended."


def _counts(found: str) -> tuple[int, int]:
    """The numbers of a summary.

    >>> _counts("3 events, 1 games mended.")
    (3, 1)
    """
    numbers = [int(word) for word in found.split() if word.isdecimal()]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (0, 0)
