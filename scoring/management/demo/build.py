"""Build the whole demo club in one transaction."""

from collections.abc import Callable
from enum import IntEnum

from django.db import transaction

from scoring.management.demo.new_club import Founded, found_demo_club
from scoring.management.demo.nights import three_nights
from scoring.management.demo.random_choices import Chance
from scoring.management.demo.season import NIGHTS, play_season

TABLES = 9
"""How many games the three nights have."""


class Size(IntEnum):
    """The number of uneventful hands played at a table, beside those that the story needs."""

    SMALL = 2
    FULL = 10


@transaction.atomic
def build(
    *,
    seed: int,
    name: str,
    size: Size = Size.FULL,
    nights: int = NIGHTS,
    on_table: Callable[[str], None] = lambda _: None,
) -> Founded:
    """Found a club and let it play three nights and a season of so many ``nights``.

    ``on_table`` hears of every table of the three, and of every night of the season, that is done.

    Raises ConflictError where the club of this seed is there already, RefusedError for a name
    that no club has.
    """
    club = found_demo_club(Chance(seed), name)
    for table in three_nights(club, size):
        on_table(table)
    if nights:
        for night in play_season(club, size, nights):
            on_table(night)
    return club
