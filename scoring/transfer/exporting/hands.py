"""Hands, results and books of a club, as tables, and its hands as records."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db.models import F, QuerySet

from engine.notation.writer import write_with_game
from scoring.ledger.transfers import BookAccount, BookEntry
from scoring.models import Hand, HandVersion
from scoring.selectors import queries
from scoring.submissions.reading import read_hand
from tournaments.models import Club, Player, Result
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.tables.sheets import CellKind, Column, Row, TableSheet

VERSION_LINE = b"% PHN 1.0\n"
_AT_ONCE = 2000


def names_of(club: Club) -> dict[UUID, str]:
    """Everybody's name: a merged duplicate has the survivor's, namesakes have their number."""
    shared = shared_names(club)
    rows = Player.objects.filter(club=club).select_related("person", "merged_into__person")
    return {row.pk: distinct_name(row.merged_into or row, shared) for row in rows}


def hands(club: Club) -> TableSheet:
    """Every hand, what became of it, and its record."""
    columns = (
        Column(name="Game", key="game"),
        Column(name="Opened", key="opened", kind=CellKind.MOMENT),
        Column(name="Hand", key="number", kind=CellKind.WHOLE),
        Column(name="State", key="state"),
        Column(name="Certainty", key="certainty"),
        Column(name="Reason", key="reason"),
        Column(name="Version", key="version", kind=CellKind.WHOLE),
        Column(name="Entered", key="entered", kind=CellKind.MOMENT),
        Column(name="Record", key="record"),
        Column(name="Identifier", key="id"),
    )
    return TableSheet("Hands", columns, _hands(club))


def _hands(club: Club) -> Iterator[Row]:
    for version in _versions(club):
        hand: Hand = version.hand
        yield (
            hand.game.name,
            hand.game.opened_at,
            hand.number,
            str(hand.state),
            str(hand.certainty),
            hand.reason,
            version.number,
            hand.entered_at,
            bytes(version.text).decode("utf-8", "replace").replace("\0", "\ufffd"),
            str(hand.pk),
        )


def _versions(club: Club) -> Iterator[HandVersion]:
    """The versions that stand, game by game."""
    rows = HandVersion.objects.filter(
        hand__game__club=club, hand__rival=None, number=F("hand__current")
    )
    order = ("hand__game__opened_at", "hand__game_id", "hand__number")
    return rows.select_related("hand__game").order_by(*order).iterator(_AT_ONCE)


def records(club: Club) -> Iterator[bytes]:
    """Every hand with the identifier of its game, one record after the other."""
    yield VERSION_LINE
    for version in _versions(club):
        yield _with_game(bytes(version.text), version.hand.game_id) + b"\n\n"


def _with_game(text: bytes, game: UUID) -> bytes:
    """A record with the tag GameId, by which it is found again in its game (DEC-1).

    What is no single record goes out as it came.
    """
    said = read_hand(text)
    if said.is_one and said.entry.document.tags:
        return write_with_game(said.entry, str(game)).encode("utf-8", "surrogateescape")
    body = text.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = body.partition(b"\n")
    return (rest if first.startswith((b"% PHN", b"% PBN")) else body).strip(b"\r\n")


def results(club: Club, event: UUID | None = None) -> TableSheet:
    """What every hand gave every seat."""
    columns = (
        Column(name="Game", key="game"),
        Column(name="Opened", key="opened", kind=CellKind.MOMENT),
        Column(name="Hand", key="number", kind=CellKind.WHOLE),
        Column(name="Seat", key="seat", kind=CellKind.WHOLE),
        Column(name="Player", key="player"),
        Column(name="Score", key="score", kind=CellKind.WHOLE),
        Column(name="Pain cards", key="taken", kind=CellKind.WHOLE),
        Column(name="Queen", key="queen", kind=CellKind.FLAG),
        Column(name="Bid", key="own_bid", kind=CellKind.WHOLE),
        Column(name="Won", key="won", kind=CellKind.WHOLE),
        Column(name="Suit", key="pain"),
        Column(name="Jackpot", key="jackpot", kind=CellKind.FLAG),
    )
    return TableSheet("Results", columns, _results(club, event))


def _results(club: Club, event: UUID | None) -> Iterator[Row]:
    names = names_of(club)
    rows = Result.objects.filter(game__club=club).select_related("game")
    if event is not None:
        rows = rows.filter(game__event=event)
    order = ("game__opened_at", "game_id", "number", "seat")
    for row in rows.order_by(*order).iterator(_AT_ONCE):
        yield (
            str(row.game_id),
            row.game.opened_at,
            row.number,
            row.seat + 1,
            names[row.player_id],
            row.score,
            row.taken,
            row.queen,
            row.own_bid,
            row.won,
            row.pain,
            row.jackpot,
        )


def chips(club: Club) -> TableSheet:
    """Every transfer of chips in the books."""
    rows = queries.club_transfers(club.pk).filter(payer__unit="chips")
    return TableSheet(
        "Chips", _book(Column(name="Chips", key="amount", kind=CellKind.WHOLE)), _move_rows(rows)
    )


def money(club: Club) -> list[TableSheet]:
    """Every transfer of money in the books, a sheet for each currency."""
    found = queries.club_transfers(club.pk).exclude(payer__unit="chips")
    units = sorted(set(found.order_by().values_list("payer__unit", flat=True)))
    names = names_of(club)
    return [
        TableSheet(
            f"Money {unit}",
            _book(Column(name="Amount", key="amount", kind=CellKind.MONEY, currency=unit)),
            _move_rows(found.filter(payer__unit=unit), names),
        )
        for unit in units or [club.currency]
    ]


def _book(amount: Column) -> tuple[Column, ...]:
    return (
        Column(name="Number", key="number", kind=CellKind.WHOLE),
        Column(name="Moment", key="at", kind=CellKind.MOMENT),
        Column(name="Kind", key="kind"),
        Column(name="From", key="payer"),
        Column(name="To", key="payee"),
        amount,
        Column(name="Game", key="game"),
        Column(name="Hand", key="hand", kind=CellKind.WHOLE),
        Column(name="Takes back", key="reverses", kind=CellKind.WHOLE),
        Column(name="Note", key="note"),
        Column(name="By", key="by"),
    )


def _move_rows(rows: QuerySet[BookEntry], names: Mapping[UUID, str] | None = None) -> Iterator[Row]:
    known = names or {}
    related = rows.select_related("payer", "payee", "game", "hand")
    for row in related.iterator(_AT_ONCE):
        yield (
            row.pk,
            row.at,
            row.kind,
            _holder(row.payer, known),
            _holder(row.payee, known),
            row.amount,
            row.game.name if row.game is not None else "",
            row.hand.number if row.hand is not None else None,
            row.reverses_id,
            row.note,
            row.by,
        )


def _holder(account: BookAccount, names: Mapping[UUID, str]) -> str:
    if account.player_id is not None:
        return names.get(account.player_id, "player")
    return f"seat {account.seat + 1}" if account.seat is not None else str(account.holder)
