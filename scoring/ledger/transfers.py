"""The books: the only module that writes transfers (docs/adr/0004, reliability.md I2).

A transfer is one row with a payer, a payee and a positive whole amount, so books that do not
balance cannot be written. Rows are only added: what turns out wrong is reversed, once, by a row
of its own, and what is right is posted beside it. Whoever calls holds the lock of the game.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet, Sum

from engine.core.seats import Seat
from engine.settlement.settlement import BANK, POT, Account, Posting
from scoring.models import EntryKind, Game, Hand, Holder
from scoring.models.transfer import LedgerAccount, Transfer
from tournaments.core.actors import Actor
from tournaments.database.sql import bulk_insert, timestamp_parameter, uuid_parameter
from tournaments.models import Club, Player
from tournaments.models.limits import max_length
from tournaments.people.erasure import Erasure, erase_texts

CHIPS: Final = "chips"
NOTE_MAX: Final = max_length(Transfer, "note")
AMOUNT_MAX: Final = 10**15
"""The largest amount that is ever posted; a club that plays for more has misread the form."""

_OF_A_GAME: Final = (Holder.SEAT, Holder.POT, Holder.BANK, Holder.POOL)
_NAMES: Final[Mapping[str, Account]] = {Holder.POT: POT, Holder.BANK: BANK}
_COLUMNS: Final = (
    "game_id", "hand_id", "kind", "payer_id", "payee_id", "amount", "note", "by", "at",
)  # fmt: skip
_STAKES: Final = (EntryKind.BUYIN, EntryKind.ANTE)
_CLOSING: Final = (EntryKind.RETURN, EntryKind.PAYOUT, EntryKind.REBUY)
_ALL: Final = Q()
_OPENING: Final = Q(kind__in=_STAKES)
_DRAWN: Final = Q(kind=EntryKind.JACKPOT, payer__holder=Holder.JACKPOT)

BookAccount: TypeAlias = LedgerAccount
"""An account, for those who name one and never write to it."""
BookEntry: TypeAlias = Transfer
"""A transfer, likewise."""


def erase_notes(erasure: Erasure) -> None:
    """Erase a person from the notes of a club's transfers; amounts and accounts stay."""
    erase_texts(Transfer.objects.filter(payer__club=erasure.club), erasure, "note")


class AmountError(ValueError):
    """An amount that no books hold: not positive, or absurdly large."""


class Move(NamedTuple):
    """A transfer to be posted, between accounts by their numbers."""

    kind: str
    payer: int
    payee: int
    amount: int
    note: str = ""


class AccountKey(NamedTuple):
    """A place where something is counted, whether or not there is an account for it yet."""

    holder: Holder
    unit: str
    seat: int | None = None
    player: UUID | None = None
    worth: str = ""

    def __str__(self) -> str:
        """In words that name nobody."""
        if self.seat is not None:
            return f"seat {self.seat + 1}"
        owner = f"player {self.player}" if self.player is not None else f"the {self.holder}"
        of = f" of chips at {self.worth}" if self.worth else ""
        return f"{owner} in {self.unit}{of}"


class Due(NamedTuple):
    """A transfer that ought to be, between places."""

    kind: str
    payer: AccountKey
    payee: AccountKey
    amount: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """By whom and when."""

    by: Actor
    at: datetime


def open_accounts(game: Game) -> None:
    """Give a new game its accounts in chips: a seat each, the pot and the bank."""
    holders: list[tuple[Holder, int | None]] = [(Holder.POT, None), (Holder.BANK, None)]
    holders += [(Holder.SEAT, seat) for seat in range(game.players)]
    LedgerAccount.objects.bulk_create(
        LedgerAccount(club_id=game.club_id, game=game, holder=holder, seat=seat, unit=CHIPS)
        for holder, seat in holders
    )


def chip_accounts(game: Game) -> Mapping[Account, int]:
    """The numbers of a game's accounts in chips, by the engine's names for them. One query."""
    return {
        _NAMES[holder] if seat is None else Seat(seat): number
        for holder, seat, number in find_chip_accounts(game.pk)
    }


def find_chip_accounts(game_id: UUID) -> list[tuple[str, int | None, int]]:
    """``LedgerAccount.objects.filter(game=game_id, unit="chips")``: holder, seat and number."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT holder, seat, id FROM scoring_ledgeraccount"
            " WHERE game_id = %s AND unit = 'chips'",
            [uuid_parameter(game_id)],
        )
        rows: list[tuple[str, int | None, int]] = cursor.fetchall()
    return rows


def club_account(club: Club, holder: Holder, unit: str, worth: str = "") -> LedgerAccount:
    """An account of the club itself: its fund, its till, its jackpot of chips of some worth."""
    found, _ = LedgerAccount.objects.get_or_create(
        club=club, game=None, player=None, holder=holder, unit=unit, worth=worth
    )
    return found


def player_account(player: Player, unit: str) -> LedgerAccount:
    """A player's account with their club."""
    found, _ = LedgerAccount.objects.get_or_create(
        club_id=player.club_id, player=player, holder=Holder.PLAYER, unit=unit
    )
    return found


def moves(game: Game, dues: Iterable[Due]) -> list[Move]:
    """Return the dues of a game as transfers between accounts; missing ones are opened."""
    return moves_of_games({game: list(dues)})[game]


def moves_of_games(dues: Mapping[Game, Sequence[Due]]) -> dict[Game, list[Move]]:
    """Return the dues of games of one club as transfers, by game; missing accounts are opened.

    Three queries at most, and as many again where accounts are missing.
    """
    wanted = {
        _game_and_place(game, place): game.club_id
        for game, some in dues.items()
        for due in some
        for place in (due.payer, due.payee)
    }
    known = _find_accounts(wanted)
    if missing := [one for one in wanted if one not in known]:
        LedgerAccount.objects.bulk_create(
            (
                LedgerAccount(
                    club_id=wanted[game, place],
                    game_id=game,
                    holder=place.holder,
                    seat=place.seat,
                    player_id=place.player,
                    unit=place.unit,
                    worth=place.worth,
                )
                for game, place in missing
            ),
            ignore_conflicts=True,
        )
        known |= _find_accounts({one: wanted[one] for one in missing})
    return {
        game: [
            Move(
                due.kind,
                known[_game_and_place(game, due.payer)],
                known[_game_and_place(game, due.payee)],
                due.amount,
            )
            for due in some
        ]
        for game, some in dues.items()
    }


def _game_and_place(game: Game, place: AccountKey) -> tuple[UUID | None, AccountKey]:
    return (game.pk if place.holder in _OF_A_GAME else None), place


def _find_accounts(
    wanted: Mapping[tuple[UUID | None, AccountKey], UUID],
) -> dict[tuple[UUID | None, AccountKey], int]:
    """The accounts that there are at these places; the club of each is given."""
    games = {game for game, _place in wanted if game is not None}
    players = {place.player for _game, place in wanted if place.player is not None}
    clubs = {
        club for (game, place), club in wanted.items() if game is None and place.player is None
    }
    chosen = [(games, Q(game__in=games)), (players, Q(player__in=players))]
    chosen.append((clubs, Q(club__in=clubs, game=None, player=None)))
    columns = ("pk", "game_id", "holder", "unit", "seat", "player_id", "worth")
    return {
        (game, AccountKey(Holder(holder), unit, seat, player, worth)): number
        for some, which in chosen
        if some
        for number, game, holder, unit, seat, player, worth in LedgerAccount.objects.filter(
            which
        ).values_list(*columns)
    }


def place(account: LedgerAccount) -> AccountKey:
    """The place where an account counts."""
    holder = Holder(account.holder)
    return AccountKey(holder, account.unit, account.seat, account.player_id, account.worth)


def dues(rows: Iterable[Transfer]) -> list[Due]:
    """Transfers as what was due."""
    return [Due(row.kind, place(row.payer), place(row.payee), row.amount) for row in rows]


def has_accounts(club: Club, unit: str) -> bool:
    """Whether anything was ever counted in a unit at a club. One query."""
    return LedgerAccount.objects.filter(club=club, unit=unit).exists()


def post(
    moves: Iterable[Move], *, game: Game | None, stamp: Stamp, hand: Hand | None = None
) -> int:
    """Write transfers; tells how many. Raises AmountError."""
    rows = list(_rows(moves, game, hand, stamp))
    if rows:
        bulk_insert(Transfer, _COLUMNS, rows)
    return len(rows)


def post_all(moves: Mapping[Game, Sequence[Move]], *, stamp: Stamp) -> None:
    """Write the transfers of games that belong to no hand. Raises AmountError."""
    rows = [row for game, some in moves.items() for row in _rows(some, game, None, stamp)]
    if rows:
        bulk_insert(Transfer, _COLUMNS, rows)


def _rows(
    moves: Iterable[Move], game: Game | None, hand: Hand | None, stamp: Stamp
) -> Iterator[tuple[object, ...]]:
    of_game, of_hand = (None if row is None else row.pk.hex for row in (game, hand))
    by, at = stamp.by.label, timestamp_parameter(stamp.at)
    for move in moves:
        if not 0 < move.amount <= AMOUNT_MAX:
            raise AmountError(f"{move.amount} is not an amount between 1 and {AMOUNT_MAX}.")
        kind, payer, payee, amount, note = move
        yield of_game, of_hand, str(kind), payer, payee, amount, note, by, at


def enter(move: Move, *, game: Game | None, stamp: Stamp) -> Transfer:
    """Write one transfer that is no part of anything larger. Raises AmountError."""
    post([move], game=game, stamp=stamp)
    written = Transfer.objects.filter(payer_id=move.payer, payee_id=move.payee)
    return written.select_related("payer", "payee").latest("id")


def entry_of(club: Club, number: int) -> Transfer | None:
    """A transfer of a club by its number in the books. One query."""
    transfers = Transfer.objects.filter(pk=number, payer__club=club)
    return transfers.select_related("payer", "payee", "reversed_by").first()


def is_reversed(entry: Transfer) -> bool:
    """Whether a transfer was taken back."""
    return hasattr(entry, "reversed_by")


def reverse(transfers: Sequence[Transfer], *, stamp: Stamp, note: str = "") -> list[Transfer]:
    """Take transfers back: each by its opposite, linked to it."""
    return Transfer.objects.bulk_create(
        Transfer(
            game_id=row.game_id,
            hand_id=row.hand_id,
            kind=row.kind,
            payer_id=row.payee_id,
            payee_id=row.payer_id,
            amount=row.amount,
            reverses=row,
            note=note[:NOTE_MAX],
            by=stamp.by.label,
            at=stamp.at,
        )
        for row in transfers
    )


def transfers_of_players(
    club: Club, players: Collection[UUID], unit: str, kinds: Collection[EntryKind]
) -> QuerySet[Transfer]:
    """The transfers of some kinds between a club and players in a unit that hold, in order."""
    rows = Transfer.objects.filter(
        Q(payer__player__in=players) | Q(payee__player__in=players),
        kind__in=kinds,
        payer__club=club,
        payer__unit=unit,
        reverses=None,
        reversed_by=None,
    )
    return rows.order_by("pk")


def list_unreversed(games: Collection[Game], which: Q = _ALL) -> list[Transfer]:
    """The transfers of games that hold: neither reversed nor reversals, in order. One query."""
    rows = Transfer.objects.filter(which, game__in=games, reversed_by=None).order_by("id")
    held = rows.select_related("payee", "payer__player__merged_into")
    # SQLite would find what is no reversal by the index of that column: all of all games.
    return [row for row in held if row.reverses_id is None]


def _outside_hands(games: Collection[Game], which: Q = _ALL) -> list[Transfer]:
    """Those that belong to no hand; in Python for the same reason."""
    return [row for row in list_unreversed(games, which) if row.hand_id is None]


def stakes(games: Collection[Game]) -> list[Transfer]:
    """Return the stakes of players in the pools of games at their opening. One query."""
    paid = Q(payer__holder=Holder.PLAYER, payee__holder=Holder.POOL)
    return _outside_hands(games, _OPENING & paid)


def jackpots_drawn(games: Collection[Game]) -> list[Transfer]:
    """What games took over from the club's jackpot when they were opened. One query."""
    return _outside_hands(games, _DRAWN)


def opening(game: Game) -> list[Transfer]:
    """All that was posted when a game was opened, chips and money, as it holds. One query."""
    return _outside_hands([game], _DRAWN | _OPENING & ~Q(payee__holder=Holder.PLAYER))


def closing(*games: Game) -> list[Transfer]:
    """All that was posted when games were closed, chips and money, as it holds. One query."""
    return [row for row in _outside_hands(games) if _closes(row)]


def _closes(row: Transfer) -> bool:
    if row.kind == EntryKind.JACKPOT:
        return row.payee.holder == Holder.JACKPOT
    return row.kind in _CLOSING or (row.kind in _STAKES and row.payee.holder == Holder.PLAYER)


def let_be(
    now: Sequence[Transfer], moves: Sequence[Move], *, game: Game, stamp: Stamp, note: str
) -> bool:
    """Let the books hold exactly some transfers in place of those that they hold now.

    What is not wanted any more is reversed, what is missing is posted; tells whether anything
    was.
    """
    wanted = Counter(move[:4] for move in moves)
    gone = []
    for row in now:
        if wanted[_key(row)]:
            wanted[_key(row)] -= 1
        else:
            gone.append(row)
    missing = []
    for move in moves:
        if wanted[move[:4]]:
            wanted[move[:4]] -= 1
            missing.append(move)
    reverse(gone, stamp=stamp, note=note)
    post(missing, game=game, stamp=stamp)
    return bool(gone or missing)


def transfers_to_club(rows: Iterable[Transfer]) -> list[Transfer]:
    """Those of some transfers by which a closed game left something in the club's jackpot."""
    return [
        row for row in rows if row.kind == EntryKind.JACKPOT and row.payee.holder == Holder.JACKPOT
    ]


def bought_again(games: Collection[Game]) -> dict[UUID, Counter[int]]:
    """The chips that each seat of games bought again in its hands (Q22), by game. One query."""
    found: dict[UUID, Counter[int]] = {game.pk: Counter() for game in games}
    for row in list_unreversed(games, Q(kind=EntryKind.REBUY, payee__seat__isnull=False)):
        seat = row.payee.seat
        assert row.game_id is not None, "the chips of a game"
        assert seat is not None, "only those of seats were asked for"
        found[row.game_id][seat] += row.amount
    return found


def drawn_since(rows: Iterable[Transfer]) -> Game | None:
    """The game that drew on the club's jackpot after some transfers put something into it."""
    for row in rows:
        draws = Transfer.objects.filter(payer=row.payee, kind=EntryKind.JACKPOT)
        later = draws.filter(pk__gt=row.pk, reverses=None, reversed_by=None)
        draw = later.exclude(game=row.game).select_related("game").order_by("id").first()
        if draw is not None:
            return draw.game
    return None


def book(
    game: Game, wanted: Mapping[Hand, Sequence[Posting]], *, stamp: Stamp, is_new: bool = False
) -> set[int]:
    """Let the books say of some hands exactly what was settled; tells the numbers that changed.

    ``is_new``: nothing was ever posted for these hands.
    """
    is_booked = not is_new or any(wanted.values())
    accounts = chip_accounts(game) if is_booked else {}
    rows: dict[UUID | None, list[Transfer]] = {}
    if not is_new:
        held = Transfer.objects.filter(hand__in=list(wanted), reverses=None, reversed_by=None)
        for row in held.order_by("id"):
            rows.setdefault(row.hand_id, []).append(row)
    changed = set()
    for hand, postings in wanted.items():
        moves = [_move(accounts, posting) for posting in postings]
        now = rows.get(hand.pk, [])
        if [_key(row) for row in now] == [move[:4] for move in moves]:
            continue
        reverse(now, stamp=stamp, note="settled anew")
        post(moves, game=game, stamp=stamp, hand=hand)
        changed.add(hand.number)
    return changed


def _move(accounts: Mapping[Account, int], posting: Posting) -> Move:
    return Move(str(posting.kind), accounts[posting.payer], accounts[posting.payee], posting.amount)


def _key(row: Transfer) -> tuple[str, int, int, int]:
    return row.kind, row.payer_id, row.payee_id, row.amount


def balances(accounts: Iterable[LedgerAccount]) -> dict[int, int]:
    """Return the balance of each account, by its number: received less paid. Two queries."""
    found = dict.fromkeys([account.pk for account in accounts], 0)
    received = Transfer.objects.filter(payee__in=found).values_list("payee").annotate(Sum("amount"))
    paid = Transfer.objects.filter(payer__in=found).values_list("payer").annotate(Sum("amount"))
    for number, amount in received:
        found[number] += amount
    for number, amount in paid:
        found[number] -= amount
    return found
