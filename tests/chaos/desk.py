"""The desk of a club in another process: it prepares games, and says afterwards what is kept.

    python -m tests.chaos.desk prepare GAMES    keys and games, as JSON
    python -m tests.chaos.desk kept             every hand, as JSON

It works on the database that the environment names, as the service itself does.
"""

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.hands import TABLES  # noqa: E402 (needs settings)
from engine.presets import preset  # noqa: E402 (needs settings)
from scoring.games import Opening, open_game  # noqa: E402 (needs settings)
from scoring.models import Hand  # noqa: E402 (needs settings)
from tournaments.actors import Actor, ActorKind, Source  # noqa: E402 (needs settings)
from tournaments.keys import NewKey, make_key  # noqa: E402 (needs settings)
from tournaments.models import Club, Player, RuleSet  # noqa: E402 (needs settings)

NIGHT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
BY = Actor(ActorKind.SYSTEM, Source.COMMAND)


def prepare(games: int) -> Iterator[dict[str, Any]]:
    """So many games of all systems in a new club, each with a key of its own."""
    club = Club.objects.create(name="Chaos", created_at=NIGHT)
    systems = dict.fromkeys(table.system for table in TABLES)
    rule_sets = {system: _rule_set(club, system) for system in systems}
    players = [
        Player.objects.create(club=club, number=number, created_at=NIGHT).pk
        for number in range(1, 7)
    ]
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        opening = Opening(
            name=f"Table {number}",
            rule_set=rule_sets[table.system],
            players=players[: table.players],
        )
        game = open_game(club_id=club.pk, opening=opening, by=BY, at=NIGHT)
        new = NewKey(name=f"Phone {number}", kind="director", scopes=["hands.enter"])
        _, secret = make_key(club_id=club.pk, new=new, by=BY, at=NIGHT)
        yield {"game": str(game.pk), "key": secret, "number": number}


def _rule_set(club: Club, system: str) -> Any:
    made = RuleSet.objects.create(
        club=club,
        name=system,
        version=1,
        preset=system,
        digest=preset(system).digest,
        made_by="chaos",
        created_at=NIGHT,
    )
    return made.pk


def kept() -> Iterator[dict[str, Any]]:
    """Every hand there is."""
    rows = Hand.objects.order_by("id").values("id", "game", "number", "rival", "state")
    for row in rows:
        yield {name: None if value is None else str(value) for name, value in row.items()}


if __name__ == "__main__":
    found = prepare(int(sys.argv[2])) if sys.argv[1] == "prepare" else kept()
    sys.stdout.write(json.dumps(list(found)))
