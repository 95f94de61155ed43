"""Hands, results and books of a club, as tables, and its hands as records."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from engine.notation.writer import write_with_game
from scoring.ledger.transfers import BookAccount, BookEntry
from scoring.models import HandVersion
from scoring.selectors import queries
from scoring.submissions.reading import read_hand
from tournaments.models import Club, Player, Result
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.tables.model import Column, ColumnKind, Table

VERSION_LINE = b"% PHN 1.0\n"
_AT_ONCE = 2000


def names_of(club: Club) -> dict[UUID, str]:
    """Everybody's name: a merged duplicate has the survivor's, namesakes have their number."""
    shared = shared_names(club)
    rows = Player.objects.filter(club=club).select_related("person", "merged_into__person")
    return {row.pk: distinct_name(row.merged_into or row, shared) for row in rows}


_HAND_COLUMNS: tuple[Column[HandVersion], ...] = (
    Column(key="game", title="Game", value=attrgetter("hand.game.name")),
    Column(
        key="opened",
        title="Opened",
        kind=ColumnKind.DATETIME,
        value=attrgetter("hand.game.opened_at"),
    ),
    Column(key="number", title="Hand", kind=ColumnKind.INTEGER, value=attrgetter("hand.number")),
    Column(key="state", title="State", value=lambda version: str(version.hand.state)),
    Column(key="certainty", title="Certainty", value=lambda version: str(version.hand.certainty)),
    Column(key="reason", title="Reason", value=attrgetter("hand.reason")),
    Column(key="version", title="Version", kind=ColumnKind.INTEGER, value=attrgetter("number")),
    Column(
        key="entered",
        title="Entered",
        kind=ColumnKind.DATETIME,
        value=attrgetter("hand.entered_at"),
    ),
    Column(
        key="record",
        title="Record",
        value=lambda version: (
            bytes(version.text).decode("utf-8", "replace").replace("\0", "\ufffd")
        ),
    ),
    Column(key="id", title="Identifier", value=lambda version: str(version.hand_id)),
)


def hands(club: Club) -> Table[HandVersion]:
    """Every hand, what became of it, and its record."""
    return Table("Hands", _HAND_COLUMNS, _versions(club))


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


def results(club: Club, event: UUID | None = None) -> Table[Result]:
    """What every hand gave every seat."""
    names = names_of(club)
    columns: tuple[Column[Result], ...] = (
        Column(key="game", title="Game", value=lambda row: str(row.game_id)),
        Column(
            key="opened",
            title="Opened",
            kind=ColumnKind.DATETIME,
            value=attrgetter("game.opened_at"),
        ),
        _integer("number", "Hand"),
        Column(key="seat", title="Seat", kind=ColumnKind.INTEGER, value=lambda row: row.seat + 1),
        Column(key="player", title="Player", value=lambda row: names[row.player_id]),
        _integer("score", "Score"),
        _integer("taken", "Pain cards"),
        _boolean("queen", "Queen"),
        _integer("own_bid", "Bid"),
        _integer("won", "Won"),
        Column(key="pain", title="Suit", value=attrgetter("pain")),
        _boolean("jackpot", "Jackpot"),
    )
    rows = Result.objects.filter(game__club=club).select_related("game")
    if event is not None:
        rows = rows.filter(game__event=event)
    order = ("game__opened_at", "game_id", "number", "seat")
    return Table("Results", columns, rows.order_by(*order).iterator(_AT_ONCE))


def _integer(key: str, title: str) -> Column[Any]:
    return Column(key=key, title=title, kind=ColumnKind.INTEGER, value=attrgetter(key))


def _boolean(key: str, title: str) -> Column[Any]:
    return Column(key=key, title=title, kind=ColumnKind.BOOLEAN, value=attrgetter(key))


def chips(club: Club) -> Table[BookEntry]:
    """Every transfer of chips in the books."""
    rows = queries.club_transfers(club.pk).filter(payer__unit="chips")
    return _book("Chips", _integer("amount", "Chips"), rows, {})


def money(club: Club) -> list[Table[BookEntry]]:
    """Every transfer of money in the books, a table for each currency."""
    found = queries.club_transfers(club.pk).exclude(payer__unit="chips")
    units = sorted(set(found.order_by().values_list("payer__unit", flat=True)))
    names = names_of(club)
    return [
        _book(f"Money {unit}", _money(unit), found.filter(payer__unit=unit), names)
        for unit in units or [club.currency]
    ]


def _money(currency: str) -> Column[Any]:
    return Column(
        key="amount",
        title="Amount",
        kind=ColumnKind.MONEY,
        currency=currency,
        value=attrgetter("amount"),
    )


def _book(
    title: str, amount: Column[BookEntry], rows: QuerySet[BookEntry], names: Mapping[UUID, str]
) -> Table[BookEntry]:
    columns: tuple[Column[BookEntry], ...] = (
        _integer("pk", "Number"),
        Column(key="at", title="Moment", kind=ColumnKind.DATETIME, value=attrgetter("at")),
        Column(key="kind", title="Kind", value=attrgetter("kind")),
        Column(key="payer", title="From", value=lambda row: _holder(row.payer, names)),
        Column(key="payee", title="To", value=lambda row: _holder(row.payee, names)),
        amount,
        Column(key="game", title="Game", value=lambda row: row.game.name if row.game else ""),
        Column(
            key="hand",
            title="Hand",
            kind=ColumnKind.INTEGER,
            value=lambda row: row.hand.number if row.hand else None,
        ),
        _integer("reverses_id", "Takes back"),
        Column(key="note", title="Note", value=attrgetter("note")),
        Column(key="by", title="By", value=attrgetter("by")),
    )
    related = rows.select_related("payer", "payee", "game", "hand")
    return Table(title, columns, related.iterator(_AT_ONCE))


def _holder(account: BookAccount, names: Mapping[UUID, str]) -> str:
    if account.player_id is not None:
        return names.get(account.player_id, "player")
    return f"seat {account.seat + 1}" if account.seat is not None else str(account.holder)
