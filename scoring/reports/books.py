"""Tables of the books: every transfer of chips and of money, and what everybody has with the club.

A transfer is one row: payer, payee, and an amount above zero. Where money changes hands, such as in
a payment to the club, *From* is the person who hands it over. In the books it is the payee, since
its balance with the club rises; so the two are exchanged for these kinds (`_HANDED_OVER`). Sums are
made of the cash box column, or of the balances, where every column adds up to zero.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.notation.values import MINOR_DIGITS
from engine.settlement.settlement import Kind
from scoring.games.night_sheets import PART_OF_KIND, PART_TITLES
from scoring.ledger.transfers import CHIPS, BookAccount, BookEntry
from scoring.models import EntryKind, Game, Holder, Sitting
from scoring.reports.game_columns import GameColumns, game_id_column
from scoring.reports.hands import seat_word
from scoring.selectors import queries
from tournaments.core.language import translate
from tournaments.core.time_zones import day
from tournaments.models import Club
from tournaments.reports.people import (
    NamedPlayer,
    actor_column,
    actor_names,
    named_players,
    player_columns,
)
from tournaments.tables.model import Column, ColumnKind, Table

_AT_ONCE: Final = 2000
_OPENING: Final = (EntryKind.BUYIN, EntryKind.ANTE)
"""What is posted for a seat before its first hand; all else without a hand comes after the last."""
_READ: Final = (
    *("kind", "amount", "note", "by", "at", "game_id", "hand_id", "reverses_id"),
    *(
        f"{side}__{field}"
        for side in ("payer", "payee")
        for field in ("holder", "seat", "player_id")
    ),
)
_HANDED_OVER: Final = frozenset(
    {EntryKind.RECEIVED, EntryKind.PAID_OUT, EntryKind.FEE_PAID, EntryKind.BETWEEN}
)


def chips(club: Club, *, event: UUID | None = None, league: UUID | None = None) -> Table[BookEntry]:
    """Every transfer of chips, with the players in the two seats."""
    games = queries.select_games(club, event=event, league=league)
    rows = queries.club_transfers(club.pk).filter(payer__unit=CHIPS)
    if event is not None or league is not None:
        rows = rows.filter(game__in=games)
    players, seats = named_players(club), _Seats(games)
    columns: tuple[Column[BookEntry], ...] = (
        *GameColumns(club).columns(attrgetter("game_id"), _hand_number),
        Column(key="at", title=_("Time"), kind=ColumnKind.DATETIME, value=attrgetter("at")),
        _kind(),
        *_side("payer", pgettext("who pays", "From"), players, seats),
        *_side("payee", pgettext("who is paid", "To"), players, seats),
        Column(
            key="amount",
            title=_("Chips"),
            kind=ColumnKind.INTEGER,
            value=attrgetter("amount"),
        ),
        *_booking_columns(rows),
        game_id_column(attrgetter("game_id")),
    )
    # Of hands and games no more is read than their numbers: their records are long.
    related = rows.select_related("payer", "payee", "hand").only(*_READ, "hand__number")
    return Table(_("Chips"), columns, related.iterator(_AT_ONCE))


def money(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> list[Table[BookEntry]]:
    """Every transfer of money, a table for each currency.

    Of an event: what its games paid, and its entry fees.
    """
    rows = _money_rows(club, event=event, league=league)
    players, known = named_players(club), GameColumns(club).keys

    def occasion(row: BookEntry) -> str:
        if (fee := getattr(row, "entry_fee", None)) is not None:
            return str(fee.event.name)
        key = known.get(row.game_id) if row.game_id else None
        return (key.event or str(key.table)) if key else ""

    def table(currency: str) -> Table[BookEntry]:
        own = rows.filter(payer__unit=currency)
        columns: tuple[Column[BookEntry], ...] = (
            Column(
                key="date",
                title=_("Date"),
                kind=ColumnKind.DATE,
                value=lambda row: day(row.at, club.time_zone),
            ),
            _kind(),
            *_side("payer", pgettext("who pays", "From"), players),
            *_side("payee", pgettext("who is paid", "To"), players),
            _money_column("amount", _("Amount"), currency, attrgetter("amount")),
            _money_column(
                "cash",
                _("Cash box"),
                currency,
                _cash,
                description=_("what came into the cash box, below zero what was taken from it"),
            ),
            Column(key="event", title=_("Event or game"), value=occasion, is_heading=True),
            *_booking_columns(own),
            game_id_column(attrgetter("game_id")),
        )
        related = own.select_related("payer", "payee", "entry_fee__event")
        related = related.only(*_READ, "entry_fee__event__name")
        return Table(_("Money %(currency)s") % {"currency": currency}, columns, related)

    return [table(currency) for currency in _currencies(club, rows)]


@dataclass(frozen=True, slots=True)
class AccountTotals:
    """Gains of a player, or of an account of the club, by each part of a balance."""

    name: str
    number: int | None
    parts: Mapping[str, int]

    @property
    def balance(self) -> int:
        """The balance with the club; below zero, they owe it."""
        return sum(self.parts.values())


def balances(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> list[Table[AccountTotals]]:
    """Return every player's balance with the club and its parts, a table for each currency.

    The club's own accounts are rows too, so that every column sums to zero. Of the cash box it is
    what it lacks: with 50.00 in it, it stands at -50.00.
    """
    rows = _money_rows(club, event=event, league=league)
    players = named_players(club)
    return [
        _balances(currency, rows.filter(payer__unit=currency), players)
        for currency in _currencies(club, rows)
    ]


def _balances(
    currency: str, rows: QuerySet[BookEntry], players: Mapping[UUID, NamedPlayer]
) -> Table[AccountTotals]:
    gains: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
    sides = ("payer__holder", "payer__player", "payee__holder", "payee__player")
    sums = rows.order_by().values_list("kind", *sides).annotate(Sum("amount"))
    for kind, payer, payer_player, payee, payee_player, amount in sums:
        part = PART_OF_KIND.get(kind, "paid")
        for holder, player, sign in ((payer, payer_player, -1), (payee, payee_player, 1)):
            owner = players[player] if player else (str(Holder(holder).label), None)
            gains[owner][part] += sign * amount
    records = [
        AccountTotals(name, number, parts)
        for (name, number), parts in sorted(
            gains.items(), key=lambda one: (one[0][1] is None, one[0][0].casefold(), one[0])
        )
    ]
    columns: list[Column[AccountTotals]] = [
        Column(key="name", title=_("Name"), value=attrgetter("name")),
        Column(
            key="number",
            title=_("Member no."),
            kind=ColumnKind.INTEGER,
            value=attrgetter("number"),
        ),
    ]
    columns += [
        _money_column(part, str(title), currency, partial(_part, part=part))
        for part, title in PART_TITLES.items()
        if any(record.parts.get(part) for record in records)
    ]
    columns.append(
        _money_column(
            "balance",
            _("Balance"),
            currency,
            attrgetter("balance"),
            description=_("above zero the club owes it to them, below zero they owe it"),
        )
    )
    return Table(_("Balances %(currency)s") % {"currency": currency}, tuple(columns), records)


def _part(totals: AccountTotals, *, part: str) -> int:
    return totals.parts.get(part, 0)


def _money_rows(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> QuerySet[BookEntry]:
    rows = queries.club_transfers(club.pk).exclude(payer__unit=CHIPS)
    if event is None and league is None:
        return rows
    wanted = Q(game__in=queries.select_games(club, event=event, league=league))
    if event is not None:
        wanted |= Q(entry_fee__event=event)
    else:
        wanted |= Q(entry_fee__event__leagues__league=league)
    return rows.filter(wanted)


def _currencies(club: Club, rows: QuerySet[BookEntry]) -> list[str]:
    units = sorted(set(rows.order_by().values_list("payer__unit", flat=True).distinct()))
    return units or [club.currency]


class _Seats:
    """Sitters in the seats of some games. Two queries."""

    def __init__(self, games: QuerySet[Game]) -> None:
        self.sizes = dict(games.values_list("pk", "players"))
        self._words = {
            size: [seat_word(seat, size) for seat in range(size)]
            for size in set(self.sizes.values())
        }
        self._sat: dict[tuple[UUID, int], list[Sitting]] = defaultdict(list)
        for sitting in Sitting.objects.filter(game__in=games).order_by("first"):
            self._sat[sitting.game_id, sitting.seat].append(sitting)

    def player(self, row: BookEntry, seat: int) -> UUID | None:
        """Return the sitter of a seat when chips of it moved."""
        if row.game_id is None:
            return None
        sat = self._sat[row.game_id, seat]
        number = _hand_number(row)
        if number is None:
            at = 0 if row.kind in _OPENING else -1
            return sat[at].player_id if sat else None
        found = (one for one in sat if one.first <= number and (one.last or number) >= number)
        return next((one.player_id for one in found), None)

    def word(self, row: BookEntry, seat: int) -> str:
        """Return the name of a seat."""
        size = self.sizes.get(row.game_id) if row.game_id else None
        return self._words[size][seat] if size else ""


def _side(
    key: str, title: str, players: Mapping[UUID, NamedPlayer], seats: _Seats | None = None
) -> Iterable[Column[BookEntry]]:
    """The columns of who paid, or of who was paid."""
    holders = {value: str(label) for value, label in Holder.choices}
    own, other = attrgetter(key), attrgetter("payee" if key == "payer" else "payer")

    def account_of(row: BookEntry) -> BookAccount:
        found: BookAccount = (other if row.kind in _HANDED_OVER else own)(row)
        return found

    def player_of(row: BookEntry) -> UUID | None:
        account = account_of(row)
        if seats is not None and account.seat is not None:
            return seats.player(row, account.seat)
        return account.player_id

    def seat_of(row: BookEntry) -> str:
        seat = account_of(row).seat
        return "" if seats is None or seat is None else seats.word(row, seat)

    def holder_of(row: BookEntry) -> str:
        return seat_of(row) or holders[account_of(row).holder]

    yield from player_columns(key, title, player_of, players, otherwise=holder_of)
    if seats is not None:
        words = _("%(title)s, seat") % {"title": title}
        yield Column(key=f"{key}_seat", title=words, value=seat_of)


def _hand_number(row: BookEntry) -> int | None:
    return row.hand.number if row.hand else None


def _kind() -> Column[BookEntry]:
    words = {str(kind): translate(kind.words) for kind in Kind}
    words |= {kind: str(label) for kind, label in EntryKind.choices}
    return Column(
        key="kind",
        title=_("What for"),
        value=lambda row: words.get(row.kind, row.kind),
    )


def _cash(row: BookEntry) -> int | None:
    if row.payer.holder == Holder.TILL:
        return row.amount
    return -row.amount if row.payee.holder == Holder.TILL else None


def _money_column(
    key: str,
    title: str,
    currency: str,
    value: Callable[[Any], int | None],
    *,
    description: str = "",
) -> Column[Any]:
    return Column(
        key=key,
        title=title,
        kind=ColumnKind.MONEY,
        currency=currency,
        minor_digits=MINOR_DIGITS.get(currency, 2),
        value=value,
        description=description,
    )


def _booking_columns(rows: QuerySet[BookEntry]) -> Iterable[Column[BookEntry]]:
    """The last columns of transfers: the note, who entered it, its number, what it takes back."""
    names = actor_names(rows.order_by().values_list("by", flat=True).distinct())
    if rows.exclude(note="").exists():
        yield Column(key="note", title=_("Note"), value=attrgetter("note"))
    yield actor_column("by", _("By"), attrgetter("by"), names)
    yield Column(key="entry", title=_("Entry no."), kind=ColumnKind.INTEGER, value=attrgetter("pk"))
    if rows.exclude(reverses=None).exists():
        yield Column(
            key="reverses",
            title=_("Takes back no."),
            kind=ColumnKind.INTEGER,
            value=attrgetter("reverses_id"),
        )
    yield Column(key="kind_code", title="kind_code", value=attrgetter("kind"), is_id=True)
