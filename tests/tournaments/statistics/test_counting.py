"""Counting: any order, any parts, the same counts; and each count is what its sentence says."""

from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES, Table
from engine.core.cards import Suit
from tests.engine.table import seeded
from tests.examples import examples
from tests.tournaments.statistics.season import PEOPLE, at_table, evenings, hands
from tournaments.statistics import (
    OF_HANDS,
    OF_TABLES,
    Book,
    Figure,
    PlayerHandLine,
    PlayerTally,
    Statistic,
    TableLine,
    figures,
)


def told(lines: list[PlayerHandLine], player: str = "Ann") -> dict[tuple[Hashable, ...], Figure]:
    book = Book().add(lines)
    found = figures(book.players[player].sums, book.everybody())
    return {(one.statistic.key, *one.group): one for one in found}


def line(number: int = 0, **known: object) -> PlayerHandLine:
    return PlayerHandLine(player="Ann", night="2026-01", number=number, players=4, **known)  # type: ignore[arg-type]


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(15), deadline=None)
def test_any_order_and_any_parts_come_to_the_same(luck: Random) -> None:
    lines: list[PlayerHandLine | TableLine] = [*hands(), *evenings(seeded(3))]
    whole = Book().add(lines)
    mixed = luck.sample(lines, len(lines))
    cut = luck.randrange(len(lines))
    first, second = Book().add(mixed[:cut]), Book().add(mixed[cut:])
    second.merge(first)
    assert second == whole
    for player, tally in whole.players.items():
        assert figures(second.players[player].sums, second.everybody()) == figures(
            tally.sums, whole.everybody()
        )


def test_merging_leaves_the_other_as_it_is() -> None:
    part, other = Book().add(hands()[:100]), Book().add(hands()[100:])
    before = Book().add(hands()[100:])
    part.merge(other)
    part.merge(Book().add(evenings(seeded(1))))
    assert other == before


def test_nothing_is_counted_of_what_is_not_known() -> None:
    assert told([line()]).keys() <= {("net_by_size", 4)}
    only_result = told([line(net=3), line(1, net=-5)])
    assert {key[0] for key in only_result} == {"net", "net_by_size"}
    assert only_result["net",].mean == -1


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_hands_of_every_system_are_counted(table: Table) -> None:
    lines = hands(table, 12)
    book = Book().add(lines)
    everybody = book.everybody()
    assert everybody["net"].n == len(lines)
    assert everybody["pain"].total == sum(one.whole for one in lines) / Fraction(lines[0].players)
    if lines[0].sharers is None:
        assert everybody["net"].total == 0
        assert "pots" not in everybody


def test_the_rates_of_a_player_are_counted_by_hand() -> None:
    lines = [
        line(0, net=12, captured=0, sharers=1, won=15, named=True, paid=3, bid=3, second=1,
             jackpot=False, suit=Suit.CLUBS, seat=1, after_namer=0, pot=0),
        line(1, net=-4, captured=4, sharers=0, won=0, named=False, bid=2, jackpot=False,
             seat=2, after_namer=3, pot=0),
        line(2, net=6, captured=0, sharers=2, won=6, named=False, bid=0, jackpot=False,
             seat=3, after_namer=1, pot=0),
        line(3, net=-13, captured=13, sharers=0, won=0, named=True, jackpot=True,
             suit=Suit.HEARTS, seat=4, after_namer=0, pot=15),
        line(4, net=20, captured=0, sharers=1, won=20, named=False, jackpot=True, seat=1,
             after_namer=2, pot=15),
    ]  # fmt: skip
    found = told(lines)
    expected = {
        ("net",): Fraction(21, 5),
        ("clean",): Fraction(3, 5),
        ("pain",): Fraction(17, 5),
        ("sweeps",): Fraction(1, 5),
        ("pots",): Fraction(3, 5),
        ("clean_wins",): Fraction(2, 5),
        ("shared",): Fraction(1, 5),
        ("pot_won",): Fraction(41, 3),
        ("jackpots",): Fraction(2, 5),
        ("jackpots_won",): Fraction(1, 2),
        ("jackpot_chips",): Fraction(10),
        ("bids",): Fraction(2, 3),
        ("bids_won",): Fraction(1, 2),
        ("winning_bid",): Fraction(3),
        ("second_bid",): Fraction(1),
        ("overpaid",): Fraction(1),
        ("named",): Fraction(2, 5),
        ("namer_net",): Fraction(-1, 2),
        ("namer_clean",): Fraction(1, 2),
        ("pain_spread", 0): Fraction(3, 5),
        ("pain_spread", 4): Fraction(1, 5),
        ("pain_spread", 13): Fraction(1, 5),
        ("suits", "clubs"): Fraction(1, 2),
        ("suits", "hearts"): Fraction(1, 2),
        ("net_by_suit", "clubs"): Fraction(12),
        ("net_by_suit", "hearts"): Fraction(-13),
        ("net_by_size", 4): Fraction(21, 5),
        ("net_by_seat", 4, 1): Fraction(16),
        ("net_by_seat", 4, 2): Fraction(-4),
        ("net_by_seat", 4, 3): Fraction(6),
        ("net_by_seat", 4, 4): Fraction(-13),
        ("net_after_namer", 4, 0): Fraction(-1, 2),
        ("net_after_namer", 4, 1): Fraction(6),
        ("net_after_namer", 4, 2): Fraction(20),
        ("net_after_namer", 4, 3): Fraction(-4),
        ("pass_by_seat", 4, 1): Fraction(0),
        ("pass_by_seat", 4, 2): Fraction(0),
        ("pass_by_seat", 4, 3): Fraction(1),
        ("bid_value", "1–3"): Fraction(12),  # noqa: RUF001
    }
    assert {key: one.mean for key, one in found.items()} == expected
    assert found["pots",].total == 3
    tally = Book().add(lines).players["Ann"]
    assert tally.extremes == {
        "largest_pot": (20, "2026-01", 4),
        "best_hand": (20, "2026-01", 4),
        "worst_hand": (-13, "2026-01", 3),
        "most_pain": (13, "2026-01", 3),
    }


def test_a_paper_brings_its_number_with_the_queen_and_costs_it_without() -> None:
    """The examples of the specification: 6 taken costs 13 - 6, not taken 6; 5 with p = .4."""
    papers = [(6, True, 5), (6, False, 0), (6, True, 13)]
    papers += [(5, number < 8, 3) for number in range(20)]
    found = told(
        [
            line(number, insured=insured, queen=queen, captured=captured)
            for number, (insured, queen, captured) in enumerate(papers)
        ]
    )
    six, five = found["paper_value", 6], found["paper_value", 5]
    assert (six.n, float(six.total), six.hidden) == (2, 0.0, True), (
        "whoever shot the moon is left out"
    )
    assert (five.n, five.mean, five.hidden) == (20, Fraction(-1), False)
    assert five.error == pytest.approx(5 * (0.96 / 19) ** 0.5)


def test_what_bids_brought_is_told_by_the_bid() -> None:
    bids = [(1, 2), (3, -4), (4, 5), (6, 1), (7, -9), (12, -3)]
    found = told(
        [
            line(number, net=net, paid=paid, named=True, jackpot=False)
            for number, (paid, net) in enumerate(bids)
        ]
        + [line(9, net=50, named=True, jackpot=True), line(10, net=50, paid=0, named=True)]
    )
    by_bid = {key[1]: one.mean for key, one in found.items() if key[0] == "bid_value"}
    assert by_bid == {"1–3": -1, "4–6": 3, "7+": -6}  # noqa: RUF001
    assert all(one.hidden for key, one in found.items() if key[0] == "bid_value")


def test_insurance_is_counted_by_the_paper_and_by_the_queen() -> None:
    lines = [
        line(number, insured=insured, queen=queen, moon=False, foot=number == 3)
        for number, (insured, queen) in enumerate([(6, True), (6, True), (6, False), (0, False)])
    ]
    found = told(lines)
    assert found["insured_catching",].mean == 6
    assert found["insured_avoiding",].mean == 3
    assert found["insurance", 6].mean == Fraction(2, 3)
    assert found["insurance", 0].mean == 0
    assert found["queens",].mean == Fraction(1, 2)
    assert found["feet",].mean == Fraction(1, 4)
    assert found["moons",].total == 0


def test_tables_are_counted_by_place_and_against_what_was_expected() -> None:
    lines = at_table("2026-01", 0, {"Ann": 5, "Bo": 5, "Cy": -10})
    tally = PlayerTally()
    for one in lines[:1]:
        tally.add_table(one)
    found = {one.statistic.key: one for one in figures(tally.sums, {})}
    assert found["tables_won"].mean == 1
    assert found["beaten"].mean == Fraction(3, 4)
    assert found["table_net"].mean == 5
    assert "expected" not in found
    assert found["places"].group == (3, 1)


def test_table_percentages_of_a_table_are_half_on_average() -> None:
    book = Book().add(evenings(seeded(5)))
    assert book.everybody()["beaten"].mean == Fraction(1, 2)


def test_what_ratings_expected_is_taken_from_what_was_reached() -> None:
    (ann, *_) = at_table("2026-01", 0, {"Ann": 5, "Bo": 1, "Cy": -6})
    tally = PlayerTally()
    values = {name: getattr(ann, name) for name in ann.__slots__}
    tally.add_table(type(ann)(**{**values, "expected": 0.625, "met": 24.5}))
    assert tally.sums["beyond"].mean == Fraction(3, 8)
    assert tally.sums["met"].mean == Fraction(49, 2)


def test_a_number_that_no_night_reaches_is_refused_and_nothing_is_counted() -> None:
    tally = PlayerTally()
    for number in (-1, 4096, 10**9):
        with pytest.raises(ValueError, match="not the number of a hand"):
            tally.add_hand(line(number, captured=0, net=1))
    assert not tally.sums


def test_every_definition_is_a_sentence_and_every_key_is_its_own() -> None:
    catalogue: list[Statistic[Any]] = [*OF_HANDS, *OF_TABLES]
    keys = [one.key for one in catalogue]
    assert len(set(keys)) == len(keys)
    for one in catalogue:
        assert one.definition.endswith(".")
        assert one.definition[0].isupper()
        assert one.title


def test_memory_grows_with_nights_not_with_hands() -> None:
    few, many = Book().add(hands(number=60)), Book().add(hands(number=60) * 5)
    for player in PEOPLE:
        one, other = few.players[player], many.players[player]
        assert one.sums.keys() == other.sums.keys()
        assert one.clean == other.clean
        assert one.auctions.keys() == other.auctions.keys()
