"""A summary of the finished demo club, counted from the database."""

from dataclasses import dataclass
from uuid import UUID

from scoring.games import night_sheets
from scoring.models import Decided, Game, Hand, HandVersion
from scoring.selectors import queries
from tournaments.models import Event, Player


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFigures:
    """A club in numbers; ``corrections`` count undone ones and the undoing, ``unpaid`` balances."""

    players: int
    events: int
    games: int
    hands: int
    corrections: int
    rulings: int
    transfers: int
    unpaid: int


def tell(club: UUID) -> ClubFigures:
    """Count what a club has. A fixed number of queries."""
    hands = Hand.objects.filter(game__club=club)
    versions = HandVersion.objects.filter(hand__game__club=club)
    return ClubFigures(
        players=Player.objects.filter(club=club, merged_into=None).count(),
        events=Event.objects.filter(club=club).count(),
        games=Game.objects.filter(club=club).count(),
        hands=hands.filter(rival=None).count(),
        corrections=versions.filter(number__gt=1).count(),
        rulings=Decided.objects.filter(hand__game__club=club).count(),
        transfers=queries.club_transfers(club).count(),
        unpaid=len(night_sheets.open_balances(club_id=club)),
    )
