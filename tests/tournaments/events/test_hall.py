"""The hall: tables that are closed, tables that somebody never sits at, households that part."""

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import draw, make_event, make_night, play_round
from tests.web.desk import director_of
from tournaments.core.errors import RefusedError
from tournaments.events import entries, events, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.rounds import ByHand
from tournaments.models import Entry, Event, Table, TableSeat

pytestmark = pytest.mark.django_db


def change_entry(event: Event, number: int, **changes: object) -> None:
    entry = Entry.objects.get(event=event, number=number)
    entries.change_entry(entry_id=entry.pk, changes=changes, by=DIRECTOR, at=at())


def tables_of(event: Event, number: int) -> list[int]:
    """The numbers of the tables at which an entry sits, round by round."""
    rows = TableSeat.objects.filter(entry__event=event, entry__number=number)
    return list(rows.order_by("round__number").values_list("table__number", flat=True))


def test_nobody_is_seated_at_a_closed_table() -> None:
    event = make_night(12, wishes={"closed_tables": [4, 2]})
    draw(event)
    assert set(Table.objects.values_list("number", flat=True)) == {1, 3, 5}
    play_round(event, 1)
    draw(event)
    assert set(Table.objects.values_list("number", flat=True)) == {1, 3, 5}


@pytest.mark.parametrize("movement", ["planned", "swiss", "random"])
def test_who_never_sits_at_a_table_does_not(movement: str) -> None:
    event = make_night(12, movement=movement, wishes={"closed_tables": [2]})
    change_entry(event, 5, never_tables=[3, 1, 3, 2])
    assert Entry.objects.get(number=5).never_tables == [1, 2, 3]
    draw(event)
    assert set(tables_of(event, 5)) == {4}


def test_who_stays_at_a_table_stays_there_by_its_number() -> None:
    event = make_night(12, wishes={"closed_tables": [1]})
    change_entry(event, 7, stay_table=3)
    draw(event)
    assert set(tables_of(event, 7)) == {3}
    change_entry(event, 7, stay_table=1)
    with pytest.raises(RefusedError, match="Entry 7 keeps a seat at table 1, which is closed"):
        draw(event)
    change_entry(event, 7, stay_table=9)
    with pytest.raises(RefusedError, match="at table 9 that round 1 has not"):
        draw(event)


def test_a_round_seated_by_hand_leaves_closed_tables_out() -> None:
    event = make_night(8, wishes={"closed_tables": [1]})
    people = list(Entry.objects.order_by("number").values_list("pk", flat=True))
    rounds.seat_by_hand(
        event_id=event.pk,
        wanted=ByHand(number=1, tables=[people[:4], people[4:]]),
        by=DIRECTOR,
        at=at(),
    )
    assert tables_of(event, 1) == [2]
    assert tables_of(event, 8) == [3]


def test_a_household_meets_only_where_it_must() -> None:
    event = make_night(16, rounds=4)
    for number in (1, 2, 3):
        change_entry(event, number, household="Maple Street 4")
    draw(event)
    tables = [tables_of(event, number) for number in (1, 2, 3)]
    assert all(len(set(sat)) == 3 for sat in zip(*tables, strict=True))


@pytest.mark.parametrize("wrong", ["3", [0], [1001], [True], ["3"], {"3": 1}, [1.0]])
def test_closed_tables_are_numbers(wrong: object) -> None:
    with pytest.raises(RefusedError, match="list of numbers from 1 to 1000") as refused:
        make_event(wishes={"closed_tables": wrong})
    assert refused.value.field == "wishes.closed_tables"


def test_the_desk_sets_all_of_it() -> None:
    event = make_night(8)
    director = director_of(event.club)
    path = f"/desk/events/{event.pk}/settings/"
    assert director.fill(path, closed_tables="7, 3 3").status_code == 302
    kept = Event.objects.get()
    assert kept.wishes == {"closed_tables": [3, 7]}
    assert director.form(path).values["closed_tables"] == ["3, 7"]
    for wrong in ("three", "0", "1001", "-3"):
        assert director.fill(path, closed_tables=wrong).status_code == 422
    entry = Entry.objects.get(number=2)
    page = f"/desk/events/{event.pk}/entries/{entry.pk}/"
    assert director.fill(page, never_tables="9 1", household="Maple Street 4").status_code == 302
    entry.refresh_from_db()
    assert (entry.never_tables, entry.household) == ([1, 9], "Maple Street 4")
    assert director.form(page).values["never_tables"] == ["1, 9"]
    assert director.fill(path, closed_tables="").status_code == 302
    assert Event.objects.get().wishes == {}


def test_an_entry_is_made_with_its_wishes() -> None:
    event = make_event(make_club())
    (player,) = make_players(event.club, 1)
    new = NewEntry(player=player.pk, household="A", never_tables=[4, 2])
    entry = entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at())
    assert (entry.household, entry.never_tables) == ("A", [2, 4])
    assert events.closed_tables_of(event) == []
