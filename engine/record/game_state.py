"""Game state: what one hand leaves to the next (rules.md A8, D32 and section 11)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..core.cards import Suit
from ..core.messages import Message
from ..core.seats import Seat
from ..core.values import quickly_made
from ..rules.rules import Rules, RulesError, plays_for_chips


class EndReason(StrEnum):
    """Why a game is over."""

    BUST = "bust"
    HANDS = "hands"
    ORBITS = "dealer_orbits"
    LIMIT = "limit"
    ALL_TRICKS = "moon_all_tricks"
    STOPPED = "stopped"


END_REASONS: Final = {
    EndReason.BUST: Message("a player was out of chips"),
    EndReason.HANDS: Message("all hands were played"),
    EndReason.ORBITS: Message("everybody had dealt often enough"),
    EndReason.LIMIT: Message("the limit was reached"),
    EndReason.ALL_TRICKS: Message("one player took every trick"),
    EndReason.STOPPED: Message("it was stopped"),
}


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """The state of a game between two hands; amounts by seat.

    ``jackpot`` counts the hands already played for the carried pot, plus one: n means that the
    next hand is the n-th jackpot hand, 0 that it is an ordinary one. ``namer`` and ``pain`` are
    the bid-winner of the original auction and the suit they named. ``deals`` counts dealt hands
    (it turns the passing direction), ``hands`` settled ones, ``dealt`` settled hands by dealer.
    ``due`` is an end that has been reached while the game goes on, for a pot or a tie (Q27, Q29).
    ``bought`` are the chips that came from the bank: chips and pot always sum to it.
    """

    dealer: Seat
    chips: tuple[int, ...]
    bought: int
    totals: tuple[int, ...]
    tricks: tuple[int, ...]
    dealt: tuple[int, ...]
    pot: int = 0
    jackpot: int = 0
    namer: Seat | None = None
    pain: Suit | None = None
    deals: int = 0
    hands: int = 0
    feet: frozenset[Seat] = frozenset()
    due: EndReason | None = None
    over: EndReason | None = None
    winner: Seat | None = None

    def __post_init__(self) -> None:
        assert sum(self.chips) + self.pot == self.bought, "chips and pot sum to what was bought"

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.chips)


def beginning(rules: Rules, players: int, dealer: Seat = Seat(0)) -> GameState:
    """The state before the first hand of a game (A1, C2).

    Raises RulesError for a number of players that these rules have no table for.
    """
    if not rules.players.least <= players <= rules.players.most:
        words = Message(
            "{count} cannot sit down; {players} can",
            count=players,
            players=rules.players.in_words(),
        )
        raise RulesError("players", words)
    stack = rules.starting_chips if plays_for_chips(rules) else 0
    return GameState(
        dealer=dealer,
        chips=(stack,) * players,
        bought=stack * players,
        totals=(0,) * players,
        tricks=(0,) * players,
        dealt=(0,) * players,
    )
