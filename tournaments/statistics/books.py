"""The tallies of all players, and the counts of the tables themselves."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tournaments.statistics.lines import PlayerHandLine, TableLine
from tournaments.statistics.seat_bias import SeatBiasInput
from tournaments.statistics.sums import Key, Sum, merge
from tournaments.statistics.tally import PlayerTally


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
