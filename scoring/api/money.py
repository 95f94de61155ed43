"""Money between a club and its players: entries, balances, the sheet of a night."""

from dataclasses import asdict
from typing import TypedDict
from uuid import UUID

from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.games import money
from scoring.games.money import KINDS, NOTE_MAX, NewBooking
from scoring.games.night_sheets import NightAccounts, open_balances, payments, payout_sheet
from scoring.ledger.netting import Payment
from scoring.ledger.transfers import AMOUNT_MAX
from scoring.models import EntryKind
from scoring.presentation.answers import TransferAnswer, transfer_answer
from tournaments.access.rights import Right
from tournaments.api.filters import SignedCursorPagination
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models import Club
from tournaments.models.limits import max_length


@example(
    {
        "kind": "RECEIVED",
        "player": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
        "amount": 1500,
        "note": "In cash, on Tuesday",
    }
)
class BookingSerializer(StrictSerializer):
    """A fee, a prize, a payment or a write-off."""

    kind = ChoiceField(choices=[str(kind) for kind in KINDS])
    player = UUIDField()
    amount = IntegerField(
        min_value=1, max_value=AMOUNT_MAX, help_text="In minor units of the currency."
    )
    note = CharField(max_length=NOTE_MAX)
    currency = CharField(
        required=False,
        min_length=3,
        max_length=max_length(Club, "currency"),
        help_text="The club's, unless given.",
    )
    other = UUIDField(
        required=False, help_text="Whom the player paid, for a payment between two players."
    )
    game = UUIDField(required=False)


@example({"entry": 42, "why": "Booked twice."})
class ReversalSerializer(StrictSerializer):
    """An entry that is taken back."""

    entry = IntegerField(min_value=1, max_value=10**15, help_text="Its number in the books.")
    why = CharField(
        multiline=True, max_length=NOTE_MAX, help_text="The reason, which stays on record."
    )


class NightSerializer(StrictSerializer):
    """The games of a night."""

    games = CharField(max_length=4000, help_text="Their ids, with commas between them.")
    since = DateTimeField(required=False, help_text="Entries of no game count from this moment on.")
    until = DateTimeField(required=False)

    def validate_games(self, text: str) -> list[UUID]:
        """Return the ids of the games."""
        return [UUIDField().run_validation(one.strip()) for one in text.split(",")]


class BalanceOut(TypedDict):
    """What is open between a player and the club; below zero, the player owes."""

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
    """One player of a sheet: what they brought, gained by each kind of entry, and the balance."""

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


class MoneyViewSet(ApiViewSet):
    """The players' accounts with their club."""

    inputs = {"create": BookingSerializer, "reversals": ReversalSerializer}
    parameters = {"sheet": NightSerializer}
    outputs = {
        "list": Balances,
        "create": TransferAnswer,
        "reversals": TransferAnswer,
        "sheet": Sheets,
    }
    statuses = {"reversals": (201,)}
    rights = {
        "list": Right.MONEY_READ,
        "create": Right.MONEY_EDIT,
        "reversals": Right.MONEY_EDIT,
        "sheet": Right.MONEY_READ,
    }

    def list(self, request: ApiRequest, club_id: UUID) -> Response:
        """List who owes and who is owed by currency, the largest debt first, a page at a time."""
        found = open_balances(club_id=club_id)
        page, link = SignedCursorPagination().paginate_list(
            found, lambda one: (one.currency, one.amount, str(one.player)), request, self
        )
        shown = {(one.currency, one.player) for one in page}
        by_currency: dict[str, dict[UUID, int]] = {}
        for one in found:
            by_currency.setdefault(one.currency, {})[one.player] = one.amount
        due = {
            currency: [
                _payment(payment)
                for payment in payments(balances)
                if (currency, payment.payer or payment.payee) in shown
            ]
            for currency, balances in by_currency.items()
        }
        data = {"balances": [asdict(one) for one in page], "payments": due, "next": link}
        return Response(data)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Book a fee, a prize, a payment or a write-off."""
        values = {**self.validated_data, "kind": EntryKind(self.validated_data["kind"])}
        row = money.enter_money(
            club_id=club_id, entry=NewBooking(**values), by=request.by, at=request.at
        )
        return Response(transfer_answer(row, (), in_full=True), 201)

    @action(detail=False, methods=["post"])
    @idempotent
    def reversals(self, request: ApiRequest, club_id: UUID) -> Response:
        """Take an entry back by its opposite."""
        row = money.reverse_money(
            club_id=club_id, by=request.by, at=request.at, **self.validated_data
        )
        return Response(transfer_answer(row, (), in_full=True), 201)

    def sheet(self, request: ApiRequest, club_id: UUID) -> Response:
        """Show what each player put in, got and paid in some games, and how to settle up."""
        wanted = self.read_parameters()
        since = wanted.get("since")
        span = None if since is None else (since, wanted.get("until", request.at))
        found = payout_sheet(club_id=club_id, games=wanted["games"], span=span)
        return Response({"sheets": [_sheet(one) for one in found]})


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
        "payments": [_payment(payment) for payment in sheet.payments],
    }


def _payment(payment: Payment[UUID | None]) -> PaymentOut:
    return {"payer": payment.payer, "payee": payment.payee, "amount": payment.amount}
