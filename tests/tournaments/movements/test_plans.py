"""Plans: legal for any number of players and rounds, level, and the same from the same seed."""

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.movements.hall import QUICK, legal, meetings, share_a_table
from tournaments.movements import (
    Certificate,
    RoundSeating,
    SeatingError,
    Stay,
    Wishes,
    judge,
    plan,
)

SIZES = [(3, 4, 5), (4,), (3, 4), (3, 4, 5, 6), (5,), (3,), (6, 3)]


@settings(max_examples=examples(40), deadline=None)
@given(
    n=st.integers(3, 45), rounds=st.integers(1, 9), allowed=st.sampled_from(SIZES),
    byes=st.booleans(), seed=st.integers(0, 9),
)  # fmt: skip
def test_any_event_is_seated_or_told_why_not(
    n: int, rounds: int, allowed: tuple[int, ...], byes: bool, seed: int
) -> None:
    wishes = Wishes(allowed=allowed, byes=byes)
    try:
        found = plan(n, rounds, wishes, seed=seed, effort=QUICK)
    except SeatingError:
        assert not byes or n < min(allowed)
    else:
        assert len(found.rounds) == rounds
        assert all(legal(seating, range(n), allowed) for seating in found.rounds)
        told = found.certificate
        assert told == judge(found.rounds, n)
        assert told.seat_spread <= 1
        assert told.odd_tables <= 1
        assert told.sit_outs <= 1
        assert told.quality >= told.bound


@settings(max_examples=examples(25), deadline=None)
@given(n=st.integers(8, 40), rounds=st.integers(2, 8), seed=st.integers(0, 9))
def test_nobody_sits_out_twice_running(n: int, rounds: int, seed: int) -> None:
    found = plan(n, rounds, Wishes(allowed=(4,)), seed=seed, effort=QUICK).rounds
    for before, after in pairwise(found):
        assert not set(before.sit_outs) & set(after.sit_outs)


@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_rounds_played_stay_and_the_rest_goes_on_with_who_is_there(data: st.DataObject) -> None:
    n = data.draw(st.integers(9, 30))
    played = data.draw(st.integers(1, 4))
    gone = data.draw(st.sets(st.integers(0, n - 1), max_size=3))
    late = data.draw(st.integers(0, 3))
    wishes = Wishes(byes=data.draw(st.booleans()))
    history = plan(n, played, wishes, seed=1, effort=QUICK).rounds
    present = {one: range(played) for one in gone}
    present |= {one: range(played, 20) for one in range(n, n + late)}
    found = plan(n + late, 3, wishes, seed=2, history=history, present=present, effort=QUICK)
    there = [one for one in range(n + late) if one not in gone]
    assert all(legal(seating, there) for seating in found.rounds)
    assert found.certificate == judge([*history, *found.rounds], n + late)
    assert found.certificate.rounds == played + 3
    assert found.certificate.seat_spread <= 2


def test_a_latecomer_is_not_made_to_catch_up_with_odd_tables() -> None:
    history = plan(22, 4, seed=1, effort=QUICK).rounds
    present = {22: range(4, 9)}
    found = plan(23, 4, seed=2, history=history, present=present, effort=QUICK)
    odd = sum(22 in table and len(table) != 4 for each in found.rounds for table in each.tables)
    assert odd <= 2


def test_two_rounds_played_one_leaves_two_come_and_nobody_meets_again() -> None:
    history = plan(22, 2, seed=5).rounds
    present = {3: range(2), 22: range(2, 5), 23: range(2, 5)}
    found = plan(24, 3, seed=5, history=history, present=present)
    assert [sorted(seating.sizes) for seating in found.rounds] == [[3, 4, 4, 4, 4, 4]] * 3
    assert found.certificate.repeats == 0


@pytest.mark.parametrize(
    ("n", "rounds"), [(19, 5), (22, 5), (30, 9), (101, 10), (400, 10), (399, 6)]
)
def test_large_enough_fields_have_no_repeat(n: int, rounds: int) -> None:
    assert plan(n, rounds, seed=1, effort=200_000).certificate.repeats == 0


def test_four_hundred_and_one_at_tables_of_four_let_everybody_sit_out_in_turn() -> None:
    found = plan(401, 10, Wishes(allowed=(4,)), seed=1, effort=QUICK)
    assert found.certificate.repeats == 0
    assert found.certificate.sit_outs == 1
    assert len({one for seating in found.rounds for one in seating.sit_outs}) == 10


def test_twelve_players_in_three_rounds_meet_twice_at_most() -> None:
    told = plan(12, 3, seed=4, effort=200_000).certificate
    assert (told.quality, told.repeats, told.most_meetings) == (9, 9, 2)


@pytest.mark.parametrize("n", [8, 17, 30])
def test_the_same_seed_gives_the_same_bytes_in_another_process(n: int) -> None:
    wishes = "Wishes(apart=((0, 1),), households=((2, 3, 4),))"
    words = f"""
import json
from tournaments.movements import Wishes, plan
print(json.dumps(plan({n}, 4, {wishes}, seed="night 7", effort=20000).to_data()))
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", words], capture_output=True, check=True,
            env={"PYTHONPATH": ".", "PYTHONHASHSEED": noise},
        ).stdout
        for noise in ("1", "2")
    ]  # fmt: skip
    assert said[0] == said[1]
    here = plan(
        n, 4, Wishes(apart=((0, 1),), households=((2, 3, 4),)), seed="night 7", effort=20000
    )
    assert json.loads(said[0]) == here.to_data()


def test_another_seed_is_another_draw() -> None:
    assert plan(20, 5, seed=1).rounds != plan(20, 5, seed=2).rounds


def test_no_rounds_are_a_plan_too() -> None:
    found = plan(8, 0, seed=1)
    assert found.rounds == ()
    assert found.certificate.rounds == 0
    assert found.certificate.sentences()


def test_data_come_back_as_they_went() -> None:
    found = plan(11, 4, seed=1, effort=QUICK)
    data = json.loads(json.dumps(found.to_data()))
    assert tuple(map(RoundSeating.from_data, data["rounds"])) == found.rounds
    assert Certificate.from_data(data["certificate"]) == found.certificate


def test_a_swap_by_hand_is_judged_like_any_seating() -> None:
    found = plan(16, 5, seed=1)
    first, *others = found.rounds
    (a, *rest), (b, *more), *tables = first.tables
    changed = RoundSeating(((b, *rest), (a, *more), *tables))
    told = judge([changed, *others], 16)
    assert found.certificate.quality == 0
    assert told.quality == told.repeats == 6
    assert not told.is_best
    assert told.sentences()[0] == "6 repeat meetings (fewest possible: 0)."


def test_what_a_director_reads() -> None:
    told = plan(32, 7, seed=1).certificate
    assert told.sentences()[:2] == (
        "0 repeat meetings (fewest possible: 0).",
        "Everybody has every seat 1-2 times (best possible).",
    )
    assert told.sentences()[2].startswith("Two who never meet have ")


def test_table_numbers_and_neighbours_change() -> None:
    found = plan(40, 7, seed=1, effort=400_000)
    assert found.certificate.same_table <= 20
    again = plan(8, 6, seed=1, effort=200_000)
    assert again.certificate.beside <= 2
    assert max(meetings(again.rounds).values()) == 3


@settings(max_examples=examples(20), deadline=None)
@given(n=st.integers(8, 32), pairs=st.integers(1, 4), seed=st.integers(0, 9))
def test_those_who_sit_apart_never_meet(n: int, pairs: int, seed: int) -> None:
    apart = tuple((2 * one, 2 * one + 1) for one in range(pairs))
    found = plan(n, 4, Wishes(apart=apart), seed=seed, effort=QUICK)
    assert found.certificate == judge(found.rounds, n, Wishes(apart=apart))
    assert found.certificate.together == 0
    assert all(share_a_table(found.rounds, *pair) == 0 for pair in apart)
    assert all(legal(seating, range(n)) for seating in found.rounds)


def test_six_couples_sit_apart_without_a_repeat() -> None:
    couples = tuple((2 * one, 2 * one + 1) for one in range(6))
    told = plan(24, 5, Wishes(apart=couples), seed=1, effort=200_000).certificate
    assert (told.together, told.repeats) == (0, 0)


def test_team_mates_never_meet_and_teams_meet_about_equally_often() -> None:
    teams = tuple(tuple(range(4 * team, 4 * team + 4)) for team in range(8))
    told = plan(32, 6, Wishes(teams=teams), seed=1, effort=200_000).certificate
    assert (told.together, told.repeats) == (0, 0)
    assert told.teams is not None
    least, most = told.teams
    assert least >= 5
    assert most <= 16


def test_households_are_parted_where_that_costs_nothing() -> None:
    households = tuple(tuple(range(home, 32, 8)) for home in range(8))
    rounds = plan(32, 3, Wishes(households=households), seed=1, effort=100_000).rounds
    pairs = [(one, other) for home in households for one in home for other in home if one < other]
    assert sum(share_a_table(rounds, *pair) for pair in pairs) == 0


def test_one_of_every_pot_sits_at_every_table() -> None:
    pots = tuple(tuple(range(6 * pot, 6 * pot + 6)) for pot in range(4))
    found = plan(24, 4, Wishes(pots=pots), seed=1, effort=100_000)
    for seating in found.rounds:
        assert all({one // 6 for one in table} == {0, 1, 2, 3} for table in seating.tables)


@settings(max_examples=examples(15), deadline=None)
@given(
    n=st.integers(10, 26), table=st.integers(0, 1), seat=st.integers(0, 2), seed=st.integers(0, 5)
)
def test_who_stays_put_stays_put_and_who_never_sits_there_does_not(
    n: int, table: int, seat: int, seed: int
) -> None:
    stays = (Stay(4, table, seat), Stay(7, 1 - table))
    wishes = Wishes(stay=stays, never=((2, table), (3, 0)))
    for seating in plan(n, 4, wishes, seed=seed, effort=QUICK).rounds:
        assert legal(seating, range(n))
        assert seating.tables[table][seat] == 4
        assert 7 in seating.tables[1 - table]
        assert 2 not in seating.tables[table]
        assert 3 not in seating.tables[0]


def test_volunteers_sit_out_first_and_the_others_in_turn() -> None:
    wishes = Wishes(allowed=(4,), volunteers=(5,))
    found = plan(14, 6, wishes, seed=1, effort=QUICK)
    assert all(5 in seating.sit_outs for seating in found.rounds)
    assert found.certificate.sit_outs <= 1


def test_who_is_absent_for_some_rounds_is_seated_in_the_others() -> None:
    present = {0: (0, 3), 1: range(2)}
    for number, seating in enumerate(plan(17, 5, seed=1, present=present, effort=QUICK).rounds):
        there = {*range(2, 17)} | {one for one in (0, 1) if number in present[one]}
        assert legal(seating, there)
