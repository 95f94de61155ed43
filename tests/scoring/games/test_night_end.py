"""The end of a night: who pays whom, and who won how much."""

from collections import Counter
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.fees import mark_fee
from scoring.games.night_end import (
    book_prizes,
    compute_night_end,
    read_night_prizes,
)
from scoring.selectors import queries
from scoring.transfer.verifying import look_at_club
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.web.window import publish_all
from tournaments.core.errors import RefusedError
from tournaments.events import events
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.awards import awards_of
from tournaments.models import Entry, Event, Presence, Scope
from tournaments.publishing.official import find_current, status_of

pytestmark = pytest.mark.django_db


def money_night(players: int = 8, *, entry_fee: int = 0) -> Event:
    """A night of one round for stakes of ten a head, played; its fees are paid."""
    club = make_club()
    rules = make_rules(club, "bicycle", {"buy_in": "1000"})
    event = make_event(club, rule_set=rules, rounds=1, entry_fee=entry_fee)
    for entry in check_in(event, make_players(club, players)):
        if entry_fee:
            mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at())
    draw(event)
    play_round(event, 1)
    return event


def finish(event: Event) -> Event:
    return events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(5))


def test_every_player_learns_their_part_of_the_payments() -> None:
    event = finish(money_night())
    end = compute_night_end(event)
    (sheet,) = end.accounts
    assert sheet.payments
    assert end.has_money
    left: Counter[UUID | None] = Counter()
    for line in sheet.lines:
        (mine,) = end.settlements_of(line.player)
        assert (mine.currency, mine.line) == ("EUR", line)
        gets = sum(one.amount for one in mine.payments if one.payee == line.player)
        pays = sum(one.amount for one in mine.payments if one.payer == line.player)
        assert gets - pays == line.balance
        left.update(mine.payments)  # type: ignore[arg-type]
    assert set(left.values()) == {2}, "each payment is told to both"
    assert end.prizes == {}


def test_the_payments_are_the_same_whenever_they_are_asked_for() -> None:
    event = money_night(40)
    first = [one.payments for one in compute_night_end(event).accounts]
    assert [one.payments for one in compute_night_end(event).accounts] == first
    assert len(first[0]) < 40


def test_prizes_are_told_once_the_playing_is_over() -> None:
    event = money_night(entry_fee=500)
    assert compute_night_end(event).prizes == {}
    end = compute_night_end(finish(event))
    assert sum(end.prizes.values()) == 8 * 500
    assert set(end.prizes) <= set(Entry.objects.values_list("player", flat=True))
    assert list(end.prizes.values()) == sorted(end.prizes.values(), reverse=True)


def test_a_duplicate_is_told_as_who_they_turned_out_to_be() -> None:
    event = finish(money_night(entry_fee=500))
    (spare,) = make_players(event.club, 1)
    winner = next(iter(compute_night_end(event).prizes))
    row = Entry.objects.get(event=event, player=winner).player
    row.merged_into = spare
    row.save()
    end = compute_night_end(event)
    assert spare.pk in end.prizes
    assert end.settlements_of(spare.pk)
    assert not end.settlements_of(winner)


def test_a_night_for_nothing_has_no_money() -> None:
    event = make_event(rounds=1)
    check_in(event, make_players(event.club, 8))
    draw(event)
    play_round(event, 1)
    end = compute_night_end(finish(event))
    assert (end.accounts, end.prizes, end.has_money) == ((), {}, False)


def unpaid_night(paid: int = 0) -> Event:
    """A night for an entry fee alone, of which so many of four have paid; it is over."""
    event = make_event(rounds=1, entry_fee=500, correction_hours=0)
    event.club.currency = "EUR"
    event.club.save()
    for number, entry in enumerate(check_in(event, make_players(event.club, 4))):
        if number < paid:
            mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at())
    draw(event)
    play_round(event, 1)
    return finish(event)


def make_official(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(correction_hours=0)
    return events.publish_officially(event_id=event.pk, version=None, by=DIRECTOR, at=at(6))


def amounts(event: Event) -> tuple[int, tuple[int, ...]]:
    found = awards_of(Event.objects.get(pk=event.pk)).awards
    return found.pool, found.amounts


def balances(event: Event) -> dict[UUID, int]:
    found = queries.balances(event.club_id)
    return {player: amount for (player, _unit), amount in found.items() if amount}


def test_an_official_pool_stays_as_it_is_whoever_pays_or_withdraws() -> None:
    event = make_official(unpaid_night(paid=1))
    before = amounts(event)
    assert before[0] == 4 * 500
    last = Entry.objects.filter(event=event).order_by("-number").first()
    assert last is not None
    mark_fee(event_id=event.pk, entry_id=last.pk, paid=True, by=DIRECTOR, at=at(7))
    assert amounts(event) == before
    Entry.objects.filter(pk=last.pk).update(presence=Presence.EXPECTED)
    assert amounts(event) == before
    events.reopen_event(event_id=event.pk, why="A slip.", version=None, by=DIRECTOR, at=at(8))
    assert amounts(event)[0] == 3 * 500


def test_fee_and_prize_are_netted_in_the_payments() -> None:
    event = unpaid_night()
    end = compute_night_end(event)
    (sheet,) = end.accounts
    for line in sheet.lines:
        assert line.balance == end.prizes.get(line.player, 0) - 500
    assert sum(line.balance for line in sheet.lines) == 0
    assert all(None not in (one.payer, one.payee) for one in sheet.payments), "nothing by the club"


@given(paid=st.integers(0, 4))
def test_one_button_books_all_prizes_and_leaves_only_what_is_owed(paid: int) -> None:
    event = make_official(unpaid_night(paid))
    prizes = compute_night_end(event).prizes
    (before,) = compute_night_end(event).accounts
    for _ in range(2):
        book_prizes(event_id=event.pk, by=DIRECTOR, at=at(9))
        for player, balance in balances(event).items():
            assert balance == prizes.get(player, 0) - 500 < 0, "who won less than the fee, or none"
        (sheet,) = compute_night_end(event).accounts
        assert sheet.fund == before.fund == 0
    for player, won in prizes.items():
        assert (Entry.objects.get(event=event, player=player).fee_paid == 500) == (
            won >= 500 or Entry.objects.get(event=event, player=player).number <= paid
        )
    assert not list(look_at_club(event.club_id))


def test_prizes_are_booked_once_official_and_not_before() -> None:
    with pytest.raises(RefusedError, match="once the results are official"):
        book_prizes(event_id=unpaid_night().pk, by=DIRECTOR, at=at(9))


def test_after_an_amendment_only_the_difference_is_booked() -> None:
    event = make_official(unpaid_night(paid=4))
    before = read_night_prizes(event).won
    book_prizes(event_id=event.pk, by=DIRECTOR, at=at(9))
    winner = Entry.objects.get(event=event, player=next(iter(before)))
    adjust_score(
        event_id=event.pk,
        entry=winner.pk,
        amount="-1000",
        reason="Was never there.",
        by=DIRECTOR,
        at=at(10),
    )
    assert book_prizes(event_id=event.pk, by=DIRECTOR, at=at(10)) == {}, "not confirmed yet"
    publish_all()
    pending = status_of(find_current(Scope.EVENT, event.pk)).pending
    assert pending is not None
    choice = AmendmentChoice(version=pending.version, reason="The table was short.")
    events.confirm_amendment(event_id=event.pk, choice=choice, by=DIRECTOR, at=at(11))
    event.refresh_from_db()
    after = read_night_prizes(event).won
    changed = {who for who in {*before, *after} if before.get(who) != after.get(who)}
    assert winner.player_id in changed
    booked = book_prizes(event_id=event.pk, by=DIRECTOR, at=at(12))
    assert booked == {who: after.get(who, 0) for who in changed}
    assert read_night_prizes(event).unbooked == {}
    assert book_prizes(event_id=event.pk, by=DIRECTOR, at=at(13)) == {}
    assert balances(event) == {}, "all was paid out, and what was taken back is owed by nobody"
    assert not list(look_at_club(event.club_id))
