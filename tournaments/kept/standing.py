"""Where everybody stands in an event by now, from the sums of its seats: places by the score alone.

What is told is what will be published of the same hands, without its reasons: ties are not broken.
Where more than the sums of its own seats decides what a game brings, nothing is told before it is
published: prepared deals, sit-outs, decisions on a seat, penalties that move a place.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple
from uuid import UUID

from tournaments.asked import Asked, shown, stored
from tournaments.kept.worth import Sat, Worth, has_handicaps, worth_of
from tournaments.models import (
    Adjustment,
    Entry,
    EntryStanding,
    Event,
    Player,
    SeatDecision,
    SeatSum,
    SitOut,
    TableGame,
    TableSeat,
)
from tournaments.models import Round as RoundRow
from tournaments.models.round import Stage
from tournaments.standings.choices import Total
from tournaments.standings.exact import Exact
from tournaments.standings.order import Rank
from tournaments.standings.settings import exact

_GAMES: Final = Asked(
    f"""
    SELECT CAST(g.id AS text), g.low, CAST(s.entry_id AS text), k.score, k.hands
    FROM {TableGame._meta.db_table} g
    JOIN {SeatSum._meta.db_table} k ON k.game_id = g.id
    JOIN {TableSeat._meta.db_table} s ON s.table_id = g.table_id AND s.seat = k.seat
    WHERE g.event_id = %s
    """,  # noqa: S608 (our own names)
    "uuid",
)
MORE_DECIDES: Final = f"""
    EXISTS (SELECT 1 FROM {SitOut._meta.db_table} o JOIN {RoundRow._meta.db_table} r
        ON r.id = o.round_id WHERE r.event_id = v.id AND r.stage <> '{Stage.DRAWN.value}')
    OR EXISTS (SELECT 1 FROM {SeatDecision._meta.db_table} d JOIN {TableGame._meta.db_table} t
        ON t.id = d.game_id WHERE t.event_id = v.id AND d.cancelled_at IS NULL)
"""  # noqa: S608 (our own names)
"""SQL: whether more than sums decides what the games of event ``v`` bring."""
HAS_ADJUSTMENTS: Final = f"""
    EXISTS (SELECT 1 FROM {Adjustment._meta.db_table} a JOIN {Entry._meta.db_table} i
        ON i.id = a.entry_id WHERE i.event_id = v.id AND a.cancelled_at IS NULL)
"""  # noqa: S608 (our own names)
"""SQL: whether the director added something in event ``v``."""
_ENTRIES: Final = Asked(
    f"""
    SELECT CAST(e.id AS text), e.number, CAST(COALESCE(p.merged_into_id, p.id) AS text),
        e.standing, e.handicap, CAST(v.scoring AS text), v.hands,
        {MORE_DECIDES}, {HAS_ADJUSTMENTS}
    FROM {Event._meta.db_table} v
    JOIN {Entry._meta.db_table} e ON e.event_id = v.id
    JOIN {Player._meta.db_table} p ON p.id = e.player_id
    WHERE v.id = %s
    """,  # noqa: S608 (our own names)
    "uuid",
)


class Stands(NamedTuple):
    """Where an entry stands by now; ``rank`` is None where none is given.

    ``games`` and ``total`` are those of games that count by now, ``hands`` and ``score`` all that
    was played.
    """

    entry: str
    player: str
    number: int
    rank: Rank | None
    total: Exact | None
    games: int
    hands: int
    score: int


@dataclass(frozen=True, slots=True)
class Now:
    """An event as it stands by now, the best first, then those without a place by number."""

    unit: str
    lines: Sequence[Stands]


class _Entered(NamedTuple):
    id: str
    number: int
    player: str
    standing: str
    handicap: Exact


@dataclass(slots=True)
class _Sums:
    """What an entry came to."""

    value: Exact = 0
    games: int = 0
    hands: int = 0
    score: int = 0


def now(event: UUID) -> Now | None:
    """Where everybody stands; None where only what is published tells. Two or three queries."""
    entered = _ENTRIES.rows(event)
    if not entered or entered[0][7]:
        return None
    settings, hands, has_adjustments = entered[0][5], entered[0][6], entered[0][8]
    entries = [_entered(row) for row in entered]
    games = _GAMES.rows(event)
    worth = worth_of(
        settings,
        hands,
        low=any(row[1] for row in games),
        guests=any(one.standing == EntryStanding.GUEST for one in entries),
    )
    added = _added(event) if has_adjustments else {}
    if worth is None or added is None:
        return None
    return _standing(entries, _added_up(games, worth), added, worth)


def _entered(row: Sequence[Any]) -> _Entered:
    entry, number, player, standing, handicap, *_ = row
    return _Entered(entry, number, player, standing, exact(handicap) if handicap else 0)


def _added(event: UUID) -> dict[str, Fraction] | None:
    """What the director added to totals; None where it moves places at a table. One query."""
    rows = Adjustment.objects.filter(entry__event=event, cancelled_at=None)
    found: dict[str, Fraction] = {}
    columns = ("entry_id", "amount", "round", "affects_place")
    for number, amount, round_number, moves in rows.values_list(*columns):
        if moves and round_number is not None:
            return None
        entry = stored(number)
        found[entry] = found.get(entry, Fraction(0)) + exact(amount)
    return found


def _added_up(games: Iterable[Sequence[Any]], worth: Worth) -> dict[str, _Sums]:
    """The games of every entry that sat at a table."""
    tables: dict[str, dict[str, Sat]] = defaultdict(dict)
    for game, _, entry, *sat in games:
        seats = tables[game]
        known = seats.get(entry)
        # A seat in which two people sat in turn has two sums.
        seats[entry] = (sat[0], sat[1]) if known is None else (known[0] + sat[0], known[1] + sat[1])
    found: dict[str, _Sums] = defaultdict(_Sums)
    for seats in tables.values():
        values = worth.of(tuple(seats.values()))
        for number, (entry, (score, hands)) in enumerate(seats.items()):
            sums = found[entry]
            sums.hands += hands
            sums.score += score
            if values is not None:
                sums.value += values[number]
                sums.games += 1
    return found


def _standing(
    entries: Sequence[_Entered],
    sums: Mapping[str, _Sums],
    added: Mapping[str, Fraction],
    worth: Worth,
) -> Now:
    played = [(one, sums[one.id]) for one in entries if one.id in sums]
    totals = {one.id: _total(one, mine, added.get(one.id, 0), worth) for one, mine in played}
    ranked = [one.id for one, mine in played if _is_ranked(one, mine, worth)]
    ranks = ranks_of(ranked, totals, low=worth.scoring.low_total)
    lines = [
        Stands(
            shown(one.id),
            shown(one.player),
            one.number,
            ranks.get(one.id),
            totals[one.id],
            mine.games,
            mine.hands,
            mine.score,
        )
        for one, mine in played
    ]
    last = len(lines) + 1
    lines.sort(key=lambda one: (one.rank.first if one.rank else last, one.number))
    return Now(worth.scoring.unit, lines)


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


def _total(one: _Entered, mine: _Sums, added: Exact, worth: Worth) -> Exact | None:
    """The total as it will be published; None before the first game that counts."""
    scoring = worth.scoring
    if not mine.games:
        return None
    base = mine.value
    if scoring.total is Total.GAME_AVERAGE:
        base = Fraction(base, mine.games)
    if not has_handicaps(scoring):
        return base + added
    return base + added + (-one.handicap if scoring.low_total else one.handicap)


def _is_ranked(one: _Entered, mine: _Sums, worth: Worth) -> bool:
    is_player = one.standing == EntryStanding.PLAYER
    return is_player and mine.games >= max(1, worth.scoring.least_games)
