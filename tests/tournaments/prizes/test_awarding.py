"""Awarding: from what is paid in to what everybody gets, nothing is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.prizes.test_shares import places
from tournaments.prizes import (
    Fee,
    Finisher,
    OddUnits,
    Payer,
    PotLeft,
    PrizeKind,
    Prizes,
    Ties,
    award,
    reversing,
)
from tournaments.prizes.settings import MONEY_MAX


def finishers(order: list[int], paid: int, chips: list[int] | None = None) -> list[Finisher]:
    held = chips or [0] * len(order)
    return [
        Finisher(player=f"p{number}", place=place, paid=paid, chips=held[number])
        for number, place in enumerate(order)
    ]


def test_e9_seven_pay_the_club_takes_its_part_and_three_are_paid() -> None:
    prizes = Prizes(prizes=(50, 30, 20), fee=Fee(basis_points=500))
    awards = award(prizes, finishers([1, 2, 3, 4, 5, 6, 7], 1250))
    assert (awards.pool, awards.fee) == (8750, 437)
    assert awards.amounts == (4156, 2494, 1663, 0, 0, 0, 0)
    legs = awards.legs
    assert sum(leg.amount for leg in legs) == 0
    assert next(leg.amount for leg in legs if leg.account is Payer.CLUB) == 437
    assert next(leg.amount for leg in legs if leg.player == "p0") == 4156 - 1250


@pytest.mark.parametrize(
    ("fee", "pool", "heads", "taken"),
    [
        (Fee(), 8750, 7, 0),
        (Fee(basis_points=500, least=500), 8750, 7, 500),
        (Fee(basis_points=500, most=400), 8750, 7, 400),
        (Fee(basis_points=10_000), 8750, 7, 8750),
        (Fee(least=500), 300, 3, 300),
        (Fee(per_head=50), 8750, 7, 350),
        (Fee(per_head=2000), 8750, 7, 8750),
    ],
)
def test_a_fee_has_its_least_and_its_most_and_is_never_more_than_the_pool(
    fee: Fee, pool: int, heads: int, taken: int
) -> None:
    assert fee.of(pool, heads) == taken


def test_fixed_prizes_leave_the_rest_to_the_club() -> None:
    awards = award(Prizes(kind=PrizeKind.FIXED, prizes=(3000, 1000)), finishers([1, 2, 3, 4], 1250))
    assert (awards.amounts, awards.house) == ((3000, 1000, 0, 0), 1000)


def test_fixed_prizes_shrink_together_where_there_is_too_little_money() -> None:
    awards = award(Prizes(kind=PrizeKind.FIXED, prizes=(3000, 1000)), finishers([1, 2], 500))
    assert (awards.amounts, awards.house) == ((750, 250), 0)


def test_fewer_players_than_prizes_share_everything() -> None:
    awards = award(Prizes(prizes=(50, 30, 20)), finishers([1, 2], 800))
    assert awards.amounts == (1000, 600)


def test_a_pot_that_is_carried_is_brought_to_the_next_session_at_face_value() -> None:
    prizes = Prizes(kind=PrizeKind.CHIPS, pot_left=PotLeft.CARRY)
    first = award(prizes, finishers([1, 2, 3, 4], 2000, [73, 58, 40, 22]), pot=7)
    assert (first.amounts, first.carried) == ((2920, 2320, 1600, 880), 280)
    second = award(
        prizes, finishers([1, 2, 3, 4], 2000, [60, 57, 50, 40]), brought=first.carried, pot=0
    )
    assert sum(second.amounts) == 8280
    carried = [leg for leg in first.legs + second.legs if leg.account is Payer.CARRIED]
    assert sum(leg.amount for leg in carried) == 0


def test_a_session_without_players_keeps_what_was_brought() -> None:
    awards = award(Prizes(kind=PrizeKind.WINNER), [], brought=500)
    assert (awards.carried, awards.amounts) == (500, ())


PRIZES = st.builds(
    Prizes,
    kind=st.sampled_from(PrizeKind),
    prizes=st.lists(st.integers(1, 5000), min_size=1, max_size=9).map(
        lambda some: tuple(sorted(some, reverse=True))
    ),
    ties=st.sampled_from(Ties),
    threshold=st.integers(0, 2000),
    pot_left=st.sampled_from(PotLeft),
    odd=st.sampled_from(OddUnits),
    fee=st.one_of(
        st.builds(
            Fee,
            basis_points=st.integers(0, 10_000),
            least=st.integers(0, 300),
            most=st.one_of(st.none(), st.integers(300, 900)),
        ),
        st.builds(Fee, per_head=st.integers(0, 900)),
    ),
)


@given(PRIZES, places(), st.integers(0, 10**5), st.integers(0, 10**4), st.integers(0, 90))
def test_every_award_gives_out_what_was_paid_in(
    prizes: Prizes, order: list[int], paid: int, brought: int, pot: int
) -> None:
    chips = [7 * (len(order) - number) for number in range(len(order))]
    awards = award(prizes, finishers(order, paid, chips), brought=brought, pot=pot)
    given_out = awards.fee + sum(awards.amounts) + awards.house + awards.carried
    assert given_out == awards.pool == paid * len(order) + brought
    assert min(awards.fee, awards.house, awards.carried, *awards.amounts) >= 0
    assert sum(leg.amount for leg in awards.legs) == 0
    back = reversing(awards.legs)
    assert all(
        one.amount + other.amount == 0 and one.player == other.player
        for one, other in zip(awards.legs, back, strict=True)
    )


@given(PRIZES)
def test_prizes_come_back_from_json_with_the_same_digest(prizes: Prizes) -> None:
    again = Prizes.from_json(prizes.to_json())
    assert again == prizes
    assert again.digest == prizes.digest


def test_money_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        award(Prizes(), finishers([1, 2], -5))
    with pytest.raises(ValueError, match="less than nothing"):
        award(Prizes(), finishers([1, 2], 5), brought=-1)


def test_amounts_as_high_as_can_be_are_still_exact() -> None:
    awards = award(Prizes(prizes=(MONEY_MAX, 1, 1)), finishers([1, 2, 3], MONEY_MAX))
    assert sum(awards.amounts) == 3 * MONEY_MAX
