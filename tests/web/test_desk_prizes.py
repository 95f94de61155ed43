"""Prizes, fees and rarer settings of an event, typed at the desk."""

import json
import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import make_club, make_rules
from tests.web.desk import Director, director_of
from tournaments.events.events import prizes_of
from tournaments.models import AuditEntry, Club, Event
from tournaments.models.limits import MONEY_MAX
from tournaments.prizes import Fee, OddUnits, PotLeft, PrizeKind, Prizes, Ties
from tournaments.web.desk.fields import MoneyField
from tournaments.web.desk.prize_fields import initial_for_prizes, prize_fields, read_prizes
from tournaments.web.number_format import money

pytestmark = pytest.mark.django_db


def club_with_rules(currency: str = "EUR") -> tuple[Club, Director, str]:
    club = make_club()
    Club.objects.filter(pk=club.pk).update(currency=currency)
    club.refresh_from_db()
    make_rules(club)
    return club, director_of(club), f"/desk/clubs/{club.pk}/events/new/"


def test_prizes_are_typed_in_money_and_kept_in_minor_units() -> None:
    _club, director, path = club_with_rules()
    answer = director.fill(
        path,
        name="Prize night",
        entry_fee="12,50",
        added="100",
        prizes_kind="fixed",
        prizes_prizes="60 30.50, 20,25",
        prizes_ties="hort",
        prizes_fee_basis_points="7.5",
        prizes_fee_least="3",
    )
    assert answer.status_code == 302
    event = Event.objects.get()
    assert (event.entry_fee, event.added) == (1250, 10_000)
    assert prizes_of(event) == Prizes(
        kind=PrizeKind.FIXED,
        prizes=(6000, 3050, 2025),
        ties=Ties.HORT,
        fee=Fee(basis_points=750, least=300),
    )
    shown = director.get(f"/desk/events/{event.pk}/settings/").content.decode()
    assert 'value="60.00 30.50 20.25"' in shown
    assert 'value="12.50"' in shown


def test_a_form_that_is_sent_as_it_stands_changes_nothing() -> None:
    _club, director, path = club_with_rules("JPY")
    director.fill(
        path, name="Night", entry_fee="500", prizes_prizes="60/40", team_best="3", top_first="on"
    )
    event = Event.objects.get()
    assert (event.entry_fee, event.team_best, event.wishes) == (500, 3, {"top_first": True})
    assert event.prizes["prizes"] == [60, 40]
    director.fill(f"/desk/events/{event.pk}/settings/", name="Another")
    action = AuditEntry.objects.get(what="event changed")
    assert json.loads(action.details) == {"fields": ["name"]}
    director.fill(f"/desk/events/{event.pk}/settings/", entry_fee="", team_best="")
    event.refresh_from_db()
    assert (event.entry_fee, event.team_best) == (0, None)


@pytest.mark.parametrize(
    ("field", "typed"),
    [("entry_fee", "12.345"), ("entry_fee", "ten"), ("added", "-1"), ("added", "99999999999"),
     ("prizes_prizes", "50%"), ("prizes_prizes", "20 30"), ("prizes_prizes", "0"),
     ("prizes_fee_basis_points", "101"), ("prizes_fee_most", "x"), ("team_best", "0"),
     ("prizes_kind", "lottery"), ("seed", "x" * 65), ("entry_fee", "1\x00")],
)  # fmt: skip
def test_what_cannot_be_is_said_at_its_field(field: str, typed: str) -> None:
    _club, director, path = club_with_rules()
    answer = director.fill(path, **{"name": "Night", field: typed})
    assert answer.status_code == 422
    assert re.search(f'id="id_{field}_error">[^<]+<', answer.content.decode())
    assert not Event.objects.exists()


def test_a_fee_is_a_part_or_so_much_a_head() -> None:
    _club, director, path = club_with_rules()
    typed = {"prizes_fee_basis_points": "5", "prizes_fee_per_head": "2"}
    answer = director.fill(path, name="Night", **typed)
    assert 'id="id_prizes_fee_per_head_error"' in answer.content.decode()


def test_what_lots_are_made_from_can_be_said_once() -> None:
    _club, director, path = club_with_rules()
    director.fill(path, name="Night", seed="drawn from a hat")
    event = Event.objects.get()
    assert event.seed == "drawn from a hat"
    settings = director.get(f"/desk/events/{event.pk}/settings/").content.decode()
    assert 'name="seed"' not in settings


_AMOUNT = st.integers(1, 10**8)
_PRIZES = st.builds(
    Prizes,
    kind=st.sampled_from(PrizeKind),
    prizes=st.lists(_AMOUNT, min_size=1, max_size=6).map(lambda all_: tuple(sorted(all_)[::-1])),
    ties=st.sampled_from(Ties),
    threshold=_AMOUNT,
    pot_left=st.sampled_from(PotLeft),
    odd=st.sampled_from(OddUnits),
    fee=st.one_of(
        st.builds(Fee, per_head=_AMOUNT),
        st.builds(Fee, basis_points=st.integers(0, 10_000), least=st.just(5), most=st.just(700)),
    ),
)


@given(_PRIZES, st.sampled_from(["EUR", "JPY", "TND"]), st.sampled_from(["en", "de"]))
def test_prizes_read_back_as_they_were_shown(prizes: Prizes, currency: str, spoken: str) -> None:
    with translation.override(spoken):
        shown = initial_for_prizes(prizes, currency)
        typed: dict[str, Any] = {}
        for name, field in prize_fields(currency):
            value = shown.get(name)
            if isinstance(field, MoneyField):
                value = field.clean(field.prepare_value(value) or "")
            typed[name] = value
        assert read_prizes(typed, currency) == _data(prizes)


def _data(prizes: Prizes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(prizes.to_json())
    return found


@given(st.integers(0, MONEY_MAX), st.sampled_from(["EUR", "JPY", "TND", ""]))
def test_money_reads_back_as_it_was_shown(amount: int, currency: str) -> None:
    assert MoneyField(currency=currency).clean(money(amount, currency)) == amount


@given(st.text(max_size=30))
def test_any_text_is_money_or_refused(text: str) -> None:
    try:
        found = MoneyField(required=False).clean(text)
    except ValidationError as refused:
        assert refused.messages  # noqa: PT017 (both are right, and either says something)
    else:
        assert found is None or 0 <= found <= MONEY_MAX
