"""Buy-ins: the chips and money that are booked when a game is opened (A1, A11, E8).

Everybody's first stack comes from the bank, and what it costs goes from their account into the
game's pool. Where the club keeps its jackpots, what an earlier game left is drawn on, if its chips
were worth the same; the caller holds the lock of the club, so that no two games draw on the same.
"""

from collections.abc import Collection
from uuid import UUID

from engine.record.game_state import GameState
from engine.rules.rules import Rules, plays_for_chips
from scoring.ledger import transfers
from scoring.ledger.payouts import Drawn, currency_of, stake, worth
from scoring.ledger.result_credit import first_players
from scoring.ledger.transfers import CHIPS, AccountKey, Due, Stamp
from scoring.models import EntryKind, Game, Holder
from scoring.settlement.plan import rules_of
from tournaments.models import Club


def chips_to_draw(club: Club, rules: Rules) -> int:
    """The chips in the club's jackpot that are worth what a chip of these rules is."""
    if not plays_for_chips(rules):
        return 0
    return _jackpot_balance(club, CHIPS, worth(club.currency, rules))


def _jackpot_balance(club: Club, unit: str, of: str) -> int:
    account = transfers.club_account(club, Holder.JACKPOT, unit, of)
    return max(0, transfers.balances([account])[account.pk])


def due(game: Game, start: GameState) -> list[Due]:
    """All that is posted when a game is opened; ``start`` has the chips that were drawn."""
    rules, currency = rules_of(game), game.club.currency
    unit, of = currency_of(currency, rules), worth(currency, rules)
    bank = AccountKey(Holder.BANK, CHIPS)
    stacks = [
        Due(EntryKind.BUYIN, bank, AccountKey(Holder.SEAT, CHIPS, seat), chips)
        for seat, chips in enumerate(start.chips)
        if chips
    ]
    value = _jackpot_balance(game.club, unit, of) if start.pot and of else 0
    drawn = due_from_jackpot(game, Drawn(start.pot, value))
    return stacks + due_from_players(game) + drawn


def due_from_jackpot(game: Game, drawn: Drawn) -> list[Due]:
    """Return the part of the club's jackpot for a game: chips into its pot, money into its pool."""
    rules, currency = rules_of(game), game.club.currency
    unit, of = currency_of(currency, rules), worth(currency, rules)
    dues = []
    for amount, kept_in, target in (
        (drawn.chips, CHIPS, Holder.POT),
        (drawn.money, unit, Holder.POOL),
    ):
        if amount:
            jackpot = AccountKey(Holder.JACKPOT, kept_in, worth=of)
            dues.append(Due(EntryKind.JACKPOT, jackpot, AccountKey(target, kept_in), amount))
    return dues


def due_from_players(game: Game) -> list[Due]:
    """Return the debts of those who sat down first to the pool of a game. One query."""
    return due_from_players_of_games([game])[game]


def due_from_players_of_games(games: Collection[Game]) -> dict[Game, list[Due]]:
    """Return the debts of those who sat down first to the pools of games, by game.

    One query, or none where nobody owes anything.
    """
    stakes = {game: stake(rules_of(game)) for game in games}
    played = [game for game, owed in stakes.items() if owed.amount]
    found: dict[Game, list[Due]] = {game: [] for game in games}
    first = first_players(played) if played else {}
    for game in played:
        owed, unit = stakes[game], currency_of(game.club.currency, rules_of(game))
        pool = AccountKey(Holder.POOL, unit)
        found[game] = [
            Due(owed.kind, AccountKey(Holder.PLAYER, unit, player=player.pk), pool, owed.amount)
            for player in first[game.pk]
        ]
    return found


def jackpots_taken_over(games: Collection[Game]) -> dict[UUID, Drawn]:
    """Return the part of the club's jackpot that each of some games took over. One query."""
    found = {game.pk: Drawn(0, 0) for game in games}
    for row in transfers.jackpots_drawn(games):
        assert row.game_id is not None, "it was drawn by a game"
        before, is_chips = found[row.game_id], row.payer.unit == CHIPS
        found[row.game_id] = Drawn(
            before.chips + (row.amount if is_chips else 0),
            before.money + (0 if is_chips else row.amount),
        )
    return found


def jackpot_taken_over(game: Game) -> Drawn:
    """Return the part of the club's jackpot that a game took over. One query."""
    return jackpots_taken_over([game])[game.pk]


def change_payers(game: Game, stamp: Stamp) -> None:
    """Somebody else sat down before the first hand: the stake is theirs."""
    moves = transfers.moves(game, due_from_players(game))
    note = "another player sat down"
    transfers.let_be(transfers.stakes([game]), moves, game=game, stamp=stamp, note=note)
