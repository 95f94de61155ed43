"""Settling up after a night: one payment each, booked once, and shown again where it changes."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games import money
from scoring.games.fees import mark_fee
from scoring.games.night_end import book_prizes, read_night_prizes
from scoring.games.settling_up import read_night_books, settle_up, take_back_payment
from scoring.models import EntryFee, EntryKind, Game
from scoring.models.transfer import Transfer
from scoring.transfer.verifying import look_at_club
from tests.scoring.club import DIRECTOR, at, make_players
from tests.scoring.games.test_night_end import (
    balances,
    finish,
    make_official,
    money_night,
    unpaid_night,
)
from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.web.window import publish_all
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events import events
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.models import Entry, Event, Player, Scope
from tournaments.publishing.official import find_current, status_of

pytestmark = pytest.mark.django_db


def seen(event: Event) -> dict[tuple[UUID, str], int]:
    return {
        (line.player, one.sheet.currency): line.amount
        for one in read_night_books(event).settlements
        for line in one.lines
        if line.amount
    }


def settle(event: Event, minute: int = 9, **amounts: dict[tuple[UUID, str], int]) -> int:
    chosen = amounts.get("amounts") or seen(event)
    return len(settle_up(event_id=event.pk, seen=chosen, by=DIRECTOR, at=at(minute)))


@given(paid=st.integers(0, 4), first=st.integers(0, 4))
def test_everybody_is_settled_once_one_by_one_or_all_together(paid: int, first: int) -> None:
    event = make_official(unpaid_night(paid))
    amounts = seen(event)
    some = dict(list(amounts.items())[:first])
    settle_up(event_id=event.pk, seen=some, by=DIRECTOR, at=at(8))
    settle_up(event_id=event.pk, seen=amounts, by=DIRECTOR, at=at(9))
    assert balances(event) == {}
    assert seen(event) == {}
    assert settle_up(event_id=event.pk, seen=amounts, by=DIRECTOR, at=at(10)) == {}
    (night,) = read_night_books(event).settlements
    assert (night.cash, night.to_come_in, night.to_pay_out, night.left_over) == (0, 0, 0, 0)
    assert all(entry.fee_paid == 500 for entry in Entry.objects.filter(event=event))
    assert not list(look_at_club(event.club_id))


def test_fee_chips_and_prize_are_one_amount_and_the_box_comes_out() -> None:
    event = make_official(finish(money_night(entry_fee=500)))
    prizes = read_night_prizes(event).won
    (night,) = read_night_books(event).settlements
    for line in night.lines:
        assert (line.fee, line.fee_paid, line.others, line.paid) == (0, 500, 0, 0)
        assert line.prize == prizes.get(line.player, 0)
        assert line.amount == line.chips + line.prize
    assert night.cash == 8 * 500
    assert night.cash + night.to_come_in - night.to_pay_out == night.left_over == 0


def test_what_other_nights_left_open_is_part_of_it_and_no_debt_of_the_box() -> None:
    event = make_official(unpaid_night(paid=4))
    player = Entry.objects.get(event=event, number=1).player_id
    entry = money.NewBooking(kind=EntryKind.FEE, player=player, amount=150, note="table money")
    money.enter_money(club_id=event.club_id, entry=entry, by=DIRECTOR, at=at(30))
    (night,) = read_night_books(event).settlements
    assert {line.player: line.others for line in night.lines if line.others} == {player: -150}
    assert night.left_over == 0
    settle(event, 31)
    assert balances(event) == {}


def test_an_amount_that_changed_since_is_refused_and_nothing_is_booked() -> None:
    event = make_official(unpaid_night())
    amounts = seen(event)
    winner = Entry.objects.get(event=event, player=next(iter(read_night_prizes(event).won)))
    mark_fee(event_id=event.pk, entry_id=winner.pk, paid=True, by=DIRECTOR, at=at(7))
    rows = EntryFee.objects.count()
    with pytest.raises(RefusedError, match="have changed since"):
        settle_up(event_id=event.pk, seen=amounts, by=DIRECTOR, at=at(8))
    assert EntryFee.objects.count() == rows
    with pytest.raises(NotThereError):
        settle_up(event_id=event.pk, seen={(event.pk, "EUR"): 1}, by=DIRECTOR, at=at(8))


def test_prizes_wait_until_the_results_are_official_and_fees_do_not() -> None:
    event = unpaid_night()
    prizes = read_night_prizes(event).won
    amounts = seen(event)
    with pytest.raises(RefusedError, match="once the results are official"):
        settle_up(event_id=event.pk, seen=amounts, by=DIRECTOR, at=at(5))
    others = {key: amount for key, amount in amounts.items() if key[0] not in prizes}
    assert settle_up(event_id=event.pk, seen=others, by=DIRECTOR, at=at(5)) == others


def test_nobody_settles_up_while_it_is_played() -> None:
    with pytest.raises(RefusedError, match="once the playing is over"):
        settle_up(event_id=money_night().pk, seen={}, by=DIRECTOR, at=at(5))


def test_a_correction_after_everything_was_paid_shows_the_difference() -> None:
    event = make_official(unpaid_night(paid=4))
    before = read_night_prizes(event).won
    settle(event)
    winner = Entry.objects.get(event=event, player=next(iter(before)))
    adjust_score(
        event_id=event.pk,
        entry=winner.pk,
        amount="-1000",
        reason="Was never there.",
        by=DIRECTOR,
        at=at(10),
    )
    publish_all()
    pending = status_of(find_current(Scope.EVENT, event.pk)).pending
    assert pending is not None
    choice = AmendmentChoice(version=pending.version, reason="The table was short.")
    events.confirm_amendment(event_id=event.pk, choice=choice, by=DIRECTOR, at=at(11))
    event.refresh_from_db()
    after = read_night_prizes(event).won
    differences = {
        who: after.get(who, 0) - before.get(who, 0)
        for who in {*before, *after}
        if after.get(who) != before.get(who)
    }
    assert {player: amount for (player, _unit), amount in seen(event).items()} == differences
    assert settle(event, 12) == len(differences)
    assert book_prizes(event_id=event.pk, by=DIRECTOR, at=at(13)) == {}
    assert balances(event) == {}
    assert not list(look_at_club(event.club_id))


def test_a_payment_is_taken_back_once_and_the_fee_with_it() -> None:
    event = make_official(unpaid_night())
    amounts = seen(event)
    settle(event)
    for (player, currency), amount in amounts.items():
        undo: dict[str, Any] = {
            "event_id": event.pk,
            "player": player,
            "currency": currency,
            "by": DIRECTOR,
        }
        assert take_back_payment(**undo, at=at(10)) == -amount
        assert take_back_payment(**undo, at=at(11)) is None
    assert seen(event) == amounts
    assert not Entry.objects.filter(event=event, fee_paid__gt=0).exists()
    assert not list(look_at_club(event.club_id))


def test_what_was_booked_with_a_night_is_not_taken_back_elsewhere() -> None:
    event = make_official(unpaid_night())
    settle(event)
    row = EntryFee.objects.filter(transfer__kind=EntryKind.PAID_OUT).first()
    assert row is not None
    with pytest.raises(RefusedError, match="booked with a night"):
        money.reverse_money(
            club_id=event.club_id, entry=row.transfer_id, why="?", by=DIRECTOR, at=at(12)
        )


def book(
    event: Event, kind: EntryKind, player: UUID, amount: int, game: Game | None = None
) -> None:
    entry = money.NewBooking(
        kind=kind, player=player, amount=amount, note="?", game=game.pk if game else None
    )
    money.enter_money(club_id=event.club_id, entry=entry, by=DIRECTOR, at=at(7))


def settle_balance(event: Event, player: UUID) -> int:
    key = player, "EUR"
    amount = balances(event).get(player, 0)
    return money.settle_balance(
        club_id=event.club_id, key=key, seen=amount, note="Settled up", by=DIRECTOR, at=at(20)
    )


def cash_of(event: Event) -> int:
    """The cash that lies in the box of a club."""
    total = 0
    for row in Transfer.objects.filter(payer__club=event.club_id):
        is_reversal = row.reverses_id is not None
        if row.kind in (EntryKind.FEE_PAID, EntryKind.RECEIVED):
            total += -row.amount if is_reversal else row.amount
        elif row.kind == EntryKind.PAID_OUT:
            total -= -row.amount if is_reversal else row.amount
    return total


def test_who_has_nothing_to_hand_over_has_prize_and_fee_booked_all_the_same() -> None:
    event = make_official(unpaid_night())
    winner, prize = next(iter(read_night_prizes(event).won.items()))
    book(event, EntryKind.FEE, winner, prize - 500)
    (line,) = [one for one in read_night_books(event).settlements[0].lines if one.player == winner]
    assert (line.amount, line.is_settled) == (0, False)
    chosen = {(winner, "EUR"): 0}
    assert settle_up(event_id=event.pk, seen=chosen, by=DIRECTOR, at=at(8)) == chosen
    assert winner not in read_night_prizes(event).unbooked
    assert Entry.objects.get(event=event, player=winner).fee_paid == 500
    assert (winner in balances(event), cash_of(event)) == (False, 0)
    assert settle_up(event_id=event.pk, seen=chosen, by=DIRECTOR, at=at(9)) == {}
    undo: dict[str, Any] = {
        "event_id": event.pk,
        "player": winner,
        "currency": "EUR",
        "by": DIRECTOR,
    }
    assert take_back_payment(**undo, at=at(10)) == 0
    assert take_back_payment(**undo, at=at(11)) is None
    assert Entry.objects.get(event=event, player=winner).fee_paid == 0
    assert not list(look_at_club(event.club_id))


@pytest.mark.parametrize("credit", [0, 300, 500 + 800])
def test_who_settles_with_the_club_has_paid_the_fees_of_all_nights(credit: int) -> None:
    event = unpaid_night()
    entry = Entry.objects.exclude(player__in=read_night_prizes(event).won).filter(event=event)[0]
    if credit:
        book(event, EntryKind.PRIZE, entry.player_id, credit)
    assert settle_balance(event, entry.player_id) == credit - 500
    assert cash_of(event) == 500 - credit
    mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at(21))
    assert cash_of(event) == 500 - credit, "the fee is in it"
    assert entry.player_id not in balances(event)
    assert not list(look_at_club(event.club_id))
    undo: dict[str, Any] = {
        "event_id": event.pk,
        "player": entry.player_id,
        "currency": "EUR",
        "by": DIRECTOR,
    }
    assert take_back_payment(**undo, at=at(22)) == 500 - credit
    assert (balances(event)[entry.player_id], cash_of(event)) == (credit - 500, 0)
    assert not list(look_at_club(event.club_id))


def test_who_settles_after_a_night_has_paid_the_fees_of_other_nights_too() -> None:
    first = unpaid_night()
    second = make_event(first.club, rounds=1, entry_fee=700, correction_hours=0)
    players = list(Player.objects.filter(entries__event=first))
    check_in(second, players)
    draw(second)
    play_round(second, 1)
    second = make_official(finish(second))
    won = read_night_prizes(second).won
    player = next(one.pk for one in players if one.pk not in won)
    key = player, "EUR"
    settle_up(event_id=second.pk, seen={key: -1200}, by=DIRECTOR, at=at(8))
    mine = Entry.objects.filter(player=player)
    assert sorted(mine.values_list("fee_paid", flat=True)) == [500, 700]
    assert cash_of(first) == 1200
    for event in (second, first):
        undo: dict[str, Any] = {
            "event_id": event.pk,
            "player": player,
            "currency": "EUR",
            "by": DIRECTOR,
        }
        taken = take_back_payment(**undo, at=at(9))
        assert taken == (1200 if event == second else None)
    assert sorted(mine.values_list("fee_paid", flat=True)) == [0, 0]
    assert balances(first)[player] == -1200
    assert not list(look_at_club(first.club_id))


def test_what_was_paid_of_a_fee_before_it_was_raised_stays_paid() -> None:
    event = make_event(rounds=1, entry_fee=500, correction_hours=0)
    event.club.currency = "EUR"
    event.club.save()
    entered = check_in(event, make_players(event.club, 4))
    for entry in entered:
        mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at(1))
    event.refresh_from_db()
    changes = {"entry_fee": 700}
    events.change_event(
        event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(2)
    )
    draw(event)
    play_round(event, 1)
    make_official(finish(event))
    event.refresh_from_db()
    settle(event)
    loser = Entry.objects.exclude(player__in=read_night_prizes(event).won).filter(event=event)[0]
    undo: dict[str, Any] = {
        "event_id": event.pk,
        "player": loser.player_id,
        "currency": "EUR",
        "by": DIRECTOR,
    }
    assert take_back_payment(**undo, at=at(10)) == 200
    assert Entry.objects.get(pk=loser.pk).fee_paid == 500
    assert balances(event) == {loser.player_id: -200}
    assert not list(look_at_club(event.club_id))


@pytest.mark.parametrize("kind", [EntryKind.FEE, EntryKind.WRITE_OFF])
def test_an_entry_that_names_a_game_of_the_night_is_part_of_it(kind: EntryKind) -> None:
    event = make_official(finish(money_night()))
    player = min(balances(event), key=lambda one: balances(event)[one])
    book(event, kind, player, 150, Game.objects.filter(table__round__event=event).first())
    (night,) = read_night_books(event).settlements
    assert night.left_over == 0
    settle(event)
    assert balances(event) == {}
    assert read_night_books(event).settlements[0].left_over == 0


@pytest.mark.parametrize("more", [0, 100])
def test_a_prize_pays_what_its_winner_owes_and_no_cash_that_nobody_saw(more: int) -> None:
    event = make_official(unpaid_night())
    winner, prize = next(iter(read_night_prizes(event).won.items()))
    book(event, EntryKind.FEE, winner, prize - 500 + more)
    prizes = read_night_prizes(event).won
    paid_out = sum(max(won - 500, 0) for who, won in prizes.items() if who != winner)
    book_prizes(event_id=event.pk, by=DIRECTOR, at=at(9))
    assert cash_of(event) == -paid_out
    assert balances(event).get(winner, 0) == -more
    entry = Entry.objects.get(event=event, player=winner)
    assert entry.fee_paid == (0 if more else 500)
    assert not list(look_at_club(event.club_id))
