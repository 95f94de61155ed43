"""Tampering with the database past its guards: `verify` names what was touched."""

import pytest
from django.db import connection

from scoring.models import Game
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.scoring.club import chip_hand, enter, make_club, make_game, state_of
from tests.tournaments.night import make_event
from tests.unguarded import unguarded
from tournaments import audit
from tournaments.models import AuditEntry, Event, Trail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    club = make_club()
    make_event(club)
    game = make_game(club)
    for minute, taken in enumerate([(6, 3, 4, 0), (0, 0, 0, 13), (1, 2, 10, 0)]):
        enter(game, chip_hand(state_of(game), taken), minutes=minute)
    game.refresh_from_db()
    return game


def differences(game: Game) -> list[str]:
    return [
        str(one) for one in (*look_at_games([game.pk]).differences, *look_at_club(game.club_id))
    ]


def damage(sql: str, *values: str | int) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount


def chain_of(row: Game | Event) -> str:
    return row.pk.hex if connection.vendor == "sqlite" else str(row.pk)


def test_trails_that_nobody_touched_give_no_line(game: Game) -> None:
    assert differences(game) == []
    for trail in Trail.objects.all():
        entries = AuditEntry.objects.filter(chain=trail.chain)
        assert entries.count() == trail.length


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "DELETE FROM tournaments_auditentry WHERE chain = %s AND number > 2",
            "kept 2 entries: it was cut, right 4 entries",
        ),
        (
            "DELETE FROM tournaments_auditentry WHERE chain = %s",
            "kept no entry: it was deleted, right 4 entries",
        ),
        (
            "DELETE FROM tournaments_trail WHERE chain = %s",
            "kept no length of it, right one that was written down",
        ),
        (
            "UPDATE tournaments_trail SET length = 3 WHERE chain = %s",
            "kept 4 entries: some were added from outside, right 3 entries",
        ),
        (
            "UPDATE tournaments_trail SET digest = 'x' WHERE chain = %s",
            ", entry 4, the last: kept rewritten",
        ),
    ],
)
def test_a_trail_of_a_game_that_was_cut_or_deleted_is_named(
    game: Game, sql: str, said: str
) -> None:
    damage(sql, chain_of(game))
    (line,) = differences(game)
    assert f'game {game.pk}: trail of "{game.name}"' in line
    assert said in line


def test_a_trail_that_was_rewritten_with_fitting_digests_is_named(game: Game) -> None:
    before = audit.FIRST_DIGEST
    for entry in AuditEntry.objects.filter(chain=game.pk).order_by("number"):
        entry.by, entry.before = "somebody else", before
        before = audit.digest_of(entry)
        damage(
            'UPDATE tournaments_auditentry SET "by" = %s, before = %s, digest = %s WHERE id = %s',
            entry.by,
            entry.before,
            before,
            entry.pk,
        )
    (line,) = differences(game)
    assert ", entry 4, the last: kept rewritten" in line


def test_a_trail_of_an_event_is_named_with_the_event(game: Game) -> None:
    event = Event.objects.get()
    damage("DELETE FROM tournaments_auditentry WHERE chain = %s", chain_of(event))
    (line,) = differences(game)
    assert f'trail of event "{event.name}" ({event.pk}): kept no entry: it was deleted' in line
    damage("DELETE FROM tournaments_trail WHERE chain = %s", chain_of(event))
    (line,) = differences(game)
    assert f'trail of event "{event.name}" ({event.pk}): kept no length of it' in line


def test_what_is_done_after_a_cut_does_not_hide_it(game: Game) -> None:
    damage("DELETE FROM tournaments_auditentry WHERE chain = %s AND number > 2", chain_of(game))
    enter(game, chip_hand(state_of(game), (3, 3, 3, 4)), minutes=9)
    (line,) = differences(game)
    assert "entry 5 (hand entered): kept changed, or out of its place" in line
