"""Looking at games in bundles and at clubs, and once more, under the lock, at what differs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from scoring.models import Game
from scoring.settling import lock
from scoring.verifying import books, games, trails
from scoring.verifying.difference import Difference
from scoring.verifying.gathering import gather
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
    """What was looked at, and what was found."""

    games: int
    hands: int
    differences: tuple[Difference, ...]


def bundles(scope: Sequence[UUID] = (), *, after: UUID | None = None) -> Iterator[Bundle]:
    """All games, or those of a scope (clubs and games), in order of making; ``after`` goes on."""
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
    rows = Game.objects.order_by("pk").values_list("pk", "hands")
    if scope:
        rows = rows.filter(Q(pk__in=scope) | Q(club__in=scope))
    while page := list((rows.filter(pk__gt=after) if after else rows)[:HANDS_MAX]):
        yield from page
        after = page[-1][0]


def look_at_games(numbers: Sequence[UUID]) -> Looked:
    """Look at some games: records, states, books and trails."""
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


def _look_again(number: UUID) -> list[Difference]:
    with transaction.atomic():
        lock(number)
        return [
            one
            for kept in gather([number])
            for one in (*games.differences(kept), *trails.of_games([kept.game]))
        ]


def look_at_club(club: UUID) -> tuple[Difference, ...]:
    """Look at what belongs to a club and to no game: the sums of its books, its own trail."""
    if not (*books.differences(club), *trails.of_club(club)):
        return ()
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club)
        return (*books.differences(club), *trails.of_club(club))


def look_at_standings(number: UUID) -> tuple[Difference, ...]:
    """Look at published standings of an event, a league or a club."""
    return tuple(
        Difference(
            club=wrong.club,
            what=f"{wrong.what} of {wrong.scope} {wrong.subject}",
            kept=wrong.kept,
            right=wrong.right,
        )
        for wrong in standings.look_at(number)
    )
