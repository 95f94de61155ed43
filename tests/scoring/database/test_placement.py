"""What the database keeps in its place: transfers in their game, papers sealed, sittings kept."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from scoring.models import Game, Hand, Holder, PaperKind, SealedPaper, Sitting
from scoring.models.transfer import LedgerAccount
from tests.scoring.club import at, chip_hand, enter, make_club, make_game, state_of

pytestmark = pytest.mark.django_db


def key(row: UUID | None) -> Any:
    return row.hex if row is not None and connection.vendor == "sqlite" else row


def refused(sql: str, values: Sequence[Any] = ()) -> str:
    """What the database says; fails if it does it."""
    with (
        pytest.raises(IntegrityError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql, values)
    return str(error.value)


INSERT = (
    "INSERT INTO scoring_transfer (kind, payer_id, payee_id, amount, game_id, hand_id, note,"
    " \"by\", at) VALUES ('AWARD', %s, %s, 1, %s, %s, '', 'sql', %s)"
)


def transfer(
    payer: LedgerAccount, payee: LedgerAccount, game: Game | None, hand: Hand | None = None
) -> list[Any]:
    places = [key(None if game is None else game.pk), key(None if hand is None else hand.pk)]
    return [payer.pk, payee.pk, *places, timezone.now()]


def seat_of(game: Game, seat: int) -> LedgerAccount:
    return LedgerAccount.objects.get(game=game, seat=seat)


def played(game: Game) -> Hand:
    return enter(game, chip_hand(state_of(game), (6, 3, 4, 0))).hand


def test_a_transfer_stays_in_its_game() -> None:
    club = make_club()
    game, other, abroad = make_game(club), make_game(club), make_game(make_club("Another"))
    north, east = seat_of(game, 0), seat_of(game, 1)
    fund, till = (
        LedgerAccount.objects.create(club=club, holder=holder, unit="chips")
        for holder in (Holder.FUND, Holder.TILL)
    )
    mine, theirs = played(game), played(other)
    for values in (
        transfer(north, seat_of(other, 1), game),
        transfer(north, seat_of(other, 1), other),
        transfer(north, east, None),
        transfer(north, east, other),
        transfer(north, fund, other),
        transfer(fund, north, None),
        transfer(north, east, game, theirs),
        transfer(fund, till, None, mine),
        transfer(fund, till, abroad),
    ):
        assert "a_transfer_stays_in_its_game" in refused(INSERT, values)
    with connection.cursor() as cursor:
        for values in (
            transfer(north, east, game, mine),
            transfer(north, fund, game),
            transfer(fund, till, None),
            transfer(fund, till, game),
        ):
            cursor.execute(INSERT, values)


def test_a_transfer_is_between_accounts_that_are_there_of_a_game_and_hand_that_are() -> None:
    game = make_game()
    north, east, nobody = seat_of(game, 0), seat_of(game, 1), LedgerAccount(pk=99_999)
    nowhere, never = Game(), Hand()
    for values, said in (
        (transfer(nobody, east, game), "in_its_club_and_unit"),
        (transfer(north, nobody, game), "in_its_club_and_unit"),
        (transfer(north, east, nowhere), "in_its_game"),
        (transfer(north, east, game, never), "in_its_game_with_its_hand"),
    ):
        assert f"a_transfer_stays_{said}" in refused(INSERT, values)


def test_what_transfers_speak_of_is_never_removed() -> None:
    game = make_game()
    played(game)
    tables = ["scoring_game", "scoring_hand", "scoring_ledgeraccount"]
    for table in tables:
        assert "is_never_removed" in refused(f"DELETE FROM {table}")
        if connection.vendor == "postgresql":
            with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {table} CASCADE")
    assert "frozen" in refused("UPDATE scoring_game SET id = %s", [key(Game().pk)])


@pytest.mark.parametrize("change", ["holder = 'pot'", "seat = 5", "game_id = NULL"])
def test_an_account_stays_whose_it_is(change: str) -> None:
    game = make_game()
    said = refused(f"UPDATE scoring_ledgeraccount SET {change} WHERE id = {seat_of(game, 0).pk}")
    assert "an_account_keeps_its_holder" in said


def paper(game: Game, **fields: object) -> SealedPaper:
    return SealedPaper.objects.create(
        game=game,
        hand=1,
        seat=0,
        kind=PaperKind.FOOT,
        seal="0" * 64,
        sealed_at=at(),
        sealed_by="seat",
        **fields,
    )


CHANGES = ["seal = '1'", "seat = 2", "hand = 2", "kind = 'centre'", "sealed_by = 'me'"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_sealed_paper_stays_as_it_was_sealed(change: str) -> None:
    paper(make_game())
    assert "a_sealed_paper_stays" in refused(f"UPDATE scoring_sealedpaper SET {change}")
    assert "is_never_removed" in refused("DELETE FROM scoring_sealedpaper")


@pytest.mark.parametrize("change", ["value = '2'", "salt = 'x'", "opened_at = NULL"])
def test_a_paper_that_was_opened_says_what_it_said(change: str) -> None:
    one = paper(make_game())
    one.value, one.salt, one.opened_at = "1", "salt", at(1)
    one.save()
    assert "a_sealed_paper_stays" in refused(f"UPDATE scoring_sealedpaper SET {change}")


def test_a_sitting_is_never_removed_nor_another_seat_s() -> None:
    game, other = make_game(), make_game(make_club("Another"))
    assert "a_sitting_is_never_removed" in refused("DELETE FROM scoring_sitting")
    for change, values in (("seat = 5", ()), ("game_id = %s", (key(other.pk),))):
        said = refused(f"UPDATE scoring_sitting SET {change} WHERE first = 1", values)
        assert "a_sitting_keeps_its_seat" in said
    assert Sitting.objects.filter(game=game).count() == 4


def test_a_game_that_has_begun_began_as_it_did() -> None:
    game = make_game()
    played(game)
    assert "frozen" in refused("UPDATE scoring_game SET start = '{}'")
