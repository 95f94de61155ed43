"""A club in a database of its own, with games of every system entered as a table enters them."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import django

from benchmarks.hands import SEED, TABLES, Table, dice, played_out, record_of
from engine.carried import Carried, beginning
from engine.notation import to_document, write_record
from engine.seats import Seat

HANDS_A_GAME: Final = 12
NIGHT: Final = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


@contextmanager
def database() -> Iterator[None]:
    """Django with an empty database in a temporary folder, or in DATABASE_URL's."""
    with tempfile.TemporaryDirectory(prefix="painsuit-bench-") as folder:
        os.environ["PAINSUIT_DATA"] = folder
        (Path(folder) / "static").mkdir()
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        from django.core.management import call_command  # noqa: PLC0415 (needs settings)
        from django.db import connections  # noqa: PLC0415 (needs settings)

        call_command("migrate", verbosity=0)
        yield
        connections.close_all()


def texts(table: Table, seed: int) -> list[bytes]:
    """The records of one whole game, as careful scorers write them."""
    luck = dice(f"{SEED} {table} {seed}")
    state: Carried = beginning(table.rules, table.players, Seat(0))
    found: list[bytes] = []
    while state.over is None and len(found) < HANDS_A_GAME:
        hand = played_out(table.rules, state, luck)
        settled = hand.settle()
        record = record_of(hand, settled, state.hands + 1)
        written = write_record(to_document(record, {"Event": "Club night"}))
        found.append(("% PHN 1.0\n" + written).encode())
        state = settled.after
    return found


def fill(games: int) -> int:
    """Let a new club play so many games; tells how many hands they had."""
    from scoring.games import Opening, open_game  # noqa: PLC0415 (needs settings)
    from scoring.recording import Sent, enter_hand  # noqa: PLC0415 (needs settings)
    from tournaments.actors import Actor, ActorKind, Source  # noqa: PLC0415 (needs settings)
    from tournaments.identifiers import new_id  # noqa: PLC0415 (needs settings)

    by = Actor(ActorKind.LINK, Source.TABLE, UUID(int=1), 0)
    club, rule_sets, players = _club()
    hands = 0
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        opening = Opening(
            name=f"Table {number}",
            rule_set=rule_sets[table.system],
            players=players[: table.players],
        )
        game = open_game(club_id=club, opening=opening, by=by, at=NIGHT)
        for place, text in enumerate(texts(table, number), 1):
            sent = Sent(id=new_id(), number=place, text=text)
            moment = NIGHT + timedelta(minutes=place)
            recorded = enter_hand(game_id=game.pk, sent=sent, by=by, at=moment)
            assert recorded.hand.state == "accepted", recorded.hand.reason
            hands += 1
    return hands


def tables(games: int) -> list[tuple[UUID, str]]:
    """New games at the tables of a new club, in turn, and the key of a program for each."""
    from scoring.games import Opening, open_game  # noqa: PLC0415 (needs settings)
    from tournaments.actors import Actor, ActorKind, Source  # noqa: PLC0415 (needs settings)
    from tournaments.keys import NewKey, make_key  # noqa: PLC0415 (needs settings)

    by = Actor(ActorKind.SYSTEM, Source.COMMAND)
    club, rule_sets, players = _club()
    found = []
    for number in range(games):
        table = TABLES[number % len(TABLES)]
        opening = Opening(
            name=f"Table {number}",
            rule_set=rule_sets[table.system],
            players=players[: table.players],
        )
        game = open_game(club_id=club, opening=opening, by=by, at=NIGHT)
        new = NewKey(name=f"Phone {number}", kind="director", scopes=["hands.enter"])
        found.append((game.pk, make_key(club_id=club, new=new, by=by, at=NIGHT)[1]))
    return found


def _club() -> tuple[UUID, dict[str, UUID], list[UUID]]:
    from engine.presets import preset  # noqa: PLC0415 (needs settings)
    from tournaments.models import Club, Person, Player, RuleSet  # noqa: PLC0415 (needs settings)

    club = Club.objects.create(name="Benchmark", created_at=NIGHT)
    rule_sets = {}
    for system in dict.fromkeys(table.system for table in TABLES):
        rule_sets[system] = RuleSet.objects.create(
            club=club,
            name=system,
            version=1,
            preset=system,
            digest=preset(system).digest,
            made_by="benchmark",
            created_at=NIGHT,
        ).pk
    players = []
    for number in range(1, 7):
        player = Player.objects.create(club=club, number=number, created_at=NIGHT)
        Person.objects.create(player=player, name=f"Player {number}")
        players.append(player.pk)
    return club.pk, rule_sets, players
