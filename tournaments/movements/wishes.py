"""Constraints of a seating: those it must keep, and those it should."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from engine.core.messages import Message
from tournaments.movements.seating import SeatingError
from tournaments.movements.sizes import ALLOWED

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Stay:
    """An entrant who does not move: always at this table, and in this seat if one is named.

    ``number``: what the table is called; None: one more than its place.
    """

    entrant: int
    table: int
    seat: int | None = None
    number: int | None = None

    @property
    def table_number(self) -> int:
        """The number of the table, as people know it."""
        return self.table + 1 if self.number is None else self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Limits of a seating; entrants, tables and seats are numbered from 0.

    ``allowed``: sizes of tables; ``byes``: whether anybody may sit out (None: only where one size
    alone is allowed); ``volunteers`` sit out first, in this order.

    Never: two of ``apart`` or two of one of ``teams`` at a table, somebody of ``never`` (entrant,
    table) at that table, somebody of ``stay`` elsewhere. As seldom as can be, in this order: two
    of one of ``households``, of ``pots`` (seeded groups).

    ``top_first``: round by round, the tables of the best come nearest to what is ideal.
    """

    allowed: tuple[int, ...] = ALLOWED
    byes: bool | None = None
    apart: tuple[tuple[int, int], ...] = ()
    households: Groups = ()
    teams: Groups = ()
    pots: Groups = ()
    stay: tuple[Stay, ...] = ()
    never: tuple[tuple[int, int], ...] = ()
    volunteers: tuple[int, ...] = ()
    top_first: bool = False

    def forbidden(self) -> frozenset[tuple[int, int]]:
        """The pairs that never share a table, the lower number first."""
        pairs = chain(self.apart, *(combinations(team, 2) for team in self.teams))
        return frozenset((min(pair), max(pair)) for pair in pairs if pair[0] != pair[1])

    def renumber(self, numbers: Sequence[int]) -> "Wishes":
        """Return the same wishes with ``numbers[entrant]`` in the place of each entrant."""

        def renumber_groups(groups: Groups) -> Groups:
            return tuple(tuple(numbers[one] for one in group) for group in groups)

        return replace(
            self,
            apart=tuple((numbers[one], numbers[other]) for one, other in self.apart),
            households=renumber_groups(self.households),
            teams=renumber_groups(self.teams),
            pots=renumber_groups(self.pots),
            stay=tuple(replace(stay, entrant=numbers[stay.entrant]) for stay in self.stay),
            never=tuple((numbers[one], table) for one, table in self.never),
            volunteers=tuple(numbers[volunteer] for volunteer in self.volunteers),
        )

    def check(self, n: int) -> None:
        """Raise SeatingError where a wish names nobody, or contradicts itself or another."""
        groups = (*self.apart, *self.households, *self.teams, *self.pots)
        singles = chain((stay.entrant for stay in self.stay), (one for one, _ in self.never))
        named = {*chain.from_iterable(groups), *singles, *self.volunteers}
        unknown = sorted(entrant for entrant in named if not 0 <= entrant < n)
        if unknown:
            raise SeatingError(Message("A wish names somebody who is not entered."), unknown)
        alone = [one for one, other in self.apart if one == other]
        if alone:
            raise SeatingError(Message("Nobody can be kept apart from themselves."), alone)
        self._check_stays()

    def _check_stays(self) -> None:
        tables = {stay.entrant: stay.table for stay in self.stay}
        called = {stay.entrant: stay.table_number for stay in self.stay}
        seats = [(stay.table, stay.seat) for stay in self.stay if stay.seat is not None]
        named = [stay.entrant for stay in self.stay]
        if len(tables) < len(named) or len(set(seats)) < len(seats):
            raise SeatingError(
                Message("A seat that is kept belongs to one player, who has no other.")
            )
        if any(min(stay.table, stay.seat or 0) < 0 for stay in self.stay):
            raise SeatingError(Message("Tables and seats that are kept have numbers."), named)
        for one, other in self.forbidden():
            if one in tables and tables.get(one) == tables.get(other):
                raise SeatingError(
                    Message("Two who sit apart keep seats at one table."), (one, other)
                )
        for entrant, table in self.never:
            if tables.get(entrant) == table:
                words = Message(
                    "Somebody keeps a seat at table {called}, where they never sit.",
                    called=called[entrant],
                )
                raise SeatingError(words, (entrant,))
