"""Money beside a pot that goes on to another game: the odd cent stays in the pot (DEC-11)."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.seats import Seat
from engine.rules.presets import BICYCLE
from engine.rules.rules import Rules, change
from engine.settlement.payout import share_pool, share_with_carried_pot

TO_THE_CLUB = change(BICYCLE, {"spare_units": "club_fund"})


@pytest.mark.parametrize(
    ("pool", "chips", "pot", "amounts", "kept"),
    [
        (5, (1, 0, 0, 0), 1, (2, 0, 0, 0), 3),
        (10, (1, 1, 1, 0), 1, (2, 3, 2, 0), 3),
        (1000, (50, 49, 51, 49), 1, (250, 245, 255, 245), 5),
        (100, (98, 51, 51, 0), 1, (49, 25, 25, 0), 1),
        (4000, (49, 39, 49, 49), 14, (980, 780, 980, 980), 280),
        (999, (0, 0, 0, 0), 200, (0, 0, 0, 0), 999),
        (1003, (60, 50, 50, 40), 0, (301, 251, 251, 200), 0),
    ],
)
def test_an_odd_cent_between_players_and_pot_stays_in_the_pot(
    pool: int, chips: tuple[int, ...], pot: int, amounts: tuple[int, ...], kept: int
) -> None:
    payout, carried = share_with_carried_pot(BICYCLE, pool, chips, pot, Seat(0))
    assert (payout.amounts, carried, payout.fund) == (amounts, kept, 0)


@given(
    rules=st.sampled_from((BICYCLE, TO_THE_CLUB)),
    chips=st.lists(st.integers(-60, 300), min_size=3, max_size=6),
    pot=st.integers(0, 400),
    pool=st.integers(0, 10**7),
    dealer=st.integers(0, 2),
)
def test_the_pot_is_rounded_up_and_every_player_gets_his_part_to_a_cent(
    rules: Rules, chips: list[int], pot: int, pool: int, dealer: int
) -> None:
    whole = sum(chips) + pot
    assume(whole > 0)
    payout, carried = share_with_carried_pot(rules, pool, chips, pot, Seat(dealer))
    assert sum(payout.amounts) + payout.fund + carried == pool
    assert carried == -(-pool * pot // whole)
    assert all(
        amount in (least, least + 1)
        for amount, least in zip(payout.amounts, (pool * n // whole for n in chips), strict=True)
    )
    if rules is BICYCLE:
        assert payout.fund == 0
        if pot == 0:
            assert payout == share_pool(rules, pool, chips, 0, Seat(dealer))
    else:
        assert payout.amounts == tuple(pool * n // whole for n in chips)
