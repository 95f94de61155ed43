"""rules.md 9.2: average settlement of Hearts as Hoyle has it, every number typed from the rules."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from engine.core.ranking import places
from engine.record.game_state import GameState
from engine.rules.presets import HOWELL, HOYLE_HEARTS
from engine.settlement.averages import average, cash, howell, net, odd_to_pot
from engine.settlement.game_end import standing_values
from engine.settlement.settlement import settle
from tests.engine.table import N, S, example, game, house, played


@dataclass(frozen=True)
class Row:
    """Totals at the end of a session, the average, exact amounts, whole numbers."""

    totals: tuple[int, ...]
    average: str
    exact: str
    howell: tuple[int, ...]


ROWS = {
    "B-01": Row((5, 4, 3, 1), "13/4", "-7/4,-3/4,+1/4,+9/4", (-7, -3, 1, 9)),
    "B-02": Row((20, 10, 15, 7), "13", "-7,+3,-2,+6", (-28, 12, -8, 24)),
    "B-03": Row((13, 0, 0), "13/3", "-26/3,+13/3,+13/3", (-26, 13, 13)),
    "B-04": Row((9, 3, 6, 8, 0), "26/5", "-19/5,+11/5,-4/5,-14/5,+26/5", (-19, 11, -4, -14, 26)),
    "B-05": Row(
        (4, 3, 2, 2, 1, 1),
        "13/6",
        "-11/6,-5/6,+1/6,+1/6,+7/6,+7/6",
        (-11, -5, 1, 1, 7, 7),
    ),
    "B-06": Row((13, 13, 20, 6), "13", "0,0,-7,+7", (0, 0, -28, 28)),
    "B-08": Row((3, 5, 5, 0), "13/4", "+1/4,-7/4,-7/4,+13/4", (1, -7, -7, 13)),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
class TestAverage:
    def test_who_is_above_the_average_pays_and_who_is_below_collects(self, row: Row) -> None:
        assert average(row.totals) == Fraction(row.average)
        assert net(row.totals) == [Fraction(amount) for amount in row.exact.split(",")]

    def test_howells_settling_is_the_same_in_whole_numbers(self, row: Row) -> None:
        assert howell(row.totals) == list(row.howell)

    def test_nothing_is_left_over(self, row: Row) -> None:
        assert sum(net(row.totals)) == 0
        assert sum(howell(row.totals)) == 0


@pytest.mark.parametrize(
    ("totals", "amounts", "left"),
    [
        pytest.param((5, 4, 3, 1), [-2, -1, 0, 2], 1, id="B-07"),
        pytest.param((5, 4, 3, 1), [-2, -1, 0, 2], 1, id="B-01"),
        pytest.param((20, 10, 15, 7), [-7, 3, -2, 6], 0, id="B-02"),
        pytest.param((13, 0, 0), [-9, 4, 4], 1, id="B-03"),
    ],
)
def test_odd_chips_stay_in_the_pot(totals: tuple[int, ...], amounts: list[int], left: int) -> None:
    assert odd_to_pot(totals) == (amounts, left)


@example("B-03")
def test_thirteen_hearts_at_ten_cents_a_point() -> None:
    assert cash((13, 0, 0), 10, N) == [-87, 44, 43]


@example("B-05")
def test_six_players_at_five_cents_a_point() -> None:
    assert cash((4, 3, 2, 2, 1, 1), 5, N) == [-10, -4, 1, 1, 6, 6]


@example("B-02")
def test_a_session_of_four_hands_adds_up_to_four_times_thirteen() -> None:
    state = game(HOYLE_HEARTS, 4)
    for taken in ((13, 0, 0, 0), (2, 5, 3, 3), (0, 0, 12, 1), (5, 5, 0, 3)):
        state = settle(HOYLE_HEARTS, state, played(taken)).after
    assert (state.totals, state.hands, state.over) == ((20, 10, 15, 7), 4, None)
    assert net(state.totals) == [-7, 3, -2, 6]


@example("B-06")
def test_the_lowest_total_wins_and_equal_totals_share_a_place() -> None:
    state = game(HOYLE_HEARTS, 4, totals=(13, 13, 20, 6), hands=4)
    assert places(standing_values(HOYLE_HEARTS, state)) == [2, 2, 4, 1]


@example("B-08")
def test_howells_settling_after_every_hand_moves_the_chips_of_fosters_example() -> None:
    after = settle(HOWELL, game(HOWELL, 4), played((3, 5, 5, 0))).after
    assert after.chips == (51, 43, 43, 63)
    assert after.totals == (3, 5, 5, 0)


@example("B-07")
def test_settled_hand_by_hand_the_odd_chip_waits_in_the_pot() -> None:
    rules = house(HOWELL, average_rounding="odd_to_pot")
    after: GameState = settle(rules, game(rules, 4), played((5, 4, 3, 1))).after
    assert (after.chips, after.pot) == ((48, 49, 50, 52), 1)
    assert after.dealer != S
