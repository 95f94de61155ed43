"""Standings through the API: as they stand, as they stood, what moved, and who may know names."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache

from scoring.models import Game
from tests.api.asking import NOW, Asking, account_of, check_problem, role_of, signed_in
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.publishing.nights import Night, publish_all
from tournaments.events import adjustments
from tournaments.models import Player, RoleKind, Scope, Snapshot, Stale
from tournaments.people import members
from tournaments.publishing import thin_versions
from tournaments.statistics import Certainty, measure_certainty
from tournaments.statistics.lines import Exact

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    night = Night(club=make_club(is_public=True))
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    publish_all(night.clock)
    return night


@pytest.fixture
def director(night: Night) -> Asking:
    account = account_of("director@club.example")
    role_of(account, night.club, RoleKind.DIRECTOR)
    return signed_in(account)


def path(night: Night, words: str = "") -> str:
    return f"/api/v1/events/{night.event.pk}/standings{words}"


def play_on(night: Night) -> None:
    game = Game.objects.filter(table__round__event=night.event).earliest("opened_at", "id")
    night.play(game, (0, 13, 0, 0))


def test_standings_show_their_version_and_that_they_are_behind(
    night: Night, director: Asking
) -> None:
    found = director.get(path(night)).json()
    assert (found["version"], found["latest"], found["behind_since"]) == (1, 1, None)
    assert found["standings"]["rows"]
    assert (found["count"], found["next"]) == (len(found["standings"]["rows"]), None)
    play_on(night)
    behind = director.get(path(night)).json()
    assert (behind["version"], behind["behind_since"] is None) == (1, False)
    publish_all(night.clock)
    assert director.get(path(night)).json()["version"] == 2


def test_certainty_is_measured_once_for_a_version_and_not_for_who_has_it(
    night: Night, director: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []

    def measure(scores: Mapping[str, Sequence[Exact]], *, is_low: bool) -> Certainty:
        measured.append(len(scores))
        return measure_certainty(scores, is_low=is_low)

    monkeypatch.setattr("tournaments.reports.certainty.measure_certainty", measure)
    cache.clear()
    address = f"/api/v1/events/{night.event.pk}/certainty"
    first = director.get(address)
    assert director.get(f"{address}?version=1").json() == first.json()
    assert len(measured) == 1
    cache.clear()
    assert director.get(address, **{"If-None-Match": first["ETag"]}).status_code == 304
    assert len(measured) == 1
    play_on(night)
    publish_all(night.clock)
    later = director.get(address, **{"If-None-Match": first["ETag"]})
    assert (later.status_code, len(measured)) == (200, 2)


def test_what_stood_can_be_asked_for_by_version_and_by_moment(
    night: Night, director: Asking
) -> None:
    first = director.get(path(night)).json()
    play_on(night)
    publish_all(night.clock)
    old = director.get(path(night, "?version=1")).json()
    assert (old["version"], old["latest"]) == (1, 2)
    assert old["standings"] == first["standings"]
    moment = first["computed_at"]
    assert director.get(path(night, f"?at={moment}")).json()["version"] == 1
    for words in ("?version=9", "?at=2001-01-01T00:00:00Z", "?since=9"):
        check_problem(director.get(path(night, words)), "NOT_FOUND")
    check_problem(director.get(path(night, f"?version=1&at={moment}")), "UNPROCESSABLE")


def test_what_is_no_longer_kept_is_said_with_what_is(night: Night, director: Asking) -> None:
    for taken in ((0, 13, 0, 0), (5, 4, 4, 0)):
        game = Game.objects.filter(table__round__event=night.event).earliest("-opened_at", "-id")
        night.play(game, taken)
        publish_all(night.clock)
    early = at() - timedelta(days=60)
    for number in (1, 2, 3):
        moment = early + timedelta(minutes=number)
        Snapshot.objects.filter(version=number).update(computed_at=moment)
    thin_versions(night.club, at=early + timedelta(days=30))
    gone = director.get(path(night, "?version=2"))
    check_problem(gone, "GONE")
    assert "version 1 is the last one before it, 3 the first one after it" in gone.json()["detail"]
    between = (early + timedelta(minutes=2, seconds=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    then = director.get(path(night, f"?at={between}")).json()
    assert (then["version"], then["thinned"]) == (1, {"first": 2, "last": 2})
    since = director.get(path(night, "?since=2")).json()
    assert (since["version"], since["since"], since["thinned"]) == (3, 1, None)
    assert since["changes"] == director.get(path(night, "?since=1")).json()["changes"]


def test_what_moved_is_told_in_words(night: Night, director: Asking) -> None:
    play_on(night)
    publish_all(night.clock)
    changes = director.get(path(night, "?since=1")).json()["changes"]
    assert changes
    assert all(change["sentence"].startswith("Player ") for change in changes)
    assert director.get(path(night, "?since=2")).json()["changes"] == []


def test_whoever_has_them_already_is_told_so(night: Night, director: Asking) -> None:
    tag = director.get(path(night))["ETag"]
    again = director.get(path(night), If_None_Match=tag)
    assert (again.status_code, again.content) == (304, b"")
    play_on(night)
    assert director.get(path(night), If_None_Match=tag).status_code == 200


def test_strangers_get_short_names_and_no_words_of_the_director(night: Night) -> None:
    player = Player.objects.get(pk=night.players[0].pk)
    members.change_player(
        player_id=player.pk,
        changes={"name": "Nora Jane Adams"},
        version=player.version,
        by=DIRECTOR,
        at=NOW,
    )
    adjustments.adjust_score(
        event_id=night.event.pk,
        entry=night.entries[0].pk,
        amount="-1",
        reason="Nora overslept.",
        by=DIRECTOR,
        at=at(),
    )
    publish_all(night.clock)
    answer = Asking().get(path(night))
    assert answer.json()["names"][str(night.entries[0].pk)] == "Nora A."
    assert b"overslept" not in answer.content
    assert b"Adams" not in answer.content


def test_directors_get_names_and_reasons(night: Night, director: Asking) -> None:
    adjustments.adjust_score(
        event_id=night.event.pk,
        entry=night.entries[0].pk,
        amount="-1",
        reason="Late.",
        by=DIRECTOR,
        at=at(),
    )
    publish_all(night.clock)
    found = director.get(path(night)).json()
    assert list(found["reasons"].values()) == ["Late."]
    assert any("ahead of Player" in words for words in found["because"].values())


def test_an_erased_person_is_nowhere_in_old_versions_either(night: Night, director: Asking) -> None:
    player = Player.objects.get(pk=night.players[0].pk)
    members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=NOW)
    found = director.get(path(night, "?version=1")).json()
    assert found["names"][str(night.entries[0].pk)] == f"Former member {player.number}"


def test_before_anything_was_computed_there_is_an_empty_table(director: Asking) -> None:
    fresh = Night(club=make_club("Another", is_public=True))
    found = director.get(path(fresh)).json()
    assert (found["version"], found["standings"]) == (0, {})


def test_ratings_hide_what_is_not_sure_from_strangers(night: Night, director: Asking) -> None:
    night.end(1)
    publish_all(night.clock)
    where = f"/api/v1/clubs/{night.club.pk}/ratings"
    assert len(director.get(where).json()["rows"]) == 4
    assert Asking().get(where).json()["rows"] == []
    row = director.get(where).json()["rows"][0]
    assert row["history"][-1]["rating"] == row["rating"]
    assert float(row["band"]) == pytest.approx(1.645 * 40 * float(row["sigma"]), rel=1e-3)


def statistics(asking: Asking, night: Night, player: int, words: str = "") -> Any:
    who = night.players[player].pk
    return asking.get(f"/api/v1/clubs/{night.club.pk}/players/{who}/statistics{words}")


def test_statistics_are_counted_from_results(night: Night, director: Asking) -> None:
    found = statistics(director, night, 0).json()
    clean = next(one for one in found["figures"] if one["key"] == "clean")
    assert (clean["n"], clean["total"], clean["mean"]) == (1, "0", None)
    assert {one["tables"] for one in found["opponents"]} == {1}
    assert len(found["opponents"]) == 3
    assert found["achievements"][0]["key"] == "sweep"
    assert statistics(director, night, 7).json()["figures"] == []


@pytest.mark.parametrize(
    ("words", "count"),
    [("?size=4", 3), ("?size=5", 0), ("?event={event}", 3), ("?opponent={other}", 0)],
)
def test_statistics_look_at_chosen_games(
    night: Night, director: Asking, words: str, count: int
) -> None:
    asked = words.format(event=night.event.pk, other=night.players[7].pk)
    assert len(statistics(director, night, 0, asked).json()["opponents"]) == count


def test_statistics_are_for_members(night: Night) -> None:
    check_problem(statistics(Asking(), night, 0), "UNAUTHENTICATED")


def test_a_marked_scope_is_behind_since_its_oldest_mark(night: Night, director: Asking) -> None:
    for minutes in (5, 3):
        Stale.objects.create(scope=Scope.EVENT, subject=night.event.pk, since=at(minutes))
    found = director.get(path(night)).json()["behind_since"]
    assert found == at(3).isoformat().replace("+00:00", "Z")
