"""A club night for tests: an event with people checked in, drawn, played by seeded hands."""

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

from scoring.games import nights
from scoring.models import Game
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_players,
    make_rules,
    state_of,
)
from tournaments.events import entries, events, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.seating import DrawRequest
from tournaments.models import Club, Entry, Event, Player


def make_event(club: Club | None = None, **fields: Any) -> Event:
    """An event of four-handed tables; five rounds of two hands unless said otherwise."""
    club = club or make_club()
    rule_set = fields.pop("rule_set", None) or make_rules(club)
    usual: dict[str, Any] = {"name": "League night", "starts_at": at(), "rounds": 5, "hands": 2}
    new = {"rule_set": rule_set.pk, **(usual | fields)}
    return events.create_event(club_id=club.pk, new=new, by=DIRECTOR, at=at())


def check_in(event: Event, players: Sequence[Player]) -> list[Entry]:
    """Everybody is here."""
    return [
        entries.enter(event_id=event.pk, new=NewEntry(player=one.pk), by=DIRECTOR, at=at())
        for one in players
    ]


def make_night(players: int = 8, **fields: Any) -> Event:
    """An event with so many people checked in."""
    event = make_event(**fields)
    check_in(event, make_players(event.club, players))
    return event


def draw(event: Event, **wanted: Any) -> None:
    rounds.draw(event_id=event.pk, wanted=DrawRequest(**wanted), version=None, by=DIRECTOR, at=at())


def start(event: Event, number: int) -> list[Game]:
    """Begin a round; its games by table."""
    started = nights.start_round(event_id=event.pk, number=number, by=DIRECTOR, at=at(number))
    return [game for _, game in started.games]


def play(game: Game, hands: int, seed: object = 1) -> None:
    """Enter so many hands with captures by lot."""
    lots = Random(str(seed))
    for _ in range(hands):
        state = state_of(game)
        if state.over is not None:
            return
        cuts = sorted(lots.randint(0, 13) for _ in range(3))
        taken = [b - a for a, b in zip([0, *cuts], [*cuts, 13], strict=True)]
        enter(game, chip_hand(state, taken))


def play_round(event: Event, number: int, seed: int = 1) -> list[UUID]:
    """Play a drawn round to its end."""
    games = start(event, number)
    for table, game in enumerate(games):
        play(game, event.hands, f"{seed}/{number}/{table}")
    nights.end_round(event_id=event.pk, number=number, by=DIRECTOR, at=at(number))
    return [game.pk for game in games]
