"""Nights with results only at the desk: set up, results put down and corrected; on public pages."""

import html
import re
from typing import Any

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.web.desk import Director, director_of
from tests.web.window import publish_all
from tournaments.events.leagues import create_league
from tournaments.models import Club, Entry, Event, LeagueEvent, Player, RecordedResult, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club = make_club(is_public=True)
    make_rules(club)
    return club


@pytest.fixture
def players(club: Club) -> list[Player]:
    return make_players(club, 3)


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


def set_up(club: Club) -> tuple[Director, Event]:
    director = director_of(club, "admin")
    page = f"/desk/clubs/{club.pk}/results/new/"
    typed = {"name": "Last year", "starts_at": "2025-09-12T19:30", "rank_guests": "on"}
    answer = director.send(director.form(page), **typed)
    event = Event.objects.get()
    assert answer.headers["Location"] == f"/desk/events/{event.pk}/results/"
    return director, event


def test_results_are_put_down_and_corrected_with_a_reason(
    club: Club, players: list[Player]
) -> None:
    director, event = set_up(club)
    page = f"/desk/events/{event.pk}/results/"
    first, second, third = (f"points_{player.pk}" for player in players)
    form = director.form(page)
    wrong = director.send(form, **{first: "a lot", second: "3"})
    assert wrong.status_code == 422
    assert "is no number" in words(wrong)
    answer = director.send(form, **{first: "12,5", second: "1.234"})
    assert answer.headers["Location"] == f"/desk/events/{event.pk}/"
    found = RecordedResult.objects.order_by("entry__number").values_list("points", flat=True)
    assert list(found) == ["25/2", "1234"]
    event.refresh_from_db()
    assert event.status == Status.FINISHED
    again = director.send(director.form(page), **{third: "7"})
    assert "Say why" in words(again)
    director.send(director.form(page), **{third: "7", first: "", "why": "Read wrongly"})
    rows = RecordedResult.objects.order_by("points").values_list("entry__player", "points")
    assert list(rows) == [(players[1].pk, "1234"), (players[2].pk, "7")]


def test_places_alone_go_beside_points_of_all_or_of_nobody(
    club: Club, players: list[Player]
) -> None:
    director, event = set_up(club)
    page = f"/desk/events/{event.pk}/results/"
    one, other = players[:2]
    mixed = {f"points_{one.pk}": "3", f"place_{other.pk}": "2"}
    refused = director.send(director.form(page), **mixed)
    assert "needs them too" in words(refused)
    assert f'id="id_points_{other.pk}_error"' in refused.content.decode()
    director.send(director.form(page), **{f"place_{one.pk}": "1", f"place_{other.pk}": "2"})
    assert list(RecordedResult.objects.values_list("place", flat=True)) == [1, 2]


def test_a_night_counts_in_the_league_that_was_chosen(club: Club, players: list[Player]) -> None:
    league = create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at())
    director = director_of(club, "admin")
    page = f"/desk/clubs/{club.pk}/results/new/"
    typed = {"name": "Last year", "starts_at": "2025-09-12T19:30", "league": str(league.pk)}
    director.send(director.form(page), **typed)
    assert LeagueEvent.objects.get().league == league


def test_public_pages_say_that_no_hands_were_recorded(club: Club, players: list[Player]) -> None:
    director, event = set_up(club)
    page = f"/desk/events/{event.pk}/results/"
    typed = {f"points_{player.pk}": str(number) for number, player in enumerate(players, 4)}
    director.send(director.form(page), **typed)
    publish_all()
    shown = words(director.get(f"/e/{event.pk}/"))
    assert "results only; no hands were recorded" in shown
    for missing in ("0 rounds", "hands each", "How it is scored", "Copy the records", "Games"):
        assert missing not in shown, missing
    opened = words(director.get(f"/e/{event.pk}/?open={Entry.objects.filter(event=event)[0].pk}"))
    assert "As it was written down" in opened
    night = words(director.get(f"/desk/events/{event.pk}/"))
    assert "Correct the results" in night
    for missing in ("Forfeits", "Check in", "Draw"):
        assert missing not in night, missing
    director.send(director.form(f"/desk/events/{event.pk}/", "official/"))
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL
