"""A crash after each statement of each use case: all of it happened, or nothing did."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from engine.record.rulings import Decision, Ruling
from scoring.hands import agreements, corrections, recording, rulings
from scoring.hands.corrections import Correction, RivalChoice
from scoring.hands.submission import HandSubmission
from scoring.hands.table_choices import TableChoice
from scoring.models import Game, Hand
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_game, seat, state_of
from tournaments.core.ids import new_id

pytestmark = pytest.mark.django_db

TAKEN = ((6, 3, 4, 0), (0, 0, 0, 13), (1, 2, 10, 0), (13, 0, 0, 0))
_SAVEPOINTS = ("SAVEPOINT", "RELEASE", "ROLLBACK")
STATEMENTS_MAX = 200


class CrashError(Exception):
    """What the process would have died of."""


class Fuse:
    """Lets so many statements through and then burns."""

    def __init__(self, statements: int) -> None:
        self.left = statements

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(_SAVEPOINTS):
            if self.left == 0:
                raise CrashError
            self.left -= 1
        return execute(sql, *rest)


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of ours."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if table.startswith(("scoring_", "tournaments_")):
                cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
                found[table] = cursor.fetchall()
    return found


@pytest.fixture
def game() -> Game:
    game = make_game()
    for minute, taken in enumerate(TAKEN):
        enter(game, chip_hand(state_of(game), taken), minutes=minute)
    enter(game, chip_hand(state_of(game), (5, 8, 0, 0)), number=6)
    enter(game, chip_hand(state_of(game), (1, 1, 1, 10)), number=2, by=seat(2))
    game.refresh_from_db()
    return game


def enter_the_next(game: Game) -> None:
    sent = HandSubmission(id=new_id(), number=5, text=chip_hand(state_of(game), (0, 13, 0, 0)))
    recording.enter_hand(game_id=game.pk, sent=sent, by=seat(1), at=at(20))


def enter_a_rival(game: Game) -> None:
    sent = HandSubmission(id=new_id(), number=1, text=chip_hand(state_of(game), (0, 13, 0, 0)))
    recording.enter_hand(game_id=game.pk, sent=sent, by=seat(1), at=at(20))


def confirm(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=4, rival=None)
    recording.confirm_hand(hand_id=hand.pk, version=1, by=seat(1), at=at(20))


def object_to(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=1, rival=None)
    agreements.object_to_hand(hand_id=hand.pk, version=1, why="no", by=seat(1), at=at(20))


def rule(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=1, rival=None)
    ruling = Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0))
    decree = RulingRequest(ruling=ruling, policy=Policy.LET_STAND)
    rulings.decide(hand_id=hand.pk, decree=decree, revision=1, by=DIRECTOR, at=at(20))


def correct(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=1, rival=None)
    text = chip_hand(state_of(game), (0, 0, 0, 13)) + b"; a slip\n"
    correction = Correction(text=text, why="misread", revision=1, policy=Policy.LET_STAND)
    corrections.correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(20))


def choose(game: Game) -> None:
    rival = Hand.objects.get(game=game, number=2, rival__isnull=False)
    corrections.choose_record(
        rival_id=rival.pk, choice=RivalChoice(keep=False, why="both"), by=DIRECTOR, at=at(20)
    )


def take_back(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=6, rival=None)
    agreements.take_back_hand(hand_id=hand.pk, version=1, by=seat(0), at=at(20))


def tell_otherwise(game: Game) -> None:
    hand = Hand.objects.get(game=game, number=1, rival=None)
    text = chip_hand(state_of(game), (0, 13, 0, 0))
    submission = HandSubmission(id=new_id(), number=1, text=text)
    agreements.object_to_hand(
        hand_id=hand.pk, version=1, why="no", submission=submission, by=seat(1), at=at(20)
    )


def agree(game: Game) -> None:
    rival = Hand.objects.get(game=game, number=2, rival__isnull=False)
    agreements.settle_at_table(
        hand_id=rival.pk, version=1, choice=TableChoice.FIRST, by=seat(2), at=at(20)
    )


ACTIONS = (
    *(enter_the_next, enter_a_rival, confirm, object_to, rule, correct, choose),
    *(take_back, tell_otherwise, agree),
)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action.__name__))
def test_a_crash_after_any_statement_leaves_everything_as_it_was(
    game: Game, action: Callable[[Game], None]
) -> None:
    before = everything()
    points = 0
    for points in range(STATEMENTS_MAX):
        try:
            with connection.execute_wrapper(Fuse(points)):
                action(game)
        except CrashError:
            assert everything() == before, points
        else:
            break
    assert points > 3
    assert everything() != before
    found = [*look_at_games([game.pk]).differences, *look_at_club(game.club_id)]
    assert not found, "\n".join(map(str, found))
