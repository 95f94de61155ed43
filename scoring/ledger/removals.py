"""The books of games that are removed from a club: all they posted is taken back, nothing goes."""

from collections.abc import Collection, Iterator, Mapping
from uuid import UUID

from django.db.models import Q

from scoring.ledger import transfers
from scoring.ledger.transfers import Stamp
from scoring.models import EntryKind, Holder
from scoring.models.transfer import Transfer


def reverse_games(games: Collection[UUID], *, stamp: Stamp, note: str) -> None:
    """Take back every transfer of some games that holds."""
    held = Transfer.objects.filter(game__in=games, reverses=None, reversed_by=None)
    transfers.reverse(list(held.order_by("id")), stamp=stamp, note=note)


def find_drawn_jackpots(games: Collection[UUID]) -> Iterator[tuple[UUID, str]]:
    """Those of some games whose jackpot another game has drawn on since, and its name."""
    left = Transfer.objects.filter(
        game__in=games, kind=EntryKind.JACKPOT, payee__holder=Holder.JACKPOT
    )
    for row in left.filter(reverses=None, reversed_by=None).select_related("payee"):
        other = transfers.drawn_since([row])
        if other is not None and row.game_id is not None:
            yield row.game_id, other.name


def find_users(
    accounts: Mapping[int, UUID], games: Collection[UUID], payments: Collection[int] = ()
) -> Iterator[UUID]:
    """Yield owners of accounts with transfers beside those of these games, and of games removed.

    ``accounts`` are the owners by the numbers of their accounts, ``payments`` further transfers
    that do not count, and neither does what takes them back.
    """
    transfers = Transfer.objects.filter(Q(payer__in=accounts) | Q(payee__in=accounts))
    present = transfers.filter(Q(game=None) | Q(game__removed_at=None))
    if payments:
        present = present.exclude(Q(pk__in=payments) | Q(reverses__in=payments))
    for game, *sides in present.values_list("game_id", "payer_id", "payee_id"):
        if game not in games:
            yield from (accounts[account] for account in sides if account in accounts)
