"""Standings of an event: gathered from its rows, computed, published in versions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.games.opening import SeatChange, seat_player
from scoring.hands import agreements, corrections
from scoring.hands.corrections import Correction
from scoring.models import Game, Hand
from scoring.settlement.plan import state_before
from tests.scoring.club import DIRECTOR, at, chip_hand, make_players, seat
from tests.tournaments.publishing.nights import Night, assert_is_cold, publish_all
from tournaments import publishing
from tournaments.events import adjustments, entries, events, rounds
from tournaments.events.rounds import ByHand
from tournaments.models import Player, Scope, Snapshot, Stale
from tournaments.people import members
from tournaments.publishing import PublishOutcome

pytestmark = pytest.mark.django_db


def test_a_hand_is_in_the_standings_once_it_is_published() -> None:
    night = Night()
    games = night.seat(1)
    night.play(games[0], (13, 0, 0, 0))
    assert night.publish() is PublishOutcome.NEW
    assert int(night.totals()[1]) < 0
    assert night.data()["up_to"] == {"round": 1, "games": 2, "hands": 1}
    assert not Stale.objects.filter(scope=Scope.EVENT)
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_it_takes_as_many_questions_for_one_table_as_for_many() -> None:
    counts = []
    for players in (4, 16):
        night = Night(players=players)
        for game in night.seat(1):
            night.play(game, (13, 0, 0, 0), (5, 4, 4, 0))
        with CaptureQueriesContext(connection) as asked:
            publishing.compute(Scope.EVENT, night.event.pk)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 10


def test_a_correction_makes_a_new_version_and_the_old_one_stays() -> None:
    night = Night()
    game = night.seat(1)[0]
    night.play(game, (13, 0, 0, 0))
    night.publish()
    before = Snapshot.objects.get(version=1).data
    hand = Hand.objects.get(game=game)
    put_right(hand, (0, 13, 0, 0))
    assert night.publish() is PublishOutcome.NEW
    assert night.version == 2
    assert int(night.totals()[2]) < int(night.totals()[1])
    assert Snapshot.objects.get(version=1).data == before
    assert_is_cold(Scope.EVENT, night.event.pk)


def put_right(hand: Hand, taken: tuple[int, int, int, int]) -> None:
    game = Game.objects.get(pk=hand.game_id)
    text = chip_hand(state_before(game, hand.number), taken)
    corrections.correct_hand(
        hand_id=hand.pk,
        correction=Correction(text=text, why="It was misread."),
        by=DIRECTOR,
        at=at(10),
    )


def test_what_says_nothing_new_makes_no_version() -> None:
    night = Night()
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    assert night.publish() is PublishOutcome.NEW
    Stale.objects.create(scope=Scope.EVENT, subject=night.event.pk, since=at())
    assert night.publish() is PublishOutcome.SAME
    assert (night.version, Snapshot.objects.count()) == (1, 1)
    assert not Stale.objects.filter(scope=Scope.EVENT)


def test_many_marks_are_one_computation() -> None:
    night = Night(players=16)
    for game in night.seat(1):
        night.play(game, (13, 0, 0, 0), (5, 4, 4, 0))
    assert Stale.objects.filter(scope=Scope.EVENT).count() > 8
    publish_all(night.clock)
    assert Snapshot.objects.filter(published__scope=Scope.EVENT).count() == 1


def test_who_is_merged_is_the_survivor_in_the_standings() -> None:
    night = Night()
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.publish()
    survivor = make_players(night.club, 1)[0]
    player = Player.objects.get(pk=night.players[0].pk)
    members.merge_player(
        player_id=player.pk, into=survivor.pk, version=player.version, by=DIRECTOR, at=at(9)
    )
    assert Stale.objects.filter(scope=Scope.EVENT, subject=night.event.pk).exists()
    assert night.publish() is PublishOutcome.NEW
    who = night.data()["entries"][str(night.entries[0].pk)]
    assert who["player"] == str(survivor.pk)
    line = night.data()["games"][0]["seats"][0]
    assert line["substitute"] is None
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_who_plays_more_of_a_seat_than_its_own_player_is_the_substitute() -> None:
    night = Night(hands=3)
    game = night.seat(1)[0]
    night.play(game, (13, 0, 0, 0))
    other = make_players(night.club, 1)[0]
    substitute(game, other)
    night.play(game, (5, 4, 4, 0))
    night.publish()
    assert night.data()["games"][0]["seats"][0]["substitute"] is None
    night.play(game, (5, 4, 4, 0))
    night.publish()
    assert night.data()["games"][0]["seats"][0]["substitute"] == str(other.pk)
    assert_is_cold(Scope.EVENT, night.event.pk)


def substitute(game: Game, player: Player) -> None:
    seat_player(
        game_id=game.pk, change=SeatChange(seat=0, player=player.pk, first=2), by=DIRECTOR, at=at(5)
    )


def test_a_dispute_marks_the_lines_that_it_touches() -> None:
    night = Night()
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0))
    night.play(second, (5, 4, 4, 0))
    hand = Hand.objects.get(game=first)
    agreements.object_to_hand(
        hand_id=hand.pk, version=hand.current, why="Not so.", by=seat(1), at=at(3)
    )
    night.publish()
    touched = {one["number"] for one in night.data()["entries"].values() if one["open"]}
    assert touched == {1, 2, 3, 4}
    assert night.data()["status"] == "provisional"


def test_adjustments_and_withdrawals_are_in_it_and_no_words_of_people() -> None:
    night = Night()
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.publish()
    before = night.totals()
    made = adjustments.adjust_score(
        event_id=night.event.pk,
        entry=night.entries[2].pk,
        amount="-5/2",
        reason="Bo Smith was late.",
        by=DIRECTOR,
        at=at(4),
    )
    entries.change_entry(
        entry_id=night.entries[3].pk, changes={"presence": "withdrawn"}, by=DIRECTOR, at=at(4)
    )
    night.publish()
    assert night.totals()[3] != before[3]
    text = Snapshot.objects.get(version=2).data
    assert "Smith" not in text
    assert str(made.pk) in text
    assert [row["withdrawn"] for row in night.data()["rows"]].count(True) == 1
    adjustments.cancel_adjustment(
        event_id=night.event.pk, adjustment_id=made.pk, why="He was not.", by=DIRECTOR, at=at(5)
    )
    night.publish()
    assert night.totals() == before


def test_a_round_that_is_only_drawn_counts_for_nobody() -> None:
    night = Night(players=9, sizes=[4], sit_outs=True)
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.publish()
    before = night.totals()
    seated = [one.pk for one in night.entries[1:9]]
    wanted = ByHand(number=2, tables=[seated[:4], seated[4:]], sit_outs=[night.entries[0].pk])
    night.end(1)
    rounds.seat_by_hand(event_id=night.event.pk, wanted=wanted, by=DIRECTOR, at=at(6))
    publish_all(night.clock)
    assert night.totals()[1] == before[1]


def test_an_event_without_anybody_has_standings_too() -> None:
    night = Night(players=0)
    Stale.objects.create(scope=Scope.EVENT, subject=night.event.pk, since=at())
    assert night.publish() is PublishOutcome.NEW
    assert night.data()["rows"] == []


def test_official_is_another_version() -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    events.finish_event(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(60))
    publish_all(night.clock)
    assert night.data()["status"] == "provisional"
    events.publish_officially(
        event_id=night.event.pk, version=None, by=DIRECTOR, at=at(60 * 24 * 9)
    )
    assert night.publish() is PublishOutcome.SAME
    assert night.data()["status"] == "official"
