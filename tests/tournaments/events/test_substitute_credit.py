"""Whose money and whose standings a substitute plays for (DEC-20)."""

from datetime import UTC, datetime

import pytest

from scoring.handouts.properties import SheetOrder, describe_sheet
from tests.scoring.club import make_club, make_rules
from tests.tournaments.night import make_event
from tests.web.desk import director_of
from tournaments.models import Event
from tournaments.standings import ScoringRules

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("credit", "expected"),
    [("entrant", "entry"), ("per_hand", "person"), ("majority", "person")],
)
def test_whose_standings_a_substitute_counts_for_follows_from_whose_money_it_is(
    credit: str, expected: str
) -> None:
    rules = make_rules(make_club(), "bicycle", {"credit": credit})
    event = make_event(rules.club, rule_set=rules)
    assert ScoringRules.from_data(event.scoring).substitute_credit == expected
    other = make_event(rules.club, rule_set=rules, scoring={"substitute_credit": "fixed"})
    assert ScoringRules.from_data(other.scoring).substitute_credit == "fixed"


def test_the_form_of_a_new_night_proposes_it_for_each_of_the_house_rules() -> None:
    club = make_club()
    rules = make_rules(club, "bicycle", {"credit": "per_hand"})
    page = director_of(club).get(f"/desk/clubs/{club.pk}/events/new/").content.decode()
    assert '"scoring_substitute_credit": "person"' in page
    assert str(rules.pk) in page


def test_printed_sheets_name_both() -> None:
    rules = make_rules(make_club(), "bicycle", {"credit": "per_hand"})
    event: Event = make_event(rules.club, rule_set=rules)
    order = SheetOrder(at=datetime(2026, 11, 21, tzinfo=UTC))
    details = {one.key: one.text for one in describe_sheet(event, order).details}
    assert details["substitutes"] == (
        "Whoever played a hand wins and pays what it came to."
        " In the standings it counts for the substitute."
    )
