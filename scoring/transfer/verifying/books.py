"""The books of a club as a whole: whatever a transfer is for, it balances."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Count, F, Q, Sum

from scoring.models.transfer import Transfer
from scoring.transfer.verifying.difference import Discrepancy


def differences(club: UUID) -> Iterator[Discrepancy]:
    """What is wrong with a club's books, unit by unit and row by row. Five queries."""
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


def _of(club: UUID, what: str, kept: object, right: object) -> Discrepancy:
    return Discrepancy(club=club, what=what, kept=str(kept), right=str(right))


def _sums(club: UUID, side: str) -> dict[str, int]:
    rows = Transfer.objects.filter(**{f"{side}__club": club})
    return dict(rows.values_list(f"{side}__unit").annotate(Sum("amount")).order_by())
