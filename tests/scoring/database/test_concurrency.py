"""Many hands at one game at once: nothing lost, nothing doubled, and the books are right.

On SQLite in a file and on PostgreSQL, with real commits. TEST_SCALE=20 makes it that much longer.
"""

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

import pytest
from django.db import OperationalError, connection, connections, transaction

from engine.record.rulings import Decision, Ruling
from scoring.games.opening import lock_with_club
from scoring.hands import corrections, recording, rulings
from scoring.hands.corrections import Correction
from scoring.hands.submission import HandSubmission
from scoring.models import Game, Hand, HandVersion, Holder, Sitting
from scoring.models.transfer import LedgerAccount
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import lock
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.examples import examples
from tests.scoring.club import (
    DIRECTOR,
    SEATS,
    at,
    chip_hand,
    make_game,
    make_players,
    seat,
    state_of,
)
from tests.tournaments.publishing.nights import Night, publish_all
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.ids import new_id
from tournaments.events import events
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.models import Scope, StandingsDecision
from tournaments.publishing.official import find_current, status_of
from tournaments.publishing.versions import find_latest
from tournaments.verifying import look_at, published_subjects

THREADS = 8
LOCK_TIMEOUT = "55P03"
STEPS = examples(10)
Found = TypeVar("Found")


pytestmark = pytest.mark.usefixtures("shared_database")


def assert_in_order(game: Game) -> None:
    found = [*look_at_games([game.pk]).differences, *look_at_club(game.club_id)]
    assert not found, "\n".join(map(str, found))


def in_threads(work: Callable[[int], Found], count: int = THREADS) -> list[Found]:
    """What each thread comes back with; all begin at the same moment."""
    gate = threading.Barrier(count)

    def begin(number: int) -> Found:
        gate.wait(30)
        try:
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def patiently(work: Callable[[], Found]) -> Found:
    """On a slow machine the lock may not come within its time: then again, as clients do."""
    while True:
        try:
            return work()
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") != LOCK_TIMEOUT:
                raise


@dataclass
class Hurried:
    """Somebody at a table who does whatever comes to their mind, as long as they are let."""

    game: Game
    number: int
    texts: dict[UUID, bytes] = field(default_factory=dict)
    versions: dict[UUID, int] = field(default_factory=dict)

    def go_on(self) -> "Hurried":
        dice = random.Random(self.number)
        actions = [self.enter, self.enter, self.enter, self.confirm, self.rule, self.correct]
        for step in range(STEPS):
            action = actions[0] if step == 0 else dice.choice(actions)
            self.attempt(action, dice)
        return self

    def attempt(self, action: Callable[[random.Random], None], dice: random.Random) -> None:
        # What was refused changed nothing; that is what the books are asked about afterwards.
        with suppress(RefusedError, StaleError):
            patiently(lambda: action(dice))

    def text(self, dice: random.Random) -> bytes:
        cuts = sorted(dice.randint(0, 13) for _ in range(3))
        taken = (cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2])
        text = chip_hand(state_of(self.game), taken, bidder=dice.choice(SEATS), bid=1)
        return text + f"; by {self.number}, {dice.random()}\n".encode()

    def enter(self, dice: random.Random) -> None:
        number = Game.objects.get(pk=self.game.pk).hands + dice.choice((1, 1, 1, 2))
        sent = HandSubmission(id=new_id(), number=number, text=self.text(dice))
        for _ in range(2):  # the answer was lost on the way
            recording.enter_hand(
                game_id=self.game.pk, sent=sent, by=seat(self.number % 4), at=at(number)
            )
            self.texts[sent.id] = sent.text

    def _some_hand(self, dice: random.Random) -> Hand:
        return dice.choice(list(Hand.objects.filter(game=self.game, rival=None)))

    def confirm(self, dice: random.Random) -> None:
        hand = self._some_hand(dice)
        recording.confirm_hand(
            hand_id=hand.pk, version=hand.current, by=seat(self.number % 4), at=at(500)
        )

    def rule(self, dice: random.Random) -> None:
        chips = dice.choice([(-1, 0, 1, 0), (0, 2, 0, -2)])
        decree = RulingRequest(
            ruling=Ruling(decision=Decision.CHIP_ADJUST, chips=chips),
            policy=dice.choice(list(Policy)),
        )
        hand = self._some_hand(dice)
        rulings.decide(hand_id=hand.pk, decree=decree, revision=None, by=DIRECTOR, at=at(600))

    def correct(self, dice: random.Random) -> None:
        hand = self._some_hand(dice)
        correction = Correction(
            text=self.text(dice),
            why="misread",
            revision=hand.revision,
            policy=dice.choice([*Policy]),
        )
        corrections.correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(700))
        self.versions[hand.pk] = self.versions.get(hand.pk, 0) + 1


@pytest.mark.property
def test_eight_at_one_game_lose_nothing_and_double_nothing() -> None:
    game = make_game()
    people = in_threads(lambda number: Hurried(game, number).go_on())
    sent = {id_: text for one in people for id_, text in one.texts.items()}
    rows = {hand.pk: hand for hand in Hand.objects.filter(game=game)}
    assert set(rows) == set(sent)
    for hand in rows.values():
        first = HandVersion.objects.get(hand=hand, number=1)
        assert bytes(first.sent or first.text) == sent[hand.pk]
        corrected = sum(one.versions.get(hand.pk, 0) for one in people)
        assert hand.versions.count() == hand.current == 1 + corrected
    game.refresh_from_db()
    inside = [hand.number for hand in rows.values() if hand.rival_id is None]
    assert sorted(inside)[: game.hands] == list(range(1, game.hands + 1))
    assert game.hands >= 2
    assert_in_order(game)


def test_five_hundred_copies_of_a_hand_are_one_hand() -> None:
    game = make_game()
    sent = HandSubmission(id=new_id(), number=1, text=chip_hand(state_of(game), (6, 3, 4, 0)))

    def send(_number: int) -> list[bool]:
        copies = 500 // 16 + 1
        return [
            patiently(
                lambda: recording.enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(1))
            ).is_new
            for _ in range(copies)
        ]

    answers = [answer for one in in_threads(send, 16) for answer in one]
    assert len(answers) >= 500
    assert answers.count(True) == 1
    assert Hand.objects.count() == HandVersion.objects.count() == 1
    assert_in_order(game)


@pytest.mark.parametrize("editors", [2, 16])
def test_of_many_who_saw_one_version_one_corrects_it(editors: int) -> None:
    game = make_game()
    state = state_of(game)
    sent = HandSubmission(id=new_id(), number=1, text=chip_hand(state, (6, 3, 4, 0)))
    recording.enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(1))

    def correct(number: int) -> bool:
        text = chip_hand(state, (0, 0, 13, 0)) + f"; {number}\n".encode()
        correction = Correction(text=text, why="misread", revision=1)
        try:
            corrections.correct_hand(hand_id=sent.id, correction=correction, by=DIRECTOR, at=at(2))
        except StaleError:
            return False
        return True

    assert in_threads(correct, editors).count(True) == 1
    assert Hand.objects.get().current == 2
    assert_in_order(game)


def test_a_game_that_is_held_for_long_does_not_hold_others_for_ever() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite waits for 20 s, by its settings.")
    game = make_game()
    sent = HandSubmission(id=new_id(), number=1, text=chip_hand(state_of(game), (6, 3, 4, 0)))
    holds, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            lock(game.pk)
            holds.set()
            may_go.wait(30)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    assert holds.wait(10)
    begun = time.monotonic()
    with pytest.raises(OperationalError) as error:
        recording.enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(1))
    waited = time.monotonic() - begun
    may_go.set()
    holder.join()
    assert getattr(error.value.__cause__, "sqlstate", "") == LOCK_TIMEOUT
    assert 2.5 < waited < 6
    assert not Hand.objects.exists()
    recording.enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(1))
    assert_in_order(game)


def test_rows_that_name_a_locked_club_do_not_wait_for_it() -> None:
    # Otherwise whoever holds a game and opens an account would wait for a closing of another
    # game, which holds the club: slow, and where that one wants the same game, a deadlock.
    game = make_game()
    holds, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            lock_with_club(game.pk)
            holds.set()
            may_go.wait(30)
        connections.close_all()

    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time.")
    holder = threading.Thread(target=hold)
    holder.start()
    assert holds.wait(10)
    try:
        account = LedgerAccount.objects.create(club=game.club, holder=Holder.FUND, unit="EUR")
        Sitting.objects.create(
            game=game, seat=0, player=make_players(game.club, 1)[0], first=9, last=9
        )
    finally:
        may_go.set()
        holder.join()
    assert account.pk


def test_a_correction_and_a_confirmation_at_once_make_official_only_what_was_seen() -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    event = night.event.pk
    events.finish_event(event_id=event, version=None, by=DIRECTOR, at=at(60))
    events.publish_officially(event_id=event, version=None, by=DIRECTOR, at=at(5000))

    def adjust(number: int, minutes: int) -> None:
        adjust_score(
            event_id=event,
            entry=night.entries[number].pk,
            amount="-50",
            reason="Late.",
            by=DIRECTOR,
            at=at(minutes),
        )

    adjust(0, 5001)
    publish_all(night.clock)
    seen = find_latest(Scope.EVENT, event)
    first = find_current(Scope.EVENT, event).rows
    choice = AmendmentChoice(version=seen.version, reason="Late.")

    def decide(number: int) -> bool:
        if number == 0:
            patiently(lambda: adjust(1, 5002))
            return False
        try:
            patiently(
                lambda: events.confirm_amendment(
                    event_id=event, choice=choice, by=DIRECTOR, at=at(5003)
                )
            )
        except StaleError:
            return False
        return True

    confirmed = any(in_threads(decide, 4))
    found = find_current(Scope.EVENT, event)
    assert found.rows == (seen.rows if confirmed else first)
    assert StandingsDecision.objects.count() == 1 + confirmed
    publish_all(night.clock)
    assert find_current(Scope.EVENT, event).rows == found.rows
    pending = status_of(find_current(Scope.EVENT, event)).pending
    assert pending is not None
    assert not [wrong for pk in published_subjects() for wrong in look_at(pk)]
