"""Seatings of an event, and the pages that phones open at its tables."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

from engine.core.seats import DEFAULT_SEATS
from scoring.games import links
from scoring.games.table_codes import find_printable_codes, short_code_of
from scoring.models import SeatLink
from tournaments.models import Entry, Event, Round, Table
from tournaments.people.display_names import number_suffix, shared_names, table_names
from tournaments.printing.seating import PrintedSitter, SeatedRound, SeatedTable
from tournaments.selectors import shown_name


def reaches_phones(pages: str) -> bool:
    """Whether another device could reach an address."""
    return not _is_here_alone(urlsplit(pages).hostname or "")


def _is_here_alone(host: str) -> bool:
    return host == "localhost" or host.startswith("127.") or host in ("::1", "[::1]")


def typing_page(pages: str) -> str:
    """Return the address at which somebody types the code of a table, as it is written on paper.

    >>> typing_page("https://club.example/t/")
    'club.example/table'
    """
    parts = urlsplit(pages)
    return f"{parts.netloc}{parts.path.removesuffix('t/')}table"


def tables_of(
    event: Event, rows: Sequence[Round], urls: Mapping[UUID, str] | None = None
) -> list[SeatedRound]:
    """Return the seatings of some rounds; ``urls`` are the pages of tables. One query."""
    shared = shared_names(event.club)
    return [_round(row, urls or {}, shared) for row in rows]


def open_tables(
    event: Event, rows: Sequence[Round], pages: str, at: datetime
) -> Iterator[SeatedTable]:
    """The tables whose phones can come in: by the code of the table, or by a link of the game."""
    numbers = [table.number for row in rows for table in row.tables.all()]
    codes = find_printable_codes(event.club_id, event, numbers)
    typed = {number: short_code_of(code) or "" for number, code in codes.items()}
    tokens = {number: f"{pages}{links.token_of(code)}" for number, code in codes.items()}
    games = [game.pk for row in rows for table in row.tables.all() for game in table.games.all()]
    seat_links = SeatLink.objects.filter(game__in=games, seat=None).select_related("game")
    urls: dict[UUID, str] = {}
    for link in seat_links.order_by("made_at", "id"):
        token = links.token_of(link)
        if token is not None and links.is_open(link, at) and link.game.table_id is not None:
            urls[link.game.table_id] = f"{pages}{token}"
    for row in tables_of(event, rows, urls):
        for table in row.tables:
            url, number = tokens.get(table.number) or table.url, table.number
            if url:
                page = typing_page(pages) if typed.get(number) else ""
                yield replace(table, url=url, typed=typed.get(number, ""), typing_page=page)


def _round(row: Round, urls: Mapping[UUID, str], shared: AbstractSet[str]) -> SeatedRound:
    outs = tuple(_sitter(out.entry, "", shared) for out in row.sit_outs.all())
    tables = tuple(_table(table, urls, shared) for table in row.tables.all())
    return SeatedRound(row.number, tables, outs)


def _table(table: Table, urls: Mapping[UUID, str], shared: AbstractSet[str]) -> SeatedTable:
    names = DEFAULT_SEATS[table.size]
    seats = list(table.seats.all())
    called = table_names([seat.entry.player for seat in seats])
    sitters = tuple(
        replace(_sitter(seat.entry, names[seat.seat], shared), called=name)
        for seat, name in zip(seats, called, strict=True)
    )
    return SeatedTable(table.number, sitters, urls.get(table.pk, ""))


def _sitter(entry: Entry, seat: str, shared: AbstractSet[str]) -> PrintedSitter:
    player = entry.player
    name, mark = shown_name(player, in_full=True), number_suffix(player, shared)
    return PrintedSitter(seat, name, str(entry.number), mark)
