"""The books of a club as a whole: whatever a transfer is for, it balances."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, Sum

from scoring.games import money
from scoring.ledger.transfers import NOTE_MAX
from scoring.models.transfer import Transfer
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.audit import ERASED
from tournaments.models import AuditEntry

_BOOKING_ACTIONS: Final = (money.ENTERED.template, money.TAKEN_BACK.template)


def find_differences(club: UUID) -> Iterator[Discrepancy]:
    """Yield faults in a club's books: their sums, their rows, what the trail tells of them.

    Eight queries.
    """
    received = _sums(club, "payee")
    paid = _sums(club, "payer")
    for unit in sorted(received.keys() | paid.keys()):
        total = received.get(unit, 0) - paid.get(unit, 0)
        if total:
            yield _of(club, f"sum of all accounts in {unit}", total, 0)
    rows = Transfer.objects.filter(Q(payer__club=club) | Q(payee__club=club))
    fits = Q(payer__unit=F("payee__unit"), payer__club=F("payee__club"))
    for number in rows.exclude(fits).values_list("id", flat=True):
        yield _of(club, f"accounts of transfer {number}", "of two clubs or units", "of one")
    opposite = Q(
        payer=F("reverses__payee"),
        payee=F("reverses__payer"),
        amount=F("reverses__amount"),
        reverses__reverses=None,
    ) & (Q(game=F("reverses__game")) | Q(game=None, reverses__game=None))
    back = rows.filter(reverses__isnull=False)
    for number in back.exclude(opposite).values_list("id", flat=True):
        yield _of(club, f"reversal {number}", "of something else", "the opposite")
    twice = back.values("reverses").annotate(times=Count("id")).filter(times__gt=1)
    for row in twice.values("reverses", "times"):
        yield _of(club, f"reversals of transfer {row['reverses']}", row["times"], 1)
    told = AuditEntry.objects.filter(club_id=club, at=OuterRef("at"))
    # What games post follows from their hands.
    for number in rows.filter(~Exists(told), game=None).values_list("id", flat=True):
        yield _of(club, f"moment of transfer {number}", "one of which no trail tells", "its own")
    yield from _compare_with_trail(club)


def _compare_with_trail(club: UUID) -> Iterator[Discrepancy]:
    """Whether what was booked by hand is in the books as the trail of the club tells. Two queries.

    Matched by moment, kind and amount, because a restored bundle gives transfers other numbers.
    """
    entries = AuditEntry.objects.filter(chain=club, what__in=_BOOKING_ACTIONS)
    rows = Transfer.objects.filter(payer__club=club, at__in=entries.values("at"))
    unmatched: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for at, kind, amount, note in rows.values_list("at", "kind", "amount", "note").iterator():
        unmatched[at, kind, amount][note] += 1
    # Those whose reason was erased come last: any note that is left will do.
    for entry in sorted(entries, key=lambda one: (one.why_salt == ERASED, one.number)):
        details = json.loads(entry.details)
        notes = +unmatched[entry.at, details.get("kind"), details.get("amount")]
        note = next(iter(notes), "") if entry.why_salt == ERASED else entry.why[:NOTE_MAX]
        if not notes[note]:
            what = f"what entry {entry.number} of the trail of the club tells ({entry.what})"
            yield _of(club, what, "no transfer of this amount with this note", "one")
        else:
            unmatched[entry.at, details["kind"], details["amount"]][note] -= 1


def _of(club: UUID, what: str, kept: object, right: object) -> Discrepancy:
    return Discrepancy(club=club, what=what, kept=str(kept), right=str(right))


def _sums(club: UUID, side: str) -> dict[str, int]:
    rows = Transfer.objects.filter(**{f"{side}__club": club})
    return dict(rows.values_list(f"{side}__unit").annotate(Sum("amount")).order_by())
