"""The trail of what was done: every chain unbroken (reliability.md I18)."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from scoring.models import Game
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.audit import FIRST_DIGEST, find_broken_entries, is_whole
from tournaments.models import AuditEntry


def of_games(games: Sequence[Game]) -> Iterator[Discrepancy]:
    """What is broken in the trails of some games. One query."""
    by_id = {game.pk: game for game in games}
    entries = AuditEntry.objects.filter(chain__in=list(by_id)).order_by("chain", "number")
    for chain, links in groupby(entries.iterator(), attrgetter("chain")):
        before, number = FIRST_DIGEST, 0
        for entry in links:
            follows = (entry.before, entry.number) == (before, number + 1)
            if not follows or not is_whole(entry):
                yield _broken(by_id[chain].club_id, entry, chain)
            before, number = entry.digest, entry.number


def of_club(club: UUID) -> Iterator[Discrepancy]:
    """What is broken in the trails of a club that belong to no game."""
    of_it = AuditEntry.objects.filter(club_id=club)
    others = of_it.exclude(chain__in=Game.all_objects.filter(club=club).values("pk"))
    for chain in others.order_by("chain").values_list("chain", flat=True).distinct():
        for entry in find_broken_entries(chain):
            yield _broken(club, entry, None)


def _broken(club: UUID, entry: AuditEntry, game: UUID | None) -> Discrepancy:
    return Discrepancy(
        club=club,
        game=game,
        what=f"trail, entry {entry.number} ({entry.what})",
        kept="changed, or out of its place",
        right="as it was written",
    )
