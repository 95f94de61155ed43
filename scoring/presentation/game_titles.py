"""Titles of games: of an event's game with round and table in the reader's language."""

from re import compile as pattern_of
from typing import Final

from django.utils.translation import gettext as _

from scoring.models import Game

_OF_EVENT: Final = pattern_of(r"(?s)(.*), round ([0-9]+), table ([0-9]+)")


def game_title(game: Game) -> str:
    """The name of a game; what somebody called it or its event stays as it is."""
    found = _OF_EVENT.fullmatch(game.name) if game.table_id is not None else None
    if found is None:
        return game.name
    event, number, table = found.groups()
    words = _("%(event)s, round %(round)s, table %(table)s")
    return words % {"event": event, "round": number, "table": table}
