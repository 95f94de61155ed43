"""The certainty of a table: the worked example, members with few nights, tables of pure luck."""

from fractions import Fraction
from random import Random

import pytest

from tournaments.statistics import Certainty, LikelyPlace, measure_certainty

EXAMPLE = {"A": [3, 1, 2, 2], "B": [1, 0, 2, 1], "C": [0, -1, 1, 0], "D": [-3, -3, -2, -4]}


def make_season(members: int, nights: int, skill: float, seed: int = 1) -> dict[str, list[int]]:
    """Scores of whole points, a hundred to the luck of one night; a quarter of them missing."""
    random = Random(seed)
    strengths = {f"m{number:02}": random.gauss(0, skill) for number in range(members)}
    return {
        member: [
            round(100 * (strength + random.gauss(0, 1)))
            for _ in range(nights)
            if random.random() < 0.75
        ]
        for member, strength in strengths.items()
    }


def test_the_worked_example() -> None:
    found = measure_certainty(EXAMPLE)
    assert (found.within, found.between) == (Fraction(8, 12), Fraction(9, 2))
    assert [round(found.places[one].shrunk, 3) for one in "ABCD"] == [1.929, 0.964, 0, -2.893]
    assert {round(place.error, 3) for place in found.places.values()} == {0.401}
    assert found.chance_above("A", "B") == pytest.approx(0.955, abs=0.0006)
    assert found.nights_needed("A", "B") == 3
    assert [(place.low, place.high) for place in found.places.values()] == [
        (1, 1), (2, 2), (3, 3), (4, 4),
    ]  # fmt: skip


def test_the_same_results_give_the_same_answer_in_any_order() -> None:
    season = make_season(12, 8, 0.3)
    shuffled = {member: season[member][::-1] for member in reversed(season)}
    assert measure_certainty(shuffled) == measure_certainty(season)
    assert measure_certainty({**season, "nobody": []}) == measure_certainty(season)


def test_low_scores_are_best_where_points_are_penalties() -> None:
    lost = {member: [-score for score in scores] for member, scores in EXAMPLE.items()}
    found = measure_certainty(lost, is_low=True)
    assert found.places["A"].low == found.places["A"].high == 1
    assert found.places["A"].shrunk == pytest.approx(-1.929, abs=0.001)
    assert found.chance_above("A", "B") == measure_certainty(EXAMPLE).chance_above("A", "B")


def test_fewer_nights_draw_a_member_nearer_to_the_table() -> None:
    season = {**EXAMPLE, "A": [2]}
    found = measure_certainty(season)
    assert found.places["A"].n == 1
    assert 1 < found.places["A"].shrunk < measure_certainty(EXAMPLE).places["A"].shrunk
    assert found.places["A"].error > found.places["B"].error


def test_the_parts_of_the_first_places_are_one_whole() -> None:
    places = measure_certainty(make_season(40, 12, 0.3)).places
    assert sum(place.first for place in places.values()) == pytest.approx(1)
    assert all(place.low <= place.high for place in places.values())


def test_contenders_are_those_among_whom_the_best_is_in_four_cases_of_five() -> None:
    assert measure_certainty(EXAMPLE).contenders() == {"A"}
    even = measure_certainty({f"m{number:02}": [1, -1, 0] for number in range(20)})
    assert 15 <= len(even.contenders()) <= 17
    assert not Certainty().contenders()


@pytest.mark.parametrize("scores", [[1, 1, 1], [1, -1, 0]])
def test_where_nothing_but_luck_is_found_everybody_could_be_the_best(scores: list[int]) -> None:
    found = measure_certainty(dict.fromkeys("ABCDE", scores))
    assert found.between == 0
    assert all((place.low, place.high) == (1, 5) for place in found.places.values())
    assert found.chance_above("A", "B") == 0.5
    assert found.nights_needed("A", "B") is None


def test_members_who_always_score_the_same_are_told_apart_for_certain() -> None:
    found = measure_certainty({"A": [3, 3, 3], "B": [2, 2, 2], "C": [0, 0, 0]})
    assert found.within == 0
    assert [found.chance_above("A", "B"), found.chance_above("B", "A")] == [1, 0]
    assert found.nights_needed("A", "B") == 1


def test_nights_needed_are_never_below_one_and_end_at_sixty() -> None:
    def needed(lead: float) -> int | None:
        places = {
            name: LikelyPlace(4, Fraction(0), shrunk, 0.4, 1, 2, 0.5)
            for name, shrunk in (("A", lead), ("B", 0.0))
        }
        return Certainty(places=places, within=Fraction(1)).nights_needed("A", "B")

    assert [needed(lead) for lead in (10, 0.4, 0.235, 0.23, 0)] == [1, 21, 60, None, None]


@pytest.mark.parametrize(
    "scores",
    [{}, {"A": [1, 2, 3], "B": [2, 3, 4]}, {"A": [1, 2], "B": [3], "C": [4, 5], "D": [6]}],
)
def test_too_little_play_gives_a_reason_and_no_figure(scores: dict[str, list[int]]) -> None:
    found = measure_certainty(scores)
    assert not found.places
    assert found.why.startswith("Too ")


@pytest.mark.property
def test_intervals_hold_the_true_place_in_four_cases_of_five() -> None:
    held = []
    for seed in range(30):
        random = Random(seed)
        strengths = {f"m{number:02}": random.gauss(0, 0.3) for number in range(40)}
        order = sorted(strengths, key=strengths.__getitem__, reverse=True)
        season = {
            member: [round(100 * random.gauss(strength, 1)) for _ in range(random.randint(6, 12))]
            for member, strength in strengths.items()
        }
        places = measure_certainty(season).places
        held += [
            places[member].low <= rank <= places[member].high
            for rank, member in enumerate(order, 1)
        ]
    assert 0.77 < sum(held) / len(held) < 0.9
