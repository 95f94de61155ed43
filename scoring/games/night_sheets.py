"""The money sheet of a night: what each player paid in, received and still owes.

Amounts are what a player gains, in minor units: what they pay is below zero. A line's parts and
what the player brought from earlier nights add up to the balance, and a sheet's lines and what went
to the club add up to zero, exactly.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.ledger.netting import Payment, settle_up
from scoring.models import EntryKind, Holder, Sitting
from scoring.selectors import queries
from scoring.selectors.queries import MoneyRow
from tournaments.models import Event

PART_OF_KIND: Final = {
    EntryKind.BUYIN: "buy_ins",
    EntryKind.ANTE: "buy_ins",
    EntryKind.REBUY: "rebuys",
    EntryKind.PAYOUT: "payouts",
    EntryKind.FEE: "fees",
    EntryKind.ENTRY_FEE: "fees",
    EntryKind.FEE_PAID: "paid",
    EntryKind.PRIZE: "prizes",
    EntryKind.RECEIVED: "paid",
    EntryKind.PAID_OUT: "paid",
    EntryKind.BETWEEN: "paid",
    EntryKind.WRITE_OFF: "written_off",
}
"""Which of the `Parts` of a balance a transfer belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A player's gains by each kind of entry."""

    buy_ins: int = 0
    rebuys: int = 0
    payouts: int = 0
    fees: int = 0
    prizes: int = 0
    paid: int = 0
    written_off: int = 0

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(int(getattr(self, column.name)) for column in fields(self))


PART_TITLES: Final[Mapping[str, object]] = {
    "buy_ins": _("Buy-ins"),
    "rebuys": _("Rebuys"),
    "payouts": _("Payouts"),
    "fees": _("Fees"),
    "prizes": _("Prizes"),
    "paid": _("Paid"),
    "written_off": _("Let off"),
}
"""The titles of the fields of `Parts`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBalance:
    """One player: what they brought from before, the parts of the sheet, what was open then."""

    player: UUID
    carried: int
    parts: Parts
    balance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NightAccounts:
    """The money of some games in one currency.

    ``pool`` is what still lies in the pools of games that are not closed; ``fund``, ``jackpot``
    and ``till`` are what the club's accounts gained (the till counts its cash below zero).
    """

    currency: str
    lines: tuple[PlayerBalance, ...]
    pool: int
    fund: int
    jackpot: int
    till: int

    @property
    def payments(self) -> list[Payment[UUID | None]]:
        """The fewest payments after which nobody on this sheet owes; None is the club."""
        return payments({line.player: line.balance for line in self.lines})


def add_prizes(
    sheets: Sequence[NightAccounts], prizes: Mapping[UUID, int], currency: str
) -> list[NightAccounts]:
    """Put prizes that are not in the books yet on the sheet of their currency, out of the fund."""
    if not any(prizes.values()):
        return list(sheets)
    empty = NightAccounts(currency=currency, lines=(), pool=0, fund=0, jackpot=0, till=0)
    sheet = next((sheet for sheet in sheets if sheet.currency == currency), empty)
    lines = {line.player: line for line in sheet.lines}
    for player, amount in prizes.items():
        line = lines.get(player) or _line(player, Parts(), 0)
        parts = replace(line.parts, prizes=line.parts.prizes + amount)
        lines[player] = replace(line, parts=parts, balance=line.balance + amount)
    changed = replace(
        sheet,
        lines=tuple(lines[player] for player in sorted(lines)),
        fund=sheet.fund - sum(prizes.values()),
    )
    others = [sheet for sheet in sheets if sheet.currency != currency]
    return sorted([*others, changed], key=lambda one: one.currency)


def payout_sheet(
    *,
    club_id: UUID,
    games: queries.GameIds,
    span: tuple[datetime, datetime] | None = None,
    event: UUID | None = None,
    is_current: bool = False,
    merged: Mapping[UUID, UUID] | None = None,
) -> list[NightAccounts]:
    """The money of some games, a sheet for each currency.

    With a ``span`` of time, entries of that time that name no game are on it too: the payments
    and fees of the night. Balances are those of its end, or of when the last of the games was
    closed: what is played and paid later changes no earlier sheet, unless it ``is_current``. The
    entry fees of the events of these games, and of ``event``, are on it whenever they are paid.
    ``merged`` are the survivors of the club, if they are read already. Four queries.
    """
    events = Event.objects.filter(Q(games__in=games) | Q(pk=event), club=club_id)
    merged = queries.survivors(club_id) if merged is None else merged
    rows = queries.money(club_id, games, span, events)
    counted = Q() if is_current else queries.until(games, span, events)
    balances = _merge_balances(queries.balances(club_id, counted), merged)
    seated = Sitting.objects.filter(game__in=games, game__club=club_id)
    players = {merged.get(one, one) for one in seated.values_list("player", flat=True)}
    units = sorted({row.unit for row in rows})
    return [
        _sheet(unit, [row for row in rows if row.unit == unit], players, (balances, merged))
        for unit in units
    ]


Known = tuple[Mapping[tuple[UUID, str], int], Mapping[UUID, UUID]]
"""The balances of a club's players, and who its merged duplicates turned out to be."""


def _sheet(
    unit: str, rows: Sequence[MoneyRow], seated: Iterable[UUID], known: Known
) -> NightAccounts:
    balances, merged = known
    parts: dict[UUID, Counter[str]] = defaultdict(Counter)
    club: Counter[str] = Counter()
    for player in seated:
        parts[player].update()
    for row in rows:
        name = PART_OF_KIND.get(EntryKind(row.kind), "")
        sides = ((row.payer, row.payer_player, -1), (row.payee, row.payee_player, 1))
        for holder, who, sign in sides:
            gains = club if who is None else parts[merged.get(who, who)]
            gains[holder if who is None else name] += sign * row.amount
    lines = tuple(
        _line(player, Parts(**parts[player]), balances.get((player, unit), 0))
        for player in sorted(parts)
    )
    return NightAccounts(
        currency=unit,
        lines=lines,
        pool=club[Holder.POOL],
        fund=club[Holder.FUND],
        jackpot=club[Holder.JACKPOT],
        till=club[Holder.TILL],
    )


def _line(player: UUID, parts: Parts, balance: int) -> PlayerBalance:
    return PlayerBalance(player=player, carried=balance - parts.total, parts=parts, balance=balance)


def _merge_balances(
    balances: Mapping[tuple[UUID, str], int], merged: Mapping[UUID, UUID]
) -> dict[tuple[UUID, str], int]:
    found: Counter[tuple[UUID, str]] = Counter()
    for (player, unit), amount in balances.items():
        found[merged.get(player, player), unit] += amount
    return dict(found)


@dataclass(frozen=True, slots=True)
class Balance:
    """The open amount between a player and their club; below zero, they owe."""

    player: UUID
    currency: str
    amount: int


def open_amounts(club_id: UUID) -> dict[tuple[UUID, str], int]:
    """Return every balance of a player over all nights, by player and currency. Two queries."""
    return _merge_balances(queries.balances(club_id), queries.survivors(club_id))


def open_balances(*, club_id: UUID) -> list[Balance]:
    """Return the open balances over all nights, the largest debt first. Two queries."""
    balances = open_amounts(club_id)
    rows = [Balance(player, unit, amount) for (player, unit), amount in balances.items() if amount]
    return sorted(rows, key=lambda row: (row.currency, row.amount, row.player))


def payments(balances: Mapping[UUID, int]) -> list[Payment[UUID | None]]:
    """The fewest payments that bring players' balances to zero, some of them with the club (None).

    The club's part is what the players' balances come to together: fees it is owed, prizes it owes.
    """
    everybody: dict[UUID | None, int] = {player: balances[player] for player in balances}
    everybody[None] = -sum(balances.values())
    return settle_up(everybody)
