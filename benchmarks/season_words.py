"""What is measured of a season, by the names that its figures have."""

from typing import Final

EVENT: Final = "the event"
LEAGUE: Final = "the event and its league"

BARE: Final = "group and rank"
EXPLAINED: Final = "explained, from results alone"
AS_PUBLISHED: Final = "explained, nights as published"
REMEMBERED: Final = "explained, nights remembered"
