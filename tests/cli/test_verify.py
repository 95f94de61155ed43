"""`manage.py verify` in the terminal: what it says, and its exit status."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.scoring.club import chip_hand, enter, make_game, state_of
from tests.unguarded import unguarded

pytestmark = pytest.mark.django_db


def verify(*words: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    status = 0
    try:
        call_command("verify", *words, stdout=out, stderr=err)
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, out.getvalue(), err.getvalue()


def test_good_books_are_one_line_and_status_0() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (6, 3, 4, 0)))
    assert verify() == (0, "1 game, 1 hand: no difference.\n", "")
    assert verify(str(game.pk), "--quiet") == (0, "", "")
    assert verify(str(game.club_id)) == (0, "1 game, 1 hand: no difference.\n", "")


def test_each_difference_is_a_line_and_the_status_is_1() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (6, 3, 4, 0)))
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_hand SET state = 'void', certainty = 'official'")
    status, out, err = verify()
    assert (status, err) == (1, "")
    first, second, last = out.splitlines()
    hand = f"club {game.club_id}, game {game.pk}, hand 1"
    assert first == f"{hand}: state: kept void, right accepted"
    assert second == f"{hand}: certainty: kept official, right provisional"
    assert last == "1 game, 1 hand: 2 differences."


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("Leiden", "verify: Leiden is no identifier of a club or a game\n"),
        (
            "01a1fe25-0caf-7728-89c6-08c206ca9bcd",
            "verify: there is no club and no game 01a1fe25-0caf-7728-89c6-08c206ca9bcd\n",
        ),
    ],
)
def test_what_does_not_exist_is_a_mistake_in_the_call(word: str, said: str) -> None:
    assert verify(word) == (2, "", said)


def test_a_database_of_an_older_version_is_said_to_be_one_before_anything_is_read() -> None:
    MigrationRecorder.Migration.objects.filter(app="scoring").delete()
    status, out, err = verify()
    assert (status, out) == (2, "")
    assert err.startswith("verify: The database is of an older version: ")
    assert "the first is scoring.0001_" in err
