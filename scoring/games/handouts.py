"""The content of an event's printed papers, from its rounds, games and links."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext

from engine.messages import Message
from engine.seats import DEFAULT_SEATS
from scoring.games import links
from scoring.models import SeatLink
from tournaments import selectors
from tournaments.core import time_zones
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.models import Entry, Event, Round, Table
from tournaments.people.display_names import number_suffix, shared_names
from tournaments.printing.movement_cards import movement_cards
from tournaments.printing.score_slips import SlipForm, score_slips
from tournaments.printing.seating_lists import seating_list
from tournaments.printing.seats import PrintedSitter, PrintHeading, SeatedRound, SeatedTable
from tournaments.printing.table_cards import table_cards
from tournaments.selectors import shown_name
from tournaments.tables.press import PaperSize


class HandoutKind(StrEnum):
    """What can be printed for a night."""

    SEATING = "seating"
    """Who sits where, by name and by table."""
    MOVEMENT = "movement"
    """A card for each player: where they sit, round by round."""
    SLIPS = "slips"
    """Score slips, one for each table and round."""
    CARDS = "cards"
    """A card for each table of a round that is played, with the code of its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOrder:
    """What is to be printed: of one ``round`` or of all, on which paper.

    ``pages`` is where the pages of tables are: an address to which the token is put.
    """

    kind: HandoutKind
    round: int | None = None
    paper: PaperSize = PaperSize.A4
    pages: str = ""


def pages_for_phones(pages: str, hosts: Sequence[str]) -> str:
    """Where phones find the pages of tables: not at an address that only this machine knows.

    ``hosts`` are the names by which the service may be called.

    >>> pages_for_phones("http://localhost:8000/t/", ["127.0.0.1", "192.168.0.7", "club.local"])
    'http://192.168.0.7:8000/t/'
    >>> pages_for_phones("http://club.local:8000/t/", ["192.168.0.7"])
    'http://club.local:8000/t/'
    """
    parts = urlsplit(pages)
    if not _is_here_alone(parts.hostname or ""):
        return pages
    others = [host for host in hosts if _is_address(host) and not _is_here_alone(host)]
    if not others:
        return pages
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{others[0]}{port}").geturl()


def reaches_phones(pages: str) -> bool:
    """Whether another device could reach an address."""
    return not _is_here_alone(urlsplit(pages).hostname or "")


def _is_address(host: str) -> bool:
    try:
        return ip_address(host).version == 4
    except ValueError:
        return False


def _is_here_alone(host: str) -> bool:
    return host == "localhost" or host.startswith("127.") or host in ("::1", "[::1]")


def tables_to_scan(event: Event, number: int, pages: str, at: datetime) -> list[SeatedTable]:
    """The tables of a round whose phones can come in now, each with the address of its page."""
    rows = [row for row in selectors.rounds(event) if row.number == number]
    return list(_cards(event, rows, pages, at))


def print_handout(event: Event, order: PrintOrder, at: datetime) -> bytes:
    """A handout as PDF. Raises RefusedError where there is nothing to print."""
    rows = [row for row in selectors.rounds(event) if order.round in (None, row.number)]
    if not rows:
        raise RefusedError(Message("No such round is drawn."), "round")
    begins = time_zones.local(event.starts_at, event.club.time_zone)
    day = date_format(begins, gettext("j F Y"))
    heading = PrintHeading(title=event.name, about=day, paper=order.paper, say=translate)
    if order.kind is HandoutKind.CARDS:
        tables = list(_cards(event, rows, order.pages, at))
        if not tables:
            raise RefusedError(Message("No table of this round is played now."), "round")
        return table_cards(
            heading, tables, Message("Scan the code to enter hands. No account is needed.")
        )
    shared = shared_names(event.club)
    rounds = [_round(row, {}, shared) for row in rows]
    if order.kind is HandoutKind.SEATING:
        return seating_list(heading, rounds, time_zones.local(at, event.club.time_zone))
    if order.kind is HandoutKind.MOVEMENT:
        return movement_cards(heading, rounds)
    return score_slips(heading, rounds, SlipForm(hands=event.hands))


def _cards(event: Event, rows: Sequence[Round], pages: str, at: datetime) -> Iterator[SeatedTable]:
    """The tables whose phones can come in now."""
    games = [game.pk for row in rows for table in row.tables.all() for game in table.games.all()]
    found = SeatLink.objects.filter(game__in=games, seat=None).select_related("game")
    urls: dict[UUID, str] = {}
    for link in found.order_by("made_at", "id"):
        token = links.token_of(link)
        if token is not None and links.is_open(link, at) and link.game.table_id is not None:
            urls[link.game.table_id] = f"{pages}{token}"
    shared = shared_names(event.club)
    for row in rows:
        for table in _round(row, urls, shared).tables:
            if table.url:
                yield table


def _round(row: Round, urls: Mapping[UUID, str], shared: AbstractSet[str]) -> SeatedRound:
    outs = tuple(_sitter(out.entry, "", shared) for out in row.sit_outs.all())
    tables = tuple(_table(table, urls, shared) for table in row.tables.all())
    return SeatedRound(row.number, tables, outs)


def _table(table: Table, urls: Mapping[UUID, str], shared: AbstractSet[str]) -> SeatedTable:
    names = DEFAULT_SEATS[table.size]
    sitters = tuple(_sitter(seat.entry, names[seat.seat], shared) for seat in table.seats.all())
    return SeatedTable(table.number, sitters, urls.get(table.pk, ""))


def _sitter(entry: Entry, seat: str, shared: AbstractSet[str]) -> PrintedSitter:
    player = entry.player
    name, mark = shown_name(player, in_full=True), number_suffix(player, shared)
    return PrintedSitter(seat, name, str(entry.number), mark)
