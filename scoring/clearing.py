"""Clearing: what closing a game posts, in chips and in money (rules.md A11, B6, E8, Q22, Q62).

Chips go back to the bank. Money comes out of the pool to whose the seats' results are: each bears
his part of what the seat put in, first stack and rebuys, and gets his part of what it is paid.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.carried import Carried, plays_for_chips
from engine.seats import Seat
from engine.settlement import BANK, POT
from scoring import ledger, stakes
from scoring.credit import Share, divide, shares, survivor
from scoring.ledger import CHIPS, BookAccount, Move
from scoring.models import EntryKind, Game, Holder
from scoring.payouts import Outcome, currency_of, outcome, stake
from scoring.settling import rules_of
from scoring.settling_up import settle_up
from scoring.states import read_state
from tournaments.models import Player


def outcome_of(game: Game) -> Outcome:
    """What a game comes to in money if it ends as it stands."""
    state = read_state(game.state)
    return outcome(rules_of(game), state, stakes.drawn(game), keeps_jackpot=game.keeps_jackpot)


def closing_moves(game: Game, result: Outcome) -> list[Move]:
    """Everything that closing a game posts; all its accounts but the bank are at zero then."""
    rules, state = rules_of(game), read_state(game.state)
    moves = _chips_back(game, state) if plays_for_chips(rules) else []
    if result.pool or any(result.amounts):
        moves += _money(_table(game), result)
    return moves


def _chips_back(game: Game, state: Carried) -> list[Move]:
    accounts = ledger.chip_accounts(game)
    bank = accounts[BANK]
    moves = [
        _net(EntryKind.RETURN, accounts[Seat(seat)], bank, held)
        for seat, held in enumerate(state.chips)
    ]
    if game.keeps_jackpot and state.pot > 0:
        jackpot = ledger.club_account(game.club, Holder.JACKPOT, CHIPS)
        moves.append(Move(EntryKind.JACKPOT, accounts[POT], jackpot, state.pot))
    else:
        moves.append(_net(EntryKind.RETURN, accounts[POT], bank, state.pot))
    return [move for move in moves if move.amount]


def _net(kind: EntryKind, payer: BookAccount, payee: BookAccount, amount: int) -> Move:
    """A transfer; of less than nothing, the other way round."""
    return Move(kind, payer, payee, amount) if amount >= 0 else Move(kind, payee, payer, -amount)


@dataclass(frozen=True, slots=True)
class _Table:
    """A game that is played for money: its currency, and whose each seat's result is."""

    game: Game
    unit: str
    seats: Sequence[Sequence[Share]]
    stake: EntryKind
    amount: int
    stack: int

    def account(self, player: Player) -> BookAccount:
        return ledger.player_account(player, self.unit)

    def parts(self, amounts: Iterable[int]) -> Iterator[tuple[Player, int]]:
        """Amounts by seat, divided among whose they are."""
        for amount, among in zip(amounts, self.seats, strict=True):
            yield from (part for part in divide(amount, among) if part[1])


def _table(game: Game) -> _Table:
    rules = rules_of(game)
    owed = stake(rules)
    unit = currency_of(game.club.currency, rules)
    return _Table(
        game, unit, shares(game, rules), owed.kind, owed.amount, max(1, rules.starting_chips)
    )


def _money(table: _Table, result: Outcome) -> list[Move]:
    pool = ledger.game_account(table.game, Holder.POOL, table.unit)
    moves = _stakes_moved(table) if table.amount else []
    for player, owed in table.parts(_rebought(table)):
        moves.append(Move(EntryKind.REBUY, table.account(player), pool, owed))
    for player, won in table.parts(result.amounts):
        moves.append(_net(EntryKind.PAYOUT, pool, table.account(player), won))
    club = table.game.club
    kept = {Holder.FUND: EntryKind.PAYOUT, Holder.JACKPOT: EntryKind.JACKPOT}
    for (holder, kind), amount in zip(kept.items(), (result.fund, result.jackpot), strict=True):
        if amount:
            account = ledger.club_account(club, holder, table.unit)
            moves.append(Move(kind, pool, account, amount))
    return moves


def _rebought(table: _Table) -> list[int]:
    """What each seat owes for chips that it bought again (Q22)."""
    if not table.amount or table.stake != EntryKind.BUYIN:
        return [0] * len(table.seats)
    chips = ledger.bought_again(table.game)
    return [table.amount * chips[seat] // table.stack for seat in range(len(table.seats))]


def _stakes_moved(table: _Table) -> list[Move]:
    """Whoever a seat's result is credited to bears its stake; who put it down gets it back."""
    players: dict[Player, int] = Counter()
    for row in ledger.stakes(table.game):
        assert row.payer.player is not None, "a stake comes from a player's account"
        players[survivor(row.payer.player)] += row.amount
    for player, owed in table.parts([table.amount] * len(table.seats)):
        players[player] -= owed
    return [
        Move(table.stake, table.account(one.payer), table.account(one.payee), one.amount)
        for one in settle_up(players)
    ]
