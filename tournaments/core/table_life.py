"""The time for which a table's code opens things: being at a table is a weak proof."""

from datetime import timedelta
from typing import Final

AFTER_THE_GAME: Final = timedelta(hours=12)
"""How long it goes on once the game or the event is over, for whoever was offline."""
LONGEST_LIFE: Final = timedelta(days=7)
"""It ends then, though nobody ended the game or the event."""
