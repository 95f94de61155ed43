"""How many generated examples a test tries: a few in the fast run, all of them in the slow one."""

import os
from typing import Final

from hypothesis import settings

FAST: Final = "fast"
FULL: Final = "full"
FEW: Final = 10
SCALE: Final = int(os.environ.get("TEST_SCALE", "1"))
"""How many times as many the slow run tries; for a search that may take hours."""


def examples(full: int, few: int = FEW) -> int:
    """Return ``few`` in the fast run and ``full`` in the slow one, where TEST_SCALE multiplies it.

    The slow run finds what to try in full by a marker: ``@given`` carries it, any other test that
    asks here is marked ``property``.
    """
    if settings.get_current_profile_name() == FAST:
        return min(few, full)
    return full * SCALE
