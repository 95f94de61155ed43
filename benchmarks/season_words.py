"""What is measured of a season, by the names that its figures have."""

from typing import Final

EVENT_NOW: Final = "places of the event by now"
LEAGUE_NOW: Final = "places of the league by now"
BOTH_NOW: Final = "places of event and league by now"
EVENT_PUBLISHED: Final = "event explained and published"
LEAGUE_PUBLISHED: Final = "event and league explained and published"
AFTER_A_HAND: Final = (EVENT_NOW, LEAGUE_NOW, BOTH_NOW, EVENT_PUBLISHED, LEAGUE_PUBLISHED)

BARE: Final = "group and rank"
FROM_RESULTS: Final = "totals and places, from results alone"
FROM_SUMS: Final = "totals and places, from kept sums"
EXPLAINED: Final = "explained, from results alone"
AS_PUBLISHED: Final = "explained, nights as published"
REMEMBERED: Final = "explained, nights remembered"
