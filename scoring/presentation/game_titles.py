"""Titles of games: of an event's game with round and table in the reader's language."""

from re import Match
from re import compile as pattern_of
from typing import Final

from django.utils.translation import gettext as _

from scoring.models import Game
from tournaments.tables.cells import isolate_name

_OF_EVENT: Final = pattern_of(r"(?s)(.*), round ([0-9]+), table ([0-9]+)")


def game_title(game: Game, *, isolated: bool = False) -> str:
    """The name of a game; what somebody called it or its event stays as it is.

    ``isolated``: for a line of plain text, which that name may not turn around.
    """
    found = _of_event(game)
    if found is None:
        return isolate_name(game.name) if isolated else game.name
    event, number, table = found.groups()
    words = _("%(event)s, round %(round)s, table %(table)s")
    return words % {
        "event": isolate_name(event) if isolated else event,
        "round": number,
        "table": table,
    }


def place_title(game: Game) -> str:
    """Return the name of a game at its table: the table of an event, else its name."""
    found = _of_event(game)
    return game.name if found is None else _("Table %(table)s") % {"table": found[3]}


def _of_event(game: Game) -> Match[str] | None:
    return _OF_EVENT.fullmatch(game.name) if game.table_id is not None else None
