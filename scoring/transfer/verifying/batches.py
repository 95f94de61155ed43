"""Verify games in batches, processes and clubs; check differences again under the lock."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from typing import Final
from uuid import UUID

import django
from django.db import connection, connections, transaction
from django.db.models import IntegerField, Q, TextField
from django.db.models.functions import Cast

from engine.analysis.worth import worth_version
from scoring.models import Game
from scoring.settlement.plan import UNREADABLE
from scoring.transfer.verifying import books, damage, games, rights, trails
from scoring.transfer.verifying.difference import Discrepancy
from scoring.transfer.verifying.stored_games import gather
from tournaments import verifying as standings
from tournaments.events.boards import is_dealt_from_key
from tournaments.models import Board, Club, TableGame

GAMES_MAX: Final = 100
HANDS_MAX: Final = 1000
WORTHWHILE: Final = 10_000
"""From how many hands on more than one process is quicker: each needs a second to begin."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Some games to be looked at together, and how many hands they have."""

    games: tuple[UUID, ...]
    hands: int


@dataclass(frozen=True, slots=True)
class Looked:
    """The range that was looked at, and the findings."""

    games: int
    hands: int
    differences: tuple[Discrepancy, ...]


def bundles(scope: Sequence[UUID] = (), *, after: UUID | None = None) -> Iterator[Bundle]:
    """All games, or those of a scope (clubs and games), in order of making; ``after`` goes on.

    A game whose identifier cannot be read is left out: `look_at_club` names it.
    """
    found: list[UUID] = []
    hands = 0
    for number, count in _games(scope, after):
        if found and (hands + count > HANDS_MAX or len(found) == GAMES_MAX):
            yield Bundle(tuple(found), hands)
            found, hands = [], 0
        found.append(number)
        hands += count
    if found:
        yield Bundle(tuple(found), hands)


def _games(scope: Sequence[UUID], after: UUID | None) -> Iterator[tuple[UUID, int]]:
    """Page by page: one long read would keep a snapshot open for as long as it all takes."""
    games = Game.all_objects.filter(Q(pk__in=scope) | Q(club__in=scope) if scope else Q())
    # As SQL reads them: damaged values, too.
    rows = games.annotate(row_key=Cast("pk", TextField()), count=Cast("hands", IntegerField()))
    while True:
        later = rows.filter(pk__gt=after) if after else rows
        page = later.order_by("pk").values_list("row_key", "count")[:HANDS_MAX]
        readable = [(UUID(key), count) for key, count in page if _is_uuid(key)]
        yield from readable
        if not readable:
            return
        after = readable[-1][0]


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def look_at_games(numbers: Sequence[UUID]) -> Looked:
    """Look at some games: records, states, books and trails.

    One that cannot be read is a difference, and the others are looked at all the same. Raises
    DatabaseError where the database is away.
    """
    try:
        return _look_together(numbers)
    except Exception as error:  # whatever damage does is a difference
        if len(numbers) > 1:
            looked = [look_at_games([number]) for number in numbers]
            found = tuple(difference for each in looked for difference in each.differences)
            return Looked(len(looked), sum(each.hands for each in looked), found)
        return Looked(1, 0, damage.damage_in_game(numbers[0], error))


def _look_together(numbers: Sequence[UUID]) -> Looked:
    hands, count, suspects = 0, 0, []
    kept = gather(numbers)
    closings = games.compare_closings(kept)
    for one in kept:
        count += 1
        hands += one.game.hands
        if next(games.find_differences(one, closings), None) is not None:
            suspects.append(one.game.pk)
    broken = trails.of_games([one.game for one in kept])
    suspects.extend(one.game for one in broken if one.game is not None)
    del kept
    found = [one for number in dict.fromkeys(suspects) for one in _look_again(number)]
    return Looked(count, hands, tuple(found))


def _look_again(number: UUID) -> list[Discrepancy]:
    with transaction.atomic():
        Game.all_objects.select_for_update(no_key=True).get(pk=number)
        kept = gather([number])
        closings = games.compare_closings(kept)
        return [
            difference
            for one in kept
            for difference in (*games.find_differences(one, closings), *trails.of_games([one.game]))
        ]


def value_cards(place: str, *, at: datetime) -> tuple[int, str]:
    """Value the cards of the next games that other coefficients valued, or none yet.

    Returns how many games, and the last one's identifier, empty at the end. A game that cannot be
    read is left to `look_at_games`.
    """
    behind = TableGame.objects.exclude(worth_version=worth_version()).order_by("pk")
    later = behind.filter(pk__gt=UUID(place)) if place else behind
    numbers = list(later.values_list("pk", flat=True)[:GAMES_MAX])
    for number in numbers:
        with suppress(*UNREADABLE), transaction.atomic():
            Game.all_objects.select_for_update(no_key=True).get(pk=number)
            for kept in gather([number]):
                games.value_cards(kept, at=at)
    return len(numbers), str(numbers[-1]) if len(numbers) == GAMES_MAX else ""


def look_at_club(club: UUID) -> tuple[Discrepancy, ...]:
    """Look at what belongs to a club and to no game: its books, its trail, its deals.

    What cannot be read is a difference.
    """
    try:
        if not _club_differences(club):
            return ()
        with transaction.atomic():
            Club.objects.select_for_update(no_key=True).get(pk=club)
            return _club_differences(club)
    except Exception as error:  # whatever damage does is a difference
        return damage.damage_in_club(club, error)


def _club_differences(club: UUID) -> tuple[Discrepancy, ...]:
    list(Game.all_objects.filter(club=club).values_list("pk", "hands"))  # each can be read
    return (
        *books.find_differences(club),
        *trails.of_club(club),
        *rights.of_club(club),
        *dealt_board_differences(club),
    )


def look_at_installation() -> tuple[Discrepancy, ...]:
    """Look at what belongs to no club: who may what in all of them."""
    try:
        return tuple(rights.of_installation())
    except Exception as error:  # whatever damage does is a difference
        return damage.damage_in_installation(error)


def look_at_standings(number: UUID) -> tuple[Discrepancy, ...]:
    """Look at published standings of an event, a league or a club."""
    try:
        wrong = standings.look_at(number)
    except Exception as error:  # whatever damage does is a difference
        return damage.damage_in_standings(number, error)
    return tuple(
        Discrepancy(
            club=one.club,
            what=f"{one.what} of {one.scope} {one.subject}",
            kept=one.kept,
            right=one.right,
        )
        for one in wrong
    )


def dealt_board_differences(club: UUID) -> Iterator[Discrepancy]:
    """Boards whose deal is not the one of their key; the cards are not told. One query."""
    rows = Board.objects.filter(event__club=club).exclude(key="").order_by("event_id", "number")
    for row in rows.select_related("event__rule_set"):
        if not is_dealt_from_key(row):
            what = f"deal of board {row.number} of event {row.event_id}"
            yield Discrepancy(club=club, what=what, kept="another", right="the one of its key")


def processes(hands: int, asked: int | None) -> int:
    """Return the number of processes; one where the others could not see the same database."""
    name = str(connection.settings_dict["NAME"])
    is_in_memory = name == ":memory:" or "mode=memory" in name
    if connection.in_atomic_block or (connection.vendor == "sqlite" and is_in_memory):
        return 1
    if asked is not None:
        return asked
    return os.cpu_count() or 1 if hands >= WORTHWHILE else 1


def look_at_all(bundles: Iterable[Bundle], jobs: int) -> Iterator[Looked]:
    """Look at every bundle; never more than a few are on their way."""
    if jobs == 1:
        yield from (look_at_games(bundle.games) for bundle in bundles)
        return
    connections.close_all()  # a connection serves one process
    # A process that is a copy of this one would share its locks and its open files.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=django.setup)
    with pool:
        running: set[Future[Looked]] = set()
        try:
            for bundle in bundles:
                running.add(pool.submit(look_at_games, bundle.games))
                if len(running) >= 2 * jobs:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (one.result() for one in done)
            yield from (one.result() for one in wait(running).done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
