"""A night that goes wrong in every way, with standings published, killed and doubled meanwhile.

In the end what is published is what the rows come to, byte for byte. TEST_SCALE=50 in the
environment plays that many times as many nights.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.record.rulings import Decision, Ruling
from scoring.games import closing, nights
from scoring.games.opening import SeatChange, seat_player
from scoring.hands import agreements, corrections, rulings
from scoring.hands.corrections import Correction
from scoring.models import Game, Hand
from scoring.settlement.changes import RulingRequest
from scoring.settlement.plan import GameOverError, state_before
from tests.examples import examples
from tests.scoring.club import DIRECTOR, SEATS, at, chip_hand, make_players, seat, state_of
from tests.scoring.club import enter as enter_hand
from tests.tournaments.publishing.nights import (
    Night,
    assert_is_cold,
    assert_statistics_are_right,
    data_of,
    publish_statistics,
)
from tournaments import publishing
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events import adjustments, entries, events, leagues
from tournaments.invalidation import mark
from tournaments.models import Adjustment, Event, Player, Published, Scope, Stale
from tournaments.people import members
from tournaments.publishing import publisher

CUTS = st.lists(st.integers(0, 13), min_size=3, max_size=3).map(sorted)
TABLE = st.integers(0, 1)


def captures(cuts: list[int]) -> tuple[int, int, int, int]:
    return cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2]


class Killed(BaseException):
    """kill -9, as far as a transaction can tell."""


class NightMachine(RuleBasedStateMachine):
    """An event of two tables in a league; everybody changes their mind."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.night = Night(hands=9)
        self.extra = make_players(self.night.club, 2)
        club, event = self.night.club, self.night.event
        self.league = leagues.create_league(
            club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at()
        )
        leagues.add_session(league_id=self.league.pk, event=event.pk, by=DIRECTOR, at=at())
        self.games = self.night.seat(1)
        self.versions: dict[Any, int] = {}
        self.hints: list[str] = []

    def teardown(self) -> None:
        try:
            self.converge()
        finally:
            transaction.set_rollback(True)
            self.outer.__exit__(None, None, None)

    def converge(self) -> None:
        """After the last fault everything is right in one more round, ratings after events."""
        for _ in range(2):
            self.night.clock.pass_by(3600)
            publishing.publish_due(clock=self.night.clock)
        publish_statistics(self.night.clock)
        assert not Stale.objects.exists()
        assert_statistics_are_right(self.night.club)
        for row in Published.objects.filter(version__gt=0):
            assert row.trouble == ""
            assert_is_cold(Scope(row.scope), row.subject)
        assert Published.objects.filter(scope=Scope.EVENT, version__gt=0).exists()

    def all_that_is_not_behind_is_right(self) -> None:
        """Ratings wait for the standings of events, which mark them."""
        behind = set(Stale.objects.values_list("scope", "subject"))
        for row in Published.objects.filter(scope__in=(Scope.EVENT, Scope.LEAGUE), version__gt=0):
            if (row.scope, row.subject) not in behind:
                assert_is_cold(Scope(row.scope), row.subject)

    def attempt(self, act: Callable[[], object]) -> None:
        with suppress(RefusedError, GameOverError), transaction.atomic():
            act()

    def hand(self, data: st.DataObject, table: int) -> Hand | None:
        found = list(Hand.objects.filter(game=self.games[table]).order_by("number", "id"))
        return data.draw(st.sampled_from(found)) if found else None

    @rule(table=TABLE, cuts=CUTS, bid=st.integers(1, 6), who=st.integers(0, 3))
    def a_hand_is_entered(self, table: int, cuts: list[int], bid: int, who: int) -> None:
        game = self.games[table]
        text = chip_hand(state_of(game), captures(cuts), bidder=SEATS[who], bid=bid)
        self.attempt(lambda: enter_hand(game, text))

    @rule(table=TABLE, cuts=CUTS)
    def a_hand_is_entered_and_published(self, table: int, cuts: list[int]) -> None:
        self.a_hand_is_entered(table, cuts, bid=1, who=0)
        self.all_that_is_due_is_published()

    @rule(data=st.data(), table=TABLE, cuts=CUTS)
    def a_hand_is_corrected(self, data: st.DataObject, table: int, cuts: list[int]) -> None:
        hand = self.hand(data, table)
        if hand is not None:
            game = Game.objects.get(pk=hand.game_id)
            if hand.number > game.hands:
                return
            text = chip_hand(state_before(game, hand.number), captures(cuts))
            change = Correction(text=text, why="It was misread.")
            self.attempt(
                lambda: corrections.correct_hand(
                    hand_id=hand.pk, correction=change, by=DIRECTOR, at=at(2)
                )
            )

    @rule(data=st.data(), table=TABLE)
    def somebody_objects(self, data: st.DataObject, table: int) -> None:
        hand = self.hand(data, table)
        if hand is not None:
            self.attempt(
                lambda: agreements.object_to_hand(
                    hand_id=hand.pk, version=hand.current, why="No.", by=seat(2), at=at(3)
                )
            )

    @rule(data=st.data(), table=TABLE, stands=st.booleans())
    def the_director_rules(self, data: st.DataObject, table: int, stands: bool) -> None:
        hand = self.hand(data, table)
        if hand is not None:
            decision = Decision.RESULT_STANDS if stands else Decision.VOID_REDEAL
            decree = RulingRequest(ruling=Ruling(decision=decision), facts="As it lies.")
            self.attempt(
                lambda: rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=at(4))
            )

    @rule(table=TABLE, again=st.booleans())
    def a_game_is_closed_or_opened_again(self, table: int, again: bool) -> None:
        game = Game.objects.get(pk=self.games[table].pk)
        if again:
            self.attempt(
                lambda: closing.reopen_game(game_id=game.pk, why="No.", by=DIRECTOR, at=at(6))
            )
        else:
            word = closing.Closing(reason="Late.", leave_out=True)
            self.attempt(
                lambda: closing.close_game(game_id=game.pk, closing=word, by=DIRECTOR, at=at(5))
            )

    @rule(place=st.integers(0, 7), amount=st.sampled_from(["-3", "5/2", "1/3"]), on=st.booleans())
    def a_score_is_adjusted(self, place: int, amount: str, on: bool) -> None:
        event = self.night.event.pk
        self.attempt(
            lambda: adjustments.adjust_score(
                event_id=event,
                entry=self.night.entries[place].pk,
                amount=amount,
                reason="So.",
                round=1 if on else None,
                affects_place=on,
                by=DIRECTOR,
                at=at(7),
            )
        )

    @precondition(lambda self: Adjustment.objects.filter(cancelled_at=None).exists())
    @rule()
    def an_adjustment_is_cancelled(self) -> None:
        row = Adjustment.objects.filter(cancelled_at=None).latest("id")
        adjustments.cancel_adjustment(
            event_id=self.night.event.pk, adjustment_id=row.pk, why="No.", by=DIRECTOR, at=at(8)
        )

    @rule(place=st.integers(0, 7), presence=st.sampled_from(["withdrawn", "here", "left"]))
    def somebody_comes_or_goes(self, place: int, presence: str) -> None:
        self.attempt(
            lambda: entries.change_entry(
                entry_id=self.night.entries[place].pk,
                changes={"presence": presence},
                by=DIRECTOR,
                at=at(9),
            )
        )

    @rule(table=TABLE, place=st.integers(0, 3), who=st.integers(0, 1))
    def a_substitute_sits_down(self, table: int, place: int, who: int) -> None:
        game = Game.objects.get(pk=self.games[table].pk)
        first = game.hands + 1
        change = SeatChange(seat=place, player=self.extra[who].pk, first=first, why="Ill.")
        self.attempt(lambda: seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(10)))

    @rule(table=TABLE, order=st.permutations(range(4)))
    def seats_are_put_right(self, table: int, order: list[int]) -> None:
        four = self.night.entries[4 * table : 4 * table + 4]
        swap = nights.Permutation(entries=[four[place].pk for place in order], why="So it was.")
        where = self.games[table].table_id
        assert where is not None
        self.attempt(
            lambda: nights.permute_seats(table_id=where, permutation=swap, by=DIRECTOR, at=at(11))
        )

    @rule(place=st.integers(0, 7), who=st.integers(0, 1), kind=st.sampled_from(["guest", "member"]))
    def somebody_turns_out_to_be_another(self, place: int, who: int, kind: str) -> None:
        player = Player.objects.get(pk=self.night.players[place].pk)
        version = player.version
        if kind == "guest":
            self.attempt(
                lambda: members.merge_player(
                    player_id=player.pk,
                    into=self.extra[who].pk,
                    version=version,
                    by=DIRECTOR,
                    at=at(12),
                )
            )
        self.attempt(
            lambda: members.change_player(
                player_id=player.pk, changes={"kind": kind}, version=version, by=DIRECTOR, at=at(12)
            )
        )

    @rule(planned=st.integers(0, 5), is_open=st.booleans())
    def the_season_is_changed(self, planned: int, is_open: bool) -> None:
        self.league.refresh_from_db()
        changes = {"planned": planned, "is_open": is_open}
        leagues.change_league(
            league_id=self.league.pk,
            changes=changes,
            version=self.league.version,
            by=DIRECTOR,
            at=at(13),
        )

    @rule()
    def all_that_is_due_is_published(self) -> None:
        self.night.clock.pass_by(5)
        self.hints += [hint for hint, _ in publishing.find_due(self.night.clock(), 9)]
        publishing.publish_due(clock=self.night.clock)
        self.all_that_is_not_behind_is_right()

    @rule()
    def statistics_are_published(self) -> None:
        publish_statistics(self.night.clock)
        assert_statistics_are_right(self.night.club)

    @rule(days=st.integers(0, 2), counts=st.booleans())
    def the_night_was_another_one(self, days: int, counts: bool) -> None:
        """Statistics go by nights, and by leagues."""
        event = Event.objects.get(pk=self.night.event.pk)
        changes = {"starts_at": at() + timedelta(days=days)}
        self.attempt(
            lambda: events.change_event(
                event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(13)
            )
        )
        with suppress(NotThereError):
            leagues.remove_session(
                league_id=self.league.pk,
                event_id=event.pk,
                version=None,
                by=DIRECTOR,
                at=at(13),
            )
        if counts:
            leagues.add_session(league_id=self.league.pk, event=event.pk, by=DIRECTOR, at=at(13))

    @precondition(lambda self: self.hints)
    @rule(data=st.data(), twice=st.booleans())
    def an_old_hint_comes(self, data: st.DataObject, twice: bool) -> None:
        self.night.clock.pass_by(1)
        hint = data.draw(st.sampled_from(self.hints))
        for _ in range(1 + twice):
            publishing.publish_due(clock=self.night.clock, hint=hint, seconds=0)

    @rule(scope=st.sampled_from([Scope.EVENT, Scope.LEAGUE, Scope.RATINGS]), step=st.integers(0, 3))
    def a_worker_is_killed(self, scope: Scope, step: int) -> None:
        """At one of the things that it does; its transaction is gone with it."""
        subject = {
            Scope.EVENT: self.night.event.pk,
            Scope.LEAGUE: self.league.pk,
            Scope.RATINGS: self.night.club.pk,
        }[scope]
        steps = (publisher._read_inputs, publisher._keep, publisher._forget, mark)

        def die(*_: object, **__: object) -> None:
            raise Killed

        self.night.clock.pass_by(4)
        with pytest.MonkeyPatch.context() as patch, suppress(Killed):
            patch.setattr(publisher, steps[step].__name__, die)
            # The claim is committed before; what is written after it is one transaction.
            real = publisher._write
            patch.setattr(publisher, "_write", in_a_transaction(real))
            publishing.publish(scope=scope, subject=subject, clock=self.night.clock)
        Published.objects.filter(subject=subject).update(attempts=0)

    @invariant()
    def versions_never_go_down(self) -> None:
        for row in Published.objects.exclude(scope=Scope.STATISTICS):
            key = (row.scope, row.subject)
            assert row.version >= self.versions.get(key, 0)
            self.versions[key] = row.version


def in_a_transaction(act: Callable[..., Any]) -> Callable[..., Any]:
    def done(*words: Any) -> Any:
        with transaction.atomic():
            return act(*words)

    return done


@pytest.mark.property
@pytest.mark.django_db
def test_whatever_happens_what_is_published_is_right_in_the_end() -> None:
    run_state_machine_as_test(
        NightMachine,
        settings=settings(
            max_examples=examples(4, 1),
            stateful_step_count=16,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


def told(night: Night) -> dict[int, tuple[str, str]]:
    """Totals and places by number of the entry: ids are others each time."""
    data = data_of(Scope.EVENT, night.event.pk)
    numbers = {entry: one["number"] for entry, one in data["entries"].items()}
    return {numbers[row["entry"]]: (row["total"], row["label"]) for row in data["rows"]}


@pytest.mark.django_db
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(hands=st.lists(st.tuples(TABLE, CUTS), min_size=2, max_size=5), seed=st.integers(0, 99))
def test_the_order_of_entry_changes_nothing(hands: list[tuple[int, list[int]]], seed: int) -> None:
    """Hands of two tables come in any order among each other, corrected or right at once."""
    found = []
    for shuffled in (False, True):
        block = transaction.atomic()
        with block:
            night = Night(method="places", hands=9)
            games = night.seat(1)
            turn = sorted(range(len(hands)), key=lambda place: hands[place][0])
            if shuffled:
                turn = interleaved([hand[0] for hand in hands], random.Random(seed))
            for place in turn:
                table, cuts = hands[place]
                night.play(games[table], captures(cuts))
                if shuffled:
                    night.publish()
            night.publish()
            found.append(told(night))
            transaction.set_rollback(True)
    assert found[0] == found[1]


def interleaved(tables: list[int], dice: random.Random) -> list[int]:
    """Places in an order that keeps that of each table."""
    queues = [[place for place, table in enumerate(tables) if table == one] for one in (0, 1)]
    order = []
    while any(queues):
        queue = dice.choice([queue for queue in queues if queue])
        order.append(queue.pop(0))
    return order
