"""The postings that close a game, in chips and money (rules.md A11, B6, E8, Q22, Q62).

Chips go back to the bank. Money comes out of the pool to whose the seats' results are: each bears
their part of what the seat put in, first stack and rebuys, and gets their part of what it is paid.
Nothing is written here; what is due can be asked of any game at any time.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from engine.record.game_state import GameState
from engine.rules.rules import plays_for_chips
from scoring.games import buy_ins
from scoring.ledger import transfers
from scoring.ledger.netting import settle_up
from scoring.ledger.payouts import GamePayout, currency_of, outcome, stake, worth
from scoring.ledger.result_credit import Share, divide, shares, survivor
from scoring.ledger.transfers import CHIPS, AccountKey, BookEntry, Due
from scoring.models import EntryKind, Game, Holder, Phase
from scoring.settlement.plan import read_carried_states, rules_of
from tournaments.models import Event, Player

_BANK = AccountKey(Holder.BANK, CHIPS)
_POT = AccountKey(Holder.POT, CHIPS)


def compute_outcome(game: Game) -> GamePayout:
    """Compute the outcome of a game in money if it ended now. Two queries at most."""
    return compute_outcomes([game])[game]


def compute_outcomes(games: Collection[Game]) -> dict[Game, GamePayout]:
    """Compute the outcomes of games in money if they ended now. Two queries at most."""
    states, drawn = read_carried_states(games), buy_ins.jackpots_taken_over(games)
    return {
        game: outcome(
            rules_of(game),
            states[game.pk],
            drawn[game.pk],
            keeps_jackpot=game.keeps_jackpot,
            old_law=bool(game.old_law),
        )
        for game in games
    }


def find_expected_payouts(event: Event) -> dict[AccountKey, int]:
    """Return what the chips of games that are played are worth, by player and currency.

    It is the part of each pool by the chips held now, in minor units: what everybody can expect,
    and gets if the playing ends now. Games whose pool goes to the winner are left out.
    Five queries at most, and merged duplicates.
    """
    expected: Counter[AccountKey] = Counter()
    played = Game.objects.filter(
        table__round__event=event, phase__in=(Phase.OPEN, Phase.OVER)
    ).select_related("club")
    games = []
    for game in played.order_by("opened_at", "id"):
        owed = stake(rules_of(game))
        if owed.kind == EntryKind.BUYIN and owed.amount:
            games.append(game)
    seats = shares({game: rules_of(game) for game in games})
    for game, result in compute_outcomes(games).items():
        for key, amount in _table(game, seats[game.pk]).parts(result.amounts):
            expected[key] += amount
    return dict(expected)


def build_closing_transfers(results: Mapping[Game, GamePayout]) -> dict[Game, list[Due]]:
    """Build all transfers that close games; afterwards all their accounts but the bank are zero.

    Five queries at most, and merged duplicates.
    """
    states = read_carried_states(results)
    found = {
        game: build_chip_returns(game, states[game.pk]) if plays_for_chips(rules_of(game)) else []
        for game in results
    }
    paid = {game: rules_of(game) for game, one in results.items() if one.pool or any(one.amounts)}
    if not paid:
        return found
    seats, rebuys = shares(paid), transfers.bought_again(paid)
    put_in: defaultdict[UUID | None, list[BookEntry]] = defaultdict(list)
    for row in transfers.stakes(paid):
        put_in[row.game_id].append(row)
    for game in paid:
        table = _table(game, seats[game.pk])
        found[game] += _money(table, results[game], put_in[game.pk], rebuys[game.pk])
    return found


def build_chip_returns(game: Game, state: GameState) -> list[Due]:
    """Build the transfers that return a game's chips. No query if its club is loaded."""
    dues = [
        _net(EntryKind.RETURN, AccountKey(Holder.SEAT, CHIPS, seat), _BANK, held)
        for seat, held in enumerate(state.chips)
    ]
    if game.keeps_jackpot and state.pot > 0:
        jackpot = AccountKey(Holder.JACKPOT, CHIPS, worth=worth(game.club.currency, rules_of(game)))
        dues.append(Due(EntryKind.JACKPOT, _POT, jackpot, state.pot))
    else:
        dues.append(_net(EntryKind.RETURN, _POT, _BANK, state.pot))
    return [due for due in dues if due.amount]


def _net(kind: EntryKind, payer: AccountKey, payee: AccountKey, amount: int) -> Due:
    """A transfer; of less than nothing, the other way round."""
    return Due(kind, payer, payee, amount) if amount >= 0 else Due(kind, payee, payer, -amount)


@dataclass(frozen=True, slots=True)
class _Table:
    """A game that is played for money: its currency, and whose each seat's result is.

    ``amount`` is what a ``stack`` of chips cost, or the ante.
    """

    game: Game
    unit: str
    seats: Sequence[Sequence[Share]]
    stake: EntryKind
    amount: int
    stack: int

    def place(self, holder: Holder, player: Player | None = None) -> AccountKey:
        return AccountKey(holder, self.unit, player=None if player is None else player.pk)

    def parts(self, amounts: Iterable[int]) -> Iterator[tuple[AccountKey, int]]:
        """Amounts by seat, divided among whose they are."""
        for amount, among in zip(amounts, self.seats, strict=True):
            for player, part in divide(amount, among):
                if part:
                    yield self.place(Holder.PLAYER, player), part


def _table(game: Game, seats: Sequence[Sequence[Share]]) -> _Table:
    rules = rules_of(game)
    owed = stake(rules)
    unit = currency_of(game.club.currency, rules)
    return _Table(game, unit, seats, owed.kind, owed.amount, rules.starting_chips)


def _money(
    table: _Table, result: GamePayout, stakes: Sequence[BookEntry], rebuys: Mapping[int, int]
) -> list[Due]:
    """The money of a game; ``rebuys`` are the chips that seats bought again."""
    pool = table.place(Holder.POOL)
    dues = _stakes_moved(table, stakes) if table.amount else []
    for player, owed in table.parts(_rebought(table, rebuys)):
        dues.append(Due(EntryKind.REBUY, player, pool, owed))
    for player, won in table.parts(result.amounts):
        dues.append(_net(EntryKind.PAYOUT, pool, player, won))
    if result.fund:
        dues.append(Due(EntryKind.PAYOUT, pool, table.place(Holder.FUND), result.fund))
    if result.jackpot:
        of = worth(table.game.club.currency, rules_of(table.game))
        jackpot = AccountKey(Holder.JACKPOT, table.unit, worth=of)
        dues.append(Due(EntryKind.JACKPOT, pool, jackpot, result.jackpot))
    return dues


def _rebought(table: _Table, chips: Mapping[int, int]) -> list[int]:
    """Return each seat's debt for chips that it bought again (Q22)."""
    if not table.amount or table.stake != EntryKind.BUYIN:
        return [0] * len(table.seats)
    return [table.amount * chips[seat] // table.stack for seat in range(len(table.seats))]


def _stakes_moved(table: _Table, stakes: Sequence[BookEntry]) -> list[Due]:
    """Whoever a seat's result is credited to bears its stake; who put it down gets it back."""
    open_now: Counter[AccountKey] = Counter()
    for row in stakes:
        assert row.payer.player is not None, "a stake comes from a player's account"
        open_now[table.place(Holder.PLAYER, survivor(row.payer.player))] += row.amount
    for player, owed in table.parts([table.amount] * len(table.seats)):
        open_now[player] -= owed
    return [Due(table.stake, one.payer, one.payee, one.amount) for one in settle_up(open_now)]


def find_differences(games: Collection[Game]) -> dict[UUID, list[tuple[str, str]]]:
    """Return where the books of games differ from their stakes and their closings, by game.

    What is kept and what is right, as words. What was drawn from the club's jackpot is taken as
    it is; who a merged duplicate turned out to be stands for them. Uses a constant number of
    queries, but for merged duplicates.
    """
    ended = [game for game in games if game.closed_at is not None]
    closings = build_closing_transfers(compute_outcomes(ended))
    stakes = buy_ins.due_from_players_of_games(games)
    posted: dict[UUID, tuple[list[Due], list[Due]]] = {game.pk: ([], []) for game in games}
    for place, rows in enumerate((transfers.stakes(games), transfers.closing(*games))):
        for row, due in zip(rows, transfers.dues(rows), strict=True):
            assert row.game_id is not None, "it is of one of these games"
            posted[row.game_id][place].append(due)
    who = _survivors([due for both in posted.values() for dues in both for due in dues])
    found = {}
    for game in games:
        pairs = zip(posted[game.pk], (stakes[game], closings.get(game, [])), strict=True)
        described = [
            (_describe_transfers(_as_survivors(kept, who)), _describe_transfers(right))
            for kept, right in pairs
        ]
        found[game.pk] = [(kept, right) for kept, right in described if kept != right]
    return found


def _survivors(dues: Sequence[Due]) -> dict[UUID | None, UUID]:
    """Who the players of some transfers are now. One query and merged duplicates."""
    numbers = {place.player for due in dues for place in (due.payer, due.payee)}
    players = Player.objects.select_related("merged_into").in_bulk(numbers - {None})
    return {number: survivor(player).pk for number, player in players.items()}


def _as_survivors(dues: Sequence[Due], who: Mapping[UUID | None, UUID]) -> list[Due]:
    found = []
    for due in dues:
        payer, payee = (
            place._replace(player=who.get(place.player)) for place in (due.payer, due.payee)
        )
        found.append(due._replace(payer=payer, payee=payee))
    return [due for due in found if due.payer != due.payee]


def _describe_transfers(dues: Iterable[Due]) -> str:
    """Transfers in words, the same ones in the same words."""
    return "; ".join(
        sorted(f"{due.kind} {due.amount} from {due.payer} to {due.payee}" for due in dues)
    )
