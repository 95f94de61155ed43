"""The examples of rules.md about money, played and closed, to the minor unit."""

from fractions import Fraction

import pytest

from engine.core.seats import Seat
from scoring.games import closing_postings
from scoring.ledger import transfers
from scoring.models import Game, Holder, Phase, State
from scoring.models.transfer import LedgerAccount
from tests.engine.table import example
from tests.scoring.club import chip_balances, chips, enter, make_club
from tests.scoring.table_money import (
    arrange,
    close,
    hand_of_chips,
    hand_of_points,
    open_table,
    won,
)

pytestmark = pytest.mark.django_db


def cents(text: str) -> list[int]:
    """Amounts as rules.md writes them: ``0.70/0.70/19.30/19.30``."""
    return [int(Fraction(amount) * 100) for amount in text.split("/")]


def pool_left(game: Game) -> int:
    pools = LedgerAccount.objects.filter(game=game, holder=Holder.POOL, unit="EUR")
    return sum(transfers.balances(pools).values())


def fund(game: Game) -> int:
    account = transfers.club_account(game.club, Holder.FUND, "EUR")
    return transfers.balances([account])[account.pk]


def assert_paid(game: Game, payouts: list[int], stake: int, to_fund: int = 0) -> None:
    """Everybody has their payout less their stake; nothing is left in the pool."""
    assert won(game) == [payout - stake for payout in payouts]
    assert (pool_left(game), fund(game)) == (0, to_fund)
    assert set(chip_balances(game).values()) <= {0}


@pytest.mark.parametrize(
    ("end_pot", "payouts", "to_fund"),
    [
        ("equal_split", "0.70/0.70/19.30/19.30", 0),
        ("pro_rata", "0/0/20/20", 0),
        ("club_fund", "0/0/18.60/18.60", 280),
    ],
)
@example("A-17 P-01")
def test_both_who_ran_out_share_the_worth_of_the_pot(
    end_pot: str, payouts: str, to_fund: int
) -> None:
    game = open_table(make_club(), buy_in="1000", end_pot=end_pot)
    arrange(game, chips=(2, 3, 95, 100))
    enter(game, hand_of_chips(game, (4, 5, 2, 2), bidder="W", bid=5))
    assert chips(game) == "0/0/93/93 pot 14"
    game.refresh_from_db()
    assert game.phase == Phase.OVER
    closed = close(game)
    assert (closed.outcome.pool, closed.outcome.fund) == (4000, to_fund)
    assert_paid(game, cents(payouts), 1000, to_fund)


@pytest.mark.parametrize(
    ("held", "pot", "stake", "last_dealer", "payouts"),
    [
        pytest.param((61, 47, 47, 45), 0, 700, 0, "8.54/6.58/6.58/6.30", id="P-02"),
        pytest.param((61, 47, 47, 45), 0, 333, 0, "4.06/3.13/3.13/3.00", id="P-03"),
        pytest.param((55, 55, 55, 35), 0, 33, 0, "0.36/0.37/0.36/0.23", id="P-04"),
        pytest.param((55, 55, 55, 35), 0, 33, 2, "0.37/0.36/0.36/0.23", id="P-05"),
        pytest.param((49, 39, 49, 49), 14, 1000, 0, "10.50/8.50/10.50/10.50", id="P-06"),
    ],
)
def test_a_pool_is_shared_by_the_chips_held(
    held: tuple[int, ...], pot: int, stake: int, last_dealer: int, payouts: str
) -> None:
    game = open_table(make_club(), dealer=last_dealer, buy_in=str(stake))
    arrange(game, chips=held, pot=pot)
    close(game)
    assert_paid(game, cents(payouts), stake)


@pytest.mark.parametrize(
    ("end_pot", "payouts", "to_fund"),
    [
        pytest.param("pro_rata", "10.54/8.38/10.54/10.54", 0, id="P-06 pro_rata"),
        pytest.param("club_fund", "9.80/7.80/9.80/9.80", 280, id="P-06 club_fund"),
    ],
)
def test_a_left_pot_goes_where_the_house_says(end_pot: str, payouts: str, to_fund: int) -> None:
    game = open_table(make_club(), buy_in="1000", end_pot=end_pot)
    arrange(game, chips=(49, 39, 49, 49), pot=14)
    close(game)
    assert_paid(game, cents(payouts), 1000, to_fund)


@example("P-07")
def test_three_share_a_pool() -> None:
    game = open_table(make_club(), "hoyle_auction", players=3, buy_in="500")
    arrange(game, chips=(38, 54, 57), pot=1)
    close(game)
    assert_paid(game, cents("3.83/5.43/5.74"), 500)


@example("A-29")
def test_a_jackpot_at_the_agreed_end_is_worth_the_same_to_everybody() -> None:
    game = open_table(make_club(), buy_in="1000", length="hands:1")
    enter(game, hand_of_chips(game, (3, 2, 4, 4), bidder="E", bid=6))
    assert chips(game) == "47/42/46/46 pot 19"
    close(game)
    assert_paid(game, cents("10.35/9.35/10.15/10.15"), 1000)


@example("E-05")
def test_two_lowest_scores_share_the_antes() -> None:
    game = open_table(make_club(), "sahara", ante="500")
    arrange(game, totals=(79, 61, 62, 80))
    enter(game, hand_of_points(game, (25, 1, 0, 0)))
    close(game)
    assert_paid(game, [0, 1000, 1000, 0], 500)


@example("E-06")
def test_odd_cents_go_clockwise_from_the_left_of_the_last_dealer() -> None:
    game = open_table(make_club(), "sahara", players=5, dealer=4, ante="100")
    arrange(game, totals=(40, 75, 40, 40, 63))
    enter(game, hand_of_points(game, (0, 25, 0, 0, 1)))
    close(game)
    assert_paid(game, cents("1.66/0/1.67/1.67/0"), 100)


@example("B-03")
def test_an_average_is_paid_by_the_point() -> None:
    game = open_table(make_club(), "hoyle_hearts", players=3, unit="10")
    enter(game, hand_of_points(game, (13, 0, 0)))
    close(game)
    assert won(game) == [-87, 44, 43]
    assert pool_left(game) == 0


@example("A-27")
def test_a_rebuy_is_owed_when_the_game_is_closed() -> None:
    game = open_table(make_club(), buy_in="1000", insolvency="rebuy")
    arrange(game, chips=(3, 80, 60, 57))
    record = hand_of_chips(game, (5, 0, 4, 4), bidder="S", bid=2)
    enter(game, record + b'[RebuyTable "Seat;When;Stacks"]\nN short 1\n')
    assert transfers.bought_again([game])[game.pk] == {Seat(0): 50}
    closed = close(game)
    assert closed.outcome.pool == 5000
    assert sum(won(game)) == 0
    assert won(game) == [
        payout - stake
        for payout, stake in zip(closed.outcome.amounts, (2000, 1000, 1000, 1000), strict=True)
    ]
    assert pool_left(game) == 0


def test_nobody_buys_in_again_before_the_table_has_said_so() -> None:
    """DEC-9: the hand waits, and a game that was begun before goes on as it did (Q68)."""
    game = open_table(make_club(), buy_in="1000", insolvency="rebuy")
    arrange(game, chips=(3, 80, 60, 57))
    record = hand_of_chips(game, (5, 0, 4, 4), bidder="S", bid=2)
    hand = enter(game, record).hand
    assert (hand.state, transfers.bought_again([game])[game.pk]) == (State.DISPUTED, {})
    assert "cannot pay" in hand.reason
    old = open_table(make_club(), buy_in="1000", insolvency="rebuy")
    Game.objects.filter(pk=old.pk).update(old_law=True)
    arrange(old, chips=(3, 80, 60, 57))
    enter(old, hand_of_chips(old, (5, 0, 4, 4), bidder="S", bid=2))
    assert transfers.bought_again([old])[old.pk] == {Seat(0): 50}


def test_a_game_without_money_moves_none() -> None:
    game = open_table(make_club())
    enter(game, hand_of_chips(game, (3, 2, 4, 4)))
    assert close(game).outcome.pool == 0
    assert won(game) == [0, 0, 0, 0]


def test_the_rules_name_the_currency_before_the_club_does() -> None:
    game = open_table(make_club(), buy_in="1000", currency="USD")
    arrange(game, chips=(55, 55, 55, 35))
    close(game)
    assert won(game) == [0, 0, 0, 0]
    assert won(game, "USD") == [100, 100, 100, -300]


def test_where_all_owe_together_a_left_pot_is_worth_the_same_to_everybody() -> None:
    game = open_table(make_club(), buy_in="1000", insolvency="debt", end_pot="pro_rata")
    arrange(game, chips=(-30, -30, 20, 20), pot=220)
    close(game)
    assert_paid(game, [500, 500, 1500, 1500], 1000)


def test_whoever_ends_with_a_debt_of_chips_pays_for_it() -> None:
    game = open_table(make_club(), buy_in="1000", insolvency="debt")
    arrange(game, chips=(-10, 60, 70, 80))
    assert close(game).outcome.amounts == (-200, 1200, 1400, 1600)
    assert_paid(game, [-200, 1200, 1400, 1600], 1000)


@pytest.mark.parametrize(("old_law", "left", "first"), [(None, 3, 2), (True, 2, 3)])
def test_an_odd_cent_stays_with_a_pot_that_is_kept(
    old_law: bool | None, left: int, first: int
) -> None:
    """DEC-11; a game that was begun before it is closed as it would have been."""
    game = open_table(make_club(), buy_in="5", starting_chips="50", keeps=True, length="session")
    Game.objects.filter(pk=game.pk).update(old_law=old_law)
    arrange(game, chips=(30, 50, 50, 20), pot=50)
    game.refresh_from_db()
    result = closing_postings.compute_outcome(game)
    assert (sum(result.amounts) + result.jackpot, result.pool) == (20, 20)
    arrange(game, chips=(25, 50, 100, 0), pot=25)
    game.refresh_from_db()
    result = closing_postings.compute_outcome(game)
    assert (result.amounts[0], result.jackpot) == (first, left)
    close(game)
    game.refresh_from_db()
    assert closing_postings.find_differences([game])[game.pk] == []
