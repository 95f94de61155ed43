"""Payments between the club and its players after a night, and balances left open."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from scoring.games import night_sheets
from scoring.games.money import NewBooking, enter_money, reverse_money
from scoring.ledger.transfers import BookEntry
from scoring.management.demo.new_club import MEMBERS, Founded
from scoring.models import EntryKind

TABLE_FEE: Final = 150
PRIZE: Final = 500
_SIDES: Final = (EntryKind.RECEIVED, EntryKind.PAID_OUT)


def book(club: Founded, entry: NewBooking, at: datetime) -> BookEntry:
    """Book one entry."""
    return enter_money(club_id=club.club, entry=entry, by=club.director, at=at)


def charge(club: Founded, players: Sequence[UUID], at: datetime) -> None:
    """Table money, from everybody who is no member; one of them is charged twice by mistake."""
    for player in players:
        book(club, _fee(player), at)
    twice = book(club, _fee(players[0]), at)
    reverse_money(club_id=club.club, entry=twice.pk, why="charged twice", by=club.director, at=at)


def _fee(player: UUID) -> NewBooking:
    return NewBooking(kind=EntryKind.FEE, player=player, amount=TABLE_FEE, note="table money")


def award(club: Founded, player: UUID, at: datetime) -> None:
    """A prize out of the club's fund."""
    entry = NewBooking(kind=EntryKind.PRIZE, player=player, amount=PRIZE, note="hand of the month")
    book(club, entry, at)


def pay(club: Founded, at: datetime) -> None:
    """Let the largest debtor pay in, and pay the largest creditor out; the others will, later."""
    for kind, (player, amount) in zip(_SIDES, _ends(club), strict=True):
        book(club, NewBooking(kind=kind, player=player, amount=amount, note="in cash"), at)


def pay_each_other(club: Founded, at: datetime) -> None:
    """Let the largest debtor give the largest creditor what both can settle between them."""
    owing, owed = _ends(club)
    amount = min(owing[1], owed[1])
    entry = NewBooking(
        kind=EntryKind.BETWEEN, player=owing[0], other=owed[0], amount=amount, note="at the bar"
    )
    book(club, entry, at)


def write_off(club: Founded, player: UUID, at: datetime) -> None:
    """A visitor who will not come again still owes something: the club bears it."""
    for row in night_sheets.open_balances(club_id=club.club):
        if row.player == player:
            entry = NewBooking(
                kind=EntryKind.WRITE_OFF,
                player=player,
                amount=abs(row.amount),
                note="never seen again",
            )
            book(club, entry, at)


def _ends(club: Founded) -> tuple[tuple[UUID, int], tuple[UUID, int]]:
    """The largest debt and the largest claim among members, with whose they are."""
    places = {player: place for place, player in enumerate(club.players[: len(MEMBERS)])}
    rows = night_sheets.open_balances(club_id=club.club)
    balances = sorted(
        (row.amount, places[row.player], row.player) for row in rows if row.player in places
    )
    (least, _, owing), (most, _, owed) = balances[0], balances[-1]
    assert least < 0 < most, "after a night for money somebody owes, and somebody is owed"
    return (owing, -least), (owed, most)
