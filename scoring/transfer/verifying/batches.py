"""Verify games in batches and clubs; check differences again under the lock."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import IntegerField, Q, TextField
from django.db.models.functions import Cast

from scoring.models import Game
from scoring.transfer.verifying import books, damage, deals, games, rights, trails
from scoring.transfer.verifying.difference import Discrepancy
from scoring.transfer.verifying.stored_games import gather
from tournaments import verifying as standings
from tournaments.models import Club

GAMES_MAX: Final = 100
HANDS_MAX: Final = 1000


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
            found = tuple(one for each in looked for one in each.differences)
            return Looked(len(looked), sum(each.hands for each in looked), found)
        return Looked(1, 0, damage.damage_in_game(numbers[0], error))


def _look_together(numbers: Sequence[UUID]) -> Looked:
    hands, count, suspects = 0, 0, []
    kept = gather(numbers)
    for one in kept:
        count += 1
        hands += one.game.hands
        if next(games.differences(one), None) is not None:
            suspects.append(one.game.pk)
    broken = trails.of_games([one.game for one in kept])
    suspects.extend(one.game for one in broken if one.game is not None)
    del kept
    found = [one for number in dict.fromkeys(suspects) for one in _look_again(number)]
    return Looked(count, hands, tuple(found))


def _look_again(number: UUID) -> list[Discrepancy]:
    with transaction.atomic():
        Game.all_objects.select_for_update(no_key=True).get(pk=number)
        return [
            one
            for kept in gather([number])
            for one in (*games.differences(kept), *trails.of_games([kept.game]))
        ]


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
        *books.differences(club),
        *trails.of_club(club),
        *rights.of_club(club),
        *deals.differences(club),
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
