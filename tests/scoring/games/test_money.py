"""Fees, prizes and payments: what is booked, refused, taken back, and who owes in the end."""

from datetime import datetime
from uuid import UUID

import pytest

from scoring.games.closing import Closing, close_game, reopen_game
from scoring.games.money import NewBooking, enter_money, reverse_money
from scoring.games.night_sheets import open_balances, payout_sheet
from scoring.games.opening import NewGame, open_game
from scoring.ledger import transfers
from scoring.ledger.transfers import BookEntry
from scoring.models import EntryKind, Holder
from tests.scoring.club import DIRECTOR, at, enter, make_club, make_players
from tests.scoring.table_money import (
    arrange,
    balance,
    close,
    hand_of_points,
    open_table,
    seated,
)
from tournaments.audit import find_broken_entries
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id
from tournaments.models import Club, Player

pytestmark = pytest.mark.django_db


def book(club: Club, player: Player | UUID, kind: str, amount: int, **fields: object) -> BookEntry:
    number = player if isinstance(player, UUID) else player.pk
    values = {"note": "club night", **fields}
    entry = NewBooking(kind=EntryKind(kind), player=number, amount=amount, **values)  # type: ignore[arg-type]
    return enter_money(club_id=club.pk, entry=entry, by=DIRECTOR, at=at(100))


def club_has(club: Club, holder: Holder) -> int:
    account = transfers.club_account(club, holder, "EUR")
    return transfers.balances([account])[account.pk]


@pytest.mark.parametrize(
    ("kind", "gains", "fund", "till"),
    [
        ("FEE", -250, 250, 0),
        ("PRIZE", 250, -250, 0),
        ("RECEIVED", 250, 0, -250),
        ("PAID_OUT", -250, 0, 250),
    ],
)
def test_an_entry_moves_money_one_way(kind: str, gains: int, fund: int, till: int) -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    written = book(club, player, kind, 250)
    assert (written.note, written.by, written.at) == ("club night", DIRECTOR.label, at(100))
    assert balance(player.pk, club) == gains
    assert (club_has(club, Holder.FUND), club_has(club, Holder.TILL)) == (fund, till)
    assert not list(find_broken_entries(club.pk))


def test_one_player_pays_another_without_the_till() -> None:
    club = make_club()
    owes, is_owed = make_players(club, 2)
    book(club, owes, "FEE", 300)
    book(club, is_owed, "PRIZE", 300)
    book(club, owes, "BETWEEN", 300, other=is_owed.pk)
    assert open_balances(club_id=club.pk) == []
    assert club_has(club, Holder.TILL) == 0


@pytest.mark.parametrize("kind", ["FEE", "PRIZE"])
def test_what_will_never_be_paid_is_written_off_and_no_more(kind: str) -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    book(club, player, kind, 300)
    with pytest.raises(RefusedError, match="Less than that is open") as refused:
        book(club, player, "WRITE_OFF", 301)
    assert refused.value.field == "amount"
    book(club, player, "WRITE_OFF", 300)
    assert (balance(player.pk, club), club_has(club, Holder.FUND)) == (0, 0)


def test_a_write_off_sees_what_merged_duplicates_left() -> None:
    club = make_club()
    known, duplicate = make_players(club, 2)
    book(club, known, "PRIZE", 300)
    book(club, duplicate, "FEE", 500)
    Player.objects.filter(pk=duplicate.pk).update(merged_into=known)
    for player, left in ((known, -50), (duplicate, 0)):
        book(club, player, "WRITE_OFF", 150 if left else 50)
        shown = {row.player: row.amount for row in open_balances(club_id=club.pk)}
        assert shown == ({known.pk: left} if left else {})
    assert club_has(club, Holder.FUND) == 0
    with pytest.raises(RefusedError, match="Less than that is open"):
        book(club, known, "WRITE_OFF", 1)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("amount", {"amount": 0}),
        ("amount", {"amount": -5}),
        ("amount", {"amount": 10**30}),
        ("amount", {"amount": 2.5}),
        ("amount", {"amount": True}),
        ("currency", {"currency": "USD"}),
        ("currency", {"currency": "chips"}),
        ("currency", {"currency": "E"}),
        ("note", {"note": "  "}),
        ("note", {"note": "x" * 10_000}),
        ("note", {"note": "a\x00b"}),
        ("player", {"player": new_id()}),
        ("game", {"game": new_id()}),
        ("kind", {"kind": EntryKind.PAYOUT}),
        ("kind", {"kind": EntryKind.JACKPOT}),
        ("other", {"kind": EntryKind.BETWEEN}),
        ("other", {"kind": EntryKind.FEE, "other": new_id()}),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_booked(
    field: str, values: dict[str, object]
) -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    given = {"kind": EntryKind.FEE, "player": player.pk, "amount": 5, "note": "fee"} | values
    with pytest.raises(RefusedError) as refused:
        enter_money(club_id=club.pk, entry=NewBooking(**given), by=DIRECTOR, at=at())  # type: ignore[arg-type]
    assert refused.value.field == field
    assert open_balances(club_id=club.pk) == []


def test_a_payment_between_two_asks_for_the_second() -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    with pytest.raises(RefusedError, match="Say whom they paid") as refused:
        book(club, player, "BETWEEN", 5)
    assert refused.value.field == "other"


def test_the_people_and_games_of_another_club_are_unknown() -> None:
    club, other = make_club(), make_club("The others")
    game = open_table(other)
    mine, theirs = make_players(club, 1)[0], seated(game)[0]
    for field, values in (
        ("player", {}),
        ("other", {"other": theirs}),
        ("game", {"game": game.pk}),
    ):
        kind = "BETWEEN" if field == "other" else "FEE"
        with pytest.raises(RefusedError) as refused:
            book(club, theirs if field == "player" else mine, kind, 5, **values)
        assert refused.value.field == field
    with pytest.raises(RefusedError, match="pays themselves"):
        book(club, mine, "BETWEEN", 5, other=mine.pk)


def test_an_entry_is_taken_back_once_by_another_that_is_linked_to_it() -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    written = book(club, player, "FEE", 250)

    def take_back(number: int, why: str = "He is a member.") -> BookEntry:
        return reverse_money(club_id=club.pk, entry=number, why=why, by=DIRECTOR, at=at(110))

    with pytest.raises(RefusedError) as refused:
        take_back(written.pk, " ")
    assert refused.value.field == "why"
    opposite = take_back(written.pk)
    assert opposite.reverses_id == written.pk
    assert balance(player.pk, club) == 0
    for number in (written.pk, opposite.pk, written.pk + 1000):
        with pytest.raises(RefusedError) as refused:
            take_back(number)
        assert refused.value.field == "entry"
    other = make_club("The others")
    with pytest.raises(RefusedError, match="no such entry"):
        reverse_money(club_id=other.pk, entry=written.pk, why="mine", by=DIRECTOR, at=at(110))


def test_what_a_game_posted_is_taken_back_by_opening_it_again() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    (stake, *_) = transfers.stakes([game])
    with pytest.raises(RefusedError, match="open the game again"):
        reverse_money(club_id=club.pk, entry=stake.pk, why="no", by=DIRECTOR, at=at())


def test_a_fee_in_the_currency_of_a_game_that_was_played_in_another() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000", currency="USD")
    book(club, seated(game)[0], "FEE", 100, currency="USD")
    assert balance(seated(game)[0], club, "USD") == -1100


def test_the_sheet_of_a_night_adds_up() -> None:
    club = make_club()
    (early,) = make_players(club, 1)
    book(club, early, "FEE", 700)
    first = open_table(club, buy_in="1000")
    second = open_table(club, "sahara", ante="500")
    players = seated(first)
    book(club, players[0], "FEE", 150, game=first.pk)
    book(club, players[0], "RECEIVED", 1000)
    arrange(first, chips=(55, 55, 55, 35))
    arrange(second, totals=(79, 61, 62, 80))
    enter(second, hand_of_points(second, (25, 1, 0, 0)))
    close(first)
    close(second)
    (sheet,) = payout_sheet(club_id=club.pk, games=[first.pk, second.pk])
    lines = {line.player: line for line in sheet.lines}
    assert len(lines) == 8
    mine = lines[players[0]]
    assert (mine.parts.buy_ins, mine.parts.payouts, mine.parts.fees) == (-1000, 1100, -150)
    assert (mine.parts.paid, mine.carried, mine.balance) == (0, 1000, 950)
    assert (sheet.pool, sheet.fund, sheet.till) == (0, 150, 0)
    for line in sheet.lines:
        assert line.carried + line.parts.total == line.balance
    assert sum(line.parts.total for line in sheet.lines) + sheet.fund + sheet.jackpot == 0
    night = (at(0), at(600))
    (whole,) = payout_sheet(club_id=club.pk, games=[first.pk, second.pk], span=night)
    assert {line.carried for line in whole.lines} == {0}
    assert (whole.fund, whole.till) == (850, -1000)
    assert sum(line.balance for line in whole.lines) + whole.fund + whole.till == 0


@pytest.mark.parametrize("span", [None, (at(0), at(201))])
def test_the_sheet_of_a_night_stays_what_it_was(
    span: tuple[datetime, datetime] | None,
) -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    (player, other, *_) = seated(game)
    arrange(game, chips=(45, 55, 50, 50))
    close(game)
    before = payout_sheet(club_id=club.pk, games=[game.pk], span=span)
    mine = next(line for line in before[0].lines if line.player == player)
    assert (mine.carried, mine.parts.total, mine.balance) == (0, -100, -100)
    opening = NewGame(name="B", rule_set=game.rule_set_id, players=seated(game))  # type: ignore[arg-type]
    later = open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at(1000))
    enter_money(
        club_id=club.pk,
        entry=NewBooking(kind=EntryKind.RECEIVED, player=player, amount=40, note="late"),
        by=DIRECTOR,
        at=at(1001),
    )
    assert payout_sheet(club_id=club.pk, games=[game.pk], span=span) == before
    assert {one.amount for one in before[0].payments} == {100}
    (sheet,) = payout_sheet(club_id=club.pk, games=[later.pk])
    lines = {line.player: line for line in sheet.lines}
    assert (lines[player].carried, lines[player].balance) == (-100, -1100)
    assert (lines[other].carried, lines[other].balance) == (100, -900)


def test_what_is_taken_back_later_is_on_the_sheet_of_its_own_night() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    arrange(game, chips=(45, 55, 50, 50))
    close(game)
    book(club, seated(game)[0], "FEE", 30)
    reopen_game(game_id=game.pk, why="misread", by=DIRECTOR, at=at(2000))
    arrange(game, chips=(40, 60, 50, 50))
    closing = Closing(reason="late")
    close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(2001))
    span = (at(0), at(201))
    (sheet,) = payout_sheet(club_id=club.pk, games=[game.pk], span=span)
    mine = next(line for line in sheet.lines if line.player == seated(game)[0])
    assert (mine.carried, mine.parts.fees, mine.balance) == (0, -30, -230)


def test_a_game_that_is_not_closed_has_its_money_in_the_pool() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    arrange(game, chips=(55, 55, 55, 35))
    (sheet,) = payout_sheet(club_id=club.pk, games=[game.pk])
    assert sheet.pool == 4000
    close(game)
    reopen_game(game_id=game.pk, why="too early", by=DIRECTOR, at=at(201))
    assert payout_sheet(club_id=club.pk, games=[game.pk]) == [sheet]


def test_the_fewest_payments_settle_a_night_and_leave_nobody_owing() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    arrange(game, chips=(100, 60, 30, 10))
    close(game)
    (sheet,) = payout_sheet(club_id=club.pk, games=[game.pk])
    assert len(sheet.payments) == 3
    for payment in sheet.payments:
        assert payment.payer is not None
        book(club, payment.payer, "BETWEEN", payment.amount, other=payment.payee)
    assert open_balances(club_id=club.pk) == []


def test_fees_are_settled_with_the_club() -> None:
    club = make_club()
    game = open_table(club, buy_in="1000")
    for player in seated(game):
        book(club, player, "FEE", 100, game=game.pk)
    arrange(game, chips=(80, 50, 40, 30))
    close(game)
    (sheet,) = payout_sheet(club_id=club.pk, games=[game.pk])
    assert sum(one.amount for one in sheet.payments if one.payee is None) == 400


def test_who_owes_is_listed_first_and_duplicates_are_one_person() -> None:
    club = make_club()
    owes, duplicate, is_owed = make_players(club, 3)
    book(club, owes, "FEE", 100)
    book(club, duplicate, "FEE", 200)
    book(club, is_owed, "PRIZE", 50)
    duplicate.merged_into = owes
    duplicate.save()
    listed = [(row.player, row.amount) for row in open_balances(club_id=club.pk)]
    assert listed == [(owes.pk, -300), (is_owed.pk, 50)]
    book(club, duplicate, "RECEIVED", 300)
    assert [row.player for row in open_balances(club_id=club.pk)] == [is_owed.pk]


def test_the_sheet_takes_a_fixed_number_of_queries(
    django_assert_num_queries: object,
) -> None:
    club = make_club()
    games = [open_table(club, buy_in="1000") for _ in range(3)]
    with django_assert_num_queries(4):  # type: ignore[operator]
        payout_sheet(club_id=club.pk, games=[game.pk for game in games])
