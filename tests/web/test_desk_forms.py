"""The forms of the desk ask for every setting, and every field of theirs stands on the page."""

from collections.abc import Collection

import pytest

from tests.scoring.club import make_club, make_rules
from tournaments.models import CLUB_SETTINGS, EVENT_SETTINGS, LEAGUE_SETTINGS
from tournaments.web.desk.clubs import ClubForm, NewClubForm
from tournaments.web.desk.event_form import EventForm
from tournaments.web.desk.forms import DeskModelForm
from tournaments.web.desk.house_rules import NextRulesForm, RulesForm
from tournaments.web.desk.leagues import LeagueForm

pytestmark = pytest.mark.django_db


def event_form() -> EventForm:
    club = make_club()
    make_rules(club)
    return EventForm(club=club)


def missing(settings: Collection[str], form: DeskModelForm) -> set[str]:
    return set(settings) - form.fields.keys()


def test_a_night_is_asked_for_every_setting() -> None:
    several_fields = {"round_rules", "wishes", "scoring", "prizes"}
    on_a_page_of_its_own = {"is_results_only"}
    assert missing(EVENT_SETTINGS, event_form()) == several_fields | on_a_page_of_its_own


def test_a_season_is_asked_for_every_setting() -> None:
    assert missing(LEAGUE_SETTINGS, LeagueForm()) == {"season"}  # has several fields


def test_a_club_is_asked_for_every_setting() -> None:
    assert missing(CLUB_SETTINGS, ClubForm()) == set()


def test_a_new_club_is_asked_for_the_settings_that_it_begins_with() -> None:
    later = {"about", "admins_need_second_factor", "analysis"}
    assert missing([*CLUB_SETTINGS, "currency"], NewClubForm()) == later


def test_every_field_of_a_form_in_groups_stands_on_the_page_once() -> None:
    preset = "bicycle"
    for form in (
        event_form(),
        LeagueForm(),
        RulesForm(preset=preset),
        NextRulesForm(preset=preset),
    ):
        shown = [field.name for group in form.groups() for field in (*group.fields, *group.more)]
        assert sorted(shown) == sorted(form.fields), type(form)


def test_a_field_that_no_form_has_is_not_passed_over() -> None:
    form = event_form()
    assert "why" not in form.fields
    assert form.pick_fields(["why"]) == []
    with pytest.raises(KeyError, match="dress_code"):
        form.pick_fields(["name", "dress_code"])
