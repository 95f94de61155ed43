"""Everything that is kept of some games, read at once: so many queries, however many games."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.core.seats import Seat
from engine.settlement.settlement import BANK, POT, Account
from scoring.ledger.transfers import CHIPS
from scoring.models import (
    Decided,
    Game,
    Hand,
    HandVersion,
    Holder,
    SealedPaper,
    Sitting,
    Word,
)
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.settlement.reporting import SeatTenure, boards_in
from tournaments.models import Board, Result, TableGame

COLUMNS: Final = (
    "seat", "player_id", "score", "taken", "whole", "queen", "to_dealer", "from_namer", "bid",
    "second", "own_bid", "pain", "pot", "won", "sharers", "jackpot", "insured", "foot", "played",
    "counts", "board", "fits", "dealt", "worth",
)  # fmt: skip
"""All that a result says."""


class TransferRow(NamedTuple):
    """One transfer."""

    id: int
    hand: UUID | None
    kind: str
    payer: int
    payee: int
    amount: int
    reverses: int | None


@dataclass(slots=True)
class Kept:
    """One game as it is kept.

    ``rulings`` are those that hold, ``words`` those on the versions that stand, by hand;
    ``names`` are the game's accounts by number: in chips by the engine's names, others by their
    own; ``papers`` the secret ones.
    """

    game: Game
    hands: list[Hand] = field(default_factory=list)
    rivals: list[Hand] = field(default_factory=list)
    versions: dict[UUID, list[HandVersion]] = field(default_factory=dict)
    rulings: dict[UUID, list[Decided]] = field(default_factory=dict)
    words: dict[UUID, list[Word]] = field(default_factory=dict)
    names: dict[int, Account | tuple[str, str]] = field(default_factory=dict)
    transfers: list[TransferRow] = field(default_factory=list)
    papers: list[SealedPaper] = field(default_factory=list)
    table_game: TableGame | None = None
    results: dict[int, list[tuple[Any, ...]]] = field(default_factory=dict)
    """Results by hand, the columns of each in the order of `COLUMNS`."""
    sat: list[SeatTenure] = field(default_factory=list)
    boards: Mapping[int, Board] = field(default_factory=dict)


def gather(games: Sequence[UUID]) -> list[Kept]:
    """Read some games whole. Eleven queries, and one where there are prepared deals."""
    found = {
        game.pk: Kept(game)
        for game in Game.all_objects.select_related("club", "table")
        .filter(pk__in=games)
        .order_by("pk")
    }
    place: dict[UUID, Kept] = {}
    for hand in Hand.objects.filter(game__in=games).order_by("game_id", "number", "id"):
        kept = place[hand.pk] = found[hand.game_id]
        (kept.hands if hand.rival_id is None else kept.rivals).append(hand)
    for version in HandVersion.objects.filter(hand__game__in=games).order_by("hand_id", "number"):
        place[version.hand_id].versions.setdefault(version.hand_id, []).append(version)
    holding = Decided.objects.filter(hand__game__in=games, superseded_by=None, withdrawn=False)
    for ruling in holding.order_by("hand_id", "number"):
        place[ruling.hand_id].rulings.setdefault(ruling.hand_id, []).append(ruling)
    said = Word.objects.filter(version__hand__game__in=games)
    for word in said.select_related("version").order_by("id"):
        hand_id = word.version.hand_id
        place[hand_id].words.setdefault(hand_id, []).append(word)
    for paper in SealedPaper.objects.filter(game__in=games):
        found[paper.game_id].papers.append(paper)
    _gather_books(games, found)
    _gather_results(games, found)
    return list(found.values())


def _gather_results(games: Sequence[UUID], found: dict[UUID, Kept]) -> None:
    for table_game in TableGame.objects.filter(pk__in=games):
        found[table_game.pk].table_game = table_game
    rows = Result.objects.filter(game__in=games).order_by("game_id", "number", "seat")
    for row in rows.values_list("game_id", "number", *COLUMNS):
        found[row[0]].results.setdefault(row[1], []).append(row[2:])
    sittings = Sitting.objects.filter(game__in=games).order_by("id")
    columns = ("game_id", "seat", "player_id", "first", "last")
    for game, seat, player, first, last in sittings.values_list(*columns):
        found[game].sat.append(SeatTenure(seat, player, first, last))
    for kept in found.values():
        if kept.game.table is not None and kept.game.table.boards:
            kept.boards = boards_in(kept.game)


def _gather_books(games: Sequence[UUID], found: dict[UUID, Kept]) -> None:
    accounts = LedgerAccount.objects.filter(game__in=games)
    for number, game, holder, seat, unit in accounts.values_list(
        "id", "game_id", "holder", "seat", "unit"
    ):
        found[game].names[number] = name_of(holder, seat, unit)
    rows: dict[UUID, list[TransferRow]] = defaultdict(list)
    columns = ("game_id", "id", "hand_id", "kind", "payer_id", "payee_id", "amount", "reverses_id")
    transfers = Transfer.objects.filter(game__in=games).order_by("id")
    for game, *row in transfers.values_list(*columns):
        rows[game].append(TransferRow(*row))
    for game, posted in rows.items():
        found[game].transfers = posted


def name_of(holder: str, seat: int | None, unit: str) -> Account | tuple[str, str]:
    """An account of a game in chips by the engine's name for it, any other by its own."""
    if unit == CHIPS:
        if seat is not None:
            return Seat(seat)
        if holder in (Holder.POT, Holder.BANK):
            return POT if holder == Holder.POT else BANK
    return holder, unit


def list_unreversed(kept: Kept) -> list[TransferRow]:
    """The transfers of a game that hold, in order."""
    back = {row.reverses for row in kept.transfers}
    return [row for row in kept.transfers if row.reverses is None and row.id not in back]
