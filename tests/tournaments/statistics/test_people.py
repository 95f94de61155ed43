"""Form, rivals and achievements: streaks over nights, who takes and who brings, what is earned."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.table import seeded
from tests.examples import examples
from tests.tournaments.statistics.season import at_table, evenings
from tournaments.statistics import (
    Book,
    NightResult,
    PlayerHandLine,
    PlayerTally,
    Streak,
    auction_value,
    earned_achievements,
    form,
    head_to_head,
    seat_bias,
    split_deal_scores,
)
from tournaments.statistics.seat_bias import SeatBiasInput, chi_square_beyond


def clean_or_not(text: str, hands_a_night: int = 4) -> list[PlayerHandLine]:
    """Hands in order: ``c`` clean, ``p`` with pain."""
    return [
        PlayerHandLine(
            player="Ann",
            night=f"night {number // hands_a_night:03}",
            number=number % hands_a_night * 3,
            players=4,
            captured="cp".index(one),
        )
        for number, one in enumerate(text)
    ]


def ann(lines: list[PlayerHandLine]) -> PlayerTally:
    return Book().add(lines).players["Ann"]


@given(st.text("cp", min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_streaks_run_over_nights_whatever_the_order_of_entry(text: str, luck: Random) -> None:
    lines = clean_or_not(text)
    found = form(ann(luck.sample(lines, len(lines)))).clean
    runs = text.split("p")
    assert found.now == len(runs[-1])
    assert found.longest == max(map(len, runs))
    fives = sum(len(run) // 5 for run in runs)
    earned = {one.achievement.key: one for one in earned_achievements(ann(lines))}
    assert ("five_clean" in earned) == bool(fives)
    if fives:
        assert earned["five_clean"].times == fives
        assert earned["five_clean"].first == lines[text.index("ccccc") + 4].night


def test_the_night_of_the_longest_streak_is_known() -> None:
    assert form(ann(clean_or_not("cccpccccpc"))).clean == Streak(1, 4, "night 001")


def test_form_is_the_last_ten_tables_the_newest_first() -> None:
    tables = [
        at_table(f"n{number:02}", 0, {"Ann": number % 5, "Bo": 1, "Cy": 0}) for number in range(25)
    ]
    book = Book()
    for one in seeded(2).sample(tables, len(tables)):
        book.add(one)
    found = form(book.players["Ann"])
    assert [finish[0] for finish in found.last] == [f"n{number}" for number in range(24, 14, -1)]
    assert found.last[0] == ("n24", 0, 1, 3, 4)
    assert found.wins == Streak(4, 4, "n04")


def test_the_best_and_the_worst_night_and_how_steady() -> None:
    book = Book()
    for night, nets in (("n1", (4, -2)), ("n2", (-6, 1)), ("n3", (2, 0)), ("n4", (5, -3))):
        for number, net in enumerate(nets):
            book.add(at_table(night, number, {"Ann": net, "Bo": -net, "Cy": 0}))
    found = form(book.players["Ann"])
    assert (found.best, found.worst) == (NightResult("n1", 2), NightResult("n2", -5))
    assert found.spread == pytest.approx((36.75 / 3) ** 0.5)


def test_who_has_not_played_has_no_form() -> None:
    found = form(PlayerTally())
    assert (found.last, found.best, found.spread) == ((), None, None)
    assert earned_achievements(PlayerTally()) == []


@given(st.integers(0, 99))
@settings(max_examples=examples(30), deadline=None)
def test_what_flows_from_one_flows_to_the_other(seed: int) -> None:
    book = Book().add(evenings(seeded(seed)))
    for player, tally in book.players.items():
        for rival, met in tally.rivals.items():
            back = book.players[rival].rivals[player]
            assert met.flow == -back.flow
            assert (met.beaten, met.tied, met.lost) == (back.lost, back.tied, back.beaten)
            assert met.tables == back.tables


def test_the_flow_of_a_table_that_sums_to_zero_is_the_gain() -> None:
    book = Book().add(at_table("n", 0, {"Ann": 7, "Bo": -5, "Cy": 1, "Di": -3}))
    for player, gain in {"Ann": 7, "Bo": -5, "Cy": 1, "Di": -3}.items():
        assert sum(met.flow for met in book.players[player].rivals.values()) == gain
    assert book.players["Ann"].rivals["Bo"].flow == Fraction(12, 4)


def test_nemesis_and_best_customer_need_ten_tables() -> None:
    book = Book()
    for number in range(9):
        book.add(at_table("n", number, {"Ann": 0, "Bo": 9, "Cy": -9}))
    assert head_to_head(book.players["Ann"].rivals).nemesis is None
    book.add(at_table("n", 9, {"Ann": 0, "Bo": 9, "Cy": -9}))
    book.add(at_table("n", 10, {"Ann": 99, "Di": -99}))
    found = head_to_head(book.players["Ann"].rivals)
    assert found.nemesis is not None
    assert found.best_customer is not None
    assert (found.nemesis.player, found.best_customer.player) == ("Bo", "Cy")
    assert found.nemesis.flow == -30
    assert [one.player for one in found.opponents] == ["Bo", "Cy", "Di"]
    assert found.opponents[2].hidden


def test_chance_goes_as_far_as_ninety_percent_of_tables_between_equals() -> None:
    luck = seeded(7)
    beyond = met = 0
    for _ in range(60):
        book = Book()
        for number in range(40):
            table = luck.sample(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"], 4)
            nets = luck.sample([9, 1, -3, -7], 4)
            book.add(at_table("n", number, dict(zip(table, nets, strict=True))))
        for one in head_to_head(book.players["Ann"].rivals).opponents:
            assert one.chance is not None
            assert one.flow is not None
            beyond += abs(one.flow) > one.chance
            met += 1
    assert 0.07 < beyond / met < 0.13


def test_how_far_chance_goes_is_not_told_of_fewer_than_ten_tables() -> None:
    book = Book().add(at_table("n", 0, {"Ann": 1, "Bo": 0, "Cy": -1}))
    assert {one.chance for one in head_to_head(book.players["Ann"].rivals).opponents} == {None}


def test_from_last_to_first_must_be_alone_at_both() -> None:
    book = Book()
    book.add(at_table("n2", 0, {"Ann": 5, "Bo": 0, "Cy": -5}, Ann=3, Bo=1, Cy=2))
    book.add(at_table("n1", 0, {"Ann": 5, "Bo": 5, "Cy": -5}, Ann=3, Bo=1, Cy=2))
    book.add(at_table("n0", 0, {"Ann": 5, "Bo": 1, "Cy": -5}, Ann=2, Bo=1, Cy=2))
    (earned,) = earned_achievements(book.players["Ann"])
    assert (earned.achievement.key, earned.times, earned.first) == ("comeback", 1, "n2")
    assert earned_achievements(book.players["Bo"]) == []


def test_achievements_of_a_hand_are_kept_with_their_first_night() -> None:
    lines = [
        PlayerHandLine(player="Ann", night=night, number=0, players=4, **done)
        for night, done in (
            ("n3", {"moon": True}),
            ("n1", {"moon": True, "captured": 13}),
            ("n2", {"jackpot": True, "won": 50, "sharers": 1}),
            ("n4", {"jackpot": True, "won": 49, "sharers": 1}),
            ("n5", {"jackpot": False, "won": 90, "sharers": 1}),
            ("n6", {"captured": 12}),
        )
    ]
    found = {one.achievement.key: (one.times, one.first) for one in earned_achievements(ann(lines))}
    assert found == {"moon": (2, "n1"), "sweep": (1, "n1"), "jackpot": (1, "n2")}


def test_hands_that_are_alike_are_compared_and_no_others() -> None:
    def hand(number: int, seat: int, net: int, *, named: bool, pot: int = 0) -> PlayerHandLine:
        return PlayerHandLine(player="Ann", night="n", number=number, players=4, seat=seat, net=net,
                        named=named, pot=pot, jackpot=False)  # fmt: skip

    tally = ann([
        hand(0, 1, 10, named=True),
        hand(1, 1, 4, named=True),
        hand(2, 1, 1, named=False),
        hand(3, 2, 6, named=True),
        hand(4, 2, -2, named=False),
        hand(5, 3, 90, named=True),
        hand(6, 4, 50, named=False),
        hand(7, 1, 70, named=False, pot=12),
    ])  # fmt: skip
    found = auction_value(tally.auctions)
    assert found is not None
    assert [found.n, found.named, found.other] == [3, Fraction(20, 3), 0]
    assert found.shrunk == Fraction(20, 23)
    assert auction_value({}) is None


@given(
    st.dictionaries(
        st.sampled_from("NESW"), st.lists(st.integers(-26, 26), min_size=1, max_size=9), min_size=1
    )
)
def test_luck_and_skill_sum_to_the_score(deal: dict[str, list[int]]) -> None:
    for seat, scores in split_deal_scores(deal).items():
        whole = sum(deal[seat])
        for one in scores:
            assert one.deal_mean + one.luck + one.skill == one.score
            if len(scores) == 1:
                assert one.unbiased is None
            else:
                others = Fraction(whole - Fraction(one.score), len(scores) - 1)
                assert one.unbiased == one.score - others
        assert sum(one.skill for one in scores) == 0
    luck = [scores[0].luck for scores in split_deal_scores(deal).values()]
    assert sum(luck) == 0


def test_a_seat_without_scores_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a score"):
        split_deal_scores({"N": [1], "E": []})


def test_even_seats_are_no_bias_and_one_lucky_seat_is() -> None:
    even = seat_bias({(4, seat): Fraction(20) for seat in range(1, 5)})
    assert [even.square, even.freedom, even.chance] == [0, 3, 1.0]
    uneven = seat_bias({(4, 1): Fraction(40), (4, 2): Fraction(20), (4, 3): Fraction(20)})
    assert uneven.square == 40
    assert uneven.chance < 1e-6
    assert not uneven.hidden


def test_tables_of_every_size_are_tested_together() -> None:
    found = seat_bias({(3, 1): Fraction(9), (3, 2): Fraction(6), (5, 5): Fraction(5, 2)})
    assert found.freedom == 2 + 4
    assert found.square == Fraction(16 + 1 + 25, 5) + 10
    assert found.hidden
    nothing = seat_bias({})
    assert (nothing.freedom, nothing.chance, nothing.hidden) == (0, 1.0, True)


@pytest.mark.parametrize(
    ("players", "sharers", "hands"),
    [(4, (1,), 60), (4, (2,), 100), (4, (3,), 200), (4, (1, 2, 3), 80), (4, (1, 4, 4, 4), 200),
     (3, (1, 2), 60), (5, (1, 1, 1, 2), 60), (6, (1, 1, 3, 5), 120)],
)  # fmt: skip
def test_one_alarm_in_twenty_is_false_however_pots_are_shared(
    players: int, sharers: tuple[int, ...], hands: int
) -> None:
    luck = seeded(11)
    alarms = 0
    for _ in range(1000):
        seats = SeatBiasInput()
        for number in range(hands):
            many = sharers[number % len(sharers)]
            for seat in luck.sample(range(1, players + 1), many):
                won = (players, seat, many)
                seats.won[won] = seats.won.get(won, 0) + 1
        found = seat_bias(seats.wins, seats.hands)
        assert not found.hidden
        alarms += found.chance <= 0.05
    assert 33 <= alarms <= 69


def test_a_lucky_seat_is_found_where_pots_are_shared_too() -> None:
    seats = SeatBiasInput({(4, 1, 2): 100, (4, 2, 2): 34, (4, 3, 2): 33, (4, 4, 2): 33})
    assert sum(seats.hands.values()) == 100
    assert seat_bias(seats.wins, seats.hands).chance < 1e-6


def test_pots_that_everybody_shared_say_nothing() -> None:
    seats = SeatBiasInput({(4, seat, 4): 100 for seat in range(1, 5)})
    found = seat_bias(seats.wins, seats.hands)
    assert not found.square + found.freedom
    assert found.chance == 1.0
    assert found.hidden


@pytest.mark.parametrize(
    ("freedom", "square"),
    [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (5, 11.070), (9, 16.919), (14, 23.685)],
)
def test_one_in_twenty_is_beyond_the_tabled_chi_square(freedom: int, square: float) -> None:
    assert chi_square_beyond(square, freedom) == pytest.approx(0.05, abs=5e-5)


def test_a_hand_is_one_win_at_tables_of_every_size() -> None:
    def hand(players: int) -> list[PlayerHandLine]:
        return [
            PlayerHandLine(player=f"p{seat}", night="n", number=players, players=players, seat=seat,
                     sharers=2 * (seat < 3))
            for seat in range(1, players + 1)
        ]  # fmt: skip

    seats = Book().add([*hand(3), *hand(6)]).seats
    assert sum(seats.wins.values()) == 2
