"""Money as files: the treasurer adds up a column and has the cash box, or nothing."""

from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.fees import mark_fee
from scoring.games.money import NewBooking, enter_money, reverse_money
from scoring.ledger.transfers import BookEntry
from scoring.models import EntryKind
from scoring.models.transfer import Transfer
from scoring.reports import books
from scoring.selectors import queries
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.scoring.reports.reading import csv_rows, read, sheet_rows
from tests.scoring.table_money import close, open_table
from tests.tournaments.night import check_in, make_event
from tournaments.models import Account, Club, Player

pytestmark = pytest.mark.django_db
KINDS = ("RECEIVED", "PAID_OUT", "FEE", "PRIZE", "BETWEEN")
BOOKINGS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.integers(1, 10**6), st.booleans()),
    min_size=1,
    max_size=6,
)


def book(club: Club, kind: str, amount: int, player: Player, other: Player) -> BookEntry:
    entry = NewBooking(
        kind=EntryKind(kind),
        player=player.pk,
        amount=amount,
        note="club night",
        other=other.pk if kind == "BETWEEN" else None,
    )
    return enter_money(club_id=club.pk, entry=entry, by=DIRECTOR, at=at(100))


@given(BOOKINGS)
@settings(max_examples=examples(10))
def test_columns_of_balances_sum_to_zero_and_rows_to_the_balance(found: list[Any]) -> None:
    club = make_club()
    players = make_players(club, 4)
    for kind, number, amount, is_wrong in found:
        entry = book(club, kind, amount, *players[number : number + 2])
        if is_wrong:
            reverse_money(club_id=club.pk, entry=entry.pk, why="wrong", by=DIRECTOR, at=at(101))
    (table,) = books.balances(club)
    rows = read(table)
    parts = [column.key for column in table.columns[2:-1]]
    for key in (*parts, "balance"):
        assert sum(row[key] for row in rows) == 0
    for row in rows:
        assert sum(row[key] for key in parts) == row["balance"]
    known = {player: amount for (player, _unit), amount in queries.balances(club.pk).items()}
    by_number = {player.number: known.get(player.pk, 0) for player in players}
    told = {row["number"]: row["balance"] for row in rows if row["number"]}
    assert told == {number: by_number[number] for number in told}


def test_the_column_of_the_cash_box_adds_up_to_what_is_in_it() -> None:
    club = make_club()
    players = make_players(club, 2)
    book(club, "FEE", 500, *players)
    book(club, "RECEIVED", 1250, *players)
    book(club, "PAID_OUT", 305, *players)
    (table,) = books.money(club)
    rows = csv_rows(table)
    cash = [row["Cash box (EUR)"] for row in rows if row["Cash box (EUR)"]]
    assert sum(map(Decimal, cash)) == Decimal("9.45")
    cells = sheet_rows(table)
    assert sum(row["cash"] or 0 for row in cells) == pytest.approx(9.45)
    assert [row["amount"] for row in cells] == [5, 12.5, 3.05]


def test_money_says_when_who_what_and_who_entered_it() -> None:
    club = make_club()
    players = make_players(club, 2)
    assert DIRECTOR.id is not None
    Account.objects.create(pk=DIRECTOR.id, email="d@club.example", name="Dora", created_at=at())
    book(club, "BETWEEN", 100, *players)
    (row,) = csv_rows(books.money(club)[0])
    assert row["Date"] == str(at(100).date())
    assert (row["What for"], row["Note"], row["By"]) == (
        "paid between players", "club night", "Dora",
    )  # fmt: skip
    assert (row["From"], row["From, member no."]) == ("Player 1", "1")
    assert (row["To"], row["To, member no."]) == ("Player 2", "2")


def test_the_money_of_an_event_is_its_fees_and_what_its_games_paid() -> None:
    event = make_event(entry_fee=1250, rounds=1)
    club = event.club
    entered = check_in(event, make_players(club, 4))
    mark_fee(event_id=event.pk, entry_id=entered[0].pk, paid=True, by=DIRECTOR, at=at(1))
    close(open_table(club, buy_in="1000"))
    (table,) = books.money(club, event=event.pk)
    rows = csv_rows(table)
    assert [row["What for"] for row in rows] == ["entry fee"] * 4 + ["entry fee paid"]
    assert {row["Event or game"] for row in rows} == {event.name}
    whole = csv_rows(books.money(club)[0])
    assert len(whole) > len(rows)
    assert (
        sum(Decimal(row["Amount (EUR)"]) for row in whole) * 100
        == (Transfer.objects.exclude(payer__unit="chips").aggregate(Sum("amount"))["amount__sum"])
    )
    (balances,) = books.balances(club, event=event.pk)
    found = {row["number"]: row["balance"] for row in read(balances)}
    assert [found[one.player.number] for one in entered] == [0, -1250, -1250, -1250]
