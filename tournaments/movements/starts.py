"""Starts of planning: the best known construction, made to fit who is there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from engine.core.messages import Message
from tournaments.movements.catalogue import Rounds, whist
from tournaments.movements.floor import fit_groups
from tournaments.movements.orders import draw_order
from tournaments.movements.rainbow import without_repeats
from tournaments.movements.seating import SeatingError, met_by
from tournaments.movements.wishes import Stay


@dataclass(frozen=True, slots=True)
class UnseatedRound:
    """One round before anybody has a place: its sizes, who plays, and who sits out."""

    sizes: tuple[int, ...]
    seated: tuple[int, ...]
    sit_outs: tuple[int, ...] = ()
    away: int = 0

    @property
    def usual(self) -> int:
        """The size of most tables; four where there is one."""
        return 4 if 4 in self.sizes else max(set(self.sizes), key=self.sizes.count)


def complete_rounds(n: int, size: int, rounds: int, lots: Random) -> Rounds:
    """Rounds after which every pair has met equally often, as many as fit; or none.

    What follows them can be planned as if nothing had been: the best is then best for all.
    """
    found: Rounds = []
    if size == 4 and n in (8, 12, 16, 20, 24, 28, 32):
        found += whist(n) * (rounds // (n - 1))
    once = (n - 1) // (size - 1)
    if once * (size - 1) == n - 1 and rounds - len(found) >= once:
        design = without_repeats(n, size, once, lots)
        if len(design) == once:
            found += design * ((rounds - len(found)) // once)
    return found


def construct(
    rounds: Sequence[UnseatedRound], entrants: Sequence[int], lots: Random
) -> tuple[Rounds, int]:
    """Tables for all rounds, as good as constructions make them, and how many rounds those reach.

    ``entrants`` are all who play at all, in the order in which they take the places of the
    construction. Later rounds than it has are drawn by lot.
    """
    usual = rounds[0].usual
    seats = usual * max(len(each.sizes) for each in rounds)
    few = min(sum(each.sizes) for each in rounds)
    places = seats if seats - few <= 3 else usual * (few // usual)
    base = without_repeats(places, usual, len(rounds), lots)
    ghosts = _ghosts(base, places, max(0, places - len(entrants)))
    held = [place for place in range(places) if place not in ghosts]
    named = dict(zip(held, entrants, strict=False))
    found = []
    for number, each in enumerate(rounds):
        seated = set(each.seated)
        design = (
            base[number]
            if number < len(base)
            else fit_groups([], each.sizes, draw_order(each.seated, lots))
        )
        names = named if number < len(base) else {one: one for one in each.seated}
        groups = [
            [names[place] for place in table if names.get(place) in seated] for table in design
        ]
        placed = {one for group in groups for one in group}
        turn = int(lots.random() * len(groups))
        groups = [*groups[turn:], *groups[:turn]]
        found.append(fit_groups(groups, each.sizes, draw_order(seated - placed, lots)))
    return found, len(base)


def _ghosts(base: Rounds, places: int, many: int) -> frozenset[int]:
    """Places to leave empty: such as never meet, and have as few rivals in common as can be.

    Their tables are short of one each, and hardly anybody is short twice.
    """
    if not many or not base:
        return frozenset(range(places - many, places))
    met = met_by(base, places)
    chosen = [0]
    while len(chosen) < many:
        free = [
            place for place in range(places)
            if place not in chosen and not any(met[one] >> place & 1 for one in chosen)
        ]  # fmt: skip
        rest = free or [place for place in range(places) if place not in chosen]
        chosen.append(
            min(rest, key=lambda place: sum((met[place] & met[one]).bit_count() for one in chosen))
        )
    return frozenset(chosen)


def put_at_kept_tables(tables: list[list[int]], stays: Collection[Stay], number: int) -> None:
    """Bring those who stay put to their tables, in exchange for somebody else."""
    at = {one: table for table, sat in enumerate(tables) for one in sat}
    here = [stay for stay in stays if stay.entrant in at]
    home = {stay.entrant: stay.table for stay in here}
    for stay in here:
        if stay.table >= len(tables) or (stay.seat or 0) >= len(tables[stay.table]):
            words = Message(
                "Somebody keeps a seat at table {called} that round {number} has not.",
                called=stay.table_number,
                number=number + 1,
            )
            raise SeatingError(words, (stay.entrant,), number)
        mine = at[stay.entrant]
        if mine == stay.table:
            continue
        others = [one for one in tables[stay.table] if one not in home or at[one] != home[one]]
        if not others:
            words = Message(
                "More players keep a seat at table {called} than it has.", called=stay.table_number
            )
            raise SeatingError(words, (stay.entrant,), number)
        other = others[0]
        tables[mine][tables[mine].index(stay.entrant)] = other
        tables[stay.table][tables[stay.table].index(other)] = stay.entrant
        at[stay.entrant], at[other] = stay.table, mine
