"""The layout of slips: every set of rules and every table gets circles that can be marked."""

import hashlib
from itertools import combinations
from math import hypot

import pytest

from engine.core.seats import Seat
from engine.rules.presets import BICYCLE, HOYLE_AUCTION, INSURANCE, PRESETS, SWEEPSTAKE
from engine.rules.rules import Rules, change
from scoring.slips.layout import LARGE, MARGIN, RADIUS, SMALL, RowKey, SlipLayout, lay_out

HOUSE = [
    change(PRESETS[name], switches)
    for name, switches in (
        ("bicycle", {"max_bid": "9"}),
        ("bicycle", {"max_bid": "9", "min_bid": "0"}),
        ("bicycle", {"max_bid": "49"}),
        ("bicycle", {"starting_chips": "1000"}),
        ("bicycle", {"insolvency": "rebuy", "starting_chips": "500"}),
        ("hoyle_auction", {"insolvency": "rebuy", "moon_all_tricks": "game"}),
        ("hoyle_auction", {"starting_chips": "1000", "insolvency": "rebuy"}),
        ("sweepstake", {"moon_all_tricks": "game"}),
        ("standard", {"moon": "shooter_choice", "insurance": "on"}),
        ("standard", {"foot": "on"}),
        ("standard", {"centre_auction": "on"}),
        ("insurance", {"moon": "shooter_choice", "insolvency": "rebuy"}),
        ("insurance", {"max_centre_bid": "5"}),
        ("sahara", {"insurance": "on", "foot": "on", "moon": "shooter_choice"}),
    )
]
TABLES = [
    (rules, players, is_blank)
    for rules in (*PRESETS.values(), *HOUSE)
    for players in range(rules.players.least, rules.players.most + 1)
    for is_blank in (False, True)
]


@pytest.mark.parametrize(("rules", "players", "is_blank"), TABLES)
def test_no_circle_touches_another_a_code_or_the_edge(
    rules: Rules, players: int, is_blank: bool
) -> None:
    layout = lay_out(rules, players, is_blank=is_blank)
    circles = [circle for row in layout.rows for circle in row.circles]
    for one, other in combinations(circles, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= 2 * RADIUS + 1
    edge = MARGIN + RADIUS
    for circle in circles:
        assert edge <= circle.x <= layout.width - edge
        assert edge <= circle.y <= layout.height - edge
        for code in layout.codes:
            beside = max(code.x - circle.x, circle.x - code.x - code.side)
            below = max(code.y - circle.y, circle.y - code.y - code.side)
            assert max(beside, below) >= RADIUS + 2


@pytest.mark.parametrize(("rules", "players", "is_blank"), TABLES)
def test_a_row_is_there_once_and_its_values_differ(
    rules: Rules, players: int, is_blank: bool
) -> None:
    rows = lay_out(rules, players, is_blank=is_blank).rows
    assert len({(row.key, row.seat) for row in rows}) == len(rows)
    for row in rows:
        values = [circle.value for circle in row.circles]
        assert len(set(values)) == len(values) > 0


def _keys(layout: SlipLayout) -> set[RowKey]:
    return {row.key for row in layout.rows}


COMMON = {RowKey.TAKEN, RowKey.ENDING, RowKey.DIRECTOR}
BID = {RowKey.BIDDER, RowKey.BID, RowKey.BID_TENS, RowKey.PAIN}
PAYS = {RowKey.CENTRE_SUIT, RowKey.CENTRE_RANK, RowKey.CENTRE, RowKey.CENTRE_TENS}


@pytest.mark.parametrize(
    ("preset", "asked"),
    [
        ("bicycle", BID),
        ("hoyle_hearts", set()),
        ("hoyle_auction", BID),
        ("insurance", {RowKey.QUEEN, RowKey.PAPER, RowKey.FOOT} | PAYS),
        ("sahara", {RowKey.QUEEN}),
        ("auction_moon", BID | {RowKey.TRICKS}),
        ("standard", {RowKey.QUEEN}),
        ("howell", set()),
        ("sweepstake", set()),
    ],
)
def test_a_slip_asks_only_for_what_its_rules_use(preset: str, asked: set[RowKey]) -> None:
    rules = PRESETS[preset]
    assert _keys(lay_out(rules, rules.players.least)) == asked | COMMON


def test_seven_marks_tell_a_hand_of_auction_hearts() -> None:
    layout = lay_out(BICYCLE, 4)
    told: list[tuple[RowKey, Seat | None]] = [
        (RowKey.BIDDER, None),
        (RowKey.BID, None),
        (RowKey.PAIN, None),
    ]
    told += [(RowKey.TAKEN, Seat(seat)) for seat in range(4)]
    assert len(told) == 7
    assert all(layout.row(*key) for key in told)


def test_auction_hearts_for_four_is_four_to_a_sheet_and_insurance_two() -> None:
    small, large = lay_out(BICYCLE, 4), lay_out(INSURANCE, 4)
    assert (small.width, small.height) == SMALL[:2]
    assert (large.width, large.height) == LARGE[:2]


def test_a_bid_can_be_marked_as_high_as_the_rules_allow() -> None:
    def highest(**switches: str) -> int:
        rows = lay_out(change(BICYCLE, switches), 4).rows
        keys = (RowKey.BID, RowKey.BID_TENS, RowKey.BID_HUNDREDS)
        return sum(int(row.circles[-1].value) for row in rows if row.key in keys)

    assert highest() == 99
    assert highest(max_bid="7") == 7
    assert highest(max_bid="250") == 299
    assert highest(starting_chips="500") == 599


def test_a_pack_without_some_hearts_has_fewer_numbers() -> None:
    rules = change(SWEEPSTAKE, {"players": "3", "strip": "3:H2"})
    row = lay_out(rules, 3).row(RowKey.TAKEN, Seat(0))
    assert row is not None
    assert [circle.value for circle in row.circles] == [str(number) for number in range(13)]


def test_a_blank_slip_asks_for_table_and_hand() -> None:
    asked = _keys(lay_out(HOYLE_AUCTION, 6, is_blank=True)) - _keys(lay_out(HOYLE_AUCTION, 6))
    assert asked == {RowKey.TABLE, RowKey.TABLE_TENS, RowKey.HAND, RowKey.HAND_TENS}


def test_the_codes_stand_at_opposite_corners() -> None:
    first, last = lay_out(BICYCLE, 4).codes
    assert (first.x, first.y) == (MARGIN, MARGIN)
    assert (last.x + last.side, last.y + last.side) == (SMALL.width - MARGIN, SMALL.height - MARGIN)


def test_what_was_printed_is_read_at_the_same_places() -> None:
    """Raise FORMAT of the codes whenever this digest changes: slips of before are on tables."""
    layouts = [lay_out(*table[:2], is_blank=table[2]) for table in TABLES]
    assert hashlib.sha256(repr(layouts).encode()).hexdigest()[:12] == "4d5b88509b68"
