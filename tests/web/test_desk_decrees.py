"""The form of a ruling: only what the game at this table has."""

from typing import Any

import pytest
from django.forms import ChoiceField

from engine.record.rulings import Decision
from engine.rules.rules import plays_for_chips
from engine.rules.switches import SettledBy, Toggle
from scoring.models import Decided, Game, Hand
from scoring.presentation.answers import seats_of
from scoring.settlement.plan import rules_of
from scoring.web.desk.ruling_form import DecreeForm
from tests.scoring.club import make_club, make_game, make_rules
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import Director, director_of

pytestmark = pytest.mark.django_db

JACKPOT = {"jackpot", "namer", "pain"}


def form_for(preset: str) -> DecreeForm:
    club = make_club()
    game = make_game(club, make_rules(club, preset))
    return DecreeForm(rules=rules_of(game), seats=seats_of(game), standing=[], names={})


def decisions(form: DecreeForm) -> set[str]:
    field = form.fields["decision"]
    assert isinstance(field, ChoiceField)
    return {str(one) for one in Decision if field.valid_value(str(one))}


@pytest.mark.parametrize(
    "preset", ["bicycle", "hoyle_auction", "hoyle_hearts", "howell", "sahara", "standard"]
)
def test_a_ruling_is_only_about_what_is_played_for(preset: str) -> None:
    form = form_for(preset)
    rules = rules_of(Game.objects.get())
    has_pot = rules.settlement is SettledBy.POT
    assert (Decision.CHIP_ADJUST in decisions(form)) is plays_for_chips(rules)
    assert ("chips_N" in form.fields) is plays_for_chips(rules)
    assert (Decision.SCORE_ADJUST in decisions(form)) is not has_pot
    assert ("score_N" in form.fields) is not has_pot
    assert ("pot" in form.fields) is has_pot
    assert JACKPOT & {*form.fields} == (JACKPOT if has_pot else set())
    assert ("queen" in form.fields) is (rules.queen is Toggle.ON)
    assert "taken_N" in form.fields


@pytest.fixture
def points() -> tuple[Director, Hand]:
    club = make_club()
    event = make_night(4, club=club, rule_set=make_rules(club, "sahara"), rounds=1, hands=4)
    draw(event)
    (game,) = start(event, 1)
    play(game, 1)
    return director_of(club), Hand.objects.get(game=game)


def test_points_are_adjusted_where_points_are_played_for(points: Any) -> None:
    director, hand = points
    path = f"/desk/hands/{hand.pk}/"
    page = director.get(path).content.decode()
    assert "Points are added or taken away" in page
    assert "Chips are moved" not in page
    assert "Into the pot" not in page
    director.fill(path, "/decide/", decision="SCORE_ADJUST", score_N="3", do="decide")
    ruling = Decided.objects.get().decision()
    assert (ruling.score, ruling.chips, ruling.pot) == ((3, 0, 0, 0), (), 0)


def test_what_was_not_offered_is_refused_where_it_comes_all_the_same(points: Any) -> None:
    director, hand = points
    path = f"/desk/hands/{hand.pk}/"
    answer = director.fill(path, "/decide/", decision="CHIP_ADJUST", chips_N="3", do="decide")
    assert answer.status_code == 422
    assert 'id="id_decision_error"' in answer.content.decode()
    assert not Decided.objects.exists()
