"""An event as the database tells it in one row: who plays, and what every seat came to.

Entries and games are told as texts. What is read of a text is remembered by it: a hand changes the
text of one game, and nothing is read again of all the others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from tournaments.asked import shown
from tournaments.kept.worth import Worth, worth_of
from tournaments.models import (
    Adjustment,
    Entry,
    EntryStanding,
    Player,
    Presence,
    SeatDecision,
    SeatSum,
    SitOut,
    TableGame,
)
from tournaments.models import Round as RoundRow
from tournaments.models.round import Stage
from tournaments.standings.choices import Total
from tournaments.standings.exact import Exact, plain
from tournaments.standings.settings import exact

_GAMES: Final = TableGame._meta.db_table
_ENTRIES: Final = Entry._meta.db_table
MORE_DECIDES: Final = f"""
    EXISTS (SELECT 1 FROM {SitOut._meta.db_table} o JOIN {RoundRow._meta.db_table} r
        ON r.id = o.round_id WHERE r.event_id = v.id AND r.stage <> '{Stage.DRAWN.value}')
    OR EXISTS (SELECT 1 FROM {SeatDecision._meta.db_table} d JOIN {_GAMES} t
        ON t.id = d.game_id WHERE t.event_id = v.id AND d.cancelled_at IS NULL)
"""
"""SQL: whether more than sums decides what the games of event ``v`` bring."""
IS_LOW: Final = f"""
    (SELECT MAX(CASE WHEN g.low THEN 1 ELSE 0 END) FROM {_GAMES} g WHERE g.event_id = v.id)
"""
"""SQL: whether games of event ``v`` count penalty points."""
ENTERED: Final = f"""
    (SELECT STRING_AGG(CAST(e.id AS text) || ',' || e.number || ','
        || CAST(COALESCE(p.merged_into_id, p.id) AS text) || ',' || e.standing || ','
        || e.presence || ',' || e.handicap, ';')
    FROM {_ENTRIES} e JOIN {Player._meta.db_table} p ON p.id = e.player_id
    WHERE e.event_id = v.id)
"""
"""SQL: the entries of event ``v`` as text."""
ADDED: Final = f"""
    (SELECT STRING_AGG(CASE WHEN a.affects_place AND a.round IS NOT NULL THEN '!' ELSE '' END
        || i.number || ',' || a.amount, ';')
    FROM {Adjustment._meta.db_table} a JOIN {_ENTRIES} i ON i.id = a.entry_id
    WHERE i.event_id = v.id AND a.cancelled_at IS NULL)
"""
"""SQL: what the director added in event ``v`` as text; with a mark where it moves a place."""
PLAYED: Final = f"""
    (SELECT STRING_AGG(one.seats, ';') FROM (
        SELECT STRING_AGG(i.number || ',' || k.score || ',' || k.hands, ',') AS seats
        FROM {SeatSum._meta.db_table} k JOIN {_ENTRIES} i ON i.id = k.entry_id
        WHERE k.event_id = v.id AND i.event_id = v.id GROUP BY k.game_id
    ) AS one)
"""
"""SQL: the games of event ``v`` as text: number of the entry, score and hands, seat by seat."""
_MOVES: Final = "!"


class Told(NamedTuple):
    """What the database tells of an event; texts are None where there is nothing."""

    settings: str
    hands: int
    more: int
    low: int | None
    entered: str | None
    added: str | None
    played: str | None
    ranks_guests: int


TOLD: Final = f"""
    CAST(v.scoring AS text), v.hands, CASE WHEN {MORE_DECIDES} THEN 1 ELSE 0 END,
    {IS_LOW}, {ENTERED}, {ADDED}, {PLAYED},
    CASE WHEN v.rank_guests THEN 1 ELSE 0 END
"""
"""SQL: the columns of `Told`."""


class Entered(NamedTuple):
    """An entry; ``player`` is who it is, once duplicates are seen through."""

    id: str
    number: int
    player: str
    standing: str
    presence: str
    handicap: Exact

    @property
    def is_withdrawn(self) -> bool:
        """Whether the entry is withdrawn: its results count, but it has no rank."""
        return self.presence == Presence.WITHDRAWN


@dataclass(slots=True)
class Sums:
    """What an entry came to: in the ``games`` that count, and in all that was played."""

    value: Exact = 0
    games: int = 0
    hands: int = 0
    score: int = 0


@dataclass(frozen=True, slots=True)
class AddedUp:
    """An event of which every total is known; entries go by their number."""

    worth: Worth
    entries: Sequence[Entered]
    sums: Mapping[int, Sums]
    added: Mapping[int, Exact]
    ranks_guests: bool

    def ranks(self, one: Entered) -> bool:
        """Whether an entry is ranked once it has played enough."""
        return self.counts(one) and not one.is_withdrawn

    def counts(self, one: Entered) -> bool:
        """Whether the results of an entry count in a season: not those of unranked guests."""
        is_guest = one.standing == EntryStanding.GUEST
        return one.standing == EntryStanding.PLAYER or (is_guest and self.ranks_guests)

    def scratch(self, number: int) -> Exact | None:
        """The total without handicap; None before the first game that counts."""
        sums = self.sums[number]
        if not sums.games:
            return None
        value = sums.value
        if self.worth.scoring.total is Total.GAME_AVERAGE:
            value = Fraction(value, sums.games)
        return value + self.added.get(number, 0)


def added_up(told: Told) -> AddedUp | None:
    """An event with what everybody came to; None where only what is published tells."""
    if told.more or (told.added is not None and _MOVES in told.added):
        return None
    entries, has_guests = _entered(told.entered or "")
    passed_over = has_guests and not told.ranks_guests
    worth = worth_of(told.settings, told.hands, low=bool(told.low), guests=passed_over)
    if worth is None:
        return None
    sums, added = _sums(told.played, worth), _added(told.added or "")
    return AddedUp(worth, entries, sums, added, bool(told.ranks_guests))


@lru_cache(maxsize=1024)
def _entered(text: str) -> tuple[tuple[Entered, ...], bool]:
    """The entries, and whether one is a guest's."""
    rows = [one.split(",") for one in text.split(";")] if text else []
    found = tuple(
        Entered(shown(entry), int(number), shown(player), standing, presence, _exact(handicap))
        for entry, number, player, standing, presence, handicap in rows
    )
    return found, any(one.standing == EntryStanding.GUEST for one in found)


@lru_cache(maxsize=1024)
def _added(text: str) -> Mapping[int, Exact]:
    found: dict[int, Exact] = defaultdict(int)
    for one in text.split(";") if text else ():
        number, amount = one.split(",")
        found[int(number)] += _exact(amount)
    return found


def _exact(text: str) -> Exact:
    return plain(exact(text)) if text else 0


def _sums(text: str | None, worth: Worth) -> dict[int, Sums]:
    """The games of every entry that sat at a table."""
    found: dict[int, Sums] = {}
    for game in text.split(";") if text else ():
        for number, value, score, hands in worth.game(game):
            sums = found.get(number)
            if sums is None:
                sums = found[number] = Sums()
            sums.hands += hands
            sums.score += score
            if value is not None:
                sums.value += value
                sums.games += 1
    return found
