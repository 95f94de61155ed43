"""All counts of a player, and the book of all players.

Their memory does not grow with the number of hands.

Sums are exact, so the tallies of parts merge into the tally of the whole, whatever the parts and
their order; what grows is a few numbers for each night and each rival.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from tournaments.statistics.achievements import OF_A_HAND, is_comeback
from tournaments.statistics.catalogue import OF_TABLES, Extreme
from tournaments.statistics.hand_catalogue import EXTREMES, OF_HANDS
from tournaments.statistics.lines import Exact, PlayerHandLine, TableLine
from tournaments.statistics.nights import Marks
from tournaments.statistics.seat_bias import SeatBiasInput
from tournaments.statistics.sums import Key, Sum, counting, merge

LAST: Final = 10
"""So many tables are one's form."""
Finish = tuple[str, int, int, int, Exact | None]
"""A table in the order of play: night, number in it, place, players, gain."""
Best = tuple[Exact, str, int]
"""The highest or the lowest value, and in which night and hand of it first."""
Stratum = tuple[int, int, int]
"""Hands that are alike before the auction: players, seat, size of the pot."""
_POTS: Final = (1, 10, 20, 50)
"""Pots before the auction are alike from one of these to the next."""

_count_hand: Final = counting(OF_HANDS)
_count_table: Final = counting(OF_TABLES)


@dataclass(slots=True)
class RivalTally:
    """A player's record against another at common tables; ``flow`` came from the other.

    ``squares`` is the sum of the squares of what came at each table; ``valued`` are the tables
    whose gains are in the unit that is added up.
    """

    tables: int = 0
    beaten: int = 0
    tied: int = 0
    flow: Exact = 0
    squares: Exact = 0
    valued: int = 0

    @property
    def lost(self) -> int:
        """The tables at which the other came in first."""
        return self.tables - self.beaten - self.tied

    def merge(self, other: "RivalTally") -> None:
        """Count all of the other."""
        self.tables += other.tables
        self.beaten += other.beaten
        self.tied += other.tied
        self.flow += other.flow
        self.squares += other.squares
        self.valued += other.valued


@dataclass(slots=True)
class PlayerTally:
    """The counts of one player.

    ``sums`` are by the key of a statistic, or the key and a group; ``earned`` by achievement,
    how often and in which night first; ``auctions`` by what was alike, and whether they named.
    """

    sums: dict[Key, Sum] = field(default_factory=dict)
    auctions: dict[tuple[Stratum, bool], Sum] = field(default_factory=dict)
    extremes: dict[str, Best] = field(default_factory=dict)
    earned: dict[str, tuple[int, str]] = field(default_factory=dict)
    clean: dict[str, Marks] = field(default_factory=dict)
    wins: dict[str, Marks] = field(default_factory=dict)
    nights: dict[str, Exact] = field(default_factory=dict)
    last: list[Finish] = field(default_factory=list)
    rivals: dict[str, RivalTally] = field(default_factory=dict)
    without_gain: int = 0

    def add_hand(self, line: PlayerHandLine) -> None:
        """Count a hand. Raises ValueError for a number that no night reaches."""
        if line.captured is not None:
            _marks(self.clean, line.night).add(line.number, hit=line.captured == 0)
        _count_hand(self.sums, line)
        self.without_gain += line.is_other_unit
        for extreme in EXTREMES:
            value = extreme.read(line)
            if value is not None:
                self._stretch(extreme, (value, line.night, line.number))
        for key, has in OF_A_HAND.items():
            if has(line):
                self._earn(key, 1, line.night)
        if line.jackpot is False and None not in (line.named, line.net, line.seat, line.pot):
            self._count_auction(line)

    def add_table(self, line: TableLine) -> None:
        """Count a table. Raises ValueError for a number that no night reaches."""
        _marks(self.wins, line.night).add(line.number, hit=line.place == 1)
        _count_table(self.sums, line)
        if line.net is not None:
            self.nights[line.night] = self.nights.get(line.night, 0) + line.net
        self._remember((line.night, line.number, line.place, line.players, line.net))
        for rival in line.rivals:
            met = self.rivals.setdefault(rival.player, RivalTally())
            met.tables += 1
            met.beaten += rival.place > line.place
            met.tied += rival.place == line.place
            if line.net is not None and rival.net is not None:
                flow = Fraction(line.net - rival.net) / line.players
                met.flow += flow
                met.squares += flow * flow
                met.valued += 1
        if is_comeback(line):
            self._earn("comeback", 1, line.night)

    def merge(self, other: "PlayerTally") -> None:
        """Count all that the other counted, of other hands and tables."""
        merge(self.sums, other.sums)
        merge(self.auctions, other.auctions)
        for extreme in EXTREMES:
            if extreme.key in other.extremes:
                self._stretch(extreme, other.extremes[extreme.key])
        for key, (times, first) in other.earned.items():
            self._earn(key, times, first)
        for mine, theirs in ((self.clean, other.clean), (self.wins, other.wins)):
            for night, marks in theirs.items():
                _marks(mine, night).merge(marks)
        for night, net in other.nights.items():
            self.nights[night] = self.nights.get(night, 0) + net
        self._remember(*other.last)
        for player, met in other.rivals.items():
            self.rivals.setdefault(player, RivalTally()).merge(met)
        self.without_gain += other.without_gain

    def _stretch(self, extreme: Extreme, best: Best) -> None:
        """Keep the better one; of equal ones the first."""
        known = self.extremes.get(extreme.key, best)
        ahead = best[0] > known[0] if extreme.highest else best[0] < known[0]
        if ahead or (best[0] == known[0] and best[1:] <= known[1:]):
            self.extremes[extreme.key] = best

    def _earn(self, key: str, times: int, night: str) -> None:
        before, first = self.earned.get(key, (0, night))
        self.earned[key] = (before + times, min(first, night))

    def _count_auction(self, line: PlayerHandLine) -> None:
        assert line.seat is not None
        assert line.net is not None
        size = sum((line.pot or 0) >= least for least in _POTS)
        stratum = ((line.players, line.seat, size), bool(line.named))
        self.auctions.setdefault(stratum, Sum()).add(line.net)

    def _remember(self, *tables: Finish) -> None:
        self.last = sorted([*self.last, *tables])[-LAST:]


def _marks(nights: dict[str, Marks], night: str) -> Marks:
    return nights.setdefault(night, Marks())


@dataclass(slots=True)
class Book:
    """The counts of a club, an event or a league, a tally for each player."""

    players: dict[str, PlayerTally] = field(default_factory=dict)
    seats: SeatBiasInput = field(default_factory=SeatBiasInput)

    def add(self, lines: Iterable[PlayerHandLine | TableLine]) -> "Book":
        """Count lines as they come, in any order, and give the book back.

        Raises ValueError for a number that no night reaches.
        """
        for line in lines:
            tally = self.players.get(line.player)
            if tally is None:
                tally = self.players[line.player] = PlayerTally()
            if isinstance(line, PlayerHandLine):
                tally.add_hand(line)
                self.seats.add(line)
            else:
                tally.add_table(line)
        return self

    def merge(self, other: "Book") -> None:
        """Count all that the other counted, of other hands and tables."""
        for player, tally in other.players.items():
            self.players.setdefault(player, PlayerTally()).merge(tally)
        self.seats.merge(other.seats)

    def everybody(self) -> dict[Key, Sum]:
        """The sums of all players together: what is usual here."""
        sums: dict[Key, Sum] = {}
        for tally in self.players.values():
            merge(sums, tally.sums)
        return sums
