"""Stakes: what lies on the table when a game is opened, in chips and in money (A1, A11, E8).

Everybody's first stack comes from the bank, and what it costs goes from his account into the
game's pool. Where the club keeps its jackpots, what an earlier game left is drawn on; the caller
holds the lock of the club, so that no two games draw on the same.
"""

from collections.abc import Sequence

from engine.carried import Carried, plays_for_chips
from engine.rules import Rules
from engine.seats import Seat
from engine.settlement import BANK, POT
from scoring import ledger
from scoring.ledger import CHIPS, Move, Stamp
from scoring.models import EntryKind, Game, Holder
from scoring.payouts import Drawn, currency_of, stake
from tournaments.models import Club, Player


def chips_to_draw(club: Club, rules: Rules) -> int:
    """The chips in the club's jackpot, for a game that is played for chips."""
    if not plays_for_chips(rules):
        return 0
    return _held(club, CHIPS)


def _held(club: Club, unit: str) -> int:
    account = ledger.club_account(club, Holder.JACKPOT, unit)
    return max(0, ledger.balances([account])[account.pk])


def put_down(game: Game, rules: Rules, start: Carried, players: Sequence[Player]) -> list[Move]:
    """All that is posted when a game is opened; ``start`` has the chips that were drawn."""
    return _chips(game, start) + _money(game, rules, start, players)


def _chips(game: Game, start: Carried) -> list[Move]:
    accounts = ledger.chip_accounts(game)
    moves = [
        Move(EntryKind.BUYIN, accounts[BANK], accounts[Seat(seat)], chips)
        for seat, chips in enumerate(start.chips)
        if chips
    ]
    if start.pot:
        jackpot = ledger.club_account(game.club, Holder.JACKPOT, CHIPS)
        moves.append(Move(EntryKind.JACKPOT, jackpot, accounts[POT], start.pot))
    return moves


def _money(game: Game, rules: Rules, start: Carried, players: Sequence[Player]) -> list[Move]:
    owed = stake(rules)
    if not owed.amount:
        return []
    unit = currency_of(game.club.currency, rules)
    pool = ledger.game_account(game, Holder.POOL, unit)
    moves = [
        Move(owed.kind, ledger.player_account(player, unit), pool, owed.amount)
        for player in players
    ]
    value = _held(game.club, unit) if start.pot else 0
    if value:
        jackpot = ledger.club_account(game.club, Holder.JACKPOT, unit)
        moves.append(Move(EntryKind.JACKPOT, jackpot, pool, value))
    return moves


def drawn(game: Game) -> Drawn:
    """What a game took over from the club's jackpot. One query."""
    chips = money = 0
    for row in ledger.opening(game):
        if row.kind == EntryKind.JACKPOT:
            chips += row.amount if row.payer.unit == CHIPS else 0
            money += row.amount if row.payer.unit != CHIPS else 0
    return Drawn(chips, money)


def change_payer(game: Game, left: Player, sits: Player, stamp: Stamp) -> None:
    """Somebody else sat down before the first hand: the stake is his."""
    moves = []
    rows = [row for row in ledger.stakes(game) if row.payer.player_id == left.pk]
    for row in rows:
        account = ledger.player_account(sits, row.payer.unit)
        moves.append(Move(row.kind, account, row.payee, row.amount))
    ledger.let_be(rows, moves, game=game, stamp=stamp, note="another player sat down")
