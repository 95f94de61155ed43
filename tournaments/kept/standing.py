"""Where everybody stands in an event by now, from the sums of its seats: places by the score alone.

What is told is what will be published of the same hands, without its reasons: ties are not broken.
Where more than the sums of its own seats decides what a game brings, nothing is told before it is
published: prepared deals, sit-outs, decisions on a seat, penalties that move a place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID

from tournaments.asked import Asked
from tournaments.kept.added_up import TOLD, AddedUp, Entered, Sums, Told, added_up
from tournaments.kept.worth import has_handicaps
from tournaments.models import Event
from tournaments.standings.exact import Exact
from tournaments.standings.order import Rank

_EVENT: Final = Asked(f"SELECT {TOLD} FROM {Event._meta.db_table} v WHERE v.id = %s", "uuid")


class Stands(NamedTuple):
    """Where an entry stands by now; ``rank`` is None where none is given.

    ``games`` and ``total`` are those of games that count by now, ``hands`` and ``score`` all that
    was played. ``is_withdrawn``: it withdrew after it had played, and its results stay.
    """

    entry: str
    player: str
    number: int
    rank: Rank | None
    total: Exact | None
    games: int
    hands: int
    score: int
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Now:
    """An event as it stands by now, the best first, then those without a place by number."""

    unit: str
    lines: Sequence[Stands]


def now(event_id: UUID) -> Now | None:
    """Where everybody stands; None where only what is published tells. One query."""
    rows = _EVENT.rows(event_id)
    event = added_up(Told(*rows[0])) if rows else None
    return None if event is None or not event.entries else _standing(event)


def _standing(event: AddedUp) -> Now:
    scoring = event.worth.scoring
    sign = 0 if not has_handicaps(scoring) else -1 if scoring.low_total else 1
    least = max(1, scoring.least_games)
    played: list[tuple[Entered, Sums]] = []
    totals: dict[str, Exact | None] = {}
    ranked: list[str] = []
    for one in event.entries:
        mine = event.sums.get(one.number)
        if mine is None:
            continue
        played.append((one, mine))
        total = event.scratch(one.number)
        # The total as it will be published; None before the first game that counts.
        totals[one.id] = total + sign * one.handicap if sign and total is not None else total
        if mine.games >= least and event.ranks(one):
            ranked.append(one.id)
    ranks = ranks_of(ranked, totals, low=scoring.low_total)
    lines = [
        Stands(
            one.id,
            one.player,
            one.number,
            ranks.get(one.id),
            totals[one.id],
            mine.games,
            mine.hands,
            mine.score,
            one.is_withdrawn and mine.games > 0,
        )
        for one, mine in played
    ]
    last = len(lines) + 1
    lines.sort(key=lambda one: (one.rank.first if one.rank else last, one.number))
    return Now(scoring.unit, lines)


def ranks_of(
    entries: Sequence[str], totals: Mapping[str, Exact | None], *, low: bool
) -> dict[str, Rank]:
    """Places by the total; who has as much as another shares his."""
    falling = sorted(entries, key=totals.__getitem__, reverse=not low)  # type: ignore[arg-type]
    ranks, first = {}, 1
    for _, group in groupby(falling, key=totals.__getitem__):
        tied = list(group)
        ranks.update(dict.fromkeys(tied, Rank(first, first + len(tied) - 1)))
        first += len(tied)
    return ranks
