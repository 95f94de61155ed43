"""Looking before the lock: what was seen counts as long as the game is of the same version."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import recording
from scoring.models import Game, Hand
from scoring.recording import Seen
from scoring.sent import Sent
from tests.scoring.club import at, chip_hand, enter, make_game, seat, state_of
from tournaments.identifiers import new_id

pytestmark = pytest.mark.django_db


def look(game: Game, sent: Sent) -> Seen | None:
    return recording.look(Game.objects.select_related("club").get(pk=game.pk), sent)


def first_hand(game: Game) -> Sent:
    return Sent(id=new_id(), number=1, text=chip_hand(state_of(game), (5, 4, 4, 0)))


def send(game: Game, sent: Sent, seen: Seen | None, number: int = 0) -> recording.Recorded:
    return enter(game, sent.text, number=sent.number, id_=sent.id, seen=seen, by=seat(number))


def test_a_hand_that_was_seen_again_is_not_judged_again_under_the_lock() -> None:
    game = make_game()
    sent = first_hand(game)
    stands = send(game, sent, None)
    seen = look(game, sent)
    with CaptureQueriesContext(connection) as asked:
        again = send(game, sent, seen)
    assert not again.is_new
    assert again.played is not None
    assert stands.played is not None
    assert again.played.after == stands.played.after
    tables = [query["sql"] for query in asked if "scoring_" in query["sql"]]
    assert [("scoring_game" in sql) for sql in tables] == [True]


def test_what_was_seen_before_somebody_else_wrote_does_not_count() -> None:
    game = make_game()
    sent = first_hand(game)
    seen = look(game, sent)
    send(game, sent, None)
    again = send(game, sent, seen)
    assert not again.is_new
    stale = look(game, sent)
    recording.confirm_hand(hand_id=sent.id, version=1, by=seat(2), at=at(5))
    assert send(game, sent, stale).hand.certainty == "confirmed"


def test_two_copies_of_a_second_record_are_one() -> None:
    """The second record says what the first one says, so that nothing is settled anew."""
    game = make_game()
    sent = first_hand(game)
    send(game, sent, None)
    rival = Sent(id=new_id(), number=1, text=sent.text)
    seen = look(game, rival)
    kept = send(game, rival, seen)
    again = send(game, rival, seen)
    assert kept.hand == again.hand
    assert (kept.is_new, again.is_new) == (True, False)
    assert Hand.objects.filter(game=game).count() == 2


def test_only_the_lock_tells_what_is_wrong_with_a_hand_that_is_known() -> None:
    game = make_game()
    sent = first_hand(game)
    send(game, sent, None)
    other = Sent(id=sent.id, number=1, text=b"something else")
    assert look(game, other) is None
    with pytest.raises(recording.OtherContentError):
        send(game, other, look(game, other))
