"""Figure: every file of a season of twelve nights with forty players, and what it takes."""

import time
from collections.abc import Iterator
from statistics import median
from typing import Final

from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from scoring.management.demo import Size, build
from scoring.models import Hand
from scoring.transfer.exporting import KINDS, ExportRequest, export
from tournaments.models import Club, Event, League, Player, Result
from tournaments.publishing import publish_due

_GOAL: Final = 1.0
_SEED: Final = 7


def figures(rounds: int) -> Iterator[Figure]:
    """The demo club's season, hands short; each file from the database to its last byte."""
    with database():
        club = Club.objects.get(pk=build(seed=_SEED, name="Season", size=Size.SMALL).club)
        while publish_due(clock=timezone.now):
            pass
        rows = []
        for what, kind in KINDS.items():
            for format_ in kind.formats:
                seconds = [_seconds(club, what, format_) for _ in range(max(3, rounds // 3))]
                spent = median(seconds)
                rows.append((what, format_, f"{spent:.2f}", verdict(reached=spent <= _GOAL)))
        note = (
            f"{Event.objects.count()} nights, {Player.objects.count()} players,"
            f" {Hand.objects.count()} hands, {Result.objects.count()} results. Processor time of"
            f" one file, medians; the goal is {_GOAL:.0f} s. Standings are those of the league."
        )
        yield Figure("Files of a season", ("file", "format", "CPU s", "reached"), rows, note)


def _seconds(club: Club, what: str, format_: str) -> float:
    league = League.objects.get(club=club).pk if KINDS[what].needs_scope else None
    wanted = ExportRequest(what=what, format=format_, league=league, site="https://club.example")
    begun = time.process_time()
    for _piece in export(club, wanted, timezone.now()).pieces:
        pass
    return time.process_time() - begun
