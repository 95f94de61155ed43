"""Money at the desk: the sheet of a night, who owes what, and payments put into the books."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.games import money, night_sheets
from scoring.games.fees import list_fees
from scoring.games.money import NOTE_MAX, NewBooking
from scoring.games.night_end import (
    book_prizes,
    build_event_accounts,
    prizes_by_player,
    unbooked_prizes,
)
from scoring.games.night_sheets import NightAccounts
from scoring.models import EntryKind
from scoring.presentation.payments import format_amount, format_payments
from scoring.presentation.words import PARTS
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.core.name_folding import fold_text
from tournaments.models import Club, Status
from tournaments.people.display_names import (
    distinct_name,
    distinct_names,
    players_by_name,
    shared_names,
)
from tournaments.web.desk.base import ButtonsMixin, DeskFormView, DeskPage, EventMixin
from tournaments.web.desk.fields import MoneyField
from tournaments.web.desk.forms import DeskForm
from tournaments.web.number_format import money as shown_money
from tournaments.web.teams import prizes_won

KINDS: Final = tuple(
    (kind, kind.details)
    for kind in (
        *(EntryKind.RECEIVED, EntryKind.PAID_OUT, EntryKind.BETWEEN),
        *(EntryKind.FEE, EntryKind.PRIZE, EntryKind.WRITE_OFF),
    )
)
"""Transfers that are entered by hand."""


class PaymentForm(DeskForm):
    """A payment: who to whom, how much, and what for."""

    player = forms.ChoiceField(label=gettext_lazy("Who"))
    kind = forms.ChoiceField(label=gettext_lazy("What"), choices=KINDS)
    amount = MoneyField(label=gettext_lazy("How much"))
    note = forms.CharField(label=gettext_lazy("What for"), max_length=NOTE_MAX)
    other = forms.ChoiceField(
        label=gettext_lazy("To whom"),
        required=False,
        help_text=gettext_lazy("Where one player paid another."),
    )

    def __init__(self, *args: Any, currency: str, players: Sequence[Any], **more: Any) -> None:
        super().__init__(*args, **more)
        choices = [(str(player.pk), name) for player, name in players]
        for name, first in (("player", []), ("other", [("", pgettext("who is paid", "the club"))])):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [*first, *choices]
        amount = self.fields["amount"]
        assert isinstance(amount, MoneyField)
        amount.currency = currency
        amount.help_text = _("In %(currency)s, such as 12.50.") % {"currency": currency}

    def entry(self) -> NewBooking:
        """Return the typed payment, as the books have it."""
        typed = self.cleaned_data
        return NewBooking(
            kind=EntryKind(typed["kind"]),
            player=parse_id(typed["player"]),
            amount=typed["amount"],
            note=typed["note"],
            other=parse_id(typed["other"]) if typed["other"] else None,
        )


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A sheet as it is shown: only the columns in which there is something.

    A line is a name, what was carried over, the columns, the balance, and whether it is a debt.
    """

    currency: str
    columns: list[str]
    lines: list[tuple[str, str, list[str], str, bool]]
    payments: list[tuple[str, str, str]]
    pool: str


def format_sheet(sheet: NightAccounts, club: Club) -> ShownSheet:
    """A sheet in words and money."""
    names = distinct_names(club, [line.player for line in sheet.lines])
    parts = [(line, asdict(line.parts)) for line in sheet.lines]
    used = [name for name in PARTS if any(amounts[name] for _line, amounts in parts)]

    def show(amount: int) -> str:
        return shown_money(amount, sheet.currency)

    lines = [
        (
            names.get(str(line.player), ""),
            show(line.carried),
            [show(amounts[name]) for name in used],
            show(line.balance),
            line.balance < 0,
        )
        for line, amounts in parts
    ]
    return ShownSheet(
        currency=sheet.currency,
        columns=[str(PARTS[name]) for name in used],
        lines=sorted(lines, key=lambda line: (fold_text(line[0]), line[0])),
        payments=list(format_payments(sheet.payments, names, sheet.currency)),
        pool=show(sheet.pool) if sheet.pool else "",
    )


class NightMoney(ButtonsMixin, EventMixin, DeskPage):
    """The money of a night: what each put in, got and paid, how to settle up, who has won.

    A button books that the prizes of an official night were paid out.
    """

    needs = Right.MONEY_READ
    needs_to_write = Right.MONEY_EDIT
    template_name = "desk/money.html"
    buttons = ("pay_prizes",)

    def pay_prizes(self, _value: str) -> str:
        """Book the prizes as paid out."""
        booked = book_prizes(event_id=self.event.pk, by=self.by, at=self.at)
        if not booked:
            return _("All prizes were recorded already.")
        return _("The prizes are recorded as paid out.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        accounts = build_event_accounts(event)
        unbooked = unbooked_prizes(event, prizes_by_player(event))
        owing = [line for line in list_fees(event) if not line.is_paid]
        shared = shared_names(event.club)
        names = {
            str(entry.pk): distinct_name(entry.player, shared) for entry in selectors.entries(event)
        }
        return super().get_context_data(
            sheets=[format_sheet(one, event.club) for one in accounts],
            prizes=prizes_won(event, names),
            unbooked=bool(unbooked) and event.status == Status.OFFICIAL,
            owing=[
                (names[str(line.entry.pk)], format_amount(line.due - line.paid, self.club.currency))
                for line in owing
            ],
            **kwargs,
        )


class ClubMoney(DeskFormView[PaymentForm]):
    """Debts and credits over all nights, the largest debt first; enters payments."""

    needs = Right.MONEY_READ
    needs_to_write = Right.MONEY_EDIT
    template_name = "desk/club_money.html"
    form_class = PaymentForm
    success_message = gettext_lazy("The entry is recorded.")

    def get_form_kwargs(self) -> dict[str, Any]:
        players = players_by_name(self.club)
        own = {"currency": self.club.currency, "players": players}
        return {**super().get_form_kwargs(), **own}

    def save(self, form: PaymentForm) -> None:
        money.enter_money(club_id=self.club.pk, entry=form.entry(), by=self.by, at=self.at)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = night_sheets.open_balances(club_id=self.club.pk)
        names = distinct_names(self.club, [one.player for one in found])
        by_currency: dict[str, dict[UUID, int]] = {}
        for one in found:
            by_currency.setdefault(one.currency, {})[one.player] = one.amount
        context = {
            "balances": [
                (names.get(str(one.player), ""), shown_money(abs(one.amount), one.currency), one)
                for one in found
            ],
            "payments": [
                line
                for currency, balances in by_currency.items()
                for line in format_payments(night_sheets.payments(balances), names, currency)
            ],
        }
        return super().get_context_data(**{**context, **kwargs})
