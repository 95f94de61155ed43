"""A record that calls its hand by another number than it has at the table: a word, no dispute."""

from collections.abc import Sequence

import pytest

from engine.core.faults import Severity
from engine.notation import Diagnostic
from scoring.models import Game, Hand, State
from scoring.settlement import plan
from tests.scoring.club import chip_hand, enter, make_game, state_of
from tests.tournaments.events.test_boards import prepared
from tests.tournaments.night import draw, make_night, start

pytestmark = pytest.mark.django_db
TAKEN = [4, 4, 4, 1]


def numbered(game: Game, board: str, taken: Sequence[int] = TAKEN) -> bytes:
    return chip_hand(state_of(game), taken).replace(b"[Variant", f"{board}[Variant".encode(), 1)


def words(game: Game, hand: Hand) -> list[Diagnostic]:
    found = plan.judge_recorded_hand(game, hand).judged.entry.diagnostics
    return [one for one in found if one.rule == "T21"]


def test_another_number_is_told_at_its_line_and_column_and_the_hand_counts() -> None:
    game = make_game()
    hand = enter(game, numbered(game, '[Board "7"]\n')).hand
    assert (hand.state, hand.reason) == (State.ACCEPTED, "")
    (told,) = words(game, hand)
    assert (told.line, told.col, told.end_col, told.tag) == (2, 9, 10, "Board")
    assert told.severity is Severity.WARNING
    assert told.message == "this is hand 1 of the game, not 7"


@pytest.mark.parametrize("board", ['[Board "1"]\n', '[Board "?"]\n', '[Board ""]\n', ""])
def test_the_right_number_or_none_is_fine(board: str) -> None:
    game = make_game()
    hand = enter(game, numbered(game, board)).hand
    assert hand.state == State.ACCEPTED
    assert not words(game, hand)


def test_a_number_that_is_none_at_all_stays_a_dispute() -> None:
    game = make_game()
    hand = enter(game, numbered(game, '[Board "x"]\n')).hand
    assert hand.state == State.DISPUTED
    assert [one.severity for one in words(game, hand)] == [Severity.ERROR]


def test_where_boards_are_prepared_the_number_may_be_that_of_the_board() -> None:
    _, game = start(prepared(), 1)
    table = game.table
    assert table is not None
    table.boards = [5, 6]
    table.save(update_fields=["boards"])
    # As it was opened before boards began alike: its hands count from 1 in each round.
    game.boards_alike = False
    game.save(update_fields=["boards_alike"])
    hands = [
        enter(game, numbered(game, f'[Board "{written}"]\n', taken)).hand
        for written, taken in ((5, TAKEN), (2, [5, 4, 3, 1]))
    ]
    assert [words(game, hand) for hand in hands] == [[], []]


def test_where_boards_are_prepared_the_number_is_not_that_of_any_other() -> None:
    game = start(prepared(), 1)[0]
    hand = enter(game, numbered(game, '[Board "9"]\n')).hand
    (told,) = words(game, hand)
    assert told.message == "this is hand 1 of the game, not 9; its board is 1"


def test_an_event_without_prepared_boards_numbers_its_hands() -> None:
    event = make_night(4, rounds=1, hands=4)
    draw(event)
    (game,) = start(event, 1)
    assert words(game, enter(game, numbered(game, '[Board "2"]\n')).hand)
