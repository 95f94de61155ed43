"""The desk of a club in another process: it prepares games, and says afterwards what is kept.

    python -m tests.chaos.desk prepare GAMES    keys and games, as JSON
    python -m tests.chaos.desk kept             every hand, as JSON

It works on the database that the environment names, as the service itself does.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.club import tables  # noqa: E402 (needs settings)
from scoring.models import Hand  # noqa: E402 (needs settings)


def prepare(games: int) -> Iterator[dict[str, Any]]:
    """So many games of all systems in a new club, each with a key of its own."""
    for number, (game, secret) in enumerate(tables(games)):
        yield {"game": str(game), "key": secret, "number": number}


def kept() -> Iterator[dict[str, Any]]:
    """Every hand there is."""
    rows = Hand.objects.order_by("id").values("id", "game", "number", "rival", "state")
    for row in rows:
        yield {name: None if value is None else str(value) for name, value in row.items()}


if __name__ == "__main__":
    found = prepare(int(sys.argv[2])) if sys.argv[1] == "prepare" else kept()
    sys.stdout.write(json.dumps(list(found)))
