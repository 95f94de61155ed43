"""The end of a night: what everybody won, and the fewest payments that settle it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scoring.games.night_sheets import NightAccounts, PlayerBalance, payout_sheet
from scoring.ledger.netting import Payment
from scoring.models import Game
from scoring.selectors import queries
from tournaments.core.errors import RefusedError
from tournaments.events.awards import awards_of
from tournaments.events.events import OVER
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSettlement:
    """How one player settles up after a night in one currency; amounts in its minor units.

    ``line`` is what the night and earlier ones came to for them, ``payments`` those of the night's
    fewest payments that they make or receive; None is the club.
    """

    currency: str
    line: PlayerBalance
    payments: tuple[Payment[UUID | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEnd:
    """The money of an event: its accounts in each currency, and the prizes that were won.

    ``prizes`` are in minor units of the club's currency, by player; the club pays them out, apart
    from the payments that settle the accounts. They are empty while the event is played.
    """

    accounts: tuple[NightAccounts, ...]
    prizes: Mapping[UUID, int]

    @property
    def has_money(self) -> bool:
        """Whether anything is paid by anybody."""
        return any(sheet.payments for sheet in self.accounts) or any(self.prizes.values())

    def settlements_of(self, player: UUID) -> list[PlayerSettlement]:
        """Return how a player settles up, by currency; empty where no money moved for them.

        ``player`` is who they turned out to be, if they were merged with a duplicate.
        """
        return [
            PlayerSettlement(
                currency=sheet.currency,
                line=line,
                payments=tuple(one for one in sheet.payments if player in (one.payer, one.payee)),
            )
            for sheet in self.accounts
            for line in sheet.lines
            if line.player == player
        ]


def compute_night_end(event: Event) -> NightEnd:
    """Return what an event comes to in money: who pays whom, and who won how much.

    The same games, fees and standings always give the same payments. For up to
    `scoring.ledger.netting.EXACT_MOST` people with money open they are the fewest there are, for
    more at most one fewer than the people. About ten queries, and a ranking of the event where its
    standings are not official yet: keep the answer for as long as ``event.version`` is the same.
    """
    return NightEnd(accounts=tuple(build_event_accounts(event)), prizes=_prizes_by_player(event))


def build_event_accounts(event: Event) -> list[NightAccounts]:
    """Return the money sheet of the games and entry fees of an event, one for each currency."""
    games = Game.objects.filter(table__round__event=event).values_list("pk", flat=True)
    return payout_sheet(club_id=event.club_id, games=list(games), event=event.pk)


def _prizes_by_player(event: Event) -> dict[UUID, int]:
    """Return the prizes that were won, by player, the first place first."""
    if event.status not in OVER:
        return {}
    try:
        found = awards_of(event).awards
    except RefusedError:
        return {}  # the page of the event says why prizes by chips cannot be shared
    merged = queries.survivors(event.club_id)
    players = dict(Entry.objects.filter(event=event).values_list("pk", "player_id"))
    won = (
        (players[UUID(one.player)], amount)
        for one, amount in zip(found.finishers, found.amounts, strict=True)
    )
    return {merged.get(player, player): amount for player, amount in won if amount}
