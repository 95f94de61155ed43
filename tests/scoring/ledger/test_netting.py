"""Settling up takes the fewest payments there are."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.netting import EXACT_MAX, Payment, settle_up

AMOUNTS = st.integers(-12, 12)


def balanced(most: int) -> st.SearchStrategy[list[int]]:
    """Balances that sum to zero."""
    return st.lists(AMOUNTS, min_size=1, max_size=most - 1).map(lambda some: [*some, -sum(some)])


def after(amounts: Sequence[int], payments: Sequence[Payment[int]]) -> list[int]:
    left = list(amounts)
    for payment in payments:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    return left


def fewest(left: tuple[int, ...]) -> int:
    """Every way to settle is tried: the first who is open pays or is paid by each other one."""
    left = tuple(amount for amount in left if amount)
    if not left:
        return 0
    first, others = left[0], left[1:]
    return 1 + min(
        fewest((*others[:place], other + first, *others[place + 1 :]))
        for place, other in enumerate(others)
        if first * other < 0
    )


@given(balanced(8))
def test_no_way_of_settling_takes_fewer_payments(amounts: list[int]) -> None:
    payments = settle_up(dict(enumerate(amounts)))
    assert after(amounts, payments) == [0] * len(amounts)
    assert len(payments) == fewest(tuple(amounts))


@given(balanced(40))
def test_everybody_is_settled_however_many_there_are(amounts: list[int]) -> None:
    payments = settle_up(dict(enumerate(amounts)))
    assert after(amounts, payments) == [0] * len(amounts)
    assert len(payments) <= max(0, sum(map(bool, amounts)) - 1)


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=EXACT_MAX // 2))
def test_pairs_that_cancel_out_settle_with_each_other(amounts: list[int]) -> None:
    both = [*amounts, *(-amount for amount in reversed(amounts))]
    assert len(settle_up(dict(enumerate(both)))) <= len(amounts)


def test_pairs_settle_first_among_many() -> None:
    amounts = [*range(1, 11), *range(-10, 0)]
    assert len(settle_up(dict(enumerate(amounts)))) == 10


def test_three_groups_are_found_where_greed_finds_none() -> None:
    balances = dict(zip("abcdefgh", (-7, -6, 13, -9, 4, 5, 11, -11), strict=True))
    assert len(settle_up(balances)) == 5


def test_balances_that_do_not_sum_to_zero_cannot_be_settled() -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        settle_up({"a": 3, "b": -2})
