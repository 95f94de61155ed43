"""A federation of clubs: each with its people and a season of nights, of which every card is told.

python -m benchmarks.federation CLUBS    adds so many to the database of the settings
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from itertools import product
from multiprocessing import get_context
from string import ascii_lowercase, ascii_uppercase
from typing import Final
from uuid import UUID

import django
from django.db import connection, connections, transaction

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.club import BY, NIGHT, house_rules
from benchmarks.hands import SEED, Table, dice, played_out
from benchmarks.ready import database
from benchmarks.server import tell
from engine.core.seats import Seat
from engine.notation import to_document, write_record
from engine.record.game_state import GameState, beginning
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing import AS_WRITTEN, BY_TAGS, ArchiveImport, Options, place_all
from tournaments.core.name_folding import fold_name
from tournaments.events.leagues import create_league
from tournaments.models import (
    Club,
    Event,
    LeagueEvent,
    Person,
    Player,
    Status,
)

NIGHTS: Final = 50
PLAYERS: Final = 25
ROUNDS: Final = 2
_TABLE: Final = Table("hoyle_hearts", 5)
_TABLES: Final = PLAYERS // _TABLE.players
_HANDS: Final = 5
"""So many in a round at each table."""
_A_NIGHT: Final = ROUNDS * _TABLES * _HANDS
"""Hands of a club."""
_SURNAME: Final = "Surname"
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Built:
    """Hands that were brought in, and the seconds of processor time that it took."""

    hands: int
    seconds: float


def build(clubs: int) -> Built:
    """Add clubs; their events and leagues are behind then, and wait for being published."""
    known = Club.objects.count()
    numbers = range(known + 1, known + clubs + 1)
    if connection.vendor == "sqlite":
        found = list(map(build_club, numbers))
    else:
        connections.close_all()  # a connection serves one process
        context = get_context("spawn")
        with ProcessPoolExecutor(
            os.cpu_count(), mp_context=context, initializer=django.setup
        ) as pool:
            found = list(pool.map(build_club, numbers))
    return Built(sum(one.hands for one in found), sum(one.seconds for one in found))


def build_club(number: int, nights: int = NIGHTS) -> Built:
    """Add a club: its season is set up as a director does, then its archive brought in."""
    club, events = _set_up(number, nights)
    text = _archive(nights).replace(_SURNAME.encode(), _surname(number).encode())
    stamp = Stamp(BY, NIGHT + _WEEK * (NIGHTS + 1))
    begun = time.process_time()
    archive = ArchiveImport(club, BytesIO(text), Options(kind=AS_WRITTEN, event=BY_TAGS), stamp)
    more = True
    while more:
        with transaction.atomic():
            more = archive.take()
    place_all(archive, BY_TAGS, club, stamp)
    seconds = time.process_time() - begun
    assert archive.report.hands == nights * _A_NIGHT, archive.report
    assert not archive.report.problem_count, archive.report
    Event.objects.filter(pk__in=events).update(status=Status.FINISHED)
    return Built(archive.report.hands, seconds)


@transaction.atomic
def _set_up(number: int, nights: int) -> tuple[UUID, Sequence[UUID]]:
    """A club with its people, its season and the season's nights, at which nobody has played."""
    club = Club.objects.create(
        name=f"Club {number}", is_public=True, time_zone="Europe/Berlin", created_at=NIGHT
    )
    rules = house_rules(club, _TABLE.system, {})
    players = Player.objects.bulk_create(
        Player(club=club, number=place + 1, created_at=NIGHT) for place in range(PLAYERS)
    )
    named = [
        (player, _name(player.number - 1).replace(_SURNAME, _surname(number))) for player in players
    ]
    Person.objects.bulk_create(
        Person(player=player, name=name, sought=fold_name(name)) for player, name in named
    )
    events = Event.objects.bulk_create(
        Event(
            club=club,
            name=f"Night {night + 1}",
            starts_at=_begin(night),
            rule_set_id=rules,
            status=Status.RUNNING,
            rounds=ROUNDS,
            hands=_HANDS,
            sizes=[_TABLE.players],
            seed="benchmark",
            created_at=NIGHT,
        )
        for night in range(nights)
    )
    new = {"name": "Season", "planned": nights, "season": {"rule": "best_n"}}
    league = create_league(club_id=club.pk, new=new, by=BY, at=NIGHT)
    LeagueEvent.objects.bulk_create(
        LeagueEvent(league=league, event=event, number=place)
        for place, event in enumerate(events, 1)
    )
    return club.pk, [event.pk for event in events]


def _begin(night: int) -> datetime:
    return NIGHT + _WEEK * night


def _name(place: int) -> str:
    """A player of a table's archive; the club's own surname is put in later."""
    return f"{_SURNAME}, {ascii_uppercase[place]}{ascii_lowercase[place] * 3}"


def _surname(number: int) -> str:
    """Letters for a number, as the names of members have no digits."""
    return f"Of{''.join(ascii_lowercase[int(digit)] for digit in str(number))}"


@cache
def _archive(nights: int) -> bytes:
    """The archive of a club's season; of each club the people have other names."""
    places = product(range(nights), range(ROUNDS), range(_TABLES))
    records = (text for place in places for text in _game(*place))
    return ("% PHN 1.0\n" + "\n".join(records)).encode()


def _game(night: int, turn: int, place: int) -> Iterator[str]:
    """The hands of a table in one round: nobody meets anybody twice that night."""
    luck = dice(f"{SEED} {night} {turn} {place}")
    names = [
        _name(seat * _TABLES + (place + seat * turn) % _TABLES) for seat in range(_TABLE.players)
    ]
    tags = {
        "Event": f"Night {night + 1}",
        "Date": f"{_begin(night):%Y.%m.%d}",
        "Round": str(turn + 1),
        "Table": str(place + 1),
    }
    state: GameState = beginning(_TABLE.rules, _TABLE.players, Seat(0))
    for number in range(1, _HANDS + 1):
        hand = played_out(_TABLE.rules, state, luck)
        yield write_record(to_document(hand.to_record(number=number, names=names), tags))
        state = hand.settle().after


if __name__ == "__main__":
    with database():
        built = build(int(sys.argv[1]))
        tell([built.hands, built.seconds])
