"""The settlement on a page: what a ruling moved is shown, and every line comes out."""

from typing import Any

import pytest

from scoring.models import Game
from tests.scoring.club import chip_hand, enter, state_of
from tests.tournaments.night import draw, make_night, start
from tests.web.desk import Director, director_of

pytestmark = pytest.mark.django_db
MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def table() -> tuple[Director, Game]:
    event = make_night(4, rounds=1, hands=4)
    draw(event)
    (game,) = start(event, 1)
    return director_of(event.club), game


def number(text: str) -> int:
    return int(text.replace(MINUS, "-"))


def lines(page: Any) -> list[dict[str, int]]:
    columns = page.context["hand_view"].columns
    return [
        dict(zip(columns, (number(cell.text) for cell in line.cells), strict=True))
        for line in page.context["hand_view"].seats
    ]


@pytest.mark.parametrize(
    ("taken", "chips", "pot"),
    [
        ((1, 7, 3, 2), (3, -3, 0, 0), 0),
        ((1, 7, 3, 2), (-2, -1, 0, 0), 3),
        ((0, 7, 4, 2), (0, 5, -5, 0), 0),
        ((1, 7, 3, 2), (0, 0, 0, 4), -4),
    ],
)
def test_what_a_ruling_moved_stands_in_a_column_of_its_own(
    table: tuple[Director, Game],
    taken: tuple[int, ...],
    chips: tuple[int, ...],
    pot: int,
) -> None:
    director, game = table
    hand = enter(game, chip_hand(state_of(game), taken)).hand
    path = f"/desk/hands/{hand.pk}/"
    before = director.get(path)
    assert "Adjust" not in before.context["hand_view"].columns
    moved = {
        f"chips_{seat}": str(count) for seat, count in zip("NESW", chips, strict=True) if count
    }
    decree = {"decision": "CHIP_ADJUST", "facts": "Counted.", "pot": str(pot) if pot else ""}
    assert director.fill(path, "/decide/", **decree, **moved, do="decide").status_code == 302
    page = director.get(path)
    shown = lines(page)
    assert [line["Adjust"] for line in shown] == list(chips)
    for line in shown:
        parts = line["Bid"] + line["Paid"] + line["Won"] + line["Adjust"]
        assert line["Before"] + parts == line["After"]
    facts = {fact.label: number(fact.value) for fact in page.context["hand_view"].pot_facts}
    assert facts.get("Adjust", 0) == pot
    assert facts["Paid"] == sum(taken)
    after = facts.pop("Pot after")
    assert sum(facts.values()) == after
