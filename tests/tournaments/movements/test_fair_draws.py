"""Fair draws: over the seeds of many events nobody has a better seat for having entered first."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.examples import examples
from tournaments.movements import (
    Movement,
    RoundSeating,
    SeatingError,
    Stay,
    Wishes,
    duplicate,
    next_round,
    plan,
)

SEEDS = examples(300, 60)
LIMIT = 5.0
"""Standard deviations: none of some thousand counts that are fair is further away."""

Draw = Callable[[int], Sequence[RoundSeating]]


def _plan(n: int, rounds: int, wishes: Wishes | None = None) -> Draw:
    return lambda seed: plan(n, rounds, wishes, seed=f"event/{seed}", effort=500).rounds


def _step_by_step(movement: Movement, n: int, rounds: int) -> Draw:
    """Rounds in which everybody always stands level with everybody else."""

    def draw(seed: int) -> list[RoundSeating]:
        found: list[RoundSeating] = []
        for _ in range(rounds):
            found.append(next_round(movement, n, [range(n)], found, seed=f"event/{seed}"))
        return found

    return draw


DRAWS = {
    "12 in fours": (12, _plan(12, 3)),
    "16 in fours": (16, _plan(16, 5)),
    "15 in threes": (15, _plan(15, 3, Wishes(allowed=(3,)))),
    "10 at tables of two sizes": (10, _plan(10, 3)),
    "17 at tables of two sizes": (17, _plan(17, 3)),
    "14 of whom two sit out": (14, _plan(14, 3, Wishes(allowed=(4,)))),
    "one table": (5, _plan(5, 3)),
    "pairs kept apart": (12, _plan(12, 2, Wishes(apart=((0, 1), (2, 3))))),
    "pots": (12, _plan(12, 2, Wishes(pots=((0, 1, 2, 3), (4, 5, 6, 7))))),
    "prepared boards": (20, lambda seed: duplicate(20, 3, seed=f"event/{seed}")[0].rounds),
    "by lot": (16, _step_by_step(Movement.RANDOM, 16, 1)),
    "Danish": (12, _step_by_step(Movement.DANISH, 12, 2)),
    "snake": (13, _step_by_step(Movement.SNAKE, 13, 2)),
    "fixed tables": (12, _step_by_step(Movement.FIXED, 12, 3)),
}


def seats_by_round(rounds: Sequence[RoundSeating]) -> Iterator[tuple[int, int, int, int]]:
    """Round, entrant, size of their table and seat; seat -1 for who sits out."""
    for number, seating in enumerate(rounds):
        for table in seating.tables:
            for seat, one in enumerate(table):
                yield number, one, len(table), seat
        for one in seating.sit_outs:
            yield number, one, 0, -1


@pytest.mark.property
@pytest.mark.parametrize("name", DRAWS)
def test_every_entrant_comes_to_every_seat_equally_often(name: str) -> None:
    n, draw = DRAWS[name]
    counts = Counter(place for seed in range(SEEDS) for place in seats_by_round(draw(seed)))
    for number, size, seat in {(number, size, seat) for number, _, size, seat in counts}:
        had = [counts[number, one, size, seat] for one in range(n)]
        expected = sum(had) / n
        spread = (expected * (1 - expected / SEEDS)) ** 0.5
        assert all(abs(count - expected) <= LIMIT * spread for count in had), (number, seat, had)


@pytest.mark.property
def test_the_first_deal_is_drawn_among_those_who_do_not_stay_put() -> None:
    wishes = Wishes(stay=(Stay(0, 1),))
    firsts = Counter(
        table[0]
        for seed in range(SEEDS)
        for table in plan(12, 1, wishes, seed=seed, effort=500).rounds[0].tables
    )
    assert min(firsts[one] for one in range(12)) > SEEDS / 8


def test_rounds_that_were_played_stay_as_they_are() -> None:
    history = plan(13, 2, seed="event", effort=500).rounds
    found = plan(13, 2, seed="event", history=history, effort=500)
    assert found.certificate.rounds == 4
    assert found.certificate.seat_spread <= 2


def test_a_refusal_names_those_whom_it_is_about() -> None:
    wishes = Wishes(apart=tuple((7, one) for one in range(8, 12)), teams=((0, 1, 2, 3),))
    with pytest.raises(SeatingError, match="4 team-mates need 4 tables") as refused:
        plan(12, 3, wishes, seed=3, effort=500)
    assert refused.value.entrants == (0, 1, 2, 3)
