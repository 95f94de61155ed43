"""What the database itself refuses, asked in plain SQL, past every use case."""

import random
from collections.abc import Sequence
from importlib import import_module
from uuid import UUID

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from engine.record.rulings import Decision, Ruling
from scoring.hands import recording, rulings
from scoring.migrations._triggers import GUARDS
from scoring.models import (
    Appeal,
    AppealStep,
    Decided,
    Game,
    Hand,
    HandVersion,
    Holder,
    Word,
)
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.settlement.changes import RulingRequest
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_club, make_game, seat, state_of
from tests.unguarded import unguarded
from tournaments.migrations._triggers import missing
from tournaments.models import AuditEntry, Trail

pytestmark = pytest.mark.django_db

APPEND_ONLY: Sequence[type[Model]] = (HandVersion, Word, Decided, Appeal, Transfer, AuditEntry)


@pytest.fixture
def game() -> Game:
    """A game with two hands, a word, a ruling and an appeal: a row in every guarded table."""
    game = make_game()
    first = enter(game, chip_hand(state_of(game), (6, 3, 4, 0)), by=seat(0)).hand
    enter(game, chip_hand(state_of(game), (0, 0, 0, 13)), by=seat(0))
    recording.confirm_hand(hand_id=first.pk, version=1, by=seat(1), at=at(2))
    decree = RulingRequest(ruling=Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0)))
    ruled = rulings.decide(hand_id=first.pk, decree=decree, by=DIRECTOR, at=at(3))
    rulings.appeal(
        ruling_id=ruled.decided.pk, step=AppealStep.PENDING, text="no", by=seat(1), at=at(4)
    )
    return game


def refused(sql: str, *values: int | str | UUID) -> str:
    """What the database says; fails if it does it."""
    with (
        pytest.raises(IntegrityError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql, values)
    return str(error.value)


def columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def test_every_guard_stands_after_the_last_migration() -> None:
    # A migration that makes a table of SQLite anew forgets them: it must set them again.
    audit = import_module("tournaments.migrations.0002_guards").GUARDS
    trails = import_module("tournaments.migrations.0052_lengths_of_trails").GUARDS
    assert missing([*GUARDS, *audit, *trails], connection) == []


def test_a_trail_only_ever_gets_longer(game: Game) -> None:
    assert Trail.objects.filter(chain=game.pk).exists()
    for change in ("length = length - 1", "length = length", "club_id = chain"):
        assert "never_gets_shorter" in refused(f"UPDATE tournaments_trail SET {change}")
    assert "is_never_removed" in refused("DELETE FROM tournaments_trail")


@pytest.mark.parametrize("model", APPEND_ONLY)
def test_a_row_on_record_cannot_be_changed_or_removed(game: Game, model: type[Model]) -> None:
    table = model._meta.db_table
    assert model._default_manager.exists(), game
    for column in columns(model):
        assert "is_never_changed" in refused(f"UPDATE {table} SET {column} = {column}")
    assert "is_never_removed" in refused(f"DELETE FROM {table}")
    row = model._default_manager.first()
    assert row is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        model._default_manager.all()._raw_delete(using="default")


@pytest.mark.parametrize("model", [*APPEND_ONLY, Hand])
def test_a_row_on_record_cannot_be_replaced(game: Game, model: type[Model]) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("Only SQLite replaces rows.")
    names = ", ".join(columns(model))
    table = model._meta.db_table
    said = refused(f"INSERT OR REPLACE INTO {table} ({names}) SELECT {names} FROM {table}")
    assert "is_never_replaced" in said


@pytest.mark.parametrize("model", APPEND_ONLY)
def test_a_table_on_record_cannot_be_emptied(game: Game, model: type[Model]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE.")
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {model._meta.db_table} CASCADE")


@pytest.mark.parametrize("column", ["id", "game_id", "number"])
def test_a_hand_stays_where_it_was_entered(game: Game, column: str) -> None:
    other = make_game(make_club("Another"))
    key = other.pk.hex if connection.vendor == "sqlite" else other.pk
    value = 7 if column == "number" else key
    said = refused(f"UPDATE scoring_hand SET {column} = %s WHERE number = 1", value)
    assert "a_hand_keeps_its_place" in said
    assert "a_hand_is_never_removed" in refused("DELETE FROM scoring_hand")


def test_the_rules_of_a_game_stay_what_they_were_from_the_first_hand_on(game: Game) -> None:
    unplayed = make_game(make_club("Another"))
    unplayed.rules = "{}"
    unplayed.save()
    for change in ("rules = '{}'", "digest = ''", "frozen_at = NULL", "players = 5"):
        assert "frozen" in refused(f"UPDATE scoring_game SET {change}")
    game.refresh_from_db()
    game.name = "Another name"
    game.save()


def accounts_by_place() -> dict[tuple[str, str], list[int]]:
    """The accounts of the books, by club and unit."""
    found: dict[tuple[str, str], list[int]] = {}
    for account in LedgerAccount.objects.order_by("id"):
        found.setdefault((str(account.club_id), account.unit), []).append(account.pk)
    return found


def add_transfer(payer: int, payee: int, amount: int, reverses: int | None = None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO scoring_transfer (kind, game_id, payer_id, payee_id, amount, reverses_id,"
            " note, \"by\", at) SELECT 'AWARD', COALESCE(a.game_id, b.game_id), a.id, b.id, %s, %s,"
            " '', 'sql', %s FROM scoring_ledgeraccount a, scoring_ledgeraccount b"
            " WHERE a.id = %s AND b.id = %s",
            [amount, reverses, timezone.now(), payer, payee],
        )


def test_a_thousand_transfers_at_random_and_only_those_that_balance_are_taken(game: Game) -> None:
    dice = random.Random(3)
    other = make_game(make_club("Another"))
    for club, unit in ((game.club, "EUR"), (game.club, "USD"), (other.club, "EUR")):
        for holder in (Holder.FUND, Holder.TILL):
            LedgerAccount.objects.create(club=club, holder=holder, unit=unit)
    accounts = list(LedgerAccount.objects.order_by("id"))
    taken = refusals = 0
    for _ in range(1000):
        payer, payee = dice.choice(accounts), dice.choice(accounts)
        amount = dice.choice([-5, 0, 1, 7])
        fits = (payer.club_id, payer.unit) == (payee.club_id, payee.unit)
        fits = fits and len({payer.game_id, payee.game_id} - {None}) < 2
        if fits and payer != payee and amount > 0:
            add_transfer(payer.pk, payee.pk, amount)
            taken += 1
            continue
        with pytest.raises(IntegrityError):
            add_transfer(payer.pk, payee.pk, amount)
        refusals += 1
    assert taken > 50
    assert refusals > 500


def test_a_thousand_changes_at_random_and_nothing_is_changed(game: Game) -> None:
    dice = random.Random(4)
    before = [list(model._default_manager.order_by("pk").values()) for model in APPEND_ONLY]
    for _ in range(1000):
        model = dice.choice(APPEND_ONLY)
        table, column = model._meta.db_table, dice.choice(columns(model))
        row = dice.choice(list(model._default_manager.values_list("pk", flat=True)))
        key = row.hex if connection.vendor == "sqlite" and isinstance(row, UUID) else row
        if dice.random() < 0.3:
            refused(f"DELETE FROM {table} WHERE id = %s", key)
        else:
            refused(f"UPDATE {table} SET {column} = {column} WHERE id = %s", key)
    assert before == [list(model._default_manager.order_by("pk").values()) for model in APPEND_ONLY]


def test_a_reversal_is_the_opposite_and_there_is_one(game: Game) -> None:
    first = Transfer.objects.filter(game=game, reverses=None, reversed_by=None).first()
    assert first is not None
    for payer, payee, amount in (
        (first.payer_id, first.payee_id, first.amount),
        (first.payee_id, first.payer_id, first.amount + 1),
    ):
        with pytest.raises(IntegrityError, match="opposite"):
            add_transfer(payer, payee, amount, first.pk)
    add_transfer(first.payee_id, first.payer_id, first.amount, first.pk)
    with pytest.raises(IntegrityError):
        add_transfer(first.payee_id, first.payer_id, first.amount, first.pk)
    again = Transfer.objects.get(reverses=first)
    with pytest.raises(IntegrityError, match="opposite"):
        add_transfer(first.payer_id, first.payee_id, first.amount, again.pk)


def test_one_wrong_transfer_among_many_and_none_of_them_is_taken(game: Game) -> None:
    other = make_game(make_club("Another"))
    euros = [
        LedgerAccount.objects.create(club=game.club, holder=holder, unit="EUR")
        for holder in (Holder.FUND, Holder.TILL)
    ]
    away = LedgerAccount.objects.create(club=other.club, holder=Holder.FUND, unit="EUR")
    theirs = LedgerAccount.objects.filter(game=other).order_by("id")[:2]
    mine = LedgerAccount.objects.filter(game=game).order_by("id")[:2]
    hand = Hand.objects.filter(game=game).latest("number")
    none, far = "", "stays_in_its_game"
    rows = {
        "right": (mine[0], mine[1], game, hand, none),
        "in no hand": (mine[0], mine[1], game, None, none),
        "in no game": (euros[0], euros[1], None, None, none),
        "unit": (mine[0], euros[0], game, hand, "club_and_unit"),
        "club": (euros[0], away, None, None, "club_and_unit"),
        "their game": (mine[0], mine[1], other, None, far),
        "no game for chips": (mine[0], mine[1], None, None, far),
        "no game for a hand": (euros[0], euros[1], None, hand, far),
        "hand of another": (theirs[0], theirs[1], other, hand, far),
        "game of another club": (euros[0], euros[1], other, None, far),
    }
    before = Transfer.objects.count()
    for why, (payer, payee, of, at_hand, words) in rows.items():
        many = [
            Transfer(
                game=of if number == 3 else game,
                hand=at_hand if number == 3 else hand,
                kind="AWARD",
                payer=payer if number == 3 else mine[0],
                payee=payee if number == 3 else mine[1],
                amount=1,
                by="sql",
                at=timezone.now(),
            )
            for number in range(5)
        ]
        if words:
            with pytest.raises(IntegrityError, match=words), transaction.atomic():
                Transfer.objects.bulk_create(many)
            assert Transfer.objects.count() == before, why
        else:
            Transfer.objects.bulk_create(many)
            before += len(many)


def test_an_account_keeps_its_club_and_its_unit(game: Game) -> None:
    assert "keeps_its_club" in refused("UPDATE scoring_ledgeraccount SET unit = 'EUR'")
    assert "never_removed" in refused("DELETE FROM scoring_ledgeraccount")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", [1, 2])
def test_a_test_that_commits_leaves_nothing_and_the_guards_stand(time: int) -> None:
    assert not Transfer.objects.exists(), time
    game = make_game()
    assert Transfer.objects.filter(game=game).exists()
    assert "never_changed" in refused("UPDATE scoring_transfer SET amount = 1")
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_transfer SET amount = 1")
    assert "never_changed" in refused("UPDATE scoring_transfer SET amount = 2")
