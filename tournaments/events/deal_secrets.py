"""Secrets of deals: drawn for a duplicate event, published as commitments, revealed by board.

Nothing else reads the secret but whoever deals (docs/rules/deals.md, DEC-5).
"""

from dataclasses import dataclass

from tournaments import selectors
from tournaments.core.deals import board_key, commitment_of, draw_secret
from tournaments.models import Board, DealSecret, Event


@dataclass(frozen=True, slots=True)
class Commitment:
    """A board's published commitment: ``key`` is empty until the board is over.

    Both are hexadecimal digits.
    """

    number: int
    commitment: str
    key: str


def ensure_secret(event: Event) -> bytes:
    """Return the secret of an event, drawn now if it has none; the caller has locked the event."""
    row, _ = DealSecret.objects.get_or_create(event=event, defaults={"secret": draw_secret()})
    return bytes(row.secret)


def list_commitments(event: Event) -> list[Commitment]:
    """Return what is published of all boards of an event, in their order. Three queries.

    Boards whose deals were brought or come from a table's records have no key. An event that has
    no secret has only the boards that were dealt from one.
    """
    rows = {row.number: row.key for row in Board.objects.filter(event=event)}
    over = selectors.boards_over(event)
    secret = DealSecret.objects.filter(event=event).values_list("secret", flat=True).first()
    found = []
    for number in range(1, event.rounds * event.hands + 1):
        if number in rows:
            key = bytes.fromhex(rows[number])
        else:
            key = b"" if secret is None else board_key(bytes(secret), number)
        if key:
            shown = key.hex() if number in over else ""
            found.append(Commitment(number, commitment_of(key), shown))
    return found
