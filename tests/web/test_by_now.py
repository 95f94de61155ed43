"""Places by now: what a visitor sees before the next standings are published is already true."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import recording
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_club, seat, state_of
from tests.tournaments.publishing.nights import Night
from tests.tournaments.test_kept_season import Season
from tests.web.test_window import read
from tests.web.window import Window, make_window, member_of, publish_all
from tournaments.events import adjustments, leagues
from tournaments.events.adjustments import NewAdjustment
from tournaments.events.entries import change_entry
from tournaments.events.leagues import NewMember
from tournaments.models import Entry, EntryStanding, Person, Published, Scope
from tournaments.publishing import compute, reading
from tournaments.publishing.reading import Standings
from tournaments.web.by_now import ByNow, event_by_now, season_by_now

pytestmark = pytest.mark.django_db
SAID = "Counted just now"


def all_to_the_first(window: Window) -> None:
    """A hand in which nobody has what he had."""
    enter(window.game, chip_hand(state_of(window.game), (13, 0, 0, 0)))


def by_now(night: Night) -> Standings:
    return event_by_now(reading.latest(Scope.EVENT, night.event.pk), night.event)


def place(row: Mapping[str, Any]) -> int | None:
    return int(row["label"].lstrip("=")) if row["label"] else None


def stands(row: Mapping[str, Any], place: object) -> tuple[object, ...]:
    total = None if row["total"] is None else Fraction(row["total"])
    return row["entry"], row.get("division"), row["kind"], place, total


def assert_is_what_will_be_published(found: Standings, scope: Scope) -> None:
    """Everybody's place by the total alone, who has none, and how much he has."""
    assert isinstance(found, ByNow)
    computed = compute(scope, found.row.subject, fresh=True)
    assert computed is not None
    data: Any = computed.data
    published = data["rows"]
    played = {row["entry"] for row in published if row["kind"] != "idle"}
    told = [row for row in found.rows if row["entry"] in played]
    assert {stands(row, place(row)) for row in told} == {
        stands(row, row["score_from"]) for row in published if row["entry"] in played
    }
    idle = {row["entry"] for row in found.rows} - played
    assert idle <= {row["entry"] for row in published}
    groups = [key for key, _ in groupby(found.rows, key=lambda row: row["division"])]
    assert len(groups) == len(set(groups))


CUT = st.lists(st.integers(0, 13), min_size=3, max_size=3).map(sorted)


@given(cuts=st.lists(CUT, min_size=1, max_size=4), published=st.integers(0, 4))
@settings(max_examples=15, deadline=None)
def test_what_is_told_is_what_will_be_published(cuts: list[list[int]], published: int) -> None:
    night = Night(method="places", hands=2)
    Entry.objects.filter(event=night.event, number=1).update(standing=EntryStanding.GUEST)
    Entry.objects.filter(event=night.event, number=6).update(standing=EntryStanding.HOUSE)
    games = night.seat(1)
    for number, (a, b, c) in enumerate(cuts):
        if number == published:
            night.publish()
        night.play(games[number % 2], (a, b - a, c - b, 13 - c))
    found = by_now(night)
    if isinstance(found, ByNow):
        assert_is_what_will_be_published(found, Scope.EVENT)


def test_rows_that_have_moved_are_marked_and_the_others_stay_explained() -> None:
    night = Night(method="chips")
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.publish()
    night.play(second, (0, 13, 0, 0))
    found = by_now(night)
    assert_is_what_will_be_published(found, Scope.EVENT)
    older = {row["entry"] for row in found.rows if row.get("is_older")}
    assert {str(one.pk) for one in night.entries[4:]} <= older
    before = {row["entry"]: row for row in reading.latest(Scope.EVENT, night.event.pk).rows}
    for row in found.rows:
        assert row["rounds"] == before[row["entry"]]["rounds"]
        assert row["contributions"] == before[row["entry"]]["contributions"]


def test_where_no_total_has_changed_the_published_table_stays() -> None:
    night = Night(method="chips")
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.publish()
    for amount in ("2", "-2"):
        new = NewAdjustment(entry=night.entries[0].pk, amount=amount, reason="A warning.")
        adjustments.adjust(event_id=night.event.pk, new=new, by=DIRECTOR, at=at(2))
    found = by_now(night)
    assert found.behind_since is not None
    assert not isinstance(found, ByNow)


def test_before_anything_was_published_places_are_told() -> None:
    night = Night(method="chips")
    first, _ = night.seat(1)
    assert not by_now(night).data
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    found = by_now(night)
    assert found.version == 0
    assert_is_what_will_be_published(found, Scope.EVENT)


def test_standings_in_trouble_stay_as_they_are() -> None:
    night = Night(method="chips")
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.publish()
    night.play(second, (0, 13, 0, 0))
    assert isinstance(by_now(night), ByNow)
    Published.objects.filter(subject=night.event.pk).update(trouble="Too long.")
    assert not isinstance(by_now(night), ByNow)


@pytest.mark.parametrize("divisions", [[], ["First", "Second"]])
def test_a_season_by_now_is_what_will_be_published(divisions: list[str]) -> None:
    season = Season({"method": "chips"}, {"method": "places"})
    league = season.league({"rule": "best_n", "best": 1, "divisions": divisions})
    publish_all()
    night = season.nights[1]
    night.play(night.seat(3)[0], (13, 0, 0, 0), (0, 0, 6, 7))
    found = season_by_now(reading.latest(Scope.LEAGUE, league.pk), league)
    assert_is_what_will_be_published(found, Scope.LEAGUE)


def test_who_withdrew_is_listed_below_by_now_and_when_published(client: Client) -> None:
    season = Season({"method": "chips"}, {"method": "places"})
    league = season.league({"rule": "sum"})
    publish_all()
    night = season.nights[1]
    rows = reading.latest(Scope.EVENT, night.event.pk).rows
    entry = next(one for one in night.entries if str(one.pk) == rows[0]["entry"])
    change_entry(entry_id=entry.pk, changes={"presence": "withdrawn"}, by=DIRECTOR, at=at(2))
    new = NewMember(player=entry.player_id)
    leagues.enrol(league_id=league.pk, new=new, by=DIRECTOR, at=at(2))
    leagues.change_member(
        league_id=league.pk,
        player_id=entry.player_id,
        changes={"withdrawn": True},
        by=DIRECTOR,
        at=at(3),
    )
    of_season = season_by_now(reading.latest(Scope.LEAGUE, league.pk), league)
    for found, scope in ((by_now(night), Scope.EVENT), (of_season, Scope.LEAGUE)):
        assert_is_what_will_be_published(found, scope)
        gone = [row["kind"] for row in found.rows if row["withdrawn"]]
        assert gone == ["withdrawn"]
    viewer = member_of(season.club)
    paths = (f"/e/{night.event.pk}/", f"/l/{league.pk}/")
    now = [read(viewer, path) for path in paths]
    publish_all()
    for before, path in zip(now, paths, strict=True):
        after = read(viewer, path)
        assert SAID in before
        assert SAID not in after
        assert "withdrawn" in before
        assert "withdrawn" in after
        assert "None" not in after
    last = [row["kind"] for row in reading.latest(Scope.EVENT, night.event.pk).rows][-1]
    assert last == "withdrawn"


def test_a_page_says_what_is_true_now_and_swaps_to_the_explained(client: Client) -> None:
    window = make_window()
    assert SAID not in read(client, window.addresses["event"])
    all_to_the_first(window)
    for name in ("event", "projector", "league"):
        page = read(client, window.addresses[name])
        assert SAID in page
        assert "not in it yet" not in page
    first = client.get(window.addresses["event"], {"part": "live"})
    recording.object_to_hand(
        hand_id=window.hand.pk, version=1, why="Two, not one.", by=seat(2), at=at(9)
    )
    second = client.get(window.addresses["event"], {"part": "live"})
    assert first["ETag"] != second["ETag"]
    # Older versions are what they were.
    assert SAID not in read(client, window.addresses["event"], version="1")
    publish_all()
    for name in ("event", "projector", "league"):
        assert SAID not in read(client, window.addresses[name])


def test_strangers_see_short_names_of_who_was_never_published(client: Client) -> None:
    night = Night(method="chips", club=make_club(is_public=True))
    Person.objects.filter(player=night.players[0]).update(name="Nora Adams", sought="nora adams")
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    page = read(client, f"/e/{night.event.pk}/")
    assert SAID in page
    assert "Nora A." in page
    assert "Nora Adams" not in page
    assert "Nora Adams" in read(member_of(night.club), f"/e/{night.event.pk}/")


def test_a_table_that_is_current_costs_no_question_more(client: Client) -> None:
    window = make_window()
    asked = {}
    for name in ("event", "league"):
        with CaptureQueriesContext(connection) as found:
            client.get(window.addresses[name], {"part": "live"})
        asked[name] = [one["sql"] for one in found]
    assert not [sql for one in asked.values() for sql in one if "seatsum" in sql.lower()]
