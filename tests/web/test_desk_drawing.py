"""Drawing at the desk: how many rounds, and how many of them bring nobody together twice."""

import pytest

from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw
from tests.web.desk import forms_in
from tests.web.test_desk_nights import night_of, words
from tournaments.events.entries import keep_apart
from tournaments.models import Movement, Round

pytestmark = pytest.mark.django_db


def test_as_many_rounds_are_drawn_as_are_asked_for() -> None:
    director, _event, path = night_of(16)
    page = director.get(path)
    assert "With 16 players: You can play up to 5 rounds without a repeat meeting" in words(page)
    (form,) = (one for one in forms_in(page, path) if "draw" in one.values)
    assert form.values == {"draw": ["0"], "rounds": ["5"]}
    shown = director.get(f"{path}?draw=0&rounds=2")
    assert len(shown.context["proposed_later"]) == 1
    assert director.fill(f"{path}?draw=0&rounds=2", "/draw/").status_code == 302
    assert sorted(Round.objects.values_list("number", flat=True)) == [1, 2]
    assert "5 more rounds can be drawn." in words(director.get(f"{path}?draw=0&rounds=9"))


def test_rounds_by_lot_are_drawn_one_by_one_or_several_at_once() -> None:
    director, event, path = night_of(16, movement=Movement.RANDOM)
    (form,) = (one for one in forms_in(director.get(path), path) if "draw" in one.values)
    assert form.values["rounds"] == ["1"]
    director.fill(f"{path}?draw=0&rounds=5", "/draw/")
    assert Round.objects.filter(event=event).count() == 5
    assert Round.objects.latest("number").certificate["repeats"] == 0


@pytest.mark.parametrize(
    ("movement", "said"),
    [
        (Movement.SWISS, "More than 5 rounds without a repeat meeting are impossible. Swiss"),
        (Movement.DANISH, "players may meet again at any time"),
        (Movement.FIXED, "Everybody stays at one table"),
    ],
)
def test_where_results_decide_nothing_is_promised_and_one_round_is_drawn(
    movement: str, said: str
) -> None:
    director, _event, path = night_of(16, movement=movement)
    page = director.get(path)
    assert said in words(page)
    (form,) = (one for one in forms_in(page, path) if "draw" in one.values)
    assert form.values == {"draw": ["0"]}
    assert "drawn round by round" in words(director.get(f"{path}?draw=0&rounds=2"))


def test_what_makes_the_number_less_is_said() -> None:
    director, event, path = night_of(16)
    one, other = event.entries.order_by("number")[:2]
    keep_apart(event_id=event.pk, one=one.pk, other=other.pk, by=DIRECTOR, at=at())
    assert "can make it less" in words(director.get(path))


def test_rounds_that_do_not_fit_are_drawn_again_as_many_as_there_were() -> None:
    director, event, path = night_of(8)
    draw(event, rounds=2)
    director.fill(path, "walk-in", name="Zoë Grün")
    assert "Rounds 1 to 2 no longer fit." in words(director.get(path))
    assert director.fill(path, "/draw/").status_code == 302
    assert Round.objects.filter(event=event).count() == 2
