"""Entry fees: owed from check-in on, ticked as paid, in the books and out of the pool (DEC-10)."""

from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games import money, night_sheets
from scoring.games.fees import list_fees, mark_fee
from scoring.models import EntryFee, EntryKind
from scoring.models.transfer import Transfer
from scoring.transfer.bundling import restore, write
from scoring.transfer.verifying import look_at_club
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at, make_players
from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.web.desk import director_of
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.events import entries
from tournaments.events.awards import awards_of
from tournaments.events.entries import NewEntry
from tournaments.events.events import change_event, fee_due
from tournaments.models import Club, Entry, EntryStanding, Event, Presence

pytestmark = pytest.mark.django_db
FEE = 1250


def night(many: int = 4, **fields: Any) -> tuple[Event, list[Entry]]:
    event = make_event(entry_fee=FEE, rounds=1, **fields)
    return event, list(check_in(event, make_players(event.club, many)))


def tick(entry: Entry, *, paid: bool = True) -> None:
    mark_fee(event_id=entry.event_id, entry_id=entry.pk, paid=paid, by=DIRECTOR, at=at(1))


def balances(event: Event) -> dict[Any, int]:
    return {one.player: one.amount for one in night_sheets.open_balances(club_id=event.club_id)}


def change(entry: Entry, **changes: Any) -> None:
    entries.change_entry(entry_id=entry.pk, changes=changes, by=DIRECTOR, at=at(2))


def test_members_and_guests_owe_the_fee_from_check_in_on_and_the_house_does_not() -> None:
    event = make_event(entry_fee=FEE)
    member, guest, house, late = make_players(event.club, 4)
    for player, standing, presence in (
        (member, EntryStanding.PLAYER, Presence.HERE),
        (guest, EntryStanding.GUEST, Presence.HERE),
        (house, EntryStanding.HOUSE, Presence.HERE),
        (late, EntryStanding.PLAYER, Presence.EXPECTED),
    ):
        new = NewEntry(player=player.pk, standing=standing, presence=presence)
        entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at())
    assert balances(event) == {member.pk: -FEE, guest.pk: -FEE}
    entries.enter(event_id=event.pk, new=NewEntry(player=late.pk), by=DIRECTOR, at=at(1))
    entries.enter(event_id=event.pk, new=NewEntry(player=late.pk), by=DIRECTOR, at=at(1))
    assert balances(event)[late.pk] == -FEE
    assert [line.due for line in list_fees(event)] == [FEE, FEE, FEE]
    assert not list(look_at_club(event.club_id))


def test_a_tick_is_a_payment_and_can_be_taken_back() -> None:
    event, (one, *_others) = night()
    for _ in range(2):
        tick(one)
    assert one.player_id not in balances(event)
    assert Entry.objects.get(pk=one.pk).fee_paid == FEE
    for _ in range(2):
        tick(one, paid=False)
    assert balances(event)[one.player_id] == -FEE
    assert Entry.objects.get(pk=one.pk).fee_paid == 0
    kinds = Transfer.objects.filter(entry_fee__player=one.player_id).values_list("kind", flat=True)
    assert sorted(kinds) == [EntryKind.ENTRY_FEE, EntryKind.FEE_PAID, EntryKind.FEE_PAID]
    assert not list(look_at_club(event.club_id))


def test_who_does_not_come_owes_nothing_and_who_left_does() -> None:
    event, (left, away, paid, _other) = night()
    tick(paid)
    change(left, presence=Presence.LEFT)
    change(away, presence=Presence.WITHDRAWN)
    change(paid, presence=Presence.WITHDRAWN)
    assert balances(event)[left.player_id] == -FEE
    assert away.player_id not in balances(event)
    assert balances(event)[paid.player_id] == FEE, "the club owes the money back"
    assert Entry.objects.get(pk=paid.pk).fee_paid == 0
    with pytest.raises(RefusedError, match="Nothing is owed"):
        tick(away)


def test_a_fee_that_is_changed_is_owed_anew() -> None:
    event, (one, other, *_rest) = night()
    tick(one)
    event.refresh_from_db()
    changes = {"entry_fee": 1000}
    change_event(event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(2))
    assert balances(event)[one.player_id] == 250
    assert balances(event)[other.player_id] == -1000
    assert Entry.objects.get(pk=one.pk).fee_paid == 1000


def test_a_fee_that_was_raised_is_ticked_for_the_rest_and_taken_back_as_a_whole() -> None:
    event, (one, *_others) = night()
    tick(one)
    event.refresh_from_db()
    changes = {"entry_fee": 2000}
    change_event(event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(2))
    assert not list_fees(Event.objects.get(pk=event.pk))[0].is_paid
    for _ in range(2):
        tick(one)
    assert one.player_id not in balances(event)
    assert Entry.objects.get(pk=one.pk).fee_paid == 2000
    tick(one, paid=False)
    assert balances(event)[one.player_id] == -2000
    assert Entry.objects.get(pk=one.pk).fee_paid == 0


def test_the_pool_is_made_of_what_is_owed_whether_paid_or_not() -> None:
    event, entered = night(added=300)
    draw(event)
    play_round(event, 1)
    pools = []
    for entry in entered:
        pools.append(awards_of(Event.objects.get(pk=event.pk)).awards.pool)
        tick(entry)
    pools.append(awards_of(Event.objects.get(pk=event.pk)).awards.pool)
    assert pools == [300 + 4 * FEE] * 5


def test_the_sheet_of_the_night_shows_fees_and_settles_them() -> None:
    event, (one, *others) = night()
    tick(one)
    (sheet,) = night_sheets.payout_sheet(club_id=event.club_id, games=[], event=event.pk)
    lines = {line.player: line for line in sheet.lines}
    assert (lines[one.player_id].parts.fees, lines[one.player_id].parts.paid) == (-FEE, FEE)
    assert lines[one.player_id].balance == 0
    assert {lines[other.player_id].balance for other in others} == {-FEE}
    assert {payment.payer for payment in sheet.payments} == {one.player_id for one in others}
    assert sheet.fund == 4 * FEE
    assert sum(line.balance for line in sheet.lines) + sheet.fund + sheet.till == 0


def test_an_entry_is_not_removed_with_its_payment_and_no_fee_is_reversed_elsewhere() -> None:
    event, (one, other, *_rest) = night()
    tick(one)
    with pytest.raises(ConflictError, match="has paid its fee"):
        entries.remove_entry(entry_id=one.pk, by=DIRECTOR, at=at(2))
    entries.remove_entry(entry_id=other.pk, by=DIRECTOR, at=at(2))
    assert other.player_id not in balances(event)
    row = EntryFee.objects.filter(player=one.player_id).first()
    assert row is not None
    with pytest.raises(RefusedError):
        money.reverse_money(
            club_id=event.club_id, entry=row.transfer_id, why="?", by=DIRECTOR, at=at(2)
        )


def test_the_desk_and_the_api_tick_and_list() -> None:
    event, (one, *_rest) = night()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/fees/"
    assert "Entry fees" in director.get(f"/desk/events/{event.pk}/").content.decode()
    director.send(director.form(path), fee=f"paid:{one.pk}")
    page = director.get(path).content.decode()
    assert "12.50 of 50.00 EUR have been paid" in " ".join(page.split())
    found = director.get(f"/api/v1/events/{event.pk}/fees").json()
    assert (found["due"], found["paid"]) == (4 * FEE, FEE)
    assert [item["is_paid"] for item in found["items"]] == [True, False, False, False]
    director.send(director.form(path), fee=f"open:{one.pk}")
    assert Entry.objects.get(pk=one.pk).fee_paid == 0


ACTS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(["paid", "open", "here", "left", "withdrawn", "expected", "fee"]),
    ),
    max_size=8,
)


@given(acts=ACTS)
@settings(max_examples=examples(15), deadline=None)
def test_whatever_happens_the_books_say_what_is_due_and_paid(acts: list[tuple[int, str]]) -> None:
    event, entered = night(3)
    for number, act in acts:
        entry = Entry.objects.get(pk=entered[number].pk)
        event.refresh_from_db()
        due = fee_due(event, entry)
        if act == "fee":
            changes = {"entry_fee": 700 * number}
            change_event(
                event_id=event.pk, changes=changes, version=event.version, by=DIRECTOR, at=at(3)
            )
        elif act == "open" or (act == "paid" and due):
            tick(entry, paid=act == "paid")
        elif act != "paid":
            change(entry, presence=act)
    event.refresh_from_db()
    for entry in Entry.objects.filter(event=event):
        standing = Transfer.objects.filter(
            entry_fee__event=event,
            entry_fee__player=entry.player_id,
            reverses=None,
            reversed_by=None,
        )
        sums = {
            kind: sum(row.amount for row in standing if row.kind == kind)
            for kind in (EntryKind.ENTRY_FEE, EntryKind.FEE_PAID)
        }
        due = fee_due(event, entry)
        assert sums[EntryKind.ENTRY_FEE] == due
        assert entry.fee_paid == min(due, sums[EntryKind.FEE_PAID])
        balance = sums[EntryKind.FEE_PAID] - due
        assert balances(event).get(entry.player_id, 0) == balance
    assert not list(look_at_club(event.club_id))


def test_a_bundle_carries_the_fees() -> None:
    with transaction.atomic():
        event, (one, *_others) = night()
        tick(one)
        bundle = b"".join(write(Club.objects.get()))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert EntryFee.objects.filter(event=event).count() == 5
    assert Entry.objects.get(pk=one.pk).fee_paid == FEE
    tick(one, paid=False)
    assert balances(event)[one.player_id] == -FEE
