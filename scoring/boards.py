"""Boards: whether a table played the cards of its board."""

from scoring.folding import Played
from tournaments.deals import write_deal


def fits(deal: str, played: Played) -> bool | None:
    """Whether a hand was played with the cards of a board; None where nobody can tell."""
    held = played.result.replay.dealt if played.result is not None else None
    if not deal or held is None:
        return None
    return write_deal(held, played.before.dealer) == deal
