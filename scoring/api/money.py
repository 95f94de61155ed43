"""Money between a club and its players: entries, balances, the sheet of a night."""

from dataclasses import asdict
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from scoring.api.forms import WHY
from scoring.games import money
from scoring.games.money import KINDS, NOTE_MAX, NewBooking
from scoring.games.night_sheets import Balance, NightAccounts, open_balances, payments, payout_sheet
from scoring.ledger.netting import Payment
from scoring.ledger.transfers import MOST, BookEntry
from scoring.models import EntryKind
from scoring.presentation.answers import TransferAnswer, transfer_answer
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Identifier, Moment, OneOf, Text, Whole, form
from tournaments.api.pages import paged, part_of

ENTRY = form(
    kind=OneOf(of=tuple(str(kind) for kind in KINDS)),
    player=Identifier(),
    amount=Whole(least=1, most=MOST, words="In minor units of the currency."),
    note=Text(most=NOTE_MAX),
    currency=Text(most=3, least=3, required=False, words="As a rule the club's."),
    other=Identifier(required=False, words="Whom he paid, for a payment between two players."),
    game=Identifier(required=False),
)
REVERSAL = form(entry=Whole(least=1, words="Its number in the books."), why=WHY)
NIGHT = form(
    games=Text(most=4000, words="Their ids, with commas between them."),
    since=Moment(required=False, words="Entries of no game count from this moment on."),
    until=Moment(required=False),
)


class BalanceOut(TypedDict):
    """What is open between a player and his club; below zero, he owes."""

    player: UUID
    currency: str
    amount: int


class PaymentOut(TypedDict):
    """A payment that settles up; null is the club."""

    payer: UUID | None
    payee: UUID | None
    amount: int


class Balances(TypedDict):
    """Who owes and who is owed, over all nights, a page of them, and who of these pays whom.

    The payments of all pages are the fewest that settle everything. Each stands on the page of who
    owes, or of who is owed where the club pays.
    """

    balances: list[BalanceOut]
    payments: dict[str, list[PaymentOut]]
    next: str | None


class LineOut(TypedDict):
    """One player of a sheet: what he brought, what he gained by each kind of entry, his balance."""

    player: UUID
    carried: int
    parts: dict[str, int]
    balance: int


class SheetOut(TypedDict):
    """The money of some games in one currency; lines and the club's gains add up to zero."""

    currency: str
    lines: list[LineOut]
    pool: int
    fund: int
    jackpot: int
    till: int
    payments: list[PaymentOut]


class Sheets(TypedDict):
    """A sheet for each currency."""

    sheets: list[SheetOut]


class MoneyDoor(Door):
    """The players' accounts with their club."""

    @read(Right.MONEY_READ, gives=Balances, query=paged(None))
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List who owes and who is owed by currency, the largest debt first, a page at a time."""
        found = open_balances(club_id=club_id)
        page, link = part_of(found, _place, path=ask.path, query=ask.query)
        shown = {(one.currency, one.player) for one in page}
        by_currency: dict[str, dict[UUID, int]] = {}
        for one in found:
            by_currency.setdefault(one.currency, {})[one.player] = one.amount
        due = {
            currency: [
                _payment(one)
                for one in payments(balances)
                if (currency, one.payer or one.payee) in shown
            ]
            for currency, balances in by_currency.items()
        }
        data = {"balances": [asdict(one) for one in page], "payments": due, "next": link}
        return Answer(data)

    @write(Right.MONEY_EDIT, takes=ENTRY, gives=TransferAnswer, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Book a fee, a prize, a payment or a write-off."""
        values = {**ask.values, "kind": EntryKind(ask.values["kind"])}
        entry = NewBooking(**values)
        return _entry(money.enter_money(club_id=club_id, entry=entry, by=ask.by, at=ask.at))


class MoneyReversal(Door):
    """An entry taken back."""

    @write(Right.MONEY_EDIT, takes=REVERSAL, gives=TransferAnswer, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Take an entry back by its opposite."""
        return _entry(money.reverse_money(club_id=club_id, by=ask.by, at=ask.at, **ask.values))


class NightSheet(Door):
    """The sheet of a night."""

    @read(Right.MONEY_READ, gives=Sheets, query=NIGHT)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Show what each player put in, got and paid in some games, and how to settle up."""
        games = [Identifier().read(one.strip(), "games") for one in ask.query["games"].split(",")]
        found = payout_sheet(club_id=club_id, games=games, span=_span(ask))
        return Answer({"sheets": [_sheet(one) for one in found]})


def _place(one: Balance) -> tuple[str, int, str]:
    return one.currency, one.amount, str(one.player)


def _span(ask: Ask) -> tuple[datetime, datetime] | None:
    if "since" not in ask.query:
        return None
    return ask.query["since"], ask.query.get("until", ask.at)


def _entry(row: BookEntry) -> Answer:
    return Answer(transfer_answer(row, (), in_full=True))


def _sheet(sheet: NightAccounts) -> SheetOut:
    return {
        "currency": sheet.currency,
        "lines": [
            {
                "player": line.player,
                "carried": line.carried,
                "parts": asdict(line.parts),
                "balance": line.balance,
            }
            for line in sheet.lines
        ],
        "pool": sheet.pool,
        "fund": sheet.fund,
        "jackpot": sheet.jackpot,
        "till": sheet.till,
        "payments": [_payment(one) for one in sheet.payments],
    }


def _payment(one: Payment[UUID | None]) -> PaymentOut:
    return {"payer": one.payer, "payee": one.payee, "amount": one.amount}
