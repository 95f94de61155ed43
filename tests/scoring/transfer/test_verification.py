"""`manage.py verify`: silent on good books, and one clear line for each thing that was damaged."""

import io
import re
from collections.abc import Callable

import pytest
import structlog
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from engine.record.rulings import Decision, Ruling
from scoring.games import money
from scoring.games.closing import Closing, close_game
from scoring.games.money import NewBooking
from scoring.hands import corrections, recording, rulings
from scoring.hands.corrections import Correction
from scoring.hands.papers import seal_of
from scoring.jobs import nightly
from scoring.models import AppealStep, EntryKind, Game, Hand, NightlyTask, PaperKind, SealedPaper
from scoring.settlement.changes import RulingRequest
from scoring.transfer.verifying import bundles, look_at_club, look_at_games, look_on
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_rules,
    seat,
    state_of,
)
from tests.unguarded import unguarded
from tournaments.models import Club

pytestmark = pytest.mark.django_db

TAKEN = ((6, 3, 4, 0), (0, 0, 0, 13), (1, 2, 10, 0), (13, 0, 0, 0), (3, 3, 3, 4), (5, 8, 0, 0))


@pytest.fixture(scope="module")
def full_night(module_db: None) -> Game:
    """A night with everything: words, a ruling, a correction, a rival, a hand that waits."""
    club = make_club()
    game = make_game(club, make_rules(club))
    hands = []
    for minute, taken in enumerate(TAKEN):
        hands.append(enter(game, chip_hand(state_of(game), taken), minutes=minute).hand)
    recording.confirm_hand(hand_id=hands[2].pk, version=1, by=seat(1), at=at(10))
    decree = RulingRequest(
        ruling=Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0)), facts="A card fell."
    )
    ruled = rulings.decide(hand_id=hands[3].pk, decree=decree, revision=1, by=DIRECTOR, at=at(11))
    step = AppealStep.PENDING
    rulings.appeal(
        ruling_id=ruled.decided.pk, step=step, text="It was mine.", by=seat(1), at=at(11)
    )
    booking = NewBooking(
        kind=EntryKind.FEE, player=game.sittings.all()[0].player_id, amount=500, note="Night"
    )
    money.enter_money(club_id=club.pk, entry=booking, by=DIRECTOR, at=at(11))
    paid = money.enter_money(club_id=club.pk, entry=booking, by=DIRECTOR, at=at(12))
    money.reverse_money(club_id=club.pk, entry=paid.pk, why="twice", by=DIRECTOR, at=at(12))
    fixed = chip_hand(state_of(game), (4, 5, 4, 0)) + b"; a slip\n"
    corrections.correct_hand(
        hand_id=hands[0].pk,
        correction=Correction(text=fixed, why="misread", revision=1),
        by=DIRECTOR,
        at=at(12),
    )
    enter(game, chip_hand(state_of(game), (0, 4, 4, 5)), number=5, by=seat(2), minutes=13)
    enter(game, chip_hand(state_of(game), (1, 1, 1, 10)), number=9, minutes=14)
    return game


@pytest.fixture
def game(full_night: Game, db: None) -> Game:
    return Game.objects.get(pk=full_night.pk)


def lines(game: Game) -> list[str]:
    found = [*look_at_games([game.pk]).differences, *look_at_club(game.club_id)]
    prefix = f"club {game.club_id}, "
    return [str(one).removeprefix(prefix).removeprefix(f"game {game.pk}, ") for one in found]


def damage(sql: str) -> Callable[[], None]:
    def act() -> None:
        with unguarded(), connection.cursor() as cursor:
            cursor.execute(sql)
            assert cursor.rowcount

    return act


def test_good_books_give_no_line(game: Game) -> None:
    looked = look_at_games([game.pk])
    assert (looked.games, looked.hands, looked.differences) == (1, game.hands, ())
    assert look_at_club(game.club_id) == ()


def test_an_empty_game_is_in_order() -> None:
    assert lines(make_game()) == []


FIRST = "(SELECT id FROM scoring_hand WHERE number = 1)"


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        ("UPDATE scoring_hand SET state = 'void' WHERE number = 2", "hand 2: state: kept void"),
        ("UPDATE scoring_hand SET certainty = 'provisional' WHERE number = 3", "hand 3: certainty"),
        ("UPDATE scoring_hand SET reason = 'so' WHERE number = 2", "hand 2: reason: kept 'so'"),
        (
            "UPDATE scoring_hand SET after = replace(after, '\"pot\":', '\"pot\":1')"
            " WHERE number = 2",
            "hand 2: pot after it: kept 1",
        ),
        (
            "UPDATE scoring_hand SET after = 'x' WHERE number = 2",
            "hand 2: state after it: kept 'x'",
        ),
        ("UPDATE scoring_hand SET state = 'ruled' WHERE number = 9", "hand 9: waiting hand"),
        ("UPDATE scoring_hand SET current = 1 WHERE number = 1", "hand 1: current version: kept 1"),
        ("UPDATE scoring_hand SET number = 8 WHERE number = 6", "hand numbers: kept 1-5, 8-9"),
        (
            "UPDATE scoring_handversion SET number = 3 WHERE number = 2",
            "hand 1: versions: kept 1, 3",
        ),
        (
            f"UPDATE scoring_handversion SET digest = 'x' WHERE hand_id = {FIRST}",
            "hand 1: digest of version 1",
        ),
        ('UPDATE scoring_decided SET ruling = \'{"decision":"WARNING"}\'', "hand 4: state"),
        (
            "UPDATE scoring_decided SET facts = facts || ' And a king.'",
            "and law: kept changed",
        ),
        ("UPDATE scoring_decided SET law = 'Law 1'", "and law: kept changed"),
        ("UPDATE scoring_decided SET \"by\" = 'somebody'", ": kept changed, right as in entry"),
        ("UPDATE scoring_decided SET trick = 3", ": kept changed, right as in entry"),
        ("UPDATE scoring_appeal SET text = 'never said'", "pending of ruling"),
        ("DELETE FROM scoring_appeal", ": kept deleted, right as in entry"),
        (
            "UPDATE scoring_transfer SET note = 'other' WHERE kind = 'FEE'",
            "money entered): kept no",
        ),
        ("UPDATE scoring_transfer SET amount = 9 WHERE kind = 'FEE'", "money entered): kept no"),
        (
            "UPDATE scoring_transfer SET note = 'other' WHERE note = 'twice'",
            "(money taken back): kept no",
        ),
        ("UPDATE scoring_decided SET ruling = '{}'", "records: kept KeyError"),
        ("UPDATE scoring_word SET agrees = NOT agrees", "hand 3: "),
        ("UPDATE scoring_game SET hands = 5, booked = 4", "hand 6: hands: kept 5"),
        ("UPDATE scoring_game SET booked = booked - 1", "hands in the books"),
        ("UPDATE scoring_game SET phase = 'over'", "phase: kept over, right open"),
        ("UPDATE scoring_game SET rules = 'x'", "records: kept "),
        (
            "UPDATE scoring_game SET state = replace(state, '\"deals\":', '\"deals\":1')",
            "deals for the next hand: kept 1",
        ),
        (
            "UPDATE scoring_transfer SET amount = amount + 1 WHERE kind = 'AWARD'",
            "right BID 3 from seat 2 to the pot",
        ),
        (
            "UPDATE scoring_transfer SET amount = amount + 1 WHERE kind = 'BUYIN'",
            "books of seat 1: kept",
        ),
        (
            f"DELETE FROM scoring_transfer WHERE reverses_id IS NOT NULL AND hand_id = {FIRST}",
            "hand 1: transfers: kept",
        ),
        (
            "UPDATE scoring_transfer SET amount = amount + 1 WHERE reverses_id IS NOT NULL",
            "kept of something else, right the opposite",
        ),
        (
            "UPDATE tournaments_auditentry SET why = 'because' WHERE number = 4",
            'trail of "Table 1", entry 4 (hand entered): kept changed',
        ),
        (
            "UPDATE tournaments_auditentry SET details = 'x' WHERE what = 'ruling'",
            "(ruling): kept changed, or out of its place",
        ),
        ("DELETE FROM tournaments_auditentry WHERE number = 4", "entry 5 (hand entered): kept"),
        (
            "UPDATE scoring_ledgeraccount SET unit = 'EUR' WHERE seat = 2",
            "sum of all accounts in EUR: kept",
        ),
        (
            "UPDATE tournaments_result SET score = score + 1 WHERE number = 1 AND seat = 2",
            "hand 1: score in the result of seat 3: kept",
        ),
        (
            "UPDATE tournaments_result SET board = 4 WHERE number = 2 AND seat = 0",
            "hand 2: board in the result of seat 1: kept 4, right None",
        ),
        ("DELETE FROM tournaments_result WHERE number = 2 AND seat = 0", "hand 2: results: kept 3"),
        ("DELETE FROM tournaments_result WHERE number = 2", "hand 2: results: kept 0 seats"),
        ("UPDATE tournaments_tablegame SET phase = 'over'", "phase in the results: kept over"),
        ("UPDATE tournaments_tablegame SET is_open = NOT is_open", "open in the results: kept"),
    ],
)
def test_each_damage_is_named(game: Game, sql: str, line: str) -> None:
    damage(sql)()
    found = lines(game)
    assert any(line in one for one in found), "\n".join(found)


def test_a_paper_that_does_not_fit_its_seal_is_named(game: Game) -> None:
    SealedPaper.objects.create(
        game=game,
        hand=1,
        seat=2,
        kind=PaperKind.INSURANCE,
        seal=seal_of("3", "c2b7e14a9d0f4c68"),
        sealed_at=at(),
        sealed_by="link",
        value="4",
        salt="c2b7e14a9d0f4c68",
        opened_at=at(1),
    )
    (line,) = lines(game)
    assert line.startswith("hand 1: seal of the insurance paper of seat 3: kept ")


def test_a_closing_that_moved_too_much_is_named(game: Game) -> None:
    corrections.correct_hand(
        hand_id=Hand.objects.get(game=game, number=5, rival=None).pk,
        correction=Correction(text=chip_hand(state_of(game), (3, 3, 3, 4)), why="asked both"),
        by=DIRECTOR,
        at=at(20),
    )
    closing = Closing(reason="it is late", leave_out=True)
    close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(30))
    assert lines(game) == []
    damage("UPDATE scoring_transfer SET amount = amount + 1 WHERE kind = 'RETURN'")()
    found = lines(game)
    assert any("stakes and closing: kept RETURN" in line for line in found), found


def test_a_scope_is_clubs_and_games(game: Game) -> None:
    other = make_game(make_club("Another"))
    assert [bundle.games for bundle in bundles()] == [(game.pk, other.pk)]
    assert [bundle.games for bundle in bundles([other.club_id])] == [(other.pk,)]
    assert [bundle.games for bundle in bundles([game.pk])] == [(game.pk,)]
    assert [bundle.games for bundle in bundles(after=game.pk)] == [(other.pk,)]


def test_the_nightly_round_goes_on_where_it_stopped(game: Game) -> None:
    other = make_game(make_club("Another"))
    damage(f"UPDATE scoring_game SET phase = 'over' WHERE name = '{other.name}'")()
    place, found, parts = "", "", 0
    while parts == 0 or place:
        place, found = look_on(place, found, seconds=0)
        parts += 1
    assert parts > 2
    assert found == f"2 games, {game.hands} hands, 2 differences."


def test_the_nightly_task_leaves_what_it_found(game: Game) -> None:
    damage("UPDATE scoring_game SET phase = 'over'")()
    nightly.plan(at=at())
    night = nightly.next_night(at())
    with structlog.testing.capture_logs() as logs:
        while nightly.run("verify books", lambda: night):
            pass
    task = NightlyTask.objects.get(name="verify books")
    assert task.outcome == f"1 games, {game.hands} hands, 1 differences."
    assert task.done_at == night
    (line,) = logs
    assert line["log_level"] == "error"
    assert "phase: kept over, right open" in line["difference"]


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        (
            "UPDATE scoring_hand SET entered_at = '2026-13-41 25:00' WHERE number = 2",
            "hand.entered_at",
        ),
        ("UPDATE scoring_game SET state = CAST(x'ff' AS TEXT)", "game.state"),
        (
            "UPDATE tournaments_auditentry SET club_id = 'x' WHERE number = 4",
            "auditentry.club_id",
        ),
        ("UPDATE tournaments_result SET fits = 'x' WHERE number = 1 AND seat = 2", ""),
        ("UPDATE scoring_game SET state = 'x'", ""),
        ("UPDATE scoring_game SET start = '{}'", ""),
    ],
)
def test_a_value_that_cannot_be_read_is_named_and_the_others_are_looked_at(
    game: Game, sql: str, value: str
) -> None:
    """SQLite takes any value in any column; an older program or a bad disk may have left one."""
    is_text = "SET state = 'x'" in sql or "SET start" in sql
    if connection.vendor != "sqlite" and not is_text:
        value, sql = "", "UPDATE scoring_game SET state = 'x'"
    damage(sql)()
    other = make_game(Club.objects.get())
    looked = look_at_games([game.pk, other.pk])
    assert looked.games == 2
    assert looked.differences
    assert {one.game for one in looked.differences} == {game.pk}
    if value:
        (difference,) = looked.differences
        table, field = value.split(".")
        assert re.fullmatch(rf"table \w+_{table}, row \w+, field {field}", difference.what)
    assert look_at_club(other.club_id) is not None
    out = io.StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("verify", stdout=out, stderr=out)
    assert exit_.value.code == 1
    assert "difference" in out.getvalue().splitlines()[-1]


def test_postgresql_takes_no_damaged_identifier(game: Game) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite takes any value: the next test is about that.")
    with pytest.raises(DatabaseError), transaction.atomic():
        damage("UPDATE tournaments_auditentry SET club_id = 'x' WHERE number = 4")()


def test_a_game_with_a_damaged_identifier_is_named_by_its_club(game: Game) -> None:
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL takes no damaged identifier: the test above proves it.")
    other = make_game(Club.objects.get(), make_rules(Club.objects.get()))
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("PRAGMA defer_foreign_keys = ON")
        cursor.execute("UPDATE scoring_game SET id = 'broken' WHERE id = %s", [other.pk.hex])
        assert [bundle.games for bundle in bundles()] == [(game.pk,)]
        lines = [str(one) for one in look_at_club(game.club_id)]
        assert any("table scoring_game, row broken, field id" in line for line in lines)
        cursor.execute("UPDATE scoring_game SET id = %s WHERE id = 'broken'", [other.pk.hex])
