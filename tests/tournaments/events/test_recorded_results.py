"""Events with results only: written down, ranked, corrected, counted in a league."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.publishing.nights import Clock, assert_is_cold, data_of, publish_all
from tournaments.core.errors import ConflictError, RefusedError, StaleError
from tournaments.events import adjustments, entries, events, leagues, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.recorded_results import NewResult, record_results
from tournaments.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    Player,
    PlayerKind,
    RecordedResult,
    Scope,
    Stale,
    Status,
)
from tournaments.people import members

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    return make_players(club, 5)


def make_event(club: Club, days_ago: int = 100, **fields: object) -> Event:
    rules = club.rule_sets.first() or make_rules(club)
    new = {
        "name": "Old night",
        "starts_at": at() - timedelta(days=days_ago),
        "rule_set": rules.pk,
        "is_results_only": True,
        **fields,
    }
    return events.create_event(club_id=club.pk, new=new, by=DIRECTOR, at=at())


def record(
    event: Event, players: Sequence[Player], results: Sequence[object], why: str = ""
) -> Event:
    """Write down points, as texts, or places, as numbers."""
    given = [
        NewResult(player=player.pk, points=one)
        if isinstance(one, str)
        else NewResult(player=player.pk, place=one)  # type: ignore[arg-type]
        for player, one in zip(players, results, strict=True)
    ]
    return record_results(
        event_id=event.pk, results=given, why=why, version=None, by=DIRECTOR, at=at()
    )


def standings(event: Event) -> list[tuple[str, str | None]]:
    """Places and totals in the order of the rows."""
    publish_all(Clock())
    return [(row["label"], row["total"]) for row in data_of(Scope.EVENT, event.pk)["rows"]]


def test_points_on_record_rank_an_event(club: Club, players: list[Player]) -> None:
    event = record(make_event(club), players, ["12", "7/2", "20.5", "12", "-3"])
    assert (event.status, event.rounds, event.hands, event.sizes) == (Status.FINISHED, 0, 0, [])
    assert standings(event) == [
        ("1", "41/2"), ("=2", "12"), ("=2", "12"), ("4", "7/2"), ("5", "-3"),
    ]  # fmt: skip
    data: Any = data_of(Scope.EVENT, event.pk)
    assert data["results_only"] is True
    assert data["games"] == data["rounds"] == []
    assert [one["status"] for row in data["rows"] for one in row["contributions"]] == [
        "recorded"
    ] * 5
    assert_is_cold(Scope.EVENT, event.pk)


def test_penalty_points_rank_an_event_the_other_way(club: Club, players: list[Player]) -> None:
    event = make_event(club, scoring={"method": "points"})
    record(event, players, ["12", "3", "20", "5", "5"])
    assert [label for label, _ in standings(event)] == ["1", "=2", "=2", "4", "5"]
    assert standings(event)[0][1] == "3"
    with pytest.raises(RefusedError, match="lowest total"):
        record(make_event(club, scoring={"method": "points"}), players, [1, 2, 3, 4, 5])


def test_places_alone_bring_the_points_of_the_linear_scale(
    club: Club, players: list[Player]
) -> None:
    event = record(make_event(club), players, [1, 2, 2, 4, 5])
    assert standings(event) == [
        ("1", "3"), ("=2", "3/4"), ("=2", "3/4"), ("4", "-3/2"), ("5", "-3"),
    ]  # fmt: skip


def test_a_place_on_record_goes_before_the_points(club: Club, players: list[Player]) -> None:
    event = make_event(club)
    pairs = zip(players, [(3, "30"), (1, "20"), (2, "25"), (4, "9"), (5, "1")], strict=True)
    given = [NewResult(player=one.pk, place=place, points=points) for one, (place, points) in pairs]
    record_results(event_id=event.pk, results=given, version=None, by=DIRECTOR, at=at())
    assert standings(event) == [("1", "20"), ("2", "25"), ("3", "30"), ("4", "9"), ("5", "1")]
    first: Any = data_of(Scope.EVENT, event.pk)["rows"][0]
    assert first["decided"]["key"] == "place"
    assert first["score_from"] == 3


def test_a_correction_has_a_reason_and_stands_in_the_trail(
    club: Club, players: list[Player]
) -> None:
    event = record(make_event(club), players[:4], ["1", "2", "3", "4"])
    before = event.version
    assert record(event, players[:4], ["1", "2", "3", "4"]).version == before
    with pytest.raises(RefusedError, match="Say why"):
        record(event, players[:4], ["1", "2", "3", "9"])
    Stale.objects.all().delete()
    record(event, players[1:], ["2", "3", "9", "5"], why="Read wrongly")
    assert Stale.objects.filter(scope=Scope.EVENT, subject=event.pk).exists()
    assert standings(event) == [("1", "9"), ("2", "5"), ("3", "3"), ("4", "2")]
    trail = AuditEntry.objects.get(what="results corrected")
    assert trail.why == "Read wrongly"
    for one in (players[0], players[3], players[4]):
        assert str(one.pk) in trail.details
    assert str(players[1].pk) not in trail.details
    with pytest.raises(StaleError):
        record_results(event_id=event.pk, results=[], version=1, by=DIRECTOR, at=at())


def test_results_that_cannot_be_are_refused_at_their_place(
    club: Club, players: list[Player]
) -> None:
    event = make_event(club)
    strangers = make_players(make_club("Elsewhere"), 1)
    cases: list[tuple[list[NewResult], str, str]] = [
        ([], "at least one", "results"),
        ([NewResult(player=strangers[0].pk, points="1")], "does not know", "results.0.player"),
        ([NewResult(player=players[0].pk)], "points or a place", "results.0.points"),
        ([NewResult(player=players[0].pk, points="1e3")], "whole number", "results.0.points"),
        (
            [NewResult(player=players[0].pk, points=text) for text in "12"],
            "has a result already",
            "results.1.player",
        ),
        (
            [
                NewResult(player=players[0].pk, points="1"),
                NewResult(player=players[1].pk, place=2),
            ],
            "needs them too",
            "results.1.points",
        ),
    ]
    for results, words, field in cases:
        with pytest.raises(RefusedError, match=words) as caught:
            record_results(event_id=event.pk, results=results, version=None, by=DIRECTOR, at=at())
        assert caught.value.field == field
    assert not RecordedResult.objects.exists()


def test_nothing_is_seated_or_entered_in_an_event_with_results_only(
    club: Club, players: list[Player]
) -> None:
    event = make_event(club)
    new = NewEntry(player=players[0].pk)
    with pytest.raises(RefusedError, match="results only"):
        entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="results only"):
        rounds.begin_round(event_id=event.pk, number=1, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="results only"):
        make_event(club, entry_fee=500)
    with pytest.raises(RefusedError, match="written down"):
        make_event(club, scoring={"total": "hand_average"})
    with pytest.raises(RefusedError, match="at least one result"):
        events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at())
    played = {"name": "Tonight", "starts_at": at(), "rule_set": event.rule_set_id}
    tonight = events.create_event(club_id=club.pk, new=played, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="from its hands"):
        record(tonight, players, ["1"] * 5)


def test_old_results_are_official_at_once_and_amended_with_a_reason(
    club: Club, players: list[Player]
) -> None:
    event = record(make_event(club), players, ["1", "2", "3", "4", "5"])
    event = events.publish_officially(event_id=event.pk, version=None, by=DIRECTOR, at=at())
    corrected = record(event, players, ["1", "2", "3", "9", "5"], why="Read wrongly")
    assert corrected.status == Status.OFFICIAL
    assert standings(event)[0] == ("1", "9")
    assert data_of(Scope.EVENT, event.pk)["status"] == "provisional"
    events.reopen_event(event_id=event.pk, why="Read wrongly", version=None, by=DIRECTOR, at=at())
    event = record(event, players, ["1", "2", "3", "4", "6"], why="Read again")
    assert event.status == Status.FINISHED
    tonight = record(make_event(club, days_ago=0), players, ["1", "2", "3", "4", "5"])
    assert tonight.finished_at == at()


def test_a_penalty_counts_and_keeps_its_entry(club: Club, players: list[Player]) -> None:
    event = record(make_event(club), players, ["1", "2", "3", "4", "5"])
    entry = Entry.objects.get(event=event, player=players[4])
    adjustments.adjust_score(
        event_id=event.pk, entry=entry.pk, amount="-3", reason="Late", by=DIRECTOR, at=at()
    )
    assert standings(event)[0] == ("1", "4")
    with pytest.raises(ConflictError, match="penalty"):
        record(event, players[:4], ["1", "2", "3", "4"], why="Was not there")
    assert RecordedResult.objects.count() == 5


def test_guests_are_entered_as_guests_and_duplicates_are_seen_through(
    club: Club, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[1].pk).update(kind=PlayerKind.GUEST)
    event = record(make_event(club), players[:2], ["1", "2"])
    assert set(event.entries.values_list("standing", flat=True)) == {"player", "guest"}
    with pytest.raises(RefusedError, match="Both have a result"):
        merge(players[0], players[1])
    merge(players[1], players[2])
    again = [
        NewResult(player=players[index].pk, points=text) for index, text in ((0, "1"), (2, "2"))
    ]
    record_results(
        event_id=event.pk, results=again, why="Names", version=None, by=DIRECTOR, at=at()
    )
    assert event.entries.count() == 2


def merge(player: Player, into: Player) -> None:
    members.merge_player(player_id=player.pk, into=into.pk, version=1, by=DIRECTOR, at=at())


def test_a_league_counts_results_on_record_like_any_night(
    club: Club, players: list[Player]
) -> None:
    new = {"name": "Autumn", "season": {"rule": "best_n", "best": 2, "attendance": "1"}}
    league = leagues.create_league(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    nights: list[tuple[list[str], str]] = [
        (["10", "4", "0"], "1"), (["1", "5", "3"], "2"), (["2", "0", "9"], "1"),
    ]  # fmt: skip
    for points, weight in nights:
        event = record(make_event(club), players[:3], points)
        leagues.add_session(
            league_id=league.pk, event=event.pk, weight=weight, by=DIRECTOR, at=at()
        )
    publish_all(Clock())
    data: Any = data_of(Scope.LEAGUE, league.pk)
    totals = {row["entry"]: row["total"] for row in data["rows"]}
    assert [totals[str(one.pk)] for one in players[:3]] == ["15", "17", "18"]
    assert_is_cold(Scope.LEAGUE, league.pk)
