"""The club that a command names: by its identifier, or by its name if only one has it."""

from uuid import UUID

from engine.cli.inputs import TroubleError
from tournaments.models import Club


def club_of(word: str) -> Club:
    """Find a club. Raises TroubleError where there is none, or more than one."""
    try:
        found = list(Club.objects.filter(pk=UUID(word)))
    except ValueError:
        found = list(Club.objects.filter(name=word)[:2])
    if not found:
        raise TroubleError(f"there is no club {word}")
    if len(found) > 1:
        raise TroubleError(f"more than one club is called {word}; give its identifier")
    return found[0]
