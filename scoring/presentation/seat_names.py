"""Names of the players in each seat of a game, as the viewer may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from engine.core.messages import Message, PluralMessage
from engine.core.seats import Seat
from engine.verdicts.sentences import seat_name as seat_in_sentence
from scoring.models import Game, Sitting
from scoring.presentation.answers import seats_of
from scoring.selectors import queries
from tournaments.people.display_names import distinct_names, table_names


@dataclass(frozen=True, slots=True)
class NamedSitter:
    """Somebody in a seat; ``first`` is the hand from which they sat there, ``last`` to which."""

    seat: str
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
        """The sitters of now, seat by seat."""
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
    return NamedSitter(
        seat=seats[row.seat],
        player=row.player_id,
        name=name,
        first=row.first,
        last=row.last,
        is_entrant=row.is_entrant,
    )


def names_at_table(game: Game, number: int) -> dict[str, str]:
    """By seat, what those who played a hand call each other at their table. One query."""
    sat = Sitting.objects.filter(Q(last=None) | Q(last__gte=number), game=game, first__lte=number)
    people = "player__person", "player__merged_into__person"
    players = {
        row.seat: row.player.merged_into or row.player
        for row in sat.select_related(*people).order_by("seat")
    }
    seats = seats_of(game)
    called = table_names(list(players.values()))
    return {seats[seat]: name for seat, name in zip(players, called, strict=True)}


_SEAT_FIELDS: Final = frozenset(("seat", "other", "dealer", "seats", "items", "last"))
"""Fields of messages that may name a seat by its letters."""


def name_people(found: Any, names: Mapping[str, str]) -> Any:
    """Return plain data in whose messages people stand in place of their seats, by ``names``.

    What somebody wrote in their own words stays as it is.

    >>> name_people(Message("{seat}: {message}", seat="E", message="-"), {"N": "Ann", "E": "Bob"})
    'Bob: -'
    """
    seats = tuple(names)
    called = {
        str(seat_in_sentence(seats, Seat(place))): names[seat] for place, seat in enumerate(seats)
    }
    return _with_people(found, called, names)


def _with_people(found: Any, called: Mapping[str, str], names: Mapping[str, str]) -> Any:
    match found:
        case Message():
            if found.template in called:
                return called[found.template]
            arguments: dict[str, Any] = {
                key: names.get(str(one), one)
                if key in _SEAT_FIELDS and not isinstance(one, Message)
                else _with_people(one, called, names)
                for key, one in found.arguments.items()
            }
            if isinstance(found, PluralMessage):
                return PluralMessage(found.template, found.plural, **arguments)
            return Message(found.template, **arguments)
        case dict():
            return {key: _with_people(value, called, names) for key, value in found.items()}
        case list():
            return [_with_people(value, called, names) for value in found]
        case _:
            return found
