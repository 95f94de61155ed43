"""The code of a slip from the rows that it is printed for."""

import hmac

from django.conf import settings

from engine.rules.rules import Rules
from scoring.slips.codes import SlipCode, short_digest, short_id
from tournaments.models import Event, Table


def code_of(
    event: Event,
    rules: Rules,
    players: int,
    *,
    table: Table | None = None,
    hand: int = 0,
    round_number: int = 0,
) -> SlipCode:
    """The code of the slip for a hand at a table; of a blank slip, perhaps of a round."""
    return SlipCode(
        installation=own_installation(),
        event=short_id(event.pk),
        players=players,
        rules=short_digest(rules),
        table=0 if table is None else short_id(table.pk),
        round=round_number if table is None else table.round.number,
        number=0 if table is None else table.number,
        hand=hand,
    )


def own_installation() -> int:
    """A number in codes that tells this installation from others; no key follows from it."""
    digest = hmac.digest(settings.SECRET_KEY.encode(), b"painsuit slips", "sha256")
    return int.from_bytes(digest[:2], "big")
