"""Money at the desk: settling up after a night and over all nights, and single entries."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple
from uuid import UUID

from django import forms
from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.games import money, night_sheets
from scoring.games.closing_postings import find_expected_payouts
from scoring.games.money import NOTE_MAX, NewBooking
from scoring.games.night_sheets import PART_TITLES, Balance
from scoring.games.settling_up import (
    NightSettlement,
    SettlementLine,
    read_night_books,
    settle_up,
    take_back_payment,
)
from scoring.models import EntryKind, Holder
from scoring.presentation.payments import format_amount, format_payments
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.core.name_folding import fold_text
from tournaments.events.announcements import describe_adjourned_tables
from tournaments.events.events import OVER
from tournaments.models import Club, Event, Status
from tournaments.people.display_names import (
    distinct_names,
    players_by_name,
)
from tournaments.publishing.adjourned import find_adjourned
from tournaments.selectors import spoken_name
from tournaments.tables.cells import isolate_name
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


class ShownLine(NamedTuple):
    """A player's line: what is open or was paid, and what it is made of.

    ``key`` names the line in the form, ``seen`` the amount with it; ``is_waiting``: it cannot be
    paid yet; ``has_paid``: what is settled came in, else it was paid out.
    """

    key: str
    seen: str
    name: str
    details: Sequence[str]
    amount: str
    is_waiting: bool = False
    has_paid: bool = False


class BoxRow(NamedTuple):
    """A line of the cash box: what for, and how much comes in; below zero it goes out."""

    title: str
    amount: str


@dataclass(frozen=True, slots=True)
class ShownSettlement:
    """A settlement in one currency: its lines, and the cash box that it is paid with.

    ``even`` have nothing to hand over, but a fee or a prize that is not booked.
    The ``rows`` of the box begin with what lies in it and add up to ``left``. ``figures`` are the
    columns and lines of all amounts.
    """

    currency: str
    owing: list[ShownLine]
    getting: list[ShownLine]
    even: list[ShownLine]
    settled: list[ShownLine]
    to_come_in: str
    to_pay_out: str
    cash: str
    rows: list[BoxRow]
    left: str
    payments: list[tuple[str, str, str]]
    columns: Sequence[str] = ()
    figures: Sequence[tuple[str, Sequence[str]]] = ()


def show_settlement(
    night: NightSettlement, names: Mapping[str, str], waiting: Collection[UUID] = ()
) -> ShownSettlement:
    """Return a night's settlement in words and money; ``waiting`` get a prize that is not final."""
    unit = night.sheet.currency

    def show(amount: int) -> str:
        return shown_money(amount, unit)

    by_name = sorted(night.lines, key=lambda line: fold_text(names.get(str(line.player), "")))
    shown = [
        (
            line,
            ShownLine(
                key=f"{line.player}:{unit}",
                seen=f"{line.player}:{unit}:{line.amount}",
                name=names.get(str(line.player), ""),
                details=tuple(_details(line, unit)),
                amount=show(abs(line.amount or (line.is_settled and line.paid + line.fee_paid))),
                is_waiting=line.player in waiting,
                has_paid=line.paid + line.fee_paid >= 0,
            ),
        )
        for line in by_name
    ]
    parts = {line.player: (line, asdict(line.parts)) for line in night.sheet.lines}
    used = [name for name in PART_TITLES if any(amounts[name] for _line, amounts in parts.values())]
    return ShownSettlement(
        currency=unit,
        owing=[one for line, one in shown if line.amount < 0],
        getting=[one for line, one in shown if line.amount > 0],
        even=[one for line, one in shown if not line.amount and not line.is_settled],
        settled=[one for line, one in shown if line.is_settled and (line.paid or line.fee_paid)],
        to_come_in=show(night.to_come_in),
        to_pay_out=show(night.to_pay_out),
        cash=show(night.cash),
        rows=[BoxRow(title, show(amount)) for title, amount in _box_rows(night) if amount],
        left=show(night.left_over),
        payments=list(format_payments(night.sheet.payments, names, unit)),
        columns=[_("Before"), *(str(PART_TITLES[name]) for name in used), _("Open")],
        figures=[
            (
                one.name,
                [
                    show(parts[line.player][0].carried),
                    *(show(parts[line.player][1][name]) for name in used),
                    show(line.amount),
                ],
            )
            for line, one in shown
        ],
    )


def _details(line: SettlementLine, unit: str) -> Iterator[str]:
    """Say what an amount is made of; of what is paid already, the whole fee."""

    def signed(amount: int) -> str:
        return f"+{shown_money(amount, unit)}" if amount > 0 else shown_money(amount, unit)

    if line.is_settled:
        if line.fee_paid:
            yield _("entry fee %(amount)s") % {"amount": shown_money(line.fee_paid, unit)}
    elif line.fee < 0:
        yield _("entry fee %(amount)s not paid") % {"amount": shown_money(-line.fee, unit)}
    elif line.fee:
        yield _("%(amount)s too much paid as entry fee") % {"amount": shown_money(line.fee, unit)}
    if line.prize:
        yield _("prize %(amount)s") % {"amount": shown_money(line.prize, unit)}
    if line.chips:
        yield _("chips %(amount)s") % {"amount": signed(line.chips)}
    if line.others:
        yield _("other nights %(amount)s") % {"amount": signed(line.others)}
    if line.written_off:
        yield _("written off %(amount)s") % {"amount": signed(line.written_off)}
    if not line.is_settled and line.paid > 0:
        yield _("%(amount)s paid before") % {"amount": shown_money(line.paid, unit)}
    elif not line.is_settled and line.paid:
        yield _("%(amount)s paid out before") % {"amount": shown_money(-line.paid, unit)}


def _box_rows(night: NightSettlement) -> Iterator[tuple[str, int]]:
    payers = sum(line.fee_paid > 0 for line in night.lines)
    fees = ngettext("%(n)d entry fee", "%(n)d entry fees", payers) % {"n": payers}
    yield fees, sum(line.fee_paid for line in night.lines)
    paid = [line.paid for line in night.lines if line.paid > 0]
    words = ngettext("paid in by %(n)d player", "paid in by %(n)d players", len(paid))
    yield words % {"n": len(paid)}, sum(paid)
    got = [line.paid for line in night.lines if line.paid < 0]
    words = ngettext("paid out to %(n)d player", "paid out to %(n)d players", len(got))
    yield words % {"n": len(got)}, sum(got)
    yield _("still to come in"), night.to_come_in
    yield _("still to pay out"), -night.to_pay_out
    yield _("from or for other nights"), night.of_other_nights
    yield from _club_rows(night.sheet.fund, night.sheet.jackpot, night.sheet.pool)


def _club_rows(fund: int, jackpot: int, pool: int) -> Iterator[tuple[str, int]]:
    yield (_("kept by the club") if fund > 0 else _("added by the club")), -fund
    yield (
        _("kept for the club's jackpot") if jackpot > 0 else _("from the club's jackpot"),
        -jackpot,
    )
    yield _("in games that are not closed"), -pool


class NightMoney(ButtonsMixin, EventMixin, DeskPage):
    """Settling up after a night: one line for each player, and the cash box that proves itself.

    Buttons book what one or all paid or got, with their fees and prizes, and take it back.
    """

    needs = Right.MONEY_READ
    needs_to_write = Right.MONEY_EDIT
    template_name = "desk/money.html"
    buttons = ("settle", "undo")

    def settle(self, value: str) -> str:
        """Book the payment of one line, or of all that were shown."""
        seen = read_amounts(self.request.POST.getlist("seen"))
        if value != "all":
            key = _read_key(value)
            seen = {key: seen[key]} if key in seen else {}
        booked = settle_up(event_id=self.event.pk, seen=seen, by=self.by, at=self.at)
        return describe_booked(self.club, booked)

    def undo(self, value: str) -> str:
        """Take the last payment of a player in this night back."""
        player, currency = _read_key(value)
        taken = take_back_payment(
            event_id=self.event.pk, player=player, currency=currency, by=self.by, at=self.at
        )
        if taken is None:
            return ""
        names = distinct_names(self.club, [player])
        return _("Taken back: the payment of %(name)s, %(amount)s.") % {
            "name": isolate_name(spoken_name(names.get(str(player), ""))),
            "amount": format_amount(abs(taken), currency),
        }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        is_over = event.status in OVER
        is_official = event.status == Status.OFFICIAL
        books = read_night_books(event)
        waiting = frozenset[UUID]() if is_official else books.prizes.unbooked.keys()
        merged, sheet = books.prizes.merged, books.prizes.sheet
        players = {line.player for night in books.settlements for line in night.lines}
        names = distinct_names(event.club, sorted(players | books.entries.keys()))
        adjourned = find_adjourned([event.pk]) if event.status == Status.RUNNING else []
        nights = [show_settlement(one, names, waiting) for one in books.settlements]
        is_open = any(night.owing or night.getting or night.even for night in nights)
        return super().get_context_data(
            nights=nights,
            is_open=is_open,
            can_settle=is_over and Right.MONEY_EDIT in self.rights,
            adjourned=describe_adjourned_tables(adjourned) if adjourned else "",
            adjourned_count=len(adjourned),
            is_waiting=bool(waiting),
            is_among=self.request.GET.get("view") == "among" and is_open,
            payments=sum(len(night.payments) for night in nights),
            prizes=prizes_won(
                event,
                {
                    entry: names.get(str(merged.get(player, player)), "")
                    for entry, player in (sheet.players if sheet else {}).items()
                },
                sheet,
            ),
            is_old=is_official and event.frozen_fees is None,
            expected=[] if is_over else show_expected(event),
            **kwargs,
        )


def show_expected(event: Event) -> list[list[tuple[str, str]]]:
    """Return who can expect how much for the chips held now, a list a currency, the most first."""
    expected = find_expected_payouts(event)
    players = [key.player for key in expected if key.player is not None]
    names = distinct_names(event.club, players)
    rows = sorted(expected.items(), key=lambda row: (row[0].unit, -row[1], str(row[0].player)))
    return [
        [(names.get(str(key.player), ""), format_amount(amount, unit)) for key, amount in lines]
        for unit, lines in groupby(rows, key=lambda row: row[0].unit)
    ]


def _read_key(text: str) -> tuple[UUID, str]:
    """Read the player and the currency of a line. Raises BadRequest."""
    player, _colon, currency = text.partition(":")
    try:
        return UUID(player), currency
    except ValueError as error:
        raise BadRequest("No such line.") from error


def read_amounts(texts: Sequence[str]) -> dict[tuple[UUID, str], int]:
    """Read the amounts that a form showed. Raises BadRequest."""
    found = {}
    for text in texts:
        key, _colon, amount = text.rpartition(":")
        if not re.fullmatch(r"-?[0-9]{1,15}", amount):
            raise BadRequest("No such amount.")
        found[_read_key(key)] = int(amount)
    return found


def describe_booked(club: Club, booked: Mapping[tuple[UUID, str], int]) -> str:
    """Say what was booked; nothing where nothing was."""
    if not booked:
        return ""
    if len(booked) > 1:
        return ngettext(
            "Recorded as paid: %(n)d player.", "Recorded as paid: %(n)d players.", len(booked)
        ) % {"n": len(booked)}
    ((player, currency), amount), *_others = booked.items()
    words = _("%(name)s has settled, with nothing to hand over.")
    if amount:
        words = _("%(name)s paid %(amount)s.") if amount < 0 else _("%(name)s got %(amount)s.")
    return words % {
        "name": isolate_name(spoken_name(distinct_names(club, [player]).get(str(player), ""))),
        "amount": format_amount(abs(amount), currency),
    }


class ClubMoney(ButtonsMixin, DeskFormView[PaymentForm]):
    """Debts and credits over all nights by name, and the cash box; enters payments."""

    needs = Right.MONEY_READ
    needs_to_write = Right.MONEY_EDIT
    template_name = "desk/club_money.html"
    form_class = PaymentForm
    success_message = gettext_lazy("The entry is recorded.")
    buttons = ("settle",)

    def get_form_kwargs(self) -> dict[str, Any]:
        players = players_by_name(self.club)
        own = {"currency": self.club.currency, "players": players}
        return {**super().get_form_kwargs(), **own}

    def save(self, form: PaymentForm) -> None:
        money.enter_money(club_id=self.club.pk, entry=form.entry(), by=self.by, at=self.at)

    def settle(self, value: str) -> str:
        """Book that a player paid or got all that is open between them and the club."""
        key = _read_key(value)
        seen = read_amounts(self.request.POST.getlist("seen")).get(key, 0)
        booked = money.settle_balance(
            club_id=self.club.pk,
            key=key,
            seen=seen,
            note=_("Settled up"),
            by=self.by,
            at=self.at,
        )
        return describe_booked(self.club, {key: booked} if booked else {})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found = night_sheets.open_balances(club_id=self.club.pk)
        names = distinct_names(self.club, [one.player for one in found])
        held = queries.balances_by_holder(self.club.pk)
        units = sorted({unit for _holder, unit in held})
        accounts = [
            self._show(unit, [one for one in found if one.currency == unit], names, held)
            for unit in units
        ]
        context = {
            "accounts": accounts,
            "is_open": bool(found),
            "is_among": self.request.GET.get("view") == "among" and bool(found),
            "payments": sum(len(one.payments) for one in accounts),
        }
        return super().get_context_data(**{**context, **kwargs})

    def _show(
        self,
        unit: str,
        rows: Sequence[Balance],
        names: Mapping[str, str],
        held: Mapping[tuple[str, str], int],
    ) -> ShownSettlement:
        def show(amount: int) -> str:
            return shown_money(amount, unit)

        lines = [
            (
                row.amount,
                ShownLine(
                    key=f"{row.player}:{unit}",
                    seen=f"{row.player}:{unit}:{row.amount}",
                    name=names.get(str(row.player), ""),
                    details=(),
                    amount=show(abs(row.amount)),
                ),
            )
            for row in sorted(rows, key=lambda row: fold_text(names.get(str(row.player), "")))
        ]
        owed = -sum(amount for amount, _line in lines if amount < 0)
        due = sum(amount for amount, _line in lines if amount > 0)
        cash = -held.get((Holder.TILL, unit), 0)
        club = [
            held.get((holder, unit), 0) for holder in (Holder.FUND, Holder.JACKPOT, Holder.POOL)
        ]
        box = [(_("still to come in"), owed), (_("still to pay out"), -due), *_club_rows(*club)]
        balances = {row.player: row.amount for row in rows}
        return ShownSettlement(
            currency=unit,
            owing=[line for amount, line in lines if amount < 0],
            getting=[line for amount, line in lines if amount > 0],
            even=[],
            settled=[],
            to_come_in=show(owed),
            to_pay_out=show(due),
            cash=show(cash),
            rows=[BoxRow(title, show(amount)) for title, amount in box if amount],
            left=show(cash + owed - due - sum(club)),
            payments=list(format_payments(night_sheets.payments(balances), names, unit)),
        )
