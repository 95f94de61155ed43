"""The first night of a club: its people, house rules and event at once, perhaps with round 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from scoring.games.nights import start_round
from tournaments.core.actors import Actor
from tournaments.events import entries, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.events import create_event
from tournaments.events.seating import DrawRequest
from tournaments.models import Club, Event, PlayerKind
from tournaments.people.members import NewPlayer, add_player


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstNight:
    """An event and who is there: the ids of players, and the names of people new to the club.

    ``event`` are its settings, as `create_event` takes them; ``kind`` is what the new people are to
    the club.
    """

    event: Mapping[str, Any]
    people: Sequence[UUID | str]
    kind: str = PlayerKind.MEMBER


@transaction.atomic
def begin_first_night(
    *, club_id: UUID, new: FirstNight, is_started: bool, by: Actor, at: datetime
) -> Event:
    """Set the event up, check everybody in and, if ``is_started``, draw and begin round 1.

    All of it or nothing. Raises RefusedError.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    event = create_event(club_id=club_id, new=new.event, by=by, at=at)
    for one in new.people:
        player = one
        if isinstance(one, str):
            added = NewPlayer(person={"name": one}, kind=new.kind)
            player = add_player(club_id=club_id, new=added, by=by, at=at).pk
        assert isinstance(player, UUID)
        entries.enter(event_id=event.pk, new=NewEntry(player=player), by=by, at=at)
    if is_started:
        rounds.draw(event_id=event.pk, wanted=DrawRequest(), version=None, by=by, at=at)
        start_round(event_id=event.pk, number=1, by=by, at=at)
    event.refresh_from_db()
    return event
