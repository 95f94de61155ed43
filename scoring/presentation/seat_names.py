"""Names of the players in each seat of a game, as the viewer may see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.models import Game, Sitting
from scoring.presentation.answers import seats_of
from scoring.presentation.cards import seat_name
from scoring.selectors import queries
from tournaments.people.display_names import distinct_names


@dataclass(frozen=True, slots=True)
class NamedSitter:
    """Somebody in a seat; ``first`` is the hand from which they sat there, ``last`` to which."""

    seat: str
    seat_name: str
    player: UUID
    name: str
    first: int
    last: int | None
    is_entrant: bool


@dataclass(frozen=True, slots=True)
class Sitters:
    """Everybody who sat in a game."""

    seats: tuple[str, ...]
    everybody: Sequence[NamedSitter]

    def now(self) -> list[NamedSitter]:
        """Who sits there now, seat by seat."""
        return [one for one in self.everybody if one.last is None]

    def names_at(self, number: int) -> dict[str, str]:
        """By seat, who played a hand."""
        return {
            one.seat: one.name
            for one in self.everybody
            if one.first <= number and (one.last is None or number <= one.last)
        }


def sitters_of(game: Game, *, in_full: bool) -> Sitters:
    """Everybody who sat in a game, with names. Three queries."""
    rows = queries.sittings(game)
    names = distinct_names(game.club, [row.player_id for row in rows], in_full=in_full)
    seats = seats_of(game)
    return Sitters(seats, [_sitter(row, seats, names.get(str(row.player_id), "")) for row in rows])


def _sitter(row: Sitting, seats: Sequence[str], name: str) -> NamedSitter:
    seat = seats[row.seat]
    return NamedSitter(
        seat=seat,
        seat_name=seat_name(seat),
        player=row.player_id,
        name=name,
        first=row.first,
        last=row.last,
        is_entrant=row.is_entrant,
    )
