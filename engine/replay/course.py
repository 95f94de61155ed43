"""The course of a play: who led and who won each trick; and plays to which nobody could object.

Nearly every play is legal, and one look at the suits of each trick shows it. A play in which any
card needs a second look is judged card by card in `replay.tricks` (rules.md K5, A4-A6).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import Final, NamedTuple

from ..core.cards import BIT, EMPTY, FOLLOWING, SUIT_CARDS, SUIT_OF, Card, CardSet
from ..core.seats import Seat
from .play import Restrictions, Trick, legal_follows, legal_leads

_FLAGS: Final = bytes(1 << suit for suit in SUIT_OF).ljust(256, b"\0")
"""A bit for a card's suit, by card: a table for `bytes.translate`."""
_EACH: Final = tuple(int.from_bytes(b"\1" * players, "little") for players in range(9))
"""Times this, a byte stands for all players of a trick."""


class Course(NamedTuple):
    """A play of whole tricks: ``play`` row by row in the columns of the seats, clockwise.

    ``leaders`` and ``winners`` are columns, trick by trick; ``taken`` are the cards that each
    seat won, by seat.
    """

    columns: tuple[Seat, ...]
    play: Sequence[Card]
    leaders: list[int]
    winners: list[int]
    taken: list[CardSet]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Every trick with its cards in order of play."""
        players = len(self.columns)
        made = []
        for number, (leader, winner) in enumerate(zip(self.leaders, self.winners, strict=True)):
            row = self.play[number * players : (number + 1) * players]
            cards = (*row[leader:], *row[:leader])
            made.append(Trick(self.columns[leader], cards, self.columns[winner]))
        return tuple(made)

    @property
    def won(self) -> list[int]:
        """Return the number of tricks that each seat won."""
        columns = self.columns
        counts = list(map(self.winners.count, range(len(columns))))
        first = columns[0]
        return counts[-first:] + counts[:-first]


_course: Final = partial(tuple.__new__, Course)


def find_legal_course(
    columns: tuple[Seat, ...],
    play: Sequence[Card],
    leader: int,
    holdings: Sequence[CardSet],
    limits: Restrictions,
) -> Course | None:
    """The course of a play in which every card is legal; None of any other.

    ``play`` are whole tricks, no more cards than are held, and the column ``leader`` leads;
    ``columns`` go round clockwise, and ``holdings`` are the cards at the first lead, by seat.
    """
    players = len(columns)
    bits: tuple[CardSet, ...] = itemgetter(*play)(BIT) if play else ()
    by_column = _by_column(players)(bits)
    first = columns[0]
    played, held_first = list(map(sum, by_column)), [*holdings[first:], *holdings[:first]]
    left = [0] * players
    # As many powers of two as are in a sum are different ones: no card can be there twice.
    if played != held_first:
        left = [held & ~cards for held, cards in zip(held_first, played, strict=True)]
        beyond = any(cards & ~held for held, cards in zip(held_first, played, strict=True))
        if beyond or len(set(play)) < len(play):
            return None
    cards, tricks = bytes(play), list(map(sum, zip(*by_column, strict=True)))
    played_by, following = b"\0" + bytes.maketrans(cards, _places(players, len(tricks))), FOLLOWING
    lead_cards: list[int] = []
    winners: list[int] = []
    won = [EMPTY] * players
    place, base = leader, 0
    for trick in tricks:
        lead = cards[base + place]
        lead_cards.append(lead)
        # The strongest of the cards that follow is the highest bit (K5).
        place = played_by[(trick & following[lead]).bit_length()]
        winners.append(place)
        won[place] += trick  # type: ignore[call-overload]
        base += players
    leads = bytes(lead_cards)
    if _holds_back(cards, leads, left):
        return None
    for number in _doubtful(leads, tricks, limits):
        held = [sum(own[number:]) + rest for own, rest in zip(by_column, left, strict=True)]
        row = play[number * players : (number + 1) * players]
        place = winners[number - 1] if number else leader
        if not _is_forced(row, place, held, limits, first=number == 0):
            return None
    taken = won[-first:] + won[:-first]
    return _course((columns, play, [leader, *winners[:-1]][: len(winners)], winners, taken))


@lru_cache(maxsize=256)
def _by_column(players: int) -> Callable[[tuple[CardSet, ...]], Sequence[tuple[CardSet, ...]]]:
    """A function that tells the cards of a play column by column, for two players or more."""
    return itemgetter(*[slice(column, None, players) for column in range(players)])


@lru_cache(maxsize=256)
def _places(players: int, tricks: int) -> bytes:
    """The columns of the cards of so many tricks."""
    return bytes(range(players)) * tricks


def _holds_back(cards: bytes, leads: bytes, left: Sequence[int]) -> bool:
    """Whether somebody does not follow a suit of which they have a card: played later, or left.

    All tricks are looked at together, a byte for each card and in it a bit for each suit.
    """
    players, size = len(left), 8 * len(left)
    led = bytearray(len(cards))
    led[::players] = leads.translate(_FLAGS)
    shown = int.from_bytes(cards.translate(_FLAGS), "little")
    void = (int.from_bytes(led, "little") * _EACH[players] & ~shown) << size
    for doubling in range(len(leads).bit_length()):
        void |= void << (size << doubling)
    return bool(void & shown) or (any(left) and _keeps(void >> 8 * len(cards), left))


def _keeps(void: int, left: Sequence[int]) -> bool:
    """Whether a column has cards left of a suit that it did not follow."""
    return any(
        void >> 8 * column + suit & 1 and held & cards
        for column, held in enumerate(left)
        for suit, cards in enumerate(SUIT_CARDS)
    )


def _doubtful(leads: bytes, tricks: Sequence[int], limits: Restrictions) -> list[int]:
    """The numbers of tricks for which there has to be a good reason."""
    numbers: list[int] = []
    opened = not tricks or limits.opening in (EMPTY, BIT[leads[0]])
    if not opened or (tricks and tricks[0] & (limits.first_lead | limits.first_discard)):
        numbers.append(0)
    for number, trick in enumerate(tricks):
        if trick & limits.breakers:
            # Whoever leads the suit breaks it: only the trick that does can be led too early.
            if BIT[leads[number]] & limits.unbroken_lead and number not in numbers:
                numbers.append(number)
            break
    return numbers


def _is_forced(
    row: Sequence[Card], leader: int, held: Sequence[int], limits: Restrictions, *, first: bool
) -> bool:
    """Whether the cards of a trick are legal because their players had no others."""
    lead = row[leader]
    for column, card in enumerate(row):
        holding = CardSet(held[column])
        if column == leader:
            legal = legal_leads(holding, limits, first=first)
        else:
            legal = legal_follows(holding, lead, limits, first=first)
        if not BIT[card] & legal:
            return False
    return True
