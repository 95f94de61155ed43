"""Payments in words: who pays whom how much."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.ledger.netting import Payment
from tournaments.core.name_folding import fold_text
from tournaments.selectors import spoken_name
from tournaments.tables.cells import isolate_name
from tournaments.web.number_format import money

Payments = Sequence[Payment[UUID | None]]


def format_payments(
    payments: Payments, names: Mapping[str, str], currency: str
) -> Iterator[tuple[str, str, str]]:
    """Yield payer, payee and amount of payments, in the order of names; None is the club.

    What the club pays comes last.
    """

    def order(payment: Payment[UUID | None]) -> tuple[bool, str, bool, str]:
        payer, payee = (
            fold_text(names.get(str(who), "")) for who in (payment.payer, payment.payee)
        )
        return payment.payer is None, payer, payment.payee is None, payee

    for one in sorted(payments, key=order):
        club = pgettext("who pays", "the club"), pgettext("who is paid", "the club")
        payer, payee = (
            itself if who is None else spoken_name(names.get(str(who), ""))
            for who, itself in zip((one.payer, one.payee), club, strict=True)
        )
        yield payer, payee, format_amount(one.amount, currency)


def format_amount(amount: int, currency: str) -> str:
    """Format an amount of minor units with its currency."""
    return f"{money(amount, currency)}\N{NO-BREAK SPACE}{currency}"


def payment_sentences(payments: Payments, names: Mapping[str, str], currency: str) -> Iterator[str]:
    """Yield a sentence for each payment, in plain text."""
    for payer, payee, amount in format_payments(payments, names, currency):
        yield _("%(payer)s pays %(payee)s %(amount)s") % {
            "payer": isolate_name(payer),
            "payee": isolate_name(payee),
            "amount": amount,
        }
