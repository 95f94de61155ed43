"""A hand that was sent before is answered without a lock, as of one moment of its game."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.hands import recording
from scoring.hands.submission import HandSubmission
from scoring.models import Game
from tests.api.desk import Night, taken
from tests.scoring.club import at, chip_hand, enter, make_game, seat, state_of
from tournaments.core.ids import new_id
from tournaments.models import AnsweredRequest

pytestmark = pytest.mark.django_db


def first_hand(game: Game) -> HandSubmission:
    return HandSubmission(id=new_id(), number=1, text=chip_hand(state_of(game), (5, 4, 4, 0)))


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def send(game: Game, sent: HandSubmission) -> recording.RecordedHand:
    return enter(game, sent.text, number=sent.number, id_=sent.id)


def test_it_stands_as_the_lock_would_tell() -> None:
    game = make_game()
    sent = first_hand(game)
    assert recording.find_repeated_hand(now(game), sent) is None
    send(game, sent)
    recording.confirm_hand(hand_id=sent.id, version=1, by=seat(2), at=at(5))
    known, again = recording.find_repeated_hand(now(game), sent), send(game, sent)
    assert known is not None
    assert not known.is_new
    assert known.hand.certainty == again.hand.certainty == "confirmed"
    assert known.played is not None
    assert again.played is not None
    assert known.played.after == again.played.after


@pytest.mark.parametrize(
    "other",
    [{"text": b"something else"}, {"number": 2}, {"game": "another"}],
    ids=["another record", "another number", "another game"],
)
def test_only_the_lock_tells_what_is_wrong_with_a_hand_that_is_known(other: dict[str, Any]) -> None:
    game = make_game()
    sent = first_hand(game)
    send(game, sent)
    changed = HandSubmission(
        id=sent.id, number=other.get("number", 1), text=other.get("text", sent.text)
    )
    where = make_game() if "game" in other else game
    assert recording.find_repeated_hand(now(where), changed) is None


def test_a_game_that_has_changed_since_it_was_read_is_left_to_the_lock() -> None:
    game = make_game()
    sent = first_hand(game)
    send(game, sent)
    read = now(game)
    recording.confirm_hand(hand_id=sent.id, version=1, by=seat(2), at=at(5))
    assert recording.find_repeated_hand(read, sent) is None
    assert recording.find_repeated_hand(now(game), sent) is not None


def test_three_of_four_phones_write_nothing_but_their_answers() -> None:
    night = Night()
    hand = {"id": str(new_id()), "number": 1}
    hand["result"] = {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")}
    path = f"games/{night.game['id']}/hands"
    first = night.desk.post(path, hand)
    with CaptureQueriesContext(connection) as asked:
        again = night.desk.post(path, hand)
    assert (first.status, again.status) == (201, 200)
    assert again.data == first.data
    written = [sql["sql"] for sql in asked if not sql["sql"].startswith("SELECT")]
    assert [sql.split('"')[1] for sql in written] == [AnsweredRequest._meta.db_table]
    assert AnsweredRequest.objects.latest("id").status == 200
