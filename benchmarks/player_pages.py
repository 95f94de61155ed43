"""Figure: the page of somebody with many hands beside the page of somebody with few."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from typing import Final

from django.core.management import call_command
from django.test import Client
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, times, verdict
from benchmarks.ready import database
from tests.scoring.club import make_club, make_players
from tests.web.window import member_of
from tournaments import invalidation, publishing
from tournaments.core.ids import new_id
from tournaments.models import Club, Player, Result, Scope, Snapshot, TableGame
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import count_statistics

_LONG, _SHORT = 16_000, 200
_A_GAME: Final = 16
_FIRST: Final = datetime(2010, 1, 7, 19, 0, tzinfo=UTC)
_GOAL_RATIO, _GOAL_SECONDS = 1.2, 0.06


def figures(rounds: int) -> Iterator[Figure]:
    """Both pages in turn; what the worker takes; what counting every hand takes."""
    with database():
        call_command("collectstatic", interactive=False, verbosity=0)
        club = make_club()
        long, short = _regular(club, _LONG), _regular(club, _SHORT)
        invalidation.mark_players(TableGame.objects.all(), timezone.now() - timedelta(days=1))
        publishing.publish_due(clock=timezone.now, scopes=publishing.STATISTICS, seconds=600)
        client = member_of(club)
        client.defaults["HTTP_HOST"] = "localhost"
        spent: dict[str, list[tuple[float, float]]] = {name: [] for name in _WAYS}
        for _ in range(rounds):
            for name, way in _WAYS.items():
                spent[name].append((_seconds(way, client, short), _seconds(way, client, long)))
        yield Figure(
            "Players with many hands",
            ("what", f"{_SHORT} hands, ms", f"{_LONG} hands, ms", "ratio", "reached"),
            [_row(name, found) for name, found in spent.items()],
            _note(rounds, long),
        )


def _regular(club: Club, hands: int) -> Player:
    """Somebody who has played so many hands with eight others, sixteen a night."""
    random = Random(hands)
    player, *others = make_players(club, 9)
    games: list[TableGame] = []
    results: list[Result] = []
    for number in range(hands // _A_GAME):
        game = TableGame(
            id=new_id(), club=club, phase="closed", size=4, is_open=False,
            opened_at=_FIRST + timedelta(days=number),
        )  # fmt: skip
        games.append(game)
        four = [player, *random.sample(others, 3)]
        for hand in range(1, _A_GAME + 1):
            results += _hand(game, hand, four, random)
    TableGame.objects.bulk_create(games)
    Result.objects.bulk_create(results, batch_size=2_000)
    return player


def _hand(game: TableGame, number: int, four: list[Player], random: Random) -> Iterator[Result]:
    """A hand of auction hearts: one names a suit and pays for it, the cleanest have the pot."""
    cuts = sorted(random.choices(range(14), k=3))
    taken = (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2])
    namer, bid = random.randrange(4), random.randint(1, 9)
    clean = [seat for seat in range(4) if taken[seat] == min(taken)]
    for seat, player in enumerate(four):
        won = 24 // len(clean) if seat in clean else 0
        yield Result(
            game=game, number=number, seat=seat, player=player, taken=taken[seat], pot=24,
            score=won - taken[seat] - (bid if seat == namer else 0), won=won, sharers=len(clean),
            to_dealer=(seat - number) % 4, from_namer=(seat - namer) % 4, bid=bid, pain="H",
            own_bid=bid if seat == namer else 0, second=bid - 1, queen=None,
        )  # fmt: skip


def _view(client: Client, player: Player) -> None:
    assert client.get(f"/p/{player.pk}/").status_code == 200


def _publish(_client: Client, player: Player) -> None:
    document = publishing.compute(Scope.STATISTICS, player.pk)
    assert document is not None
    document.make()


def _count(_client: Client, player: Player) -> None:
    count_statistics(player, GameSelection())


_WAYS: Final[dict[str, Callable[[Client, Player], None]]] = {
    "the page": _view,
    "the worker's sums": _publish,
    "counting every hand, as the page did": _count,
}


def _seconds(way: Callable[[Client, Player], None], client: Client, player: Player) -> float:
    begun = time.process_time()
    way(client, player)
    return time.process_time() - begun


def _row(name: str, found: list[tuple[float, float]]) -> tuple[str, ...]:
    short, long = (median(column) for column in zip(*found, strict=True))
    ratio = median(long / short for short, long in found)
    reached = ""
    if name == "the page":
        reached = verdict(reached=ratio <= _GOAL_RATIO and long <= _GOAL_SECONDS)
    return name, f"{1000 * short:.0f}", f"{1000 * long:.0f}", times(ratio), reached


def _note(rounds: int, player: Player) -> str:
    kept = Snapshot.objects.get(published__scope=Scope.STATISTICS, published__subject=player.pk)
    return (
        f"Processor time on SQLite, medians of {rounds} rounds in which both take turns. The goal"
        f" of the page is {1000 * _GOAL_SECONDS:.0f} ms and at most {_GOAL_RATIO} x that of few"
        f" hands. The sums kept of the player with many are {len(kept.data) // 1000} kB."
    )
