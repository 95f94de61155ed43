"""Games of bots by the house rules of a club, where no figures of them are shipped.

The games are few, and played by a worker, one in each part; figures of the same rules are not
made twice while those of before are kept (`tournaments.jobs.KEPT`).
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

import engine
from engine.analysis.lab import (
    GameCounts,
    LabLine,
    NoHandsError,
    find_shipped,
    play_games,
    reduce_rules,
)
from engine.core.messages import Message
from engine.rules.rules import Rules
from tournaments import jobs
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.jobs import JobRequest, Part
from tournaments.models import ALIVE, Club, Job, JobKind, JobState

GAMES: Final = 60
"""So many games are played."""
_TRIES: Final = 3
"""After so many games without any result no more are played."""
_SEED: Final = 1


@transaction.atomic
def request_games(
    *, club_id: UUID, rules: Rules, players: int, by: Actor, at: datetime
) -> Job | None:
    """Have bots play by some rules, one rule set at a time; None where figures are there.

    Raises RefusedError for a table that these rules have no cards for, ConflictError while others
    of the club are played, TooOftenError where the club has enough jobs.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if not rules.players.least <= players <= rules.players.most:
        words = Message("These rules are for {players}.", players=rules.players.in_words())
        raise RefusedError(words, "players")
    if find_line(rules, players) is not None:
        return None
    if Job.objects.filter(club=club_id, kind=JobKind.LAB, state__in=ALIVE).exists():
        raise ConflictError(Message("Bots are playing by other rules for this club; wait for it."))
    params = {
        "digest": reduce_rules(rules).digest,
        "players": players,
        "rules": rules.to_json(),
    }
    request = JobRequest(kind=JobKind.LAB, params=params)
    job = jobs.create(club_id=club_id, request=request, by=by, at=at)
    Job.objects.filter(pk=job.pk).update(total=GAMES)
    return job


def run_part(job: Job, _at: datetime) -> Part:
    """Play the next game of a job. Raises RefusedError where no game comes to a result."""
    rules, players = Rules.from_json(job.params["rules"]), job.params["players"]
    counts = GameCounts.from_json(job.place.get("counts", {}))
    number = job.place.get("game", 0)
    after = number + 1
    for _played in play_games(rules, players, games=[number], seed=_SEED, counts=counts):
        pass
    if after < GAMES and (counts.hands or after < _TRIES):
        place = {"game": after, "counts": counts.to_json()}
        return Part(done=after, total=GAMES, place=place)
    try:
        line = counts.line(rules, players, _SEED, engine.__version__)
    except NoHandsError as error:
        raise RefusedError(error.message, "rules") from error
    return Part(done=GAMES, total=GAMES, outcome={"line": line.to_json()})


def find_line(rules: Rules, players: int) -> LabLine | None:
    """Figures of some rules: the shipped ones, or those that bots played for any club."""
    line = find_shipped(rules, players)
    if line is not None:
        return line
    job = _jobs_of(rules, players).filter(state=JobState.DONE).order_by("-created_at").first()
    return None if job is None else LabLine.from_json(job.outcome["line"])


def find_job(club: Club, rules: Rules, players: int) -> Job | None:
    """The newest job of a club that plays these rules, or that failed and says why."""
    jobs_here = _jobs_of(rules, players).filter(club=club, state__in=(*ALIVE, JobState.FAILED))
    return jobs_here.order_by("-created_at").first()


def _jobs_of(rules: Rules, players: int) -> QuerySet[Job]:
    digest = reduce_rules(rules).digest
    return Job.objects.filter(kind=JobKind.LAB, params__digest=digest, params__players=players)
