"""Settling up at the desk: one line and one button each, booked once, and a box that comes out."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from scoring.games import nights
from scoring.games.closing_postings import compute_outcome, find_expected_payouts
from scoring.games.money import NewBooking, enter_money
from scoring.games.night_end import read_night_prizes
from scoring.games.settling_up import read_night_books
from scoring.ledger.transfers import AccountKey
from scoring.models import EntryKind, Game
from scoring.models.transfer import Transfer
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_players,
    make_rules,
    state_of,
)
from tests.scoring.games.test_night_end import (
    balances,
    finish,
    make_official,
    money_night,
    unpaid_night,
)
from tests.tournaments.night import check_in, draw, make_event, play, start
from tests.web.desk import Director, director_of
from tournaments.events.adjustments import adjust_score
from tournaments.models import Entry, Event, Presence

pytestmark = pytest.mark.django_db


def shown(page: Any) -> str:
    return " ".join(unescape(strip_tags(page.content.decode())).split())


def treasurer_of(event: Event) -> tuple[Director, str]:
    return director_of(event.club, "treasurer"), f"/desk/events/{event.pk}/money/"


def lines(page: Any, which: str) -> list[Any]:
    return [line for night in page.context["nights"] for line in getattr(night, which)]


def test_who_has_not_paid_is_shown_as_owing_at_the_desk_alone() -> None:
    event = unpaid_night(paid=1)
    treasurer, path = treasurer_of(event)
    page = treasurer.get(path)
    owing = lines(page, "owing")
    assert owing
    assert all("entry fee 5.00 not paid" in line.details for line in owing)
    for public in (f"/e/{event.pk}/", f"/desk/events/{event.pk}/"):
        assert "not paid" not in director_of(event.club, "player").get(public).content.decode()


def test_prizes_wait_for_the_official_results_and_the_page_leads_there() -> None:
    event = unpaid_night(paid=4)
    treasurer, path = treasurer_of(event)
    page = treasurer.get(path)
    assert all(line.is_waiting for line in lines(page, "getting"))
    assert 'value="all"' not in page.content.decode()
    assert "Prizes are paid out once the results are official." in shown(page)


def euros(amount: float) -> str:
    return f"{amount:.2f}\N{NO-BREAK SPACE}EUR"


def test_a_running_night_shows_what_chips_are_worth_and_books_nothing() -> None:
    event = make_event(
        rule_set=make_rules(club := make_club(), "bicycle", {"buy_in": "1000"}), club=club, rounds=1
    )
    check_in(event, make_players(club, 4))
    draw(event)
    (game,) = start(event, 1)
    treasurer, path = treasurer_of(event)
    (lines_before,) = treasurer.get(path).context["expected"]
    assert {amount for _name, amount in lines_before} == {euros(10)}
    enter(game, chip_hand(state_of(game), [5, 4, 4, 0]))
    rows = Transfer.objects.count()
    page = treasurer.get(path)
    held = sorted(state_of(game).chips, reverse=True)
    (lines_now,) = page.context["expected"]
    worth = [amount for _name, amount in lines_now]
    assert worth == [euros(40 * chips / sum(held)) for chips in held]
    told = shown(page).split("What chips are worth now")[1].split("Print the list")[0]
    assert re.search(r"is booked\. Player \d", told), "no number before a name: it is no place"
    assert Transfer.objects.count() == rows
    play(game, 5)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(9))
    assert treasurer.get(path).context["expected"] == []


@pytest.mark.parametrize("boards_alike", [True, False])
def test_the_worth_of_chips_is_read_for_all_tables_at_once(*, boards_alike: bool) -> None:
    def ask(tables: int) -> tuple[int, dict[AccountKey, int], list[Game]]:
        club = make_club()
        rule_set = make_rules(club, "bicycle", {"buy_in": "1000"})
        event = make_event(rule_set=rule_set, club=club, rounds=1)
        check_in(event, make_players(club, 4 * tables))
        draw(event)
        games = start(event, 1)
        for game in games:
            enter(game, chip_hand(state_of(game), [5, 4, 4, 0]))
        Game.objects.filter(pk__in=[game.pk for game in games]).update(boards_alike=boards_alike)
        with CaptureQueriesContext(connection) as asked:
            expected = find_expected_payouts(event)
        return len(asked), expected, games

    few, _expected, _games = ask(2)
    many, expected, games = ask(4)
    assert many == few
    assert len(expected) == 16
    assert sorted(expected.values()) == sorted(
        amount for game in games for amount in compute_outcome(Game.objects.get(pk=game.pk)).amounts
    )


def test_one_button_settles_a_player_once_however_often_it_is_pressed() -> None:
    event = make_official(finish(money_night(entry_fee=500)))
    treasurer, path = treasurer_of(event)
    form, page = treasurer.form(path), treasurer.get(path)
    line = lines(page, "owing")[0]
    for _ in range(2):
        assert treasurer.send(form, settle=line.key).status_code == 302
    rows = Transfer.objects.count()
    page = treasurer.get(path)
    assert f"paid {line.amount}" in shown(page)
    assert [one.name for one in lines(page, "settled") if one.key == line.key] == [line.name]
    treasurer.client.post(path, {**form.values, "key": "another", "settle": line.key})
    assert Transfer.objects.count() == rows
    assert "said-so" not in treasurer.get(path).content.decode()


def test_one_button_books_all_fees_chips_and_prizes_and_closes_the_box() -> None:
    event = make_official(unpaid_night(paid=1))
    treasurer, path = treasurer_of(event)
    assert treasurer.fill(path, settle="all").status_code == 302
    page = treasurer.get(path)
    assert "Everything is settled" in shown(page)
    assert not lines(page, "owing")
    assert not lines(page, "getting")
    assert balances(event) == {}
    assert all(entry.fee_paid for entry in Entry.objects.filter(event=event))
    assert [night.left for night in page.context["nights"]] == ["0.00"]


def test_a_payment_is_undone_and_open_again() -> None:
    event = make_official(unpaid_night())
    treasurer, path = treasurer_of(event)
    before = lines(treasurer.get(path), "owing")
    treasurer.fill(path, settle=before[0].key)
    treasurer.fill(path, undo=before[0].key)
    assert lines(treasurer.get(path), "owing") == before
    assert not Entry.objects.filter(event=event, fee_paid__gt=0).exists()


def test_an_old_page_books_nothing_that_it_did_not_show() -> None:
    event = make_official(unpaid_night())
    treasurer, path = treasurer_of(event)
    form = treasurer.form(path)
    entry = Entry.objects.get(event=event, player=next(iter(read_night_prizes(event).won)))
    director_of(event.club).fill(f"/desk/events/{event.pk}/fees/", fee=f"paid:{entry.pk}")
    answer = treasurer.send(form, settle="all")
    assert answer.status_code == 422
    assert "The amounts have changed since you saw them." in shown(answer)


@pytest.mark.parametrize("seen", ["x", "x:EUR:1", "::", "1"])
def test_forged_amounts_are_no_request(seen: str) -> None:
    event = make_official(unpaid_night())
    treasurer, path = treasurer_of(event)
    assert treasurer.fill(path, settle="all", seen=seen).status_code == 400


def test_payments_among_yourselves_are_another_view_and_the_same_in_the_books() -> None:
    event = make_official(finish(money_night(entry_fee=500)))
    treasurer, path = treasurer_of(event)
    page = treasurer.get(f"{path}?view=among")
    (night,) = page.context["nights"]
    assert len(night.payments) == len(read_night_books(event).settlements[0].sheet.payments)
    assert " pays " in shown(page)
    treasurer.fill(f"{path}?view=among", settle="all")
    assert balances(event) == {}


def test_a_correction_while_the_night_can_be_corrected_shows_the_difference_alone() -> None:
    event = finish(money_night())
    treasurer, path = treasurer_of(event)
    treasurer.fill(path, settle="all")
    assert lines(treasurer.get(path), "owing") == []
    entry = Entry.objects.filter(event=event)[0]
    adjust_score(
        event_id=event.pk, entry=entry.pk, amount="-1", reason="Late.", by=DIRECTOR, at=at(8)
    )
    assert balances(event) == {}


def test_all_entry_fees_are_ticked_by_one_button() -> None:
    event = unpaid_night(paid=1)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/fees/"
    assert "3 have not paid the entry fee" in shown(director.get(path))
    director.fill(path, fee="paid:all")
    page = shown(director.get(path))
    assert "Recorded as paid: 3 players." in page
    assert "Everybody has paid the entry fee" in page


def test_who_was_not_on_the_page_is_not_ticked_with_all() -> None:
    event = unpaid_night()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/fees/"
    late = Entry.objects.filter(event=event).order_by("-number")[0]
    Entry.objects.filter(pk=late.pk).update(presence=Presence.EXPECTED)
    form = director.form(path)
    Entry.objects.filter(pk=late.pk).update(presence=Presence.HERE)
    director.send(form, fee="paid:all")
    paid = dict(Entry.objects.filter(event=event).values_list("pk", "fee_paid"))
    assert paid.pop(late.pk) == 0
    assert set(paid.values()) == {500}


def test_a_fee_that_was_raised_since_is_not_ticked_with_all() -> None:
    event = unpaid_night()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/fees/"
    form = director.form(path)
    Event.objects.filter(pk=event.pk).update(entry_fee=700)
    answer = director.send(form, fee="paid:all")
    assert answer.status_code == 422
    assert "The amounts have changed since you saw them." in shown(answer)
    assert not Entry.objects.filter(event=event, fee_paid__gt=0).exists()


def test_who_has_nothing_to_hand_over_is_a_line_and_settled_with_all() -> None:
    event = make_official(unpaid_night())
    winner, prize = next(iter(read_night_prizes(event).won.items()))
    fee = NewBooking(kind=EntryKind.FEE, player=winner, amount=prize - 500, note="Table money")
    enter_money(club_id=event.club_id, entry=fee, by=DIRECTOR, at=at(7))
    treasurer, path = treasurer_of(event)
    page = treasurer.get(path)
    (line,) = lines(page, "even")
    assert (line.key, line.amount) == (f"{winner}:EUR", "0.00")
    assert "1 has nothing to hand over" in shown(page)
    assert treasurer.fill(f"{path}?view=among", settle="all").status_code == 302
    assert lines(treasurer.get(path), "even") == []
    assert Entry.objects.get(event=event, player=winner).fee_paid == 500
    treasurer.fill(path, undo=line.key)
    page = treasurer.get(path)
    assert "Taken back: the payment" in shown(page)
    assert len(lines(page, "even")) == 1
    treasurer.fill(path, settle=line.key)
    assert "has settled, with nothing to hand over." in shown(treasurer.get(path))


def test_the_balances_of_a_club_are_settled_one_by_one_and_its_box_comes_out() -> None:
    event = make_official(unpaid_night(paid=1))
    treasurer, path = director_of(event.club, "treasurer"), f"/desk/clubs/{event.club_id}/money/"
    (account,) = treasurer.get(path).context["accounts"]
    assert account.left == "0.00"
    form = treasurer.form(path)
    for _ in range(2):
        treasurer.send(form, settle=account.owing[0].key)
    page = treasurer.get(path)
    assert "paid 5.00" in shown(page)
    (after,) = page.context["accounts"]
    assert len(after.owing) == len(account.owing) - 1
    assert after.left == "0.00"
    treasurer.client.post(path, {**form.values, "key": "another", "settle": account.owing[0].key})
    assert len(treasurer.get(path).context["accounts"][0].owing) == len(after.owing)
