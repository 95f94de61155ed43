"""Books of imported games: the same transfers as the ledger writes, many at once."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from engine.carried import Carried
from engine.seats import Seat
from engine.settlement import BANK, POT, Account, Posting
from scoring import ledger, stakes
from scoring.ledger import CHIPS, Stamp
from scoring.models import EntryKind, Game, Holder
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.payouts import stake
from scoring.settling import rules_of
from tournaments.bulk import moment, put
from tournaments.models import Club
from tournaments.rows import add_rows

_TRANSFER: Final = (
    "game_id", "hand_id", "kind", "payer_id", "payee_id", "amount", "note", "by", "at",
)  # fmt: skip


class Books:
    """The chips of imported games, and what their players put down in money."""

    def __init__(self, club: Club, stamp: Stamp) -> None:
        self._club, self._stamp = club, stamp
        self._accounts: dict[UUID, dict[Account, int]] = {}
        self._posted: list[tuple[UUID, UUID | None, Posting | tuple[str, Account, Account, int]]]
        self._posted = []

    def add(self, game: UUID, hand: UUID, postings: Sequence[Posting]) -> None:
        """Note what a hand moved; it is in the books with `write`."""
        for posting in postings:
            self._posted.append((game, hand, posting))

    def open(self, games: Sequence[Game], starts: Sequence[Carried]) -> None:
        """Give new games their accounts, and put down stacks and stakes."""
        rows = [row for game in games for row in self._rows(game)]
        add_rows(rows)
        for row in rows:
            self._know(row)
        first = []
        for game, start in zip(games, starts, strict=True):
            kind = str(EntryKind.BUYIN.value)
            for seat, chips in enumerate(start.chips):
                if chips:
                    first.append((game.pk, None, (kind, BANK, Seat(seat), chips)))
            if stake(rules_of(game)).amount:
                dues = stakes.due_from_players(game)
                ledger.post(ledger.moves(game, dues), game=game, stamp=self._stamp)
        self._posted[:0] = first

    def _rows(self, game: Game) -> list[LedgerAccount]:
        places: list[tuple[Holder, int | None]] = [(Holder.POT, None), (Holder.BANK, None)]
        places += [(Holder.SEAT, seat) for seat in range(game.players)]
        return [
            LedgerAccount(club=self._club, game=game, holder=holder, seat=seat, unit=CHIPS)
            for holder, seat in places
        ]

    def _know(self, row: LedgerAccount) -> None:
        assert row.game_id is not None
        of = self._accounts.setdefault(row.game_id, {})
        if row.seat is not None:
            of[Seat(row.seat)] = row.pk
        else:
            of[POT if row.holder == Holder.POT else BANK] = row.pk

    def write(self) -> None:
        """Write all transfers, in order."""
        unknown = {game for game, _hand, _move in self._posted} - self._accounts.keys()
        for row in LedgerAccount.objects.filter(game__in=unknown, unit=CHIPS):
            self._know(row)
        by, at = self._stamp.by.label, moment(self._stamp.at)
        accounts = self._accounts
        put(
            Transfer,
            _TRANSFER,
            (
                (
                    game.hex,
                    None if hand is None else hand.hex,
                    str(kind),
                    accounts[game][payer],
                    accounts[game][payee],
                    amount,
                    "",
                    by,
                    at,
                )
                for game, hand, (kind, payer, payee, amount) in self._posted
            ),
        )
