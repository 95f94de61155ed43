"""A club with games of every system, entered as tables enter them."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.hands import TABLES
from benchmarks.records import texts
from engine.rules.presets import preset
from engine.rules.rules import change
from scoring.games.opening import NewGame, open_game
from scoring.hands.recording import enter_hand
from scoring.hands.submission import HandSubmission
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.ids import new_id
from tournaments.models import Club, Person, Player, RuleSet
from tournaments.people.api_keys import make_key

NIGHT: Final = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
BY: Final = Actor(ActorKind.SYSTEM, Source.COMMAND)


def fill(games: int) -> UUID:
    """Let a new club play so many games."""
    by = Actor(ActorKind.LINK, Source.TABLE, UUID(int=1), 0)
    club, rule_sets, players = _club()
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        opening = NewGame(
            name=f"Table {number}",
            rule_set=rule_sets[table.system],
            players=players[: table.players],
        )
        game = open_game(club_id=club, opening=opening, by=by, at=NIGHT)
        for place, text in enumerate(texts(table, number), 1):
            sent = HandSubmission(id=new_id(), number=place, text=text)
            moment = NIGHT + timedelta(minutes=place)
            recorded = enter_hand(game_id=game.pk, sent=sent, by=by, at=moment)
            assert recorded.hand.state == "accepted", recorded.hand.reason
    return club


def tables(games: int) -> list[tuple[UUID, str]]:
    """New games at the tables of a new club, in turn, and the key of a program for each."""
    club, rule_sets, players = _club()
    found = []
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        opening = NewGame(
            name=f"Table {number}",
            rule_set=rule_sets[table.system],
            players=players[: table.players],
        )
        game = open_game(club_id=club, opening=opening, by=BY, at=NIGHT)
        found.append(
            (
                game.pk,
                make_key(
                    club_id=club,
                    name=f"Phone {number}",
                    kind="director",
                    scopes=["hands.enter", "links.edit"],
                    by=BY,
                    at=NIGHT,
                )[1],
            )
        )
    return found


def game_of(system: str, overrides: dict[str, str]) -> UUID:
    """A game for four by one system with some switches changed, in a club of its own."""
    club, _, players = _club()
    rule_set = house_rules(Club.objects.get(pk=club), system, overrides)
    opening = NewGame(name="A long night", rule_set=rule_set, players=players[:4])
    return open_game(club_id=club, opening=opening, by=BY, at=NIGHT).pk


def _club() -> tuple[UUID, dict[str, UUID], list[UUID]]:
    club = Club.objects.create(name="Benchmark", created_at=NIGHT)
    systems = dict.fromkeys(table.system for table in TABLES)
    rule_sets = {system: house_rules(club, system, {}) for system in systems}
    players = []
    for number in range(1, 7):
        player = Player.objects.create(club=club, number=number, created_at=NIGHT)
        Person.objects.create(player=player, name=f"Player {number}")
        players.append(player.pk)
    return club.pk, rule_sets, players


def house_rules(club: Club, system: str, overrides: dict[str, str]) -> UUID:
    made = RuleSet.objects.create(
        club=club,
        name=f"{system} {len(overrides)}",
        version=1,
        preset=system,
        overrides=overrides,
        digest=change(preset(system), overrides).digest,
        made_by="benchmark",
        created_at=NIGHT,
    )
    return made.pk
