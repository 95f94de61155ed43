"""Books of imported games: the same transfers as the ledger writes, many at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias
from uuid import UUID

from engine.core.seats import Seat
from engine.record.game_state import GameState
from engine.settlement.settlement import BANK, POT, Account, Kind, Posting
from scoring.games import buy_ins
from scoring.ledger import transfers
from scoring.ledger.payouts import Drawn
from scoring.ledger.transfers import CHIPS, Stamp
from scoring.models import EntryKind, Game, Holder
from scoring.models.transfer import LedgerAccount, Transfer
from tournaments.database.sql import bulk_insert, timestamp_parameter
from tournaments.models import Club

_ACCOUNT: Final = ("club_id", "game_id", "holder", "seat", "unit", "worth")
_TRANSFER: Final = (
    "game_id", "hand_id", "kind", "payer_id", "payee_id", "amount", "note", "by", "at",
)  # fmt: skip

_Move: TypeAlias = tuple[Kind | EntryKind, Account, Account, int]
_NAMES: Final = {str(Holder.POT): POT, str(Holder.BANK): BANK}


class ImportedBooks:
    """The chips of imported games, and what their players put down in money."""

    def __init__(self, club: Club, stamp: Stamp) -> None:
        self._club, self._stamp = club, stamp
        self._posted: list[tuple[UUID, str | None, Sequence[_Move]]] = []

    def add(self, game: UUID, hand: str, postings: Sequence[Posting]) -> None:
        """Note what a hand moved; it is in the books with `write`."""
        if postings:
            self._posted.append((game, hand, postings))

    def open(
        self, games: Sequence[Game], starts: Sequence[GameState], draws: Sequence[Drawn | None]
    ) -> None:
        """Give new games their accounts, and put down stacks, stakes and what lay in jackpots."""
        bulk_insert(LedgerAccount, _ACCOUNT, chain.from_iterable(map(self._accounts, games)))
        first: list[tuple[UUID, str | None, Sequence[_Move]]] = []
        dues = buy_ins.due_from_players_of_games(games)
        for game, start, drawn in zip(games, starts, draws, strict=True):
            stacks = [
                (EntryKind.BUYIN, BANK, Seat(seat), chips)
                for seat, chips in enumerate(start.chips)
                if chips
            ]
            if stacks:
                first.append((game.pk, None, stacks))
            if drawn is not None:
                dues[game] += buy_ins.due_from_jackpot(game, drawn)
        transfers.post_all(transfers.moves_of_games(dues), stamp=self._stamp)
        self._posted[:0] = first

    def _accounts(self, game: Game) -> list[Sequence[object]]:
        club, number = self._club.pk.hex, game.pk.hex
        places: list[tuple[Holder, int | None]] = [(Holder.POT, None), (Holder.BANK, None)]
        places += [(Holder.SEAT, seat) for seat in range(game.players)]
        return [(club, number, holder.value, seat, CHIPS, "") for holder, seat in places]

    def write(self) -> None:
        """Write all transfers, in order."""
        accounts = _accounts_of({game for game, _hand, _moves in self._posted})
        bulk_insert(Transfer, _TRANSFER, self._cells(accounts))

    def _cells(self, accounts: Mapping[UUID, Mapping[Account, int]]) -> Iterator[Sequence[object]]:
        by, at = self._stamp.by.label, timestamp_parameter(self._stamp.at)
        for game, hand, moves in self._posted:
            of, in_game = accounts[game], game.hex
            for kind, payer, payee, amount in moves:
                yield (in_game, hand, kind.value, of[payer], of[payee], amount, "", by, at)


def _accounts_of(games: Collection[UUID]) -> dict[UUID, dict[Account, int]]:
    """The accounts of some games in chips, by the engine's names for them. One query."""
    found: dict[UUID, dict[Account, int]] = {game: {} for game in games}
    rows = LedgerAccount.objects.filter(game__in=games, unit=CHIPS)
    for game, holder, seat, number in rows.values_list("game_id", "holder", "seat", "pk"):
        if seat is not None:
            found[game][Seat(seat)] = number
        elif holder in _NAMES:
            found[game][_NAMES[holder]] = number
    return found
