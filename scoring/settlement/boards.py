"""The cards that a table played on a board, and whether they match the board's deal."""

from scoring.settlement.replay import JudgedHand
from tournaments.core.deals import write_deal


def format_dealt_cards(played: JudgedHand) -> str:
    """The cards of a hand as a board keeps them; nothing where the record does not tell."""
    held = played.result.replay.dealt if played.result is not None else None
    return "" if held is None else write_deal(held, played.before.dealer)


def matches_deal(deal: str, played: JudgedHand) -> bool | None:
    """Whether a hand was played with the cards of a board; None where nobody can tell."""
    cards = format_dealt_cards(played) if deal else ""
    return cards == deal if cards else None
