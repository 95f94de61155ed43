"""Choices of a seat about a disputed hand, and their outcomes.

Pure: one table for the service and for the phones, which offer a seat what `list_choices` lists.
It is drawn in docs/development/table.md.
"""

from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID

from scoring.hands.disputes import Dispute, DisputedRecord
from scoring.models import Word
from tournaments.core.actors import Source


class TableChoice(StrEnum):
    """The record of a hand that a seat holds to be right."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"
    DIRECTOR = "director"
    """The table does not agree."""


class Outcome(StrEnum):
    """The outcome of a choice; where a later hand depends on it, the director is called instead."""

    FIRST_STANDS = "first stands"
    SECOND_STANDS = "second stands"
    TAKEN_BACK = "taken back"
    DIRECTOR_CALLED = "director called"
    NOTED = "noted"
    """It is kept as what the seat says; the word of somebody else is still missing."""


def outcome_of(
    dispute: Dispute, other: DisputedRecord | None, seat: int, choice: TableChoice
) -> Outcome:
    """Return what comes of a choice of ``seat`` between the record that stands and ``other``.

    ``other`` is None for a hand to which somebody only objects, or which contradicts a sealed
    paper: then the second record is what stands with the paper as this seat sealed it.
    """
    if choice is TableChoice.DIRECTOR:
        return Outcome.DIRECTOR_CALLED
    if other is None:
        return _outcome_of_objection(dispute, seat, choice)
    if choice is TableChoice.FIRST and seat == other.version.seat:
        return Outcome.FIRST_STANDS
    if choice is TableChoice.SECOND and _can_concede(seat, dispute, other):
        return Outcome.SECOND_STANDS
    if choice is TableChoice.NEITHER:
        supporters = {*dispute.seats_for(dispute.first), *dispute.seats_for(other)}
        if not supporters - {seat}:
            return Outcome.TAKEN_BACK
    others = (said for by, said in opinions(dispute, other).items() if by != seat)
    if any(said is not choice for said in others):
        return Outcome.DIRECTOR_CALLED
    return Outcome.NOTED


def _can_concede(seat: int, dispute: Dispute, other: DisputedRecord) -> bool:
    """Whether a seat may give up the first record in favour of ``other``.

    Only its author may. If one seat entered both records, it takes another seat: one that agreed to
    the first, or any if none did.
    """
    author, relying = dispute.first.version.seat, set(dispute.seats_for(dispute.first))
    if author is None or author != other.version.seat:
        return seat == author
    return seat != author and (seat in relying or relying <= {author})


def _outcome_of_objection(dispute: Dispute, seat: int, choice: TableChoice) -> Outcome:
    objectors = find_objectors(dispute)
    if choice is TableChoice.SECOND:
        return Outcome.SECOND_STANDS if seat in dispute.sealed_seats else Outcome.NOTED
    if choice is TableChoice.FIRST and seat in dispute.paper_seats:
        return Outcome.DIRECTOR_CALLED
    if choice is TableChoice.FIRST:
        if seat in objectors:
            return Outcome.FIRST_STANDS if objectors == {seat} else Outcome.NOTED
        is_author = seat == dispute.first.version.seat
        return Outcome.DIRECTOR_CALLED if is_author else Outcome.NOTED
    if dispute.first.version.source != Source.TABLE:
        return Outcome.DIRECTOR_CALLED
    supporters = set(dispute.seats_for(dispute.first))
    return Outcome.TAKEN_BACK if not supporters - {seat} else Outcome.NOTED


def find_objectors(dispute: Dispute) -> set[int]:
    """Return the seats whose last word on the record that stands is an objection."""
    last = {
        word.seat: word.agrees
        for word in dispute.words
        if word.version_id == dispute.first.version.pk and word.seat is not None
    }
    return {seat for seat, agrees in last.items() if not agrees}


def list_choices(
    dispute: Dispute, other: DisputedRecord | None, seat: int
) -> tuple[TableChoice, ...]:
    """Return what is offered to a seat: whatever has an effect, and to insist on its own record."""
    is_called = dispute.hand.director_called_at is not None
    return tuple(
        choice
        for choice in _known_choices(dispute, other, seat)
        if (
            (outcome := outcome_of(dispute, other, seat, choice)) is not Outcome.NOTED
            and not (is_called and outcome is Outcome.DIRECTOR_CALLED)
        )
        or (not is_called and _is_insisting(dispute, other, seat, choice))
    )


def _known_choices(
    dispute: Dispute, other: DisputedRecord | None, seat: int
) -> tuple[TableChoice, ...]:
    has_second = other is not None or seat in dispute.sealed_seats
    return tuple(one for one in TableChoice if one is not TableChoice.SECOND or has_second)


def _is_insisting(
    dispute: Dispute, other: DisputedRecord | None, seat: int, choice: TableChoice
) -> bool:
    """Whether a party to a dispute says what is kept until the other side says the same."""
    if other is None:
        return False
    authors = {dispute.first.version.seat, other.version.seat}
    is_party = seat in authors or _can_concede(seat, dispute, other)
    said = opinions(dispute, other).get(seat)
    # Who corrected a record of their own says nothing new by insisting on the correction.
    is_own = choice is TableChoice.SECOND and authors == {seat}
    return is_party and choice is not said and not is_own


def seats_waited_for(dispute: Dispute, other: DisputedRecord | None, players: int) -> list[int]:
    """Return the seats that can settle a hand and have not said anything of it yet.

    Who corrected a record of their own can withdraw that, but is waited for last.
    """
    if dispute.hand.director_called_at is not None:
        return []
    said = set(find_objectors(dispute) if other is None else opinions(dispute, other))
    if other is not None and other.version.seat == dispute.first.version.seat:
        said |= {seat for seat in (other.version.seat,) if seat is not None}
    settling = (Outcome.FIRST_STANDS, Outcome.SECOND_STANDS, Outcome.TAKEN_BACK)
    can_settle = [
        seat
        for seat in range(players)
        if any(
            outcome_of(dispute, other, seat, choice) in settling
            for choice in _known_choices(dispute, other, seat)
        )
    ]
    if other is None and dispute.paper_seats:
        return sorted(dispute.paper_seats)
    return [seat for seat in can_settle if seat not in said] or can_settle


def opinions(dispute: Dispute, other: DisputedRecord) -> Mapping[int, TableChoice]:
    """Return the last choice of each seat between two records since the second one came."""
    said: dict[int, dict[UUID, bool]] = {}
    words: list[Word] = [word for word in dispute.words if word.at >= other.version.at]
    for word in words:
        if word.seat is not None:
            said.setdefault(word.seat, {})[word.version.hand_id] = word.agrees
    first, second = dispute.hand.pk, other.hand.pk
    return {
        seat: TableChoice.FIRST
        if agrees.get(first)
        else TableChoice.SECOND
        if agrees.get(second)
        else TableChoice.NEITHER
        for seat, agrees in said.items()
        if {first, second} & agrees.keys()
    }
