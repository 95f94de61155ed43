"""Figure: the pages of a league of 52 nights and 400 players, and of one of its nights."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random
from statistics import median
from typing import Any, Final

from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.club import NIGHT, house_rules
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from tests.web.window import member_of
from tournaments import publishing
from tournaments.core.ids import new_id
from tournaments.core.name_folding import fold_name
from tournaments.models import (
    Club,
    Entry,
    Event,
    League,
    LeagueEvent,
    Person,
    Player,
    Result,
    Round,
    Scope,
    Stage,
    Status,
    Table,
    TableGame,
    TableSeat,
)

PLAYERS: Final = 400
NIGHTS: Final = 52
_SEATS: Final = 4
_AT_ONCE: Final = 2_000
_GOALS: Final = {"event": 0.06, "league": 0.08}
_HTML_MAX: Final = 200_000


def figures(rounds: int) -> Iterator[Figure]:
    """Bytes and processor time of the pages that hold the longest tables."""
    with database():
        call_command("collectstatic", interactive=False, verbosity=0)
        league = make_league()
        event = league.sessions.order_by("-number")[0].event
        for night in league.sessions.order_by("number"):
            publishing.publish(scope=Scope.EVENT, subject=night.event_id, clock=timezone.now)
        begun = time.process_time()
        publishing.publish(scope=Scope.LEAGUE, subject=league.pk, clock=timezone.now)
        first = time.process_time() - begun
        client = member_of(league.club)
        client.defaults["HTTP_HOST"] = "localhost"
        rows = [
            _measure(client, kind, what, address, rounds)
            for kind, what, address in (
                ("league", "the league", f"/l/{league.pk}/"),
                ("league", "the league, every night", f"/l/{league.pk}/?nights=all"),
                ("league", "the last page of the league", f"/l/{league.pk}/?page=99"),
                ("event", "a night", f"/e/{event.pk}/"),
            )
        ]
        yield Figure(
            "Pages of a league of 52 nights and 400 players",
            ("page", "HTML kB", "sent kB", "first CPU ms", "again CPU ms", "goal ms", "reached"),
            rows,
            f"Processor time on {connection.display_name}, medians of {rounds}: of the first"
            " view of a version, and of every other one, for which the goal is meant. Sent:"
            " compressed, as `serve` sends it to a browser. The goal of the HTML is"
            f" {_HTML_MAX // 1000} kB.",
        )
        yield Figure(
            "A league published for the first time",
            ("nights", "players", "CPU s"),
            [(str(NIGHTS), str(PLAYERS), f"{first:.2f}")],
            f"Its nights are published before. Processor time on {connection.display_name}.",
        )


def make_league(nights: int = NIGHTS) -> League:
    """A season of nights at each of which everybody plays one hand, nothing published."""
    club = Club.objects.create(
        name="Benchmark", is_public=True, time_zone="Europe/Berlin", created_at=NIGHT
    )
    rules = house_rules(club, "bicycle", {})
    players = [Player(club=club, number=n, created_at=NIGHT) for n in range(1, PLAYERS + 1)]
    Player.objects.bulk_create(players)
    named = [(player, f"Firstname Surname-{player.number}") for player in players]
    Person.objects.bulk_create(
        Person(player=player, name=name, sought=fold_name(name)) for player, name in named
    )
    league = League.objects.create(
        club=club, name="A long season", planned=nights, season={"rule": "best_n"},
        created_at=NIGHT,
    )  # fmt: skip
    for number in range(1, nights + 1):
        event = Event.objects.create(
            club=club, name=f"Night {number}", starts_at=NIGHT + timedelta(days=7 * number),
            rule_set_id=rules, status=Status.FINISHED, rounds=1, hands=1, seed="benchmark",
            sizes=[_SEATS], created_at=NIGHT,
        )  # fmt: skip
        LeagueEvent.objects.create(league=league, event=event, number=number)
        _play(event, players, Random(number))
    return league


def _play(event: Event, players: list[Player], random: Random) -> None:
    """One round of tables by lot, and its results."""
    order = random.sample(players, len(players))
    turn = Round.objects.create(event=event, number=1, stage=Stage.CLOSED, drawn_at=NIGHT)
    entries = [
        Entry(event=event, number=number, player=player, entered_at=NIGHT)
        for number, player in enumerate(order, 1)
    ]
    tables = [Table(round=turn, number=n + 1, size=_SEATS) for n in range(len(order) // _SEATS)]
    games = [
        TableGame(
            id=new_id(), club_id=event.club_id, table=table, event=event, phase="closed",
            size=_SEATS, is_open=False, opened_at=event.starts_at,
        )
        for table in tables
    ]  # fmt: skip
    seats, results = [], []
    for place, entry in enumerate(entries):
        game, seat = games[place // _SEATS], place % _SEATS
        seats.append(TableSeat(round=turn, table=game.table, seat=seat, entry=entry))
        results.append(
            Result(
                game=game,
                number=1,
                seat=seat,
                player=entry.player,
                score=random.randint(-13, 13),
                taken=random.randint(0, 6),
                to_dealer=seat,
                pain="H",
            )
        )
    made: Mapping[type[Model], Sequence[Any]] = {
        Entry: entries, Table: tables, TableGame: games, TableSeat: seats, Result: results
    }  # fmt: skip
    for kind, rows in made.items():
        kind._default_manager.bulk_create(rows, _AT_ONCE)


def _measure(client: Client, kind: str, what: str, address: str, rounds: int) -> tuple[str, ...]:
    """One page: its size, what is sent of it, and what it costs, first and again."""
    html = len(client.get(address).content)
    sent = len(client.get(address, headers={"accept-encoding": "gzip"}).content)
    first = median(_seconds(client, address, is_first=True) for _ in range(rounds))
    again = median(_seconds(client, address) for _ in range(rounds))
    goal = _GOALS[kind]
    return (
        what, f"{html / 1000:.0f}", f"{sent / 1000:.0f}", f"{1000 * first:.0f}",
        f"{1000 * again:.0f}", f"{1000 * goal:.0f}",
        verdict(reached=again <= goal and html <= _HTML_MAX),
    )  # fmt: skip


def _seconds(client: Client, address: str, *, is_first: bool = False) -> float:
    if is_first:
        caches["pages"].clear()
    begun = time.process_time()
    client.get(address)
    return time.process_time() - begun
