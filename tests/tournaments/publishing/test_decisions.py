"""Forfeits and given scores: what they come to in standings, seasons and ratings."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.games.opening import SeatChange, seat_player
from tests.scoring.club import DIRECTOR, at, make_players
from tests.tournaments.publishing.nights import Night, assert_is_cold, data_of, publish_all
from tournaments import publishing
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events import decisions, events, leagues, rounds
from tournaments.events.decisions import NewDecision
from tournaments.events.rounds import ByHand
from tournaments.models import Published, Scope, SeatDecision

pytestmark = pytest.mark.django_db


def decide(night: Night, **fields: Any) -> list[SeatDecision]:
    new = NewDecision(**{"kind": "forfeit", "round": 1, "reason": "He felt ill.", **fields})
    return decisions.decide_seats(event_id=night.event.pk, new=new, by=DIRECTOR, at=at())


def take_back(row: SeatDecision) -> None:
    event = row.game.event_id
    assert event is not None
    decisions.cancel_decision(
        event_id=event, decision_id=row.pk, why="He was there.", by=DIRECTOR, at=at()
    )


def by_places(**fields: Any) -> Night:
    return Night(players=4, method="places", **fields)


def test_a_table_stops_with_somebody_who_leaves_and_he_is_last_for_the_rest() -> None:
    night = by_places()
    night.play(night.seat(1)[0], (0, 6, 4, 3))
    night.end(1)
    night.publish()
    assert night.totals()[1] == "3"
    row = decide(night, entry=night.entries[0].pk)[0]
    night.publish()
    assert night.totals()[1] == "0"
    lines = {one["entry"]: one["contributions"] for one in night.data()["rows"]}
    assert [line["status"] for line in lines[str(night.entries[0].pk)]] == ["forfeit"]
    told = [one.get("decision") for one in night.data()["games"][0]["seats"]]
    assert told == [str(row.pk), None, None, None]
    assert_is_cold(Scope.EVENT, night.event.pk)
    take_back(row)
    night.publish()
    assert night.totals()[1] == "3"
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_hands_of_a_substitute_are_not_his_who_forfeits() -> None:
    night = by_places()
    game = night.seat(1)[0]
    night.play(game, (0, 6, 4, 3))
    stranger = make_players(night.club, 1)[0]
    change = SeatChange(seat=0, player=stranger.pk, first=2)
    seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at())
    night.play(game, (13, 0, 0, 0))
    night.end(1)
    decide(night, entry=night.entries[0].pk)
    night.publish()
    own = next(one for one in night.data()["rows"] if one["entry"] == str(night.entries[0].pk))
    (line,) = own["contributions"]
    assert (line["status"], line["hands"]) == ("forfeit", 1)
    assert int(line["score"]) > 0
    assert own["columns"]["hands_played"] == 1
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_the_director_may_say_how_many_hands_somebody_played() -> None:
    night = by_places()
    night.play(night.seat(1)[0], (0, 6, 4, 3), (0, 4, 6, 3))
    night.end(1)
    decide(night, entry=night.entries[0].pk, hands=0)
    night.publish()
    assert night.totals()[1] == "-3"
    assert sum(int(total) for total in night.totals().values()) == 0


def test_a_table_where_nobody_came_has_nobody_ahead() -> None:
    night = Night(players=8, method="places")
    night.play(night.seat(1)[0], (0, 6, 4, 3), (0, 6, 4, 3))
    night.end(1)
    assert len(decide(night, table=2)) == 4
    night.publish()
    assert [night.totals()[number] for number in (5, 6, 7, 8)] == ["0"] * 4


def test_a_given_score_counts_instead_of_what_was_played() -> None:
    night = by_places()
    night.play(night.seat(1)[0], (0, 6, 4, 3), (0, 4, 6, 3))
    night.end(1)
    row = decide(night, kind="score", amount="-7/2", entry=night.entries[0].pk)[0]
    night.publish()
    assert night.totals() == {1: "-7/2", 2: "-3", 3: "-1", 4: "1"}
    take_back(row)
    take_back(row)
    night.publish()
    assert night.totals()[1] == "3"


def test_leagues_follow_and_no_rating_is_made_of_a_forfeit() -> None:
    night = by_places()
    new = {"name": "Autumn", "season": {"rule": "sum"}}
    league = leagues.create_league(club_id=night.club.pk, new=new, by=DIRECTOR, at=at())
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    night.play(night.seat(1)[0], (0, 6, 4, 3), (0, 4, 6, 3))
    night.end(1)
    publish_all(night.clock)

    def season() -> Any:
        rows = data_of(Scope.LEAGUE, league.pk)["rows"]
        return next(row["total"] for row in rows if row["entry"] == str(night.players[0].pk))

    assert (season(), len(data_of(Scope.RATINGS, night.club.pk)["rows"])) == ("3", 4)
    row = decide(night, entry=night.entries[0].pk, hands=1)[0]
    publish_all(night.clock)
    assert (season(), data_of(Scope.RATINGS, night.club.pk)["rows"]) == ("0", [])
    take_back(row)
    publish_all(night.clock)
    assert (season(), len(data_of(Scope.RATINGS, night.club.pk)["rows"])) == ("3", 4)
    assert Published.objects.filter(scope=Scope.RATINGS).count() == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "absence"}, "kind"),
        ({"round": 2}, "round"),
        ({"round": 3}, "round"),
        ({}, "entry"),
        ({"table": 9}, "table"),
        ({"table": 1, "amount": "3"}, "amount"),
        ({"table": 1, "kind": "score"}, "amount"),
        ({"table": 1, "kind": "score", "amount": "much"}, "amount"),
        ({"table": 1, "kind": "score", "amount": "3", "hands": 2}, "hands"),
        ({"table": 1, "reason": " "}, "reason"),
    ],
)
def test_what_cannot_be_decided_is_refused(fields: dict[str, Any], field: str) -> None:
    night = by_places(rounds=3)
    night.seat(1)
    night.end(1)
    wanted = [list(night.entries)]
    seat_round(night, 2, wanted)
    with pytest.raises(RefusedError) as refused:
        decide(night, **fields)
    assert refused.value.field == field
    assert not SeatDecision.objects.exists()


def seat_round(night: Night, number: int, tables: Any) -> None:
    wanted = ByHand(number=number, tables=[[one.pk for one in table] for table in tables])
    rounds.seat_by_hand(event_id=night.event.pk, wanted=wanted, by=DIRECTOR, at=at())


def test_one_decision_holds_for_a_seat_and_after_official_a_change_is_provisional() -> None:
    night = by_places()
    night.play(night.seat(1)[0], (0, 6, 4, 3), (0, 4, 6, 3))
    night.end(1)
    row = decide(night, entry=night.entries[0].pk)[0]
    with pytest.raises(RefusedError, match="entry 1 at this table already"):
        decide(night, table=1)
    take_back(row)
    assert len(decide(night, table=1)) == 4
    other = by_places()
    with pytest.raises(NotThereError):
        decisions.cancel_decision(
            event_id=other.event.pk, decision_id=row.pk, why="No.", by=DIRECTOR, at=at()
        )
    events.finish_event(event_id=night.event.pk, version=None, by=DIRECTOR, at=at())
    events.publish_officially(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(5000))
    assert night.data()["status"] == "official"
    for row in SeatDecision.objects.filter(game__event=night.event, cancelled_at=None):
        take_back(row)
    decide(night, kind="score", entry=night.entries[0].pk, amount="99")
    night.publish()
    assert night.data()["status"] == "provisional"


def test_forfeits_cost_one_question_more_however_many_there_are() -> None:
    counts = []
    for players in (4, 16):
        night = Night(players=players)
        for table, game in enumerate(night.seat(1), 1):
            night.play(game, (13, 0, 0, 0))
            decide(night, table=table)
        with CaptureQueriesContext(connection) as asked:
            publishing.compute(Scope.EVENT, night.event.pk)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 11
