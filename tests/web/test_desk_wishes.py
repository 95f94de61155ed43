"""Wishes of the seating at the desk: kept apart, households, fixed tables, in one place."""

import pytest

from tests.tournaments.night import draw
from tests.web.test_desk_nights import night_of, words
from tournaments.models import Apart, Entry, TableSeat

pytestmark = pytest.mark.django_db


def test_two_are_kept_apart_and_may_meet_again() -> None:
    director, event, path = night_of(8)
    one, other = event.entries.order_by("number")[:2]
    page = f"{path}wishes/"
    assert page in director.get(path).content.decode()
    ids = {"one": str(one.pk), "other": str(other.pk)}
    assert director.fill(page, "", apart="1", **ids).url == page
    assert [pair[1:] for pair in director.get(page).context["pairs"]] == [("Player 1", "Player 2")]
    draw(event)
    tables = TableSeat.objects.filter(entry__in=[one, other])
    assert len(set(tables.values_list("table", flat=True))) == tables.count()
    assert director.fill(page, "", meet=f"{one.pk}:{other.pk}").status_code == 302
    assert not Apart.objects.exists()


def test_a_household_grows_and_somebody_leaves_it() -> None:
    director, event, path = night_of(8)
    page = f"{path}wishes/"
    rows = [str(row.pk) for row in event.entries.order_by("number")]
    for one, other in ((0, 1), (2, 3), (4, 5), (1, 2)):
        ids = {"one": rows[one], "other": rows[other]}
        assert director.fill(page, "", household="1", **ids).status_code == 302
    found = list(Entry.objects.order_by("number").values_list("household", flat=True))
    assert len(set(found[:4])) == len(set(found[4:6])) == 1
    assert found[0] != found[4]
    assert found[6:] == ["", ""]
    assert director.fill(page, "", part=rows[3]).status_code == 302
    assert Entry.objects.get(pk=rows[3]).household == ""


def test_somebody_gets_a_table_or_none_of_some() -> None:
    director, event, path = night_of(8)
    page, row = f"{path}wishes/", event.entries.get(number=3)
    wanted = {"one": str(row.pk), "stay_table": "2", "never_tables": ""}
    assert director.fill(page, "", table="1", **wanted).status_code == 302
    draw(event)
    assert set(TableSeat.objects.filter(entry=row).values_list("table__number", flat=True)) == {2}
    assert "always at table 2" in words(director.get(page))
    wanted = {"one": str(row.pk), "never_tables": "2, 1"}
    assert director.fill(page, "", table="1", **wanted).status_code == 302
    assert "never at 1, 2" in words(director.get(page))
    assert director.fill(page, "", release=str(row.pk)).status_code == 302
    row.refresh_from_db()
    assert (row.stay_table, row.never_tables) == (None, [])


@pytest.mark.parametrize(
    ("button", "fields", "said"),
    [
        ("apart", {}, "This field is required."),
        ("apart", {"one": "1", "other": "1"}, "Name two entries of this event."),
        ("household", {"one": "1", "other": "1"}, "Choose two people."),
        ("table", {"one": "1", "stay_table": "x"}, "Enter a whole number."),
        ("table", {"one": "1", "never_tables": "x"}, "Numbers of tables from 1"),
    ],
)
def test_what_cannot_be_is_said_where_it_was_typed(
    button: str, fields: dict[str, str], said: str
) -> None:
    director, event, path = night_of(4)
    first = str(event.entries.get(number=1).pk)
    typed = {name: first if value == "1" else value for name, value in fields.items()}
    answer = director.fill(f"{path}wishes/", "", **{button: "1"}, **typed)
    assert answer.status_code == 422
    assert said in words(answer)
    assert not Apart.objects.exists()


def test_nobody_of_another_event_is_found() -> None:
    director, _event, path = night_of(4)
    _other, strange, _path = night_of(4)
    page, stranger = f"{path}wishes/", str(strange.entries.get(number=1).pk)
    assert director.fill(page, "", part=stranger).status_code == 404
    refused = director.fill(page, "", table="1", one=stranger, stay_table="1")
    assert refused.status_code == 422
    assert Entry.objects.get(pk=stranger).stay_table is None
