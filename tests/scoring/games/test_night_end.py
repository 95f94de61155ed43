"""The end of a night: who pays whom, and who won how much."""

from collections import Counter
from uuid import UUID

import pytest

from scoring.games.fees import mark_fee
from scoring.games.night_end import compute_night_end
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import check_in, draw, make_event, play_round
from tournaments.events import events
from tournaments.models import Entry, Event

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
