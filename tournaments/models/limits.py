"""Limits of columns, for whoever reads what is written into them: forms, serializers, imports."""

from typing import Final

from django.db.models import Model

REASON_MAX: Final = 300
"""Characters of the reason of one line that a director gives for something of an event."""
ABOUT_MAX: Final = 1000
"""Characters of what a club says of itself on its page."""
VENUE_MAX: Final = 200
"""Characters of the place where a club or an event plays."""
ROUNDS_MAX: Final = 60
HANDS_MAX: Final = 200
TABLE_NUMBER_MAX: Final = 1000
MONEY_MAX: Final = 10**9
CORRECTION_HOURS_MAX: Final = 9999
TEAM_BEST_MAX: Final = 100
SESSIONS_MAX: Final = 999
"""Events of a season."""
CLOCK_MINUTES_MAX: Final = 600
"""Minutes of a round or a break."""


def max_length(model: type[Model], column: str) -> int:
    """Return the number of characters that a column of text takes."""
    found: object = getattr(model._meta.get_field(column), "max_length", None)
    assert isinstance(found, int), f"{column} has no limit"
    return found
