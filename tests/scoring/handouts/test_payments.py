"""Payments in words: who pays whom, in the order in which people look for their names."""

from uuid import UUID

from scoring.ledger.netting import Payment
from scoring.presentation.payments import format_payments, payment_sentences

NAMES = {str(UUID(int=1)): "de Vries, Wim", str(UUID(int=2)): "\u0141ukasik, Jan"}
NAMES |= {str(UUID(int=3)): "Otto"}
WIM, JAN, OTTO = (UUID(int=number) for number in (1, 2, 3))


def test_payments_stand_in_the_order_of_who_pays_and_the_club_comes_last() -> None:
    found: list[Payment[UUID | None]] = [Payment(None, OTTO, 100)]
    found += [Payment(OTTO, None, 20), Payment(JAN, WIM, 30)]
    found += [Payment(OTTO, JAN, 5), Payment(WIM, OTTO, 250)]
    shown = [(payer, payee) for payer, payee, _amount in format_payments(found, NAMES, "EUR")]
    assert shown == [
        ("Wim de Vries", "Otto"),
        ("Jan \u0141ukasik", "Wim de Vries"),
        ("Otto", "Jan \u0141ukasik"),
        ("Otto", "the club"),
        ("the club", "Otto"),
    ]
    assert next(payment_sentences(found, NAMES, "EUR")) == "Wim de Vries pays Otto 2.50\u00a0EUR"
