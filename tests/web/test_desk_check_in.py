"""Check-in at the desk by forms alone: last time's people, fees, rounds that do not fit."""

from datetime import timedelta

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import check_in, draw, make_event, start
from tests.web.desk import director_of
from tests.web.test_desk_nights import night_of, words
from tournaments.events import leagues
from tournaments.events.entries import NewEntry, enter, find_earlier_event, list_comers
from tournaments.models import Entry, Event, PlayerKind, Presence, Round, SitOut, TableSeat

pytestmark = pytest.mark.django_db


def test_those_of_last_time_are_ticked_only_if_asked_guests_too() -> None:
    club = make_club()
    players = make_players(club, 8)
    guest, gone, member = players[5], players[6], players[7]
    guest.kind = PlayerKind.GUEST
    guest.save()
    last = make_event(club, starts_at=at(-7 * 24 * 60))
    check_in(last, players[:7])
    gone.left_at = at()
    gone.save()
    event = make_event(club, rule_set=last.rule_set)
    director, path = director_of(club), f"/desk/events/{event.pk}/"
    assert "player" not in director.form(path, "check-in").values
    form = director.form(f"{path}?again=1", "check-in")
    assert sorted(form.values["player"]) == sorted(str(one.pk) for one in players[:6])
    assert str(member.pk) in director.get(path).content.decode()
    assert director.send(form).status_code == 302
    assert Entry.objects.filter(event=event, presence=Presence.HERE).count() == 6
    assert Entry.objects.get(event=event, player=guest).standing == "guest"
    # Who did not come is not ticked again, unless that is asked for.
    enter(event_id=last.pk, new=NewEntry(player=member.pk), by=DIRECTOR, at=at())
    assert "player" not in director.form(path, "check-in").values
    assert director.form(f"{path}?again=1", "check-in").values["player"] == [str(member.pk)]


def test_the_last_night_is_that_of_the_league_then_of_the_rules_then_any() -> None:
    club = make_club()
    rules, others = make_rules(club), make_rules(club, "hoyle-auction")
    player = make_players(club, 1)[0]

    def night(days: int, rule_set: object = rules) -> Event:
        event = make_event(club, starts_at=at() + timedelta(days=days), rule_set=rule_set)
        if days < 0:
            check_in(event, [player])
        return event

    tonight = night(0)
    assert find_earlier_event(tonight) is None
    away = night(-1, others)
    assert find_earlier_event(tonight) == away
    alike = night(-2)
    night(1)
    assert find_earlier_event(tonight) == alike
    league = leagues.create_league(club_id=club.pk, new={"name": "Winter"}, by=DIRECTOR, at=at())
    counted = night(-3, others)
    for number, event in enumerate((counted, tonight), 1):
        league.sessions.create(event=event, number=number)
    assert find_earlier_event(tonight) == counted
    assert list_comers(counted) == [player.pk]


def test_a_fee_is_ticked_beside_the_name_and_the_tick_taken_back() -> None:
    director, event, path = night_of(4, entry_fee=500)
    entry = event.entries.get(number=1)
    for button, paid in (("paid", 500), ("paid", 500), ("open", 0)):
        answer = director.fill(path, "/move/", fee=f"{button}:{entry.pk}")
        assert answer.status_code == 404
        form = director.form(path, "/move/")
        form.action = f"{path}fee/"
        assert director.send(form, fee=f"{button}:{entry.pk}").url == f"{path}#people"
        entry.refresh_from_db()
        assert entry.fee_paid == paid


def test_a_drawn_round_that_does_not_fit_is_marked_at_once_and_drawn_again() -> None:
    director, event, path = night_of(8, rounds=3)
    draw(event)
    assert "No seating of these tables is better" in words(director.get(path))
    assert "no longer fit" not in words(director.get(path))
    director.fill(path, "walk-in", name="Zoë Grün")
    entry = event.entries.get(number=2)
    director.fill(path, "/move/", move=f"left:{entry.pk}")
    page = words(director.get(path))
    assert "Rounds 1 to 3 no longer fit." in page
    assert "Came after the draw: Zoë Grün." in page
    assert "Left after the draw: Player 2." in page
    assert "No seating of these tables is better" not in page
    assert director.fill(path, "/draw/").status_code == 302
    assert "no longer fit" not in words(director.get(path))
    seats = TableSeat.objects.filter(round__event=event, round__number=1)
    assert set(seats.values_list("entry__number", flat=True)) == {1, 3, 4, 5, 6, 7, 8, 9}


def test_rounds_to_come_are_drawn_again_while_one_is_played() -> None:
    director, event, path = night_of(8, rounds=3)
    draw(event)
    start(event, 1)
    first = Round.objects.get(number=1)
    director.fill(path, "walk-in", name="Zoë Grün")
    page = words(director.get(path))
    assert "Rounds 2 to 3 no longer fit." in page
    assert director.fill(path, "/draw/").status_code == 302
    assert "no longer fit" not in words(director.get(path))
    first.refresh_from_db()
    assert first.stage == "playing"
    second = Round.objects.get(number=2)
    assert SitOut.objects.filter(round=second).count() == 1
    assert TableSeat.objects.filter(round=second).count() == 8
